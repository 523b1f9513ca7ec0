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
    /// A container that is new on both sides, by its index in ``ThreeWayMerge/joined``.
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
        while case .added(let number) = current, let parent = joined[number].parent {
            current = parent.container
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
        case .added(let number): return joined[number].pairing
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
            return joined[number].parent?.container
        case .pair(0): return nil
        case .pair(let number): return sides.map { .pair(Int($0.ours.difference.pairs[number].parent)) }
        }
    }
}

/// The conflicts that a merge leaves, and the changes that it drops, in the order of ours.
struct ConflictRecord: Sendable {
    private let answers: [MergeSide?]
    /// The conflicts that are not settled.
    private(set) var conflicts: [MergeConflict] = []
    /// The changes that only one side made and that a rule overruled.
    private(set) var overruled: [MergeConflict] = []
    /// The number of conflicts that no rule settles, including the ones that ``MergeOptions/answers`` settle.
    private(set) var unruledCount = 0

    init(answers: [MergeSide?]) {
        self.answers = answers
    }

    mutating func add(_ conflict: MergeConflict) {
        conflicts.append(conflict)
    }

    mutating func addOverruled(_ change: MergeConflict) {
        overruled.append(change)
    }

    /// Counts a conflict that no rule settles, and returns the answer to it; nil if it stays a conflict.
    mutating func takeAnswer() -> MergeSide? {
        defer { unruledCount += 1 }
        return unruledCount < answers.count ? answers[unruledCount] : nil
    }
}

/// The containers that are new on both sides and are merged with each other.
struct JoinedContainers: Sendable {
    struct Entry: Sendable {
        let pairing: ThreeWayMerge.Pairing
        /// The enclosing container, and the position there in ours; nil for the root.
        let parent: (container: MergeContainer, position: Int)?
    }

    private var entries: [Entry] = []
    private var partnersOfOurs: [ViewID: ViewID] = [:]
    private var partnersOfTheirs: [ViewID: ViewID] = [:]

    var count: Int { entries.count }

    subscript(number: Int) -> Entry { entries[number] }

    /// Returns the container in theirs that is merged with one in ours; nil for none.
    func partner(ofOurs id: ViewID) -> ViewID? { partnersOfOurs[id] }

    /// Returns the container in ours that is merged with one in theirs; nil for none.
    func partner(ofTheirs id: ViewID) -> ViewID? { partnersOfTheirs[id] }

    /// Adds a container in ours and one in theirs that have no partners yet.
    ///
    /// - Parameter state: The state of the rules at the containers.
    mutating func add(
        _ ours: ViewID, _ theirs: ViewID, in parent: (container: MergeContainer, position: Int)?, state: Int
    ) {
        partnersOfOurs[ours] = theirs
        partnersOfTheirs[theirs] = ours
        let pairing = ThreeWayMerge.Pairing(oursPair: nil, theirsPair: nil, ours: ours, theirs: theirs, state: state)
        entries.append(Entry(pairing: pairing, parent: parent))
    }
}
