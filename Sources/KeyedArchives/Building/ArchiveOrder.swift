public import SaveCodec

/// The order in which NSKeyedArchiver numbers the objects of an archive (<doc:ArchiveFormat>): at the first reference,
/// before what the object itself refers to; a class record behind the first object of its class.
///
///     Map ─▶ name, players ─▶ [Ada, Bo]      1 Map  2 name  3 players  4 Ada  5 Player (class)  6 Bo  …  9 Map (class)
///
/// Iterative, so that no chain of references can overflow the stack.
struct ArchiveOrder {
    private let archive: KeyedArchive
    /// The objects in their new order.
    private(set) var order: [UID] = [.null]
    /// The new number of each object; -1 for one that has none yet.
    private(set) var numbers: [Int32]
    private var frames: [Frame] = []

    private struct Frame {
        var contents: NestedContents
        let classRecord: UID
    }

    /// - Parameter keepsUnreachable: whether objects have a number to which no root leads; they come last.
    init(_ archive: KeyedArchive, keepingUnreachable keepsUnreachable: Bool = true) {
        self.archive = archive
        numbers = archive.entries.map { $0.kind == .null ? 0 : -1 }
        var roots = NestedContents(of: archive.top, in: archive.document)
        while let (_, object) = roots.next() {
            if object.kind == .uid { visitAll(from: UID(Int(archive.document.uid(object)))) }
        }
        if keepsUnreachable { visitRest() }
        numberSameRecords()
    }

    private mutating func visitRest() {
        for index in archive.entries.indices where archive.entries[index].kind != .classRecord {
            visitAll(from: UID(index))
        }
        for record in archive.classes { number(record.uid) }
    }

    private mutating func visitAll(from root: UID) {
        visit(root)
        while !frames.isEmpty {
            if let (_, object) = frames[frames.count - 1].contents.next() {
                if object.kind == .uid { visit(UID(Int(archive.document.uid(object)))) }
            } else {
                number(frames.removeLast().classRecord)
            }
        }
    }

    private mutating func visit(_ uid: UID) {
        guard numbers[uid.index] < 0 else { return }
        // A record comes behind its first object, unless something refers to it as to an object.
        guard let position = archive.classPosition(of: uid) else { return number(uid) }
        number(uid)
        frames.append(
            Frame(
                contents: NestedContents(
                    of: archive.stored(uid), in: archive.document, omitting: archive.classMember(of: uid)),
                classRecord: archive.classes[position].uid))
    }

    /// A record that stands in `$objects` once more, as the very same object of the property list, is the first one.
    private mutating func numberSameRecords() {
        for index in archive.entries.indices where numbers[index] < 0 {
            guard case .classRecord(let position) = archive.entries[index].role else { continue }
            numbers[index] = numbers[archive.classes[position].uid.index]
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
    public func renumbered() throws(Problem) -> Document {
        try renumbered(keepingUnreachable: true)
    }

    /// The same archive renumbered, likewise.
    ///
    /// - Parameter keepsUnreachable: whether objects stay to which no root leads.
    func renumbered(keepingUnreachable keepsUnreachable: Bool) throws(Problem) -> Document {
        let order = ArchiveOrder(self, keepingUnreachable: keepsUnreachable)
        return try document.replacing(elementsOf: objectsID, by: order.order.map(objectID)) { uid in
            // Outside the objects of the archive a UID means nothing.
            uid < order.numbers.count ? UInt32(bitPattern: max(order.numbers[Int(uid)], 0)) : uid
        }
    }
}
