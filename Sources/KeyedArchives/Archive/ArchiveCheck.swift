import SaveCodec

/// A pass through an archive that determines the role and encoding of each object, and collects all findings
/// (<doc:ArchiveFindings>).
///
/// The time is linear in the size of the property list expanded to a tree. ``KeyedArchive`` limits this size
/// beforehand.
struct ArchiveCheck {
    let document: Document
    let envelope: ArchiveRoot
    private(set) var classes = ClassRecordTable()
    private(set) var entries: [ObjectEntry]
    private(set) var encodings: ObjectEncodingReader
    /// The problems that make the archive unsound, so that no unarchiver can read it.
    private(set) var faults = ProblemList()
    /// The findings about a sound archive.
    private(set) var findings = ProblemList()
    /// Members of the root and of class records that no archiver writes. Only the stored property list can represent
    /// them.
    private(set) var unwritable = LossList()
    /// The number of bytes with packed numbers that may still be checked. Only objects that share their data can need
    /// more.
    var packedBytesLeft: Int

    /// The objects with fields to be checked, because their encoding does not prove them sound.
    private var suspects: Bitmap
    /// The objects to which `$top` or an object with a smaller number refers.
    private var referenced: Bitmap
    /// The number of the object whose references are being checked; -1 for `$top`.
    private var referrer = -1
    private var classMembers: ClassMemberReader

    /// Whether the XML reader found numbers that are not valid UIDs. The UIDs that it read instead may refer to any
    /// object.
    private let hasWrongUIDs: Bool

    /// - Parameter faults: The problems of the envelope.
    init(_ document: Document, _ envelope: ArchiveRoot, faults: [Problem] = []) {
        self.document = document
        self.envelope = envelope
        entries = [ObjectEntry](repeating: .value, count: envelope.objects.count)
        packedBytesLeft = 4 * document.imageSize + (1 << 20)
        suspects = Bitmap(count: entries.count)
        referenced = suspects
        classMembers = ClassMemberReader(document)
        encodings = ObjectEncodingReader(document, archiver: envelope.archiver)
        hasWrongUIDs = document.warnings.contains { $0.kind == .xmlUID }
        for fault in faults { self.faults.add(fault) }
        for member in envelope.others { noteUnwritable { Self.unknownMember(member, of: document) } }
        for member in envelope.duplicates { noteUnwritable { Self.duplicateMember(member) } }
    }

    private static func unknownMember(_ key: ObjectID, of document: Document) -> Problem {
        let name = document.text(key)?.quoted ?? "\(document.kindName(key)) as a key"
        return ReportedObject(key, of: document, address: .root).problem(
            "archive.member-unknown", "\(name) is not an archive member", severity: .warning)
    }

    private static func duplicateMember(_ member: ArchiveRoot.Member) -> Problem {
        Problem(
            "archive.member-repeated", "\(member.rawValue) is a duplicate key; readers keep one value",
            severity: .warning, address: .member(member))
    }

    mutating func run() {
        for index in entries.indices { readClassRecord(UID(index)) }
        for index in entries.indices { classify(UID(index)) }
        referrer = -1
        checkReferences(in: envelope.top) { JSONPointer(tokens: [Array("$top".utf16)]) }
        reportWrongUIDs()
        checkFields()
    }

    /// Reports the numbers in XML that are not valid UIDs.
    ///
    /// A property list with such a number is readable, as Foundation reads it. But in an archive, the UID would refer
    /// to an object other than the one that was written.
    private mutating func reportWrongUIDs() {
        for warning in document.warnings where warning.kind == .xmlUID {
            report(
                Problem(
                    .archiveUIDNumber,
                    "the number under CF$UID is not a UID; expected an integer from 0 to 4294967295",
                    at: warning.location))
        }
    }

    func object(_ uid: UID) -> ObjectID {
        document.reference(uid.index, of: envelope.objects)
    }

    /// Returns the description of an object for a finding.
    func reported(_ id: ObjectID, at address: JSONPointer) -> ReportedObject {
        ReportedObject(id, of: document, address: address)
    }

    func reported(_ uid: UID) -> ReportedObject { reported(object(uid), at: .object(uid)) }

    private mutating func report(_ fault: Problem) {
        faults.add(fault)
    }

    private mutating func noteUnwritable(_ problem: () -> Problem) {
        unwritable.add { problem() }
        if findings.countProblem(severity: .warning) { findings.append(problem()) }
    }

    // MARK: Classes

    /// Records the class record at a UID, if the object is one: a dictionary with `$classname` and without `$class`.
    private mutating func readClassRecord(_ uid: UID) {
        let stored = document.object(object(uid))
        guard stored.kind == .dictionary, classMembers.members(of: stored).count == 0 else { return }
        if let position = classes.position(ofRecord: object(uid)) {
            entries[uid.index] = .classRecord(position)
            return registerName(of: classes.records[Int(position)], at: uid)
        }
        guard let name = document.value(for: "$classname", of: stored) else { return checkNamed(uid, stored) }
        guard let text = document.text(name) else {
            entries[uid.index] = .broken
            return report(
                reported(name, at: .object(uid, "$classname")).problem(
                    "archive.class-name",
                    "the name of a class is \(document.kindName(name)); expected a string"))
        }
        let chain = names("$classes", of: stored, uid)
        let hints = names("$classhints", of: stored, uid)
        let record = ClassRecord(uid: uid, name: text, storedName: name, chain: chain, hints: hints)
        guard let position = classes.add(record, storedIn: object(uid)) else {
            entries[uid.index] = .broken
            return report(
                reported(uid).problem("archive.class-count", "the archive has more than 2147483648 class records"))
        }
        entries[uid.index] = .classRecord(position)
        checkContents(of: classes.records[Int(position)], stored)
    }

    /// Reports a dictionary with a class chain but no name, which was probably intended as a class record.
    private mutating func checkNamed(_ uid: UID, _ stored: StoredObject) {
        guard document.value(for: "$classes", of: stored) != nil else { return }
        entries[uid.index] = .broken
        report(reported(uid).problem("archive.class-name", "the class record has no $classname"))
    }

    /// Returns a list of class names in a record, or nil if the list is missing or invalid. An invalid list is
    /// reported.
    private mutating func names(_ key: StaticString, of record: StoredObject, _ uid: UID) -> ClassNameList? {
        guard let list = document.value(for: key, of: record) else { return nil }
        let names = document.object(list)
        guard names.kind == .array else {
            report(
                reported(list, at: .object(uid, key)).problem(
                    "archive.class-chain",
                    "\(key) is \(document.kindName(list)); expected an array of class names"))
            return nil
        }
        for position in 0..<names.count
        where !document.object(document.reference(position, of: names)).kind.isString {
            report(
                reported(list, at: .object(uid, key)).problem(
                    "archive.class-chain", "\(key) contains values that are not class names"))
            return nil
        }
        return ClassNameList(document, names)
    }

    private mutating func checkContents(of record: ClassRecord, _ stored: StoredObject) {
        if let chain = record.chain {
            if chain.first.map({ $0.hasSameUnits(as: record.name) }) != true, findings.countProblem(severity: .warning)
            {
                findings.append(
                    reported(record.uid).problem(
                        "archive.class-chain-start",
                        "the class chain of \(record.shownName.escaped) does not begin with that class",
                        severity: .warning))
            }
        } else if document.value(for: "$classes", of: stored) == nil, findings.countProblem(severity: .info) {
            findings.append(
                reported(record.uid).problem(
                    "archive.class-renamed",
                    "class \(record.shownName.escaped) has no ancestors; the archiver gave it this name",
                    severity: .info))
        }
        if record.name.isEmpty, findings.countProblem(severity: .warning) {
            findings.append(
                reported(record.uid).problem(
                    "archive.class-name-empty", "the name of the class is empty", severity: .warning))
        }
        registerName(of: record, at: record.uid)
        for position in 0..<stored.count {
            let key = document.object(document.key(position, of: stored))
            guard !ClassRecord.members.contains(where: { document.text(key, equals: $0) }) else { continue }
            noteClassMember(record.uid, "the class record has members other than its name, chain and hints")
        }
        if document.firstDuplicateKey(of: stored) != nil {
            noteClassMember(record.uid, "the class record has a duplicate key; readers keep one value")
        }
    }

    private mutating func noteClassMember(_ uid: UID, _ sentence: String) {
        let record = reported(uid)
        noteUnwritable { record.problem("archive.class-member", sentence, severity: .warning) }
    }

    /// Registers the name of a record, with a warning if an earlier record has the same name.
    private mutating func registerName(of record: ClassRecord, at uid: UID) {
        guard let first = classes.registerName(of: record, at: uid), findings.countProblem(severity: .warning) else {
            return
        }
        findings.append(
            reported(uid).problem(
                "archive.class-twice",
                "class \(record.shownName.escaped) already has a record, object \(first.index)", severity: .warning))
    }

    // MARK: Objects

    private mutating func classify(_ uid: UID) {
        referrer = uid.index
        let id = object(uid)
        let stored = document.object(id)
        switch stored.kind {
        case .oneByteString, .utf16String:
            guard document.text(stored, equals: "$null") else { return }
            entries[uid.index] = .null
            if uid != .null, findings.countProblem(severity: .info) {
                findings.append(
                    reported(uid).problem(
                        "archive.null-elsewhere", "the string \"$null\" is read as nil, like object 0", severity: .info)
                )
            }
        case .uid:
            entries[uid.index] = .broken
            report(
                reported(uid).problem(
                    "archive.uid-as-object",
                    "the object is UID \(document.uid(stored)); expected a value, or an object with a class"))
        case .dictionary where entries[uid.index] == .value:
            let members = classMembers.members(of: stored)
            guard let position = members.first else { return checkPlain(uid, stored) }
            guard members.count == 1 else {
                entries[uid.index] = .broken
                return report(
                    reported(uid).problem("archive.class-repeated", "the object has a duplicate key $class"))
            }
            classify(uid, stored, classMember: position)
        case .array, .set: checkPlain(uid, stored)
        default: break
        }
    }

    /// Classifies an object that refers to its class in the pair at position `member`.
    private mutating func classify(_ uid: UID, _ stored: StoredObject, classMember member: Int) {
        let value = document.value(member, of: stored)
        let reference = document.object(value)
        if reference.kind != .uid {
            entries[uid.index] = .broken
            report(
                reported(value, at: .object(uid, "$class")).problem(
                    "archive.class-reference", "$class is \(document.kindName(value)); expected a UID"))
        } else if let position = recordPosition(Int(document.uid(reference))) {
            let contents = checkReferences(in: stored, omitting: member) { .object(uid) }
            return recordEncoding(uid, stored, class: position, member: member, holding: contents)
        } else {
            reportClass(Int(document.uid(reference)), at: value, address: .object(uid, "$class"))
            entries[uid.index] = .broken
        }
        checkReferences(in: stored, omitting: member) { .object(uid) }
    }

    private mutating func recordEncoding(
        _ uid: UID, _ stored: StoredObject, class position: Int32, member: Int, holding contents: ReferenceSummary
    ) {
        guard let layout = classes.records[Int(position)].foundation?.layout else {
            entries[uid.index] = ObjectEntry(kind: .fields, classPosition: position, slot: member)
            return
        }
        let entry = encodings.entry(
            of: stored, class: position, layout, member: member, areReferences: contents.areReferences)
        entries[uid.index] = entry
        if entry.kind != .elements || contents.hasNil { suspects.insert(uid.index) }
    }

    /// Returns the position in ``classes`` of the record at a UID, or nil for any other object.
    private func recordPosition(_ target: Int) -> Int32? {
        guard target < entries.count, entries[target].kind == .classRecord else { return nil }
        return entries[target].classPosition
    }

    private mutating func reportClass(_ target: Int, at value: ObjectID, address: JSONPointer) {
        guard target < entries.count else {
            return report(outOfRange(target, at: reported(value, at: address)))
        }
        // A broken record has been reported already.
        guard entries[target] != .broken else { return }
        let found = target == 0 ? "0, which is nil; expected a class record" : "\(target), which is not a class record"
        report(
            reported(value, at: address).problem("archive.class-record", "$class refers to object \(found)"))
    }

    private func outOfRange(_ target: Int, at object: ReportedObject) -> Problem {
        let others = entries.isEmpty ? "the archive has no objects" : "expected 0 to \(entries.count - 1)"
        return object.problem("archive.uid-range", "UID \(target) refers to no object; \(others)")
    }

    private func malformedUID(at object: ReportedObject) -> Problem {
        object.problem(
            "archive.uid-form",
            "a dictionary with CF$UID is not a UID; expected CF$UID as its only key, with a number from 0 to 4294967295"
        )
    }

    /// Checks a container that is not an object of a class. Unarchivers return it unchanged, so it cannot refer to
    /// objects.
    private mutating func checkPlain(_ uid: UID, _ stored: StoredObject) {
        if stored.kind == .dictionary, document.value(for: "CF$UID", of: stored) != nil {
            entries[uid.index] = .broken
            return report(malformedUID(at: reported(uid)))
        }
        if findings.countProblem(severity: .warning) {
            findings.append(
                reported(uid).problem(
                    "archive.no-class",
                    "the object is \(document.kindName(object(uid))) without $class; it is read as a plain value",
                    severity: .warning))
        }
        var contents = InPlaceWalk(of: stored, in: document)
        while let (id, object) = contents.next() {
            guard object.kind != .uid else {
                return report(
                    reported(id, at: contents.address(below: .object(uid))).problem(
                        "archive.uid-in-plain",
                        "found a UID in a value without $class; only objects with a class can refer to others"))
            }
        }
    }

    // MARK: References

    /// Checks the references in a container and in the containers that it holds in place.
    ///
    /// - Parameter pair: The position of the pair with the class, which is checked elsewhere; nil for none.
    @discardableResult
    private mutating func checkReferences(
        in container: StoredObject, omitting pair: Int? = nil, at address: () -> JSONPointer
    ) -> ReferenceSummary {
        if let found = plainReferences(in: container, omitting: pair) { return found }
        var found = ReferenceSummary()
        var contents = InPlaceWalk(of: container, in: document, omitting: pair)
        while let (id, object) = contents.next() {
            if object.kind == .uid {
                // A UID that is a key is not a reference.
                guard !contents.isKey else { continue }
                let target = Int(document.uid(object))
                if target == 0 { found.hasNil = true }
                check(target, id) { contents.address(below: address()) }
                continue
            }
            if contents.isNested { found.areReferences = false }
            if object.kind == .dictionary, document.value(for: "CF$UID", of: object) != nil,
                faults.countProblem(severity: .error)
            {
                faults.append(malformedUID(at: reported(id, at: contents.address(below: address()))))
            }
        }
        return found
    }

    /// Returns the contents of a container that holds only scalars, sound references and lists of these, which is the
    /// usual case; nil for a container that needs the detailed check.
    private mutating func plainReferences(in container: StoredObject, omitting pair: Int?) -> ReferenceSummary? {
        var found = ReferenceSummary()
        for position in 0..<container.count where position != pair {
            let object = document.object(document.member(position, of: container))
            switch object.kind {
            case .uid: guard add(document.uid(object), to: &found) else { return nil }
            case .array, .set: guard add(object, to: &found) else { return nil }
            case .dictionary: return nil
            default: break
            }
        }
        return found
    }

    /// Adds the references in a list that is stored in place.
    ///
    /// - Returns: Whether the list holds only scalars and sound references.
    private mutating func add(_ list: StoredObject, to found: inout ReferenceSummary) -> Bool {
        for position in 0..<list.count {
            let object = document.object(document.reference(position, of: list))
            if object.kind == .uid {
                guard add(document.uid(object), to: &found) else { return false }
            } else {
                guard !object.kind.isContainer else { return false }
                found.areReferences = false
            }
        }
        return true
    }

    /// Adds a reference.
    ///
    /// - Returns: Whether it leads to an object, and not to a class record.
    private mutating func add(_ target: UInt32, to found: inout ReferenceSummary) -> Bool {
        guard target < entries.count, entries[Int(target)].kind != .classRecord else { return false }
        noteReference(to: Int(target))
        if target == 0 { found.hasNil = true }
        return true
    }

    private mutating func noteReference(to target: Int) {
        if target > referrer { referenced.insert(target) }
    }

    private mutating func check(_ target: Int, _ id: ObjectID, at address: () -> JSONPointer) {
        if target < entries.count { noteReference(to: target) }
        if target >= entries.count {
            // The invalid number has been reported already.
            guard !hasWrongUIDs, faults.countProblem(severity: .error) else { return }
            faults.append(outOfRange(target, at: reported(id, at: address())))
        } else if entries[target].kind == .classRecord, findings.countProblem(severity: .warning) {
            findings.append(
                reported(id, at: address()).problem(
                    "archive.class-as-value", "UID \(target) is a class record; expected an object or nil",
                    severity: .warning))
        }
    }

    /// Whether the roots reach all objects, because each has a reference from `$top` or from an object with a smaller
    /// number. Archivers number objects in the order in which they reach them.
    var reachesAllObjects: Bool {
        entries.indices.allSatisfy { referenced.contains($0) || !entries[$0].role.isObject }
    }

    // MARK: Foundation's classes

    var classUses: [ClassUse] {
        ClassUse.list(of: classes.records, entries, location: { document.location(of: object($0)) })
    }

    private mutating func checkFields() {
        for index in suspects {
            for fault in fieldFaults(of: UID(index)) { findings.add(fault) }
        }
    }
}

/// A summary of the references in an object.
private struct ReferenceSummary {
    /// Whether the containers that the object holds in place contain nothing but references.
    var areReferences = true
    /// Whether a field, or an element of a container that is stored in place, is a reference to nil.
    var hasNil = false
}

/// A reader of the members of dictionaries named `$class`.
///
/// Objects of one class usually share their key objects, so the members found in a recently read key set are kept.
private struct ClassMemberReader {
    /// The first member named `$class`, and the number of such members.
    typealias Members = (first: Int?, count: Int)

    private let document: Document
    private var keySets: RecentKeySets
    /// The members in each slot of ``keySets``.
    private var known = [Members?](repeating: nil, count: RecentKeySets.slotCount)

    init(_ document: Document) {
        self.document = document
        keySets = RecentKeySets(document)
    }

    mutating func members(of dictionary: StoredObject) -> Members {
        let slot = keySets.slot(of: dictionary)
        if slot.isKnown, let members = known[slot.number] { return members }
        var members: Members = (nil, 0)
        for position in 0..<dictionary.count
        where document.text(document.object(document.key(position, of: dictionary)), equals: "$class") {
            members = (members.first ?? position, members.count + 1)
        }
        known[slot.number] = members
        return members
    }
}
