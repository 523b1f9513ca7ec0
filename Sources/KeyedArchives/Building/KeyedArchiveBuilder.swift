package import SaveCodec

/// Composes an archive, object after object, in any order; what comes out is numbered as NSKeyedArchiver numbers it.
///
///     var archive = KeyedArchiveBuilder()
///     let player = archive.addClass("Player", chain: ["Player", "NSObject"])
///     let hero = archive.reserve()
///     archive.begin(hero, of: player)
///     archive.contents.add(string: "name")                        // encodeObject:forKey:
///     archive.refer(to: archive.add(string: "Ada"))
///     archive.contents.add(string: "health")                      // encodeInt:forKey:
///     archive.contents.add(integer: 100)
///     archive.end()
///     archive.beginTop()
///     archive.contents.add(string: "root")
///     archive.refer(to: hero)
///     archive.end()
///     let document = try archive.finish()
///
/// A number may be reserved long before its object is described, and referred to meanwhile: cycles are made that way.
package struct KeyedArchiveBuilder: ~Copyable {
    /// Takes what the object that was begun holds: the name of a field, then its value, as a dictionary takes them. A
    /// value in place is added here, a reference with ``refer(to:)``.
    package var contents: DocumentBuilder

    /// The dictionaries and values of the objects, by number; nil for one that is reserved.
    private var objects: [ObjectID?] = []
    /// What the objects are, by number.
    private var entries: [Entry] = []
    /// The class records, by the position that entries have of them.
    private var records: [UID] = []
    /// One more than the object that refers to each object, by number; 0 for none yet.
    private var references: [UInt32] = []
    /// The number of each plain scalar, by the object of the document that it is, as equal ones are one; 0 for none.
    private var values: [UInt32] = []
    private let classKey: ObjectID
    private var current: Target = .none
    private var top: ObjectID?
    private let archiver: [UInt16]

    private enum Target {
        case none
        case top
        case object(UID, class: UID)
        case value(UID)
    }

    /// Creates a builder.
    ///
    /// - Parameters:
    ///   - archiver: the name of the class that writes the archive.
    ///   - expectedSize: how many bytes the archive may come to; only a hint.
    package init(archiver: String = "NSKeyedArchiver", expectedSize: Int = 0) {
        self.init(archiver: Array(archiver.utf16), expectedSize: expectedSize)
    }

    init(archiver: [UInt16], expectedSize: Int) {
        self.archiver = archiver
        contents = DocumentBuilder(expectedSize: expectedSize)
        classKey = contents.add(string: "$class")
        contents.add(string: "$null")
        _ = append(contents.takeLast(), .null)
        _ = contents.takeLast()
    }

    // MARK: Objects

    /// A number for an object that is described later.
    package mutating func reserve() -> UID {
        append(nil)
    }

    private mutating func append(_ object: ObjectID?, _ entry: Entry = .value) -> UID {
        objects.append(object)
        entries.append(entry)
        references.append(0)
        return UID(objects.count - 1)
    }

    /// Begins the object of a class. What is added to ``contents`` until ``end()`` are its fields.
    package mutating func begin(_ uid: UID, of classRecord: UID) {
        contents.open(.dictionary)
        current = .object(uid, class: classRecord)
    }

    /// Begins the dictionary of the archive's roots, `$top`.
    package mutating func beginTop() {
        current = .top
        contents.open(.dictionary)
    }

    /// Begins an object that is a plain value: one value is added to ``contents`` until ``end()``.
    mutating func beginValue(_ uid: UID) {
        current = .value(uid)
    }

    /// Adds a reference to ``contents``. ``finish(limits:)`` throws if there is no such object in this builder.
    package mutating func refer(to uid: UID) {
        let isKnown = uid.index < references.count
        if isKnown, references[uid.index] > 0 { return contents.add(ObjectID(Int(references[uid.index]) - 1)) }
        let reference = contents.add(StoredUID(UInt32(truncatingIfNeeded: uid.index)))
        if isKnown { references[uid.index] = UInt32(truncatingIfNeeded: reference.index + 1) }
    }

    /// Adds the fields of a collection of Foundation's as NSKeyedArchiver stores them: `NS.objects` with references to its
    /// elements, or `NS.keys` and `NS.objects` of a dictionary.
    package mutating func addCollection(keys: [UID]? = nil, _ elements: [UID]) {
        if let keys { add(references: keys, under: "NS.keys") }
        add(references: elements, under: "NS.objects")
    }

    private mutating func add(references: [UID], under key: String) {
        add(key: key)
        contents.open(.array)
        for reference in references { refer(to: reference) }
        contents.close()
    }

    /// Ends what was begun.
    package mutating func end() {
        switch current {
        case .none: break
        case .top:
            contents.close()
            top = contents.takeLast()
        case .object(let uid, let classRecord):
            contents.add(classKey)
            refer(to: classRecord)
            note(uid, of: classRecord, classMember: contents.pendingCount / 2 - 1)
            contents.close()
            objects[uid.index] = contents.takeLast()
        case .value(let uid):
            objects[uid.index] = contents.takeLast()
        }
        current = .none
    }

    /// Notes the class of an object. Whether it is one is found when the archive is checked.
    private mutating func note(_ uid: UID, of classRecord: UID, classMember: Int) {
        guard classRecord.index < entries.count else { return }
        let position = entries[classRecord.index].classPosition
        entries[uid.index] = Entry(kind: .fields, classPosition: position, slot: classMember)
    }

    // MARK: Plain values

    /// The object that is a plain scalar, which `add` adds to a document. Equal scalars are one object, and `$null` is nil.
    /// Not to be used while a value is begun.
    package mutating func add(_ add: (inout DocumentBuilder) -> Void) -> UID {
        add(&contents)
        guard let id = contents.takeLast(), id != objects[0] else { return .null }
        if values.count <= id.index { values += repeatElement(0, count: id.index + 1 - values.count) }
        if values[id.index] > 0 { return UID(Int(values[id.index])) }
        let uid = append(id)
        values[id.index] = UInt32(truncatingIfNeeded: uid.index)
        return uid
    }

    /// A new object that is a plain scalar, which `add` adds to a document, whatever objects are equal to it.
    mutating func addApart(_ add: (inout DocumentBuilder) -> Void) -> UID {
        add(&contents)
        return append(contents.takeLast())
    }

    /// The object that is a string.
    mutating func add(string: String) -> UID {
        add { $0.add(string: string) }
    }

    // MARK: Classes

    /// The record of a class.
    ///
    /// - Parameters:
    ///   - chain: the class and its ancestors, from the class up; nil for none, as NSKeyedArchiver has it for a class
    ///     under another name.
    ///   - hints: names that an unarchiver may fall back to.
    mutating func addClass(_ name: some Sequence<UInt16>, chain: [[UInt16]]?, hints: [[UInt16]]? = nil) -> UID {
        contents.open(.dictionary)
        add(key: "$classname")
        contents.add(utf16: Array(name).span)
        if let chain { add(names: chain, under: "$classes") }
        if let hints { add(names: hints, under: "$classhints") }
        contents.close()
        let record = append(contents.takeLast(), .classRecord(Int32(truncatingIfNeeded: records.count)))
        records.append(record)
        return record
    }

    /// The record of a class.
    package mutating func addClass(_ name: String, chain: [String]?, hints: [String]? = nil) -> UID {
        addClass(name.utf16, chain: chain?.map { Array($0.utf16) }, hints: hints?.map { Array($0.utf16) })
    }

    private mutating func add(names: [[UInt16]], under key: String) {
        add(key: key)
        contents.open(.array)
        for name in names { contents.add(utf16: name.span) }
        contents.close()
    }

    private mutating func add(key: String) {
        contents.add(string: key)
    }

    // MARK: The archive

    /// The archive, its objects numbered as NSKeyedArchiver numbers them: in the order of first reference, a class record
    /// after the first object of its class.
    ///
    /// - Throws: a problem if an object was reserved and never described, or if the archive would be too large.
    package consuming func finish() throws(Problem) -> Document {
        try finish(keepingUnreachable: true)
    }

    /// The archive, likewise.
    ///
    /// - Parameters:
    ///   - keepsUnreachable: whether objects stay to which no root leads. Otherwise those may be undescribed.
    ///   - isSound: whether it is certain that ``ArchiveCheck`` would find no fault, so that it need not look: each object
    ///     has a record of this builder as its class and no other `$class`, references lead to objects of this builder,
    ///     no dictionary stands in place, and no value was begun.
    consuming func finish(keepingUnreachable keepsUnreachable: Bool, isSound: Bool = false) throws(Problem) -> Document
    {
        let (entries, records) = (entries, records)
        let document = try assembled(keepingUnreachable: keepsUnreachable)
        guard isSound, let envelope = Envelope(document) else {
            return try KeyedArchive(document).renumbered(keepingUnreachable: keepsUnreachable)
        }
        try document.checkExpansion(Limits())
        var order = ArchiveOrder(document, objects: envelope.objects, entries, records: records)
        order.number(from: envelope.top, keepingUnreachable: keepsUnreachable)
        return try document.renumbered(envelope.objectsID, in: order)
    }

    /// The archive, in which objects have the numbers of this builder.
    consuming func assembled(keepingUnreachable keepsUnreachable: Bool) throws(Problem) -> Document {
        contents.open(.dictionary)
        add(key: "$version")
        contents.add(integer: Envelope.version)
        add(key: "$archiver")
        let archiver = archiver
        contents.add(utf16: archiver.span)
        add(key: "$top")
        // It was taken back when it was described, as each object was, and nothing else refers to it.
        if let top { contents.add(top, isShared: false) } else { addEmptyTop() }
        add(key: "$objects")
        contents.open(.array)
        for (index, object) in objects.enumerated() {
            guard let object = object ?? (keepsUnreachable ? nil : objects[0]) else {
                throw Problem("archive.undescribed", "object \(index) was reserved and never described")
            }
            contents.add(object, isShared: false)
        }
        contents.close()
        contents.close()
        return try contents.finish()
    }

    private mutating func addEmptyTop() {
        contents.open(.dictionary)
        contents.close()
    }
}

// MARK: The order of objects

/// The order in which NSKeyedArchiver numbers the objects of an archive (<doc:ArchiveFormat>): at the first reference,
/// before what the object itself refers to; a class record behind the first object of its class.
///
///     Map ─▶ name, players ─▶ [Ada, Bo]      1 Map  2 name  3 players  4 Ada  5 Player (class)  6 Bo  …  9 Map (class)
///
/// Iterative, so that no chain of references can overflow the stack.
private struct ArchiveOrder {
    private let document: Document
    /// The objects by their old number.
    private let objects: StoredObject
    private let entries: [Entry]
    /// The class records, by the position that entries have of them.
    private let records: [UID]
    /// The objects in their new order.
    private(set) var order: [UID] = [.null]
    /// The new number of each object; -1 for one that has none yet.
    private(set) var numbers: [Int32]

    /// A container whose references are followed.
    private struct Frame {
        let container: StoredObject
        /// The reference to the class, which is passed over; -1 in a container in place.
        var omitted = -1
        /// The record that comes when all is done; nil for a container in place.
        var classRecord: UID?
        var next = 0
    }

    /// - Parameter keepsUnreachable: whether objects have a number to which no root leads; they come last.
    init(_ archive: KeyedArchive, keepingUnreachable keepsUnreachable: Bool = true) {
        self.init(
            archive.document, objects: archive.objects, archive.entries, records: archive.classes.map(\.uid))
        number(from: archive.top, keepingUnreachable: keepsUnreachable)
    }

    /// An order of objects of which it is known what they are, none of which has a number yet.
    init(_ document: Document, objects: StoredObject, _ entries: [Entry], records: [UID]) {
        self.document = document
        self.objects = objects
        self.entries = entries
        self.records = records
        numbers = entries.map { $0.kind == .null ? 0 : -1 }
        order.reserveCapacity(entries.count)
    }

    /// Numbers the objects that the roots lead to, and the others if they stay.
    mutating func number(from top: StoredObject, keepingUnreachable keepsUnreachable: Bool) {
        follow(Frame(container: top))
        if keepsUnreachable { visitRest() }
        numberSameRecords()
    }

    private mutating func visitRest() {
        for index in entries.indices where entries[index].kind != .classRecord {
            if let frame = enter(UID(index)) { follow(frame) }
        }
        for record in records { number(record) }
    }

    /// Numbers all that a container refers to, depth first.
    private mutating func follow(_ first: Frame) {
        var outer: [Frame] = []
        var frame = first
        while true {
            guard frame.next < frame.container.referenceCount else {
                if let record = frame.classRecord { number(record) }
                guard let last = outer.popLast() else { return }
                frame = last
                continue
            }
            let position = frame.next
            frame.next += 1
            guard position != frame.omitted else { continue }
            let object = document.object(document.reference(position, of: frame.container))
            guard object.kind == .uid || object.kind.isContainer else { continue }
            let entered = object.kind == .uid ? enter(UID(Int(document.uid(object)))) : Frame(container: object)
            guard let entered else { continue }
            outer.append(frame)
            frame = entered
        }
    }

    /// Numbers an object; the frame of one that has references to be followed.
    private mutating func enter(_ uid: UID) -> Frame? {
        guard uid.index < numbers.count, numbers[uid.index] < 0 else { return nil }
        number(uid)
        // A record comes behind its first object, unless something refers to it as to an object.
        let entry = entries[uid.index]
        guard entry.isInstance else { return nil }
        let stored = document.object(document.reference(uid.index, of: objects))
        return Frame(
            container: stored, omitted: stored.count + document.classMember(of: stored, entry),
            classRecord: records[Int(entry.classPosition)])
    }

    /// A record that stands in `$objects` once more, as the very same object of the property list, is the first one.
    private mutating func numberSameRecords() {
        for index in entries.indices where numbers[index] < 0 {
            guard case .classRecord(let position) = entries[index].role else { continue }
            numbers[index] = numbers[records[position].index]
        }
    }

    private mutating func number(_ uid: UID) {
        guard numbers[uid.index] < 0 else { return }
        numbers[uid.index] = Int32(truncatingIfNeeded: order.count)
        order.append(uid)
    }
}

extension KeyedArchive {
    /// The same archive with its objects numbered as NSKeyedArchiver numbers them. References to any `$null` become
    /// references to object 0, and no other `$null` stays.
    ///
    /// - Throws: a problem if the archive would be too large.
    func renumbered() throws(Problem) -> Document {
        try renumbered(keepingUnreachable: true)
    }

    /// The same archive renumbered, likewise.
    ///
    /// - Parameter keepsUnreachable: whether objects stay to which no root leads.
    func renumbered(keepingUnreachable keepsUnreachable: Bool) throws(Problem) -> Document {
        let order = ArchiveOrder(self, keepingUnreachable: keepsUnreachable)
        return try document.renumbered(objectsID, in: order)
    }
}

extension Document {
    /// An archive with its objects in another order.
    ///
    /// - Parameter list: `$objects`.
    fileprivate func renumbered(_ list: ObjectID, in order: ArchiveOrder) throws(Problem) -> Document {
        let objects = object(list)
        return try replacing(elementsOf: list, by: order.order.map { reference($0.index, of: objects) }) { uid in
            // Outside the objects of the archive a UID means nothing.
            uid < order.numbers.count ? UInt32(bitPattern: max(order.numbers[Int(uid)], 0)) : uid
        }
    }
}
