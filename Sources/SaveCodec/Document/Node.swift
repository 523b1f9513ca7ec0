/// One object of a document, as an enumeration to switch over.
///
/// A node refers to its document and copies nothing. The contents of containers are ``ObjectID``s, to be looked up in
/// the same document.
public enum Node: Sendable {
    /// The null object of binary property lists.
    case null
    /// A Boolean.
    case boolean(Bool)
    /// An integer.
    case integer(StoredInteger)
    /// A 32-bit real.
    case real32(Float)
    /// A 64-bit real.
    case real64(Double)
    /// A point in time, in seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// Bytes, which may hold a nested save.
    case data(ArraySlice<UInt8>)
    /// Text.
    case string(StoredString)
    /// A reference into the object table of a keyed archive.
    case uid(StoredUID)
    /// An ordered collection.
    case array(Elements)
    /// A collection without a meaningful order. Its stored order is kept.
    case set(Elements)
    /// Key-value pairs in stored order. Keys may be duplicated, and may be anything except containers.
    case dictionary(Pairs)
}

/// An integer and its width in the binary format.
public struct StoredInteger: Sendable, Hashable {
    /// The value. Widths 1, 2 and 4 are unsigned, 8 and 16 are in two's complement (see <doc:BinaryFormat>).
    public let value: Int128
    /// The stored width in bytes: 1, 2, 4, 8 or 16.
    package let width: Int

    /// Creates an integer in the smallest width, the choice of Core Foundation's writer.
    package init(_ value: Int128) {
        self.value = value
        width = Self.minimalWidth(of: value)
    }

    /// Creates an integer in a given width, or returns nil if the width is invalid or too small.
    package init?(_ value: Int128, width: Int) {
        guard [1, 2, 4, 8, 16].contains(width), width >= Self.minimalWidth(of: value) else { return nil }
        self.value = value
        self.width = width
    }

    init(stored value: Int128, width: Int) {
        self.value = value
        self.width = width
    }

    /// Returns the smallest width in bytes that holds a value. Negative values take 8, and values beyond Int64 take 16.
    static func minimalWidth(of value: Int128) -> Int {
        if value >= 0 {
            if value <= 0xFF { return 1 }
            if value <= 0xFFFF { return 2 }
            if value <= 0xFFFF_FFFF { return 4 }
        }
        return Int64(exactly: value) == nil ? 16 : 8
    }
}

/// A UID of a keyed archive and its width in the binary format.
public struct StoredUID: Sendable, Hashable {
    /// The value, an index into `$objects`.
    public let value: UInt32
    /// The stored width in bytes, 1 to 16.
    package let width: Int

    /// Creates a UID in the smallest width of 1, 2 or 4 bytes.
    public init(_ value: UInt32) {
        self.value = value
        width = value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : 4
    }

    /// Creates a UID in a given width, or returns nil if the width is not 1 to 16 or too small.
    init?(_ value: UInt32, width: Int) {
        guard (1...16).contains(width), width >= 4 || value < UInt32(1) << UInt32(8 * width) else { return nil }
        self.init(stored: value, width: width)
    }

    init(stored value: UInt32, width: Int) {
        self.value = value
        self.width = width
    }
}

/// The elements of an array or a set, in stored order.
public struct Elements: Sendable, RandomAccessCollection {
    let document: Document
    let object: StoredObject

    package init(_ document: Document, _ object: StoredObject) {
        self.document = document
        self.object = object
    }

    /// The index of the first element, which is zero.
    public var startIndex: Int { 0 }
    /// The number of elements.
    public var endIndex: Int { object.count }

    /// The element at a zero-based position.
    public subscript(position: Int) -> ObjectID {
        document.reference(position, of: object)
    }
}

/// The pairs of a dictionary, in stored order.
public struct Pairs: Sendable, RandomAccessCollection {
    let document: Document
    let object: StoredObject

    package init(_ document: Document, _ object: StoredObject) {
        self.document = document
        self.object = object
    }

    /// The index of the first pair, which is zero.
    public var startIndex: Int { 0 }
    /// The number of pairs.
    public var endIndex: Int { object.count }

    /// The pair at a zero-based position.
    public subscript(position: Int) -> (key: ObjectID, value: ObjectID) {
        (document.key(position, of: object), document.value(position, of: object))
    }

    /// Returns the effective value for a key, or nil if the key does not exist.
    ///
    /// Keys are compared by code units. With duplicate keys, the result is the value that Foundation's reader of the
    /// document's format uses. The time is linear in the number of pairs.
    public func value(for key: some Sequence<UInt16>) -> ObjectID? {
        let wanted = Array(key)
        func matches(_ position: Int) -> Bool {
            let key = document.object(document.key(position, of: object))
            return key.count == wanted.count && key.kind.isString
                && wanted.indices.allSatisfy { document.codeUnit($0, of: key) == wanted[$0] }
        }
        return document.effective(of: indices, where: matches).map { document.value($0, of: object) }
    }
}

extension Document {
    /// The object with this ID as an enumeration to switch over.
    public subscript(id: ObjectID) -> Node {
        node(object(id))
    }

    /// Returns the text of an object, or nil if it is not a string.
    public func text(_ id: ObjectID) -> StoredString? {
        let object = object(id)
        return object.kind.isString ? StoredString(self, object) : nil
    }

    package func node(_ object: StoredObject) -> Node {
        switch object.kind {
        case .null: .null
        case .false: .boolean(false)
        case .true: .boolean(true)
        case .integer: .integer(StoredInteger(stored: integer(object), width: object.count))
        case .real: object.count == 4 ? .real32(real32(object)) : .real64(real64(object))
        case .date: .date(real64(object))
        case .data: .data(image[object.start..<object.start + object.count])
        case .oneByteString, .utf16String: .string(StoredString(self, object))
        case .uid: .uid(StoredUID(stored: uid(object), width: object.count))
        case .array: .array(Elements(self, object))
        case .set: .set(Elements(self, object))
        case .dictionary: .dictionary(Pairs(self, object))
        }
    }

    /// Returns the value of an integer object.
    @inline(__always)
    package func integer(_ object: StoredObject) -> Int128 {
        switch object.count {
        case 8:
            return Int128(Int64(bitPattern: image.bigEndian(at: object.start, width: 8)))
        case 16:
            let high = image.bigEndian(at: object.start, width: 8)
            return Int128(
                truncatingIfNeeded: UInt128(high) << 64 | UInt128(image.bigEndian(at: object.start + 8, width: 8)))
        default:
            return Int128(image.bigEndian(at: object.start, width: object.count))
        }
    }

    @inline(__always)
    func real32(_ object: StoredObject) -> Float {
        Float(bitPattern: UInt32(truncatingIfNeeded: image.bigEndian(at: object.start, width: 4)))
    }

    /// Returns the value of a real object of either width.
    ///
    /// A 32-bit NaN keeps its sign, its payload and whether it is a signaling one, so that different reals of one width
    /// stay different.
    @inline(__always)
    package func real(_ object: StoredObject) -> Double {
        guard object.count == 4 else { return real64(object) }
        let value = real32(object)
        return value.isNaN ? Double(wideningNaN: value) : Double(value)
    }

    /// Returns the value of a 64-bit real or a date object.
    @inline(__always)
    package func real64(_ object: StoredObject) -> Double {
        Double(bitPattern: image.bigEndian(at: object.start, width: 8))
    }

    /// Returns the value of a UID object.
    @inline(__always)
    @inlinable
    package func uid(_ object: StoredObject) -> UInt32 {
        UInt32(truncatingIfNeeded: image.bigEndian(at: object.start, width: object.count))
    }

    /// Whether a string begins with `{`, `[`, a space or a control character, as the text of a JSON container may.
    package func mayBeginContainer(_ string: StoredObject) -> Bool {
        guard let first = firstCodeUnit(of: string) else { return false }
        return first == 0x7B || first == 0x5B || first <= 0x20
    }

    /// Returns the first code unit of a string, or nil for an empty one.
    package func firstCodeUnit(of string: StoredObject) -> UInt16? {
        string.count > 0 ? codeUnit(0, of: string) : nil
    }

    @inline(__always)
    func codeUnit(_ position: Int, of string: StoredObject) -> UInt16 {
        if string.kind == .oneByteString {
            UInt16(image[string.start &+ position])
        } else {
            UInt16(image[string.start &+ 2 &* position]) << 8 | UInt16(image[string.start &+ 2 &* position &+ 1])
        }
    }
}

extension Double {
    /// Creates a NaN with the sign and payload of a 32-bit one. A conversion would make a signaling NaN quiet.
    fileprivate init(wideningNaN value: Float) {
        let bits = UInt64(value.bitPattern)
        self.init(bitPattern: (bits & 0x8000_0000) << 32 | 0x7FF0_0000_0000_0000 | (bits & 0x007F_FFFF) << 29)
    }
}
