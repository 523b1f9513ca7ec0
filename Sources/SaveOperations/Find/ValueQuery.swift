package import JSONSchema
import KeyedArchives
package import SaveCodec

/// The conditions for a value to be found. All of them must hold; a query without any finds everything.
package struct ValueQuery: Sendable {
    /// The key or field that it is under.
    package var key: TextPattern?
    /// What it equals.
    package var value: ComparedValue?
    /// What its fields are, of a dictionary or an object.
    package var fields: [FieldCondition] = []
    /// Its class, or one that this is derived from.
    package var className: TextPattern?
    /// What it is.
    package var type: ValueKind?
    /// The texts in it.
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

/// A text to find.
package enum TextCondition: Sendable {
    /// In a key, in the name of an object's class, in a string, or in a number, date, Boolean or null as lines show it.
    case anywhere(TextPattern)
    /// In a string.
    case contains(TextPattern)
    /// A match, in a string or in a key.
    case matches(ECMARegex)
}
