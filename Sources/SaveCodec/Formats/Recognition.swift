/// Which format a file is in is told by its content, never by its name:
///
///     62 70 6C 69 73 74 30 30 …            "bplist"                       binary
///     <?xml … <!DOCTYPE … <plist … <dict>   markup                         xml
///     {"a": 1}   [1, 2]   "text"   -1.5     JSON's own punctuation         json
///     {a = 1;}   (1, 2)   <0fbd>   a = b;   property-list punctuation      openStep
///     {a = <*I1>;}                          the same with typed values     gnustep
///
/// Texts are looked at in whatever Unicode encoding they are, and only as far as needed, except that typed values may
/// stand anywhere in an OpenStep text. What is known and not read (an archive of the zip kind, a database) is named.
extension Format {
    /// The format of a file, told by its content.
    ///
    /// - Throws: a problem that names what the file is, if it is known and not read, or quotes its first bytes.
    public static func recognize(_ bytes: [UInt8]) throws(Problem) -> Format {
        let expected = "expected a binary, XML, JSON or OpenStep property list"
        guard !bytes.isEmpty else { throw Problem("format.empty", "there are no bytes; \(expected)") }
        if let foreign = ForeignFormat.recognize(bytes) {
            throw Problem("format.\(foreign.rawValue)", foreign.sentence)
        }
        var probe = TextProbe(bytes)
        let hasComment = probe.skipBlanks()
        guard probe.unit != nil || hasComment else {
            throw Problem("format.empty", "there is nothing but white space; \(expected)")
        }
        let signature = FormatSignature(of: bytes, &probe, behindComment: hasComment)
        guard let format = allCases.first(where: { $0.definition.signature == signature }) else {
            throw Problem("format.unknown", "the first bytes are \(quoted(bytes)); \(expected)")
        }
        return format
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

/// What the contents of a file give away.
package enum FormatSignature: Sendable {
    /// `bplist`, whatever the version.
    case binaryHeader
    /// A tag, a declaration or a comment of XML.
    case markup
    /// The punctuation of JSON, or one of its scalars.
    case json
    /// The punctuation of OpenStep text, or a word.
    case propertyList
    /// The same with `<*…>` or `<[…]>` somewhere.
    case typedPropertyList

    /// - Parameter probe: stands at the first token, in front of which there may have been a comment.
    fileprivate init?(of bytes: [UInt8], _ probe: inout TextProbe, behindComment: Bool) {
        if bytes.starts(with: "bplist".utf8) {
            self = .binaryHeader
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
        case nil: return .propertyList
        case "<": return markupSignature()
        case "(": return .propertyList
        case "[": return .json
        case "{": return dictionarySignature(behindComment: behindComment)
        case "\"":
            skipString()
            return signatureBehindKey() ?? (behindComment ? .propertyList : .json)
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
        case "}": return hasComment ? .propertyList : .json
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
