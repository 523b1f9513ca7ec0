import Foundation
import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

/// `Fixtures/graph-json` pairs each form of graph JSON with its archive. Writing either file of a pair as the other
/// format must reproduce the other file exactly.
@Suite struct GraphJSONFixtureTests {
    private static let folder = TestFiles.fixtures.appending(path: "graph-json")

    private static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }()

    @Test func findsAllFixturePairs() {
        #expect(Self.names.count == 64)
    }

    @Test(arguments: names) func writesArchive(_ name: String) throws {
        let archive = try Document.read(Self.bytes(name, "archive"), as: .binary)
        #expect(
            try GraphText.text(archive, WriteOptions()) == String(decoding: Self.bytes(name, "json"), as: UTF8.self))
    }

    @Test(arguments: names) func readsJSON(_ name: String) throws {
        let json = try JSON.read(Self.bytes(name, "json"))
        #expect(GraphJSON.isPresent(in: json))
        let (archive, isFaultless) = try GraphJSON.construction(from: json)
        #expect(try Self.hex(archive.bytes(as: .binary)) == Self.hex(Self.bytes(name, "archive")))
        #expect(try !isFaultless || !KeyedArchive(archive).findings.contains { $0.severity == .error })
    }

    /// Neither white space nor the order of members affects the value of a text.
    @Test(arguments: names) func compactTextHasSameValues(_ name: String) throws {
        let archive = try Document.read(Self.bytes(name, "archive"), as: .binary)
        let compact = try GraphText.text(archive)
        #expect(compact.utf8.filter { $0 == UInt8(ascii: "\n") }.count == 1)
        let again = try GraphText.archive(compact)
        #expect(try again.bytes(as: .binary) == Self.bytes(name, "archive"))
        let sorted = try GraphText.archive(GraphText.text(archive, WriteOptions(keyOrder: .sorted)))
        let settled = try GraphText.text(sorted, WriteOptions(keyOrder: .sorted))
        #expect(try GraphText.text(GraphText.archive(settled), WriteOptions(keyOrder: .sorted)) == settled)
    }

    private static func bytes(_ name: String, _ ending: String) throws -> [UInt8] {
        try TestFiles.bytes(folder.appending(path: "\(name).\(ending)"))
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String(format: "%02x", $0) }.joined(separator: " ")
    }
}
