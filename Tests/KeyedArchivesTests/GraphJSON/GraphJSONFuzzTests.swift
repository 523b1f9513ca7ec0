import Foundation
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

/// Tokens of graph JSON texts are deleted, doubled, swapped or taken from another text. Reading such a text returns or
/// throws, and an accepted text is a sound archive that survives another round trip.
@Suite struct GraphJSONFuzzTests {
    @Test func damagedText() throws {
        let texts = try TestFiles.files(under: TestFiles.fixtures.appending(path: "graph-json"))
            .filter { $0.name.hasSuffix(".json") && $0.name != "shared-deep.json" }
            .map { Self.tokens(try TestFiles.bytes($0.url)) }
        var generator = SeededGenerator(seed: 0x5EED)
        var acceptedCount = 0
        let iterations = TestScale.count(500, long: 5_000)
        for iteration in 0..<iterations {
            var tokens = try #require(texts.randomElement(using: &generator))
            for _ in 0..<Int.random(in: 1...3, using: &generator) { Self.damage(&tokens, from: texts, &generator) }
            let text = tokens.joined(separator: " ")
            guard let archive = try? GraphText.archive(text) else { continue }
            acceptedCount += 1
            #expect(throws: Never.self, "iteration \(iteration): \(text)") { try Self.check(archive) }
        }
        #expect(acceptedCount > iterations / 25 && acceptedCount < iterations * 4 / 5)
    }

    private static func check(_ archive: Document) throws {
        let binary = try archive.bytes(as: .binary)
        let read = try Document.read(binary, as: .binary)
        let text = try GraphText.text(read)
        let again = try GraphText.archive(text)
        try #require(again.bytes(as: .binary) == binary)
        try #require(GraphText.text(again) == text)
        _ = try? PlainUnarchiver.plain(KeyedArchive(read))
    }

    /// The tokens of a JSON text: punctuation, and the text between it.
    private static func tokens(_ text: [UInt8]) -> [String] {
        var tokens: [String] = []
        var rest = text[...]
        while let first = rest.first {
            var length = 1
            if first == UInt8(ascii: "\"") {
                let end = rest.dropFirst().indices.first { rest[$0] == first && rest[$0 - 1] != UInt8(ascii: "\\") }
                length = (end ?? rest.endIndex - 1) - rest.startIndex + 1
            } else if !Array("{}[]:,\n ".utf8).contains(first) {
                length = rest.prefix { !Array("{}[]:,\n ".utf8).contains($0) }.count
            }
            if first != UInt8(ascii: " "), first != UInt8(ascii: "\n") {
                tokens.append(String(decoding: rest.prefix(length), as: UTF8.self))
            }
            rest = rest.dropFirst(length)
        }
        return tokens
    }

    /// Tokens with a meaning in graph JSON.
    private static let telling = [
        #""$class""#, #""$id""#, #""$ref""#, #""$elements""#, #""$entries""#, #""$fields""#, #""$raw""#, #""$inline""#,
        #""$object""#, #""$uid""#, #""$set""#, #""$dict""#, #""$null""#, #""$$class""#, #""NSArray""#, #""NSDate""#,
        #""NSMutableDictionary""#, #""NS.objects""#, "0", "1", "-1", "1.5", "null", "{}", "[]", #"{"$ref": 1}"#,
    ]

    private static func damage(
        _ tokens: inout [String], from texts: [[String]], _ generator: inout SeededGenerator
    ) {
        guard let place = tokens.indices.randomElement(using: &generator),
            let other = tokens.indices.randomElement(using: &generator)
        else { return }
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: tokens.remove(at: place)
        case 1: tokens.insert(tokens[other], at: place)
        case 2: tokens.swapAt(place, other)
        case 3: tokens[place] = texts.randomElement(using: &generator)?.randomElement(using: &generator) ?? ""
        default:
            // Most damage leaves valid JSON: a name or a value is replaced by another one.
            let scalars = tokens.indices.filter { !["{", "}", "[", "]", ":", ","].contains(tokens[$0]) }
            guard let scalar = scalars.randomElement(using: &generator) else { return }
            tokens[scalar] = telling.randomElement(using: &generator) ?? ""
        }
    }
}
