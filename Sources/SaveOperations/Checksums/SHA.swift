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
