/// The encoding that the XML declaration of a file names.
///
///     <?xml version="1.0" encoding="ISO-8859-1"?>
struct XMLDeclaration {
    /// The encoding of the file, unless it has a byte order mark for another one.
    let encoding: TextEncoding
    /// Whether the text is UTF-16 or UTF-32 without a byte order mark.
    private let isUnmarked: Bool

    /// Detects the encoding of a file that begins with `<` or a byte order mark.
    ///
    /// - Throws: A problem if the declared encoding is unknown or contradicts the bytes.
    init(of bytes: [UInt8]) throws(Problem) {
        guard TextEncoding.marked(in: bytes) == nil else {
            (encoding, isUnmarked) = (.utf8, false)
            return
        }
        if let wide = Self.unmarkedEncoding(bytes) {
            (encoding, isUnmarked) = (wide, true)
            return
        }
        isUnmarked = false
        guard let name = Self.encodingName(bytes) else {
            encoding = .utf8
            return
        }
        let location = SourceLocation.inText(bytes, at: name.lowerBound)
        if Self.isWide(bytes[name]) {
            throw Problem(
                "text.encoding-contradicted",
                "the text declares the encoding \"\(SafeText.quoting(bytes[name]))\", but has one byte per character",
                at: location)
        }
        guard let known = TextEncoding.named(bytes.span.extracting(name)) else {
            throw Problem(
                "text.encoding",
                "the text declares the encoding \"\(SafeText.quoting(bytes[name]))\"; expected UTF-8, UTF-16, UTF-32, ISO-8859-1, windows-1252 or US-ASCII",
                at: location)
        }
        encoding = known
    }

    /// Adds warnings about encodings that other readers reject.
    func warn(ifDoubtful bytes: [UInt8], _ text: [UInt8], _ warnings: inout XMLWarnings) {
        if isUnmarked { warnings.add(.unmarked, at: 0, in: text) }
        if encoding == .ascii, text.count > bytes.count { warnings.add(.encoding, at: 0, in: text) }
        guard let declaration = Self.declaration(of: text) else { return }
        if let offset = text[declaration].firstIndex(where: { $0 >= 0x80 }) {
            warnings.add(.declaration, at: offset, in: text)
        } else if !Self.isWellFormed(text[declaration]) {
            warnings.add(.malformedDeclaration, at: declaration.lowerBound, in: text)
        } else if TextEncoding.marked(in: bytes)?.encoding.isWide ?? false, let name = Self.encodingName(text),
            !Self.isWide(text[name])
        {
            warnings.add(.otherEncoding(SafeText.quoting(text[name])), at: name.lowerBound, in: text)
        }
    }

    static func isWellFormed(_ declaration: ArraySlice<UInt8>) -> Bool {
        let attributes = declaration.dropFirst("<?xml".utf8.count).dropLast("?>".utf8.count)
        guard let names = XMLCursor.attributeNames(attributes),
            let quote = attributes.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") })
        else { return false }
        return attributes[(quote + 1)...].starts(with: "1.".utf8)
            && ["version", "version encoding", "version standalone", "version encoding standalone"].contains(
                names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " "))
    }

    /// Whether a text declares an encoding other than UTF-16 and UTF-32.
    static func namesNarrowEncoding(_ text: [UInt8]) -> Bool {
        encodingName(text).map { !isWide(text[$0]) } ?? false
    }

    /// Returns the range of the XML declaration, or nil for a text without one.
    private static func declaration(of text: [UInt8]) -> Range<Int>? {
        var cursor = XMLCursor(text)
        return cursor.skip("<?xml") && cursor.skip(past: "?>") ? 0..<cursor.position : nil
    }

    /// Returns the encoding of a text in UTF-16 or UTF-32 without a byte order mark; nil for other text. UTF-16 is
    /// detected if the first character is `<`, and it and the next one have one zero byte each; UTF-32 if they have
    /// three.
    private static func unmarkedEncoding(_ bytes: [UInt8]) -> TextEncoding? {
        guard bytes.count >= 4 else { return nil }
        let isNextASCII = bytes.count >= 8 && bytes[4...7].count { $0 == 0 } == 3
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (UInt8(ascii: "<"), 0, 1..., 0): return .utf16(bigEndian: false)
        case (0, UInt8(ascii: "<"), 0, 1...): return .utf16(bigEndian: true)
        case (UInt8(ascii: "<"), 0, 0, 0) where isNextASCII: return .utf32(bigEndian: false)
        case (0, 0, 0, UInt8(ascii: "<")) where isNextASCII: return .utf32(bigEndian: true)
        default: return nil
        }
    }

    private static func encodingName(_ bytes: [UInt8]) -> Range<Int>? {
        guard let end = declaration(of: bytes)?.upperBound else { return nil }
        var cursor = XMLCursor(Array(bytes[..<end]))
        guard cursor.skip(past: "encoding") else { return nil }
        cursor.skipWhitespace()
        guard cursor.skip("=") else { return nil }
        cursor.skipWhitespace()
        return quoted(bytes, cursor.position..<end)
    }

    /// Returns the range between two quotes, without surrounding spaces.
    private static func quoted(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        guard let quote = bytes[range].first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let close = bytes[range].dropFirst().firstIndex(of: quote)
        else { return nil }
        var name = range.lowerBound + 1..<close
        while let first = name.first, bytes[first] == 0x20 { name = first + 1..<name.upperBound }
        while let last = name.last, bytes[last] == 0x20 { name = name.lowerBound..<last }
        return name
    }

    /// Whether the encoding of this name has two or four bytes per character, which contradicts this text.
    private static func isWide(_ name: ArraySlice<UInt8>) -> Bool {
        let lower = String(decoding: name.prefix(32).map { $0 | 0x20 }, as: UTF8.self)
        return ["utf-16", "utf-32", "utf16", "utf32", "ucs-", "iso-10646-ucs", "unicode"].contains {
            lower.hasPrefix($0) && lower != "unicode-1-1-utf-8"
        }
    }
}
