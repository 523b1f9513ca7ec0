import KeyedArchives
import SaveCodec

extension Draft {
    /// Returns a short description of a value: a scalar itself, or the kind and size of a container.
    package mutating func brief(_ id: ID) -> String {
        let value = value(id)
        switch value.variant {
        case .scalar(let node): return Self.brief(node)
        case .array, .set, .dictionary:
            let kind = value.variant.kind
            return "\(kind.withArticle) of \(Phrase.count(value.count, kind.contentNoun))"
        case .object:
            let name = classOf(id)?.shownName ?? ""
            return "an object of class \(name) with \(Phrase.count(value.count, "field"))"
        }
    }

    /// Returns a short description of a value. If the description of `other` is the same, adds a note that the values
    /// differ.
    mutating func brief(_ id: ID, besides other: ID) -> String {
        let (text, found) = (brief(id), brief(other))
        return text == found ? text + " with other contents" : text
    }

    private static func brief(_ node: Node) -> String {
        switch node {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let integer): "\(integer.value)"
        case .real32(let value): ScalarText.real(value)
        case .real64(let value): ScalarText.real(value)
        case .string(let text): "\"\(SafeText.escaping(text.prefix(40)))\(text.count > 40 ? "…" : "")\""
        case .date(let seconds): ScalarText.date(seconds).map { "the date \($0)" } ?? "a date"
        case .data(let bytes): "data of \(Phrase.count(bytes.count, "byte"))"
        case .uid(let uid): "UID \(uid.value)"
        case .array, .set, .dictionary: "a container"
        }
    }
}
