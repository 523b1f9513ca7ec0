import SaveCodec
import Synchronization

/// One of the two sides of a comparison.
package enum Side: Sendable, Hashable, CaseIterable {
    case before, after
}

/// A value for each side.
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

extension Sides where Value: Sendable {
    /// Creates a value for each side, in parallel if there is a runner.
    init(by run: ParallelRunner?, _ make: @Sendable (Side) -> Value) {
        let made = Mutex<[Side: Value]>([:])
        run?(Side.allCases.count) { number in
            let side = Side.allCases[number]
            let value = make(side)
            made.withLock { $0[side] = value }
        }
        let values = made.withLock { $0 }
        self.init { values[$0] ?? make($0) }
    }
}
