/// An object as stored in the image: its kind and the extent of its contents.
@usableFromInline
package struct StoredObject: Sendable {
    /// The kind of an object. Other modules check it at every step, so its members are inlinable.
    @usableFromInline
    package enum Kind: Sendable, Equatable {
        case null, `false`, `true`, integer, real, date, data, oneByteString, utf16String, uid, array, set, dictionary

        @inlinable
        package var isContainer: Bool {
            switch self {
            case .array, .set, .dictionary: true
            default: false
            }
        }

        @inlinable
        package var isString: Bool {
            switch self {
            case .oneByteString, .utf16String: true
            default: false
            }
        }

        /// The position of the kind in the order of kinds for sorting and hashing.
        @inlinable
        var rank: UInt8 {
            switch self {
            case .null: 0
            case .false: 1
            case .true: 2
            case .integer: 3
            case .real: 4
            case .date: 5
            case .data: 6
            case .oneByteString: 7
            case .utf16String: 8
            case .uid: 9
            case .array: 10
            case .set: 11
            case .dictionary: 12
            }
        }

        @inlinable
        package static func == (a: Kind, b: Kind) -> Bool { a.rank == b.rank }
    }

    @usableFromInline package let kind: Kind
    /// The offset of the contents, after the marker and a count that is stored separately.
    @usableFromInline package let start: Int
    /// The size of the contents: bytes of a number, data or one-byte string, code units of a UTF-16 string, elements of
    /// an array or set, or pairs of a dictionary.
    @usableFromInline package let count: Int

    @inlinable
    init(kind: Kind, start: Int, count: Int) {
        self.kind = kind
        self.start = start
        self.count = count
    }

    /// The number of references in the contents.
    @inlinable
    package var referenceCount: Int {
        switch kind {
        case .array, .set: count
        case .dictionary: 2 * count
        default: 0
        }
    }

    /// The number of bytes of a scalar's contents, or 0 for a container.
    package var ownSize: Int {
        switch kind {
        case .array, .set, .dictionary: 0
        case .utf16String: 2 * count
        default: count
        }
    }

    func end(in table: OffsetTable) -> Int {
        switch kind {
        case .array, .set, .dictionary: start + referenceCount * table.referenceSize
        case .utf16String: start + 2 * count
        default: start + count
        }
    }
}
