import ArchiveCoding
import GameSaves
import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations
import Testing

/// The library's interface for game saves. Other suites test what the operations find and change.
@Suite struct GameSaveTests {
    private func save(_ text: String) throws -> GameSave { try GameSave(Array(text.utf8)) }

    private func text(_ save: GameSave) -> String { String(decoding: save.bytes, as: UTF8.self) }

    /// An edited text keeps its comments and white space, and graph JSON stays graph JSON.
    @Test func keepsFormat() throws {
        let xml = try save("<plist>\n<!-- gems -->\n<dict><key>gems</key>  <integer>5</integer></dict>\n</plist>")
        let changed = try xml.applying(patch: Array(#"{"gems": 7}"#.utf8))
        #expect(
            text(changed) == "<plist>\n<!-- gems -->\n<dict><key>gems</key>  <integer>7</integer></dict>\n</plist>")
        #expect(try changed.value(at: "/gems")?.integer == 7)
        #expect(changed.format == .xml)

        let graph = try save(
            #"{"$archiver": "NSKeyedArchiver", "$version": 100000, "$classes": {}, "$top": {"root": ["a"]}}"#)
        let longer = try graph.applying(patch: Array(#"[{"op": "add", "path": "/root/-", "value": "b"}]"#.utf8))
        #expect(longer.format == .json)
        #expect(text(longer).contains(#""$top": {"root": ["a", "b"]}"#))
        #expect(try longer.value(at: "/root")?.array.map { try $0.string } == ["a", "b"])
        #expect(longer.value(at: "/root")?.address.description == "/root")
    }

    /// Tags are ordinary names in a patch for plain JSON.
    @Test func patchesPlainJSON() throws {
        let plain = try save(#"{"a": {"$date": "soon"}}"#)
        let patch = Array(#"[{"op": "add", "path": "/b", "value": {"$dict": [["k", 1]]}}]"#.utf8)
        #expect(text(try plain.applying(patch: patch)) == #"{"a": {"$date": "soon"}, "b": {"$dict": [["k", 1]]}}"#)
    }

    /// An archive stored as a property list in JSON is not converted to graph JSON.
    @Test func keepsNestedArchives() throws {
        let stored = try save(
            #"{"$archiver":"NSKeyedArchiver","$version":100000,"$top":{"root":{"$uid":1}},"$objects":["$null","a"]}"#)
        let changed = try stored.applying(patch: Array(#"{"root": "b"}"#.utf8))
        #expect(
            text(changed)
                == #"{"$archiver":"NSKeyedArchiver","$version":100000,"$top":{"root":{"$uid":1}},"$objects":["$null","b"]}"#
        )
    }

    @Test func missingValuesAreNil() throws {
        let save = try save(#"{"a": [1]}"#)
        #expect(save.value(at: "/a/1") == nil)
        #expect(save.value(at: "a") == nil)
        #expect(try save.value()?["a"].array.count == 1)
    }

    @Test func changesHaveValues() throws {
        let changes = try save(#"{"a": 1, "b": [1.5], "c": 2}"#).changes(to: save(#"{"a": 2, "b": [1.5, 3], "d": 2}"#))
        #expect(changes.map { "\($0.kind) \($0.address)" } == ["changed /a", "added /b/1", "removed /c", "added /d"])
        #expect(try changes[0].before?.integer == 1)
        #expect(try changes[1].after?.double == 3)
        var options = ComparisonOptions()
        options.ignored = ["/b", "/c", "/d"]
        options.tolerance = 1
        #expect(try save(#"{"a": 1.0, "c": 1}"#).changes(to: save(#"{"a": 1.5}"#), options).isEmpty)
        options.ignored = ["b"]
        #expect(throws: Problem.self) { try save("{}").changes(to: save("{}"), options) }
    }

    @Test func conflictsHaveThreeValues() throws {
        let sides = try (
            base: save(#"{"a": 1, "b": 1}"#), ours: save(#"{"a": 2, "b": 1}"#), theirs: save(#"{"a": 3, "b": 5}"#)
        )
        let merge = try GameSave.merge(base: sides.base, ours: sides.ours, theirs: sides.theirs)
        #expect(merge.conflicts.map(\.address.description) == ["/a"])
        #expect(try merge.conflicts[0].base?.integer == 1)
        #expect(try merge.conflicts[0].ours?.integer == 2)
        #expect(try merge.conflicts[0].theirs?.integer == 3)
        #expect(text(merge.save) == #"{"a": 2, "b": 5}"#)
        let _: any Sendable = merge
        #expect(throws: Problem.self) { try SaveMergeRule("", "newest") }
    }

    @Test func reportsLostChangesOfIgnoredText() throws {
        let (base, ours) = try (save("a = 1;\n} rest\n"), save("a = 2;\n} rest\n"))
        let merge = try GameSave.merge(base: base, ours: ours, theirs: save("a = 1;\n\n} other\n"))
        #expect(merge.conflicts.map(\.ignoredText) == [.line(3, column: 1)])
        #expect(merge.conflicts.map(\.address) == [.root])
        #expect(merge.conflicts[0].theirs == nil)
        #expect(text(merge.save) == "a = 2;\n} rest\n")
        // Only ours changed the text, or both changed it in the same way.
        #expect(try GameSave.merge(base: base, ours: save("a = 1;\n"), theirs: ours).conflicts.isEmpty)
        #expect(try GameSave.merge(base: base, ours: save("a = 1;"), theirs: save("a = 1;\n")).conflicts.isEmpty)
        #expect(try GameSave.merge(base: base, ours: ours, theirs: save("a = 1;\n")).conflicts.count == 1)
    }

    /// The text of ours would be rebuilt, because it is no strings file if its only pair is removed.
    @Test func refusesToLoseIgnoredText() throws {
        let ours = try save("\"a\" = \"1\"; ) x")
        let problem = #expect(throws: Problem.self) {
            try GameSave.merge(base: ours, ours: ours, theirs: save("{}"))
        }
        #expect(problem?.id == "loss.ignored-text")
    }

    @Test func mergesWithinNestedSaves() throws {
        func outer(_ gems: Int, _ lives: Int) throws -> GameSave {
            try save(#"{"slot": {"$bplist": {"gems": \#(gems), "lives": \#(lives)}}}"#)
        }
        let merged = try GameSave.merge(base: outer(1, 1), ours: outer(2, 1), theirs: outer(1, 3))
        #expect(merged.conflicts.isEmpty)
        #expect(try merged.save.value(at: "/slot/gems")?.integer == 2)
        #expect(try merged.save.value(at: "/slot/lives")?.integer == 3)
        let other = try GameSave.merge(base: outer(1, 1), ours: outer(2, 1), theirs: outer(3, 4))
        #expect(other.conflicts.map(\.address.description) == ["/slot/gems"])
        #expect(try other.save.value(at: "/slot/lives")?.integer == 4)
        #expect(try outer(1, 1).changes(to: outer(2, 1)).map(\.address.description) == ["/slot/gems"])
    }

    @Test func readsNestedArchives() throws {
        let graph =
            #"{"$archiver":"NSKeyedArchiver","$classes":{"Player":["Player","NSObject"]},"#
            + #""$top":{"root":{"$class":"Player","health":100}}}"#
        #expect(try save(#"{"in":{"$bplist":\#(graph)}}"#).value(at: "/in/root/health")?.integer == 100)
    }

    /// An edited archive has objects that nothing refers to, and new objects with the last numbers.
    @Test(arguments: [
        "/root/charList/0/health", "/root/charList/1/health", "/root/charList/2/health", "/root/charList/0/type",
        "/root/charList/1/type", "/root/charList/2/type", "/root/eventList.count",
    ])
    func editedSaveSeemsUndamaged(_ address: String) throws {
        let save = try GameSave(LibraryArticleTests.game("swamp.save"))
        let edited = try save.setting(#require(JSONPointer(address)), to: .integer(77)).bytes
        let salvaged = try SalvagedSave(edited, ReadOptions())
        #expect(salvaged.salvage.isSound && salvaged.file == edited)
    }

    @Test func validatesFiles() throws {
        var checks = SaveChecks()
        try checks.add(schema: Array(#"{"properties": {"lives": {"maximum": 9}}}"#.utf8))
        let report = checks.report(on: Array(#"{"lives": 12}"#.utf8))
        #expect(!report.isSound)
        #expect(report.findings.map { $0.address?.description } == ["/lives"])
        #expect(!checks.report(on: [0]).isSound)
        #expect(throws: Problem.self) { try checks.add(profile: "none") }
        for name in SaveChecks.profileNames { try checks.add(profile: name) }
    }

    @Test func rejectsLowScoresInFullTables() throws {
        let table = try save(#"[{"playerName": "Bo", "score": 5, "date": {"$date": "2009-09-06T12:34:56Z"}}]"#)
        #expect(try table.highScores().map(\.name) == ["Bo"])
        let low = HighScore(name: "Ada", score: 4, date: ArchivedDate(secondsSince2001: 0))
        #expect(try table.adding(low, keeping: 1) == nil)
        #expect(try table.adding(low, keeping: 2)?.save.highScores().map(\.score) == [5, 4])
        #expect(throws: Problem.self) { try table.adding(HighScore(name: "Ada", score: .nan), keeping: 1) }
    }
}
