import Foundation
import Testing

@testable import SaveToolKit

/// Tests where project files are found, and to which files their rules apply.
@Suite struct ProjectTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
    }

    private func write(_ text: String = "[]", to names: String...) throws {
        for name in names {
            let folder = workspace.folder.appending(path: name).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try workspace.write(text, to: name)
        }
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: workspace.folder.appending(path: name).path(percentEncoded: false), withDestinationPath: target)
    }

    /// Returns the names of the reported files, in order, or the message if no file is reported.
    private func names(in folder: String? = nil, _ arguments: String...) -> [String] {
        workspace.enter(nil)
        if let folder { workspace.enter(folder) }
        let result = workspace.run(["validate", "-f", "ndjson"] + arguments)
        let names = result.output.split(separator: "\n").compactMap { line in
            let members = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return members?["type"] as? String == "file" ? members?["file"] as? String : nil
        }
        return names.isEmpty ? [result.talk] : names
    }

    private static let nothing =
        "savetool: nothing to check; name files or folders, use - or --files-from FILE, or list files in .savetool.json\n"

    // MARK: Finding project files

    @Test func usesNearestProjectFile() throws {
        try write(#"{"validate": [{"files": ["**/*.json"]}]}"#, to: ".savetool.json", "a/b/.savetool.json")
        try write(to: "x.json", "a/x.json", "a/b/x.json", "a/b/c/x.json", "d/x.json")
        #expect(names() == ["a/b/c/x.json", "a/b/x.json", "a/x.json", "d/x.json", "x.json"])
        #expect(names(in: "d") == ["a/b/c/x.json", "a/b/x.json", "a/x.json", "d/x.json", "x.json"].map { "../" + $0 })
        #expect(names(in: "a/b") == ["c/x.json", "x.json"])
        #expect(names(in: "a/b/c") == ["../c/x.json", "../x.json"])
        #expect(names(in: "d", "--project", "../a/b/.savetool.json") == ["../a/b/c/x.json", "../a/b/x.json"])
        let absolute = workspace.folder.appending(path: "a/b").path(percentEncoded: false)
        #expect(
            names("--project", absolute + "/.savetool.json") == [absolute + "/c/x.json", absolute + "/x.json"])
    }

    @Test func searchEndsAtTopOfRepository() throws {
        try write(#"{"validate": [{"files": ["**/*.json"]}]}"#, to: ".savetool.json")
        try write(to: "a/.git/HEAD", "a/b/x.json", "c/.git", "c/x.json")
        for folder in ["a", "a/b", "c"] { #expect(names(in: folder) == [Self.nothing]) }
        workspace.enter(nil)
        try write(#"{"validate": [{"files": ["**/*.json"]}]}"#, to: "a/.savetool.json")
        #expect(names(in: "a/b") == ["../b/x.json"])
    }

    /// Returns the names of the files that a run in a folder reports, with another home folder.
    private func names(in folder: String, home: String) -> [String] {
        workspace.enter(folder)
        defer { workspace.enter(nil) }
        let environment = ["HOME": workspace.folder.appending(path: home).path(percentEncoded: false)]
        let output = workspace.run(["validate"], environment: environment).output
        return output.split(separator: "\n").filter { $0.contains(": ") }.map { String($0.prefix { $0 != ":" }) }
    }

    private static let failing = #"{"validate": [{"files": ["**/*.json"], "profile": "archive"}]}"#

    @Test func searchOutsideRepositoriesEndsAtHomeFolder() throws {
        try write(Self.failing, to: ".savetool.json")
        try write(to: "homes/ada/a/b/x.json", "homes/eve/x.txt")
        for folder in ["homes/ada/a/b", "homes/ada", "homes"] { #expect(names(in: folder, home: "homes/ada") == []) }
        #expect(names(in: "homes/ada/a", home: "homes/eve") == [])
        #expect(names(in: "homes/ada/a", home: "nowhere") == ["../../../homes/ada/a/b/x.json"])
        try write(Self.failing, to: "homes/ada/.savetool.json")
        #expect(names(in: "homes/ada/a/b", home: "homes/ada") == ["../../a/b/x.json"])
        #expect(names(in: "homes/ada", home: "homes/ada") == ["a/b/x.json"])
        // The search ends at the top folder of a repository instead of the home folder.
        try write(Self.failing, to: "homes/.savetool.json")
        try write(to: "homes/.git/HEAD")
        try FileManager.default.removeItem(at: workspace.folder.appending(path: "homes/ada/.savetool.json"))
        #expect(names(in: "homes/ada/a", home: "homes/ada") == ["../../ada/a/b/x.json"])
    }

    /// Project files of other users in parent folders are ignored, whether they own the folder or share one such as
    /// `/tmp`.
    @Test(.enabled(if: geteuid() == 0)) func ignoresProjectFilesOfOtherUsers() throws {
        func give(_ name: String, to user: Int) throws {
            try FileManager.default.setAttributes(
                [.ownerAccountID: user],
                ofItemAtPath: workspace.folder.appending(path: name).path(percentEncoded: false))
        }
        try write(Self.failing, to: "shared/.savetool.json", "theirs/.savetool.json", "mine/.savetool.json")
        try write(to: "shared/a/x.json", "theirs/a/x.json", "mine/theirs/mine/x.json")
        #expect(names(in: "shared/a", home: "home") == ["../a/x.json"])
        for name in ["shared/.savetool.json", "theirs", "mine/theirs"] { try give(name, to: 1) }
        for folder in ["shared/a", "theirs/a", "mine/theirs/mine"] { #expect(names(in: folder, home: "home") == []) }
        #expect(names(in: "shared", home: "home") == ["a/x.json"])
        #expect(names(in: "theirs", home: "home") == ["a/x.json"])
        // A repository may belong to another user, but not if that user put its `.git` into another user's folder.
        try write(to: "shared/.git/HEAD", "theirs/.git/HEAD")
        for name in ["shared/.git", "theirs/.git"] { try give(name, to: 1) }
        #expect(names(in: "shared/a", home: "home") == [])
        #expect(names(in: "theirs/a", home: "home") == ["../a/x.json"])
    }

    // MARK: Which files

    @Test func rulesMatchFilesOfAnyName() throws {
        try write(
            #"{"validate": [{"files": ["saves/*", "saves/*.save"]}, {"files": [".hidden/**"]}], "ignore": ["saves/old", "**/*~"]}"#,
            to: ".savetool.json")
        try write(
            to: "saves/slot1", "saves/.slot2", "saves/a.save", "saves/a.save~", "saves/old/b.save", ".hidden/c",
            ".hidden/.d", "e.save")
        #expect(names() == [".hidden/c", "saves/a.save", "saves/slot1"])
        #expect(names("saves") == ["saves/a.save", "saves/slot1"])
        #expect(
            names("e.save", "saves/a.save~", "saves/slot1", "./saves//a.save") == [
                "e.save", "saves/slot1", "./saves//a.save",
            ])
    }

    @Test func checksFileOnceWithAllRules() throws {
        try write(
            #"{"validate": [{"files": ["*.save"], "profile": "preferences"}, {"files": ["a.*"], "profile": "archive"}]}"#,
            to: ".savetool.json")
        try write(to: "a.save", "b.save")
        let lines = workspace.run(["validate"]).output.split(separator: "\n")
        #expect(lines.map { $0.prefix(7) } == ["a.save:", "a.save:", "b.save:"])
        #expect(
            workspace.run(["validate", "--profile", "json-save", "b.save"]).output.split(separator: "\n").count == 1)
    }

    @Test func stopsAtCircularLinks() throws {
        try write(#"{"validate": [{"files": ["**/*.json"]}, {"files": ["a/b/*"]}]}"#, to: ".savetool.json")
        try write(to: "a/b/x.json")
        try link("a/b/up", to: "..")
        try link("a/self", to: "self")
        try link("a/z.json", to: "b/x.json")
        #expect(names() == ["a/b/x.json", "a/z.json"])
    }

    @Test func resolvesNamesThroughLinks() throws {
        try write(#"{"validate": [{"files": ["a/*.json"], "expectInvalid": true}]}"#, to: "real/.savetool.json")
        try write("[", to: "real/a/x.json")
        try link("other", to: "real")
        let name = workspace.folder.appending(path: "other/a/x.json").path(percentEncoded: false)
        workspace.enter("real")
        #expect(workspace.run(["validate", name]).status == 0)
        workspace.enter(nil)
        #expect(workspace.run(["validate", name]).status == 1)
    }

    // MARK: Expected findings

    @Test(arguments: [
        ("<plist><dict>", 0), ("", 1), ("<plist><dict/></plist>", 1), ("<plist><dict></array></plist>", 1),
        ("[1", 0),
    ])
    func filesFailForExpectedReason(text: String, status: Int32) throws {
        try write(
            """
            {"validate": [{"files": ["*.plist"], "expect": ["xml.truncated"]},
                          {"files": ["a.*"], "expect": ["json.string", "json.syntax"]}]}
            """, to: ".savetool.json")
        try write(text, to: "a.plist")
        let result = workspace.run(["validate", "-f", "ndjson"])
        #expect(result.status == status, "\(result.output)")
        let isInvalid = result.output.contains(#""verdict":"invalid""#)
        #expect(result.output.contains(#""id":"validate.unexpected""#) == (status == 1 && isInvalid))
    }

    // MARK: Precedence

    /// Files of one rule that are invalid for different reasons get rules of their own.
    @Test func updatedExpectationsAreOfEachFile() throws {
        try write("", to: "bad/a[1].json", "bad/b.json")
        try write("{", to: "bad/c.json")
        try write("[}", to: "bad/d.json")
        try write(#"{"validate": [{"files": ["bad/*"], "expect": ["json.syntax"]}]}"#, to: ".savetool.json")
        let result = workspace.run(["validate", "-q", "--update-expectations"])
        #expect(result.status == 0, "\(result)")
        #expect(
            result.talk == """
                .savetool.json: /validate/0/expect: removed, because the files differ
                .savetool.json: /validate/1: format.empty in bad/a[1].json, bad/b.json
                .savetool.json: /validate/2: json.syntax in bad/c.json, bad/d.json

                """)
        let text = try workspace.text(of: ".savetool.json")
        let expected = #"""
            {"validate": [{"files": ["bad/*"], "expectInvalid": true}, {"files": ["bad/a\\[1\\].json", "bad/b.json"], "expect": ["format.empty"]}, {"files": ["bad/c.json", "bad/d.json"], "expect": ["json.syntax"]}]}
            """#
        #expect(text == expected)
        #expect(workspace.run(["validate", "-q"]).status == 0)
        #expect(workspace.run(["validate", "-q", "--update-expectations"]).talk.hasSuffix(" are up to date\n"))
        try write("", to: "bad/c.json")
        #expect(workspace.run(["validate", "-q"]).status == 1)
        try write("", to: "bad/new.json")
        #expect(workspace.run(["validate", "-q", "bad/new.json"]).status == 0)
    }

    /// Each project file around a named file or folder that does not apply is reported once.
    @Test func reportsForeignProjects() throws {
        try write("{}", to: "a/one.json", "a/two.json", "b/c/one.json", "none.json")
        try write(#"{"validate": [{"files": ["**/*"]}]}"#, to: "a/.savetool.json", "b/c/.savetool.json")
        let talk = workspace.run(["validate", "none.json", "a/one.json", "a/two.json", "b/c"]).talk
        let lines = talk.split(separator: "\n").filter { $0.contains("these rules apply only in their folder") }
        #expect(lines.count == 2, "\(talk)")
        #expect(lines.first?.contains("/a/.savetool.json: ") == true, "\(talk)")
        #expect(lines.last?.contains("/b/c/.savetool.json: ") == true, "\(talk)")
    }

    /// Names of missing files stay if only some files are checked.
    @Test func partialUpdateKeepsMissingNames() throws {
        try write("{", to: "bad/a.json")
        let rules = #"{"validate": [{"files": ["bad/a.json", "bad/gone.json"], "expectInvalid": true}]}"#
        try write(rules, to: ".savetool.json")
        #expect(workspace.run(["validate", "-q", "--update-expectations", "bad/a.json"]).status == 0)
        #expect(try workspace.text(of: ".savetool.json").contains("bad/gone.json"))
        let result = workspace.run(["validate", "-q", "--update-expectations", "bad/a.json"])
        #expect(result.talk == ".savetool.json: the expectations of these files are up to date\n", "\(result)")
    }

    @Test func roundTripSkipsFilesThatAreExpectedToBeInvalid() throws {
        try write("{", to: "bad/a.json", "old/a.json", "c.json")
        try write("{}\n", to: "good.json")
        let rules = #"{"validate": [{"files": ["bad/*"], "expectInvalid": true}, {"files": ["*"]}], "ignore": ["old"]}"#
        try write(rules, to: ".savetool.json")
        let result = workspace.run(["roundtrip", "bad/a.json", "old/a.json", "good.json"])
        let expected = """
            bad/a.json: skipped; .savetool.json expects this file to be invalid
            old/a.json: skipped; .savetool.json ignores this file
            good.json: same bytes (3)

            """
        #expect(result.output == expected && result.status == 0, "\(result)")
        #expect(workspace.run(["roundtrip", "-q", "bad/a.json"]) == Workspace.Result(status: 0, output: ""))
        #expect(workspace.run(["roundtrip", "c.json"]).status == 2)
        #expect(workspace.run(["roundtrip", "--no-project", "bad/a.json"]).status == 2)
    }

    /// A file beside files with a rule may lack one, whether the rule has wildcards or names.
    @Test(arguments: ["saves/[a-b]*.save", "saves/a.save", "saves/{a,b}.save", "saves/**/a.save"])
    func namesFilesWithoutRule(pattern: String) throws {
        try write("{}", to: "saves/a.save", "saves/c.save", "saves/readme.txt")
        try write(#"{"validate": [{"files": ["\#(pattern)"]}]}"#, to: ".savetool.json")
        let note = "saves/c.save: no rule in .savetool.json applies to this file\n"
        #expect(workspace.run(["validate"]).talk == "1 file: 1 valid\n" + note)
        let skipped = "savetool: skipped 1 file that does not begin or end like a save (.txt); name a file to read it\n"
        #expect(workspace.run(["validate", "saves"]).talk == skipped + "2 files: 2 valid\n" + note)
        let missing = "saves/d.save: no such file\n1 file: 1 unchecked; 1 error\n"
        #expect(workspace.run(["validate", "saves/d.save"]).talk == missing)
    }

    @Test func lastMatchingFormatApplies() throws {
        try write(
            #"{"validate": [{"files": ["*"], "from": "xml"}, {"files": ["a"], "from": "json"}, {"files": ["*"]}]}"#,
            to: ".savetool.json")
        try write("{}", to: "a", "b")
        let lines = workspace.run(["validate", "-f", "ndjson"]).output.split(separator: "\n")
        #expect(lines.filter { $0.contains(#""verdict":"valid""#) }.map { $0.contains(#""file":"a""#) } == [true])
    }

    @Test func commandLineOverridesRules() throws {
        try write(
            #"{"validate": [{"files": ["*.json"], "schema": "gone.json", "from": "xml", "profile": "archive"}]}"#,
            to: ".savetool.json")
        try write(to: "a.json")
        try write("true", to: "anything")
        #expect(
            workspace.run(["validate"]).talk
                == ".savetool.json:1:47: /validate/0/schema: gone.json: no such file\n")
        let result = workspace.run(
            ["validate", "--schema", "anything", "--from", "json", "--profile", "json-save", "a.json"])
        #expect(result.talk == "1 file: 1 invalid; 1 error\n")
        #expect(result.output.hasPrefix("a.json:1:1: (root): error: found "))
    }
}
