import KeyedArchives
import SaveCodec

extension Draft {
    func isContainer(_ id: ID) -> Bool { scalar(id) == nil }

    /// Whether a value is a dictionary or an object.
    mutating func isKeyed(_ id: ID) -> Bool {
        switch value(id).variant {
        case .dictionary, .object: true
        case .scalar, .array, .set: false
        }
    }

    mutating func isArray(_ id: ID) -> Bool {
        guard case .array = value(id).variant else { return false }
        return true
    }

    /// Returns the size of the values that were added since `start`, counted in values and slots.
    func size(ofAddedFrom start: Int) -> Int {
        added[start...].reduce(0) { sum, new in
            guard case .container(let number) = new else { return sum + 1 }
            return sum + 1 + containers[number].count
        }
    }

    /// Returns the index of a container in ``containers``, after opening it if necessary; nil for a scalar.
    mutating func open(_ id: ID) -> Int? {
        if id.index >= view.count {
            guard case .container(let number) = added[id.index - view.count] else { return nil }
            return number
        }
        if let number = opened[id.index] { return number }
        guard let viewID = viewID(of: id), view.scalar(viewID) == nil else { return nil }
        if slotEdits.isSet(in: id) {
            openSetContainers()
            return opened[id.index]
        }
        guard var container = Self.container(viewID, of: view) else { return nil }
        container.isRaw = container.classNumber == nil && (view.uid(viewID) != nil || isWithinRaw(id.index))
        containers.append(container)
        opened[id.index] = containers.count - 1
        return containers.count - 1
    }

    /// Returns the index in ``containers`` of an opened or new container; nil for any other value.
    func openedNumber(_ index: Int) -> Int? {
        guard index >= view.count else { return opened[index] }
        guard case .container(let number) = added[index - view.count] else { return nil }
        return number
    }

    private static func container(_ id: ViewID, of view: ObjectView) -> DraftContainer? {
        func number(_ id: ViewID) -> UInt32 { UInt32(truncatingIfNeeded: id.index) }
        let value = view[id]
        guard let kind = ContainerKind(value.variant) else { return nil }
        var slots: [DraftContainer.Slot] = []
        slots.reserveCapacity(value.contents.count)
        for position in 0..<value.contents.count {
            let (key, stored) = view.storedItem(position, of: value.contents)
            var slot = DraftContainer.Slot(
                value: number(view.identity(of: stored)),
                isInPlace: view.archive == nil || view.document.object(stored).kind != .uid)
            slot.storedValue = UInt32(truncatingIfNeeded: stored.index)
            if let key {
                slot.key = number(view.identity(ofKey: key, in: value.contents))
                slot.storedKey = UInt32(truncatingIfNeeded: key.index)
            }
            slots.append(slot)
        }
        return DraftContainer(kind, classNumber: value.classPosition, slots: slots)
    }

    /// Whether a container is inside an object without a class.
    private mutating func isWithinRaw(_ index: Int) -> Bool {
        guard let archive = view.archive else { return false }
        if let known = rawContents { return known.contains(index) }
        var contents = Bitmap(count: view.document.count)
        var pending = (0..<archive.count).filter { archive.role(of: UID($0)) == .value }
            .map { archive.objectID(UID($0)) }
        while let id = pending.popLast() {
            let stored = view.document.object(id)
            for position in 0..<stored.referenceCount {
                let child = view.document.reference(position, of: stored)
                guard view.document.object(child).kind.isContainer, !contents.contains(child.index) else { continue }
                contents.insert(child.index)
                pending.append(child)
            }
        }
        rawContents = contents
        return contents.contains(index)
    }

    // MARK: Classes

    /// Returns the number of a value's class; nil for a plain value.
    mutating func classNumber(of id: ID) -> Int? {
        if let viewID = viewID(of: id), opened[id.index] == nil {
            return view.classPosition(of: viewID)
        }
        if let number = openedNumber(id.index) { return containers[number].classNumber }
        guard id.index >= view.count, case .scalar(let scalar) = added[id.index - view.count] else { return nil }
        return scalar.classNumber
    }
}

extension ArchiveClass {
    init(_ record: ClassRecord) {
        self.init(
            name: Array(record.name), chain: record.chain.map { $0.map { Array($0) } },
            hints: record.hints.map { $0.map { Array($0) } })
    }
}
