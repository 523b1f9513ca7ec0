/// A 64-bit FNV-1a hash of bytes or of UTF-16 code units, which it takes one at a time. The same in every run; it detects
/// edits but not deliberate tampering.
package struct FNV1aHash {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package static func of(_ bytes: [UInt8]) -> UInt64 {
        var hash = FNV1aHash()
        for byte in bytes { hash.add(UInt16(byte)) }
        return hash.value
    }

    package mutating func add(_ unit: UInt16) {
        value = (value ^ UInt64(unit)) &* 0x100_0000_01B3
    }
}
