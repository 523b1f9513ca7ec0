/// Format detection, by content and never by file name:
///
///     62 70 6C 69 73 74 30 30 …            "bplist"                       binary
///     <?xml … <!DOCTYPE … <plist … <dict>   markup                         xml
///     {"a": 1}   [1, 2]   "text"   -1.5     JSON's own punctuation         json
///     {'a': 1}   {a: 1}                     intended as JSON               json, whose reader reports the error
///     {a = 1;}   (1, 2)   <0fbd>   a = b;   property-list punctuation      openStep
///     {a = <*I1>;}                          the same with typed values     gnustep
///     {a = c++;}                            the same, read only by GNUstep gnustep
///     53 51 4C 69 74 65 20 66 …             "SQLite format 3\0"            sqlite
///
/// Text may be in any Unicode encoding. Only its beginning is examined, except that typed values, and words that only
/// GNUstep reads, can be anywhere in an OpenStep text. A file that contains only comments is not a save. The contents
/// of layers are detected in the same way. Known formats without a reader, such as zip archives and images, are named
/// in the error.
extension Format {
    /// Detects the format of a file from its content.
    ///
    /// - Throws: A problem that names the format if it is known but has no reader. Otherwise the problem names the
    ///   cause, such as an empty file, or quotes the first bytes.
    public static func recognize(_ bytes: [UInt8]) throws(Problem) -> Format {
        try recognize(bytes, limits: Limits())
    }

    /// Detects the format like ``recognize(_:)``.
    ///
    /// - Parameter limits: The limits for the search for the reason if the format is unknown.
    package static func recognize(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Format {
        let recognition = Recognition(of: bytes)
        if case .format(let format) = recognition { return format }
        if case .gnustepWords = recognition { return OpenStep.isReadOnlyByGNUstep(bytes) ? .gnustep : .openStep }
        throw recognition.problem(in: bytes).diagnosed(in: bytes, limits)
    }

    /// Detects the format like ``recognize(_:)``, without diagnosing failures, for callers that try many byte
    /// sequences. A text with words that only GNUstep reads, such as `c++`, counts as OpenStep.
    ///
    /// - Returns: The format, or nil if it is unknown.
    package static func detected(in bytes: [UInt8]) -> Format? {
        switch Recognition(of: bytes) {
        case .format(let format): format
        case .gnustepWords: .openStep
        case .foreign, .other, .empty, .blank, .comments, .unknown: nil
        }
    }

    /// Returns the error that names a known format without a reader; nil for other bytes.
    static func unsupported(in bytes: [UInt8]) -> Problem? {
        let recognition = Recognition(of: bytes)
        switch recognition {
        case .foreign, .other: return recognition.problem(in: bytes)
        default: return nil
        }
    }

    /// All readable formats in one phrase: `a binary, XML, … property list, JSON, … or an SQLite database`.
    static var alternatives: String {
        let noun = " property list"
        let lists = allCases.map(\.definition).filter { $0.title.hasSuffix(noun) }
        let others = allCases.map(\.definition).filter { !$0.title.hasSuffix(noun) }
        let kinds = Phrase.alternatives(lists.map { String($0.title.dropLast(noun.count)) })
        return Phrase.alternatives(["a \(kinds)\(noun)"] + others.map { $0.article + $0.title })
    }

    /// Whether a file contains only white space or, with `allowingComments`, only white space and comments.
    package static func isBlank(_ bytes: [UInt8], allowingComments: Bool) -> Bool {
        var probe = TextFormatScanner(bytes)
        return (!probe.skipBlanks() || allowingComments) && probe.unit == nil
    }

    /// Whether a text is a dictionary without pairs, perhaps with comments. It is JSON and OpenStep text.
    package static func isEmptyDictionary(_ bytes: [UInt8]) -> Bool {
        var probe = TextFormatScanner(bytes)
        for bracket in ["{", "}"] as [Unicode.Scalar] {
            _ = probe.skipBlanks()
            guard probe.unit == bracket else { return false }
            probe.advance()
        }
        _ = probe.skipBlanks()
        return probe.unit == nil
    }

    /// Whether a text looks like JSON only because of what follows its first string or word, as `"a" : "b";` does, which
    /// is a mistake in a strings file.
    package static func mayBeStrings(_ bytes: [UInt8]) -> Bool {
        guard detected(in: bytes) == .json else { return false }
        var probe = TextFormatScanner(bytes)
        _ = probe.skipBlanks()
        return probe.unit != "{" && probe.unit != "["
    }

    /// Whether a save may begin with these bytes, which may be the start of a comment.
    static func mayBegin(with bytes: [UInt8]) -> Bool {
        switch Recognition(of: bytes) {
        case .format, .gnustepWords, .comments: true
        case .foreign, .other, .empty, .blank, .unknown: false
        }
    }

    /// Returns the first bytes, as text if they are printable ASCII and in hexadecimal otherwise.
    fileprivate static func quoted(_ bytes: [UInt8]) -> String {
        let text = bytes.prefix(16)
        guard !text.allSatisfy({ (0x20..<0x7F).contains($0) || (0x09...0x0D).contains($0) }) else {
            return "\"\(SafeText.escaping(String(decoding: text, as: UTF8.self)))\""
        }
        return bytes.prefix(8).map { Hexadecimal.text(UInt64($0)) }.joined(separator: " ")
    }
}

/// The format of a file, or the reason why it was not recognized.
private enum Recognition {
    case format(Format)
    /// An OpenStep text in which unquoted strings have characters that only GNUstep accepts there.
    case gnustepWords
    case foreign(UnsupportedFormat)
    /// A file of another kind, with its name and article.
    case other(String)
    /// No bytes, only white space, or only comments.
    case empty, blank, comments
    case unknown

    init(of bytes: [UInt8]) {
        guard !bytes.isEmpty else {
            self = .empty
            return
        }
        if let foreign = UnsupportedFormat(of: bytes) {
            self = .foreign(foreign)
            return
        }
        var probe = TextFormatScanner(bytes)
        let hasComment = probe.skipBlanks()
        guard probe.unit != nil else {
            self = hasComment ? .comments : .blank
            return
        }
        let signature = FormatSignature(of: bytes, &probe, afterComment: hasComment)
        if signature == .gnustepWords {
            self = .gnustepWords
            return
        }
        self =
            Format.allCases.first { $0.definition.signature == signature }.map { .format($0) }
            ?? ForeignHeader.otherFile(bytes).map { .other($0) } ?? .unknown
    }

    func problem(in bytes: [UInt8]) -> Problem {
        switch self {
        case .foreign(let format): Problem("format.\(format.rawValue)", format.sentence)
        case .other(let kind): Problem("format.other", "this is \(kind), not a property list")
        case .empty: Problem("format.empty", "the file is empty; expected \(Format.alternatives)")
        case .blank: Problem("format.empty", "the file contains only white space; expected \(Format.alternatives)")
        case .comments:
            Problem(
                "format.comments",
                "the file contains only comments; use --from openstep to read it as an empty dictionary")
        case .format, .gnustepWords, .unknown:
            Problem("format.unknown", "the first bytes are \(Format.quoted(bytes)); expected \(Format.alternatives)")
        }
    }
}

/// The characteristic content of a format's files.
package enum FormatSignature: Sendable {
    /// `bplist` with any version, or a file that contains only the first letters of that word.
    case binaryHeader
    /// A tag, a declaration or a comment of XML.
    case markup
    /// The punctuation of JSON, or one of its scalars.
    case json
    /// The punctuation of OpenStep text, or a word.
    case propertyList
    /// OpenStep text that contains `<*…>` or `<[…]>`.
    case typedPropertyList
    /// OpenStep text with unquoted strings that only GNUstep accepts.
    case gnustepWords
    /// The signature of a typedstream, after any version number.
    case typedStream
    /// The name of SQLite's format at the start of a database.
    case database

    /// Creates the signature of a file, or returns nil if it has none.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - probe: A scanner at the first token.
    ///   - afterComment: Whether a comment precedes the first token.
    fileprivate init?(of bytes: [UInt8], _ probe: inout TextFormatScanner, afterComment: Bool) {
        // Three or more letters of the header are unlikely to be a word that was saved as text.
        if BinaryPlist.begins(bytes[...]) || bytes.count > 2 && BinaryPlist.header.starts(with: bytes) {
            self = .binaryHeader
        } else if TypedStream.begins(bytes[...]) {
            self = .typedStream
        } else if SQLite.begins(bytes) {
            self = .database
        } else if let text = probe.signature(afterComment: afterComment) {
            self = text
            guard text == .propertyList, let sign = TextFormatScanner.gnustepSign(of: bytes) else { return }
            self = sign == .typedValue ? .typedPropertyList : .gnustepWords
        } else {
            return nil
        }
    }
}

extension TextFormatScanner {
    /// Returns the signature of the first tokens, or nil if they have none. Blanks and comments have been skipped.
    fileprivate mutating func signature(afterComment: Bool) -> FormatSignature? {
        switch unit {
        case "<": return markupSignature()
        case "(": return .propertyList
        case "[": return .json
        case "{": return dictionarySignature(afterComment: afterComment)
        case "\"":
            let isOpenStep = skipString() || afterComment
            return signatureAfterKey() ?? (isOpenStep ? .propertyList : .json)
        case "'":
            skipString()
            return .propertyList
        default: return wordSignature()
        }
    }

    /// Returns the signature after `<`: `<dict>` and `<?xml` are markup, `<0fbd>` is data, and `<*I5>` is a typed
    /// value.
    ///
    /// The only tags that could also be data are the short ones `<a>`, `<d>` and `<f>`, which look like one hexadecimal
    /// digit. They count as markup if another tag follows.
    private mutating func markupSignature() -> FormatSignature {
        advance()
        switch unit {
        case "?", "!", "/": return .markup
        case let first? where first.isLetter:
            let word = takeWord()
            guard word.utf8.allSatisfy({ HexDigit.value($0) != nil }) else { return .markup }
            guard word.utf8.count == 1, unit == ">" else { return .propertyList }
            advance()
            _ = skipBlanks()
            return unit == "<" ? .markup : .propertyList
        default: return .propertyList
        }
    }

    private mutating func dictionarySignature(afterComment: Bool) -> FormatSignature {
        advance()
        let hasComment = skipBlanks() || afterComment
        switch unit {
        case "\"":
            skipString()
            return signatureAfterKey() ?? .json
        case "'":
            skipString()
            return signatureAfterKey() ?? .propertyList
        case let first? where TextFormatScanner.isWord(first):
            // `{a: 1}` is intended as JSON. In a property list, `a:` is also a word, but not a key unless `=` or `;`
            // follows.
            let isName = skipWord { $0 == ":" }
            return signatureAfterKey() ?? (isName && !hasComment ? .json : .propertyList)
        case "}":
            advance()
            return skipBlanks() || hasComment ? .propertyList : .json
        case nil, "{", "[", ":", ",": return .json
        default: return .propertyList
        }
    }

    /// Returns the signature of a word: a number or literal of JSON, a key of a strings file (before `=` or `;`), or
    /// else a bare string.
    private mutating func wordSignature() -> FormatSignature? {
        guard let first = unit, TextFormatScanner.isWord(first) else { return nil }
        let word = takeWord()
        if let signature = signatureAfterKey() { return signature == .propertyList ? .propertyList : nil }
        guard unit == nil else { return nil }
        let isNumber = first == "-" || ("0"..."9").contains(first)
        return isNumber || ["true", "false", "null"].contains(word) ? .json : .propertyList
    }

    /// Returns the signature of the format whose key was just skipped, or nil if it was not a key.
    private mutating func signatureAfterKey() -> FormatSignature? {
        _ = skipBlanks()
        switch unit {
        case ":": return .json
        case "=", ";": return .propertyList
        default: return nil
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}

/// A known format without a reader. The error names it, so that users do not look for damage in an intact file.
private enum UnsupportedFormat: String {
    case bplist15, bplist16, bplist17
    case nibArchive = "nib-archive"
    case gnustepArchive = "gnustep-archive"
    case bookmark, gzip, bzip2, xz, zstd, zlib, zip, png
    case geometryDash = "geometry-dash"
    case dotNet = "dotnet"
    case machO = "mach-o"
    case cms
    case appleDouble = "apple-double"
    case sqliteLog = "sqlite-wal"
    case sqliteJournal = "sqlite-journal"
    case rtf

    /// Creates the format whose signature the bytes begin with, or returns nil.
    init?(of bytes: [UInt8]) {
        if Zlib.isPresent(in: bytes[...]) {
            self = .zlib
            return
        }
        // A sequence with a length of up to five bytes and the identifier of signed data (RFC 5652).
        if bytes.first == 0x30, (2...6).contains(where: { bytes.dropFirst($0).starts(with: Self.signedData) }) {
            self = .cms
            return
        }
        let row = Self.signatures.first { $0.bytes[0] == bytes.first && bytes.starts(with: $0.bytes) }
        guard let row else { return nil }
        self = row.format
    }

    private static let signedData: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
    ]

    private static let signatures: [(format: UnsupportedFormat, bytes: [UInt8])] =
        [
            (.bplist15, "bplist15"), (.bplist16, "bplist16"), (.bplist17, "bplist17"), (.bookmark, "book\0\0\0\0"),
            (.nibArchive, "NIBArchive"), (.gnustepArchive, "GNUstep archive"),
            // The Base64 of a gzip header, "H4sIAA", with each byte XORed with 11.
            (.geometryDash, "C?xBJJ"), (.rtf, "{\\rtf"),
        ].map { ($0, Array($1.utf8)) }
        + (1...9).map { (.bzip2, Array("BZh\($0)1AY&SY".utf8)) }
        + [
            (.gzip, [0x1F, 0x8B]),
            (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
            (.zstd, [0x28, 0xB5, 0x2F, 0xFD]),
            (.zip, [0x50, 0x4B, 0x03, 0x04]), (.zip, [0x50, 0x4B, 0x05, 0x06]),
            (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]),
            (.dotNet, [0x00, 0x01, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
            (.machO, [0xFE, 0xED, 0xFA, 0xCE]), (.machO, [0xFE, 0xED, 0xFA, 0xCF]), (.machO, [0xCE, 0xFA, 0xED, 0xFE]),
            (.machO, [0xCF, 0xFA, 0xED, 0xFE]), (.machO, [0xCA, 0xFE, 0xBA, 0xBE]),
            (.appleDouble, [0x00, 0x05, 0x16, 0x07, 0x00, 0x02, 0x00, 0x00]),
            (.sqliteLog, [0x37, 0x7F, 0x06, 0x82, 0x00, 0x2D, 0xE2, 0x18]),
            (.sqliteLog, [0x37, 0x7F, 0x06, 0x83, 0x00, 0x2D, 0xE2, 0x18]),
            (.sqliteJournal, [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]),
        ]

    /// A sentence that names the format and suggests what to do.
    var sentence: String {
        switch self {
        case .bplist15, .bplist16, .bplist17:
            "\(rawValue): unsupported stream variant of the binary property list; expected bplist00"
        case .nibArchive: "this is an archive of interface objects (NIBArchive), not a property list"
        case .gnustepArchive:
            "this is an archive of GNUstep's NSArchiver; expected a keyed archive, or a typedstream of Apple's NSArchiver"
        case .bookmark: "this is a file bookmark, not a property list"
        case .gzip, .zlib: "this is compressed with \(rawValue); expected the decompressed data"
        case .bzip2, .xz, .zstd:
            "this is compressed with \(rawValue); decompress it first (--filter-in '\(rawValue) -dc')"
        case .zip: "this is a zip archive; unpack it first"
        case .png: "this is a PNG image, not a property list"
        case .geometryDash:
            "this is a Geometry Dash save, an XML property list inside XOR 11, Base64 and gzip; use --unwrap to read it"
        case .dotNet: "this is a stream of .NET objects, not a property list"
        case .machO: "this is a program, not a property list"
        case .cms:
            "this is a signed message (CMS), such as a provisioning profile; to read the property list in it use "
                + "--filter-in 'openssl smime -inform der -verify -noverify'"
        case .appleDouble:
            "this is an AppleDouble file, which macOS stores beside a file for its attributes; use the file without ._ before its name"
        case .sqliteLog:
            "this is the write-ahead log of an SQLite database; use the database, whose name lacks -wal, and keep the log beside it"
        case .sqliteJournal:
            "this is the rollback journal of an SQLite database; use the database, whose name lacks -journal, and keep the journal beside it"
        case .rtf: "this is formatted text (RTF), as some text editors write it; convert it to plain text first"
        }
    }
}
