package import KeyedArchives
package import SaveCodec

/// A writer that turns a draft into a document. It passes the new contents of containers and the new objects to a
/// ``DocumentEditor``.
///
/// Containers are written from a list and not recursively, so that deep nesting cannot overflow the stack.
struct DraftWriter: ~Copyable {
    var draft: Draft
    var editor: DocumentEditor
    /// The objects for values stored in place, by the index of the value.
    private var inPlace: [Int: ObjectID] = [:]
    private var pending: [(number: Int, object: ObjectID)] = []
    var numbers: ObjectNumbers
    /// The new and rewritten objects of the archive, by UID.
    var objects: [Int: ObjectID] = [:]
    /// The new objects that were referred to but have not been written.
    var queue: [(index: Int, uid: Int)] = []
    /// See ``KeyedArchive/hasClasslessDates``. Computed once, because it searches all objects.
    lazy var datesAreClassless = draft.view.archive?.hasClasslessDates ?? false

    var hasPending: Bool { !pending.isEmpty || !queue.isEmpty }

    init(_ draft: consuming Draft) {
        numbers = ObjectNumbers(draft)
        editor = DocumentEditor(draft.view.document)
        self.draft = draft
    }

    consuming func plainDocument(_ limits: Limits) throws(Problem) -> Document {
        // Origins matter only in a text, where members keep their positions. A binary file is laid out by objects.
        let isText = !draft.view.document.isFile
        var edits = draft.slotEdits.takeSorted()[...]
        for (index, number) in draft.values.editedContainers {
            try editMembers(&edits, before: index)
            let origins = isText ? draft.values.containers[number].origins : nil
            editor.setContents(of: ObjectID(index), to: try contents(of: number), origins: origins)
        }
        try editMembers(&edits, before: .max)
        editor.root = try object(inPlace: draft.root)
        try writePending()
        draft.values.removeAll()
        return try editor.finish(limits: limits)
    }

    /// Edits the members of containers that are not open, up to the container with the number `end`.
    private mutating func editMembers(_ edits: inout ArraySlice<SlotEdits.Edit>, before end: Int) throws(Problem) {
        var members: [DocumentEditor.MemberEdit] = []
        var next = edits.startIndex
        while next < edits.endIndex, case let container = edits[next].container, container < end {
            let run = edits[next...].prefix { $0.container == container }
            members.removeAll(keepingCapacity: true)
            members.reserveCapacity(run.count)
            for edit in run {
                let value =
                    edit.value == SlotEdits.Edit.removed ? nil : try object(inPlace: Draft.ID(index: Int(edit.value)))
                members.append(DocumentEditor.MemberEdit(position: Int(edit.position), value: value))
            }
            next = run.endIndex
            editor.editMembers(of: ObjectID(Int(container)), members)
        }
        edits = edits[next...]
    }

    /// Writes the contents of the in-place containers that were referred to.
    mutating func writePending() throws(Problem) {
        while let (number, object) = pending.popLast() {
            editor.setContents(of: object, to: try contents(of: number))
        }
    }

    /// Returns the contents of a stored container: its elements, or its keys and then its values.
    mutating func contents(of number: Int) throws(Problem) -> [ObjectID] {
        let container = draft.values.containers[number]
        var keys: [ObjectID] = []
        var values: [ObjectID] = []
        for slot in container.contents {
            if container.kind.isKeyed { keys.append(try key(of: slot)) }
            values.append(try value(of: slot))
        }
        return keys + values
    }

    /// Returns the stored key of a slot in a dictionary of the property list.
    mutating func key(of slot: DraftContainer.Slot) throws(Problem) -> ObjectID {
        if let stored = storedObject(slot.storedKey) { return stored }
        let key = Draft.ID(index: Int(slot.key))
        // A UID used as a key is not a reference.
        if key.index >= draft.view.count, case .uid(let uid)? = draft.scalar(key) { return editor.add { $0.add(uid) } }
        return try object(inPlace: key)
    }

    /// Returns the object that a slot refers to: the value itself if it is stored in place, otherwise a reference to
    /// it.
    mutating func value(of slot: DraftContainer.Slot) throws(Problem) -> ObjectID {
        if let stored = storedObject(slot.storedValue) { return stored }
        let id = Draft.ID(index: Int(slot.value))
        return slot.isInPlace ? try object(inPlace: id) : try reference(to: id)
    }

    /// Returns an object of the document by its index; nil for none, and for an object that only its view has.
    private func storedObject(_ index: UInt32) -> ObjectID? {
        index < UInt32(clamping: draft.view.document.original.count) ? ObjectID(Int(index)) : nil
    }

    /// Returns the object for a value stored in place. An object of a class cannot be in place, so a reference is
    /// returned instead.
    mutating func object(inPlace id: Draft.ID) throws(Problem) -> ObjectID {
        let view = draft.view
        if let stored = storedObject(UInt32(clamping: id.index)) { return stored }
        if let known = inPlace[id.index] { return known }
        let object: ObjectID
        if id.index < view.document.count {
            if let number = draft.open(id) {
                object = editor.addContainer(draft.values.containers[number].kind.stored)
                pending.append((number, object))
            } else {
                object = editor.add(view.document.object(ObjectID(id.index)), of: view.document)
            }
        } else if let viewID = draft.viewID(of: id) {
            guard let node = view.scalar(viewID) else { return try reference(to: id) }
            if case .date(let seconds) = node {
                // The archive may store the date as an NSDate, which holds a real.
                object = editor.add { $0.add(date: seconds) }
            } else {
                object = view.storedScalar(of: viewID) ?? editor.add { $0.addNull() }
            }
        } else {
            switch draft.values.added[id.index - view.count] {
            case .scalar(let scalar): object = try add(scalar)
            case .container(let number):
                let container = draft.values.containers[number]
                guard container.classNumber == nil else { return try reference(to: id) }
                object = editor.addContainer(container.kind.stored)
                pending.append((number, object))
            }
        }
        inPlace[id.index] = object
        return object
    }

    mutating func add(_ scalar: DraftScalar) throws(Problem) -> ObjectID {
        if case .uid = scalar.node, draft.view.archive != nil {
            throw Problem("edit.uid", "found a UID as a value; in an archive it would be a reference")
        }
        return editor.add { $0.add(scalar.node) }
    }
}

extension Draft {
    /// Returns the edited document, see ``editedView(limits:)``.
    package consuming func finish(limits: Limits = Limits()) throws(Problem) -> Document {
        try editedView(limits: limits).document
    }

    /// Returns the view of the edited document; without edits the original view.
    ///
    /// - Throws: A problem if the document cannot hold a value.
    package consuming func editedView(limits: Limits = Limits()) throws(Problem) -> ObjectView {
        applySlotEdits()
        let view = view
        guard !isUnchanged else { return view }
        try packAttributedStrings()
        guard let archive = view.archive else {
            let becomesPlainJSON = becomesPlainJSON
            let document = try DraftWriter(self).plainDocument(limits)
            return try view.edited(becomesPlainJSON ? document.asPlainJSON() ?? document : document, limits: limits)
        }
        // The result is checked like any archive, not assumed to be valid.
        return try view.edited(DraftWriter(self).archiveDocument(archive, limits), limits: limits)
    }

    /// The elements that the draft removes from arrays or inserts into them, see ``DifferenceOptions/namedElements``.
    package var namedElements: [ViewID: Sides<Set<Int>>] {
        var named: [ViewID: Sides<Set<Int>>] = [:]
        for (index, number) in values.editedContainers where values.containers[number].kind == .array {
            if let id = viewID(of: ID(index: index)) { named[id] = values.containers[number].namedElements }
        }
        return named
    }
}

extension ContainerKind {
    var stored: StoredObject.Kind {
        switch self {
        case .array: .array
        case .set: .set
        case .dictionary, .object: .dictionary
        }
    }
}
