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
        guard !bytes.isEmpty else { throw .emptyInput() }
        if let foreign = ForeignFormat.recognize(bytes) { throw .foreignFormat(foreign) }
        if bytes.starts(with: "bplist".utf8) { return .binary }
        var probe = TextProbe(bytes)
        let hasComment = probe.skipBlanks()
        guard probe.unit != nil || hasComment else { throw .blankInput() }
        guard let format = probe.format(behindComment: hasComment) else { throw .unknownFormat(bytes) }
        return format == .openStep && TextProbe.hasTypedValues(bytes) ? .gnustep : format
    }
}

extension TextProbe {
    /// The format that the first tokens belong to; nil if they belong to none. Blanks and comments have been skipped.
    fileprivate mutating func format(behindComment: Bool) -> Format? {
        switch unit {
        case nil: return .openStep
        case "<": return markupFormat()
        case "(": return .openStep
        case "[": return .json
        case "{": return dictionaryFormat(behindComment: behindComment)
        case "\"":
            skipString()
            return formatBehindKey() ?? (behindComment ? .openStep : .json)
        case "'":
            skipString()
            return .openStep
        default: return wordFormat()
        }
    }

    /// `<dict>` and `<?xml` are markup, `<0fbd>` and `<*I5>` are data and a typed value. No tag of a property list can be
    /// read as hexadecimal digits.
    private mutating func markupFormat() -> Format {
        advance()
        switch unit {
        case "?", "!", "/": return .xml
        case let first? where first.isLetter:
            let word = takeWord()
            return word.utf8.allSatisfy(\.isHexDigit) ? .openStep : .xml
        default: return .openStep
        }
    }

    private mutating func dictionaryFormat(behindComment: Bool) -> Format {
        advance()
        let hasComment = skipBlanks() || behindComment
        switch unit {
        case "\"":
            skipString()
            return formatBehindKey() ?? .json
        case "}": return hasComment ? .openStep : .json
        case nil, "{", "[", ":", ",": return .json
        default: return .openStep
        }
    }

    /// A word alone is a number or a literal of JSON, or else a bare string; before `=` or `;` it is a key of a strings
    /// file.
    private mutating func wordFormat() -> Format? {
        guard let first = unit, TextProbe.isWord(first) else { return nil }
        let word = takeWord()
        if let format = formatBehindKey() { return format == .openStep ? .openStep : nil }
        guard unit == nil else { return nil }
        let isNumber = first == "-" || ("0"..."9").contains(first)
        return isNumber || ["true", "false", "null"].contains(word) ? .json : .openStep
    }

    /// The format whose key has just been passed; nil if that was no key.
    private mutating func formatBehindKey() -> Format? {
        _ = skipBlanks()
        switch unit {
        case ":": return .json
        case "=", ";": return .openStep
        default: return nil
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
    }
}
