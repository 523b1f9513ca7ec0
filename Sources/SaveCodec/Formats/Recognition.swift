/// Which format a file is in is told by its content, never by its name:
///
///     62 70 6C 69 73 74 30 30 …            "bplist"                       binary
///     <?xml … <!DOCTYPE … <plist … <dict>   markup                         xml
///     {"a": 1}   [1, 2]   "text"   -1.5     JSON's own punctuation         json
///     {'a': 1}   {a: 1}                     meant as JSON                  json, which says what is wrong
///     {a = 1;}   (1, 2)   <0fbd>   a = b;   property-list punctuation      openStep
///     {a = <*I1>;}                          the same with typed values     gnustep
///     53 51 4C 69 74 65 20 66 …             "SQLite format 3\0"            sqlite
///
/// Texts are looked at in whatever Unicode encoding they are, and only as far as needed, except that typed values may
/// stand anywhere in an OpenStep text. Comments alone are no save. The contents of layers are judged in the same way.
/// Known formats that are not read, such as zip archives and pictures, are named.
extension Format {
    /// Detects the format of a file from its content.
    ///
    /// - Throws: a problem that names what the file is, if it is known and not read, or quotes its first bytes.
    public static func recognize(_ bytes: [UInt8]) throws(Problem) -> Format {
        do throws(Problem) {
            return try detected(in: bytes)
        } catch {
            throw error.diagnosed(in: bytes)
        }
    }

    /// Detects the format like ``recognize(_:)``, without a search for the cause of a failure: for callers that try many
    /// byte sequences.
    package static func detected(in bytes: [UInt8]) throws(Problem) -> Format {
        guard !bytes.isEmpty else { throw Problem("format.empty", "the file is empty; expected \(alternatives)") }
        if let foreign = ForeignFormat.recognize(bytes) {
            throw Problem("format.\(foreign.rawValue)", foreign.sentence)
        }
        var probe = TextProbe(bytes)
        let hasComment = probe.skipBlanks()
        guard probe.unit != nil else {
            throw hasComment
                ? Problem(.comments, "the file holds only comments; --from openstep reads them as an empty dictionary")
                : Problem("format.empty", "the file holds only white space; expected \(alternatives)")
        }
        let signature = FormatSignature(of: bytes, &probe, behindComment: hasComment)
        guard let format = allCases.first(where: { $0.definition.signature == signature }) else {
            throw Problem("format.unknown", "the first bytes are \(quoted(bytes)); expected \(alternatives)")
        }
        return format
    }

    /// All formats that are read, as a sentence has them: `a binary, XML, … property list, JSON, … or an SQLite database`.
    package static var alternatives: String {
        let noun = " property list"
        let lists = allCases.map(\.definition).filter { $0.title.hasSuffix(noun) }
        let others = allCases.map(\.definition).filter { !$0.title.hasSuffix(noun) }
        let kinds = Phrase.alternatives(lists.map { String($0.title.dropLast(noun.count)) })
        return Phrase.alternatives(["a \(kinds)\(noun)"] + others.map { $0.article + $0.title })
    }

    /// Whether there is nothing in a file but white space and, if they are allowed, comments.
    package static func isBlank(_ bytes: [UInt8], allowingComments: Bool) -> Bool {
        var probe = TextProbe(bytes)
        return (!probe.skipBlanks() || allowingComments) && probe.unit == nil
    }

    /// Whether a save may begin with some bytes, which may be the start of a comment.
    static func mayBegin(with bytes: [UInt8]) -> Bool {
        do throws(Problem) {
            _ = try detected(in: bytes)
            return true
        } catch {
            return error.kind == .comments
        }
    }

    /// The first bytes, as text if they are printable ASCII, else in hexadecimal.
    private static func quoted(_ bytes: [UInt8]) -> String {
        let text = bytes.prefix(16)
        guard !text.allSatisfy({ (0x20..<0x7F).contains($0) || (0x09...0x0D).contains($0) }) else {
            return "\"\(SafeText.escaping(String(decoding: text, as: UTF8.self)))\""
        }
        return bytes.prefix(8).map { Hexadecimal.text(UInt64($0)) }.joined(separator: " ")
    }
}

extension Problem.Kind {
    fileprivate static let comments = Problem.Kind("format.comments")
}

/// What the contents of a file give away.
package enum FormatSignature: Sendable {
    /// `bplist`, whatever the version, or the beginning of it and nothing more.
    case binaryHeader
    /// A tag, a declaration or a comment of XML.
    case markup
    /// The punctuation of JSON, or one of its scalars.
    case json
    /// The punctuation of OpenStep text, or a word.
    case propertyList
    /// The same with `<*…>` or `<[…]>` somewhere.
    case typedPropertyList
    /// The signature of a typedstream, whatever the version in front of it.
    case typedStream
    /// The name of SQLite's format.
    case database

    /// - Parameter probe: stands at the first token, in front of which there may have been a comment.
    fileprivate init?(of bytes: [UInt8], _ probe: inout TextProbe, behindComment: Bool) {
        let header = "bplist".utf8
        // Three letters of it are more than a word that somebody would save.
        if bytes.starts(with: header) || bytes.count > 2 && header.starts(with: bytes) {
            self = .binaryHeader
        } else if TypedStream.begins(bytes[...]) {
            self = .typedStream
        } else if SQLite.begins(bytes) {
            self = .database
        } else if let text = probe.signature(behindComment: behindComment) {
            self = text == .propertyList && TextProbe.hasTypedValues(bytes) ? .typedPropertyList : text
        } else {
            return nil
        }
    }
}

extension TextProbe {
    /// The signature that the first tokens are; nil if they have none. Blanks and comments have been skipped.
    fileprivate mutating func signature(behindComment: Bool) -> FormatSignature? {
        switch unit {
        case "<": return markupSignature()
        case "(": return .propertyList
        case "[": return .json
        case "{": return dictionarySignature(behindComment: behindComment)
        case "\"":
            let isOpenStep = skipString() || behindComment
            return signatureBehindKey() ?? (isOpenStep ? .propertyList : .json)
        case "'":
            skipString()
            return .propertyList
        default: return wordSignature()
        }
    }

    /// `<dict>` and `<?xml` are markup, `<0fbd>` and `<*I5>` are data and a typed value. No tag of a property list can be
    /// read as hexadecimal digits.
    private mutating func markupSignature() -> FormatSignature {
        advance()
        switch unit {
        case "?", "!", "/": return .markup
        case let first? where first.isLetter:
            let word = takeWord()
            return word.utf8.allSatisfy { HexDigit.value($0) != nil } ? .propertyList : .markup
        default: return .propertyList
        }
    }

    private mutating func dictionarySignature(behindComment: Bool) -> FormatSignature {
        advance()
        let hasComment = skipBlanks() || behindComment
        switch unit {
        case "\"":
            skipString()
            return signatureBehindKey() ?? .json
        case "'":
            skipString()
            return signatureBehindKey() ?? .propertyList
        case let first? where TextProbe.isWord(first):
            // Meant as JSON: in a property list `a:` is a word, too, and something has to follow that makes it a key.
            let isName = takeWord().utf8.contains(UInt8(ascii: ":"))
            return signatureBehindKey() ?? (isName && !hasComment ? .json : .propertyList)
        case "}":
            advance()
            return skipBlanks() || hasComment ? .propertyList : .json
        case nil, "{", "[", ":", ",": return .json
        default: return .propertyList
        }
    }

    /// A word alone is a number or a literal of JSON, or else a bare string; before `=` or `;` it is a key of a strings
    /// file.
    private mutating func wordSignature() -> FormatSignature? {
        guard let first = unit, TextProbe.isWord(first) else { return nil }
        let word = takeWord()
        if let signature = signatureBehindKey() { return signature == .propertyList ? .propertyList : nil }
        guard unit == nil else { return nil }
        let isNumber = first == "-" || ("0"..."9").contains(first)
        return isNumber || ["true", "false", "null"].contains(word) ? .json : .propertyList
    }

    /// The signature of the format whose key has just been passed; nil if that was no key.
    private mutating func signatureBehindKey() -> FormatSignature? {
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

/// A format that saves come in and that is not read: named, so that nobody looks for damage in a sound file.
private enum ForeignFormat: String {
    case bplist15, bplist16, bplist17
    case nibArchive = "nib-archive"
    case gnustepArchive = "gnustep-archive"
    case bookmark, gzip, bzip2, xz, zstd, zlib, zip, png
    case geometryDash = "geometry-dash"
    case dotNet = "dotnet"
    case machO = "mach-o"

    /// The format that the first bytes of a file belong to.
    static func recognize(_ bytes: [UInt8]) -> ForeignFormat? {
        switch bytes.first {
        case 0x62: first(of: [.bplist15, .bplist16, .bplist17, .bookmark], in: bytes)
        case _ where Zlib.isPresent(in: bytes[...]): .zlib
        default:
            first(
                of: [
                    .nibArchive, .gnustepArchive, .gzip, .bzip2, .xz, .zstd, .zip, .png, .geometryDash, .dotNet, .machO,
                ], in: bytes)
        }
    }

    private static func first(of formats: [ForeignFormat], in bytes: [UInt8]) -> ForeignFormat? {
        formats.first { format in format.signatures.contains { bytes.starts(with: $0) } }
    }

    private var signatures: [[UInt8]] {
        switch self {
        case .bplist15, .bplist16, .bplist17: [Array(rawValue.utf8)]
        case .nibArchive: [Array("NIBArchive".utf8)]
        case .gnustepArchive: [Array("GNUstep archive".utf8)]
        case .bookmark: [Array("book\0\0\0\0".utf8)]
        case .gzip: [[0x1F, 0x8B]]
        case .bzip2: (1...9).map { Array("BZh\($0)1AY&SY".utf8) }
        case .xz: [[0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]]
        case .zstd: [[0x28, 0xB5, 0x2F, 0xFD]]
        case .zlib: []
        case .zip: [[0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06]]
        case .png: [[0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]]
        // The Base64 of a gzip header, "H4sIAA", with every byte combined with 11.
        case .geometryDash: [Array("C?xBJJ".utf8)]
        case .dotNet: [[0x00, 0x01, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]]
        case .machO:
            [
                [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCE, 0xFA, 0xED, 0xFE], [0xCF, 0xFA, 0xED, 0xFE],
                [0xCA, 0xFE, 0xBA, 0xBE],
            ]
        }
    }

    /// What was found, and what to do about it, as a sentence.
    var sentence: String {
        switch self {
        case .bplist15, .bplist16, .bplist17:
            "\(rawValue): unsupported stream variant of the binary property list; expected bplist00"
        case .nibArchive: "this is an archive of interface objects (NIBArchive), not a property list"
        case .gnustepArchive:
            "this is an archive of GNUstep's NSArchiver; expected a keyed archive, or a typedstream of Apple's NSArchiver"
        case .bookmark: "this is a file bookmark, not a property list"
        case .gzip, .zlib: "this is compressed by \(rawValue); expected what is in it"
        case .bzip2, .xz, .zstd:
            "this is compressed by \(rawValue); decompress it first (--filter-in '\(rawValue) -dc')"
        case .zip: "this is a zip archive; unpack it first"
        case .png: "this is a PNG image, not a property list"
        case .geometryDash:
            "this is a save of Geometry Dash, an XML property list behind XOR 11, Base64 and gzip (--unwrap)"
        case .dotNet: "this is a stream of .NET objects, not a property list"
        case .machO: "this is a program, not a property list"
        }
    }
}
