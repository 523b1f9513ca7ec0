import Foundation
import Testing

@testable import SaveToolKit

/// Tests merges of saves by the installed git.
@Suite(.enabled(if: GitRepository.isPossible, GitRepository.needs))
struct GitMergeTests {
    private let repository: GitRepository
    private var workspace: Workspace { repository.workspace }

    init() throws {
        repository = try GitRepository()
        try setUp()
        try repository.git("add", ".gitattributes")
        try repository.git("commit", "-q", "-m", "attributes")
    }

    private func setUp(_ rules: String...) throws {
        let options = rules.flatMap { ["--rule", $0] }
        #expect(workspace.run(["git-setup", "--apply", "*.save"] + options).status == 0)
    }

    // MARK: Branches

    private static func level(health: Int = 100, enemies: [Int] = [10, 20, 30], gems: Int = 5) -> String {
        let enemies = enemies.map { #"{"$class": "Enemy", "health": \#($0)}"# }.joined(separator: ", ")
        return
            #"{"$archiver": "NSKeyedArchiver", "$classes": {"Enemy": ["Enemy", "NSObject"], "Level": ["Level", "NSObject"]}, "#
            + #""$top": {"root": {"$class": "Level", "health": \#(health), "gems": \#(gems), "enemies": [\#(enemies)]}}}"#
    }

    /// Writes a file and commits it.
    ///
    /// - Parameter json: The content: plain or graph JSON, which is converted, or any other text, which is written as
    ///   it is.
    private func commit(_ json: String, as name: String) throws {
        if name.contains("/") {
            try FileManager.default.createDirectory(
                at: workspace.folder.appending(path: name).deletingLastPathComponent(),
                withIntermediateDirectories: true)
        }
        try workspace.write(json, to: "content")
        let target = json.contains("$archiver") ? "archive" : "binary"
        let isJSON = json.hasPrefix("{\"")
        let made = workspace.run(["convert", "--to", target, "--output=" + name, "content"])
        if made.status != 0 || !isJSON { try workspace.write(json, to: name) }
        try repository.git("add", "--", name)
        try repository.git("commit", "-q", "-m", "commit")
    }

    /// Commits the versions of a file on the branches main and theirs, and stays on main.
    private func diverge(_ name: String = "slot.save", from base: String?, ours: String, theirs: String) throws {
        if let base { try commit(base, as: name) }
        try repository.git("checkout", "-q", "-b", "theirs")
        try commit(theirs, as: name)
        try repository.git("checkout", "-q", "main")
        try commit(ours, as: name)
    }

    private func get(_ addresses: String..., from name: String = "slot.save") -> String {
        let result = workspace.run(["get", "--format", "json", "--compact", "--", name] + addresses)
        return result.talk + result.output.split(separator: "\n").joined(separator: " ")
    }

    private func status() throws -> String {
        try repository.git("status", "--porcelain", "--untracked-files=no")
    }

    /// The git commands that apply theirs to main.
    static let operations = ["merge", "rebase", "cherry-pick"]

    private func join(by operation: String = "merge") throws -> GitRepository.Outcome {
        try operation == "merge"
            ? repository.attempt("merge", "--no-edit", "theirs") : repository.attempt(operation, "theirs")
    }

    // MARK: Clean merges

    @Test(arguments: operations) func keepsBothChanges(operation: String) throws {
        try diverge(from: Self.level(), ours: Self.level(enemies: [10, 30]), theirs: Self.level(health: 80))
        let outcome = try join(by: operation)
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(get("/root/health", "/root/enemies/0/health", "/root/enemies/1/health") == "80 10 30")
        #expect(workspace.run(["validate", "--quiet", "slot.save"]).status == 0)
        #expect(try status() == "")
    }

    @Test func bothAddTheFile() throws {
        try diverge(from: nil, ours: #"{"gems": 5, "level": 2}"#, theirs: #"{"level": 2, "stars": 9}"#)
        #expect(try join().status == 0)
        #expect(get("") == #"{"gems":5,"level":2,"stars":9}"#)
    }

    @Test func bothAddArchive() throws {
        try diverge(from: nil, ours: Self.level(gems: 7), theirs: Self.level(gems: 7))
        #expect(try join().status == 0)
        #expect(get("/root/gems") == "7")
    }

    @Test(arguments: operations) func appliesRules(operation: String) throws {
        try setUp("/root/gems=sum-of-changes", "/100%'s=max")
        try diverge(
            from: Self.level(gems: 10), ours: Self.level(health: 90, gems: 25), theirs: Self.level(gems: 12))
        #expect(try join(by: operation).status == 0)
        #expect(get("/root/gems", "/root/health") == "27 90")
    }

    @Test(arguments: [
        "--help.save", "-.save", "two words.save", "it's.save", #"a "b" c.save"#, "$(touch x) `touch y`.save",
        "%A %B.save",
        "saves/Zoë/slot.save", "a\\b;#.save",
    ])
    func acceptsAnyFileName(name: String) throws {
        try diverge(name, from: #"{"a": 1, "b": 1}"#, ours: #"{"a": 2, "b": 1}"#, theirs: #"{"a": 1, "b": 2}"#)
        #expect(try join().status == 0)
        #expect(get("", from: name) == #"{"a":2,"b":2}"#)
        #expect(!workspace.names.contains("x") && !workspace.names.contains("y"))
    }

    // MARK: Conflicts

    /// After a conflict, the file has all clean changes, and ours at the conflicts. The printed commands resolve them.
    @Test(arguments: operations) func conflictKeepsOursAndMergesRest(operation: String) throws {
        let name = "saves/slot 1.save"
        try diverge(
            name, from: Self.level(), ours: Self.level(health: 80), theirs: Self.level(health: 60, enemies: [10]))
        let outcome = try join(by: operation)
        let (ours, theirs) = operation == "rebase" ? (60, 80) : (80, 60)
        let sides = operation == "rebase" ? GitIndex.oursInRebase + "; " : ""
        #expect(outcome.status == 1)
        #expect(
            outcome.text.contains(
                """
                \(name): /root/health: conflict: was 100, ours \(ours), theirs \(theirs)
                    ours:   savetool set -i '\(name)' /root/health \(ours)
                    theirs: savetool set -i '\(name)' /root/health \(theirs)
                \(name): 1 conflict: kept ours, merged the rest; \(sides)resolve with git mergetool --tool savetool
                """), "\(outcome.text)")
        #expect(outcome.text.contains("CONFLICT (content): Merge conflict in \(name)\n"), "\(outcome.text)")
        #expect(try status() == "UU \"\(name)\"\n")
        #expect(get("/root/health", "/root/enemies", from: name).hasPrefix("\(ours) [{"))
        #expect(workspace.run(["get", name, "/root/enemies/1"]).status == 1)
        #expect(workspace.names.allSatisfy { !$0.hasPrefix(".merge_file") })
    }

    @Test func bothAddDifferentFiles() throws {
        try diverge(from: nil, ours: Self.level(gems: 7), theirs: Self.level(gems: 8))
        let before = try workspace.bytes(of: "slot.save")
        let outcome = try join()
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("slot.save: /root/gems: conflict: ours 7, theirs 8\n"), "\(outcome.text)")
        #expect(try status() == "AA slot.save\n")
        #expect(try workspace.bytes(of: "slot.save") == before)
    }

    /// A side that cannot be read or merged is a conflict: the file stays as it is, and the message says why.
    @Test(arguments: [
        (level(), "<plist>", "slot.save:1:8: "), ("<plist>", level(), "slot.save:1:8: "),
        (level(), "", "slot.save: the file is empty; "),
        (level(), #"{"gems": 7}"#, "slot.save: a keyed archive can only be merged with keyed archives\n"),
    ])
    func brokenSideIsConflict(ours: String, theirs: String, message: String) throws {
        try diverge(from: Self.level(gems: 1), ours: ours, theirs: theirs)
        let before = try workspace.bytes(of: "slot.save")
        let outcome = try join()
        #expect(outcome.status == 1)
        #expect(outcome.text.contains(message), "\(outcome.text)")
        let side = ours == "<plist>" ? "ours" : theirs == "<plist>" || theirs.isEmpty ? "theirs" : nil
        #expect(
            side.map { outcome.text.contains("slot.save: this is the version of \($0)\n") } ?? true, "\(outcome.text)")
        let advice = "slot.save: kept ours; git checkout --theirs -- slot.save takes theirs, and then "
        #expect(outcome.text.contains(advice) == (side != nil), "\(outcome.text)")
        #expect(try status() == "UU slot.save\n")
        #expect(try workspace.bytes(of: "slot.save") == before)
        #expect(try repository.git("show", "theirs:slot.save").isEmpty == theirs.isEmpty)
    }

    /// If a text cannot be read, its lines are merged as git does without savetool.
    @Test(arguments: [
        ("a = 2;", "a = 3", "resolve the conflict markers, then run git add -- prefs.save"),
        ("a = 2;", "a = 1;\n  b = ", "resolve the conflict markers, then run git add -- prefs.save"),
    ])
    func unreadableTextIsMergedByLines(ours: String, theirs: String, task: String) throws {
        try diverge(
            "prefs.save", from: Self.preferences(), ours: Self.preferences(ours), theirs: Self.preferences(theirs))
        let outcome = try join()
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("prefs.save: this is the version of theirs\n"), "\(outcome.text)")
        let message = "prefs.save: merged by lines, because a version cannot be read; \(task)\n"
        #expect(outcome.text.contains(message), "\(outcome.text)")
        let text = try workspace.text(of: "prefs.save")
        #expect(text.contains("<<<<<<< ours\n  \(ours)\n=======\n  \(theirs)\n>>>>>>> theirs\n"), "\(text)")
        #expect(try status() == "UU prefs.save\n")
    }

    @Test func unreadableLinesAreNoCleanMerge() throws {
        try diverge(
            "prefs.save", from: Self.preferences(), ours: Self.preferences("a = 2;"),
            theirs: Self.preferences("a = 1;", "z = 3"))
        let outcome = try join()
        #expect(outcome.status == 1)
        let message = "because a version cannot be read; check the result, then run git add -- prefs.save\n"
        #expect(outcome.text.contains("prefs.save: merged by lines, " + message), "\(outcome.text)")
        #expect(try workspace.text(of: "prefs.save") == Self.preferences("a = 2;", "z = 3"))
        // Theirs mended the text that was broken before.
        try repository.git("merge", "--abort")
        try repository.git("checkout", "-q", "theirs")
        try repository.git("checkout", "-q", "-b", "mended")
        try commit(Self.preferences("a = 1;", "z = 4;"), as: "prefs.save")
        try repository.git("checkout", "-q", "-b", "other", "theirs")
        try commit(Self.preferences("a = 5;", "z = 3"), as: "prefs.save")
        #expect(try repository.attempt("merge", "--no-edit", "mended").status == 0)
        #expect(try workspace.text(of: "prefs.save") == Self.preferences("a = 5;", "z = 4;"))
    }

    private static let archive = """
        <plist version="1.0"><dict>
        <key>$archiver</key><string>NSKeyedArchiver</string>
        <key>$objects</key><array>
        <string>$null</string>
        <integer>1</integer>
        </array>
        <key>$top</key><dict>
        <key>root</key><dict><key>CF$UID</key><integer>1</integer></dict>
        </dict>
        <key>$version</key>
        <integer>
        </dict></plist>

        """

    /// A merge by lines is not complete if it changes an archive, or turns pairs into ignored text.
    @Test(arguments: [
        ("a = 1;\nb = ;\nx = 1;\ny = 1;\nz = 1;\n", ("b = ;", "b = 2;"), ("z = 1;\n", "z = 1;\nw = 1;\n)\nd = 9;\n")),
        (archive, ("<integer>\n", "<integer>100000</integer>\n"), ("<integer>1</integer>\n", "<integer>2</integer>\n")),
    ])
    func unsoundLinesAreNoCleanMerge(base: String, ours: (String, String), theirs: (String, String)) throws {
        try diverge(
            from: base, ours: base.replacing(ours.0, with: ours.1), theirs: base.replacing(theirs.0, with: theirs.1))
        let outcome = try join()
        #expect(outcome.status == 1, "\(outcome.text)")
        #expect(outcome.text.contains("; check the result, then run git add -- slot.save\n"), "\(outcome.text)")
        let merged = base.replacing(ours.0, with: ours.1).replacing(theirs.0, with: theirs.1)
        #expect(try workspace.text(of: "slot.save") == merged)
    }

    // MARK: Texts

    private static func preferences(_ first: String = "a = 1;", _ last: String = "z = 1;") -> String {
        "/* preferences */\n{\n  \(first)\n  // in the middle\n  m = \"0x10\";\n\n  \(last)\n}\n"
    }

    /// The comments of both sides stay, and no other text changes.
    @Test(arguments: operations) func keepsTextOfTextFiles(operation: String) throws {
        try diverge(
            "prefs.save", from: Self.preferences(), ours: Self.preferences("a = 2; // ours"),
            theirs: Self.preferences("a = 1;", "/* theirs */ z = 3;"))
        let outcome = try join(by: operation)
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(try workspace.text(of: "prefs.save") == Self.preferences("a = 2; // ours", "/* theirs */ z = 3;"))
        #expect(try status() == "")
    }

    /// A conflict of values or comments leaves ours in the text, without conflict markers, and merges the rest.
    @Test(arguments: operations, ["a = 3;", "a = 1; // theirs"])
    func conflictInTextKeepsOurs(operation: String, other: String) throws {
        // In a rebase the sides are swapped. The comment is then on our side, where it can stay.
        if operation == "rebase", other.contains("theirs") { return }
        let isValue = other == "a = 3;"
        let own = isValue ? "a = 2;" : "a = 2; // ours"
        let (ours, theirs) = (Self.preferences(own), Self.preferences(other, "z = 3;"))
        try diverge("prefs.save", from: Self.preferences(), ours: ours, theirs: theirs)
        let outcome = try join(by: operation)
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("CONFLICT (content): Merge conflict in prefs.save\n"), "\(outcome.text)")
        #expect(
            outcome.text.contains(
                isValue ? "prefs.save: /a: conflict: was " : "prefs.save:3: conflict: the comment \"// theirs\" from "),
            "\(outcome.text)")
        #expect(
            isValue
                || outcome.text.contains(
                    "prefs.save: 1 conflict; the file is merged without the comments; resolve with "
                        + "git mergetool --tool savetool\n")
        )
        #expect(try status() == "UU prefs.save\n")
        #expect(
            try workspace.text(of: "prefs.save")
                == Self.preferences(operation == "rebase" ? other : own, "z = 3;"))
    }

    /// Makes two branches that change the health and one the gems, and merges each into the other.
    ///
    /// - Parameters:
    ///   - ours: The health that resolves the conflict on this branch.
    ///   - theirs: The health that resolves it on the other branch, which is checked out afterwards.
    private func mergeEachOther(ours: Int, theirs: Int) throws {
        try diverge(
            from: Self.level(health: 100, gems: 5), ours: Self.level(health: 80, gems: 5),
            theirs: Self.level(health: 60, gems: 6))
        try repository.git("branch", "first")
        #expect(try join().status == 1)
        try commit(Self.level(health: ours, gems: 6), as: "slot.save")
        try repository.git("checkout", "-q", "theirs")
        #expect(try repository.attempt("merge", "first").status == 1)
        try commit(Self.level(health: theirs, gems: 6), as: "slot.save")
    }

    /// Two branches resolve the same conflict differently. Both results are merge bases of the next merge.
    @Test func differentResolutionsConflict() throws {
        try mergeEachOther(ours: 80, theirs: 60)
        try repository.git("checkout", "-q", "main")
        let outcome = try join()
        #expect(outcome.status == 1, "\(outcome.text)\(get("/root/health"))")
        #expect(
            outcome.text.contains("slot.save: /root/health: conflict: was 100, ours 80, theirs 60\n"), "\(outcome.text)"
        )
    }

    /// In the merge of two merge bases, a conflict of one value does not affect the others.
    @Test func keepsRevertedChangeBesideConflict() throws {
        try mergeEachOther(ours: 70, theirs: 70)
        try commit(Self.level(health: 70, gems: 5), as: "slot.save")
        try repository.git("checkout", "-q", "main")
        #expect(try join().status == 0)
        #expect(get("/root/health", "/root/gems") == "70 5")
    }

    /// Two branches merge each other, and one of them reverts a change of the other.
    @Test func keepsRevertedChange() throws {
        func level(_ health: Int, _ gems: Int) -> String { Self.level(health: health, gems: gems) }
        try diverge(from: level(100, 5), ours: level(80, 5), theirs: level(100, 6))
        try repository.git("branch", "first")
        #expect(try join().status == 0)
        try repository.git("checkout", "-q", "theirs")
        #expect(try repository.attempt("merge", "--no-edit", "first").status == 0)
        try commit(level(80, 7), as: "slot.save")
        try repository.git("checkout", "-q", "main")
        try commit(level(100, 6), as: "slot.save")
        #expect(try join().status == 0)
        #expect(get("/root/health", "/root/gems") == "100 7")
    }
}
