/// The kind of a value.
///
/// Reports, messages and help take the names of kinds from this enumeration.
package enum ValueKind: String, Sendable, CaseIterable {
    case string, integer, real, boolean, date, data, null
    case uid = "UID"
    case array, set, dictionary
    /// An archived object with a class and fields.
    case object

    /// The name with its indefinite article, if any: `an integer`, `a string`, `data`.
    package var withArticle: String { Phrase.withArticle(rawValue) }

    /// The noun for a slot of a container: `element`, `key` or `field`.
    package var contentNoun: String {
        switch self {
        case .dictionary: "key"
        case .object: "field"
        default: "element"
        }
    }
}

extension Node {
    /// The kind of the value, which is never `object` in a document.
    package var kind: ValueKind {
        switch self {
        case .null: .null
        case .boolean: .boolean
        case .integer: .integer
        case .real32, .real64: .real
        case .date: .date
        case .data: .data
        case .string: .string
        case .uid: .uid
        case .array: .array
        case .set: .set
        case .dictionary: .dictionary
        }
    }

    /// The name of the stored type, which is the name of the kind except for `real32`.
    package var typeName: String {
        if case .real32 = self { "real32" } else { kind.rawValue }
    }
}
