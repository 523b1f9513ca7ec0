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
    /// The number of references to each container from containers that are one step less deep.
    private let parentCounts: [UInt32]
    /// Whether a deeper container may be reachable from the root without passing the container it refers to.
    private let isUnknown: [Bool]

    /// The maximum number of containers to climb from a reference to the container it refers to.
    private static let longestClimb = 64

    init(_ graph: ContainerGraph) {
        self.graph = graph
        let containers = graph.containers
        var outerCounts = [UInt32](repeating: 0, count: containers.count)
        var parentCounts = outerCounts
        var isUnknown = [Bool](repeating: false, count: containers.count)
        /// The container that refers to each container; only used for those with one reference.
        var owners = [Int](repeating: 0, count: containers.count)
        Self.forEachReference(in: graph) { owners[$1] = $0 }
        Self.forEachReference(in: graph) { container, value in
            guard container != value else { return }
            guard containers[container].depth > containers[value].depth else {
                if containers[container].depth < containers[value].depth { parentCounts[value] += 1 }
                return outerCounts[value] += 1
            }
            var inner = container
            for _ in 0..<Self.longestClimb where inner != value && graph.referenceCounts[inner] == 1 {
                inner = owners[inner]
            }
            if inner != value { isUnknown[value] = true }
        }
        (self.outerCounts, self.parentCounts, self.isUnknown) = (outerCounts, parentCounts, isUnknown)
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
        let numbers = path.containers.compactMap(graph.number)
        guard Set(numbers).count == path.containers.count else { return nil }
        var depths: Set<Int> = []
        for depth in numbers.indices.dropFirst() {
            guard let isShared = isShared(numbers[depth], after: numbers[..<depth], before: numbers[(depth + 1)...])
            else { return nil }
            if isShared { depths.insert(depth) }
        }
        return depths
    }

    /// Returns whether a container on a path is referred to by a container, other than through the path, that the root
    /// reaches without it and the later containers of the path. Returns nil if only a walk through the view shows it.
    private func isShared(_ number: Int, after path: ArraySlice<Int>, before later: ArraySlice<Int>) -> Bool? {
        if graph.referenceCounts[number] == 1 { return false }
        func depth(_ number: Int) -> UInt32 { graph.containers[number].depth }
        let owner = path.last ?? number
        let lowest = later.lazy.map(depth).min() ?? .max
        if lowest > depth(number) {
            // Shortest paths to containers that are at most as deep lead through none of the later ones.
            let own: UInt32 = depth(owner) <= depth(number) ? 1 : 0
            return outerCounts[number] > own ? true : isUnknown[number] ? nil : false
        }
        // The same holds for containers one step less deep, apart from later ones themselves.
        guard lowest + 1 >= depth(number) else { return nil }
        var others = parentCounts[number]
        if depth(owner) < depth(number) { others -= 1 }
        for container in Set(later) where depth(container) < depth(number) {
            guard graph.containers[container].count <= Self.longestClimb else { return nil }
            others -= min(others, references(from: container, to: number))
        }
        return others > 0 ? true : nil
    }

    private func references(from container: Int, to number: Int) -> UInt32 {
        let container = graph.containers[container]
        return (0..<container.count).reduce(0) { sum, position in
            let isValue = graph.number(of: graph.value(position, of: container)) == number
            let isKey = graph.containerKey(position, of: container) == number
            return sum + (isValue ? 1 : 0) + (isKey ? 1 : 0)
        }
    }
}
