import SaveCodec

/// The order in which NSKeyedArchiver numbers the objects of an archive (<doc:ArchiveFormat>): at the first reference,
/// before what the object itself refers to; a class record behind the first object of its class.
///
///     Map ─▶ name, players ─▶ [Ada, Bo]      1 Map  2 name  3 players  4 Ada  5 Player (class)  6 Bo  …  9 Map (class)
///
/// Iterative, so that no chain of references can overflow the stack.
struct ArchiveOrder {
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
            archive.document, top: archive.top, objects: archive.objects, archive.entries,
            records: archive.classes.map(\.uid), keepingUnreachable: keepsUnreachable)
    }

    /// The order of objects of which it is known what they are.
    init(
        _ document: Document, top: StoredObject, objects: StoredObject, _ entries: [Entry], records: [UID],
        keepingUnreachable keepsUnreachable: Bool
    ) {
        self.document = document
        self.objects = objects
        self.entries = entries
        self.records = records
        numbers = entries.map { $0.kind == .null ? 0 : -1 }
        order.reserveCapacity(entries.count)
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
    func renumbered(_ list: ObjectID, in order: ArchiveOrder) throws(Problem) -> Document {
        let objects = object(list)
        return try replacing(elementsOf: list, by: order.order.map { reference($0.index, of: objects) }) { uid in
            // Outside the objects of the archive a UID means nothing.
            uid < order.numbers.count ? UInt32(bitPattern: max(order.numbers[Int(uid)], 0)) : uid
        }
    }
}
