import KeyedArchives
import SaveCodec

/// The type of a value with an article, for messages that compare two values.
enum TypePhrase {
    /// Returns a phrase such as `an integer`, `a 32-bit real` or, for a container, `an array`.
    static func of(_ node: Node) -> String {
        if case .real32 = node { "a 32-bit real" } else { node.kind.withArticle }
    }

    /// The classes of collections that phrases omit.
    static let omittedClasses = ["NSArray", "NSDictionary", "NSSet"]

    /// Returns a phrase that includes the class of a container, unless it is a usual one.
    static func of(_ variant: ViewValue.Variant, _ className: (some RandomAccessCollection<UInt16>)?) -> String {
        let kind = if case .scalar(let node) = variant { of(node) } else { variant.kind.withArticle }
        guard let className, !omittedClasses.contains(where: { className.elementsEqual($0.utf16) }) else { return kind }
        return kind + " of class " + ArchiveClass.shown(className)
    }

    static func of(_ id: ViewID, in view: ObjectView) -> String {
        let value = view[id]
        return of(value.variant, value.classPosition.flatMap { view.archive?.classes[$0].name })
    }
}

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
        case .string(let text): Phrase.quoted(text)
        case .date(let seconds): ScalarText.date(seconds).map { "the date \($0)" } ?? "a date"
        case .data(let bytes): "data of \(Phrase.count(bytes.count, "byte"))"
        case .uid(let uid): "UID \(uid.value)"
        case .array, .set, .dictionary: "a container"
        }
    }
}
