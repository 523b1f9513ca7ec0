package import SaveCodec

/// A class record in `$objects`: the name of a class, and the names that an unarchiver may fall back to.
package struct ClassRecord: Sendable {
    /// The UID of the record.
    package let uid: UID
    /// The name of the class, `$classname`.
    package let name: StoredString
    /// The string object that stores the name.
    let storedName: ObjectID
    /// The name as Swift prints it, if the stored name is mangled.
    package internal(set) var swiftName: [UInt16]?
    /// The class and its ancestors, starting with the class; nil if not stored, as for a renamed class.
    package let chain: ClassNameList?
    /// The names to fall back to if the class does not exist, `$classhints`; nil if not stored.
    package let hints: ClassNameList?
    /// The known class with this name, from Foundation or another framework that games use.
    package let foundation: FoundationClass?

    init(uid: UID, name: StoredString, storedName: ObjectID, chain: ClassNameList?, hints: ClassNameList?) {
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

/// A class record and the objects of that class.
package struct ClassUse: Sendable {
    package let record: ClassRecord
    /// The number of objects of the class, at least one.
    package let count: Int
    /// The first of these objects.
    package let first: UID
    /// The location of the first object in the file; nil if not known.
    package let location: SourceLocation?

    /// Returns the use of each class that has objects, in the order of the class records.
    static func list(of classes: [ClassRecord], _ entries: [ObjectEntry], location: (UID) -> SourceLocation?)
        -> [ClassUse]
    {
        var members = [(count: Int, first: UID)](repeating: (0, .null), count: classes.count)
        for (index, entry) in entries.enumerated() {
            guard case .instance(let position) = entry.role else { continue }
            if members[position].count == 0 { members[position].first = UID(index) }
            members[position].count += 1
        }
        return zip(classes, members).filter { $0.1.count > 0 }.map { record, objects in
            ClassUse(record: record, count: objects.count, first: objects.first, location: location(objects.first))
        }
    }
}

extension KeyedArchive {
    /// The classes that objects use, in the order of their records.
    package var classUses: [ClassUse] {
        ClassUse.list(of: classes, entries) { document.location(of: objectID($0)) }
    }
}

// MARK: Names

/// A list of names in a class record, read on access.
///
/// The names are not copied, because a few bytes of a hostile file can describe millions of them, shared by millions of
/// records.
package struct ClassNameList: Sendable, RandomAccessCollection, Hashable {
    private let document: Document
    private let names: StoredObject

    /// Creates the list from an array of strings.
    init(_ document: Document, _ names: StoredObject) {
        self.document = document
        self.names = names
    }

    /// The position of the first name, 0.
    package var startIndex: Int { 0 }
    package var endIndex: Int { names.count }

    /// The name at a position from zero.
    package subscript(position: Int) -> StoredString {
        StoredString(document, document.object(document.reference(position, of: names)))
    }

    /// Whether both lists have the same names in the same order.
    package static func == (a: ClassNameList, b: ClassNameList) -> Bool {
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
