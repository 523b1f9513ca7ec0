import SaveCodec

/// The edits of a container as a sequence of steps. Each position is valid when its step is made.
///
///     before  A B C D            removals     1              A C D
///     after   D A x C            moves        2 → 0          D A C
///                                insertions   2              D A x C
struct ContainerSteps {
    private(set) var setsClass = false
    /// The positions to remove, from the last to the first.
    private(set) var removals: [Int] = []
    private(set) var moves: [(from: Int, to: Int)] = []
    /// The final positions of inserted slots, in ascending order. Sets and dictionaries insert at the end.
    private(set) var insertions: [Int] = []
    /// The slots whose values are set, by original and final position.
    private(set) var sets: [(before: Int, after: Int)] = []
    /// The original positions of removed and moved slots, in ascending order.
    private var taken: [Int] = []
    /// The final positions of inserted and moved slots, in ascending order; empty except for arrays.
    private var placed: [Int] = []
    /// The final position of each moved slot, by its original position.
    private var targets: [Int: Int] = [:]

    /// - Parameters:
    ///   - isArray: Whether the container is an array, so that the positions of inserted slots matter.
    ///   - count: The number of slots before the edits.
    init(_ edits: [SlotEdit], isArray: Bool, count: Int) {
        for edit in edits {
            switch edit {
            case .setClass: setsClass = true
            case .remove(let before): taken.append(before)
            case .insert(let after): insertions.append(after)
            case .move(let before, let after): targets[before] = after
            case .set(let before, let after): sets.append((before, after))
            }
        }
        removals = taken.sorted(by: >)
        insertions.sort()
        taken = (taken + targets.keys).sorted()
        placed = isArray ? (insertions + targets.values).sorted() : []
        if !targets.isEmpty { addMoves(count) }
    }

    /// Returns the position of a slot that is not removed, after the moves and the first `inserted` insertions; by
    /// default, its final position.
    func position(ofBefore before: Int, inserted: Int = .max) -> Int {
        if let target = targets[before] { return position(ofAfter: target, inserted: inserted) }
        let kept = before - taken.partitioningIndex { $0 >= before }
        return position(ofAfter: kept + placed.skipped(by: kept), inserted: inserted)
    }

    /// Returns the position, after the first `inserted` insertions, of the slot with the final position `after`.
    func position(ofAfter after: Int, inserted: Int) -> Int {
        placed.isEmpty ? after : after - max(0, insertions.partitioningIndex { $0 >= after } - inserted)
    }

    // MARK: Moves

    /// Adds the moves in order of their final positions. Each element moves to the position directly before the next
    /// element that does not move.
    private mutating func addMoves(_ count: Int) {
        // At `2 * slot + 1`, whether the slot is still at its old position; at `2 * slot`, the number of elements moved
        // to before it.
        var occupied = FenwickTree(count: 2 * (count + 1))
        let gone = Set(removals)
        for slot in 0..<count where !gone.contains(slot) { occupied.add(1, at: 2 * slot + 1) }
        for (before, after) in targets.sorted(by: { $0.value < $1.value }) {
            let kept = after - placed.partitioningIndex { $0 >= after }
            let next = min(kept + taken.skipped(by: kept), count)
            let from = occupied.sum(below: 2 * before + 1)
            occupied.add(-1, at: 2 * before + 1)
            let to = occupied.sum(below: 2 * next + 1)
            occupied.add(1, at: 2 * next)
            if from != to { moves.append((from, to)) }
        }
    }
}

/// Prefix sums of numbers that change: a Fenwick tree (1994).
private struct FenwickTree {
    private var sums: [Int32]

    init(count: Int) {
        sums = [Int32](repeating: 0, count: count + 1)
    }

    mutating func add(_ number: Int32, at position: Int) {
        var index = position + 1
        while index < sums.count {
            sums[index] &+= number
            index += index & -index
        }
    }

    func sum(below position: Int) -> Int {
        var index = min(position, sums.count - 1)
        var sum = 0
        while index > 0 {
            sum += Int(sums[index])
            index -= index & -index
        }
        return sum
    }
}

extension [Int] {
    /// Returns the number of listed positions before the unlisted position with index `count`. In the ascending list
    /// `[1, 2]`, the unlisted positions are 0, 3, 4 …, so the result for 1 is 2.
    fileprivate func skipped(by count: Int) -> Int {
        indices.partitioningIndex { self[$0] - $0 > count }
    }
}
