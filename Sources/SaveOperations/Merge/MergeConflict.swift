package import KeyedArchives
package import SaveCodec

/// A place of which both sides made something else.
package struct MergeConflict: Sendable {
    /// What is in conflict.
    package enum Subject: Sendable {
        case value
        /// The class of an object.
        case className
    }

    package let subject: Subject
    /// Where it is, see ``ThreeWayMerge/address(of:)``.
    let place: MergeSlot
    /// The value in the base; nil if there was none. Of a class the object.
    package let base: ViewID?
    /// The value in ours; nil if it was removed.
    package let ours: ViewID?
    /// The value in theirs; nil if it was removed.
    package let theirs: ViewID?
    /// The merge of the saves in the values, by number; nil where they hold none.
    var nested: Int?
}

/// Where something is decided.
enum MergeSlot {
    /// The root.
    case root
    /// Of the class of a container.
    case container(MergeContainer)
    /// In a pair of ours: at a position in ours, or if there is none in theirs.
    case slot(MergeContainer, ours: Int?, theirs: Int?)

    /// Whether a value is decided on, and not a class.
    var hasValue: Bool {
        if case .container = self { false } else { true }
    }
}

/// A container that is merged.
enum MergeContainer {
    /// One that the base has, by its pair in the comparison of ours.
    case pair(Int)
    /// One that is new on both sides.
    case added(Int)
}

/// Where things are.
extension ThreeWayMerge {
    /// Where a conflict is in ours; in theirs if ours does not have it. Of the class of an object `…/$class`. No more than
    /// ``Difference/usualSteps`` of it.
    package func address(of conflict: MergeConflict) -> JSONPointer { address(of: conflict.place) }

    /// The address of a place, likewise.
    func address(of place: MergeSlot) -> JSONPointer {
        switch place {
        case .root: return location?.enteredRoot ?? .root
        case .container(let container):
            var address = address(of: container)
            if address.tokens.count < Difference.usualSteps { address.append(key: "$class".utf16) }
            return address
        case .slot(let container, let x, let y):
            var address = address(of: container)
            guard address.tokens.count < Difference.usualSteps, let pairing = pairing(of: container) else {
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

    /// The address of a container, no more than ``Difference/usualSteps`` of it.
    private func address(of container: MergeContainer) -> JSONPointer {
        var steps: [(container: ViewID, position: Int)] = []
        var current = container
        while case .added(let number) = current, let parent = additions[number].parent {
            current = parent.isAdded ? .added(parent.number) : .pair(parent.number)
            if let pairing = pairing(of: current) { steps.append((pairing.ours, parent.position)) }
        }
        var address = location?.withoutEntrances ?? .root
        if case .pair(let number) = current, let side = sides?.ours {
            address = address.appending(side.difference.address(ofPair: number, .after))
        }
        for step in steps.reversed() where address.tokens.count < Difference.usualSteps {
            ours.append(step.position, of: step.container, to: &address)
        }
        return address
    }

    /// The containers of both sides.
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

    /// The container around another.
    func around(_ container: MergeContainer) -> MergeContainer? {
        switch container {
        case .added(let number):
            return additions[number].parent.map { $0.isAdded ? .added($0.number) : .pair($0.number) }
        case .pair(0): return nil
        case .pair(let number): return sides.map { .pair(Int($0.ours.difference.pairs[number].parent)) }
        }
    }
}
