import Foundation
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests properties of all text merges, on random files full of comments.
@Suite struct TextMergePropertyTests {
    @Test(arguments: CommentedFile.Style.allCases, 0..<2)
    func reportsEveryLoss(style: CommentedFile.Style, group: Int) throws {
        let workspace = try Workspace()
        for seed in 0..<TestScale.count(6, long: 60) {
            var random = SeededGenerator(seed: UInt64(group * 1_000_000 + seed))
            let isFlat = style == .strings
            let base = CommentedFile(&random, isFlat: isFlat)
            let sides = (1...2).map { base.edited(&random, side: $0, isFlat: isFlat).text(style) }
            let merge = RandomMerge(
                base: base.text(style), ours: sides[0], theirs: sides[1], workspace: workspace,
                name: "\(style) \(group) \(seed)")
            try merge.check()
        }
    }
}

/// A merge of three texts, checked against the merge of the same values in binary files and against git's merge of the
/// lines.
private struct RandomMerge {
    let base: String
    let ours: String
    let theirs: String
    let workspace: Workspace
    let name: String

    func check() throws {
        for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
            try workspace.write(text, to: name)
            #expect(workspace.run(["convert", "--to", "binary", "-o", name + ".bin", name]).status == 0)
        }
        let binary = workspace.run(["merge", "base.bin", "ours.bin", "theirs.bin", "-o", "result.bin"])
        var result = workspace.run(["merge", "base", "ours", "theirs"])
        guard binary.status == 0 else {
            #expect(result.status == 1 && result.output.isEmpty, "\(name): \(binary.talk)")
            return
        }
        #expect(result.status == 0 || result.talk.contains("cannot be kept"), "\(name): \(result.talk)")
        let said = CommentedFile.comments(in: result.talk)
        if result.status == 1 { result = workspace.run(["merge", "--allow-loss", "base", "ours", "theirs"]) }
        #expect(result.status == 0, "\(name): \(result.talk)")
        #expect(try value(result.output) == value(ofFile: "result.bin"), "\(name)")
        let left = CommentedFile.comments(in: result.output)
        #expect(wanted.subtracting(left).isSubset(of: said), "\(name)")
        #expect(said.isDisjoint(with: left), "\(name)")
        try checkLines(result.output, isWhole: said.isEmpty)
    }

    /// The comments that only one side added or that both sides kept.
    private var wanted: Set<Int> {
        let (was, mine) = (CommentedFile.comments(in: base), CommentedFile.comments(in: ours))
        let others = CommentedFile.comments(in: theirs)
        return mine.subtracting(was).union(others.subtracting(was)).union(was.intersection(mine).intersection(others))
    }

    /// If git merges the lines to the expected values, the result must be the same text.
    private func checkLines(_ text: String, isWhole: Bool) throws {
        guard Programs.git != nil,
            let lines = try GitMergeFile.run(Array(base.utf8), Array(ours.utf8), Array(theirs.utf8), in: workspace)
        else { return }
        let merged = String(decoding: lines, as: UTF8.self)
        guard let value = try? value(merged), try value == self.value(ofFile: "result.bin"), !repeatsKeys(merged) else {
            return
        }
        #expect(text == merged, "\(name)")
        #expect(isWhole, "\(name)")
    }

    private func repeatsKeys(_ text: String) -> Bool {
        { $0.output + $0.talk }(workspace.run(["validate", "-"], input: Array(text.utf8))).contains(
            "duplicate key")
    }

    private func value(_ text: String) throws -> NSObject? {
        try value(workspace.run(["convert", "--to", "json"], input: Array(text.utf8)))
    }

    private func value(ofFile name: String) throws -> NSObject? {
        try value(workspace.run(["convert", "--to", "json", name]))
    }

    private func value(_ json: Workspace.Result) throws -> NSObject? {
        try JSONSerialization.jsonObject(with: Data(json.output.utf8), options: .fragmentsAllowed) as? NSObject
    }
}
