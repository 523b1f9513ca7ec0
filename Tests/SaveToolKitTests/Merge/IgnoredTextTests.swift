import Foundation
import Testing

@testable import SaveToolKit

/// Tests the commands other than `merge` on texts of which the reader ignores the rest.
struct IgnoredTextTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
    }

    // MARK: Checks and conversions

    @Test(arguments: [
        "\"z\"=\"1\";\n<<<<<<< HEAD\n\"a\"=\"1\";\n=======\n\"a\"=\"2\";\n>>>>>>> x\n",
        "\"z\"=\"1\";\n= rest\r\n<<<<<<< HEAD\r\n=======\r\n>>>>>>> x\r\n",
        "\"z\"=\"1\";\n/* open\n<<<<<<< HEAD\n\"a\"=\"1\";\n=======\n\"a\"=\"2\";\n>>>>>>> x\n",
        "<plist><true/></plist>\n<<<<<<< HEAD\n=======\nrest\n>>>>>>> x\n",
        "<plist><true/></plist>\n<plist>\n<<<<<<< HEAD\n=======\nrest\n>>>>>>> x\n",
    ])
    func findsConflictMarkers(text: String) throws {
        try workspace.write(text, to: "a.strings")
        let result = workspace.run(["validate", "a.strings"])
        #expect(result.status == 1)
        #expect(result.output.contains("[format.conflict]"), "\(result.output)")
    }

    /// One marker is left of a conflict that was resolved by hand.
    @Test(
        arguments: ["<<<<<<< HEAD", "||||||| base", "=======", "=======\r", ">>>>>>> x", ">>>>>>>"],
        [
            "\"a\"=\"1\";\n@\n\"b\"=\"2\";\n", "\"a\"=\"1\"\n@\n;\n", "\"a\"\n@\n;\n",
            "{\n a = 1;\n@\n b = 2;\n}\n", "{\n a = (\n  1\n@\n, 2);\n}\n", "{\n a = 1;\n}\n@\n",
            "<plist><array>\n<true/>\n@\n<true/></array></plist>\n", "<plist><true/></plist>\n@\n",
            "{\n \"a\": 1,\n@\n \"b\": 2\n}\n", "[1\n@\n]\n", "[1]\n@\n",
        ])
    func findsASingleMarker(marker: String, text: String) throws {
        // A title may be underlined.
        if marker.hasPrefix("="), text.hasSuffix("</plist>\n@\n"), !text.contains("array") { return }
        try workspace.write(text.replacing("@", with: marker), to: "a.strings")
        let result = workspace.run(["validate", "a.strings"])
        #expect(result.status == 1)
        let line = 1 + text.prefix { $0 != "@" }.count { $0 == "\n" }
        let message = "a.strings:\(line):1: error: this line is a conflict marker of git"
        #expect(result.output.contains(message), "\(result.output)")
        let commands = [
            ["inspect", "a.strings"], ["set", "-i", "a.strings", "/a", "2"],
            ["merge", "a.strings", "a.strings", "a.strings"],
        ]
        for words in commands {
            let result = workspace.run(words)
            #expect(result.status == 2 && result.talk.contains("conflict marker"), "\(result.talk)")
        }
    }

    @Test(arguments: [
        "\"z\"=\"1\";\n= <<<<<<< a\n=======\nb >>>>>>> b\n", "\"z\"=\"1\";\n========\n>>>>>>>x\n",
        "/* <<<<<<< a\n=======\n>>>>>>> b */ \"z\"=\"1\";\n=\n", "\"z\"=\"\n=======\n\";\n= My notes\n=======\n",
        "\"z\"=\"1\";\n======= Notes =======\nb\n", "\"z\"=\"1\";\n=======\nNotes; and others\n",
        "\"z\"=\"1\";\n=======\n",
    ])
    func acceptsOtherIgnoredText(text: String) throws {
        try workspace.write(text, to: "a.strings")
        let result = workspace.run(["validate", "a.strings"])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("[openstep.ignored-text]"), "\(result.output)")
    }

    /// Lines of other texts look like a marker.
    @Test(arguments: [
        ("=======\nTitle\n=======\n", "format.unknown"), ("||||||| table\n", "format.unknown"),
        (">>>>>>> quoted mail\n{\"a\": 1}\n", "damage.preceding"), ("=======\n\"a\"=\"1\";\n", "damage.preceding"),
        ("<<<<<<< HEAD\n\"a\"=\"1\";\n=======\n\"a\"=\"2\";\n>>>>>>> b\n", "format.conflict"),
        ("<<<<<<< HEAD\nrest\n", "format.conflict"), ("=======\nrest\n>>>>>>>\n", "format.conflict"),
    ])
    func findsMarkersAtTheBeginning(text: String, id: String) throws {
        try workspace.write(text, to: "a.strings")
        let result = workspace.run(["validate", "a.strings"])
        #expect(result.status == 1 && result.output.contains("[\(id)]"), "\(result.output)")
        let salvage = workspace.run(["salvage", "a.strings"])
        #expect(salvage.output.contains("removed before") == (id == "damage.preceding"), "\(salvage.output)")
    }

    @Test func convertRefusesToDropIt() throws {
        try workspace.write("\"a\" = \"1\";\n= rest\n", to: "a.strings")
        let refused = workspace.run(["convert", "-i", "--to", "xml", "a.strings"])
        #expect(refused.status == 2)
        #expect(refused.talk.contains("a.strings:2:1: the ignored text would be dropped"), "\(refused.talk)")
        #expect(workspace.run(["set", "-i", "a.strings", "/a", "--string=2"]).status == 0)
        #expect(try workspace.text(of: "a.strings") == "\"a\" = \"2\";\n= rest\n")
        #expect(workspace.run(["set", "-i", "--add", "a.strings", "/b", "--string=3"]).status == 0)
        #expect(workspace.run(["remove", "-i", "a.strings", "/b"]).status == 0)
        #expect(try workspace.text(of: "a.strings") == "\"a\" = \"2\";\n= rest\n")
        #expect(workspace.run(["convert", "-i", "--to", "xml", "--allow-loss", "a.strings"]).status == 0)
        // Zero bytes that pad a strings file stay, too.
        try workspace.write("\"a\" = \"2\";\n\0\0", to: "zeros.strings")
        #expect(workspace.run(["set", "-i", "--add", "zeros.strings", "/b", "--string=3"]).status == 0)
        #expect(try workspace.text(of: "zeros.strings") == "\"a\" = \"2\";\n\"b\" = \"3\";\n\0\0")
        #expect(workspace.run(["convert", "--to", "xml", "zeros.strings"]).status == 0)
        try workspace.write("<plist><true/></plist>rest", to: "a.plist")
        #expect(workspace.run(["convert", "--to", "json", "a.plist"]).status == 2)
        try workspace.write("<plist><true/></plist>\0\0", to: "zeros.plist")
        #expect(workspace.run(["convert", "--to", "json", "zeros.plist"]).status == 0)
        // One zero byte after other text does not make the text padding.
        try workspace.write("<plist><true/></plist>rest\n\0", to: "ends.plist")
        #expect(workspace.run(["convert", "--to", "json", "ends.plist"]).status == 2)
    }

    /// The file is rebuilt if its last pair is removed, or its root is replaced.
    @Test(arguments: [
        ("\"a\" = \"1\"; ) x", ["remove", "a.strings", "/a"], "1:12"),
        ("\"a\" = \"1\";\n\"b\" = \"2\";\n) x", ["set", "--change-type", "a.strings", "", #"["x"]"#], "3:1"),
    ])
    func editsRefuseToDropIt(text: String, words: [String], location: String) throws {
        try workspace.write(text, to: "a.strings")
        let refused = workspace.run(words)
        #expect(refused.status == 2)
        #expect(
            refused.talk.contains(
                """
                a.strings: not written: the text that readers ignore would be lost
                a.strings:\(location): the ignored text would be dropped
                a.strings: the edit requires rewriting the file; its white space and spellings would be lost
                a.strings: use --allow-loss to drop the text

                """), "\(refused.talk)")
        let result = workspace.run(words + ["--allow-loss"])
        #expect(result.status == 0)
        #expect(result.talk.contains("a.strings:\(location): warning: the ignored text would be dropped\n"))
    }

    @Test func convertLikeRefusesToDropIt() throws {
        try workspace.write("<plist><dict><key>a</key><true/></dict></plist>\n", to: "plain.plist")
        try workspace.write("<plist><dict><key>a</key><false/></dict></plist>\nmy notes\n", to: "notes.plist")
        try workspace.write("<plist><dict><key>a</key><true/></dict></plist>\nmy notes\n", to: "like.plist")
        let refused = workspace.run(["convert", "--like", "plain.plist", "notes.plist"])
        #expect(refused.status == 2)
        #expect(
            refused.talk.hasSuffix(
                """
                notes.plist: not converted: the text that readers ignore would be lost
                notes.plist:2:1: the ignored text would be dropped
                notes.plist: use --allow-loss to drop the text

                """), "\(refused.talk)")
        #expect(workspace.run(["convert", "--like", "plain.plist", "--allow-loss", "notes.plist"]).status == 0)
        let kept = workspace.run(["convert", "--like", "like.plist", "notes.plist"])
        #expect(kept.output == "<plist><dict><key>a</key><false/></dict></plist>\nmy notes\n", "\(kept.talk)")
    }

    // MARK: Zero bytes

    @Test(arguments: ["\"a\" = \"1\";\n@\n\"b\" = \"2\";\n", "\"a\" = \"1\";@rest", "{\n a = 1;\n@\n b = 2;\n}\n"])
    func zerosBetweenPairsAreDamage(text: String) throws {
        try workspace.write(text.replacing("@", with: String(repeating: "\0", count: 40)), to: "a.strings")
        let result = workspace.run(["validate", "a.strings"])
        #expect(result.status == 1)
        #expect(result.output.contains("40 bytes from here on are zero, which a text does not contain [damage.zeros]"))
        #expect(workspace.run(["salvage", "a.strings"]).output.contains("40 bytes from here on are zero"))
    }

    @Test(arguments: [
        "\"a\" = \"x@y\";\n", "\"a\" = \"1\";\n/* x@y */\n\"b\" = \"1\";\n", "\"a\" = \"1\"; // x@\n",
        "{ a = \"@\"; }\n",
    ])
    func zerosInStringsAndCommentsAreReported(text: String) throws {
        try workspace.write(text.replacing("@", with: "\0\0\0"), to: "a.strings")
        let result = workspace.run(["validate", "a.strings"])
        #expect(result.status == 0)
        let warning = "found a zero byte in a string or a comment (and 2 more like it) [openstep.zero]"
        #expect(result.output.contains(warning), "\(result.output)")
        // Salvage keeps all values, and doubts the strings.
        let salvage = workspace.run(["salvage", "a.strings", "-o", "b.strings"]).output
        let isInString = text.contains("@\"") || text.contains("@y\"")
        #expect(salvage.contains("no damage found") != isInString, "\(salvage)")
        #expect(salvage.contains("doubtful: /a: ") == isInString, "\(salvage)")
        if isInString { #expect(try workspace.bytes(of: "b.strings") == workspace.bytes(of: "a.strings")) }
    }

    @Test(arguments: [
        ("a = 1;\n\"@x\" = 2;\n", true), ("a = \"x@@@@y\"; b = 2;\n", true),
        ("a = \"x\"; /* c@ */ <<<<<<< HEAD\n", false), ("a = (\"x@\"); = rest\n", true),
    ])
    func salvageKeepsReadableValues(text: String, isDoubtful: Bool) throws {
        try workspace.write(text.replacing("@", with: "\0"), to: "a.strings")
        let report = workspace.run(["salvage", "a.strings", "-o", "b.strings"]).output
        #expect(report.contains("zero bytes may have replaced other text") == isDoubtful, "\(report)")
        #expect(!report.contains("kept"), "\(report)")
        if isDoubtful { #expect(try workspace.bytes(of: "b.strings") == workspace.bytes(of: "a.strings")) }
    }

    @Test func salvageKeepsStringsWithZerosBeforeIgnoredText() throws {
        let text = "a = \"x\0y\"; /* \0 */\n??? rest;\nb = 2;\nc = \"z\0\"; d = 4;\n"
        try workspace.write(text, to: "a.strings")
        let report = workspace.run(["salvage", "a.strings", "-o", "b.strings"]).output
        for name in ["a", "c"] {
            #expect(report.contains("doubtful: /\(name): zero bytes may have replaced other text"), "\(report)")
        }
        let salvaged = try workspace.text(of: "b.strings")
        #expect(salvaged.hasPrefix("a = \"x\0y\"; /* \0 */\n"), "\(salvaged)")
        #expect(salvaged.contains("b = 2;") && salvaged.contains("c = \"z\0\"; d = 4;"), "\(salvaged)")
    }

    // MARK: Lines for git

    private func lines(of text: String) throws -> String {
        try workspace.write(text, to: "a.strings")
        return workspace.run(["textconv", "a.strings"]).output
    }

    @Test func textconvShowsEveryDifference() throws {
        let long = String(repeating: "0", count: 410)
        // Values and a digest.
        let wide = try lines(of: "/* one */ \"a\" = \"\(long)\";")
        #expect(wide.contains("property list, dictionary\n") && wide.contains("\ntext: "), "\(wide)")
        #expect(try lines(of: "/* two */ \"a\" = \"\(long)\";") != wide)
        #expect(try lines(of: "/* one */ \"a\" = \"\(long)\";= rest") != wide)
        // One long line among others does not hide the text.
        let comments = String(repeating: "/* a comment of a common length */\n", count: 20)
        #expect(try lines(of: comments + "\"a\" = \"\(long)\";\n").contains(comments))
    }

    @Test func textconvShowsUnreadableText() throws {
        let broken = "\"a\" = ;\n"
        let shown = try lines(of: broken)
        #expect(shown.hasPrefix("not read: ") && shown.hasSuffix("\n" + broken), "\(shown)")
        let marked = "\"z\"=\"1\";\n<<<<<<< ours\n\"a\"=\"1\";\n=======\n\"a\"=\"2\";\n>>>>>>> theirs\n"
        #expect(try lines(of: marked).hasSuffix("\n" + marked))
    }

    // MARK: Folders

    @Test func checksPropertyListsOfProjects() throws {
        try FileManager.default.createDirectory(
            atPath: workspace.path(of: "app"), withIntermediateDirectories: false)
        try workspace.write("", to: "app/empty.entitlements")
        try workspace.write("{ a = ; }", to: "app/project.pbxproj")
        try workspace.write("<plist><dict/></plist>", to: "app/Info.stringsdict")
        try workspace.write("<plist><dict/></plist>", to: "app/PrivacyInfo.xcprivacy")
        let result = workspace.run(["validate", "app"])
        #expect(result.talk.contains("4 files: 2 valid, 2 invalid"), "\(result.talk)")
    }
}
