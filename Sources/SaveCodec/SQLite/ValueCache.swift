/// A cache of recent values. A number or short text in a column with few different values does not need a new object in
/// each row.
///
///     …, "Orc", 250, …      "Orc" becomes an object
///     …, "Orc", 250, …      "Orc" refers to the same object
///
/// A hash of the value selects its entry, and a later value with the same hash overwrites it. A lookup therefore
/// compares the stored bytes of both values.
struct ValueCache {
    private struct Entry {
        var type = -1
        var isReal = false
        var start = 0
        var object = ObjectID(0)
    }

    private static let bits = 15
    /// The maximum size of a cached value. Longer values rarely occur twice.
    static let longest = 32

    private var entries = [Entry](repeating: Entry(), count: 1 << bits)

    /// Returns the object of a value with the same stored bytes; nil if it is not cached.
    ///
    /// - Parameter isReal: Whether the column converts integers to reals.
    @inline(__always)
    func object(for field: Record.Field, isReal: Bool, in file: Span<UInt8>) -> ObjectID? {
        let entry = entries[Self.slot(of: field, in: file)]
        guard entry.type == field.type, entry.isReal == isReal,
            file.holdsSame(field.size, at: entry.start, and: field.start)
        else { return nil }
        return entry.object
    }

    @inline(__always)
    mutating func keep(_ object: ObjectID, for field: Record.Field, isReal: Bool, in file: Span<UInt8>) {
        entries[Self.slot(of: field, in: file)] = Entry(
            type: field.type, isReal: isReal, start: field.start, object: object)
    }

    @inline(__always)
    private static func slot(of field: Record.Field, in file: Span<UInt8>) -> Int {
        let first = EightBytes(file, at: field.start).first(field.size).word
        let last = field.size > 8 ? EightBytes(file, at: field.start + field.size - 8).word : 0
        let mixed = (first ^ last &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(field.type)) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed >> UInt64(64 - bits))
    }
}
