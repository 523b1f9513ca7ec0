import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Applying the comparison of two random documents or archives to one of them gives the other, in memory and as the
/// text of a JSON Patch.
@Suite struct PatchPropertyTests {
    @Test(arguments: [false, true], 0..<8)
    func patchProducesTheOther(_ isArchive: Bool, _ group: Int) throws {
        for seed in 0..<TestScale.count(13, long: 26) {
            var dice = SeededGenerator(seed: UInt64(group * 1000 + seed))
            let graph = RandomGraph(&dice, isArchive: isArchive)
            var edited = graph
            for _ in 0..<dice.roll(8) { _ = edited.edit(&dice) }
            try PatchText.check(graph.view(), edited.view(), "\(isArchive) \(group) \(seed)")
        }
    }

    @Test(arguments: [false, true]) func patchesOfOtherDocuments(_ isArchive: Bool) throws {
        for seed in 0..<TestScale.count(20, long: 40) {
            var dice = SeededGenerator(seed: UInt64(seed))
            let (a, b) = (RandomGraph(&dice, isArchive: isArchive), RandomGraph(&dice, isArchive: isArchive))
            try PatchText.check(a.view(), b.view(), "\(isArchive) \(seed)")
        }
    }
}

/// Makes patches from comparisons and checks their results.
enum PatchText {
    static func patch(_ difference: Difference) throws -> [UInt8] {
        var output = ByteWriter()
        try difference.writePatch(to: &output)
        return output.takeBytes()
    }

    static func text(_ before: ObjectView, _ after: ObjectView) throws -> String {
        String(decoding: try patch(Difference(before, after)), as: UTF8.self)
    }

    /// Applies the difference of two views in memory and as a patch, and compares the results, also after writing and
    /// reading them.
    static func check(_ before: ObjectView, _ after: ObjectView, _ label: String) throws {
        let difference = Difference(before, after, options: .stored(as: .json, .json))
        var draft = Draft(before)
        try draft.apply(difference)
        let applied = try draft.finish()
        try compare(applied, after, "\(label) in memory")
        let patch = try patch(difference)
        let text = String(decoding: patch, as: UTF8.self)
        do {
            // The patch itself specifies where types change.
            let patched = try JSONPatch(JSON.readTyped(patch)).result(on: before, changesType: false).edited?.document
            try compare(patched ?? before.document, after, "\(label) \(text)")
        } catch {
            Issue.record("\(label) \(error) \(text)")
        }
    }

    private static func compare(_ document: Document, _ after: ObjectView, _ label: String) throws {
        let read = try BinaryPlist.read(DraftText.binary(document))
        for document in [document, read] {
            let view = after.archive == nil ? ObjectView(document) : ObjectView(try KeyedArchive(document))
            let difference = Difference(view, after)
            let isSame = difference.isEmpty && difference.edits.isEmpty
            #expect(isSame, "\(label)")
            let isIsomorphic = EditedGraph(view).isIsomorphic(to: EditedGraph(after))
            #expect(isIsomorphic, "\(label)")
        }
    }
}
