package import SaveCodec

/// A class record, and the objects of the archive that have it.
package struct ClassUse: Sendable {
    package let record: ClassRecord
    /// How many objects have the class, at least one.
    package let count: Int
    /// The first of them.
    package let first: UID
    /// Where in the file that is, if a place in the file is known.
    package let place: SourceLocation?

    /// The records that objects have, in their order.
    static func list(of classes: [ClassRecord], _ entries: [Entry], place: (UID) -> SourceLocation?) -> [ClassUse] {
        var members = [(count: Int, first: UID)](repeating: (0, .null), count: classes.count)
        for (index, entry) in entries.enumerated() {
            guard case .instance(let position) = entry.role else { continue }
            if members[position].count == 0 { members[position].first = UID(index) }
            members[position].count += 1
        }
        return zip(classes, members).filter { $0.1.count > 0 }.map { record, objects in
            ClassUse(record: record, count: objects.count, first: objects.first, place: place(objects.first))
        }
    }
}

extension KeyedArchive {
    /// The classes that objects have, in the order of the records.
    package var classUses: [ClassUse] {
        ClassUse.list(of: classes, entries) { document.place(of: objectID($0)) }
    }
}
