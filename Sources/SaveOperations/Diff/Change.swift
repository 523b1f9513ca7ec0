package import KeyedArchives

/// Something that is different after.
package struct Change: Sendable {
    /// What happened.
    package typealias Kind = SaveChange.Kind

    /// What happened.
    package let kind: Kind
    /// The value before; nil for what was added.
    package let before: ViewID?
    /// The value after; nil for what was removed.
    package let after: ViewID?
    /// The two containers in which it happened, by their number in the tree of those compared.
    let node: Int
    /// The slots there; negative for none, and both for the containers themselves.
    let slots: SlotPair
    /// The difference between the saves in the two values, by number; nil where they hold none.
    var nested: Int?

    /// The value on a side; nil where it is not.
    package func value(_ side: Side) -> ViewID? { side == .before ? before : after }
}

/// A slot before and the slot after that it is compared with; negative for none.
struct SlotPair: Sendable, Hashable {
    var before: Int32
    var after: Int32

    init(_ before: Int, _ after: Int) {
        self.before = Int32(truncatingIfNeeded: before)
        self.after = Int32(truncatingIfNeeded: after)
    }

    /// The slot on a side.
    subscript(side: Side) -> Int32 { side == .before ? before : after }

    /// No slot: the container itself.
    static let none = SlotPair(-1, -1)
}
