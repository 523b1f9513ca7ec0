/// Values that were met lately and may stand again in the next rows: a number or a short text of a column that has few
/// different ones need not become an object in each row.
///
///     …, "Orc", 250, …      the object of "Orc" is that of the row before
///     …, "Orc", 250, …
///
/// Each value has one place, which another may take; what is found is compared with the file.
struct ValueCache {
    private struct Entry {
        var type = -1
        var isReal = false
        var start = 0
        var object = ObjectID(0)
    }

    private static let bits = 15
    /// Longer values rarely stand twice.
    static let longest = 32

    private var entries = [Entry](repeating: Entry(), count: 1 << bits)

    /// The object of a value that is stored in the same way, in the bytes of the file; nil if it is none of those that are
    /// kept.
    ///
    /// - Parameter isReal: whether integers are reals in its column.
    @inline(__always)
    func object(for field: Record.Field, isReal: Bool, in file: Span<UInt8>) -> ObjectID? {
        let entry = entries[Self.place(of: field, in: file)]
        guard entry.type == field.type, entry.isReal == isReal,
            file.holdsSame(field.size, at: entry.start, and: field.start)
        else { return nil }
        return entry.object
    }

    /// Keeps the object of a value.
    @inline(__always)
    mutating func keep(_ object: ObjectID, for field: Record.Field, isReal: Bool, in file: Span<UInt8>) {
        entries[Self.place(of: field, in: file)] = Entry(
            type: field.type, isReal: isReal, start: field.start, object: object)
    }

    @inline(__always)
    private static func place(of field: Record.Field, in file: Span<UInt8>) -> Int {
        let first = EightBytes(file, at: field.start).first(field.size).word
        let last = field.size > 8 ? EightBytes(file, at: field.start + field.size - 8).word : 0
        let mixed = (first ^ last &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(field.type)) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed >> UInt64(64 - bits))
    }
}
