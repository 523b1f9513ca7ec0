import KeyedArchives
import SaveCodec

/// The keys of dictionaries in a comparison. A key of an archive may be a container. Two such keys are the same if they
/// are equal.
struct ComparedKeys {
    private let sides: Sides<ComparedSide>
    private let distinguishesWidths: Bool
    private let seed = UInt64.random(in: 0...UInt64.max)
    /// Hashes of keys, with a random seed against deliberate collisions.
    private var hashes: Sides<ScalarHashes>
    private var equality: ContainerEquality?
    /// Whether each container of the earlier graph is a key that both graphs have, or is inside one, by number. Such a
    /// container is paired only with an equal one, because an edit would change the key. Empty without such keys.
    private var isInKeptKey: [Bool] = []
    /// The containers of the later graph with a key that is a container and equals no key of the earlier graph. Empty
    /// unless such dictionaries count as replaced.
    private var withNewKeys: Set<Int> = []

    init(_ sides: Sides<ComparedSide>, _ options: DifferenceOptions) {
        self.sides = sides
        distinguishesWidths = options.distinguishesWidths
        let seed = seed
        hashes = Sides { _ in ScalarHashes(seed: seed) }
    }

    /// Compares the keys that are containers, if there are any.
    ///
    /// - Parameters:
    ///   - keepsCommon: Whether keys that both graphs have must not change.
    ///   - replacesNew: Whether dictionaries with new keys count as replaced.
    mutating func compareContainers(keepsCommon: Bool, replacesNew: Bool) {
        guard sides.before.graph.hasContainerKeys || sides.after.graph.hasContainerKeys else { return }
        let equality = makeEquality()
        if keepsCommon { isInKeptKey = containersInKeptKeys(equality) }
        if replacesNew { withNewKeys = containersWithNewKeys(equality) }
    }

    /// Returns the equality of the containers of both graphs, computed once.
    mutating func makeEquality() -> ContainerEquality {
        if let equality { return equality }
        let made = ContainerEquality(sides, distinguishesWidths: distinguishesWidths)
        equality = made
        return made
    }

    /// Whether two keys that are containers are equal; nil for keys that are not both containers.
    func areEqualContainers(_ a: ViewID, _ b: ViewID) -> Bool? {
        guard equality != nil, let x = sides.before.graph.number(of: a), let y = sides.after.graph.number(of: b) else {
            return nil
        }
        return equality?.areEqual(x, y)
    }

    /// Returns a hash of a key, with a random seed against deliberate collisions.
    mutating func hash(of key: ViewID, _ side: Side) -> UInt64 {
        if let number = sides[side].graph.number(of: key) {
            return ScalarHash.mix(seed, UInt64(equality?.block(of: number, side) ?? 0))
        }
        let compared = sides[side]
        return compared.view.scalarObject(key).map { hashes[side].hash(of: $0, key, in: compared) } ?? 0
    }

    /// Whether pairing the containers of a candidate would change a key that both graphs have, or would need an address
    /// for a new key that is a container.
    func areBroken(by candidate: Comparison.CandidatePair) -> Bool {
        if withNewKeys.contains(candidate.after) { return true }
        guard !isInKeptKey.isEmpty, isInKeptKey[candidate.before], let equality else { return false }
        return !equality.areEqual(candidate.before, candidate.after)
    }

    /// Returns, for each container of the earlier graph, whether a key that both graphs have reaches it.
    private func containersInKeptKeys(_ equality: ContainerEquality) -> [Bool] {
        let later = Set(containerKeys(.after).map { equality.block(of: $0.key, .after) })
        var pending = containerKeys(.before).map(\.key).filter { later.contains(equality.block(of: $0, .before)) }
        guard !pending.isEmpty else { return [] }
        let before = sides.before.graph
        var isReached = [Bool](repeating: false, count: before.containers.count)
        while let number = pending.popLast() {
            guard !isReached[number] else { continue }
            isReached[number] = true
            let container = before.containers[number]
            for position in 0..<container.count {
                if let key = before.containerKey(position, of: container) { pending.append(key) }
                if let value = before.number(of: before.value(position, of: container)) { pending.append(value) }
            }
        }
        return isReached
    }

    /// Returns the containers of the later graph with a key that is a container and equals no key of the earlier graph.
    private func containersWithNewKeys(_ equality: ContainerEquality) -> Set<Int> {
        let known = Set(containerKeys(.before).map { equality.block(of: $0.key, .before) })
        return Set(
            containerKeys(.after).filter { !known.contains(equality.block(of: $0.key, .after)) }.map(\.container))
    }

    /// Returns the keys of a graph that are containers, with the containers that they are in.
    private func containerKeys(_ side: Side) -> [(key: Int, container: Int)] {
        let graph = sides[side].graph
        return graph.containers.flatMap { container in
            (0..<container.count).compactMap { position in
                graph.containerKey(position, of: container).map { ($0, container.number) }
            }
        }
    }
}
