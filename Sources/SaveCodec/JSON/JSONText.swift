/// A JSON text as valid UTF-8, and looks ahead in it that read nothing.
struct JSONText {
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The text of a file: UTF-8 (RFC 8259 §8.1), with a byte order mark ignored.
    ///
    /// - Throws: a problem if it is UTF-16 or UTF-32, or holds a byte that is not UTF-8.
    init(decoding file: [UInt8]) throws(Problem) {
        if let name = Self.wideEncoding(of: file) { throw .jsonEncoding(name) }
        bytes = file.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(file[3...]) : file
        if let offset = UTF8Text.firstInvalid(in: bytes) {
            throw .jsonByte(bytes[offset], at: place(offset))
        }
    }

    /// The name of the encoding that the first bytes tell, by a byte order mark or by the zeros beside an ASCII
    /// character, if it is not UTF-8.
    private static func wideEncoding(of file: [UInt8]) -> String? {
        func starts(_ pattern: [UInt8]) -> Bool { file.starts(with: pattern) }
        func isASCII(_ offset: Int) -> Bool { file[offset] != 0 && file[offset] < 0x80 }
        if starts([0xFF, 0xFE, 0, 0]) || starts([0, 0, 0xFE, 0xFF]) { return "UTF-32" }
        if starts([0xFF, 0xFE]) || starts([0xFE, 0xFF]) { return "UTF-16" }
        guard file.count.isMultiple(of: 2), file.count >= 2 else { return nil }
        if starts([0, 0, 0]) || (isASCII(0) && file[1...].starts(with: [0, 0, 0])) { return "UTF-32" }
        if (file[0] == 0 && isASCII(1)) || (isASCII(0) && file[1] == 0) { return "UTF-16" }
        return nil
    }

    /// The byte at an offset; behind the end, zero, which no JSON text holds.
    @inline(__always)
    subscript(offset: Int) -> UInt8 {
        offset < bytes.count ? bytes[offset] : 0
    }

    /// The line and column of the byte at an offset.
    func place(_ offset: Int) -> Place {
        .inText(bytes, at: offset)
    }

    /// The offset of the first byte from `offset` on that is no white space.
    @inline(__always)
    func skippingWhiteSpace(from offset: Int) -> Int {
        var offset = offset
        while true {
            switch self[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return offset
            }
        }
    }

    /// The offset of the first byte from `offset` on that cannot stand for itself in a string: a quotation mark, a
    /// backslash, a control character, or the end.
    @inline(__always)
    func endOfRun(from offset: Int) -> Int {
        let text = bytes.span
        var offset = offset
        while offset < text.count {
            let byte = text[offset]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            offset += 1
        }
        return offset
    }

    /// The offset of the quotation mark that ends the string whose contents start at `offset`; nil if there is none.
    func endOfString(from offset: Int) -> Int? {
        var offset = endOfRun(from: offset)
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            offset = endOfRun(from: offset + (bytes[offset] == UInt8(ascii: "\\") ? 2 : 1))
        }
        return offset < bytes.count ? offset : nil
    }

    /// The offset behind the string, number or word that starts at `offset`; nil if something else does.
    func endOfScalar(at offset: Int) -> Int? {
        if self[offset] == UInt8(ascii: "\"") { return endOfString(from: offset + 1).map { $0 + 1 } }
        var end = offset
        while Self.isWord(self[end]) { end += 1 }
        return end > offset ? end : nil
    }

    /// Whether a byte can be part of a number or word.
    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// The tag that names the first member of the object whose brace stands at `offset`, and where the member's value
    /// starts; nil if its name is no tag.
    @inline(__always)
    func tag(ofObjectAt offset: Int) -> (tag: JSONTag, value: Int)? {
        let quote = skippingWhiteSpace(from: offset + 1)
        guard self[quote] == UInt8(ascii: "\"") else { return nil }
        guard self[quote + 1] == UInt8(ascii: "$") || self[quote + 1] == UInt8(ascii: "\\") else { return nil }
        return tag(named: quote + 1)
    }

    /// The tag whose name starts at `start`, and where the value behind it starts.
    private func tag(named start: Int) -> (tag: JSONTag, value: Int)? {
        guard let (tag, end) = plainTag(start) ?? escapedTag(start) else { return nil }
        let colon = skippingWhiteSpace(from: end + 1)
        guard self[colon] == UInt8(ascii: ":") else { return nil }
        return (tag, skippingWhiteSpace(from: colon + 1))
    }

    private func plainTag(_ start: Int) -> (tag: JSONTag, end: Int)? {
        var name: UInt64 = 0
        var end = start
        while end - start < 8, self[end] != UInt8(ascii: "\"") {
            name = name << 8 | UInt64(self[end])
            end += 1
        }
        return JSONTag(packed: name).map { ($0, end) }
    }

    /// A name of seven characters takes at most 42 bytes, all of them escaped.
    private func escapedTag(_ start: Int) -> (tag: JSONTag, end: Int)? {
        guard let end = endOfString(from: start), end - start <= 42 else { return nil }
        guard let units = try? unescaped(start..<end) else { return nil }
        return JSONTag(units).map { ($0, end) }
    }
}
