/// The kind of a value. This is the table of the names of kinds, from which reports, messages and help take them.
package enum ValueKind: String, Sendable, CaseIterable {
    case string, integer, real, boolean, date, data, null
    case uid = "UID"
    case array, set, dictionary
    /// A value of an archive that has a class and fields.
    case object

    /// The name after its article: `an integer`, `a string`, `data`.
    package var withArticle: String { Phrase.withArticle(rawValue) }

    /// The noun for the contents of a container: `element`, `key`, `field`.
    package var contentNoun: String {
        switch self {
        case .dictionary: "key"
        case .object: "field"
        default: "element"
        }
    }
}

extension Node {
    /// The kind of the value; a document has no objects.
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

    /// The name of the stored type: that of the kind, except for `real32`.
    package var typeName: String {
        if case .real32 = self { "real32" } else { kind.rawValue }
    }
}
