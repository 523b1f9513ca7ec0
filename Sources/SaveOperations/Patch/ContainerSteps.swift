/// The way of one container to its partner, step after step: each with the positions that hold when it is done.
///
///     before  A B C D            removals     1              A C D
///     after   D A x C            moves        2 → 0          D A C
///                                insertions   2              D A x C
struct ContainerSteps {
    /// Whether the container becomes one of another class.
    private(set) var setsClass = false
    /// Where slots are removed, from the back.
    private(set) var removals: [Int] = []
    /// Where elements are moved to.
    private(set) var moves: [(from: Int, to: Int)] = []
    /// Where slots are inserted, as they stand after, in rising order. In a set and a dictionary they are put at the end.
    private(set) var insertions: [Int] = []
    /// The slots whose values are set, before and after.
    private(set) var sets: [(before: Int, after: Int)] = []
    /// Where slots were taken out before, and where slots were put in after, both rising.
    private var taken: [Int] = []
    private var placed: [Int] = []
    private var targets: [Int: Int] = [:]

    /// - Parameters:
    ///   - isArray: whether what is inserted has a place.
    ///   - count: how many slots the container had before.
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

    /// Where a slot that stays stands in the end, or when only so many insertions have been made.
    func position(ofBefore before: Int, inserted: Int = .max) -> Int {
        if let target = targets[before] { return position(ofAfter: target, inserted: inserted) }
        let kept = before - taken.lowerBound(before)
        return position(ofAfter: kept + placed.skipped(by: kept), inserted: inserted)
    }

    /// Where a slot stands that stands at a position in the end, when only so many insertions have been made.
    func position(ofAfter after: Int, inserted: Int) -> Int {
        placed.isEmpty ? after : after - max(0, insertions.lowerBound(after) - inserted)
    }

    // MARK: Moves

    /// Moves one element after the other, in the order in which they stand in the end, each before the next that is not
    /// moved at all.
    private mutating func addMoves(_ count: Int) {
        // For each slot before: how many elements were moved before it, and whether it still stands there.
        var places = RunningSums(count: 2 * (count + 1))
        let gone = Set(removals)
        for slot in 0..<count where !gone.contains(slot) { places.add(1, at: 2 * slot + 1) }
        for (before, after) in targets.sorted(by: { $0.value < $1.value }) {
            let kept = after - placed.lowerBound(after)
            let next = min(kept + taken.skipped(by: kept), count)
            let from = places.sum(below: 2 * before + 1)
            places.add(-1, at: 2 * before + 1)
            let to = places.sum(below: 2 * next + 1)
            places.add(1, at: 2 * next)
            if from != to { moves.append((from, to)) }
        }
    }
}

/// Sums of the first of some numbers that change: a Fenwick tree (1994).
private struct RunningSums {
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
    /// How many of the numbers, which rise, are below a limit.
    fileprivate func lowerBound(_ limit: Int) -> Int {
        partition { $0 < limit }
    }

    /// How many of the positions, which rise, lie before the one that is left when so many others are passed.
    fileprivate func skipped(by count: Int) -> Int {
        var (low, high) = (0, self.count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] - middle <= count { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func partition(_ isBelow: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBelow(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
