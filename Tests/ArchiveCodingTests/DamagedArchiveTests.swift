import ArchiveCoding
import Foundation
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

/// Archives with randomly changed bytes are either decoded or refused, without a crash.
@Suite struct DamagedArchiveTests {
    /// Decodes a root as every type that might match and returns the number of successes.
    private func decodings(_ bytes: [UInt8]) -> Int {
        let decoder = KeyedArchiveDecoder()
        decoder.register(CodingTests.Enemy.self)
        let attempts: [() throws -> Any] = [
            { try decoder.decode(Map.self, from: bytes) },
            { try decoder.decode(CodingTests.Node.self, from: bytes) },
            { try decoder.decode(CodingTests.Everything.self, from: bytes) },
            { try decoder.decode([CodingTests.Character].self, from: bytes) },
            { try decoder.decode(FoundationValueTests.Values.self, from: bytes) },
            { try PlistDecoder().decode(PlistCoderTests.Everything.self, from: bytes) },
        ]
        return attempts.count { (try? $0()) != nil }
    }

    @Test func survivesDamage() throws {
        let node = CodingTests.Node("root")
        node.children = [CodingTests.Node("a")]
        node.children[0].parent = node
        let seeds = [
            try KeyedArchiveEncoder().encode(Games.swamp), try KeyedArchiveEncoder().encode(node),
            try KeyedArchiveEncoder().encode(CodingTests.Everything()),
            try KeyedArchiveEncoder().encode([CodingTests.Enemy("Troll", anger: 1)]),
            try KeyedArchiveEncoder().encode(FoundationValueTests.Values()),
            try PlistEncoder().encode(PlistCoderTests.Everything()),
        ]
        var generator = SeededGenerator(seed: 7)
        var sound = 0
        let rounds = TestScale.count(200, long: 2_000)
        for round in 0..<rounds {
            var bytes = seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: 8..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            sound += decodings(bytes)
        }
        // Some damage hits names and numbers, and some breaks the structure of the archive.
        #expect(sound > rounds / 20 && sound < 2 * rounds)
        #expect(seeds.allSatisfy { decodings($0) >= 1 })
    }
}
