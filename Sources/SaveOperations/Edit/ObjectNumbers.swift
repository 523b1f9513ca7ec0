import KeyedArchives
import SaveCodec

/// The UIDs of an edited archive, for kept objects and for new objects.
struct ObjectNumbers {
    /// The UIDs of new objects, by the index of the value.
    private var numbers: [Int: Int] = [:]
    private var classes: [Int: Int] = [:]
    /// The free UIDs, the lowest last.
    private var free: [Int] = []
    private var isTaken: [Bool]
    /// The values that are kept, by index; see ``KeptObjects``.
    private(set) var reached: Bitmap

    init(_ draft: borrowing Draft) {
        guard let archive = draft.view.archive else {
            isTaken = []
            reached = Bitmap(count: 0)
            return
        }
        let base = draft.view.document.count
        let live = KeptObjects(draft, archive).reached
        isTaken = (0..<archive.count).map { $0 == 0 || live.contains(base + $0) }
        reached = live
        free = (0..<archive.count).filter { [isTaken] in !isTaken[$0] }.reversed()
        reuseReplacedNumbers(draft)
    }

    /// Gives a new value the UID of the object whose reference it replaces, if that object is removed.
    private mutating func reuseReplacedNumbers(_ draft: borrowing Draft) {
        let view = draft.view
        for (index, number) in draft.values.editedContainers where reached.contains(index) {
            for slot in draft.values.containers[number].contents
            where slot.replaced != DraftContainer.Slot.none && !slot.isInPlace && Int(slot.value) >= view.count {
                let before = view.document.object(ObjectID(Int(slot.replaced)))
                guard before.kind == .uid, numbers[Int(slot.value)] == nil, !draft.isNil(Int(slot.value)),
                    case let uid = Int(view.document.uid(before)), !isTaken[uid]
                else { continue }
                isTaken[uid] = true
                numbers[Int(slot.value)] = uid
            }
        }
    }

    /// The number of objects in the archive.
    var count: Int { isTaken.count }

    func isTaken(_ uid: Int) -> Bool { isTaken[uid] }

    /// The values whose UIDs are fixed before any reference to them is written.
    var reserved: [(index: Int, uid: Int)] { numbers.map { ($0.key, $0.value) }.sorted { $0.1 < $1.1 } }

    /// Returns the UID of a value, and whether it was assigned just now.
    mutating func number(of index: Int) -> (uid: Int, isNew: Bool) {
        if let uid = numbers[index] { return (uid, false) }
        let uid = next()
        numbers[index] = uid
        return (uid, true)
    }

    /// Returns the UID of a new class, and whether it was assigned just now.
    mutating func number(ofClass number: Int) -> (uid: Int, isNew: Bool) {
        if let uid = classes[number] { return (uid, false) }
        let uid = next()
        classes[number] = uid
        return (uid, true)
    }

    private mutating func next() -> Int {
        while let uid = free.popLast() {
            guard !isTaken[uid] else { continue }
            isTaken[uid] = true
            return uid
        }
        isTaken.append(true)
        return isTaken.count - 1
    }
}

extension Draft {
    /// Whether a new value is nil, which is not stored as an object.
    func isNil(_ index: Int) -> Bool {
        guard let scalar = values.newScalar(index), scalar.classNumber == nil, case .null = scalar.node else {
            return false
        }
        return true
    }
}

/// The values of an archive's draft that are kept. They are reachable from the roots, or from objects that were already
/// unreachable before the edits.
private struct KeptObjects {
    private(set) var reached: Bitmap
    /// The number of values. A UID used as a field name is not a reference, and may exceed it.
    private let count: Int
    private var queue: [Int] = []

    init(_ draft: borrowing Draft, _ archive: KeyedArchive) {
        let view = draft.view
        self.init(count: view.count + draft.values.added.count)
        walk(from: draft.root.index, draft, archive, edited: true)
        // Most edits make no object unreachable. `$null` stays even without references.
        let rest = (0..<archive.count).filter { uid in
            !reached.contains(view.document.count + uid)
                && (uid > 0 || view.document.object(archive.objectID(.null)).kind.isContainer)
        }
        guard !rest.isEmpty else { return }
        var before = KeptObjects(count: view.count)
        before.walk(from: view.root.index, draft, archive, edited: false)
        for uid in rest where !before.reached.contains(view.document.count + uid) {
            walk(from: view.document.count + uid, draft, archive, edited: true)
        }
    }

    private init(count: Int) {
        self.count = count
        reached = Bitmap(count: count)
    }

    private mutating func walk(from root: Int, _ draft: borrowing Draft, _ archive: KeyedArchive, edited: Bool) {
        visit(root)
        while let index = queue.popLast() {
            if edited, let number = draft.openedNumber(index), draft.values.containers[number].isEdited {
                visitContents(of: draft.values.containers[number], at: index, in: draft, archive)
            } else if index < draft.view.count {
                visitStored(index, in: draft)
            } else if let scalar = draft.values.newScalar(index) {
                let known = scalar.isRaw ? nil : draft.knownClass(of: scalar.node)
                visit(class: scalar.classNumber ?? known, in: draft, archive)
            }
        }
    }

    private mutating func visitContents(
        of container: DraftContainer, at index: Int, in draft: borrowing Draft, _ archive: KeyedArchive
    ) {
        for slot in container.contents {
            visit(Int(slot.value))
            if slot.storedKey != DraftContainer.Slot.none {
                visit(draft.view.identity(of: ObjectID(Int(slot.storedKey))).index)
            } else if slot.key != DraftContainer.Slot.none {
                visit(Int(slot.key))
            }
        }
        let isPlain = container.isRaw || index == draft.root.index
        visit(
            class: container.classNumber ?? (isPlain ? nil : draft.knownClass(named: container.kind.className)),
            in: draft, archive)
        guard let record = draft.storedClass(of: index) else { return }
        visit(draft.view.identity(of: record).index)
    }

    private mutating func visitStored(_ index: Int, in draft: borrowing Draft) {
        let view = draft.view
        guard let id = draft.viewID(of: Draft.ID(index: index)) else { return }
        let stored = view.document.object(view.stored(id))
        for position in 0..<stored.referenceCount {
            let child = view.document.reference(position, of: stored)
            let kind = view.document.object(child).kind
            if kind == .uid || kind.isContainer { visit(view.identity(of: child).index) }
        }
    }

    private mutating func visit(class number: Int?, in draft: borrowing Draft, _ archive: KeyedArchive) {
        guard let number, number < archive.classes.count else { return }
        visit(draft.view.id(of: archive.classes[number].uid).index)
    }

    private mutating func visit(_ index: Int) {
        guard index < count, !reached.contains(index) else { return }
        reached.insert(index)
        queue.append(index)
    }
}

extension Draft {
    /// Returns the archive's class for a new scalar that is stored as an object; nil if the archive does not have the
    /// class.
    fileprivate func knownClass(of node: Node) -> Int? {
        switch node {
        case .date: knownClass(named: "NSDate")
        case .string(let text) where text.elementsEqual("$null".utf16): knownClass(named: "NSMutableString")
        default: nil
        }
    }

    fileprivate func knownClass(named name: String) -> Int? { classes.number(ofStored: Array(name.utf16)) }

    /// Returns the stored reference of an object to its class, unless the draft changes the class; nil for any other
    /// value.
    func storedClass(of index: Int) -> ObjectID? {
        guard let archive = view.archive, let id = viewID(of: ID(index: index)), let uid = view.uid(id),
            let position = archive.classPosition(of: uid)
        else { return nil }
        if let number = openedNumber(index), values.containers[number].classNumber != position { return nil }
        return view.document.value(archive.classMember(of: uid), of: archive.stored(uid))
    }
}
