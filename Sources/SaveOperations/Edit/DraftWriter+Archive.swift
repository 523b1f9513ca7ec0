import KeyedArchives
import SaveCodec

/// Writing `$objects`, and the references to its objects.
extension DraftWriter {
    consuming func archiveDocument(_ archive: KeyedArchive, _ limits: Limits) throws(Problem) -> Document {
        let (base, stored) = (draft.view.document.count, draft.view.document.original.count)
        var rewritten: Set<Int> = []
        for (index, number) in draft.values.editedContainers where numbers.reached.contains(index) {
            // Containers that exist only in the view are not stored.
            if stored..<base ~= index { continue }
            if index < base {
                rewritten.insert(index)
                editor.setContents(of: ObjectID(index), to: try contents(of: number))
            } else {
                objects[index - base] = try object(of: number, instead: UID(index - base), archive)
            }
        }
        writeChangedClasses(archive)
        for (index, uid) in numbers.reserved { objects[uid] = try describe(index, archive) }
        let top = try writeTop(archive)
        try writeQueue(archive)
        keepOriginals(of: rewritten, archive)
        writeEnvelope(archive, top: top)
        draft.values.removeAll()
        return try editor.finish(limits: limits)
    }

    private mutating func writeQueue(_ archive: KeyedArchive) throws(Problem) {
        repeat {
            try writePending()
            while !queue.isEmpty {
                let batch = queue
                queue = []
                for (index, uid) in batch { objects[uid] = try describe(index, archive) }
            }
        } while hasPending
    }

    private mutating func writeTop(_ archive: KeyedArchive) throws(Problem) -> ObjectID? {
        guard draft.root.index != draft.view.root.index else { return nil }
        guard let number = draft.open(draft.root), draft.values.containers[number].kind == .dictionary,
            draft.values.containers[number].classNumber == nil
        else { throw Problem("edit.root", "the roots of an archive must be a dictionary; found another value") }
        return try object(inPlace: draft.root)
    }

    /// Copies the original contents of each rewritten container that is stored once but is both in `$objects` and in a
    /// field. The view treats it as two values, so an edit of the value in the field must not change the object.
    private mutating func keepOriginals(of rewritten: Set<Int>, _ archive: KeyedArchive) {
        guard !rewritten.isEmpty else { return }
        let document = draft.view.document
        for index in 0..<archive.count where objects[index] == nil && numbers.isTaken(index) {
            let id = archive.objectID(UID(index))
            guard rewritten.contains(id.index) else { continue }
            let stored = document.object(id)
            let copy = editor.addContainer(stored.kind)
            editor.setContents(of: copy, to: (0..<stored.referenceCount).map { document.reference($0, of: stored) })
            objects[index] = copy
        }
    }

    private mutating func writeEnvelope(_ archive: KeyedArchive, top: ObjectID?) {
        let null = archive.objectID(.null)
        var list = (0..<numbers.count).map { uid -> ObjectID? in
            if let object = objects[uid] { return object }
            return numbers.isTaken(uid) ? archive.objectID(UID(uid)) : nil
        }
        while list.last == .some(nil) { list.removeLast() }
        editor.setObjects(list.map { $0 ?? null }, top: top, of: archive)
    }

    // MARK: References

    /// Returns a reference to a value. A value that is not yet an object of the archive is added as one.
    mutating func reference(to id: Draft.ID) throws(Problem) -> ObjectID {
        let base = draft.view.document.count
        if id.index >= base, id.index < draft.view.count { return uid(id.index - base) }
        if draft.isNil(id.index) { return uid(0) }
        let (uid, isNew) = numbers.number(of: id.index)
        if isNew { queue.append((id.index, uid)) }
        return self.uid(uid)
    }

    private mutating func uid(_ number: Int) -> ObjectID {
        editor.add { $0.add(StoredUID(UInt32(truncatingIfNeeded: number))) }
    }

    private mutating func reference(toClass number: Int, _ archive: KeyedArchive) -> ObjectID {
        if number < archive.classes.count { return uid(archive.classes[number].uid.index) }
        let (uid, isNew) = numbers.number(ofClass: number)
        if isNew { objects[uid] = record(draft.classes[number]) }
        return self.uid(uid)
    }

    private mutating func record(_ className: ArchiveClass) -> ObjectID {
        var keys = [string("$classname")]
        var values = [string(className.name)]
        for (key, names) in [("$classes", className.chain), ("$classhints", className.hints)] {
            guard let names else { continue }
            keys.append(string(key))
            let list = editor.addContainer(.array)
            editor.setContents(of: list, to: names.map { string($0) })
            values.append(list)
        }
        return dictionary(keys, values)
    }

    /// Writes the changed class records, each at all UIDs that have it. Other members of a record stay.
    private mutating func writeChangedClasses(_ archive: KeyedArchive) {
        guard !draft.classes.changed.isEmpty else { return }
        var records: [Int: ObjectID] = [:]
        for index in 0..<archive.count where numbers.isTaken(index) {
            guard case .classRecord(let position) = archive.role(of: UID(index)),
                let className = draft.classes.changed[position]
            else { continue }
            let record = records[position] ?? self.record(className, insteadOf: archive.classes[position], archive)
            records[position] = record
            objects[index] = record
        }
    }

    private mutating func record(
        _ new: ArchiveClass, insteadOf record: ClassRecord, _ archive: KeyedArchive
    ) -> ObjectID {
        let document = draft.view.document
        let old = ArchiveClass(record)
        guard case .dictionary(let pairs) = document[archive.objectID(record.uid)] else { return self.record(new) }
        var (keys, values) = (pairs.map(\.key), pairs.map(\.value))
        func positions(of name: String) -> [Int] {
            keys.indices.filter { document.text(keys[$0])?.elementsEqual(name.utf16) ?? false }
        }
        if new.name != old.name {
            let name = string(new.name)
            for position in positions(of: "$classname") { values[position] = name }
        }
        for (key, before, after) in [("$classes", old.chain, new.chain), ("$classhints", old.hints, new.hints)] {
            guard let after, after != before else { continue }
            let positions = positions(of: key)
            let list = self.list(after, insteadOf: pairs.value(for: key.utf16))
            for position in positions { values[position] = list }
            guard positions.isEmpty else { continue }
            keys.append(string(key))
            values.append(list)
        }
        return dictionary(keys, values)
    }

    /// Adds a list of names that reuses the strings of the previous list.
    private mutating func list(_ names: [[UInt16]], insteadOf stored: ObjectID?) -> ObjectID {
        let document = draft.view.document
        var known: [[UInt16]: ObjectID] = [:]
        if let stored, case .array(let elements) = document[stored] {
            for element in elements { known[document.text(element).map { Array($0) } ?? []] = element }
        }
        let list = editor.addContainer(.array)
        editor.setContents(of: list, to: names.map { known[$0] ?? string($0) })
        return list
    }

    // MARK: Objects

    /// Adds the object of a value that was not an object of the archive before.
    private mutating func describe(_ index: Int, _ archive: KeyedArchive) throws(Problem) -> ObjectID {
        if let scalar = draft.values.newScalar(index) { return try object(of: scalar, archive) }
        let id = Draft.ID(index: index)
        guard let number = draft.open(id) else {
            return try object(of: DraftScalar(node: draft.view.document[ObjectID(index)]), archive)
        }
        return try object(of: number, instead: nil, archive)
    }

    private mutating func object(of scalar: DraftScalar, _ archive: KeyedArchive) throws(Problem) -> ObjectID {
        let node = scalar.node
        let value = try add(scalar)
        var number = scalar.classNumber
        if number == nil {
            switch node {
            case .date where !scalar.isRaw && !datesAreClassless: number = draft.classes.number(addingNamed: "NSDate")
            case .string(let text) where text.elementsEqual("$null".utf16):
                number = draft.classes.number(addingNamed: "NSMutableString")
            default: return value
            }
        }
        guard let number else { return value }
        let record = reference(toClass: number, archive)
        guard let (field, value) = field(for: node, value) else { return dictionary([string("$class")], [record]) }
        return dictionary([string(field), string("$class")], [value, record])
    }

    /// Returns the field and the value with which an object stores a scalar; nil if the class needs none.
    private mutating func field(for node: Node, _ value: ObjectID) -> (String, ObjectID)? {
        switch node {
        case .string: ("NS.string", value)
        case .data: ("NS.data", value)
        case .date(let seconds): ("NS.time", editor.add { $0.add(real64: seconds) })
        case .integer: ("NS.intval", value)
        case .real32, .real64: ("NS.dblval", value)
        case .boolean: ("NS.boolval", value)
        case .null, .uid, .array, .set, .dictionary: nil
        }
    }

    mutating func string(_ text: String) -> ObjectID {
        editor.add { $0.add(string: text) }
    }

    mutating func string(_ units: [UInt16]) -> ObjectID {
        editor.add { $0.add(utf16: units.span) }
    }

    mutating func dictionary(_ keys: [ObjectID], _ values: [ObjectID]) -> ObjectID {
        let object = editor.addContainer(.dictionary)
        editor.setContents(of: object, to: keys + values)
        return object
    }

    /// Adds the object of a container: a new object, or the edited version of the object with a UID.
    private mutating func object(
        of number: Int, instead uid: UID?, _ archive: KeyedArchive
    ) throws(Problem) -> ObjectID {
        let container = draft.values.containers[number]
        if container.isRaw {
            let object = editor.addContainer(container.kind.stored)
            editor.setContents(of: object, to: try contents(of: number))
            return object
        }
        let classNumber = container.classNumber ?? draft.classes.number(addingNamed: container.kind.className)
        let old = uid.flatMap { uid in draft.storedClass(of: draft.view.id(of: uid).index) }
        let record = old ?? reference(toClass: classNumber, archive)
        if container.kind == .object { return try fields(of: container, record: record, instead: uid, in: archive) }
        try draft.refuseNil(in: number)
        if isNumbered(container, ofClass: classNumber, instead: uid, in: archive) {
            return try numbered(container, record: record)
        }
        return try collection(of: container, record: record, instead: uid, in: archive)
    }

    /// Whether to store the elements of a collection in numbered fields. An edited collection keeps its layout; a new
    /// one has the layout that its class or archiver uses.
    private func isNumbered(
        _ container: DraftContainer, ofClass classNumber: Int, instead uid: UID?, in archive: KeyedArchive
    ) -> Bool {
        if case .numbered = KeyedArchive.layout(ofClass: draft.classes[classNumber].name) { return true }
        guard let uid else { return archive.numbersElements }
        return switch archive.encoding(of: uid) {
        case .elements, .pairs: false
        // An empty numbered collection would look like an object without fields in an archive of NSKeyedArchiver.
        case .numbered, .numberedPairs: archive.numbersElements || container.count > 0
        default: archive.numbersElements
        }
    }

    private mutating func fields(
        of container: DraftContainer, record: ObjectID, instead uid: UID?, in archive: KeyedArchive
    ) throws(Problem) -> ObjectID {
        var keys: [ObjectID] = []
        var values: [ObjectID] = []
        for slot in container.contents {
            keys.append(try key(of: slot))
            values.append(try value(of: slot))
        }
        var position = keys.count
        var name: ObjectID?
        if let uid {
            let stored = archive.stored(uid)
            let member = archive.classMember(of: uid)
            name = draft.view.document.key(member, of: stored)
            if member < stored.count - 1 { position = min(member, position) }
        }
        keys.insert(name ?? string("$class"), at: position)
        values.insert(record, at: position)
        return dictionary(keys, values)
    }

    /// Adds a collection that stores its elements in arrays.
    private mutating func collection(
        of container: DraftContainer, record: ObjectID, instead uid: UID?, in archive: KeyedArchive
    ) throws(Problem) -> ObjectID {
        var names = ["NS.objects", "$class"]
        var values = [record]
        if container.kind == .dictionary {
            names.insert("NS.keys", at: 0)
            values.insert(try list(of: container, stored: \.storedKey, value: \.key), at: 0)
        }
        values.insert(try list(of: container, stored: \.storedValue, value: \.value), at: values.count - 1)
        guard let uid, case let stored = archive.stored(uid), stored.count == names.count else {
            return dictionary(names.map { string($0) }, values)
        }
        // Keep the order of the original members.
        let document = draft.view.document
        var keys: [ObjectID] = []
        var ordered: [ObjectID] = []
        for position in 0..<stored.count {
            let key = document.key(position, of: stored)
            guard let name = names.firstIndex(where: { document.text(key)?.elementsEqual($0.utf16) ?? false }) else {
                continue
            }
            keys.append(key)
            ordered.append(values[name])
        }
        return keys.count == names.count ? dictionary(keys, ordered) : dictionary(names.map { string($0) }, values)
    }

    private mutating func list(
        of container: DraftContainer, stored: (DraftContainer.Slot) -> UInt32, value: (DraftContainer.Slot) -> UInt32
    ) throws(Problem) -> ObjectID {
        var references: [ObjectID] = []
        for slot in container.contents { references.append(try reference(stored(slot), value(slot))) }
        let array = editor.addContainer(.array)
        editor.setContents(of: array, to: references)
        return array
    }

    private mutating func reference(_ stored: UInt32, _ value: UInt32) throws(Problem) -> ObjectID {
        if stored != DraftContainer.Slot.none, draft.view.document.object(ObjectID(Int(stored))).kind == .uid {
            return ObjectID(Int(stored))
        }
        return try reference(to: Draft.ID(index: Int(value)))
    }

    /// Adds a collection that stores its elements in numbered fields.
    private mutating func numbered(_ container: DraftContainer, record: ObjectID) throws(Problem) -> ObjectID {
        var keys: [ObjectID] = []
        var values: [ObjectID] = []
        for (position, slot) in container.contents.enumerated() {
            if container.kind == .dictionary {
                keys.append(string("NS.key.\(position)"))
                values.append(try reference(slot.storedKey, slot.key))
            }
            keys.append(string("NS.object.\(position)"))
            values.append(try reference(slot.storedValue, slot.value))
        }
        return dictionary(keys + [string("$class")], values + [record])
    }
}

extension Draft {
    /// Refuses a new nil in a collection, which no unarchiver accepts.
    fileprivate mutating func refuseNil(in number: Int) throws(Problem) {
        guard !acceptsNil else { return }
        let position = values.containers[number].contents.firstIndex { slot in
            slot.storedValue == DraftContainer.Slot.none && isNil(Int(slot.value))
        }
        guard let position else { return }
        throw Problem(
            "edit.nil", "a collection of an archive cannot contain nil; use {\"$class\": \"NSNull\"}",
            address: address(ofSlot: position, of: number))
    }

    /// Returns a shortest address of a slot; the root if no address leads to it. Takes a walk through the draft.
    private mutating func address(ofSlot position: Int, of number: Int) -> JSONPointer {
        var origins: [Int: (container: ID, position: Int)] = [:]
        var queue = [root]
        var next = 0
        while next < queue.count {
            let container = queue[next]
            next += 1
            guard open(container) != number else {
                var steps = [(container: container, position: position)]
                while let last = steps.last, let origin = origins[last.container.index] { steps.append(origin) }
                var address = JSONPointer.root
                for step in steps.reversed() { append(slot: step.position, of: step.container, to: &address) }
                return address
            }
            for position in 0..<value(container).count {
                guard let value = item(position, of: container)?.value, value != root, isContainer(value),
                    origins[value.index] == nil
                else { continue }
                origins[value.index] = (container, position)
                queue.append(value)
            }
        }
        return .root
    }
}

extension ContainerKind {
    /// The class of Foundation for new containers.
    var className: String {
        switch self {
        case .array: "NSArray"
        case .set: "NSSet"
        case .dictionary, .object: "NSDictionary"
        }
    }
}

extension KeyedArchive {
    /// Whether dates are in `$objects` without a class, as GNUstep writes them.
    var hasClasslessDates: Bool {
        let hasClass = classes.contains { $0.name.elementsEqual("NSDate".utf16) }
        return !hasClass && (0..<count).contains { stored(UID($0)).kind == .date }
    }
}
