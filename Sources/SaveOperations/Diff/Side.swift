/// One of the two graphs that are compared.
package enum Side: Sendable, Hashable, CaseIterable {
    case before, after
}

/// Something that each of the two has.
package struct Sides<Value> {
    package var before: Value
    package var after: Value

    package init(_ make: (Side) throws -> Value) rethrows {
        before = try make(.before)
        after = try make(.after)
    }

    package subscript(side: Side) -> Value {
        get { side == .before ? before : after }
        _modify {
            switch side {
            case .before: yield &before
            case .after: yield &after
            }
        }
    }
}

extension Sides: Sendable where Value: Sendable {}
