import Foundation
import TestSupport
import Testing

@testable import SaveCodec

/// In files of all formats the text at the range of each value reads as that value, and the map's text gives the
/// original file when it is encoded again.
@Suite struct SourceMapFileTests {
    @Test(arguments: [TestFiles.fixtures, TestFiles.folder("SAVETOOL_CORPUS"), TestFiles.folder("SAVETOOL_SUITES")])
    func files(folder: URL?) throws {
        guard let folder else { return }
        var count = 0
        for file in TestScale.one(in: folder == TestFiles.fixtures ? 2 : 8, of: try TestFiles.files(under: folder)) {
            let bytes = try TestFiles.bytes(file.url)
            guard let format = try? Format(rawValue: file.url.pathExtension) ?? Format.recognize(bytes) else {
                continue
            }
            guard format.has(.text), (try? Document.read(bytes, as: format)) != nil else { continue }
            try check(bytes, format, file.name)
            count += 1
        }
        #expect(count > 10, "\(count) texts")
    }

    @Test(arguments: Format.allCases.filter { $0.has(.text) })
    func written(format: Format) throws {
        let texts = try FuzzSeeds.all(for: format)
        #expect(!texts.isEmpty)
        for bytes in texts { try check(bytes, format, "") }
    }

    /// The value in an exact envelope, whose document is a binary file with its own object numbers.
    @Test func envelopes() throws {
        var count = 0
        for bytes in TestScale.sample(of: try FuzzSeeds.all(for: .binary)) {
            let document = try Document.read(bytes, as: .binary)
            guard document.canExpand(Limits()) else { continue }
            let envelope = try document.bytes(as: .json, options: WriteOptions(isExact: true))
            try check(envelope, .json, "")
            count += 1
        }
        #expect(count > 0)
    }

    @Test(arguments: Format.allCases.filter { $0.has(.text) })
    func untidy(format: Format) throws {
        for seed in 0..<300 {
            var text = UntidyText(format, seed: UInt64(seed))
            let bytes = text.file()
            try check(bytes, format, "\(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    private func check(_ bytes: [UInt8], _ format: Format, _ name: String) throws {
        let (document, map) = try Document.readMapped(bytes, as: format)
        let found = try #require(map, "\(name)")
        let plain = try Document.read(bytes, as: format)
        #expect(document.image == plain.image && document.root == plain.root, "\(name)")
        #expect(found.fileBytes(of: found.text) == bytes, "\(name)")
        let faults = MappedText(document, found).faults(of: format)
        #expect(faults.isEmpty, "\(name): \(faults.first ?? "")")
    }
}
