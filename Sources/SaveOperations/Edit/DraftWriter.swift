package import KeyedArchives
package import SaveCodec

/// Makes a document of a draft: tells the editor what containers hold now, and which objects are new.
///
/// What a container refers to is written after it, from a list, so that no depth can overflow the stack.
struct DraftWriter: ~Copyable {
    var draft: Draft
    var editor: DocumentEditor
    /// The objects that new values stored in place are.
    private var inPlace: [Int: ObjectID] = [:]
    private var pending: [(number: Int, object: ObjectID)] = []
    /// The numbers of objects in the archive.
    var numbers: ObjectNumbers
    /// The objects of the archive that are new or rewritten, by UID.
    var objects: [Int: ObjectID] = [:]
    /// New objects that have been referred to and are yet to be written.
    var queue: [(index: Int, uid: Int)] = []
    /// See ``KeyedArchive/hasPlainDates``; found out once, by a search of all objects.
    lazy var datesArePlain = draft.view.archive?.hasPlainDates ?? false

    var hasPending: Bool { !pending.isEmpty || !queue.isEmpty }

    init(_ draft: consuming Draft) {
        numbers = ObjectNumbers(draft)
        editor = DocumentEditor(draft.view.document)
        self.draft = draft
    }

    /// The document of a draft of a plain one.
    consuming func plainDocument(_ limits: Limits) throws(Problem) -> Document {
        // A binary file is laid out by objects; of a text, members keep their place.
        let isText = !draft.view.document.isFile
        for (index, number) in draft.editedContainers {
            let origins = isText ? draft.containers[number].origins : nil
            editor.setContents(of: ObjectID(index), to: try contents(of: number), origins: origins)
        }
        editor.root = try object(inPlace: draft.root)
        try writePending()
        draft.removeContents()
        return try editor.finish(limits: limits)
    }

    /// Writes the containers in place that have been referred to.
    mutating func writePending() throws(Problem) {
        while let (number, object) = pending.popLast() {
            editor.setContents(of: object, to: try contents(of: number))
        }
    }

    /// What a container holds that is one of the property list: elements, or keys and values.
    mutating func contents(of number: Int) throws(Problem) -> [ObjectID] {
        let container = draft.containers[number]
        var keys: [ObjectID] = []
        var values: [ObjectID] = []
        for slot in container.contents {
            if container.kind.isKeyed { keys.append(try key(of: slot)) }
            values.append(try value(of: slot))
        }
        return keys + values
    }

    /// The key that a slot has in a dictionary of the property list.
    mutating func key(of slot: DraftContainer.Slot) throws(Problem) -> ObjectID {
        if slot.storedKey != DraftContainer.Slot.none { return ObjectID(Int(slot.storedKey)) }
        let key = Draft.ID(index: Int(slot.key))
        // As a key a UID is no reference.
        if key.index >= draft.view.count, case .uid(let uid)? = draft.scalar(key) { return editor.add { $0.add(uid) } }
        return try object(inPlace: key)
    }

    /// The value of a slot: what is stored for it, or its reference.
    mutating func value(of slot: DraftContainer.Slot) throws(Problem) -> ObjectID {
        if slot.storedValue != DraftContainer.Slot.none { return ObjectID(Int(slot.storedValue)) }
        let id = Draft.ID(index: Int(slot.value))
        return slot.isInPlace ? try object(inPlace: id) : try reference(to: id)
    }

    /// The object that a value is in place. An object of a class cannot be; it is referred to.
    mutating func object(inPlace id: Draft.ID) throws(Problem) -> ObjectID {
        let view = draft.view
        if id.index < view.document.count { return ObjectID(id.index) }
        if let known = inPlace[id.index] { return known }
        let object: ObjectID
        if let viewID = draft.viewID(of: id) {
            guard let node = view.scalar(viewID) else { return try reference(to: id) }
            if case .date(let seconds) = node {
                // An NSDate holds a real.
                object = editor.add { $0.add(date: seconds) }
            } else {
                object = view.storedScalar(of: viewID) ?? editor.add { $0.addNull() }
            }
        } else {
            switch draft.added[id.index - view.count] {
            case .scalar(let scalar): object = try add(scalar)
            case .container(let number):
                let container = draft.containers[number]
                guard container.classNumber == nil else { return try reference(to: id) }
                object = editor.addContainer(container.kind.stored)
                pending.append((number, object))
            }
        }
        inPlace[id.index] = object
        return object
    }

    /// The stored object of a new scalar.
    mutating func add(_ scalar: DraftScalar) throws(Problem) -> ObjectID {
        if case .uid = scalar.node, draft.view.archive != nil {
            throw Problem("edit.uid", "a UID as a value, which would be a reference in an archive")
        }
        return editor.add { $0.add(scalar.node) }
    }
}

extension Draft {
    /// Forgets what has been written: of an edit of very many places that is more than the document.
    mutating func removeContents() {
        (containers, added) = ([], [])
    }

    /// The document as edited, see ``editedView(limits:)``.
    package consuming func finish(limits: Limits = Limits()) throws(Problem) -> Document {
        try editedView(limits: limits).document
    }

    /// The save as edited; without an edit the view itself.
    ///
    /// - Throws: a problem for what the document cannot hold.
    package consuming func editedView(limits: Limits = Limits()) throws(Problem) -> ObjectView {
        removeNoted()
        let view = view
        guard !isUnchanged else { return view }
        guard let archive = view.archive else {
            let becomesPlainJSON = becomesPlainJSON
            let document = try DraftWriter(self).plainDocument(limits)
            return try view.edited(becomesPlainJSON ? document.asPlainJSON() ?? document : document, limits: limits)
        }
        // What every archive promises is checked, not assumed.
        return try view.edited(DraftWriter(self).archiveDocument(archive, limits), limits: limits)
    }

    /// The containers of the view that differ from it, by their index and their number, in the order of the view.
    var editedContainers: [(index: Int, number: Int)] {
        opened.entries.compactMap { index in
            opened[index].flatMap { containers[$0].isEdited ? (index, $0) : nil }
        }
    }
}

extension ContainerKind {
    /// The container of the property list that holds the contents.
    var stored: StoredObject.Kind {
        switch self {
        case .array: .array
        case .set: .set
        case .dictionary, .object: .dictionary
        }
    }
}
