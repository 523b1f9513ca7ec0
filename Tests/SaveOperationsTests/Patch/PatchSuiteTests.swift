import Foundation
import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Public test suites for JSON Patch, JSON Merge Patch and JSON Pointer, run on JSON and on binary property lists of
/// the same documents.
@Suite(.enabled(if: TestFiles.folder("SAVETOOL_SUITES") != nil)) struct PatchSuiteTests {
    struct Record: Sendable {
        let document: Document
        let id: ObjectID

        subscript(name: String) -> ObjectID? {
            guard case .dictionary(let pairs) = document[id] else { return nil }
            return pairs.value(for: name.utf16)
        }

        /// Returns a member as a separate document.
        func part(_ name: String) throws -> Document {
            let id = try #require(self[name])
            var output = ByteWriter()
            JSONWriter.writeValue(of: document, root: id, indentation: 0, options: WriteOptions(), to: &output)
            return try JSON.readTyped(output.takeBytes())
        }

        var comment: String { self["comment"].flatMap { document.text($0)?.string } ?? "" }
    }

    static func records(_ file: String) throws -> [Record] {
        guard let folder = TestFiles.folder("SAVETOOL_SUITES") else { return [] }
        let document = try JSON.readTyped(TestFiles.bytes(folder.appending(path: file)))
        guard case .array(let elements) = document[document.root] else { return [] }
        return elements.map { Record(document: document, id: $0) }
    }

    /// Returns the document as JSON and as a binary property list.
    private static func views(_ document: Document) throws -> [ObjectView] {
        [ObjectView(document), ObjectView(try BinaryPlist.read(DraftText.binary(document)))]
    }

    // MARK: RFC 6902

    /// Runs all cases except the two that upstream has disabled. Those have two members with the same name in an
    /// operation, but the suite's files kept only one of them; see ``JSONPatchTests``.
    @Test(arguments: ["tests.json", "spec_tests.json"]) func jsonPatch(_ file: String) throws {
        var count = 0
        for record in try Self.records("json-patch-tests/" + file)
        where record["patch"] != nil && record["disabled"] == nil {
            count += 1
            for view in try Self.views(record.part("doc")) {
                let result = Result { try JSONPatch(record.part("patch")).applied(to: view) }
                try Self.check(result, record, expected: "expected")
            }
        }
        #expect(count >= 10)
    }

    private static func check(_ result: Result<Document, any Error>, _ record: Record, expected: String) throws {
        if record["error"] != nil {
            #expect(throws: Problem.self, "\(record.comment)") { try result.get() }
        } else {
            let document = try result.get()
            guard record[expected] != nil else { return }
            let wanted = try record.part(expected)
            let difference = Difference(ObjectView(document), ObjectView(wanted))
            let text = try DraftText.json(document)
            #expect(difference.isEmpty, "\(record.comment): \(text)")
        }
    }

    // MARK: RFC 7396

    @Test func mergePatch() throws {
        let records = try Self.records("json-merge-patch/merge.json")
        for record in records {
            for view in try Self.views(record.part("doc")) {
                let result = Result { try MergePatch(record.part("patch")).applied(to: view) }
                try Self.check(result, record, expected: "result")
            }
        }
        #expect(records.count == 16)
    }

    // MARK: RFC 6901

    /// Resolves each pointer with a `test` and a `replace` operation. Pointers as URI fragments (§6) do not occur in
    /// patches.
    @Test func jsonPointer() throws {
        let records = try Self.records("json-pointer/pointer.json").filter { $0["pointer"] != nil }
        for record in records {
            let view = ObjectView(try record.part("doc"))
            let pointer = try DraftText.json(record.part("pointer"))
            let value = record["value"] == nil ? "null" : try DraftText.json(record.part("value"))
            let patch = try JSON.readTyped(Array(#"[{"op":"test","path":\#(pointer),"value":\#(value)}]"#.utf8))
            let result = Result { try JSONPatch(patch).applied(to: view) }
            if record["error"] != nil {
                #expect(throws: Problem.self, "\(pointer)") { try result.get() }
            } else {
                #expect(throws: Never.self, "\(pointer)") { try result.get() }
            }
        }
        #expect(records.count > 20)
    }
}
