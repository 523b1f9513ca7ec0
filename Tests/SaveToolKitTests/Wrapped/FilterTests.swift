import Foundation
import TestSupport
import Testing

/// Tests programs of the user that decode and encode files.
@Suite struct FilterTests {
    private static let swap = "tr a-z n-za-m"

    private func workspace(_ files: KeyValuePairs<String, String>) throws -> Workspace {
        let workspace = try Workspace()
        for (name, text) in files { try workspace.write(text, to: name) }
        return workspace
    }

    /// Commands that read the file "a" through a filter, and their output.
    static let reading: [(command: String, output: String)] = [
        ("inspect a", "JSON, dictionary with 1 key, 12 bytes\n└─ gems: 7\n"), ("get a /gems", "7\n"),
        ("find --key gems a", "/gems = 7\n"),
        ("get --at /gems a", "file  /gems\na     7\n"), ("diff a b", "~ /gems: 7 → 8\n"),
        ("convert --to json --compact a", "{\"gems\":7}\n"),
        ("roundtrip a", "a: same values; the bytes differ starting at 0x1\n"),
        ("inspect -f ndjson a", "{\"file\":\"a\",\"format\":\"json\",\"archive\":false,\"size\":12}\n"),
        ("validate a", ""),
    ]

    @Test(arguments: reading.indices)
    func readsThroughFilter(_ row: Int) throws {
        let (command, output) = Self.reading[row]
        let workspace = try workspace(["a": #"{"trzf": 7}"# + "\n", "b": #"{"trzf": 8}"# + "\n"])
        let run = workspace.run(command.split(separator: " ").map(String.init) + ["--filter-in", Self.swap])
        #expect(run.output == output)
        #expect(run.status == (command.hasPrefix("diff") ? 1 : 0), "\(run)")
    }

    @Test func writesThroughFilter() throws {
        let workspace = try workspace(["a": #"{"trzf": 7}"#])
        let filters = ["--filter-in", Self.swap, "--filter-out", Self.swap]
        #expect(workspace.run(["set", "-i", "a", "/gems", "8"] + filters).status == 0)
        #expect(try workspace.text(of: "a") == #"{"trzf": 8}"#)
        #expect(workspace.run(["set", "a", "/gems", "9"] + filters).output == #"{"trzf": 9}"#)
        #expect(workspace.run(["set", "-n", "a", "/gems", "9", "--filter-in", Self.swap]).output == "~ /gems: 8 → 9\n")
        let convert = workspace.run(["convert", "--to", "json", "--compact", "a", "--filter-in", Self.swap])
        #expect(convert.output == "{\"gems\":8}\n")
    }

    /// A file whose content does not change keeps its bytes, even if the filter would write others.
    @Test func keepsUnchangedFile() throws {
        let workspace = try workspace(["a": #"{"gems": 7}"#])
        let filters = ["--filter-in", "cat", "--filter-out", "echo new"]
        #expect(workspace.run(["set", "-i", "a", "/gems", "7"] + filters).status == 0)
        #expect(try workspace.text(of: "a") == #"{"gems": 7}"#)
    }

    /// Even without a change, the result passes through the filter if it is written to another file, or if only one of
    /// the two filters is given.
    @Test func runsFilterEvenIfNothingIsWritten() throws {
        for value in ["7", "8"] {
            let workspace = try workspace(["a": #"{"gems": 7}"#])
            let filter = ["--filter-out", "sed s/gems/coins/"]
            #expect(workspace.run(["set", "-o", "b", "a", "/gems", value] + filter).status == 0)
            #expect(try workspace.text(of: "b") == #"{"coins": \#(value)}"#)
            let both = filter + ["--filter-in", "cat"]
            #expect(workspace.run(["set", "-o", "c", "a", "/gems", value] + both).status == 0)
            #expect(try workspace.text(of: "c") == #"{"coins": \#(value)}"#)
            #expect(workspace.run(["set", "-i", "a", "/gems", value] + filter).status == 0)
            #expect(try workspace.text(of: "a") == #"{"coins": \#(value)}"#)
        }
    }

    /// If a program fails, the file stays as it is.
    @Test(arguments: [
        ("false", "cat", "a: the --filter-in command exited with status 1\n"),
        ("kill -9 $$", "cat", "a: the --filter-in command was killed by signal 9\n"),
        ("cat", "cat >/dev/null; exit 7", "a: the --filter-out command exited with status 7\n"),
        ("cat", "false | cat", "a: the --filter-out command exited with status 0 but wrote nothing\n"),
    ])
    func reportsFailures(_ reading: String, _ writing: String, _ message: String) throws {
        let workspace = try workspace(["a": #"{"gems": 7}"#])
        let run = workspace.run(["set", "-i", "a", "/gems", "8", "--filter-in", reading, "--filter-out", writing])
        #expect(run == Workspace.Result(status: 2, output: "", talk: message))
        #expect(try workspace.text(of: "a") == #"{"gems": 7}"#)
        #expect(workspace.names == ["a"])
    }

    /// Programs may read late, only partly or not at all, and may write before they read. Neither side may wait for the
    /// other forever.
    @Test(arguments: [
        "cat", "sleep 0.2; cat", "head -c 30000000", "cat; exec sleep 0.1", "exec <&-; printf '\"x\"'",
        "exec 3<&0; cat <&3",
        "head -c 300000 /dev/zero | tr '\\0' ' '; cat",
    ])
    func filtersLargeFiles(_ command: String) throws {
        let workspace = try Workspace()
        let text = "\"" + String(repeating: "x", count: TestScale.count(1_000_000, long: 3_000_000)) + "\""
        try workspace.write(text, to: "a")
        let run = workspace.run(["inspect", "--from", "json", "-f", "json", "a", "--filter-in", command])
        #expect(run.status == 0, "\(run.talk.prefix(200))")
        #expect(run.output.utf8.count == (command.hasPrefix("exec <") ? 4 : text.utf8.count + 1))
    }

    @Test func limitsOutputOfFilter() throws {
        let workspace = try workspace(["a": #"{"gems": 7}"#])
        let run = workspace.run(["inspect", "a", "--filter-in", "yes"])
        let message = "a: the output of the --filter-in command exceeds the limit for this file, 64 MiB\n"
        #expect(run.status == 2)
        #expect(run.talk.hasPrefix(message))
    }

    @Test func filtersManyFilesConcurrently() throws {
        let workspace = try Workspace()
        for number in 0..<40 { try workspace.write("{\"trzf\": \(number)}", to: "\(number).json") }
        let run = workspace.run(["get", "--at", "/gems", "-f", "ndjson", ".", "--filter-in", Self.swap])
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").count == 40)
        #expect(workspace.run(["validate", ".", "--filter-in", Self.swap]).status == 0)
    }

    /// If the filter fails, a file is neither valid nor invalid, but unchecked.
    @Test func filesThatCannotBeFilteredAreUnchecked() throws {
        let workspace = try workspace(["a": #"{"gems": 7}"#])
        let run = workspace.run(["validate", "a", "--filter-in", "exit 3"])
        #expect(run.status == 2)
        #expect(
            run.talk == "a: the --filter-in command exited with status 3\n1 file: 1 unchecked; 1 error\n")
    }

    /// Filters come from the command line only: `--git` refuses them, and completion does not run them.
    @Test func gitAndCompletionRunNoFilter() throws {
        let workspace = try workspace(["a": #"{"gems": 7}"#])
        for command in ["textconv a", "git-setup x", "patch a a --filter-in touch"] {
            let words = command.split(separator: " ").map(String.init) + ["--filter-in", "touch ran"]
            #expect(workspace.run(words).status == 2, "\(command)")
        }
        for command in ["merge --git a a a a", "diff --git a a 1 100644 a 2 100644"] {
            let words = command.split(separator: " ").map(String.init) + ["--filter-in", "touch ran"]
            let run = workspace.run(words)
            #expect(run.status == 2)
            #expect(run.talk == "savetool: --git cannot be used with --filter-in\n")
        }
        _ = workspace.run(["__complete", "bash", "savetool", "get", "--filter-in", "touch ran", "a", "/"])
        #expect(workspace.names == ["a"])
    }
}
