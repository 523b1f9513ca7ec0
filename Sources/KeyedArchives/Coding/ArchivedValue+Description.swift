import SaveCodec

extension ArchivedValue: CustomStringConvertible {
    /// The value for people, on one line: a number, a date or a short text as it is, of all else what it is and how large:
    /// `Player, 4 fields`. Not for programs to read.
    public var description: String {
        let shown = shown
        if case .scalar(let node) = shown.form { return isNil ? "nil" : Self.text(node) }
        let kind = shown.form.kind
        let name = kind == .object ? Problem.cut(className ?? "") : kind.rawValue
        return name + ", " + Phrase.count(shown.contents.count, kind.contentNoun)
    }

    private static func text(_ node: Node) -> String {
        switch node {
        case .boolean(let value): return value ? "true" : "false"
        case .integer(let integer): return integer.value.description
        case .real32(let value): return value.description
        case .real64(let value): return value.description
        case .date(let seconds): return ScalarText.date(seconds) ?? "\(seconds) s since 2001-01-01T00:00:00Z"
        case .data(let bytes): return "data, " + Phrase.count(bytes.count, "byte")
        case .string(let text):
            let start = SafeText.escaping(text.prefix(longestText))
            return text.count > longestText ? "\"\(start)…\"" : "\"\(start)\""
        case .uid(let uid): return "UID \(uid.value)"
        case .null, .array, .set, .dictionary: return "null"
        }
    }

    private static let longestText = 200
}
