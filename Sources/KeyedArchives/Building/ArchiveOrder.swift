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

    init(_ archive: KeyedArchive) {
        self.archive = archive
        numbers = archive.entries.map { $0.kind == .null ? 0 : -1 }
        var roots = NestedContents(of: archive.top, in: archive.document)
        while let (_, object) = roots.next() {
            if object.kind == .uid { visitAll(from: UID(Int(archive.document.uid(object)))) }
        }
        for index in archive.entries.indices {
            if archive.entries[index].kind == .classRecord { continue }
            visitAll(from: UID(index))
        }
        for record in archive.classes { number(record.uid) }
        numberSameRecords()
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
        let order = ArchiveOrder(self)
        var builder = DocumentBuilder(expectedSize: document.imageSize)
        func number(_ uid: UInt32) -> UInt32 { UInt32(bitPattern: order.numbers[Int(uid)]) }
        var scalars = ScalarCopies(count: document.count)
        builder.open(.dictionary)
        builder.add(string: Envelope.Member.version.rawValue)
        builder.add(integer: Envelope.version)
        builder.add(string: Envelope.Member.archiver.rawValue)
        builder.add(archiver.object, of: document)
        builder.add(string: Envelope.Member.top.rawValue)
        builder.add(topID, of: document, scalars: &scalars, number: number)
        builder.add(string: Envelope.Member.objects.rawValue)
        builder.open(.array)
        for uid in order.order {
            builder.add(document.reference(uid.index, of: objects), of: document, scalars: &scalars, number: number)
        }
        builder.close()
        builder.close()
        return try builder.finish(sourceSize: document.sourceSize)
    }
}

extension DocumentBuilder {
    /// Adds a value of another document, and what is in it, with other numbers for its UIDs.
    mutating func add(
        _ id: ObjectID, of document: Document, scalars: inout ScalarCopies, number: (UInt32) -> UInt32
    ) {
        var path: [(container: StoredObject, next: Int)] = []
        add(id, of: document, scalars: &scalars, number: number, opening: &path)
        while let frame = path.last {
            guard frame.next < frame.container.referenceCount else {
                path.removeLast()
                close()
                continue
            }
            path[path.count - 1].next += 1
            add(
                document.reference(frame.next, of: frame.container), of: document, scalars: &scalars, number: number,
                opening: &path)
        }
    }

    private mutating func add(
        _ id: ObjectID, of document: Document, scalars: inout ScalarCopies, number: (UInt32) -> UInt32,
        opening path: inout [(container: StoredObject, next: Int)]
    ) {
        let object = document.object(id)
        switch object.kind {
        case .uid: add(StoredUID(number(document.uid(object))))
        case .array: open(.array)
        case .set: open(.set)
        case .dictionary: open(.storedDictionary)
        default: scalars.add(id, of: document, to: &self)
        }
        if object.kind.isContainer { path.append((object, 0)) }
    }
}
