import Foundation
import SaveCodec
import TestSupport
import Testing

/// `Fixtures/typed-json` pairs each form of typed JSON with its binary property list. Writing either file of a pair as
/// the other format must reproduce the other file exactly.
@Suite struct TypedJSONFixtureTests {
    private static let folder = TestFiles.fixtures.appending(path: "typed-json")

    private static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }()

    @Test func findsAllFixturePairs() {
        #expect(Self.names.count == 68)
    }

    @Test(arguments: names, [Format.binary, .json])
    func writesTypedJSON(_ name: String, from source: Format) throws {
        let document = try Document.read(Self.bytes(name, source), as: source)
        for target in [Format.json, .binary] {
            let found = try Self.text(document, target)
            let expected = try Self.text(Self.bytes(name, target), target)
            #expect(found == expected)
        }
    }

    private static func bytes(_ name: String, _ format: Format) throws -> [UInt8] {
        try TestFiles.bytes(folder.appending(path: name + (format == .json ? ".json" : ".plist")))
    }

    private static func text(_ document: Document, _ format: Format) throws -> String {
        text(try document.bytes(as: format), format)
    }

    /// Returns JSON unchanged and binary in hexadecimal, for failure messages.
    private static func text(_ bytes: [UInt8], _ format: Format) -> String {
        format == .json
            ? String(decoding: bytes, as: UTF8.self) : bytes.map { String(format: "%02x", $0) }.joined(separator: " ")
    }
}
