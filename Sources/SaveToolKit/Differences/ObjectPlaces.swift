import KeyedArchive
import SaveCodec
import SaveOperations

/// Where the objects of two archives are: the address at which each was compared.
struct ObjectPlaces {
    private let difference: Difference
    private let areArchives: Bool
    /// One more than the number of the pair of each container before, by identity.
    private var pairsBefore: [UInt32] = []

    init(_ difference: Difference) {
        self.difference = difference
        areArchives = difference.before.archive != nil && difference.after.archive != nil
        guard areArchives, difference.changes.contains(where: { $0.before != nil }) else { return }
        pairsBefore = [UInt32](repeating: 0, count: difference.before.count)
        for (number, pair) in difference.pairs.enumerated() {
            pairsBefore[pair.before.index] = UInt32(truncatingIfNeeded: number + 1)
        }
    }

    /// Where the object is that a change took away from a slot, if it is still elsewhere.
    func before(_ change: Change) -> Address? {
        guard let id = change.before, !isPair(change), id.index < pairsBefore.count, pairsBefore[id.index] > 0 else {
            return nil
        }
        return difference.addressBefore(ofPair: Int(pairsBefore[id.index]) - 1, steps: Difference.usualSteps)
    }

    /// Where the object is that a slot refers to after a change, if it was there before.
    func after(_ change: Change) -> Address? {
        guard areArchives, !isPair(change), let pair = change.after.flatMap(difference.partner) else { return nil }
        return difference.addressAfter(ofPair: pair, steps: Difference.usualSteps)
    }

    /// Whether the values of a change are one object.
    private func isPair(_ change: Change) -> Bool {
        guard let before = change.before, let pair = change.after.flatMap(difference.partner) else { return false }
        return difference.pairs[pair].before == before
    }
}
