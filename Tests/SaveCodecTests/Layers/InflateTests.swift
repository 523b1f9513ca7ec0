import TestSupport
import Testing

@testable import SaveCodec

@Suite struct InflateTests {
    private static func inflated(_ bytes: [UInt8], room: Int = 1 << 20) throws(Problem) -> [UInt8] {
        var output: [UInt8] = []
        let end = try Inflate.read(bytes.span, at: 0, after: &output, hint: 0, room: room)
        #expect(end == bytes.count)
        return output
    }

    static func bytes(_ digits: String) throws -> [UInt8] {
        let bytes = Hexadecimal.bytes(digits.utf8.span)
        return try #require(bytes)
    }

    // MARK: Sound data

    /// Data that encoders rarely write, and its contents according to zlib.
    static let sound: [(name: String, digits: String, contents: [UInt8])] = [
        ("nothing with the fixed codes", "0300", []),
        ("abc with the fixed codes", "4b4c4a0600", Array("abc".utf8)),
        ("nothing stored", "010000ffff", []),
        ("two stored blocks", "000100feff61010200fdff6263", Array("abc".utf8)),
        (
            "matches that reach into themselves, from all distances up to eight",
            "4b4c4a4e494d4bcfc81c05a370148d620481201114820600",
            repeated("abcdefghi", [(258, 1), (258, 2), (258, 3), (258, 4), (10, 5), (10, 6), (10, 7), (10, 8)])
        ),
        ("no code for distances", "05c001090000000090adfe9f1002", Array("aaa".utf8)),
        ("a code for one distance", "0dc0010900000080a0adfd3f91c6", Array("aaaa".utf8)),
        (
            "codes of up to 15 bits",
            "05e081b46ddbb66ddbc6944b6d7dccb5cf7ddf1ff707eddef7fbfbf7dffffeeffffd7fffbfffdfffe7ff0f",
            Array(0...14) + [14, 13, 0]
        ),
    ]

    private static func repeated(_ start: String, _ matches: [(length: Int, distance: Int)]) -> [UInt8] {
        var bytes = Array(start.utf8)
        for match in matches { for _ in 0..<match.length { bytes.append(bytes[bytes.count - match.distance]) } }
        return bytes
    }

    @Test(arguments: sound.indices)
    func reads(_ row: Int) throws {
        #expect(
            try Self.inflated(Self.bytes(Self.sound[row].digits)) == Self.sound[row].contents, "\(Self.sound[row].name)"
        )
    }

    /// Truncated data is reported as truncated at its end.
    @Test(arguments: sound.indices)
    func reportsTruncation(_ row: Int) throws {
        let bytes = try Self.bytes(Self.sound[row].digits)
        for count in 0..<bytes.count {
            let problem = #expect(throws: Problem.self) { try Self.inflated(Array(bytes[..<count])) }
            #expect(problem?.id == "deflate.truncated")
            #expect(problem?.location == .byte(count))
        }
    }

    @Test func rejectsMatchesBeforeStart() throws {
        var output: [UInt8] = [0x61, 0x61]
        let input = try Self.bytes("0302")
        #expect(throws: Problem.self) {
            _ = try Inflate.read(input.span, at: 0, after: &output, hint: 0, room: 100)
        }
    }

    // MARK: Unsound data

    /// Data that zlib refuses for the same reason.
    static let unsound: [(digits: String, id: String, byte: Int, message: String)] = [
        ("070000", "deflate.block", 0, "a block of the compressed data has an unknown type"),
        (
            "010300faff000000", "deflate.stored", 1,
            "the two sizes of a stored block differ: 3 and 5"
        ),
        ("4b0442000000", "deflate.distance", 2, "a match has the distance 2; the output so far has the length 1"),
        ("1b03000000", "deflate.symbol", 0, "found a code without a literal, length or distance"),
        ("4b043e000000", "deflate.symbol", 2, "found a code without a literal, length or distance"),
        (
            "0dc0010900000080a0adfd3f91e6000000", "deflate.symbol", 13,
            "found a code without a literal, length or distance"
        ),
        (
            "fddd0104000000001000000000000000000000", "deflate.code", 0,
            "a block has codes for 288 literals and lengths and 30 distances; expected at most 286 literals and lengths and 30 distances"
        ),
        (
            "05de0104000000001000000000000000000000", "deflate.code", 0,
            "a block has codes for 257 literals and lengths and 31 distances; expected at most 286 literals and lengths and 30 distances"
        ),
        ("0500920000000000000000000000", "deflate.code", 0, "a block has too many codes for code lengths"),
        ("0500800800000000000000000000", "deflate.code", 0, "a block has too few codes for code lengths"),
        (
            "0500022400000000000000000000", "deflate.code", 3,
            "a block repeats a code length before the first one"
        ),
        (
            "050080e4ff1f00000000000000000000", "deflate.code", 4,
            "a block repeats a code length past the last one"
        ),
        ("050080e47f1b00000000000000000000", "deflate.code", 0, "a block has no code for its end"),
        (
            "05c001090000000090adfc1f2100000000000000000000", "deflate.code", 0,
            "a block has too many codes for literals and lengths"
        ),
        (
            "05c0810c0000008030d6fc253e00000000000000000000", "deflate.code", 0,
            "a block has too few codes for literals and lengths"
        ),
        (
            "05c201090000000090adfe9f0000000000000000000000", "deflate.code", 0,
            "a block has too many codes for distances"
        ),
        (
            "05c1010900000080a0adfe3fa10100000000000000000000", "deflate.code", 0,
            "a block has too few codes for distances"
        ),
    ]

    @Test(arguments: unsound.indices)
    func refuses(_ row: Int) throws {
        let (digits, id, byte, message) = Self.unsound[row]
        // The decoder takes larger steps if more bytes follow.
        for suffix in [0, 64] {
            let bytes = try Self.bytes(digits) + [UInt8](repeating: 0, count: suffix)
            let problem = #expect(throws: Problem.self) { try Self.inflated(bytes) }
            #expect(problem == Problem(id, message, at: .byte(byte)))
        }
    }

    // MARK: Limits

    @Test func stopsAtLimit() throws {
        for count in [0, 1, 100, 257, 258, 259, 1000, 100_000] {
            let contents = [UInt8](repeating: 7, count: count)
            var output = ByteWriter()
            Deflate.write(contents.span, to: &output)
            let bytes = output.takeBytes()
            #expect(try Self.inflated(bytes, room: count) == contents)
            guard count > 0 else { continue }
            let problem = #expect(throws: Problem.self) { try Self.inflated(bytes, room: count - 1) }
            #expect(problem?.id == "limit.unwrapped")
        }
    }

    /// A literal and a match are decoded in one step. No step exceeds the limit at any size, and the rest of the data
    /// is refused.
    @Test func neverExceedsLimit() throws {
        // A literal; three times a literal and a match of 258 bytes; a stored block of four bytes.
        let bytes = try Self.bytes("4a4c1c0589a320711400020400fbff7778797a") + [UInt8](repeating: 0, count: 16)
        for room in 0...782 {
            var output: [UInt8] = []
            let problem = Result { () throws(Problem) in
                try Inflate.read(bytes.span, at: 0, after: &output, hint: 0, room: room)
            }
            if room == 782 {
                #expect(try problem.get() == 19)
            } else {
                #expect(throws: Problem.self) { try problem.get() }
            }
            #expect(Inflate.beginning(of: bytes.span, at: 0, room).count == room)
        }
    }

    @Test func decodesTruncatedDataUpToTheDamage() throws {
        let bytes = try Self.bytes("4b4c4a4e494d4bcfc81c05a370148d620481201114820600")
        let contents = try Self.inflated(bytes)
        for (size, count) in [(bytes.count, 100), (6, 100), (bytes.count, 10_000)] {
            let start = Array(bytes[..<size])
            let beginning = Inflate.beginning(of: start.span, at: 0, count)
            #expect(beginning == Array(contents.prefix(size == 6 ? 5 : count)))
        }
    }

    /// Inflating many gzip members, each with its own codes, takes time linear in their size.
    @Test func takesLinearTime() throws {
        let codes = Self.sound[7]
        let member = GzipTests.file(try Self.bytes(codes.digits), of: codes.contents)
        let isLinear = try Growth.isLinear(to: TestScale.count(1500, long: 40_000)) { count in
            let members = Array(repeatElement(member, count: count).joined())
            return { _ = try Gzip.read(members, room: 1 << 30) }
        }
        #expect(isLinear)
    }
}
