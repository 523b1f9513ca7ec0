package import KeyedArchives
package import SaveCodec

/// A slot that the two sides changed differently.
package struct MergeConflict: Sendable {
    /// The part that is in conflict.
    package enum Subject: Sendable {
        case value
        /// The class of an object.
        case className
    }

    package let subject: Subject
    /// The slot. For its address, see ``ThreeWayMerge/address(of:)``.
    let site: MergeSite
    /// The value in the base; nil if the base has none. In a conflict of classes, all three values are the object.
    package let base: ViewID?
    /// The value in ours; nil if ours removed it.
    package let ours: ViewID?
    /// The value in theirs; nil if theirs removed it.
    package let theirs: ViewID?
    /// The index in ``ThreeWayMerge/nested`` of the merge of the values' nested saves; nil if the values hold none.
    var nested: Int?
    /// The rule that matches the address but does not settle the conflict; nil for none.
    package var rule: MergeRule?
}

/// The subject of a merge decision.
enum MergeSite {
    case root
    /// The class of a container.
    case container(MergeContainer)
    /// A slot of a container, by its position in ours and in theirs; nil on a side that does not have it.
    case slot(MergeContainer, ours: Int?, theirs: Int?)

    /// Whether the decision is about a value, not a class.
    var hasValue: Bool {
        if case .container = self { false } else { true }
    }
}

enum MergeContainer {
    /// A container that the base has, by its pair in the comparison from base to ours.
    case pair(Int)
    /// A container that is new on both sides, by its index in ``ThreeWayMerge/additions``.
    case added(Int)
}

extension ThreeWayMerge {
    /// Returns the address of a conflict in ours, or in theirs if ours does not have the slot.
    ///
    /// The address of a class ends with `/$class`. Addresses are cut after ``Difference/defaultMaxTokens`` tokens.
    package func address(of conflict: MergeConflict) -> JSONPointer { address(of: conflict.site) }

    func address(of site: MergeSite) -> JSONPointer {
        switch site {
        case .root: return location?.nestedSaveRoot ?? .root
        case .container(let container):
            var address = address(of: container)
            if address.tokens.count < Difference.defaultMaxTokens { address.append(key: "$class".utf16) }
            return address
        case .slot(let container, let x, let y):
            var address = address(of: container)
            guard address.tokens.count < Difference.defaultMaxTokens, let pairing = pairing(of: container) else {
                return address
            }
            if let x {
                ours.append(x, of: pairing.ours, to: &address)
            } else if let y {
                theirs.append(y, of: pairing.theirs, to: &address)
            }
            return address
        }
    }

    /// Returns the address of a container, cut after ``Difference/defaultMaxTokens`` tokens.
    private func address(of container: MergeContainer) -> JSONPointer {
        var steps: [(container: ViewID, position: Int)] = []
        var current = container
        while case .added(let number) = current, let parent = additions[number].parent {
            current = parent.isAdded ? .added(parent.number) : .pair(parent.number)
            if let pairing = pairing(of: current) { steps.append((pairing.ours, parent.position)) }
        }
        var address = location?.nestedSavePrefix ?? .root
        if case .pair(let number) = current, let side = sides?.ours {
            address = address.appending(side.difference.address(ofPair: number, .after))
        }
        for step in steps.reversed() where address.tokens.count < Difference.defaultMaxTokens {
            ours.append(step.position, of: step.container, to: &address)
        }
        return address
    }

    func pairing(of container: MergeContainer) -> Pairing? {
        switch container {
        case .added(let number): return additions[number].pairing
        case .pair(let number):
            guard let sides, case let pair = sides.ours.difference.pairs[number],
                let other = sides.theirs.pair(ofBase: pair.before)
            else { return nil }
            return Pairing(
                oursPair: number, theirsPair: other, ours: pair.after,
                theirs: sides.theirs.difference.pairs[other].after, state: PointerPatternMatcher.start)
        }
    }

    /// Returns the container that holds another one; nil for the root.
    func around(_ container: MergeContainer) -> MergeContainer? {
        switch container {
        case .added(let number):
            return additions[number].parent.map { $0.isAdded ? .added($0.number) : .pair($0.number) }
        case .pair(0): return nil
        case .pair(let number): return sides.map { .pair(Int($0.ours.difference.pairs[number].parent)) }
        }
    }
}
