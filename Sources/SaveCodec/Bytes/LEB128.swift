/// Numbers in groups of seven bits, the least significant first, with the high bit set on all but the last byte: `AC 02`
/// is 0x2C + 2 · 128 = 300.
package enum LEB128 {
    /// Appends a number. The bits of a negative number are treated as unsigned.
    package static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: Int64(number))
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
