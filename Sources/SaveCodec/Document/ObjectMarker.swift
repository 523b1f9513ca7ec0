/// The first byte of a stored object: the kind in the high four bits, a size in the low four (see <doc:BinaryFormat>).
@usableFromInline
enum ObjectMarker {
    @inlinable static var null: UInt8 { 0x00 }
    @inlinable static var `false`: UInt8 { 0x08 }
    @inlinable static var `true`: UInt8 { 0x09 }
    @inlinable static var integer: UInt8 { 0x10 }
    static let real32: UInt8 = 0x22
    static let real64: UInt8 = 0x23
    static let date: UInt8 = 0x33
    static let data: UInt8 = 0x40
    static let oneByteString: UInt8 = 0x50
    static let utf16String: UInt8 = 0x60
    @inlinable static var uid: UInt8 { 0x80 }
    @inlinable static var array: UInt8 { 0xA0 }
    static let set: UInt8 = 0xC0
    static let dictionary: UInt8 = 0xD0

    /// Returns the high four bits of the marker of a kind.
    static func kindBits(of kind: StoredObject.Kind) -> UInt8 {
        switch kind {
        case .null, .false, .true: null
        case .integer: integer
        case .real: real32 & 0xF0
        case .date: date & 0xF0
        case .data: data
        case .oneByteString: oneByteString
        case .utf16String: utf16String
        case .uid: uid
        case .array: array
        case .set: set
        case .dictionary: dictionary
        }
    }

    @inline(__always)
    static func isString(_ marker: UInt8) -> Bool { marker & 0xF0 == oneByteString || marker & 0xF0 == utf16String }

    /// The low four bits of a marker whose count follows as a separate integer object.
    @inlinable static var countFollows: UInt8 { 0x0F }

    /// Returns the object whose marker is at `offset`, which lies in the object area.
    ///
    /// Returns nil if `bplist00` does not define the marker, if the contents extend beyond the object area, or if a UID
    /// exceeds 32 bits.
    @inlinable
    @inline(__always)
    static func object(in image: [UInt8], at offset: Int, table: OffsetTable) -> StoredObject? {
        let marker = image[offset]
        let low = Int(marker & 0x0F)
        let end = table.start
        switch marker >> 4 {
        case 0x0:
            switch marker {
            case null: return StoredObject(kind: .null, start: offset &+ 1, count: 0)
            case `false`: return StoredObject(kind: .false, start: offset &+ 1, count: 0)
            case `true`: return StoredObject(kind: .true, start: offset &+ 1, count: 0)
            default: return nil
            }
        case 0x1:
            return low <= 4 ? fixed(.integer, at: offset, size: 1 << low, end: end) : nil
        case 0x2:
            return low == 2 || low == 3 ? fixed(.real, at: offset, size: 1 << low, end: end) : nil
        case 0x3:
            return low == 3 ? fixed(.date, at: offset, size: 8, end: end) : nil
        case 0x4:
            return counted(.data, in: image, at: offset, unit: 1, end: end)
        case 0x5:
            return counted(.oneByteString, in: image, at: offset, unit: 1, end: end)
        case 0x6:
            return counted(.utf16String, in: image, at: offset, unit: 2, end: end)
        case 0x8:
            return holdsUID(in: image, at: offset, end: end) ? fixed(.uid, at: offset, size: low &+ 1, end: end) : nil
        case 0xA:
            return counted(.array, in: image, at: offset, unit: table.referenceSize, end: end)
        case 0xC:
            return counted(.set, in: image, at: offset, unit: table.referenceSize, end: end)
        case 0xD:
            return counted(.dictionary, in: image, at: offset, unit: 2 * table.referenceSize, end: end)
        default:
            return nil
        }
    }

    @inlinable
    @inline(__always)
    static func fixed(_ kind: StoredObject.Kind, at offset: Int, size: Int, end: Int) -> StoredObject? {
        offset &+ 1 &+ size <= end ? StoredObject(kind: kind, start: offset &+ 1, count: size) : nil
    }

    /// Returns the value of the UID whose marker is at `offset`, which lies in the object area.
    ///
    /// Returns nil if the object is not a UID, exceeds 32 bits, or extends beyond the object area.
    @inlinable
    @inline(__always)
    static func uid(in image: [UInt8], at offset: Int, end: Int) -> UInt32? {
        let width = Int(image[offset] & 0x0F) &+ 1
        guard image[offset] & 0xF0 == uid, offset &+ 1 &+ width <= end,
            width <= 4 || holdsUID(in: image, at: offset, end: end)
        else { return nil }
        return UInt32(truncatingIfNeeded: image.bigEndian(at: offset &+ 1, width: width))
    }

    /// Whether the value of a UID has at most 32 bits, in any width.
    @usableFromInline
    static func holdsUID(in image: [UInt8], at offset: Int, end: Int) -> Bool {
        let width = Int(image[offset] & 0x0F) &+ 1
        guard width > 4, offset &+ 1 &+ width <= end else { return true }
        return image[offset &+ 1..<offset &+ 1 &+ width &- 4].allSatisfy { $0 == 0 }
    }

    @inlinable
    @inline(__always)
    static func counted(_ kind: StoredObject.Kind, in image: [UInt8], at offset: Int, unit: Int, end: Int)
        -> StoredObject?
    {
        let low = image[offset] & 0x0F
        if low != countFollows {
            let size = Int(low) &* unit
            return size <= end &- offset &- 1 ? StoredObject(kind: kind, start: offset &+ 1, count: Int(low)) : nil
        }
        guard let (start, count) = storedCount(in: image, at: offset, end), count <= (end &- start) / unit else {
            return nil
        }
        return StoredObject(kind: kind, start: start, count: count)
    }

    /// Returns the count stored as an integer object after the marker at `offset`, and the offset of the contents.
    ///
    /// Returns nil if no integer object follows or the count exceeds Int64. Only the low eight bytes of a 16-byte count
    /// are significant, as in Core Foundation.
    @usableFromInline
    @inline(__always)
    static func storedCount(in image: [UInt8], at offset: Int, _ end: Int) -> (start: Int, count: Int)? {
        // Most counts take one byte.
        if offset &+ 2 < end, image[offset &+ 1] == integer { return (offset &+ 3, Int(image[offset &+ 2])) }
        return longCount(in: image, at: offset, end)
    }

    @inline(never)
    private static func longCount(in image: [UInt8], at offset: Int, _ end: Int) -> (start: Int, count: Int)? {
        guard offset &+ 1 < end, image[offset &+ 1] & 0xF0 == integer, image[offset &+ 1] & 0x0F <= 4 else {
            return nil
        }
        let width = 1 << Int(image[offset &+ 1] & 0x0F)
        guard width <= end &- offset &- 2 else { return nil }
        guard let count = Int(exactly: image.bigEndian(at: offset &+ 2, width: width)) else { return nil }
        return (offset &+ 2 &+ width, count)
    }
}
