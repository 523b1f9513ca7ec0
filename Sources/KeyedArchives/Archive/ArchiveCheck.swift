package import SaveCodec

/// Finds what each object of an archive is, and everything that is wrong with one (<doc:ArchiveFindings>).
///
/// Linear in the size of the property list written out as a tree, which ``KeyedArchive`` bounds before.
struct ArchiveCheck {
    let document: Document
    let envelope: Envelope
    private(set) var classes: [ClassRecord] = []
    private(set) var entries: [Entry]
    /// Finds how the objects are encoded.
    private(set) var encodings: EncodingReader
    /// What no unarchiver can get over.
    private(set) var faults = ProblemList()
    /// What one can.
    private(set) var remarks = ProblemList()
    /// What no archiver writes, so that nothing but the property list holds it.
    private(set) var unwritable = LossList()
    /// The positions in ``classes`` of the objects of the property list that are records, which may stand in `$objects`
    /// at any number of UIDs.
    private var recordPositions: [ObjectID: Int32] = [:]
    /// The first record of each name.
    private var namedRecords: [[UInt16]: UID] = [:]

    /// The objects whose fields are not known to be right as soon as it is known how they are encoded.
    private var suspects: Bitmap
    /// The positions of `$class` in objects that were looked at last: those of one class refer to the very same keys.
    private var keySets: RecentKeySets
    private var classMembers = [ClassMembers?](repeating: nil, count: RecentKeySets.slotCount)

    /// Whether numbers were read as UIDs that no UID can be, so that those refer to anything.
    private let hasWrongUIDs: Bool

    /// - Parameter faults: those of the envelope.
    init(_ document: Document, _ envelope: Envelope, faults: [Problem] = []) {
        self.document = document
        self.envelope = envelope
        entries = [Entry](repeating: .value, count: envelope.objects.count)
        suspects = Bitmap(count: entries.count)
        keySets = RecentKeySets(document)
        encodings = EncodingReader(document, archiver: envelope.archiver)
        hasWrongUIDs = document.warnings.contains { $0.kind == .xmlUID }
        for fault in faults { self.faults.add(fault) }
        for member in envelope.others { noteUnwritable { .memberUnknown(member, in: document) } }
        for member in envelope.repeats { noteUnwritable { .memberRepeated(member) } }
    }

    mutating func run() {
        for index in entries.indices { readClassRecord(UID(index)) }
        for index in entries.indices { classify(UID(index)) }
        checkReferences(in: envelope.top) { JSONPointer(tokens: [Array("$top".utf16)]) }
        checkReading()
        checkFields()
    }

    /// What XML has for a UID may be a number that no UID can be. As a property list the document can be read all the
    /// same, as Foundation reads it; an archive would then refer to another object than was written.
    private mutating func checkReading() {
        for warning in document.warnings where warning.kind == .xmlUID { report(.uidNumber(at: warning.place)) }
    }

    func object(_ uid: UID) -> ObjectID {
        document.reference(uid.index, of: envelope.objects)
    }

    /// An object of the document as problems report it.
    func reported(_ id: ObjectID, at address: JSONPointer) -> ReportedObject {
        ReportedObject(id, of: document, address: address)
    }

    private mutating func report(_ fault: Problem) {
        faults.add(fault)
    }

    private mutating func noteUnwritable(_ problem: () -> Problem) {
        unwritable.add { problem() }
        if remarks.admits(.warning) { remarks.append(problem()) }
    }

    // MARK: Classes

    /// Notes the class record at a UID, if there is one: a dictionary with a class's name and no class of its own.
    private mutating func readClassRecord(_ uid: UID) {
        let stored = document.object(object(uid))
        guard stored.kind == .dictionary, classMembers(of: stored).count == 0 else { return }
        if let position = recordPositions[object(uid)] {
            entries[uid.index] = .classRecord(position)
            return remarkOnName(of: classes[Int(position)], at: uid)
        }
        guard let name = document.value(for: "$classname", of: stored) else { return checkNamed(uid, stored) }
        guard let text = document.text(name) else {
            entries[uid.index] = .broken
            return report(.classNameKind(at: reported(name, at: .object(uid, "$classname"))))
        }
        let chain = names("$classes", of: stored, uid)
        let hints = names("$classhints", of: stored, uid)
        let record = ClassRecord(uid: uid, name: text, storedName: name, chain: chain, hints: hints)
        guard let position = Int32(exactly: classes.count) else {
            entries[uid.index] = .broken
            return report(.classRecordsTooMany(at: reported(object(uid), at: .object(uid))))
        }
        recordPositions[object(uid)] = position
        entries[uid.index] = .classRecord(position)
        classes.append(record)
        remark(on: record, stored)
    }

    /// A dictionary with a chain but no name was meant as a class record.
    private mutating func checkNamed(_ uid: UID, _ stored: StoredObject) {
        guard document.value(for: "$classes", of: stored) != nil else { return }
        entries[uid.index] = .broken
        report(.classNameMissing(at: reported(object(uid), at: .object(uid))))
    }

    /// A list of names in a class record; nil where there is none.
    private mutating func names(_ key: StaticString, of record: StoredObject, _ uid: UID) -> NameList? {
        guard let list = document.value(for: key, of: record) else { return nil }
        let names = document.object(list)
        guard names.kind == .array else {
            report(.classNamesKind(key, at: reported(list, at: .object(uid, key))))
            return nil
        }
        for position in 0..<names.count
        where !document.object(document.reference(position, of: names)).kind.isString {
            report(.classNamesElement(key, at: reported(list, at: .object(uid, key))))
            return nil
        }
        return NameList(document, names)
    }

    private mutating func remark(on record: ClassRecord, _ stored: StoredObject) {
        let id = object(record.uid)
        if let chain = record.chain {
            if chain.first.map({ $0.hasSameUnits(as: record.name) }) != true, remarks.admits(.warning) {
                remarks.append(.classChain(record, at: reported(id, at: .object(record.uid))))
            }
        } else if document.value(for: "$classes", of: stored) == nil, remarks.admits(.info) {
            remarks.append(.classRenamed(record, at: reported(id, at: .object(record.uid))))
        }
        if record.name.isEmpty, remarks.admits(.warning) {
            remarks.append(.classNameEmpty(at: reported(id, at: .object(record.uid))))
        }
        remarkOnName(of: record, at: record.uid)
        for position in 0..<stored.count {
            let key = document.object(document.key(position, of: stored))
            guard !ClassRecord.members.contains(where: { document.text(key, equals: $0) }) else { continue }
            noteUnwritable { [document] in
                .classRecordMember(at: ReportedObject(id, of: document, address: .object(record.uid)))
            }
        }
        if document.firstRepeatedKey(of: stored) != nil {
            noteUnwritable { [document] in
                .classRecordRepeats(at: ReportedObject(id, of: document, address: .object(record.uid)))
            }
        }
    }

    /// Notes a record whose name an earlier one has.
    private mutating func remarkOnName(of record: ClassRecord, at uid: UID) {
        let name = Array(record.name)
        guard let first = namedRecords[name] else {
            namedRecords[name] = uid
            return
        }
        guard remarks.admits(.warning) else { return }
        remarks.append(.classTwice(record, before: first, at: reported(object(uid), at: .object(uid))))
    }

    // MARK: Objects

    private mutating func classify(_ uid: UID) {
        let id = object(uid)
        let stored = document.object(id)
        switch stored.kind {
        case .oneByteString, .utf16String:
            guard document.text(stored, equals: "$null") else { return }
            entries[uid.index] = .null
            if uid != .null, remarks.admits(.info) {
                remarks.append(.nullElsewhere(at: reported(id, at: .object(uid))))
            }
        case .uid:
            entries[uid.index] = .broken
            report(.uidAsObject(document.uid(stored), at: reported(id, at: .object(uid))))
        case .dictionary where entries[uid.index] == .value:
            let members = classMembers(of: stored)
            guard let position = members.first else { return checkPlain(uid, stored) }
            guard members.count == 1 else {
                entries[uid.index] = .broken
                return report(.classRepeated(at: reported(id, at: .object(uid))))
            }
            classify(uid, stored, classMember: position)
        case .array, .set: checkPlain(uid, stored)
        default: break
        }
    }

    /// Notes the object of a class, which the pair at a position tells.
    private mutating func classify(_ uid: UID, _ stored: StoredObject, classMember member: Int) {
        let value = document.value(member, of: stored)
        let reference = document.object(value)
        if reference.kind != .uid {
            entries[uid.index] = .broken
            report(.classIsNoReference(at: reported(value, at: .object(uid, "$class"))))
        } else if let position = recordPosition(Int(document.uid(reference))) {
            let contents = checkReferences(in: stored, omitting: member) { .object(uid) }
            return note(uid, stored, class: position, member: member, holding: contents)
        } else {
            reportClass(Int(document.uid(reference)), at: value, address: .object(uid, "$class"))
            entries[uid.index] = .broken
        }
        checkReferences(in: stored, omitting: member) { .object(uid) }
    }

    private mutating func note(
        _ uid: UID, _ stored: StoredObject, class position: Int32, member: Int, holding contents: ListContents
    ) {
        guard let layout = classes[Int(position)].foundation?.layout else {
            entries[uid.index] = Entry(kind: .fields, classPosition: position, slot: member)
            return
        }
        let entry = encodings.entry(
            of: stored, class: position, layout, member: member, areReferences: contents.areReferences)
        entries[uid.index] = entry
        if entry.kind != .elements || contents.hasNil { suspects.insert(uid.index) }
    }

    private mutating func classMembers(of dictionary: StoredObject) -> ClassMembers {
        let slot = keySets.slot(of: dictionary)
        if slot.isKnown, let known = classMembers[slot.number] { return known }
        let members = document.classMembers(of: dictionary)
        classMembers[slot.number] = members
        return members
    }

    /// The class record at a UID, by position in ``classes``.
    private func recordPosition(_ target: Int) -> Int32? {
        guard target < entries.count, entries[target].kind == .classRecord else { return nil }
        return entries[target].classPosition
    }

    private mutating func reportClass(_ target: Int, at value: ObjectID, address: JSONPointer) {
        guard target < entries.count else {
            return report(.uidRange(target, count: entries.count, at: reported(value, at: address)))
        }
        // A record that is broken has been told of itself.
        guard entries[target] != .broken else { return }
        report(.classIsNoRecord(target, at: reported(value, at: address)))
    }

    /// Checks a container that is no object of a class: unarchivers hand it out as it is, so it cannot refer to objects.
    private mutating func checkPlain(_ uid: UID, _ stored: StoredObject) {
        if stored.kind == .dictionary, document.value(for: "CF$UID", of: stored) != nil {
            entries[uid.index] = .broken
            return report(.uidForm(at: reported(object(uid), at: .object(uid))))
        }
        if remarks.admits(.warning) {
            remarks.append(.plainContainer(at: reported(object(uid), at: .object(uid))))
        }
        var contents = NestedContents(of: stored, in: document)
        while let (id, object) = contents.next() {
            guard object.kind != .uid else {
                return report(.uidInPlain(at: reported(id, at: contents.address(below: .object(uid)))))
            }
        }
    }

    // MARK: References

    /// Checks the references in a container, and in those that it holds in place.
    ///
    /// - Parameter pair: the position of the pair with the class, which is checked elsewhere; nil for none.
    @discardableResult
    private mutating func checkReferences(
        in container: StoredObject, omitting pair: Int? = nil, at address: () -> JSONPointer
    ) -> ListContents {
        if let found = plainReferences(in: container, omitting: pair) { return found }
        var found = ListContents()
        var contents = NestedContents(of: container, in: document, omitting: pair)
        while let (id, object) = contents.next() {
            if object.kind == .uid {
                // One that is a key refers to nothing.
                guard !contents.isKey else { continue }
                let target = Int(document.uid(object))
                if target == 0 { found.hasNil = true }
                check(target, id) { contents.address(below: address()) }
                continue
            }
            if contents.isNested { found.areReferences = false }
            if object.kind == .dictionary, document.value(for: "CF$UID", of: object) != nil,
                faults.admits(.error)
            {
                faults.append(.uidForm(at: reported(id, at: contents.address(below: address()))))
            }
        }
        return found
    }

    /// What a container holds, as nearly all do, that has nothing in place but scalars, and of whose references there is
    /// nothing to tell; nil for others.
    private func plainReferences(in container: StoredObject, omitting pair: Int?) -> ListContents? {
        var found = ListContents()
        for position in 0..<container.count where position != pair {
            let object = document.object(document.member(position, of: container))
            guard object.kind == .uid else {
                if object.kind.isContainer { return nil }
                continue
            }
            let target = Int(document.uid(object))
            guard target < entries.count, entries[target].kind != .classRecord else { return nil }
            if target == 0 { found.hasNil = true }
        }
        return found
    }

    private mutating func check(_ target: Int, _ id: ObjectID, at address: () -> JSONPointer) {
        if target >= entries.count {
            // One fault is not told twice.
            guard !hasWrongUIDs, faults.admits(.error) else { return }
            faults.append(.uidRange(target, count: entries.count, at: reported(id, at: address())))
        } else if entries[target].kind == .classRecord, remarks.admits(.warning) {
            remarks.append(.classAsValue(target, at: reported(id, at: address())))
        }
    }

    // MARK: Foundation's classes

    /// The classes and their objects.
    var classUses: [ClassUse] {
        ClassUse.list(of: classes, entries, place: { document.place(of: object($0)) })
    }

    /// Notes what Foundation's classes would not make sense of.
    private mutating func checkFields() {
        for index in suspects {
            for fault in fieldFaults(of: UID(index)) { remarks.add(fault) }
        }
    }
}

/// The first member of a dictionary that is named `$class`, and how many are.
private typealias ClassMembers = (first: Int?, count: Int)

/// What the containers hold that an object has in place.
private struct ListContents {
    /// Whether nothing but references.
    var areReferences = true
    /// Whether a reference to nil is among them, or a field of the object is one.
    var hasNil = false
}

extension Document {
    fileprivate func classMembers(of dictionary: StoredObject) -> ClassMembers {
        var members: ClassMembers = (nil, 0)
        for position in 0..<dictionary.count
        where text(object(key(position, of: dictionary)), equals: "$class") {
            members = (members.first ?? position, members.count + 1)
        }
        return members
    }

    /// Where in the file an object stands; nil unless the document was read from a binary file.
    package func place(of id: ObjectID) -> SourceLocation? {
        has(.objectTable) ? offset(of: id).map { .byte($0) } : nil
    }
}

extension JSONPointer {
    /// The address of an object in the property list, or of something in it.
    package static func object(_ uid: UID, _ member: StaticString? = nil) -> JSONPointer {
        var address = JSONPointer(tokens: [Array("$objects".utf16)])
        address.append(index: uid.index)
        if let member { address.append(key: member.description.utf16) }
        return address
    }
}
