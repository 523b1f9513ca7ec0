/// The message digest MD5 of RFC 1321, for the tokens of score submissions and for checksums in saves.
///
/// MD5 gives no protection: two messages with the same digest can be found in seconds.
///
///     "abc"  61 62 63 80 00 … 00 18 00 00 00 00 00 00 00   one block of 64 bytes: message, 0x80, zeros, length in bits
///            ─▶ 90015098 3cd24fb0 d6963f7d 28e17f72
struct MD5 {
    private var a: UInt32 = 0x6745_2301
    private var b: UInt32 = 0xEFCD_AB89
    private var c: UInt32 = 0x98BA_DCFE
    private var d: UInt32 = 0x1032_5476

    /// Returns the digest of a message: 16 bytes.
    static func digest(_ message: Span<UInt8>) -> [UInt8] {
        var state = MD5()
        DigestBlocks.forEach(of: message, isBigEndian: false) { state.takeBlock($0) }
        return state.bytes
    }

    /// Adds a block in four rounds of 16 steps (RFC 1321 §3.4).
    private mutating func takeBlock(_ block: Span<UInt8>) {
        let before = self
        for step in 0..<16 { mix(b & c | ~b & d, word: Self.word(block, step), step: step) }
        for step in 16..<32 { mix(b & d | c & ~d, word: Self.word(block, (5 * step + 1) % 16), step: step) }
        for step in 32..<48 { mix(b ^ c ^ d, word: Self.word(block, (3 * step + 5) % 16), step: step) }
        for step in 48..<64 { mix(c ^ (b | ~d), word: Self.word(block, 7 * step % 16), step: step) }
        a &+= before.a
        b &+= before.b
        c &+= before.c
        d &+= before.d
    }

    /// Performs one step and rotates the four words, so that all steps have the same form.
    private mutating func mix(_ chosen: UInt32, word: UInt32, step: Int) {
        let sum = a &+ chosen &+ word &+ Self.sines[step]
        let turns = Self.turns[step / 16 * 4 + step % 4]
        (a, d, c, b) = (d, c, b, b &+ (sum << turns | sum >> (32 - turns)))
    }

    /// Returns a word of a block, stored least significant byte first.
    private static func word(_ block: Span<UInt8>, _ number: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(block[4 * number + $1]) << UInt32(8 * $1) }
    }

    private var bytes: [UInt8] {
        [a, b, c, d].flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) } }
    }

    /// The numbers of bits to rotate by: four for each of the four rounds, which the steps of the round use in turn.
    private static let turns: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

    /// The integer parts of 2^32 times the absolute sines of 1 to 64.
    private static let sines: [UInt32] = [
        0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A, 0xA830_4613, 0xFD46_9501,
        0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE, 0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821,
        0xF61E_2562, 0xC040_B340, 0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
        0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8, 0x676F_02D9, 0x8D2A_4C8A,
        0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C, 0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70,
        0x289B_7EC6, 0xEAA1_27FA, 0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
        0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92, 0xFFEF_F47D, 0x8584_5DD1,
        0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1, 0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
    ]
}
