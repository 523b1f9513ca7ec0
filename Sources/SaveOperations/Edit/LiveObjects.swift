import KeyedArchives
import SaveCodec

/// The values of a draft of an archive that are reached: from the roots, and from objects that nothing referred to
/// before the edits either.
struct LiveObjects {
    private(set) var reached: Bitmap
    private var queue: [Int] = []

    init(_ draft: borrowing Draft, _ archive: KeyedArchive) {
        let view = draft.view
        var before = LiveObjects(count: view.count)
        before.walk(from: view.root.index, draft, archive, edited: false)
        self.init(count: view.count + draft.added.count)
        walk(from: draft.root.index, draft, archive, edited: true)
        for uid in 0..<archive.count where !before.reached.contains(view.document.count + uid) {
            walk(from: view.document.count + uid, draft, archive, edited: true)
        }
    }

    private init(count: Int) {
        reached = Bitmap(count: count)
    }

    private mutating func walk(from root: Int, _ draft: borrowing Draft, _ archive: KeyedArchive, edited: Bool) {
        visit(root)
        while let index = queue.popLast() {
            if edited, let number = draft.openedNumber(index), draft.containers[number].isEdited {
                visitContents(of: draft.containers[number], index, draft, archive)
            } else if index < draft.view.count {
                visitStored(index, draft, archive)
            } else if case .scalar(let scalar) = draft.added[index - draft.view.count] {
                visit(class: scalar.classNumber, draft, archive)
            }
        }
    }

    private mutating func visitContents(
        of container: DraftContainer, _ index: Int, _ draft: borrowing Draft, _ archive: KeyedArchive
    ) {
        for slot in container.contents {
            visit(Int(slot.value))
            if slot.key != DraftContainer.Slot.none { visit(Int(slot.key)) }
        }
        visit(class: container.classNumber, draft, archive)
        guard let record = draft.storedClass(of: index) else { return }
        visit(draft.view.identity(of: record).index)
    }

    private mutating func visitStored(_ index: Int, _ draft: borrowing Draft, _ archive: KeyedArchive) {
        let view = draft.view
        guard let id = draft.viewID(of: Draft.ID(index: index)) else { return }
        let stored = view.document.object(view.stored(id))
        for position in 0..<stored.referenceCount {
            let child = view.document.reference(position, of: stored)
            let kind = view.document.object(child).kind
            if kind == .uid || kind.isContainer { visit(view.identity(of: child).index) }
        }
    }

    private mutating func visit(class number: Int?, _ draft: borrowing Draft, _ archive: KeyedArchive) {
        guard let number, number < archive.classes.count else { return }
        visit(draft.view.id(of: archive.classes[number].uid).index)
    }

    private mutating func visit(_ index: Int) {
        guard !reached.contains(index) else { return }
        reached.insert(index)
        queue.append(index)
    }
}

extension Draft {
    /// The stored reference of an object to its class, as long as it is of that class; nil for all other values.
    func storedClass(of index: Int) -> ObjectID? {
        guard let archive = view.archive, let id = viewID(of: ID(index: index)), let uid = view.uid(id),
            let position = archive.classPosition(of: uid)
        else { return nil }
        if let number = opened[index], containers[number].classNumber != position { return nil }
        return view.document.value(archive.classMember(of: uid), of: archive.stored(uid))
    }
}
