import KeyedArchives
import SaveCodec

/// The values of a draft, by number: the values of its view, followed by new ones.
///
/// A container of the view is opened when it is first edited, or read slot by slot: its slots are copied into a
/// ``DraftContainer``. A new container is open from the start.
struct DraftValues: ~Copyable {
    /// A value that is not in the view.
    enum NewValue {
        case scalar(DraftScalar)
        /// A container, as an index of ``containers``.
        case container(Int)
    }

    private let view: ObjectView
    private(set) var added: [NewValue] = []
    /// The open containers.
    var containers: [DraftContainer] = []
    /// The index in ``containers`` of each opened container of the view.
    private var opened: NumberTable
    /// The containers stored in place inside objects without a class; nil until needed.
    private var rawContents: Bitmap?
    /// The number of containers, copies and values that edits add, plus the number of their slots.
    var addedSize = 0
    /// The memory in bytes that each unit of ``addedSize`` counts for.
    private static let bytesOfSlot = 8

    init(_ view: ObjectView) {
        self.view = view
        opened = NumberTable(count: view.count)
    }

    // MARK: Looking

    /// Returns the value of the view for a value of the draft; nil for a new value.
    func viewID(of id: Draft.ID) -> ViewID? {
        if id.index < view.document.count { return view.id(stored: ObjectID(id.index)) }
        guard view.archive != nil, id.index < view.count else { return nil }
        return view.id(of: UID(id.index - view.document.count))
    }

    /// Returns a scalar, or nil for a container.
    func scalar(_ id: Draft.ID) -> Node? {
        if let id = viewID(of: id) { return view.scalar(id) }
        guard case .scalar(let scalar) = added[id.index - view.count] else { return nil }
        return scalar.node
    }

    /// Returns a new scalar; nil for any other value.
    func newScalar(_ index: Int) -> DraftScalar? {
        guard index >= view.count, case .scalar(let scalar) = added[index - view.count] else { return nil }
        return scalar
    }

    /// Returns the index in ``containers`` of an opened or new container; nil for any other value.
    func openedNumber(_ index: Int) -> Int? {
        guard index >= view.count else { return opened[index] }
        guard case .container(let number) = added[index - view.count] else { return nil }
        return number
    }

    /// The numbers of the view's containers that were edited, with their indices in ``containers``, in the order of the
    /// view.
    var editedContainers: [(index: Int, number: Int)] {
        opened.entries.compactMap { index in
            opened[index].flatMap { containers[$0].isEdited ? (index, $0) : nil }
        }
    }

    // MARK: Adding

    mutating func add(_ scalar: DraftScalar) -> Draft.ID {
        added.append(.scalar(scalar))
        return Draft.ID(index: view.count + added.count - 1)
    }

    mutating func add(_ container: DraftContainer) -> Draft.ID {
        var container = container
        container.isEdited = true
        containers.append(container)
        added.append(.container(containers.count - 1))
        return Draft.ID(index: view.count + added.count - 1)
    }

    /// Returns the size of the values that were added since `start`, counted in values and slots.
    func size(ofAddedFrom start: Int) -> Int {
        added[start...].reduce(0) { sum, new in
            guard case .container(let number) = new else { return sum + 1 }
            return sum + 1 + containers[number].count
        }
    }

    /// The memory in bytes that the added values count for.
    var addedByteCount: Int { addedSize.multipliedSaturated(by: Self.bytesOfSlot) }

    /// Frees the values. After very many edits they need more memory than the document.
    mutating func removeAll() {
        (containers, added) = ([], [])
    }

    // MARK: Opening

    /// Opens a container of the view that is not open.
    ///
    /// - Returns: Its index in ``containers``; nil for any other value.
    mutating func open(_ id: Draft.ID) -> Int? {
        guard let viewID = viewID(of: id), view.scalar(viewID) == nil,
            var container = Self.container(viewID, of: view)
        else { return nil }
        container.isRaw = container.classNumber == nil && (view.uid(viewID) != nil || isWithinRaw(id.index))
        containers.append(container)
        opened[id.index] = containers.count - 1
        return containers.count - 1
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
}
