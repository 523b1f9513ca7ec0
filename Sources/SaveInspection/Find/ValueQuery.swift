package import JSONSchema
import KeyedArchives
package import SaveCodec
import SaveOperations

/// The conditions of a search. All of them must hold; a query without conditions finds everything.
package struct ValueQuery: Sendable {
    /// The key or field name of the value.
    package var key: TextPattern?
    /// The value that a match must equal.
    package var value: ComparisonOperand?
    /// Conditions on the fields of a dictionary or an object.
    package var fields: [FieldCondition] = []
    /// The class of the object, or one of its ancestors.
    package var className: ClassPattern?
    /// The kind of the value.
    package var type: ValueKind?
    /// Texts that the value must contain.
    package var texts: [TextCondition] = []

    /// Creates a query that finds everything.
    package init() {}

    /// Returns the units of a string that the first text condition finds; nil if it finds none or is a regular
    /// expression.
    package func firstMatch(in text: StoredString) -> Range<Int>? {
        switch texts.first {
        case .anywhere(let pattern)?, .contains(let pattern)?:
            pattern.position(in: text).map { $0..<$0 + pattern.count }
        case .matches, nil: nil
        }
    }
}

/// A condition on a field: `health<10`, `name =~ ^A`.
///
/// A name that is not a field may be a path to a value in a field: `position.x` or `/position/x`.
package struct FieldCondition: Sendable {
    package enum Operator: String, Sendable, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case atMost = "<="
        case atLeast = ">="
        case less = "<"
        case greater = ">"

        func accepts(_ order: ComparisonOperand.Order?) -> Bool {
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

    /// A test of a field's value.
    package enum Test: Sendable {
        case compares(Operator, ComparisonOperand)
        /// The value is a string that the regular expression matches.
        case matches(ECMARegex)
    }

    package let field: [UInt16]
    let test: Test
    private let pointer: JSONPointer?
    private let path: ForeignPath?

    /// Creates a condition on the field of this name, which must exist.
    package init(_ field: [UInt16], _ test: Test) {
        self.field = field
        self.test = test
        pointer = field.first == UInt16(UInt8(ascii: "/")) ? JSONPointer(units: field) : nil
        path = pointer == nil ? ForeignPath(field) : nil
    }

    /// The keys on the path to the value; only the name if it is not a path.
    package var keys: [[UInt16]] { pointer?.tokens.map { Array($0) } ?? path?.keys ?? [field] }

    /// Returns the value that the name leads to as a path from a container; nil if it leads nowhere.
    func valueOnPath(from container: ViewID, in view: ObjectView) -> ViewID? {
        guard let pointer else { return path?.follow(from: container, in: view)?.end }
        let walk = view.walk(pointer, from: container)
        guard case .found = walk.end else { return nil }
        return walk.id
    }
}

/// A condition on text.
package enum TextCondition: Sendable {
    /// The text is in a key, in the class name of an object, in a string, or in a number, date, Boolean or null as
    /// printed.
    case anywhere(TextPattern)
    /// The text is in a string.
    case contains(TextPattern)
    /// The regular expression matches a string or a key.
    case matches(ECMARegex)
}
