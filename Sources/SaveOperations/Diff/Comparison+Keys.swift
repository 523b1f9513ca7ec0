import KeyedArchives
import SaveCodec

/// The keys of dictionaries that are containers.
extension Comparison {
    /// Whether pairing the containers of a candidate would change a key that both graphs have, or would need an address
    /// for a new key that is a container.
    func breaksKeys(_ candidate: CandidatePair) -> Bool {
        if hasNewKey.contains(candidate.after) { return true }
        guard !isInKeptKey.isEmpty, isInKeptKey[candidate.before], let equality else { return false }
        return !equality.areEqual(candidate.before, candidate.after)
    }

    /// Returns, for each container of the earlier graph, whether a key that both graphs have reaches it.
    func containersInKeptKeys(_ equality: ContainerEquality) -> [Bool] {
        let later = Set(containerKeys(.after).map { equality.block(of: $0.key, .after) })
        var pending = containerKeys(.before).map(\.key).filter { later.contains(equality.block(of: $0, .before)) }
        guard !pending.isEmpty else { return [] }
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
    func containersWithNewKeys(_ equality: ContainerEquality) -> Set<Int> {
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
