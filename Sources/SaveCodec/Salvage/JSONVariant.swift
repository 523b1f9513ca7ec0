/// Spellings of other languages in a JSON text, which a person may have typed. They show what was meant:
///
///     {name: 'Zoë', "alive": True, "gems": +12, "share": .5, "color": 0xFF}
///     {"name": "Zoë", "alive": true, "gems": 12, "share": 0.5, "color": 255}
enum JSONVariant {
    /// Returns the repair of a string, name or word; nil if it is JSON.
    static func repair(of token: ArraySlice<UInt8>) -> SalvageRepair? {
        /// A changed byte may look like such a spelling, and hide where other members began or ended.
        func repair(_ text: String, _ message: String) -> SalvageRepair {
            SalvageRepair(text: text, message: message, mayHideMembers: true)
        }
        switch token.first {
        case UInt8(ascii: "\""):
            return token.contains(UInt8(ascii: "\t")) ? repair(string(token), "a tab in the string was escaped") : nil
        case UInt8(ascii: "'"): return repair(string(token), "single quotation marks were replaced")
        default:
            guard !JSONSalvageSyntax.isValue(token) else { return nil }
            let old = String(decoding: token, as: UTF8.self)
            return value(token).map { repair($0, "\"\(old)\" was read as \($0)") }
                ?? repair("\"\(old)\"", "quotation marks were added to the name")
        }
    }

    /// Returns the JSON spelling of a literal or a number: `True`, `None`, `+12`, `.5`, `5.`, `007`, `0xFF`; nil for any
    /// other word.
    static func value(_ word: ArraySlice<UInt8>) -> String? {
        switch String(decoding: word.prefix(8), as: UTF8.self).lowercased() {
        case "true": return "true"
        case "false": return "false"
        case "null", "none", "nil": return "null"
        default: break
        }
        let sign = word.first == UInt8(ascii: "-") ? "-" : ""
        let digits = word.dropFirst(word.first.map("+-".utf8.contains) ?? false ? 1 : 0)
        if digits.count > 2, digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8) {
            guard digits.count <= 18, digits.dropFirst(2).allSatisfy({ HexDigit.value($0) != nil }) else { return nil }
            return UInt64(String(decoding: digits.dropFirst(2), as: UTF8.self), radix: 16).map { sign + String($0) }
        }
        guard let first = digits.first, first == UInt8(ascii: ".") || (0x30...0x39).contains(first),
            digits.contains(where: { (0x30...0x39).contains($0) })
        else { return nil }
        var number = Array(digits.drop { $0 == UInt8(ascii: "0") })
        if number.first.map({ !(0x30...0x39).contains($0) }) ?? true { number.insert(UInt8(ascii: "0"), at: 0) }
        if number.last == UInt8(ascii: ".") { number.append(UInt8(ascii: "0")) }
        return JSONSalvageSyntax.isValue(number[...]) ? sign + String(decoding: number, as: UTF8.self) : nil
    }

    /// Returns a string with double quotation marks and without tabs.
    private static func string(_ token: ArraySlice<UInt8>) -> String {
        var contents: [UInt8] = []
        var rest = token.dropFirst().dropLast()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\t"): contents += "\\t".utf8
            case UInt8(ascii: "\""): contents += "\\\"".utf8
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { break }
                contents += escaped == UInt8(ascii: "'") ? [escaped] : [byte, escaped]
            default: contents.append(byte)
            }
        }
        return "\"" + String(decoding: contents, as: UTF8.self) + "\""
    }
}
