import SaveCodec

extension ArchivedValue: CustomStringConvertible {
    /// The value for people, on one line: a number, a date or a short text as it is, of all else what it is and how large:
    /// `Player, 4 fields`. Not for programs to read.
    public var description: String {
        let shown = shown
        let count = shown.contents.count
        switch shown.form {
        case .object: return Self.size(Problem.cut(className ?? ""), count, "field")
        case .dictionary: return Self.size("dictionary", count, "key")
        case .array: return Self.size("array", count, "element")
        case .set: return Self.size("set", count, "element")
        case .scalar(let node): return isNil ? "nil" : Self.text(node)
        }
    }

    private static func text(_ node: Node) -> String {
        switch node {
        case .boolean(let value): return value ? "true" : "false"
        case .integer(let integer): return integer.value.description
        case .real32(let value): return value.description
        case .real64(let value): return value.description
        case .date(let seconds): return ScalarText.date(seconds) ?? "\(seconds) s since 2001-01-01T00:00:00Z"
        case .data(let bytes): return size("data", bytes.count, "byte")
        case .string(let text):
            let start = SafeText.escaping(text.prefix(longestText))
            return text.count > longestText ? "\"\(start)…\"" : "\"\(start)\""
        case .uid(let uid): return "UID \(uid.value)"
        case .null, .array, .set, .dictionary: return "null"
        }
    }

    private static func size(_ name: String, _ count: Int, _ noun: String) -> String {
        "\(name), \(count) \(noun)\(count == 1 ? "" : "s")"
    }

    private static let longestText = 200
}
