import Testing

@testable import SaveOperations

@Suite struct DigestTests {
    private func digest(_ algorithm: DigestAlgorithm, _ message: [UInt8]) -> String {
        let digest = algorithm.digest(of: message.span)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns `count` bytes that count up from 0 modulo 251.
    private static func message(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

    /// RFC 1321 §A.5.
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"),
        ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
    ])
    func vectorOfTheRFC(message: String, digest: String) {
        #expect(self.digest(.md5, Array(message.utf8)) == digest)
    }

    /// Messages around the block boundaries and far beyond, with digests from Python's hashlib.
    @Test(arguments: [
        (55, "6912ee65fff2d9f9ce2508cddf8bcda0"), (56, "51fdd1acda72405dfdfa03fcb85896d7"),
        (57, "5320ef4c17ef34a0cf2db763338d25eb"), (58, "9f4f41b5cde885f94cfc0e06e78f929d"),
        (59, "e39965bc00ecacd90fd875f77eff499a"), (60, "63ed72093ae09e2c8553ee069e63d702"),
        (61, "0d08fc14ac5baa37792377355dbad0ae"), (62, "f3cdffe2e160a061754a06dafcfd688b"),
        (63, "48a6295221902e8e0938f773a7185e72"), (64, "b2d3f56bc197fd985d5965079b5e7148"),
        (65, "8bd7053801c768420faf816fadba971c"), (119, "1c772251899a7ff007400b888d6b2042"),
        (120, "b7ba1efc6022e9ed272f00b8831e26e6"), (127, "8402b21e7bc7906493bae0dac017f1f9"),
        (128, "37eff01866ba3f538421b30b7cbefcac"), (1_000_000, "35efddb2811ce9ecbdfa17f18472e604"),
    ])
    func length(count: Int, digest: String) {
        #expect(self.digest(.md5, Self.message(count)) == digest)
    }

    /// Digests from Python's hashlib and zlib.
    @Test(
        arguments: [
            (
                0, "da39a3ee5e6b4b0d3255bfef95601890afd80709",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "00000000"
            ),
            (
                3, "0c7a623fd2bbc05b06423be359e4021d36e721ad",
                "ae4b3280e56e2faf83f414a6e3dabe9d5fbe18976544c05fed121accb85b53fc", "0854897f"
            ),
            (
                55, "8ae2d46729cfe68ff927af5eec9c7d1b66d65ac2",
                "463eb28e72f82e0a96c0a4cc53690c571281131f672aa229e0d45ae59b598b59", "fd4fdad4"
            ),
            (
                56, "636e2ec698dac903498e648bd2f3af641d3c88cb",
                "da2ae4d6b36748f2a318f23e7ab1dfdf45acdc9d049bd80e59de82a60895f562", "ebfc1395"
            ),
            (
                63, "6d942da0c4392b123528f2905c713a3ce28364bd",
                "29af2686fd53374a36b0846694cc342177e428d1647515f078784d69cdb9e488", "dbdea683"
            ),
            (
                64, "c6138d514ffa2135bfce0ed0b8fac65669917ec7",
                "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108", "100ece8c"
            ),
            (
                65, "69bd728ad6e13cd76ff19751fde427b00e395746",
                "4bfd2c8b6f1eec7a2afeb48b934ee4b2694182027e6d0fc075074f2fabb31781", "40c06fd8"
            ),
            (
                119, "41c89d06001bab4ab78736b44efe7ce18ce6ae08",
                "da18797ed7c3a777f0847f429724a2d8cd5138e6ed2895c3fa1a6d39d18f7ec6", "9353a1a6"
            ),
            (
                120, "d3dbd653bd8597b7475321b60a36891278e6a04a",
                "f52b23db1fbb6ded89ef42a23ce0c8922c45f25c50b568a93bf1c075420bbb7c", "23455e6e"
            ),
            (
                128, "e6434bc401f98603d7eda504790c98c67385d535",
                "471fb943aa23c511f6f72f8d1652d9c880cfa392ad80503120547703e56a2be5", "24650d57"
            ),
            (
                100_000, "23a1065a0f6a485119049bf2799179dd0154efbb",
                "cd2df694e424bc7968cc37f47751019e5ca0cd1bdf2e479ea537c3a1c32ee1aa", "b353b8fa"
            ),
        ] as [(Int, String, String, String)])
    func otherAlgorithms(count: Int, sha1: String, sha256: String, crc32: String) {
        let message = Self.message(count)
        #expect(digest(.sha1, message) == sha1)
        #expect(digest(.sha256, message) == sha256)
        #expect(digest(.crc32, message) == crc32)
    }

    @Test(arguments: DigestAlgorithm.allCases)
    func digestsHaveExpectedSizes(_ algorithm: DigestAlgorithm) {
        #expect(digest(algorithm, []).utf8.count == 2 * algorithm.size)
    }
}
