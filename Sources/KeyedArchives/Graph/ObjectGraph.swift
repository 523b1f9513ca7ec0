import SaveCodec

/// What the root of a view reaches, in flat arrays: its containers, numbered breadth first from the root, and their slots.
///
///     {"a": [7, 8], "b": {}}     container   kind         slots       depth
///                                0 root      dictionary   a: 1, b: 2  0
///                                1 /a        array        7, 8        1
///                                2 /b        dictionary   -           1
///
/// A slot holds the identities of its key and of its value. Every container is looked into once, so that cycles end and
/// the graph is linear in the number of references; it is found once per view, see ``ObjectView/graph``.
package final class ObjectGraph: Sendable {
    /// A container, by number.
    package struct Container: Sendable {
        /// Its number.
        package let number: Int
        /// Its identity.
        package let id: ViewID
        /// What it is.
        package let kind: ContainerKind
        /// Its class, by position in ``KeyedArchive/classes``; nil for a plain value.
        package let classPosition: Int?
        /// How far it is from the root.
        package let depth: UInt32
        /// Where its slots start.
        let start: Int
        /// How many slots it has.
        package let count: Int
    }

    /// The containers, breadth first.
    package let containers: [Container]
    /// How many slots refer to each container, by number; of the root one more.
    package let referenceCounts: [UInt32]
    /// Whether keys are containers anywhere.
    package let hasContainerKeys: Bool
    /// The keys and values of all slots, by identity. Elements have no keys.
    private let keys: [UInt32]
    private let values: [UInt32]
    /// One more than the number of each container, by identity; of scalars zero, or ``noContainer`` once looked at.
    private let numbers: [UInt32]

    fileprivate static let noContainer = UInt32.max

    init(_ view: ObjectView) {
        var reader = ObjectGraphReader(view)
        reader.run()
        containers = reader.containers
        referenceCounts = reader.referenceCounts
        hasContainerKeys = reader.hasContainerKeys
        (keys, values, numbers) = (reader.keys, reader.values, reader.numbers)
    }

    /// The number of a container; nil for a scalar.
    package func number(of id: ViewID) -> Int? {
        let number = numbers[id.index]
        return number == 0 || number == Self.noContainer ? nil : Int(number) - 1
    }

    /// The key at a position of a container that has keys.
    package func key(_ position: Int, of container: Container) -> ViewID {
        ViewID(index: Int(keys[container.start + position]))
    }

    /// The value at a position of a container.
    package func value(_ position: Int, of container: Container) -> ViewID {
        ViewID(index: Int(values[container.start + position]))
    }

    /// Whether several slots refer to a container.
    package func isShared(_ id: ViewID) -> Bool {
        number(of: id).map { referenceCounts[$0] > 1 } ?? false
    }

    /// Whether no container is shared, so that the graph is a tree but for its scalars.
    package var isTree: Bool { referenceCounts.allSatisfy { $0 == 1 } }

    // MARK: Paths

    /// A step of the way from the root: a position in a container.
    package struct Step {
        package let container: Container
        package let position: Int
    }

    /// The shortest ways from the root to values, those of keys as those of the values under them; none for what the
    /// root does not reach. Linear in the size of the graph, however many values are asked for.
    package func paths(to ids: Set<ViewID>) -> [ViewID: [Step]] {
        let (slots, entered) = firstSlots(of: ids)
        return slots.mapValues { path(to: $0, entered) }
    }

    /// The first slot of each value, and for each container the slot by which it is reached first.
    private func firstSlots(of ids: Set<ViewID>) -> (wanted: [ViewID: Int], entered: [Int]) {
        var wanted: [ViewID: Int] = [:]
        var entered = [Int](repeating: -1, count: containers.count)
        func meet(_ id: ViewID, at slot: Int) {
            if let number = number(of: id), number > 0, entered[number] < 0 { entered[number] = slot }
            if ids.contains(id), wanted[id] == nil { wanted[id] = slot }
        }
        if let root = containers.first?.id, ids.contains(root) { wanted[root] = -1 }
        for container in containers {
            for slot in container.start..<container.start + container.count {
                meet(ViewID(index: Int(values[slot])), at: slot)
                if container.kind.isKeyed { meet(ViewID(index: Int(keys[slot])), at: slot) }
            }
        }
        return (wanted, entered)
    }

    private func path(to slot: Int, _ entered: [Int]) -> [Step] {
        var steps: [Step] = []
        var slot = slot
        while slot >= 0 {
            let container = containers[container(withSlot: slot)]
            steps.append(Step(container: container, position: slot - container.start))
            slot = entered[container.number]
        }
        return steps.reversed()
    }

    /// The number of the container that has a slot: the last that starts there or before and is not empty.
    private func container(withSlot slot: Int) -> Int {
        var (low, high) = (0, containers.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if containers[middle].start <= slot { low = middle } else { high = middle }
        }
        return low
    }
}

/// Goes through a view breadth first, and notes its containers and their slots.
private struct ObjectGraphReader {
    private let view: ObjectView
    private(set) var containers: [ObjectGraph.Container] = []
    private(set) var keys: [UInt32] = []
    private(set) var values: [UInt32] = []
    private(set) var numbers: [UInt32]
    private(set) var referenceCounts: [UInt32] = []
    private(set) var hasContainerKeys = false

    init(_ view: ObjectView) {
        self.view = view
        numbers = [UInt32](repeating: 0, count: view.count)
    }

    mutating func run() {
        enter(view.root, depth: 0)
        var next = 0
        while next < containers.count {
            let container = containers[next]
            for slot in container.start..<container.start + container.count {
                enter(ViewID(index: Int(values[slot])), depth: container.depth + 1)
                if container.kind.isKeyed { enterKey(ViewID(index: Int(keys[slot])), depth: container.depth + 1) }
            }
            next += 1
        }
    }

    private mutating func enter(_ id: ViewID, depth: UInt32) {
        let known = numbers[id.index]
        if known == ObjectGraph.noContainer { return }
        if known > 0 { return referenceCounts[Int(known) - 1] &+= 1 }
        numbers[id.index] = ObjectGraph.noContainer
        guard view.document.object(view.stored(id)).kind.isContainer else { return }
        let value = view[id]
        guard let kind = ContainerKind(value.form) else { return }
        numbers[id.index] = UInt32(truncatingIfNeeded: containers.count + 1)
        let start = values.count
        for position in 0..<value.contents.count {
            let item = view.item(position, of: value.contents)
            keys.append(UInt32(truncatingIfNeeded: item.key?.index ?? 0))
            values.append(UInt32(truncatingIfNeeded: item.id.index))
        }
        containers.append(
            ObjectGraph.Container(
                number: containers.count, id: id, kind: kind, classPosition: value.classPosition, depth: depth,
                start: start, count: value.contents.count))
        referenceCounts.append(1)
    }

    /// A key is hardly ever a container, in no property list and in few archives.
    private mutating func enterKey(_ key: ViewID, depth: UInt32) {
        guard numbers[key.index] != ObjectGraph.noContainer else { return }
        enter(key, depth: depth)
        if numbers[key.index] != ObjectGraph.noContainer { hasContainerKeys = true }
    }
}
