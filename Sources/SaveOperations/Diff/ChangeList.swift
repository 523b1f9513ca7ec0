package import KeyedArchives

/// The changes found by a comparison, in document order.
///
/// A *node* is a pair of containers that were compared with each other. A *record* is a difference between their slots,
/// or between the containers themselves. Two containers that have nothing in common, not even their keys, are reported
/// as one change.
struct ChangeList {
    private let comparison: Comparison
    private(set) var changes: [Change] = []
    /// For each node, the number of records in the node and its descendants.
    private var counts: [Int32]
    /// For each node, the number of equal slots in the node and its descendants. A descendant with the same keys on
    /// both sides counts as at least one.
    private var kept: [Int32]
    /// For each node, the index of its first entry in ``entries``.
    private var starts: [Int] = []
    /// The records and child nodes of all nodes, grouped by node.
    private var entries: [Entry] = []

    /// A record, or a node with records in it or its descendants.
    private struct Entry {
        let order: Int
        let number: Int
        let isNode: Bool
    }

    init(_ comparison: Comparison) {
        self.comparison = comparison
        counts = [Int32](repeating: 0, count: comparison.tree.nodes.count)
        kept = comparison.tree.facts.map(\.kept)
        guard !comparison.records.isEmpty else { return }
        count()
        addEntries()
        walk()
        (starts, entries) = ([], [])
    }

    private mutating func count() {
        for record in comparison.records { counts[record.node] &+= 1 }
        for node in comparison.tree.nodes.indices.reversed() where node > 0 {
            let parent = Int(comparison.tree.nodes[node].parent)
            counts[parent] &+= counts[node]
            kept[parent] = kept[parent].addingReportingOverflow(kept[node]).overflow ? .max : kept[parent] + kept[node]
            if comparison.tree.facts[node].hasSameKeys, kept[parent] == 0 { kept[parent] = 1 }
        }
    }

    private mutating func addEntries() {
        starts = [Int](repeating: 0, count: comparison.tree.nodes.count + 1)
        for record in comparison.records { starts[record.node + 1] += 1 }
        for node in counts.indices.dropFirst() where counts[node] > 0 {
            starts[Int(comparison.tree.nodes[node].parent) + 1] += 1
        }
        for node in counts.indices { starts[node + 1] += starts[node] }
        var next = starts
        entries = [Entry](
            repeating: Entry(order: 0, number: 0, isNode: false), count: starts[comparison.tree.nodes.count])
        func add(_ entry: Entry, to node: Int) {
            entries[next[node]] = entry
            next[node] += 1
        }
        for (number, record) in comparison.records.enumerated() {
            add(Entry(order: record.order, number: number, isNode: false), to: record.node)
        }
        for node in counts.indices.dropFirst() where counts[node] > 0 {
            let entry = Entry(order: Int(comparison.tree.facts[node].order), number: node, isNode: true)
            add(entry, to: Int(comparison.tree.nodes[node].parent))
        }
        for node in counts.indices where starts[node + 1] - starts[node] > 1 {
            entries[starts[node]..<starts[node + 1]].sort {
                ($0.order, $0.isNode ? 1 : 0, $0.number) < ($1.order, $1.isNode ? 1 : 0, $1.number)
            }
        }
    }

    private mutating func walk() {
        guard enter(0) else { return }
        var open = [starts[0]..<starts[1]]
        while let range = open.last {
            guard let next = range.first else {
                open.removeLast()
                continue
            }
            open[open.count - 1] = range.dropFirst()
            let entry = entries[next]
            if !entry.isNode {
                add(comparison.records[entry.number])
            } else if enter(entry.number) {
                open.append(starts[entry.number]..<starts[entry.number + 1])
            }
        }
    }

    /// Returns true if the changes in a node are to be added one by one. Otherwise, adds one change for the whole node
    /// and returns false.
    private mutating func enter(_ node: Int) -> Bool {
        guard counts[node] > 1, kept[node] == 0, !comparison.tree.facts[node].hasSameKeys else { return true }
        let pair = comparison.tree.nodes[node]
        let slots = SlotPair(Int(pair.positionBefore), Int(pair.positionAfter))
        // This change includes a change of storage at the same slots.
        if let last = changes.last, last.kind == .storage, last.node == pair.parent, last.slots == slots {
            changes.removeLast()
        }
        changes.append(
            Change(kind: .changed, before: pair.before, after: pair.after, node: Int(pair.parent), slots: slots))
        return false
    }

    private mutating func add(_ record: Comparison.Record) {
        let node = comparison.tree.nodes[record.node]
        guard record.slots != .none else {
            return changes.append(
                Change(kind: record.kind, before: node.before, after: node.after, node: record.node, slots: .none))
        }
        changes.append(Self.change(record, of: comparison))
    }

    /// Returns the change that a record of slots describes.
    static func change(_ record: Comparison.Record, of comparison: Comparison) -> Change {
        let values = Sides { comparison.value(of: record, $0) }
        return Change(
            kind: record.kind, before: values.before, after: values.after, node: record.node, slots: record.slots,
            nested: record.nested)
    }
}

extension Comparison {
    /// The edits, grouped by pair.
    var containerEdits: [ContainerEdits] {
        var lists: [ContainerEdits] = []
        let sorted = edits.enumerated().sorted { ($0.element.pair, $0.offset) < ($1.element.pair, $1.offset) }
        var start = 0
        while start < sorted.count {
            let pair = sorted[start].element.pair
            let end = sorted[start...].firstIndex { $0.element.pair != pair } ?? sorted.count
            lists.append(ContainerEdits(pair: pair, edits: sorted[start..<end].map(\.element.edit)))
            start = end
        }
        return lists
    }
}

// MARK: One change

/// The kind of a change.
public enum ChangeKind: String, Sendable, CaseIterable {
    /// A value was added.
    case added
    /// A value was removed.
    case removed
    /// The value changed.
    case changed
    /// The value has another type: 42 and 42.0.
    case type
    /// The value is stored differently: in place or as an object. If it is a scalar, it is otherwise equal; the
    /// contents of a container are compared separately.
    case storage
    /// The object has another class. Its fields are compared separately.
    case `class`
    /// The element moved to another position in its array.
    case moved
    /// The value is equal, but its sharing changed: it is now the same object as another value, or has become a
    /// separate object.
    case shared
}

/// One difference between two views.
package struct Change: Sendable {
    package typealias Kind = ChangeKind

    /// The kind of this change.
    package let kind: Kind
    /// The value in the earlier view; nil for an addition.
    package let before: ViewID?
    /// The value in the later view; nil for a removal.
    package let after: ViewID?
    /// The number of the node for the two compared containers.
    let node: Int
    /// The slots in the two containers; ``SlotPair/none`` for a change of the containers themselves.
    let slots: SlotPair
    /// The index of the difference between the saves nested in the two values; nil if they hold none.
    var nested: Int?

    /// Returns the value on a side; nil if the side has no value.
    package func value(_ side: Side) -> ViewID? { side == .before ? before : after }
}

/// The positions of two compared slots, in the earlier and in the later container; negative if a side has no such slot.
struct SlotPair: Sendable, Hashable {
    var before: Int32
    var after: Int32

    init(_ before: Int, _ after: Int) {
        self.before = Int32(truncatingIfNeeded: before)
        self.after = Int32(truncatingIfNeeded: after)
    }

    subscript(side: Side) -> Int32 { side == .before ? before : after }

    /// No slots: a change of the containers themselves.
    static let none = SlotPair(-1, -1)
}
