package import JSONSchema
import KeyedArchives
import SaveCodec

/// What a value must be to be found. All that is said holds together; a query that says nothing finds everything.
package struct ValueQuery: Sendable {
    /// The key or field that it stands under.
    package var key: [UInt16]?
    /// What it equals.
    package var value: ComparedValue?
    /// What its fields are, of a dictionary or an object.
    package var fields: [FieldCondition] = []
    /// Its class, or one that this is derived from.
    package var className: [UInt16]?
    /// What it is.
    package var type: ValueType?
    /// What is looked for in it, if it is a string, and in its key.
    package var texts: [TextCondition] = []

    /// A query that finds everything.
    package init() {}
}

/// A demand on a field: `health<10`, `name =~ ^A`.
package struct FieldCondition: Sendable {
    /// How a field is compared.
    package enum Operator: String, Sendable, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case atMost = "<="
        case atLeast = ">="
        case less = "<"
        case greater = ">"

        func accepts(_ order: ComparedValue.Order?) -> Bool {
            switch self {
            case .equal: order == .same
            case .notEqual: order != .same
            case .atMost: order == .same || order == .less
            case .atLeast: order == .same || order == .greater
            case .less: order == .less
            case .greater: order == .greater
            }
        }
    }

    /// What the field must be.
    package enum Test: Sendable {
        case compares(Operator, ComparedValue)
        /// It is a string that has a match.
        case matches(ECMARegex)
    }

    package let field: [UInt16]
    let test: Test

    /// A demand on the field of this name, which must be there.
    package init(_ field: [UInt16], _ test: Test) {
        self.field = field
        self.test = test
    }
}

/// What is looked for in a string.
package enum TextCondition: Sendable {
    /// These code units, one after the other.
    case contains([UInt16])
    /// A match, in the string or in its key.
    case matches(ECMARegex)
}

/// What a value is.
package enum ValueType: String, Sendable, CaseIterable {
    case string, integer, real, boolean, date, data, null
    case uid = "UID"
    case array, set, dictionary, object

    init?(_ kind: NodeKind) { self.init(rawValue: kind.rawValue) }

    init(_ kind: ContainerKind) {
        self =
            switch kind {
            case .array: .array
            case .set: .set
            case .dictionary: .dictionary
            case .object: .object
            }
    }
}
