import Foundation
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests merges of texts of which the reader ignores the rest.
struct IgnoredTextMergeTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
    }

    private func write(base: String, ours: String, theirs: String) throws {
        for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] { try workspace.write(text, to: name) }
    }

    private func merge(_ options: String..., answers: String = "") -> Workspace.Result {
        workspace.run(["merge"] + options + ["base", "ours", "theirs"], input: Array(answers.utf8))
    }

    // MARK: Kept changes

    static let merged: [(name: String, base: String, ours: String, theirs: String, result: String)] = [
        (
            "only theirs changed the text", "<plist><string>a</string></plist>\n\nrest\n",
            "<plist><string>b</string></plist>\n\nrest\n", "<plist><string>a</string></plist>\n\nother\n",
            "<plist><string>b</string></plist>\n\nother\n"
        ),
        (
            "only ours changed the text, in touching lines", "a = 1;\n} rest\n", "a = 1;\n} other\n",
            "a = 2;\n} rest\n", "a = 2;\n} other\n"
        ),
        (
            "both changed other lines of the text", "a = 1;\n} one\ntwo\nthree\n", "a = 1;\n} 1\ntwo\nthree\n",
            "a = 1;\n} one\ntwo\n3\n", "a = 1;\n} 1\ntwo\n3\n"
        ),
        (
            "both made the same change", "a = 1;\n} one\n", "a = 2;\n} 1\n", "a = 1;\n} 1\n", "a = 2;\n} 1\n"
        ),
        (
            "theirs removed the text", "a = 1;\n\nb = 2;\n} rest\n", "a = 5;\n\nb = 2;\n} rest\n", "a = 1;\n\nb = 2;\n",
            "a = 5;\n\nb = 2;\n"
        ),
        (
            "theirs removed the text beside a value of ours", "a = 1;\nb = 2; } rest\n", "a = 1;\nb = 3; } rest\n",
            "a = 1;\nb = 2;\n", "a = 1;\nb = 3;\n"
        ),
        (
            "conflicting lines without a conflict of values",
            "a = \"1\";\nb = \"2\";\nc = \"3\";\n\ne = \"5\";\n} rest\n",
            "a = \"X\";\nb = \"2\";\nc = \"3\";\n\ne = \"5\";\n} rest\n",
            "a = \"X\";\nb = \"Y\";\nc = \"3\";\n\ne = \"E\";\n} rest\n",
            "a = \"X\";\nb = \"Y\";\nc = \"3\";\n\ne = \"E\";\n} rest\n"
        ),
    ]

    @Test(arguments: merged)
    func keepsChanges(name: String, base: String, ours: String, theirs: String, result: String) throws {
        try write(base: base, ours: ours, theirs: theirs)
        let merged = merge()
        #expect(merged.status == 0, "\(name): \(merged.talk)")
        #expect(merged.output == result, "\(name)")
    }

    // MARK: Lost changes

    @Test func reportsALostChange() throws {
        // What theirs changed is ignored text in theirs and a value in ours.
        try write(
            base: "\"a\" = \"1\";=\n\n\"b\" = \"2\";\n\n\"c\" = \"3\";\n",
            ours: "\"a\" = \"1\";\n\n\"b\" = \"2\";\n\n\"c\" = \"3\";\n",
            theirs: "\"a\" = \"1\";=\n\n\"b\" = \"2\";\n\n\"c\" = \"33\";\n")
        let result = merge("--conflicts", "conflicts.json")
        #expect(result.status == 1)
        #expect(
            result.talk.hasSuffix(
                """
                theirs:5: conflict: the ignored text "\"c\" = \"33\";" from theirs cannot be kept
                ours: 1 conflict, nothing written; use --allow-loss to drop the change of ignored text

                """), "\(result.talk)")
        let row = #"{"kind":"ignored-text","side":"theirs","line":5,"text":"\"c\" = \"33\";"}"#
        #expect(try workspace.text(of: "conflicts.json").contains(row))
        let schema = TestFiles.fixtures.appending(path: "schemas/merge.schema.json").path(percentEncoded: false)
        #expect(workspace.run(["validate", "--schema", schema, "conflicts.json"]).status == 0)
        let ours = try workspace.text(of: "ours")
        #expect(merge("--allow-loss").output == ours)
        let git = workspace.run(["merge", "--git", "base", "ours", "theirs", "ours"])
        #expect(git.status == 1)
        #expect(git.talk.contains("merged without the change of ignored text; resolve with "), "\(git.talk)")
        #expect(try workspace.text(of: "ours") == ours)
    }

    @Test func reportsALostRemoval() throws {
        try write(base: "a = 1;\nb = 2; } rest\n", ours: "a = 1;\nb = 3; } mine\n", theirs: "a = 1;\nb = 2;\n")
        let result = merge()
        #expect(result.status == 1)
        #expect(
            result.talk.contains("theirs:2: conflict: the removal of ignored text in theirs cannot be kept\n"),
            "\(result.talk)")
        #expect(merge("--allow-loss").output == "a = 1;\nb = 3; } mine\n")
    }

    @Test func reportsDifferentChangesWithoutABase() throws {
        try write(base: "", ours: "a = 1;\n} rest\n", theirs: "a = 1;\n} other\n")
        let result = workspace.run(["merge", "--base", "none", "ours", "theirs"])
        #expect(result.status == 1)
        #expect(result.talk.contains("theirs:2: conflict: the ignored text \"} other\" from theirs cannot be kept\n"))
        #expect(workspace.run(["merge", "--base", "none", "ours", "ours"]).status == 0)
    }

    /// Such a format has no place for the text, so the side did not remove it.
    @Test(arguments: ["binary", "json"])
    func takesOtherFormatsAsUnchanged(format: String) throws {
        try write(base: "a = 1;\n} rest\n", ours: "a = 1;\n} mine\n", theirs: "")
        try workspace.write("{ a = 2; }", to: "plain")
        #expect(workspace.run(["convert", "--to", format, "--allow-loss", "plain", "-o", "theirs"]).status == 0)
        let result = merge()
        #expect(result.status == 0 && result.output == "a = \"2\";\n} mine\n", "\(result)")
        // The same file as ours does not have the change of theirs.
        #expect(workspace.run(["merge", "base", "theirs", "base"]).status == 0)
        let refused = workspace.run(["merge", "base", "theirs", "ours"])
        #expect(refused.status == 1)
        #expect(refused.talk.contains("ours:2: conflict: the ignored text \"} mine\" from theirs cannot be kept\n"))
    }

    @Test func reportsALossInOurs() throws {
        try write(base: "\"a\" = \"1\"; ) x", ours: "\"a\" = \"1\"; ) x", theirs: "{}")
        let refused = merge()
        #expect(refused.status == 1)
        let conflict = "ours:1: conflict: the ignored text \") x\" from ours cannot be kept\n"
        #expect(refused.talk.contains(conflict), "\(refused.talk)")
        let allowed = merge("--allow-loss")
        #expect(allowed.status == 0)
        #expect(allowed.talk.contains("ours:1:12: warning: the ignored text would be dropped\n"), "\(allowed.talk)")
    }

    @Test func asksAboutALostChange() throws {
        try write(
            base: "a = 1;\nb = 2;\n} rest\n", ours: "a = 5;\nb = 2;\n} mine\n",
            theirs: "a = 1;\nb = 2;\n} other\n")
        let result = merge("--ask", "-o", "out", answers: "t\n")
        #expect(result.status == 0, "\(result.talk)")
        #expect(result.talk.contains("1 of 1: ours, theirs, skip or quit"), "\(result.talk)")
        #expect(try workspace.text(of: "out") == "a = 5;\nb = 2;\n} other\n")
        #expect(merge("--ask", "-o", "out", answers: "o\n").status == 0)
        #expect(try workspace.text(of: "out") == "a = 5;\nb = 2;\n} mine\n")
    }

    @Test func asksAboutALostRemoval() throws {
        try write(base: "a = 1;\nb = 2;\n} rest\n", ours: "a = 5;\nb = 2;\n} mine\n", theirs: "a = 1;\nb = 2;\n")
        let result = merge("--ask", "-o", "out", answers: "t\n")
        #expect(result.status == 0, "\(result.talk)")
        #expect(try workspace.text(of: "out") == "a = 5;\nb = 2;\n")
        #expect(merge("--ask", "-o", "out", answers: "o\n").status == 0)
        #expect(try workspace.text(of: "out") == "a = 5;\nb = 2;\n} mine\n")
    }

    // MARK: Values

    @Test func resumeKeepsEdits() throws {
        try write(
            base: "a = \"1\";\n\nb = \"2\";\n\nc = \"3\";\n} rest\n",
            ours: "a = \"5\";\n\nb = \"2\";\n\nc = \"3\";\n} rest\n",
            theirs: "a = \"1\";\n\nb = \"2\";\n\nc = \"33\";\n} rest\n")
        try workspace.write("a = \"5\";\n\nb = \"HAND\";\n\nc = \"33\";\n} rest\n", to: "out")
        #expect(merge("--ask", "--resume", "-o", "out").status == 0)
        #expect(try workspace.text(of: "out") == "a = \"5\";\n\nb = \"HAND\";\n\nc = \"33\";\n} rest\n")
    }

    @Test func findsConflictsOfValues() throws {
        try write(
            base: "a = 1;\n\nb = 2;\n\n} rest\n", ours: "new = O;\na = 1;\n\nb = 2;\n\n} rest\n",
            theirs: "a = 1;\n\nb = 2;\nnew = T;\n\n} rest\n")
        let result = merge()
        #expect(result.status == 1)
        #expect(result.talk.contains("ours: /new: conflict: ours \"O\", theirs \"T\"\n"), "\(result.talk)")
        #expect(merge("--rule", "theirs").output == "new = T;\na = 1;\n\nb = 2;\n\n} rest\n")
    }

    @Test func mergesPaddedFilesByValue() throws {
        func text(_ value: Int) -> String { "<plist><integer>\(value)</integer></plist>\n\0\0" }
        try write(base: text(1), ours: text(2), theirs: text(3))
        #expect(merge().status == 1)
        let ruled = merge("--rule", "theirs")
        #expect(ruled.output == text(3), "\(ruled.talk)")
        #expect(workspace.run(["convert", "--to", "binary", "theirs", "-o", "binary"]).status == 0)
        #expect(workspace.run(["merge", "base", "ours", "binary", "--rule", "theirs"]).output == text(3))
        #expect(workspace.run(["merge", "--base", "none", "ours", "ours"]).output == text(2))
    }

    @Test func mergesPaddedArchivesByObject() throws {
        let swamp = TestFiles.fixtures.appending(path: "games/swamp.save").path(percentEncoded: false)
        #expect(workspace.run(["convert", "--raw", "--to", "xml", swamp, "-o", "base"]).status == 0)
        #expect(workspace.run(["set", "base", "/root/charList/0/health", "1", "-o", "ours"]).status == 0)
        #expect(workspace.run(["remove", "base", "/root/charList/1", "-o", "theirs"]).status == 0)
        for name in ["base", "ours", "theirs"] {
            try workspace.write(workspace.text(of: name) + "\0\0\0\0", to: name)
        }
        #expect(merge("-o", "merged").status == 0)
        #expect(workspace.run(["diff", "theirs", "merged"]).output.contains("/root/charList/0/health"))
        #expect(workspace.run(["validate", "merged"]).status == 0)
    }
}
