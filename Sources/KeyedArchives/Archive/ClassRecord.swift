package import SaveCodec

/// What `$objects` holds of a class: its name, and the names that an unarchiver may fall back to.
package struct ClassRecord: Sendable {
    /// The object that the record is.
    package let uid: UID
    /// The name of the class, `$classname`.
    package let name: StoredString
    /// The string that the name is stored as.
    let storedName: ObjectID
    /// The class and its ancestors, from the class up; nil where none are stored, as of a renamed class.
    package let chain: NameList?
    /// Names to fall back to where there is no such class, `$classhints`; nil where none are stored.
    package let hints: NameList?
    /// Foundation's class of this name, or that of another framework which games use.
    let foundation: FoundationClass?

    init(uid: UID, name: StoredString, storedName: ObjectID, chain: NameList?, hints: NameList?) {
        self.uid = uid
        self.name = name
        self.storedName = storedName
        self.chain = chain
        self.hints = hints
        foundation = FoundationClass.named(name)
    }

    /// The members that a record may have.
    static let members: [StaticString] = ["$classname", "$classes", "$classhints"]
}

// MARK: Use

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

// MARK: Names

/// A list of names in a class record, as stored: a name is looked at when it is asked for.
///
/// Nothing is copied, since a few hostile bytes can make up a list of millions, and millions of records can share it.
package struct NameList: Sendable, RandomAccessCollection, Hashable {
    private let document: Document
    private let names: StoredObject

    /// The elements of an array, all of them strings.
    init(_ document: Document, _ names: StoredObject) {
        self.document = document
        self.names = names
    }

    /// Zero.
    package var startIndex: Int { 0 }
    /// The number of names.
    package var endIndex: Int { names.count }

    /// The name at a position from zero.
    package subscript(position: Int) -> StoredString {
        StoredString(document, document.object(document.reference(position, of: names)))
    }

    /// Whether both are the same names in the same order.
    package static func == (a: NameList, b: NameList) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { $0.hasSameUnits(as: $1) }
    }

    /// Feeds the names to a hash function, each with its length.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for name in self {
            hasher.combine(name.count)
            for unit in name { hasher.combine(unit) }
        }
    }
}
