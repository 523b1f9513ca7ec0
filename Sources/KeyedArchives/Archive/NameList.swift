public import SaveCodec

/// A list of names in a class record, as stored: a name is looked at when it is asked for.
///
/// Nothing is copied, since a few hostile bytes can make up a list of millions, and millions of records can share it.
public struct NameList: Sendable, RandomAccessCollection, Hashable {
    private let document: Document
    private let names: StoredObject

    /// The elements of an array, all of them strings.
    init(_ document: Document, _ names: StoredObject) {
        self.document = document
        self.names = names
    }

    /// Zero.
    public var startIndex: Int { 0 }
    /// The number of names.
    public var endIndex: Int { names.count }

    /// The name at a position from zero.
    public subscript(position: Int) -> StoredString {
        StoredString(document, document.object(document.reference(position, of: names)))
    }

    /// Whether both are the same names in the same order.
    public static func == (a: NameList, b: NameList) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { $0.hasSameUnits(as: $1) }
    }

    /// Feeds the names to a hash function, each with its length.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for name in self {
            hasher.combine(name.count)
            for unit in name { hasher.combine(unit) }
        }
    }
}
