import Foundation
import SaveCodec
import SaveInspection
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests folders, file lists, many files and terminal output of `validate`.
@Suite struct ValidateTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
    }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            at: workspace.folder.appending(path: name), withIntermediateDirectories: true)
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: workspace.folder.appending(path: name).path(percentEncoded: false), withDestinationPath: target)
    }

    /// Returns the names of the reported files, in order.
    private func names(_ arguments: [String], input: [UInt8] = []) -> [String] {
        let result = workspace.run(["validate", "-f", "ndjson"] + arguments, input: input)
        return result.output.split(separator: "\n").compactMap { line in
            let members = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return members?["type"] as? String == "file" ? members?["file"] as? String : nil
        }
    }

    // MARK: Schemas

    /// A schema root matches whole segments of a URI, and no file outside its folder is read.
    @Test(arguments: [
        ("http://h", "http://h/x", true), ("http://h/", "http://h/x", true), ("http://h/a", "http://h/a/../a/x", true),
        ("urn:h:", "urn:h:x", true), ("http://h", "http://h../x", false), ("http://h", "http://hx", false),
        ("http://h/a", "http://h/ax", false), ("urn:h:", "urn:h:../x", false), ("urn:h:", "urn:h:a/../../x", false),
        ("urn:h:", "urn:h:%2e%2e/x", false), ("http://h", "http://h/%2e%2e/x", false),
        ("http://h", "http://h/..%2fx", false), ("urn:h:a", "urn:h:a../x", false),
        ("urn:h:", #"urn:h:x\u0000.json"#, false),
    ]) func schemaRoots(_ root: String, _ uri: String, _ isFound: Bool) throws {
        try makeFolder("root")
        try workspace.write("{}", to: "root/x")
        try workspace.write(#"{"required": ["secret"]}"#, to: "x")
        try workspace.write(#"{"$ref": "\#(uri)"}"#, to: "refers.json")
        try workspace.write("{}", to: "a.json")
        let result = workspace.run(["validate", "--schema", "refers.json", "--schema-root", root + "=root", "a.json"])
        #expect(result.status == (isFound ? 0 : 2), "\(result)")
    }

    // MARK: Folders

    @Test func readsFoldersInByteOrder() throws {
        for name in ["saves/b", "saves/B", "saves/.git", "saves/ä"] { try makeFolder(name) }
        for name in [
            "a.plist", "Z.SAVE", "b/x.json", "b/.hidden.json", "B/y.xml", ".git/z.plist", "ä/ö.archive", "notes.txt",
            "ab.plist",
        ] { try workspace.write("[]", to: "saves/" + name) }
        try workspace.write("<plist><true/></plist>", to: "saves/B/y.xml")
        try workspace.write("<project/>", to: "saves/B/pom.xml")
        let wide =
            Data([0xFF, 0xFE]) + Data("<?xml version='1.0'?><plist><true/></plist>".utf16.flatMap { [UInt8($0), 0] })
        try wide.write(to: workspace.folder.appending(path: "saves/wide"))
        try workspace.write("<?xml version='1.0'?>\n<plist><true/></plist>", to: "saves/settings")
        try workspace.write("<html></html>", to: "saves/page")
        let expected = [
            "B/y.xml", "Z.SAVE", "a.plist", "ab.plist", "b/.hidden.json", "b/x.json", "settings", "wide",
            "ä/ö.archive",
        ]
        #expect(names(["saves"]) == expected.map { "saves/" + $0 })
        #expect(names(["saves/"]) == expected.map { "saves/" + $0 })
        #expect(names(["saves/b", "saves/a.plist"]) == ["saves/b/.hidden.json", "saves/b/x.json", "saves/a.plist"])
        #expect(names(["."]) == expected.map { "saves/" + $0 })
        // A named file is checked even if its extension is unknown.
        #expect(names(["saves/notes.txt", "saves/.git"]) == ["saves/notes.txt", "saves/.git/z.plist"])
    }

    /// A property list whose beginning is damaged or lost is checked under any name. Other files are not.
    @Test func checksDamagedFilesInFolder() throws {
        try makeFolder("saves")
        let save = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/swamp.save"))
        let files: [(name: String, bytes: [UInt8])] = [
            ("a.dat", [UInt8](repeating: 0, count: 40) + save[40...]), ("b.dat", Array(save[9...])),
            ("c.dat", Array("/><true/>\n</array>\n</plist>\n".utf8)),
            ("d.dat", [UInt8](repeating: 0, count: 200)), ("e.dat", Array(save[600...])), ("f.dat", [7] + save),
            ("g.dat", Array(save.reversed())), ("h.dat", []), ("i.dat", Array("</plist> is an end tag".utf8)),
        ]
        for file in files { try Data(file.bytes).write(to: workspace.folder.appending(path: "saves/" + file.name)) }
        #expect(names(["saves"]) == ["saves/a.dat", "saves/b.dat", "saves/c.dat"])
        #expect(workspace.run(["validate", "saves"]).status == 1)
    }

    /// Links to folders are not entered, but operands may be links.
    @Test func entersNoLinkInFolder() throws {
        try makeFolder("a/b")
        try workspace.write("[]", to: "a/b/x.plist")
        try link("a/b/up", to: "..")
        try link("a/again", to: "b")
        try link("a/nowhere", to: "gone")
        try link("a/y.plist", to: "b/x.plist")
        #expect(names(["a"]) == ["a/b/x.plist", "a/y.plist"])
        #expect(names(["a/again", "a/y.plist"]) == ["a/again/x.plist", "a/y.plist"])
        try link("a/z.plist", to: "gone")
        try workspace.write("[]", to: "a/x.plist~")
        let note = "savetool: skipped 1 link whose target does not exist\n"
        #expect(workspace.run(["validate", "a"]).talk == note + "2 files: 2 valid\n")
        for arguments in [
            ["inspect", "a"], ["diff", "a", "a/"], ["convert", "--to", "json", "-r", "-i", "a"],
            ["find", "-l", "x", "a"],
        ] {
            #expect(workspace.run(arguments).talk.contains(note), "\(arguments)")
        }
    }

    /// A filter changes the first bytes of files, so its output shows which files in a folder are saves.
    @Test(arguments: [
        ["validate"], ["find", "key"], ["inspect"], ["roundtrip"], ["get", "--at", "/key"], ["schema", "infer"],
        ["convert", "-r", "--to", "json", "--output-dir", "out"],
    ]) func readsFilteredFilesInFolder(_ arguments: [String]) throws {
        try makeFolder("a")
        let save = "XX<plist><dict><key>key</key><integer>1</integer></dict></plist><!-- signed -->"
        for name in ["a/b.signed", "a/.hidden"] { try workspace.write(save, to: name) }
        for name in ["a/LICENSE", "a/x"] { try workspace.write(name == "a/x" ? "x" : "XXhello", to: name) }
        let filtered = workspace.run(arguments + ["a", "--filter-in", "tail -c +3"])
        #expect(filtered.status == 0, "\(filtered)")
        let result = workspace.run(arguments + ["a"])
        #expect(result.status == 2)
        #expect(result.talk.contains("savetool: nothing to "))
    }

    /// A file that is no save after the filter is not replaced.
    @Test func convertsNoOtherFileInFolder() throws {
        try makeFolder("a")
        let files = ["LICENSE": "hello\n", "config.ini": "key = value;\n", "save": "<plist><true/></plist>"]
        for (name, text) in files { try workspace.write(text, to: "a/" + name) }
        let result = workspace.run(
            ["convert", "-i", "-r", "--to", "json", "a", "--filter-in", "cat", "--filter-out", "cat"])
        #expect(result.status == 0, "\(result)")
        #expect(try workspace.text(of: "a/LICENSE") == "hello\n")
        #expect(try workspace.text(of: "a/config.ini") == "key = value;\n")
        #expect(try workspace.text(of: "a/save") == "true\n")
    }

    /// A link to a file outside the folder is not read. It is reported if its name is that of a save.
    @Test func readsNoLinkOutOfFolder() throws {
        for name in ["a/b", "ab"] { try makeFolder(name) }
        for name in ["ab/x.plist", "a/b/x.plist"] { try workspace.write("[]", to: name) }
        try workspace.write("<plist><true/></plist>", to: "ab/settings")
        try link("a/b/folder", to: "../../ab")
        try link("a/b/root", to: "/")
        try link("a/b/settings", to: "../../ab/settings")
        #expect(names(["a"]) == ["a/b/x.plist"])
        try link("a/b/y.plist", to: "../../ab/x.plist")
        let reason = "not read, because this symbolic link leads out of the folder; name the file to read it"
        let summary = "2 files: 1 valid, 1 unchecked; 1 error"
        #expect(workspace.run(["validate", "a"]).talk == "a/b/y.plist: \(reason)\n\(summary)\n")
        #expect(workspace.run(["validate", "a/b/y.plist"]).status == 0)
        try link("c", to: ".")
        let inside = ["a/b/settings", "a/b/x.plist", "a/b/y.plist", "ab/settings", "ab/x.plist"]
        #expect(names(["c"]) == inside.map { "c/" + $0 })
    }

    /// A conversion in place writes through no link that was found in a folder, only through a named one.
    @Test func convertsNothingThroughLinks() throws {
        for name in ["a", "b"] { try makeFolder(name) }
        for name in ["a/x.json", "b/x.json", "b/y.data"] { try workspace.write("[]", to: name) }
        try link("a/folder", to: "../b")
        try link("a/y.json", to: "../b/x.json")
        try link("a/z.json", to: "x.json")
        #expect(workspace.run(["convert", "--to", "xml", "-i", "-r", "a"]).status == 2)
        #expect(try workspace.text(of: "b/x.json") == "[]")
        #expect(try workspace.text(of: "a/x.json").hasPrefix("<?xml"))
        try link("b/y.json", to: "y.data")
        #expect(workspace.run(["convert", "--to", "xml", "-i", "-r", "b"]).status == 0)
        #expect(try workspace.text(of: "b/y.data") == "[]")
        #expect(workspace.run(["convert", "--to", "xml", "-i", "-r", "a/y.json", "b/y.json"]).status == 0)
        #expect(try workspace.text(of: "b/y.data").hasPrefix("<?xml"))
    }

    @Test func reportsUnreadableFiles() throws {
        try makeFolder("a")
        try workspace.write("[]", to: "a/b.plist")
        try link("a/self", to: "self")
        let result = workspace.run(["validate", "a"])
        #expect(
            result.talk
                == "a/self: the symbolic links form a loop\n2 files: 1 valid, 1 unchecked; 1 error\n")
        #expect(result.status == 2)
    }

    @Test func reportsFileThatIsTooLarge() throws {
        try workspace.write("[]", to: "a.plist")
        try workspace.write("[]", to: "b.plist")
        let file = try FileHandle(forWritingTo: workspace.folder.appending(path: "a.plist"))
        try file.truncate(atOffset: 1 << 40)
        try file.close()
        let result = workspace.run(["validate", "."])
        #expect(
            result.talk == """
                a.plist: too large; the limit is 2 GiB for a file, 1 GiB for a pipe and 64 MiB for a device
                2 files: 1 valid, 1 unchecked; 1 error

                """)
    }

    @Test func skipsPipesInFolders() throws {
        try makeFolder("a")
        let pipe = workspace.folder.appending(path: "a/pipe.plist").path(percentEncoded: false)
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        try workspace.write("[]", to: "a/x.plist")
        #expect(names(["a"]) == ["a/x.plist"])
    }

    /// A file that another file names must not make the tool wait.
    @Test func refusesPipesThatProjectNames() throws {
        let pipe = workspace.folder.appending(path: "schema.json").path(percentEncoded: false)
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        try workspace.write("[]", to: "x.json")
        try workspace.write(
            #"{"validate": [{"files": ["x.json"], "schema": "schema.json"}], "migrate": ["schema.json"]}"#,
            to: ".savetool.json")
        let validation = workspace.run(["validate"])
        #expect(validation.status == 2)
        #expect(validation.talk.contains("this is a pipe or device; expected a regular file"), "\(validation)")
        let migration = workspace.run(["migrate", ".savetool.json", "x.json"])
        #expect(migration.status == 2)
        #expect(migration.talk.contains("this is a pipe or device; expected a regular file"), "\(migration)")
        try FileManager.default.removeItem(at: workspace.folder.appending(path: ".savetool.json"))
        try FileManager.default.moveItem(
            at: workspace.folder.appending(path: "schema.json"),
            to: workspace.folder.appending(path: ".savetool.json"))
        let search = workspace.run(["validate"])
        #expect(search.status == 2)
        #expect(search.talk.contains("this is a pipe or device; expected a regular file"), "\(search)")
    }

    @Test(.enabled(if: geteuid() != 0))
    func reportsUnreadableFolder() throws {
        try makeFolder("a/locked")
        let folder = workspace.folder.appending(path: "a/locked").path(percentEncoded: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: folder)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder) }
        let result = workspace.run(["validate", "a"])
        #expect(result.talk == "a/locked: permission denied\n1 file: 1 unchecked; 1 error\n")
        #expect(result.status == 2)
    }

    // MARK: Lists

    @Test func readsFilesAndFoldersFromList() throws {
        try makeFolder("a")
        for name in ["a/x.plist", "b c.plist", "d\ne.plist"] { try workspace.write("[]", to: name) }
        #expect(names(["--files-from", "-"], input: Array("a\n\nb c.plist\n".utf8)) == ["a/x.plist", "b c.plist"])
        #expect(
            names(["--files-from", "-", "-0"], input: Array("d\ne.plist\0a\0".utf8)) == ["d\ne.plist", "a/x.plist"])
        #expect(
            names(["--files-from", "-"], input: Array("a\r\n\r\nb c.plist".utf8)) == ["a/x.plist", "b c.plist"])
        #expect(workspace.run(["validate", "--files-from", "-"], input: Array("-\n".utf8)).status == 2)
    }

    static let badLists: [(list: [UInt8], talk: String)] = [
        (
            Array("a.json\0b\n".utf8),
            "savetool: --files-from is '-'; expected lines without zero bytes; use --null if zero bytes end the names\n"
        ),
        (
            Array("a.json\ncaf".utf8) + [0xE9],
            "caf\\xE9: no such file\n2 files: 1 valid, 1 unchecked; 1 error\n"
        ),
        (Array("a.json\n\r\r\n".utf8), "\\r: no such file\n2 files: 1 valid, 1 unchecked; 1 error\n"),
    ]

    @Test(arguments: badLists) func rejectsInvalidNamesInList(list: [UInt8], talk: String) throws {
        try workspace.write("[]", to: "a.json")
        let result = workspace.run(["validate", "--files-from", "-"], input: list)
        #expect(result == Workspace.Result(status: 2, output: "", talk: talk))
    }

    // MARK: Many files

    @Test func reportsManyFilesInOrder() throws {
        try makeFolder("many")
        let texts = ["[1]", "[1", #"{"a": 1, "a": 2}"#, "<plist><real>1e999</real></plist>", ""]
        let count = TestScale.count(500, long: 10_000)
        let files = (0..<count).map { InputFile(name: "many/\(100_000 + $0).json") }
        for (number, file) in files.enumerated() { try workspace.write(texts[number % texts.count], to: file.name) }
        #expect(names(["many"]) == files.map(\.name))

        let check = FileCheck(
            options: CheckOptionsByRule(
                basic: CheckOptions(
                    validation: Validation(),
                    failurePolicy: FailurePolicy(
                        isStrict: false, expectsInvalid: false, isQuiet: false, limit: nil))),
            files: ParallelFiles(folder: workspace.folder.path(percentEncoded: false), input: []))
        let one = check.verdicts(on: files[...], workers: 1).map { $0?.findings }
        let eight = check.verdicts(on: files[...], workers: 8).map { $0?.findings }
        #expect(one == eight)
        #expect(one.count { $0?.isEmpty == true } == count / 5)
    }

    // MARK: Reports in files

    @Test func writesSeveralReports() throws {
        try workspace.write("[1", to: "a.json")
        try workspace.write(#"{"a": 1, "a": 2}"#, to: "b.json")
        let files = ReportFormat.allCases.map { ($0.rawValue, "report.\($0.rawValue)") }
        let result = workspace.run(
            ["validate", "a.json", "b.json"] + files.flatMap { ["--report", "\($0.0)=\($0.1)"] })
        #expect(result.status == 1)
        for (format, file) in files {
            let alone = workspace.run(["validate", "a.json", "b.json", "-f", format])
            #expect(try workspace.bytes(of: file) == Array(alone.output.utf8), "\(format)")
        }
    }

    /// A report for people has no infos without --verbose, whatever the report beside it has.
    @Test func eachReportHasItsInfos() throws {
        let archive = TestFiles.fixtures.appending(path: "archives-tricky").path(percentEncoded: false)
        let infos = { (arguments: [String]) in
            _ = workspace.run(["validate", archive, "--report", "text=t", "--report", "json=j"] + arguments)
            return try ["t", "j"].map { String(decoding: try workspace.bytes(of: $0), as: UTF8.self) }
                .map { $0.contains(": info: ") || $0.contains(#""severity":"info""#) }
        }
        #expect(try infos([]) == [false, true])
        #expect(try infos(["-v"]) == [true, true])
        #expect(try infos(["-f", "json"]) == [false, true])
    }

    /// A report of the run before is no save of the next run, but no report replaces a file that is to be checked.
    @Test func reportsOverwriteNoCheckedFile() throws {
        try makeFolder("saves")
        try workspace.write("[1]", to: "saves/a.json")
        for _ in 0..<2 {
            let result = workspace.run(["validate", "saves", "--report", "json=saves/report.json"])
            #expect(result.talk == "1 file: 1 valid\n")
        }
        let result = workspace.run(["validate", "saves/a.json", "--report", "text=saves/a.json"])
        #expect(result.status == 2)
        #expect(result.talk == "savetool: a report would overwrite 'saves/a.json', which is to be checked\n")
        #expect(try workspace.bytes(of: "saves/a.json") == Array("[1]".utf8))
        #expect(workspace.run(["validate", "saves", "--report", "text=t", "--report", "json=t"]).status == 2)
    }

    /// A schema that only the reference of another one reaches is not replaced either.
    @Test func reportsOverwriteNoReferencedSchema() throws {
        try makeFolder("schemas")
        try workspace.write(#"{"$ref": "https://example.com/b.json"}"#, to: "a.json")
        try workspace.write(#"{"type": "object"}"#, to: "schemas/b.json")
        try workspace.write("{}", to: "save.json")
        let check = ["validate", "--schema", "a.json", "--schema-root", "https://example.com/=schemas", "save.json"]
        #expect(workspace.run(check + ["--report", "json=schemas/report.json"]).status == 0)
        let result = workspace.run(check + ["--report", "json=schemas/b.json"])
        #expect(result.talk == "savetool: a report would overwrite 'schemas/b.json', which this run reads\n")
        #expect(try workspace.bytes(of: "schemas/b.json") == Array(#"{"type": "object"}"#.utf8))
    }

    @Test(arguments: [
        ("junit", "--report is 'junit'; expected a format and a file, such as junit=report.xml"),
        ("junit=", "--report is 'junit='; expected a format and a file, such as junit=report.xml"),
        ("junit=-", "--report is 'junit=-'; expected a format and a file, such as junit=report.xml"),
        ("juni=a", "did you mean junit?"), ("text=gone/a", "gone/a: no such folder"), ("text=.", ".: this is a folder"),
    ])
    func refusesReport(value: String, message: String) throws {
        try workspace.write("[1]", to: "a.json")
        let result = workspace.run(["validate", "a.json", "--report", value])
        #expect(result.status == 2)
        #expect(result.talk.contains(message), "\(result.talk)")
    }

    /// The status and the reports must not depend on a reader such as `head`, which closes the pipe.
    @Test(arguments: [
        ["validate", "a.json", "--report", "junit=a.xml"], ["roundtrip", "--bytes", "b.json"],
        ["diff", "b.json", "c.json"],
    ])
    func goesOnAtClosedPipe(_ arguments: [String]) throws {
        try workspace.write("[1", to: "a.json")
        try workspace.write("[1]  ", to: "b.json")
        try workspace.write("[2]", to: "c.json")
        let talk = Collector()
        let status = workspace.run(arguments, output: OutputChannel { _ in throw ClosedPipe() }, talk: talk.channel())
        #expect(status == 1, "\(talk.text)")
        if arguments[0] == "validate" { #expect(try workspace.text(of: "a.xml").contains("<failure")) }
    }

    // MARK: Nested saves

    /// A nested save that is written as JSON in place of data has lines and columns instead of byte offsets.
    @Test func findingsInTextHaveLineAndColumn() throws {
        try workspace.write(
            """
            {"a": {"$bplist": {"$archiver": "NSKeyedArchiver",
              "$top": {"root": {"$class": "NSMutableArray", "$elements": [
                {"$class": "NSDate", "NS.time": "x"},
                {"in": {"$xplist": {"x": 1, "y": [null]}}}]}}}},
             "b": [{"$bplist": {"$archiver": "NSKeyedArchiver",
               "$top": {"other": {"$class": "NSDate", "NS.time": "y"}}}}],
             "c": {"$data": "YnBsaXN0MDDSAQIDBFRnZW1zVmxldmVscxAHogUGVVN3YW1wVUNyeQ=="}}
            """, to: "a.json")
        let result = workspace.run(["validate", "a.json"])
        #expect(
            result.output == """
                a.json:4:39: /a/root/1/in/y/0: error: XML has no null; it would become the string "$null" [loss.null]
                a.json:3:37: /a/root/0/NS.time: error: NS.time of NSDate is a UID; expected a real [archive.field-kind]
                a.json:7:7: /c/~^: error: truncated: the file has 40 bytes; the shortest binary property list has 42; byte 0x28 of the nested save [binary.length]
                a.json:6:54: /b/0/other/NS.time: error: NS.time of NSDate is a UID; expected a real [archive.field-kind]

                """)
    }

    // MARK: Selection of findings

    /// The number of reported findings for a file with two warnings, and the line that counts the rest.
    @Test(arguments: [
        ([], 0, 0, "2 more findings"), ([], 1, 1, "1 more finding"), ([], 2, 2, ""), ([], 3, 2, ""),
        (["--strict"], 0, 1, "1 more finding"), (["--strict", "--expect-invalid"], 0, 0, "2 more findings"),
        (["--expect-invalid"], 0, 1, "2 more findings"), (["--expect-invalid", "--quiet"], 0, 1, ""),
    ])
    func enforcesLimits(options: [String], limit: Int, told: Int, rest: String) throws {
        try workspace.write(#"[{"a": 1, "a": 2}, {"b": 1, "b": 2}]"#, to: "a.json")
        let result = workspace.run(["validate", "--max-findings", "\(limit)", "a.json"] + options)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count { $0.hasSuffix("]") } == told)
        #expect(lines.filter { $0.hasPrefix("a.json: … and ") } == (rest.isEmpty ? [] : ["a.json: … and \(rest)"]))
        #expect(result.output.contains("[validate.valid]") == (options.first == "--expect-invalid"))
    }

    @Test func reportsWorstFindings() {
        let problems = ["a", "b", "c", "d"].enumerated().map { position, id in
            Finding(.init(id, "", severity: [.info, .error, .warning, .error][position]))
        }
        let told = (0...4).map { limit in
            FailurePolicy(isStrict: false, expectsInvalid: false, isQuiet: false, limit: limit)
                .mostSevere(limit, of: problems).map(\.problem.id).joined()
        }
        #expect(told == ["", "b", "bd", "bcd", "abcd"])
    }
}
