import Foundation
@testable import KeyedArchives
import SaveCodec
@testable import SaveOperations
import TestSupport
import Testing

/// A real file has no differences from itself, from its round trips, or from a copy with other object numbers.
@Suite(.enabled(if: TestFiles.folder("SAVETOOL_CORPUS") != nil))
struct CorpusDifferenceTests {
    private static func views() throws -> [(name: String, view: ObjectView)] {
        let corpus = try #require(TestFiles.folder("SAVETOOL_CORPUS"))
        let rows = try SeparatedTable(corpus.appending(path: "MANIFEST.tsv")).rows
        return try TestScale.one(in: TestScale.isLong ? 3 : 8, of: rows).compactMap { row in
            let name = row["file", default: ""]
            let bytes = try TestFiles.bytes(corpus.appending(path: name))
            guard let format = try? Format.recognize(bytes), let document = try? Document.read(bytes, as: format) else {
                return nil
            }
            return (name, (try? KeyedArchive(document)).map { ObjectView($0) } ?? ObjectView(document))
        }
    }

    /// Returns equivalent copies of a file; formats that cannot represent the file are omitted.
    private static func copies(of view: ObjectView) -> [ObjectView] {
        var copies: [ObjectView] = []
        for format in [Format.binary, .xml, .json] {
            guard view.document.losses(as: format).isEmpty, let bytes = try? view.document.bytes(as: format),
                let document = try? Document.read(bytes, as: format)
            else { continue }
            if view.archive == nil { copies.append(ObjectView(document)) }
            if view.archive != nil, let archive = try? KeyedArchive(document) { copies.append(ObjectView(archive)) }
        }
        guard let archive = view.archive else { return copies }
        if let document = try? archive.renumbered(), let archive = try? KeyedArchive(document) {
            copies.append(ObjectView(archive))
        }
        var output = ByteWriter()
        if GraphJSON.losses(in: archive).isEmpty, (try? GraphJSON.write(archive, to: &output)) != nil,
            let text = try? JSON.readTyped(output.takeBytes()), let document = try? GraphJSON.archive(from: text),
            let archive = try? KeyedArchive(document)
        {
            copies.append(ObjectView(archive))
        }
        return copies
    }

    @Test func copiesAreEqual() throws {
        var count = 0
        for (name, view) in try Self.views() {
            for copy in [view] + Self.copies(of: view) {
                let difference = Difference(view, copy)
                let lines = DiffText.lines(difference)
                #expect(lines == [], "\(name)")
                #expect(difference.edits.isEmpty, "\(name)")
                count += 1
            }
        }
        #expect(count > TestScale.count(60, long: 160))
    }
}
