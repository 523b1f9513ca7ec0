import SaveCodec

/// The containers that the root of a view reaches, numbered breadth first, and their slots, in flat arrays.
///
///     {"a": [7, 8], "b": {}}     container   kind         slots       depth
///                                0 root      dictionary   a: 1, b: 2  0
///                                1 /a        array        7, 8        1
///                                2 /b        dictionary   -           1
///
/// A slot holds the identities of its key and its value. Every container is visited once, so cycles end. Objects that
/// share stored contents also share slots, so the graph is linear in the size of the file. It is built once per view,
/// see ``ObjectView/graph``.
package final class ContainerGraph: Sendable {
    /// A container in the graph.
    package struct Container: Sendable {
        /// The container's number, breadth first from the root, which is 0.
        package let number: Int
        package let id: ViewID
        package let kind: ContainerKind
        /// The container's class, by position in ``KeyedArchive/classes``; nil for a plain value.
        package let classPosition: Int?
        /// The container's distance from the root.
        package let depth: UInt32
        /// The index of the first slot in ``ContainerGraph/values``.
        @usableFromInline let start: Int
        /// The number of slots.
        package let count: Int
    }

    /// The containers, by number.
    package let containers: [Container]
    /// The number of slots that refer to each container, by number; one more for the root.
    package let referenceCounts: [UInt32]
    /// Whether any key is a container.
    package let hasContainerKeys: Bool
    /// The key of each slot, as a ``ViewID/index``; 0 for an element, which has no key.
    @usableFromInline let keys: [UInt32]
    @usableFromInline let values: [UInt32]
    /// The number of each container plus one, by identity; 0 for a value that is not reached, ``noContainer`` for a
    /// scalar.
    @usableFromInline let numbers: [UInt32]

    @inlinable static var noContainer: UInt32 { .max }

    init(_ view: ObjectView) {
        var reader = ContainerGraphBuilder(view)
        reader.run()
        containers = reader.containers
        referenceCounts = reader.referenceCounts
        hasContainerKeys = reader.hasContainerKeys
        (keys, values, numbers) = (reader.keys, reader.values, reader.numbers)
    }

    // The accessors are inlinable because comparisons in another module call them at every step.

    /// The number of stored slots; containers may share some.
    var slotCount: Int { values.count }

    /// Returns the number of a container, or nil for a scalar.
    @inlinable
    @inline(__always)
    package func number(of id: ViewID) -> Int? {
        let number = numbers[id.index]
        return number == 0 || number == Self.noContainer ? nil : Int(number) - 1
    }

    /// Returns the key at a position of a keyed container.
    @inlinable
    @inline(__always)
    package func key(_ position: Int, of container: Container) -> ViewID {
        ViewID(index: Int(keys[container.start + position]))
    }

    /// Returns the number of the container that is the key at a position; nil for a scalar, and for an element.
    package func containerKey(_ position: Int, of container: Container) -> Int? {
        container.kind.isKeyed && hasContainerKeys ? number(of: key(position, of: container)) : nil
    }

    /// The number of pairs whose keys are containers.
    package var containerKeyCount: Int {
        guard hasContainerKeys else { return 0 }
        return containers.reduce(0) { sum, container in
            sum + (0..<container.count).count { containerKey($0, of: container) != nil }
        }
    }

    /// Returns the value at a position of a container.
    @inlinable
    @inline(__always)
    package func value(_ position: Int, of container: Container) -> ViewID {
        ViewID(index: Int(values[container.start + position]))
    }

    /// Whether several slots refer to a container.
    package func isShared(_ id: ViewID) -> Bool {
        number(of: id).map { referenceCounts[$0] > 1 } ?? false
    }

    /// Returns the number of slots in which each of several values is the key or the value.
    package func slotCounts(of ids: Set<ViewID>) -> [ViewID: Int] {
        var counts: [ViewID: Int] = [:]
        guard !ids.isEmpty else { return counts }
        func note(_ id: ViewID) { if ids.contains(id) { counts[id, default: 0] += 1 } }
        for container in containers {
            for position in 0..<container.count {
                note(value(position, of: container))
                if container.kind.isKeyed { note(key(position, of: container)) }
            }
        }
        return counts
    }

    // MARK: Paths

    /// A step on the path from the root: a container number and a position in the container.
    package struct Step: Sendable {
        package let container: UInt32
        package let position: UInt32

        fileprivate init(_ container: Container, _ position: Int) {
            self.container = UInt32(truncatingIfNeeded: container.number)
            self.position = UInt32(truncatingIfNeeded: position)
        }
    }

    /// Returns a shortest path from the root to each of several values.
    ///
    /// A key has the path of its pair. Values that the root does not reach within `longest` steps are left out.
    package func paths(to ids: Set<ViewID>, longest: Int) -> [ViewID: [Step]] {
        let (last, entries) = firstSteps(to: ids)
        return last.compactMapValues { step in
            var steps = step.map { [$0] } ?? []
            while let first = steps.last, let outer = entries[Int(first.container)] {
                guard steps.count < longest else { return nil }
                steps.append(outer)
            }
            return steps.reversed()
        }
    }

    /// Returns the last step on the path to each value (nil for the root), and the first step found to each container.
    private func firstSteps(to ids: Set<ViewID>) -> (last: [ViewID: Step?], entries: [Step?]) {
        var last: [ViewID: Step?] = [:]
        var entries = [Step?](repeating: nil, count: containers.count)
        func noteStep(_ id: ViewID, at step: Step) {
            if let number = number(of: id), number > 0, entries[number] == nil { entries[number] = step }
            if ids.contains(id), last[id] == nil { last[id] = .some(step) }
        }
        if let root = containers.first?.id, ids.contains(root) { last[root] = .some(nil) }
        for container in containers {
            for position in 0..<container.count {
                let step = Step(container, position)
                noteStep(value(position, of: container), at: step)
                if container.kind.isKeyed { noteStep(key(position, of: container), at: step) }
            }
        }
        return (last, entries)
    }
}

/// A breadth-first walk of a view that collects its containers and their slots.
private struct ContainerGraphBuilder {
    private let view: ObjectView
    private(set) var containers: [ContainerGraph.Container] = []
    private(set) var keys: [UInt32] = []
    private(set) var values: [UInt32] = []
    private(set) var numbers: [UInt32]
    private(set) var referenceCounts: [UInt32] = []
    private(set) var hasContainerKeys = false
    /// The first slot for each list of stored contents, because millions of objects of an archive may share one list.
    private var starts: [ViewContents.StorageLocation: Int] = [:]

    init(_ view: ObjectView) {
        self.view = view
        numbers = [UInt32](repeating: 0, count: view.count)
        // Most objects are the value of exactly one slot, so their number is a good estimate.
        keys.reserveCapacity(view.document.count)
        values.reserveCapacity(view.document.count)
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
        if known == ContainerGraph.noContainer { return }
        if known > 0 { return referenceCounts[Int(known) - 1] &+= 1 }
        numbers[id.index] = ContainerGraph.noContainer
        guard let value = view.container(id), let kind = ContainerKind(value.variant) else { return }
        numbers[id.index] = UInt32(truncatingIfNeeded: containers.count + 1)
        containers.append(
            ContainerGraph.Container(
                number: containers.count, id: id, kind: kind, classPosition: value.classPosition, depth: depth,
                start: start(of: value.contents), count: value.contents.count))
        referenceCounts.append(1)
    }

    /// Returns the index of a container's first slot. Adds the slots, unless a container with the same stored contents
    /// has already added them.
    private mutating func start(of contents: ViewContents) -> Int {
        guard view.archive != nil, view.document.mayShareContainers, contents.count > 0 else { return note(contents) }
        if let start = starts[contents.storageLocation] { return start }
        let start = note(contents)
        starts[contents.storageLocation] = start
        return start
    }

    private mutating func note(_ contents: ViewContents) -> Int {
        let start = values.count
        let document = view.document
        // The stored references of a property list are the identities, so no item needs to be resolved.
        if view.archive == nil, case .pairs(let pairs, let omitted) = contents.source, omitted >= contents.count {
            for position in 0..<contents.count {
                keys.append(UInt32(truncatingIfNeeded: document.key(position, of: pairs).index))
                values.append(UInt32(truncatingIfNeeded: document.value(position, of: pairs).index))
            }
            return start
        }
        for position in 0..<contents.count {
            let item = view.item(position, of: contents)
            keys.append(UInt32(truncatingIfNeeded: item.key?.index ?? 0))
            values.append(UInt32(truncatingIfNeeded: item.id.index))
        }
        return start
    }

    /// Visits a key. Keys are never containers in a property list, and rarely in an archive.
    private mutating func enterKey(_ key: ViewID, depth: UInt32) {
        guard numbers[key.index] != ContainerGraph.noContainer else { return }
        enter(key, depth: depth)
        if numbers[key.index] != ContainerGraph.noContainer { hasContainerKeys = true }
    }
}
