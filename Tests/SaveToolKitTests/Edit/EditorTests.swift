import Foundation
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests `savetool edit` with shell scripts as editors.
@Suite struct EditorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// The script that edits the text, whose path is `$1`.
        let script: String
        var arguments: [String] = []
        var status: Int32 = 0
        var output = ""
        /// The expected messages, with TEXT for the path of the edited text.
        var talk = ""
        /// The level's name in the file afterwards.
        var level = "Swamp"
        var isTextKept = false
        /// Whether standard input is a terminal.
        var typed = true
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "changed", script: #"sed -i.bak s/Swamp/Moor/ "$1""#,
            talk: "~ /root/currentLevelName: \"Swamp\" → \"Moor\"\n", level: "Moor"),
        Case(name: "unchanged", script: "true", talk: "swamp.save: the text is unchanged; nothing is written\n"),
        Case(name: "emptied", script: #": > "$1""#, talk: "swamp.save: the text is empty; nothing is written\n"),
        Case(
            name: "same values", script: #"sed -i.bak 's/^  *//' "$1""#,
            talk: "swamp.save: the values are the same as before; nothing is written\n"),
        Case(
            name: "failed", script: "exit 3", status: 2,
            talk: "swamp.save: the editor exited with status 3; nothing is written\n"),
        Case(
            name: "killed", script: "kill -9 $$", status: 2,
            talk: "swamp.save: the editor exited with status 137; nothing is written\n"),
        Case(
            name: "failed after saving", script: #"sed -i.bak s/Swamp/Moor/ "$1"; exit 3"#, status: 2,
            talk: "swamp.save: the editor exited with status 3; nothing is written\n"
                + "swamp.save: the edited text is kept in TEXT\n", isTextKept: true),
        Case(
            name: "killed after saving", script: #"sed -i.bak s/Swamp/Moor/ "$1"; kill -9 $$"#, status: 2,
            talk: "swamp.save: the editor exited with status 137; nothing is written\n"
                + "swamp.save: the edited text is kept in TEXT\n", isTextKept: true),
        Case(
            name: "failed, text gone", script: #"rm "$1"; exit 3"#, status: 2,
            talk: "swamp.save: the editor exited with status 3; nothing is written\n"),
        Case(
            name: "dry run", script: #"sed -i.bak s/Swamp/Moor/ "$1""#, arguments: ["--dry-run"],
            output: "~ /root/currentLevelName: \"Swamp\" → \"Moor\"\n"),
        Case(
            name: "corrected",
            script:
                #"if head -1 "$1" | grep -q '^// swamp.save.json:[0-9]*:27: found "oops"'; then sed -i.bak s/oops/\"Moor\"/ "$1"; else sed -i.bak s/\"Swamp\"/oops/ "$1"; fi"#,
            talk: "~ /root/currentLevelName: \"Swamp\" → \"Moor\"\n", level: "Moor"),
        Case(
            name: "not corrected", script: #"grep -v '^//' "$1" | sed s/\"Swamp\"/oops/ > "$1.new"; mv "$1.new" "$1""#,
            status: 2,
            talk: "TEXT:12:27: found \"oops\"; expected a value\nswamp.save: the edited text is kept in TEXT\n",
            isTextKept: true),
        // The script breaks the text again in each run. Without a terminal it runs once.
        Case(
            name: "script that breaks the text", script: #"sed -i.bak '1,/{/s/{/{{/' "$1"; echo ran >> runs"#,
            status: 2,
            talk: "TEXT:1:2: found an object; expected a name in quotation marks\n"
                + "swamp.save: the edited text is kept in TEXT\n", isTextKept: true, typed: false),
        Case(
            name: "no graph", script: #"echo '{"a": 1}' > "$1""#, status: 2,
            talk: "TEXT: the text is not graph JSON; keep its members $archiver and $top\n"
                + "swamp.save: the edited text is kept in TEXT\n", isTextKept: true),
        Case(
            name: "changed meanwhile",
            script: #"sed -i.bak s/Swamp/Moor/ "$1"; printf x >> swamp.save"#, status: 2,
            talk: "swamp.save: changed meanwhile by another program; nothing written\n"
                + "swamp.save: the edited text is kept in TEXT\n", isTextKept: true),
    ]

    @Test(arguments: cases) func edited(_ row: Case) throws {
        let workspace = try Workspace()
        let fixture = TestFiles.fixtures.appending(path: "games/swamp.save")
        try FileManager.default.copyItem(at: fixture, to: workspace.current.appending(path: "swamp.save"))
        let folder = workspace.current.path(percentEncoded: false)
        try workspace.write("cd '\(folder)'\n" + row.script + "\n", to: "editor.sh")
        try FileManager.default.createDirectory(
            at: workspace.current.appending(path: "tmp"), withIntermediateDirectories: false)
        let result = workspace.run(
            ["edit", "swamp.save"] + row.arguments, typed: row.typed,
            environment: ["EDITOR": "sh '\(folder)/editor.sh'", "TMPDIR": folder + "/tmp"])
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp")
        #expect(kept.count == (row.isTextKept ? 1 : 0))
        let text = kept.first.map { folder + "/tmp/\($0)/swamp.save.json" } ?? ""
        let talk = row.talk.replacingOccurrences(of: "TEXT", with: text)
        #expect(result == Workspace.Result(status: row.status, output: row.output, talk: talk))
        if !row.typed { #expect(try workspace.text(of: "runs") == "ran\n") }
        guard row.name != "changed meanwhile" else { return }
        #expect(workspace.run(["get", "swamp.save", "/root/currentLevelName"]).output == row.level + "\n")
    }

    /// Attributed strings appear with their runs, as in all views.
    @Test(arguments: [
        // The runs follow the text.
        ("s/stranger/friend/", "/root/line/text", "Welcome to the Swamp 🐸, friend."),
        ("s/stranger/friend/", "/root/line/runs/2/range/length", "9"),
        (#"s/"green"/"red"/"#, "/root/line/runs/1/attributes/Color", "red"),
        // A run of 15 units becomes one of 10 and another.
        (
            #"s/"length": 15}/"length": 10}/; s/"location": 15, "length": 8/"location": 10, "length": 13/"#,
            "/root/line/runs/1/range/location", "10"
        ),
        // A change outside the roots makes the text count as a whole.
        (#"s/"NSKeyedArchiver"/"CustomArchiver"/; s/"green"/"red"/"#, "/root/line/runs/1/attributes/Color", "red"),
    ]) func editsRuns(_ script: String, _ address: String, _ value: String) throws {
        let workspace = try Workspace(fixtures: ["attributed"])
        let folder = workspace.current.path(percentEncoded: false)
        let file = "Fixtures/attributed/dialogue.save"
        let before = workspace.run(["inspect", "-f", "flat", file]).output
        try workspace.write("cp \"$1\" '\(folder)/text'; sed -i.bak '\(script)' \"$1\"\n", to: "editor.sh")
        let run = workspace.run(["edit", file], environment: ["EDITOR": "sh '\(folder)/editor.sh'", "TMPDIR": folder])
        #expect(run.status == 0, "\(run)")
        #expect(run.talk.contains("the runs follow the new text") == script.contains("stranger"), "\(run)")
        let text = try workspace.text(of: "text")
        #expect(text.contains(#""range": {"location": 15, "length": 8},"#), "\(text)")
        for name in ["NSAttributeInfo", "NSAttributes", "$inline", "$unreferenced"] { #expect(!text.contains(name)) }
        #expect(workspace.run(["get", file, address]).output == value + "\n")
        #expect(workspace.run(["validate", "--strict", file]).output == "")
        let after = workspace.run(["inspect", "-f", "flat", file]).output
        #expect(before.split(separator: "\n").count == after.split(separator: "\n").count)
        #expect(workspace.run(["inspect", "-f", "flat", "--raw", file]).output.contains("NSAttributeInfo"))
    }

    @Test func refusesRunsThatDoNotCoverText() throws {
        let workspace = try Workspace(fixtures: ["attributed"])
        let folder = workspace.current.path(percentEncoded: false)
        let file = "Fixtures/attributed/dialogue.save"
        let before = try workspace.bytes(of: file)
        let run = workspace.run(
            ["edit", file],
            environment: ["EDITOR": #"sed -i.bak 's/"length": 15}/"length": 14}/'"#, "TMPDIR": folder])
        #expect(run.status == 2 && run.talk.contains("run 1 begins at 15; expected 14"), "\(run)")
        #expect(try workspace.bytes(of: file) == before)
    }

    /// The tool does not wait for a pipe that the editor left.
    @Test func refusesPipeInPlaceOfText() throws {
        let workspace = try Workspace()
        try workspace.write(#"{"a":1}"#, to: "a.json")
        try workspace.write("rm \"$1\"\nmkfifo \"$1\"\n", to: "editor.sh")
        let folder = workspace.current.path(percentEncoded: false)
        let result = workspace.run(
            ["edit", "a.json"], environment: ["EDITOR": "sh '\(folder)/editor.sh'", "TMPDIR": folder])
        #expect(result.status == 2)
        #expect(result.talk.hasSuffix(": this is a pipe or device; expected a regular file\n"), "\(result)")
    }

    @Test func textIsPrivateAndVisualTakesPrecedence() throws {
        let workspace = try Workspace()
        try workspace.write(#"{"a":1}"#, to: "a.json")
        let folder = workspace.current.path(percentEncoded: false)
        try workspace.write(
            "ls -ld \"$1\" \"$(dirname \"$1\")\" | cut -c1-10 > '\(folder)/modes'; basename \"$1\" >> '\(folder)/modes'",
            to: "editor.sh")
        let result = workspace.run(
            ["edit", "a.json"],
            environment: ["VISUAL": "sh '\(folder)/editor.sh'", "EDITOR": "false", "TMPDIR": folder])
        #expect(result.status == 0)
        #expect(try workspace.text(of: "modes") == "drwx------\n-rw-------\na.json.json\n")
    }

    /// The temporary text has a longer name than the file, and an editor's backup of it a longer one still. Both must
    /// fit into the system's limit.
    @Test(arguments: ["x", "é", "\u{10FFE9}"]) func acceptsLongestFileName(_ character: String) throws {
        let workspace = try Workspace()
        let width = FileName.bytes(character).count
        let name = String(repeating: character, count: 255 / width)
        let replacement = workspace.run(["convert", "--to", "json", "-", "-o", name], input: Array(#"{"a":1}"#.utf8))
        #expect(replacement.status == 0)
        let folder = workspace.current.path(percentEncoded: false)
        let result = workspace.run(
            ["edit", name], environment: ["EDITOR": "sed -i.bak s/1/2/", "TMPDIR": folder])
        #expect(result == Workspace.Result(status: 0, output: "", talk: "~ /a: 1 → 2\n"))
        #expect(workspace.run(["get", name, "/a"]).output == "2\n")
        #expect(workspace.names.count == 1)
    }

    @Test func keepsOtherBytes() throws {
        let workspace = try Workspace(fixtures: ["games"])
        let file = "Fixtures/games/swamp.save"
        let before = try workspace.bytes(of: file)
        let folder = workspace.current.path(percentEncoded: false)
        let result = workspace.run(
            ["edit", file], environment: ["EDITOR": "sed -i.bak s/55/56/", "TMPDIR": folder])
        #expect(result == Workspace.Result(status: 0, output: "", talk: "~ /root/charList/1/health: 55 → 56\n"))
        let after = try workspace.bytes(of: file)
        #expect(before.count == after.count)
        #expect(zip(before, after).filter { $0 != $1 }.count == 1)
    }

    @Test func rejectsStandardInput() throws {
        let result = try Workspace().run(["edit", "-"])
        #expect(result.talk == "savetool: FILE is '-'; expected a file to be edited in place\n")
        #expect(result.status == 2)
    }
}
