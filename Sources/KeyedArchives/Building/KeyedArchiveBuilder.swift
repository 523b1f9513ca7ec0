package import SaveCodec

/// A builder that composes an archive from objects in any order. The result is numbered as NSKeyedArchiver numbers it.
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
///     archive.addTop(root: hero)
///     let document = try archive.finish()
///
/// An object may be reserved and referred to long before it is described, which makes cycles possible.
package struct KeyedArchiveBuilder: ~Copyable {
    /// The builder that receives the fields of the open object, alternating names and values, as in a dictionary.
    ///
    /// Values in place are added here; references are added with ``refer(to:)``.
    package var contents: DocumentBuilder

    /// The stored dictionary or value of each object, by number; nil for a reserved object.
    private var objects: [ObjectID?] = []
    /// The role and encoding of each object, by number.
    private var entries: [ObjectEntry] = []
    /// The class records, by class position.
    private var records: [UID] = []
    /// The stored reference to each object, as its document index plus one, by object number; 0 until the object is
    /// referred to.
    private var references: [UInt32] = []
    /// The number of each plain scalar, by document index; 0 for any other object of the document. Equal scalars are
    /// one object.
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
    ///   - archiver: The name of the class that writes the archive.
    ///   - expectedSize: The approximate byte count of the archive, as a hint.
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

    /// Reserves a number for an object that is described later.
    package mutating func reserve() -> UID {
        append(nil)
    }

    private mutating func append(_ object: ObjectID?, _ entry: ObjectEntry = .value) -> UID {
        objects.append(object)
        entries.append(entry)
        references.append(0)
        return UID(objects.count - 1)
    }

    /// Begins an object of a class. Everything added to ``contents`` until ``end()`` becomes its fields.
    package mutating func begin(_ uid: UID, of classRecord: UID) {
        contents.open(.dictionary)
        current = .object(uid, class: classRecord)
    }

    /// Begins `$top`, the dictionary of the archive's roots.
    package mutating func beginTop() {
        current = .top
        contents.open(.dictionary)
    }

    /// Adds `$top` with a single root, which is named `root`.
    package mutating func addTop(root: UID) {
        beginTop()
        contents.add(string: "root")
        refer(to: root)
        end()
    }

    /// Begins an object that is a plain value. Exactly one value must be added to ``contents`` before ``end()``.
    mutating func beginValue(_ uid: UID) {
        current = .value(uid)
    }

    /// Adds a reference to ``contents``. If the builder has no object with this number, ``finish()`` throws.
    package mutating func refer(to uid: UID) {
        let isKnown = uid.index < references.count
        if isKnown, references[uid.index] > 0 {
            return contents.add(ObjectID(Int(references[uid.index]) - 1), isShared: false)
        }
        // Only references are UIDs, so those to known objects need no search for an equal one.
        let reference = contents.add(StoredUID(UInt32(truncatingIfNeeded: uid.index)), shared: !isKnown)
        if isKnown { references[uid.index] = UInt32(truncatingIfNeeded: reference.index + 1) }
    }

    /// Adds the fields of a Foundation collection as NSKeyedArchiver stores them.
    ///
    /// Elements become `NS.objects`; the keys of a dictionary become `NS.keys`.
    package mutating func addCollection(keys: [UID]? = nil, _ elements: [UID]) {
        if let keys { add(references: keys, under: "NS.keys") }
        add(references: elements, under: "NS.objects")
    }

    private mutating func add(references: [UID], under key: String) {
        openList(under: key)
        for reference in references { refer(to: reference) }
        contents.close()
    }

    /// Opens a field that is an array in place.
    mutating func openList(under key: String) {
        add(key: key)
        contents.open(.array)
    }

    /// Ends the open object or `$top`.
    package mutating func end() {
        switch current {
        case .none: break
        case .top:
            contents.close()
            top = contents.takeLast()
        case .object(let uid, let classRecord):
            contents.add(classKey, isShared: false)
            refer(to: classRecord)
            note(uid, of: classRecord, classMember: contents.pendingCount / 2 - 1)
            contents.close()
            objects[uid.index] = contents.takeLast()
        case .value(let uid):
            objects[uid.index] = contents.takeLast()
        }
        current = .none
    }

    /// Records the class of an object. Whether `classRecord` is a class record is checked when the archive is finished.
    private mutating func note(_ uid: UID, of classRecord: UID, classMember: Int) {
        guard classRecord.index < entries.count else { return }
        let position = entries[classRecord.index].classPosition
        entries[uid.index] = ObjectEntry(kind: .fields, classPosition: position, slot: classMember)
    }

    // MARK: Plain values

    /// Returns the object for the plain scalar that `add` adds to the document. Equal scalars are one object, and
    /// `$null` is nil.
    ///
    /// Must not be called while a plain value is open.
    package mutating func add(_ add: (inout DocumentBuilder) -> Void) -> UID {
        add(&contents)
        guard let id = contents.takeLast(), id != objects[0] else { return .null }
        if values.count <= id.index { values += repeatElement(0, count: id.index + 1 - values.count) }
        if values[id.index] > 0 { return UID(Int(values[id.index])) }
        let uid = append(id)
        values[id.index] = UInt32(truncatingIfNeeded: uid.index)
        return uid
    }

    /// Returns a new object for the plain scalar that `add` adds to the document, even if one exists for an equal
    /// scalar.
    mutating func addApart(_ add: (inout DocumentBuilder) -> Void) -> UID {
        add(&contents)
        return append(contents.takeLast())
    }

    package mutating func add(string: String) -> UID {
        add { $0.add(string: string) }
    }

    // MARK: Classes

    /// Adds the record of a class.
    ///
    /// - Parameters:
    ///   - chain: The class and its ancestors, starting with the class; nil for none, as in the record of a renamed
    ///     class.
    ///   - hints: The names that an unarchiver may fall back to.
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

    /// Adds the record of a class.
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

    /// Returns the archive, with its objects numbered as NSKeyedArchiver numbers them.
    ///
    /// Objects are numbered in the order of first reference. A class record is numbered after the contents of the first
    /// object of its class.
    ///
    /// - Throws: A problem if a reserved object was not described, or if the archive would be too large.
    package consuming func finish() throws(Problem) -> Document {
        try finish(keepingUnreachable: true)
    }

    /// Returns the archive, with its objects numbered as NSKeyedArchiver numbers them.
    ///
    /// - Parameters:
    ///   - keepsUnreachable: Whether to keep objects that no root reaches. Otherwise these need not be described.
    ///   - isSound: Whether ``ArchiveCheck`` can be skipped because it would find no problem. This requires that each
    ///     object has a record of this builder as its class and no other `$class`, that references are to objects of
    ///     this builder, that no key is a reference or a container, that no dictionary is stored in place, and that no
    ///     plain value was begun.
    package consuming func finish(
        keepingUnreachable keepsUnreachable: Bool, isSound: Bool = false
    ) throws(Problem) -> Document {
        let (entries, records) = (entries, records)
        let document = try assembled(keepingUnreachable: keepsUnreachable)
        guard isSound, let envelope = ArchiveRoot(document) else {
            return try KeyedArchive(document).renumbered(keepingUnreachable: keepsUnreachable)
        }
        try document.checkExpansion(Limits())
        var order = ArchiveOrder(
            document, objects: envelope.objects, entries, records: records, hasPlainKeys: true)
        order.number(from: envelope.top, keepingUnreachable: keepsUnreachable)
        return try document.renumbered(envelope.objectsID, in: order)
    }

    /// Returns the archive, with the objects numbered as in this builder.
    package consuming func assembled(keepingUnreachable keepsUnreachable: Bool) throws(Problem) -> Document {
        contents.open(.dictionary)
        add(key: "$version")
        contents.add(integer: ArchiveRoot.version)
        add(key: "$archiver")
        let archiver = archiver
        contents.add(utf16: archiver.span)
        add(key: "$top")
        // Like every object, `$top` was removed from the contents when it was described, so this is its only reference.
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

/// The order in which NSKeyedArchiver numbers the objects of an archive (<doc:HowAKeyedArchiveIsBuilt>).
///
/// An object is numbered at its first reference, before the objects it refers to. A class record is numbered after the
/// contents of the first object of its class.
///
///     Map ─▶ name, players ─▶ [Ada, Bo]      1 Map  2 name  3 players  4 Ada  5 Player (class)  6 Bo  …  9 Map (class)
///
/// The walk is iterative, so no chain of references can overflow the stack.
private struct ArchiveOrder {
    private let document: Document
    /// The stored array `$objects`. An object's old number is its position in this array.
    private let objects: StoredObject
    private let entries: [ObjectEntry]
    /// The class records, by class position.
    private let records: [UID]
    /// Whether the keys of dictionaries are known to be neither references nor containers, and can be skipped.
    private let hasPlainKeys: Bool
    /// The objects in their new order.
    private(set) var order: [UID] = [.null]
    /// The new number of each object; -1 until it is assigned.
    private(set) var numbers: [Int32]

    /// A container whose references are being followed.
    private struct Frame {
        let container: StoredObject
        /// The index of the reference to the class, which is skipped; -1 for a container in place.
        var omitted = -1
        /// The class record to number after the contents; nil for a container in place.
        var classRecord: UID?
        var next = 0
    }

    /// - Parameter keepsUnreachable: Whether to number the objects that no root reaches. They come last.
    init(_ archive: KeyedArchive, keepingUnreachable keepsUnreachable: Bool = true) {
        self.init(
            archive.document, objects: archive.objects, archive.entries, records: archive.classes.map(\.uid),
            hasPlainKeys: false)
        number(from: archive.top, keepingUnreachable: keepsUnreachable)
    }

    /// Creates an order for objects with known entries. None has a number yet.
    init(
        _ document: Document, objects: StoredObject, _ entries: [ObjectEntry], records: [UID], hasPlainKeys: Bool
    ) {
        self.document = document
        self.objects = objects
        self.entries = entries
        self.records = records
        self.hasPlainKeys = hasPlainKeys
        numbers = entries.map { $0.kind == .null ? 0 : -1 }
        order.reserveCapacity(entries.count)
    }

    /// Numbers the objects that the roots reach, then the others if they are kept.
    mutating func number(from top: StoredObject, keepingUnreachable keepsUnreachable: Bool) {
        follow(newFrame(of: top))
        if keepsUnreachable { visitRest() }
        numberSameRecords()
    }

    private mutating func visitRest() {
        for index in entries.indices where entries[index].kind != .classRecord {
            if let frame = enter(UID(index)) { follow(frame) }
        }
        for record in records { number(record) }
    }

    /// Numbers all objects that a container reaches, depth first.
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
            let entered = object.kind == .uid ? enter(UID(Int(document.uid(object)))) : newFrame(of: object)
            guard let entered else { continue }
            outer.append(frame)
            frame = entered
        }
    }

    /// Numbers an object, and returns a frame if its references must be followed.
    private mutating func enter(_ uid: UID) -> Frame? {
        guard uid.index < numbers.count, numbers[uid.index] < 0 else { return nil }
        number(uid)
        // A class record only comes here if an object refers to it as a value. Otherwise it is numbered after the first
        // object of its class.
        let entry = entries[uid.index]
        guard entry.isInstance else { return nil }
        let stored = document.object(document.reference(uid.index, of: objects))
        var frame = newFrame(of: stored)
        frame.omitted = stored.count + document.classMember(of: stored, entry)
        frame.classRecord = records[Int(entry.classPosition)]
        return frame
    }

    private func newFrame(of container: StoredObject) -> Frame {
        let first = hasPlainKeys && container.kind == .dictionary ? container.count : 0
        return Frame(container: container, next: first)
    }

    /// Numbers class records that are stored once but listed several times in `$objects`. All listings get the number
    /// of the first.
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
    /// Returns the archive with its objects numbered as NSKeyedArchiver numbers them.
    ///
    /// All references to a `$null` become references to object 0, the only `$null` that is kept.
    ///
    /// - Parameter keepsUnreachable: Whether to keep objects that no root reaches.
    /// - Throws: A problem if the archive would be too large.
    func renumbered(keepingUnreachable keepsUnreachable: Bool = true) throws(Problem) -> Document {
        let order = ArchiveOrder(self, keepingUnreachable: keepsUnreachable)
        return try document.renumbered(objectsID, in: order)
    }
}

extension Document {
    /// Returns an archive with its objects in another order.
    ///
    /// - Parameter list: The array `$objects`.
    fileprivate func renumbered(_ list: ObjectID, in order: ArchiveOrder) throws(Problem) -> Document {
        let objects = object(list)
        return try replacing(elementsOf: list, by: order.order.map { reference($0.index, of: objects) }) { uid in
            // A UID that is beyond the objects of the archive has no meaning and is kept.
            uid < order.numbers.count ? UInt32(bitPattern: max(order.numbers[Int(uid)], 0)) : uid
        }
    }
}
