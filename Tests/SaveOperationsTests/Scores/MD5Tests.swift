import Testing

@testable import SaveOperations

@Suite struct MD5Tests {
    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

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
        #expect(hexadecimal(MD5.digest(Array(message.utf8).span)) == digest)
    }

    /// Around the ends of blocks, and far beyond: bytes counting from 0 modulo 251, digests from Python's hashlib.
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
        #expect(hexadecimal(MD5.digest((0..<count).map { UInt8($0 % 251) }.span)) == digest)
    }
}
