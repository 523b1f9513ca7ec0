import Foundation
@testable import SaveCodec
import TestSupport
import Testing

/// Edits of property lists: untouched objects keep their bytes.
@Suite struct DocumentEditorTests {
    private static func binary(_ json: String) throws -> Document {
        let document = try JSON.read(Array(json.utf8))
        return try BinaryPlist.read(document.bytes(as: .binary))
    }

    private static func json(_ document: Document) throws -> String {
        var output = ByteWriter()
        try JSON.write(document, to: &output, options: WriteOptions(isCompact: true))
        return String(decoding: output.takeBytes().dropLast(), as: UTF8.self)
    }

    @Test func unchangedDocument() throws {
        for file in try TestFiles.files(under: TestFiles.fixtures) {
            let bytes = try TestFiles.bytes(file.url)
            guard let document = try? BinaryPlist.read(bytes) else { continue }
            var editor = DocumentEditor(document)
            _ = editor.add { $0.add(string: "unused") }
            #expect(try editor.finish().bytes(as: .binary) == bytes, "\(file.name)")
        }
    }

    @Test(arguments: [Format.binary, .xml]) func keepsWorkFactor(_ format: Format) throws {
        var output = ByteWriter()
        try Self.binary(#"{"a": [1]}"#).write(as: format, to: &output)
        let limits = Limits(workFactor: 3)
        let document = try Document.read(output.takeBytes(), as: format, limits: limits)
        var editor = DocumentEditor(document)
        editor.setContents(of: document.root, to: [])
        let edited = try editor.finish(limits: limits)
        #expect(edited.maxShownByteCount == limits.maxShownByteCount(of: edited.sourceSize))
        #expect(edited.maxReadByteCount == limits.maxReadByteCount(of: edited.imageSize))
    }

    /// Rewriting a container with its own contents leaves the file unchanged if its objects neither overlap nor leave
    /// gaps.
    @Test(.enabled(if: TestFiles.folder("SAVETOOL_CORPUS") != nil)) func rewrittenCorpus() throws {
        let corpus = try #require(TestFiles.folder("SAVETOOL_CORPUS"))
        var counts = (same: 0, other: 0)
        for file in try TestFiles.files(under: corpus) {
            let bytes = try TestFiles.bytes(file.url)
            guard let document = try? BinaryPlist.read(bytes) else { continue }
            guard case .dictionary(let pairs) = document[document.root] else { continue }
            var editor = DocumentEditor(document)
            editor.setContents(of: document.root, to: pairs.map(\.key) + pairs.map(\.value))
            let edited = try editor.finish()
            let isSame = try edited.bytes(as: .binary) == bytes
            counts.same += isSame ? 1 : 0
            counts.other += isSame ? 0 : 1
            if !isSame {
                let known = try BinaryPlist.read(bytes)
                #expect(try Self.json(edited) == Self.json(known), "\(file.name)")
            }
        }
        #expect(counts.same > 50 * counts.other, "\(counts)")
    }

    /// A replaced scalar takes the location of the old one; all other bytes and the following offsets stay the same.
    @Test func replacedScalar() throws {
        let source = try Self.binary(#"{"a": 5, "b": [1, 2, "x"], "c": "yes"}"#)
        var editor = DocumentEditor(source)
        let new = editor.add { $0.add(integer: 6) }
        guard case .dictionary(let pairs) = source[source.root] else { return }
        editor.setContents(of: source.root, to: pairs.map(\.key) + [new, pairs[1].value, pairs[2].value])
        let before = try source.bytes(as: .binary)
        let after = try editor.finish().bytes(as: .binary)
        #expect(before.count == after.count)
        #expect(zip(before, after).filter { $0 != $1 }.map { [$0, $1] } == [[5, 6]])
    }

    /// A scalar that another container shares is kept, and the new one is appended.
    @Test func sharedScalar() throws {
        let source = try Self.binary(#"{"a": 5, "b": [5]}"#)
        var editor = DocumentEditor(source)
        guard case .dictionary(let pairs) = source[source.root] else { return }
        let new = editor.add { $0.add(integer: 6) }
        editor.setContents(of: source.root, to: pairs.map(\.key) + [new, pairs[1].value])
        let edited = try editor.finish()
        #expect(try Self.json(edited) == #"{"a":6,"b":[5]}"#)
        #expect(edited.count == source.count + 1)
        guard case .dictionary(let after) = edited[edited.root] else { return }
        #expect(after[0].value.index == edited.count - 1)
    }

    @Test func newContainerAndRoot() throws {
        for format in ["binary", "json"] {
            let text = #"{"a": 5, "b": [5]}"#
            let source = format == "json" ? try JSON.read(Array(text.utf8)) : try Self.binary(text)
            var editor = DocumentEditor(source)
            let array = editor.addContainer(.array)
            let word = editor.add { $0.add(string: "a") }
            editor.setContents(of: array, to: [source.root, word, word])
            editor.root = array
            let edited = try editor.finish()
            #expect(try Self.json(edited) == #"[{"a":5,"b":[5]},"a","a"]"#)
            // In text formats the editor does not search for an equal scalar.
            #expect(edited.count == (format == "binary" ? 6 : 7) && edited.sourceFormat == source.sourceFormat)
        }
    }

    /// After an edit, the last of two duplicate keys in a text is still the effective one.
    @Test func repeatedKeys() throws {
        let source = try JSON.read(Array(#"{"a": 1, "a": 2, "b": [3]}"#.utf8))
        guard case .dictionary(let pairs) = source[source.root] else { return }
        var editor = DocumentEditor(source)
        editor.setContents(
            of: pairs[2].value, to: [editor.add { $0.add(integer: 4) }])
        let edited = try editor.finish()
        #expect(edited.lastDuplicateWins)
        #expect(BinaryPlist.losses(in: edited).map(\.id) == ["loss.repeated-key"])
        #expect(try Self.json(BinaryPlist.read(edited.bytes(as: .binary))) == #"{"a":2,"b":[4]}"#)
    }

    @Test func cycle() throws {
        let source = try Self.binary(#"{"a": [[]]}"#)
        guard case .dictionary(let pairs) = source[source.root] else { return }
        var editor = DocumentEditor(source)
        editor.setContents(of: pairs[0].value, to: [source.root])
        do throws(Problem) {
            _ = try editor.finish()
            Issue.record("a cycle was written")
        } catch {
            #expect(
                error.description == "/a/0: the container would contain itself; a property list cannot represent that")
        }
    }
}
