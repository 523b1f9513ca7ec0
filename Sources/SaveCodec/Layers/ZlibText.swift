/// zlib data stored as text, with each byte as a character in UTF-8. RPG Maker MZ stores JSON in this way:
///
///     78 01 1D D2 …     ─▶ x U+0001 U+001D U+00D2 …     ─▶ 78 01 1D C3 92 …
///
/// The same bytes result if zlib data is damaged by a conversion from Latin-1. Therefore only JSON with the header that
/// RPG Maker writes counts as text.
enum ZlibText {
    /// The number of bytes at the beginning that decide whether zlib data is text.
    private static let sampleLength = 1024
    /// The number of characters above U+007F before other bytes that show text.
    private static let minWideCount = 4

    static func isPresent(in bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: [0x78, 0x01]) else { return false }
        let sample = bytes.prefix(sampleLength)
        let (data, end) = decode(sample)
        // The last character of the sample may be incomplete. In damaged text, few of the characters are chance.
        let wideCount = end - data.count
        guard wideCount > 0, end + 1 >= sample.count || wideCount >= minWideCount else { return false }
        return Inflate.beginning(of: data.span, at: 2, 1).first.map("{[".utf8.contains) ?? false
    }

    /// Returns the bytes whose characters a text begins with, and the offset of the first other character, or the end.
    static func decode(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], end: Int) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var position = text.startIndex
        while position < text.endIndex {
            let first = text[position]
            if first < 0x80 {
                bytes.append(first)
                position += 1
            } else if first & 0xFE == 0xC2, position + 1 < text.endIndex, text[position + 1] & 0xC0 == 0x80 {
                bytes.append(first << 6 | text[position + 1] & 0x3F)
                position += 2
            } else {
                break
            }
        }
        return (bytes, position)
    }

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 2)
        for byte in bytes {
            if byte < 0x80 { text.append(byte) } else { text += [0xC0 | byte >> 6, 0x80 | byte & 0x3F] }
        }
        return text
    }

    /// Returns a problem of zlib data with its location in the text.
    static func located(_ problem: Problem, in text: [UInt8]) -> Problem {
        guard case .byte(let offset)? = problem.location else { return problem }
        var problem = problem
        var (position, count) = (0, 0)
        while position < text.count, count < offset {
            position += text[position] < 0x80 ? 1 : 2
            count += 1
        }
        problem.location = .byte(position)
        return problem
    }
}
