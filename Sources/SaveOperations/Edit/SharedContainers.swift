import KeyedArchives

/// The sharing of a graph's containers as far as one pass shows it. All paths of a pattern use the same instance, because
/// ``OtherAddresses`` walks through the whole view for one path.
///
///     root ─▶ a ─▶ item ◀─ b ◀─ root      both references to the item are from containers above it: shared
///     root ─▶ a ─▶ item ◀─ child          the child is only reachable through the item: not shared
final class SharedContainers: Sendable {
    private let graph: ContainerGraph
    /// The number of references to each container from other containers that are at most as deep.
    private let outerCounts: [UInt32]
    /// Whether a deeper container may be reachable from the root without passing the container it refers to.
    private let isUnknown: [Bool]

    /// The maximum number of containers to climb from a reference to the container it refers to.
    private static let longestClimb = 64

    init(_ graph: ContainerGraph) {
        self.graph = graph
        let containers = graph.containers
        var (outerCounts, isUnknown) = (
            [UInt32](repeating: 0, count: containers.count), [Bool](repeating: false, count: containers.count)
        )
        /// The container that refers to each container; only used for those with one reference.
        var owners = [Int](repeating: 0, count: containers.count)
        Self.forEachReference(in: graph) { owners[$1] = $0 }
        Self.forEachReference(in: graph) { container, value in
            guard container != value else { return }
            guard containers[container].depth > containers[value].depth else { return outerCounts[value] += 1 }
            var inner = container
            for _ in 0..<Self.longestClimb where inner != value && graph.referenceCounts[inner] == 1 {
                inner = owners[inner]
            }
            if inner != value { isUnknown[value] = true }
        }
        (self.outerCounts, self.isUnknown) = (outerCounts, isUnknown)
    }

    /// Calls a closure with the numbers of both containers of each reference.
    private static func forEachReference(in graph: ContainerGraph, _ body: (Int, Int) -> Void) {
        for container in graph.containers {
            for position in 0..<container.count {
                if let value = graph.number(of: graph.value(position, of: container)) { body(container.number, value) }
                if let key = graph.containerKey(position, of: container) { body(container.number, key) }
            }
        }
    }

    /// Returns the result of ``OtherAddresses/depths`` for a path, or nil if only a walk through the view shows it.
    func depths(of path: ResolvedAddress) -> Set<Int>? {
        var depths: Set<Int> = []
        for (depth, id) in path.containers.enumerated() {
            // No container above a shortest path's last one is reached through later containers of the path.
            guard let number = graph.number(of: id), graph.containers[number].depth == depth else { return nil }
            if depth == 0 { continue }
            if outerCounts[number] > 1 { depths.insert(depth) } else if isUnknown[number] { return nil }
        }
        return depths
    }
}
