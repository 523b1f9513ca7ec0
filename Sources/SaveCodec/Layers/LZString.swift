/// JSON compressed by LZString, as Base64 text. RPG Maker MV stores its saves in this way.
///
/// Each character of the text has six bits. A code for a new character is 0 or 1, and the character follows in 8 or 16
/// bits. Codes and characters are written from the lowest bit on:
///
///     "N4Ig"  =  00 11011110 000 01000100 …  =  new "{", new "\"", …
enum LZString {
    /// Whether a text is Base64 whose first codes give the beginning of JSON.
    static func isPresent(in bytes: [UInt8]) -> Bool {
        let digits = bytes.filter { $0 > 0x20 }
        let text = digits.prefix { $0 != UInt8(ascii: "=") }
        guard text.count >= 16, digits[text.endIndex...].allSatisfy({ $0 == UInt8(ascii: "=") }),
            text.allSatisfy(isDigit),
            let data = Base64Form.beginning(of: text.prefix(64)), let beginning = decode(data, codes: 8)
        else { return false }
        return isBeginningOfJSON(beginning)
    }

    /// Whether a byte is a digit of Base64.
    private static func isDigit(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "+/".utf8.contains(byte) }

    /// Returns the characters of the first codes as UTF-16, or nil if one of the codes is invalid.
    private static func decode(_ data: [UInt8], codes: Int) -> [UInt16]? {
        var position = 0
        func read(_ count: Int) -> Int? {
            guard position + count <= data.count * 8 else { return nil }
            defer { position += count }
            return (0..<count).reduce(0) { value, bit in
                let index = position + bit
                return value | Int(data[index / 8] >> (7 - index % 8) & 1) << bit
            }
        }
        func readCharacter(_ code: Int) -> [UInt16]? {
            guard let unit = read(8 << code) else { return nil }
            return [UInt16(unit)]
        }
        guard let first = read(2), first < 2, let character = readCharacter(first) else { return nil }
        // The codes 0 to 2 are no text.
        var entries: [[UInt16]] = [[], [], [], character]
        var (output, last) = (character, character)
        var (width, room) = (3, 4)
        func use() {
            room -= 1
            if room == 0 { (width, room) = (width + 1, 1 << width) }
        }
        for _ in 1..<codes {
            guard var code = read(width) else { break }
            if code == 2 { break }
            if code < 2 {
                guard let character = readCharacter(code) else { break }
                code = entries.count
                entries.append(character)
                use()
            }
            guard code <= entries.count else { return nil }
            let entry = code < entries.count ? entries[code] : last + last.prefix(1)
            output += entry
            entries.append(last + entry.prefix(1))
            last = entry
            use()
        }
        return output
    }

    private static func isBeginningOfJSON(_ text: [UInt16]) -> Bool {
        guard text.count > 1, let first = UInt8(exactly: text[0]), let second = UInt8(exactly: text[1]) else {
            return false
        }
        let next =
            switch first {
            case UInt8(ascii: "{"): "\"} \t\r\n"
            case UInt8(ascii: "["): "\"{[]-0123456789ntf \t\r\n"
            default: ""
            }
        guard next.utf8.contains(second) else { return false }
        var (isInString, isEscaped) = (false, false)
        for unit in text {
            if isInString {
                guard unit >= 0x20, !(0x7F..<0xA0).contains(unit) else { return false }
            } else {
                guard let byte = UInt8(exactly: unit),
                    "{}[]:,\"+-.0123456789Etruefalsn \t\r\n".utf8.contains(byte)
                else { return false }
            }
            if unit == 0x22, !isEscaped { isInString.toggle() }
            isEscaped = isInString && unit == 0x5C && !isEscaped
        }
        return true
    }
}
