import SaveCodec

/// The fields of a form as a web browser or a game sends them, `application/x-www-form-urlencoded` (URL Standard §5).
///
///     high_score[player_name]=Zo%C3%AB+K&high_score%5Btotal_score%5D=5
///     ─▶ ("high_score[player_name]", "Zoë K"), ("high_score[total_score]", "5")
///
/// Unlike a browser's reader it refuses what is no escape and what is not UTF-8 instead of repairing it: a leaderboard
/// shows a name as the player wrote it or not at all.
enum URLEncodedForm {
    struct Field: Equatable {
        let name: String
        let value: String
    }

    /// The fields of a body in order.
    ///
    /// - Throws: `form.escape`, `form.utf8`.
    static func fields(of body: ArraySlice<UInt8>) throws(Problem) -> [Field] {
        var fields: [Field] = []
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            fields.append(Field(name: try text(pair[..<equals]), value: try text(pair[equals...].dropFirst())))
        }
        return fields
    }

    private static func text(_ encoded: ArraySlice<UInt8>) throws(Problem) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count)
        var position = encoded.startIndex
        while position < encoded.endIndex {
            switch encoded[position] {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                bytes.append(try escaped(encoded[position...].prefix(3)))
                position += 2
            case let byte: bytes.append(byte)
            }
            position += 1
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem("form.utf8", "the text that begins here is not UTF-8", at: .byte(encoded.startIndex))
        }
        return text
    }

    /// The byte that `%` and two digits stand for.
    private static func escaped(_ escape: ArraySlice<UInt8>) throws(Problem) -> UInt8 {
        let digits = Array(escape.dropFirst())
        guard digits.count == 2, let byte = Hexadecimal.number(digits.span, allowsUppercase: true) else {
            let found = SafeText.escaping(String(decoding: escape, as: UTF8.self))
            throw Problem(
                "form.escape", "found \(found); expected % and two hexadecimal digits", at: .byte(escape.startIndex))
        }
        return UInt8(truncatingIfNeeded: byte)
    }

    /// The value of a field as it stands in a body.
    static func encoded(_ value: String) -> [UInt8] {
        var output = ByteWriter()
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: " "): output.write(UInt8(ascii: "+"))
            case _ where isPlain(byte): output.write(byte)
            default:
                output.write(UInt8(ascii: "%"))
                Hexadecimal.write(UInt64(byte), count: 2, uppercase: true, to: &output)
            }
        }
        return output.takeBytes()
    }

    /// Whether a byte stands for itself: a letter, a digit, or one of `*-._`.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "*", "-", ".", "_": true
        default: false
        }
    }
}
