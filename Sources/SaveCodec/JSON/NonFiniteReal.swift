/// The words for reals that JSON has no literal for, both ways: `nan` for the usual NaN, `inf`, `-inf`, and the bits of
/// any other NaN, such as `0x7ff0000000000001`.
struct NonFiniteReal {
    /// The digits that the bits take.
    let digitCount: Int
    /// The bits of positive infinity. A NaN has larger ones, apart from the sign.
    let infinity: UInt64
    /// The bits of the NaN that arithmetic yields.
    let quietNaN: UInt64
    /// The bit of the sign.
    let sign: UInt64

    /// Reals of eight bytes.
    static let real64 = NonFiniteReal(
        digitCount: 16, infinity: Double.infinity.bitPattern, quietNaN: 0x7FF8_0000_0000_0000, sign: 1 << 63)
    /// Reals of four bytes.
    static let real32 = NonFiniteReal(
        digitCount: 8, infinity: UInt64(Float.infinity.bitPattern), quietNaN: 0x7FC0_0000, sign: 1 << 31)

    /// The bits that a word stands for; nil if ``write(_:to:)`` writes no such word.
    func bits(of word: Span<UInt8>) -> UInt64? {
        if Self.equals(word, "nan") { return quietNaN }
        if Self.equals(word, "inf") { return infinity }
        if Self.equals(word, "-inf") { return sign | infinity }
        guard word.count == 2 + digitCount, word[0] == UInt8(ascii: "0"), word[1] == UInt8(ascii: "x") else {
            return nil
        }
        let bits = Hexadecimal.number(word.extracting(2...), allowsUppercase: false)
        return bits.flatMap { $0 & ~sign > infinity && $0 != quietNaN ? $0 : nil }
    }

    /// Writes the word for the bits of a real that is not finite.
    func write(_ bits: UInt64, to output: inout ByteWriter) {
        switch bits {
        case quietNaN: output.write("nan")
        case infinity: output.write("inf")
        case sign | infinity: output.write("-inf")
        default:
            output.write("0x")
            Hexadecimal.write(bits, count: digitCount, to: &output)
        }
    }

    private static func equals(_ word: Span<UInt8>, _ literal: String) -> Bool {
        word.count == literal.utf8.count && zip(word.indices, literal.utf8).allSatisfy { word[$0] == $1 }
    }
}
