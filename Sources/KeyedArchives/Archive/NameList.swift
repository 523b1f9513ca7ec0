package import SaveCodec

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
