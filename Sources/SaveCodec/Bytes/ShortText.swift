/// A text of at most 16 bytes that is chosen at run time. A ``ByteWriter`` writes it in two moves, almost as fast as a
/// literal.
struct ShortText: Sendable {
    /// The first eight bytes; the first one is the lowest byte.
    let low: UInt64
    /// The other bytes.
    let high: UInt64
    let count: Int

    /// - Precondition: The text has at most 16 bytes.
    init(_ text: String) {
        let bytes = Array(text.utf8)
        // The texts are constants of the program, such as tags, so no input can cause this failure.
        precondition(bytes.count <= 16, "the text is too long for a short text")
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        (low, high, count) = (word(bytes.prefix(8)), word(bytes.dropFirst(8)), bytes.count)
    }
}
