import SaveCodec

/// What the root of a view reaches, in flat arrays: its containers, numbered breadth first from the root, and their slots.
///
///     {"a": [7, 8], "b": {}}     container   kind         slots       depth
///                                0 root      dictionary   a: 1, b: 2  0
///                                1 /a        array        7, 8        1
///                                2 /b        dictionary   -           1
///
/// A slot holds the identities of its key and of its value. Every container is looked into once, so that cycles end.
/// Objects that share what they hold share the slots, so that the graph is linear in what is stored. It is found once per
/// view, see ``ObjectView/graph``.
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
        @usableFromInline let start: Int
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
    @usableFromInline let keys: [UInt32]
    @usableFromInline let values: [UInt32]
    /// One more than the number of each container, by identity; of scalars zero, or ``noContainer`` once looked at.
    @usableFromInline let numbers: [UInt32]

    @inlinable static var noContainer: UInt32 { .max }

    init(_ view: ObjectView) {
        var reader = ObjectGraphReader(view)
        reader.run()
        containers = reader.containers
        referenceCounts = reader.referenceCounts
        hasContainerKeys = reader.hasContainerKeys
        (keys, values, numbers) = (reader.keys, reader.values, reader.numbers)
    }

    // Comparisons ask at every step, in another module.

    /// The number of slots, of which containers may share some.
    var slotCount: Int { values.count }

    /// The number of a container; nil for a scalar.
    @inlinable
    package func number(of id: ViewID) -> Int? {
        let number = numbers[id.index]
        return number == 0 || number == Self.noContainer ? nil : Int(number) - 1
    }

    /// The key at a position of a container that has keys.
    @inlinable
    package func key(_ position: Int, of container: Container) -> ViewID {
        ViewID(index: Int(keys[container.start + position]))
    }

    /// The value at a position of a container.
    @inlinable
    package func value(_ position: Int, of container: Container) -> ViewID {
        ViewID(index: Int(values[container.start + position]))
    }

    /// Whether the root leads to a value.
    func reaches(_ id: ViewID) -> Bool { numbers[id.index] != 0 }

    /// Whether several slots refer to a container.
    package func isShared(_ id: ViewID) -> Bool {
        number(of: id).map { referenceCounts[$0] > 1 } ?? false
    }

    // MARK: Paths

    /// A step of the way from the root: a position in a container, which is given by its number.
    package struct Step: Sendable {
        package let container: UInt32
        package let position: UInt32

        fileprivate init(_ container: Container, _ position: Int) {
            self.container = UInt32(truncatingIfNeeded: container.number)
            self.position = UInt32(truncatingIfNeeded: position)
        }
    }

    /// The shortest ways from the root to values, those of keys as those of the values under them; none for what the
    /// root does not reach, and for what is more than so many steps away.
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

    /// The last step of the way to each value, nil to the root, and for each container the step by which it is reached
    /// first.
    private func firstSteps(to ids: Set<ViewID>) -> (last: [ViewID: Step?], entries: [Step?]) {
        var last: [ViewID: Step?] = [:]
        var entries = [Step?](repeating: nil, count: containers.count)
        func meet(_ id: ViewID, at step: Step) {
            if let number = number(of: id), number > 0, entries[number] == nil { entries[number] = step }
            if ids.contains(id), last[id] == nil { last[id] = .some(step) }
        }
        if let root = containers.first?.id, ids.contains(root) { last[root] = .some(nil) }
        for container in containers {
            for position in 0..<container.count {
                let step = Step(container, position)
                meet(value(position, of: container), at: step)
                if container.kind.isKeyed { meet(key(position, of: container), at: step) }
            }
        }
        return (last, entries)
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
    /// Where the slots of stored contents start: objects of an archive may share them, millions of times over.
    private var starts: [ViewContents.Stored: Int] = [:]

    init(_ view: ObjectView) {
        self.view = view
        numbers = [UInt32](repeating: 0, count: view.count)
        // Most objects stand in a slot, and many in several.
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
        if known == ObjectGraph.noContainer { return }
        if known > 0 { return referenceCounts[Int(known) - 1] &+= 1 }
        numbers[id.index] = ObjectGraph.noContainer
        guard let value = view.container(id), let kind = ContainerKind(value.form) else { return }
        numbers[id.index] = UInt32(truncatingIfNeeded: containers.count + 1)
        containers.append(
            ObjectGraph.Container(
                number: containers.count, id: id, kind: kind, classPosition: value.classPosition, depth: depth,
                start: start(of: value.contents), count: value.contents.count))
        referenceCounts.append(1)
    }

    /// Where the slots of a container start, which are noted unless another one has the same.
    private mutating func start(of contents: ViewContents) -> Int {
        guard view.archive != nil, view.document.mayShareContainers, contents.count > 0 else { return note(contents) }
        if let start = starts[contents.stored] { return start }
        let start = note(contents)
        starts[contents.stored] = start
        return start
    }

    private mutating func note(_ contents: ViewContents) -> Int {
        let start = values.count
        let document = view.document
        // Of a property list the references themselves are the identities.
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

    /// A key is hardly ever a container, in no property list and in few archives.
    private mutating func enterKey(_ key: ViewID, depth: UInt32) {
        guard numbers[key.index] != ObjectGraph.noContainer else { return }
        enter(key, depth: depth)
        if numbers[key.index] != ObjectGraph.noContainer { hasContainerKeys = true }
    }
}
