import SaveCodec

/// A checksum algorithm.
package enum DigestAlgorithm: String, CaseIterable, Sendable {
    case md5, sha1, sha256, crc32

    /// The length of a checksum, in bytes.
    var size: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        case .crc32: 4
        }
    }

    /// Returns the checksum of some bytes, most significant byte first for a CRC.
    package func digest(of bytes: Span<UInt8>) -> [UInt8] {
        switch self {
        case .md5: MD5.digest(bytes)
        case .sha1: SHA1.digest(bytes)
        case .sha256: SHA256.digest(bytes)
        case .crc32: DigestBlocks.bytes(of: [CRC32.checksum(of: bytes)])
        }
    }
}

// MARK: Blocks

/// The 64-byte blocks of a padded message for MD5 and the SHA family (RFC 1321 §3.1, FIPS 180-4 §5.1.1).
///
///     message │ 80 00 … 00 │ length in bits, eight bytes
enum DigestBlocks {
    static let size = 64

    /// Calls a closure with each block.
    ///
    /// - Parameter isBigEndian: Whether the length is stored most significant byte first.
    static func forEach(of message: Span<UInt8>, isBigEndian: Bool, _ body: (Span<UInt8>) -> Void) {
        let whole = message.count / size * size
        for start in stride(from: 0, to: whole, by: size) { body(message.extracting(start..<start + size)) }
        let rest = message.count - whole
        var ending = [UInt8](repeating: 0, count: rest < size - 8 ? size : 2 * size)
        for position in 0..<rest { ending[position] = message[whole + position] }
        ending[rest] = 0x80
        let bits = UInt64(message.count) << 3
        for position in 0..<8 {
            let byte = UInt8(truncatingIfNeeded: bits >> UInt64(8 * position))
            ending[isBigEndian ? ending.count - 1 - position : ending.count - 8 + position] = byte
        }
        for start in stride(from: 0, to: ending.count, by: size) { body(ending.span.extracting(start..<start + size)) }
    }

    /// Returns the words of a block, each stored most significant byte first.
    static func words(of block: Span<UInt8>) -> [UInt32] {
        (0..<16).map { word in
            var value: UInt32 = 0
            for position in 4 * word..<4 * word + 4 { value = value << 8 | UInt32(block[position]) }
            return value
        }
    }

    /// Returns the bytes of words, most significant first.
    static func bytes(of words: [UInt32]) -> [UInt8] {
        words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
    }
}

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

/// The message digest SHA-1 of FIPS 180-4 §6.1. Like ``MD5``, it gives no protection.
struct SHA1 {
    private var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]

    /// Returns the digest of a message: 20 bytes.
    static func digest(_ message: Span<UInt8>) -> [UInt8] {
        var sha = SHA1()
        DigestBlocks.forEach(of: message, isBigEndian: true) { sha.takeBlock($0) }
        return DigestBlocks.bytes(of: sha.state)
    }

    private mutating func takeBlock(_ block: Span<UInt8>) {
        var schedule = DigestBlocks.words(of: block)
        for step in 16..<80 {
            let word = schedule[step - 3] ^ schedule[step - 8] ^ schedule[step - 14] ^ schedule[step - 16]
            schedule.append(word.turnedLeft(1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for step in 0..<80 {
            let (chosen, constant): (UInt32, UInt32) =
                switch step / 20 {
                case 0: (b & c | ~b & d, 0x5A82_7999)
                case 1: (b ^ c ^ d, 0x6ED9_EBA1)
                case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let sum = a.turnedLeft(5) &+ chosen &+ e &+ constant &+ schedule[step]
            (a, b, c, d, e) = (sum, a, b.turnedLeft(30), c, d)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
    }
}

/// The message digest SHA-256 of FIPS 180-4 §6.2.
///
///     "abc"  ─▶  BA7816BF 8F01CFEA 414140DE 5DAE2223 B00361A3 96177A9C B410FF61 F20015AD
struct SHA256 {
    private var state: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A,
        0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]

    /// Returns the digest of a message: 32 bytes.
    static func digest(_ message: Span<UInt8>) -> [UInt8] {
        var sha = SHA256()
        DigestBlocks.forEach(of: message, isBigEndian: true) { sha.takeBlock($0) }
        return DigestBlocks.bytes(of: sha.state)
    }

    private mutating func takeBlock(_ block: Span<UInt8>) {
        var schedule = DigestBlocks.words(of: block)
        for step in 16..<64 {
            let (early, late) = (schedule[step - 15], schedule[step - 2])
            let small = early.turnedLeft(25) ^ early.turnedLeft(14) ^ early >> 3
            let large = late.turnedLeft(15) ^ late.turnedLeft(13) ^ late >> 10
            schedule.append(schedule[step - 16] &+ small &+ schedule[step - 7] &+ large)
        }
        var words = state
        for step in 0..<64 {
            let (a, e) = (words[0], words[4])
            let chosen = e & words[5] ^ ~e & words[6]
            let majority = a & words[1] ^ a & words[2] ^ words[1] & words[2]
            let sums = (
                a: a.turnedLeft(30) ^ a.turnedLeft(19) ^ a.turnedLeft(10),
                e: e.turnedLeft(26) ^ e.turnedLeft(21) ^ e.turnedLeft(7)
            )
            let first = words[7] &+ sums.e &+ chosen &+ Self.constants[step] &+ schedule[step]
            words = [first &+ sums.a &+ majority, a, words[1], words[2], words[3] &+ first, e, words[5], words[6]]
        }
        for index in state.indices { state[index] &+= words[index] }
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}

extension UInt32 {
    fileprivate func turnedLeft(_ bits: UInt32) -> UInt32 { self << bits | self >> (32 - bits) }
}
