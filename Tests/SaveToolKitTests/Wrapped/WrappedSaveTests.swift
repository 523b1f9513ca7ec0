import Foundation
import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Tests that every command decodes the layers of a file, and that edits encode them again.
@Suite struct WrappedSaveTests {
    /// A fixture with layers, and the layers to wrap other contents.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let options: [String]
        let layers: Layers

        init(_ name: String, _ options: [String] = []) {
            testDescription = name
            self.options = options
            let file = (try? TestFiles.bytes(TestFiles.fixtures.appending(path: "wrapped/\(name)"))) ?? []
            layers = (try? Layers.unwrap(file, decodes: true).layers) ?? Layers()
        }
    }

    static let kinds = [
        Kind("swamp.save.gz"), Kind("preferences.plist.z"), Kind("CCLocalLevels.dat", ["--unwrap"]),
        Kind("grabthar.b64", ["--unwrap"]),
    ]

    private static func contents(_ workspace: Workspace, _ name: String) throws -> String {
        String(decoding: try Layers.unwrap(workspace.bytes(of: name), decodes: true).contents, as: UTF8.self)
    }

    private func workspace(_ kind: Kind, _ files: KeyValuePairs<String, String>) throws -> Workspace {
        let workspace = try Workspace()
        for (name, text) in files {
            let url = workspace.folder.appending(path: name)
            try Data(kind.layers.wrap(Array(text.utf8))).write(to: url)
        }
        return workspace
    }

    /// The commands that edit the file "a", and its contents afterwards.
    static let edits: [(command: String, result: String)] = [
        ("set a /gems 8", #"{"gems": 8, "name": "Ada"}"#),
        ("insert a /level 1", #"{"gems": 7, "name": "Ada", "level": 1}"#),
        ("remove a /name", #"{"gems": 7}"#),
        ("patch a patch", #"{"gems": 9, "name": "Ada"}"#),
        ("merge base a other", #"{"gems": 7, "name": "Eve"}"#),
        ("migrate rules a", #"{"gems": 7, "name": "Ada", "version": 2}"#),
    ]

    @Test(arguments: kinds, edits.indices)
    func editsKeepLayers(_ kind: Kind, _ row: Int) throws {
        #expect(!kind.layers.isEmpty)
        let (command, result) = Self.edits[row]
        let start = #"{"gems": 7, "name": "Ada"}"#
        let files: KeyValuePairs = ["a": start, "base": start, "other": #"{"gems": 7, "name": "Eve"}"#]
        let workspace = try workspace(kind, files)
        try workspace.write(#"[{"op": "replace", "path": "/gems", "value": 9}]"#, to: "patch")
        try workspace.write(
            #"{"version": "/version", "from": null, "to": 2, "rules": []}"#, to: "rules")
        let words = command.split(separator: " ").map(String.init)
        for destination in [["-o", "b"], ["-i"]] {
            let run = workspace.run(words + kind.options + destination)
            #expect(run.status == 0, "\(run)")
            let name = destination.last == "b" ? "b" : "a"
            #expect(try workspace.bytes(of: name) == kind.layers.wrap(Array(result.utf8)), "\(command)")
        }
    }

    @Test(arguments: kinds)
    func editorShowsContents(_ kind: Kind) throws {
        let workspace = try workspace(kind, ["a": "{\n  \"gems\": 7\n}\n"])
        let editor = "sed -i.old s/7/8/"
        let run = workspace.run(["edit", "a"] + kind.options, environment: ["EDITOR": editor])
        #expect(run.status == 0, "\(run)")
        #expect(try workspace.bytes(of: "a") == kind.layers.wrap(Array("{\n  \"gems\": 8\n}\n".utf8)))
    }

    @Test(arguments: kinds)
    func addsScoresInsideLayers(_ kind: Kind) throws {
        let workspace = try workspace(kind, ["a": #"[{"name": "Ada", "score": 7}]"#])
        let options = kind.options + ["--fields", "name=name,score=score"]
        let run = workspace.run(["scores", "add", "a", "--name", "Eve", "--score", "9"] + options)
        #expect(run.status == 0, "\(run)")
        let result = #"[{"name": "Eve", "score": 9}, {"name": "Ada", "score": 7}]"#
        // Only the contents are compared, because a short Base64 text does not show the line length.
        #expect(try Self.contents(workspace, "a") == result)
    }

    /// An unchanged file keeps its bytes, even if a new encoding would differ.
    @Test(arguments: kinds)
    func keepsUnchangedFile(_ kind: Kind) throws {
        let workspace = try Workspace(fixtures: ["wrapped"])
        let name = "Fixtures/wrapped/\(kind.testDescription)"
        let before = try workspace.bytes(of: name)
        let flat = workspace.run(["inspect", "-f", "flat", name] + kind.options).output
        let address = String(flat.prefix { $0 != " " })
        #expect(address.hasPrefix("/"))
        let value = workspace.run(["get", "-f", "typed", name, address] + kind.options).output
        let (inPlace, elsewhere) = (["-i"], ["-o", "new"])
        for destination in [inPlace, elsewhere] {
            let run = workspace.run(
                ["set", name, address, "--json-file", "-"] + kind.options + destination, input: Array(value.utf8))
            #expect(run.status == 0, "\(run)")
        }
        #expect(try workspace.bytes(of: name) == before)
        #expect(try workspace.bytes(of: "new") == before)
    }

    @Test(arguments: kinds)
    func convertRemovesLayers(_ kind: Kind) throws {
        let workspace = try workspace(kind, ["a.json.gz": #"{"gems": 7}"#, "example": #"{"gems":  5}"#])
        let convert = ["convert", "a.json.gz"] + kind.options
        #expect(workspace.run(convert + ["--to", "json", "--compact"]).output == "{\"gems\":7}\n")
        #expect(workspace.run(convert + ["--to", "xml", "--output-dir", "."]).status == 0)
        #expect(try workspace.text(of: "a.plist").hasPrefix("<?xml"))
        #expect(workspace.run(convert + ["--like", "example", "-o", "like"]).status == 0)
        #expect(try workspace.bytes(of: "like") == kind.layers.wrap(Array(#"{"gems":  7}"#.utf8)))
        #expect(workspace.run(convert + ["--to", "json", "--compact", "-i"]).status == 0)
        #expect(try workspace.bytes(of: "a.json.gz") == kind.layers.wrap(Array("{\"gems\":7}\n".utf8)))
    }

    /// Binary layers are not written to a terminal.
    @Test(arguments: kinds)
    func rejectsLayersOnTerminal(_ kind: Kind) throws {
        let workspace = try workspace(kind, ["a": #"{"gems": 7}"#])
        let run = workspace.run(["set", "a", "/gems", "8"] + kind.options, isTerminal: true)
        #expect(run.status == 2)
        #expect(run.talk.hasSuffix("missing --output FILE: binary data is not written to a terminal\n"))
        #expect(workspace.run(["set", "-n", "a", "/gems", "8"] + kind.options, isTerminal: true).status == 0)
    }

    /// An interrupted merge can be resumed in a file with layers, too.
    @Test func resumesMerge() throws {
        let kind = Self.kinds[0]
        let workspace = try workspace(
            kind, ["base": #"{"a": 1, "b": 1}"#, "ours": #"{"a": 2, "b": 2}"#, "theirs": #"{"a": 3, "b": 3}"#])
        let merge = ["merge", "--ask", "--resume", "base", "ours", "theirs", "-o", "merged"]
        #expect(workspace.run(merge, input: Array("theirs\nskip\n".utf8)).status == 1)
        #expect(try Self.contents(workspace, "merged") == #"{"a": 3, "b": 2}"#)
        #expect(workspace.run(merge, input: Array("theirs\n".utf8)).status == 0)
        #expect(try workspace.bytes(of: "merged") == kind.layers.wrap(Array(#"{"a": 3, "b": 3}"#.utf8)))
    }

    /// The note about layers is printed once per file.
    @Test func printsLayersOnce() throws {
        let kind = Self.kinds[0]
        let workspace = try workspace(kind, ["a": #"{"gems": 7}"#])
        let talk = workspace.run(["merge", "--git", "a", "a", "a", "slot.save"]).talk
        #expect(talk == "slot.save: reading the contents of the gzip data\n")
        #expect(workspace.run(["diff", "a", "a"]).talk == "a: reading the contents of the gzip data\n")
        #expect(workspace.run(["find", "gems", "a"]).talk == "")
        #expect(workspace.run(["textconv", "a"]).talk == "")
    }

    // MARK: Folders

    @Test func findsFilesInFolders() throws {
        let workspace = try Workspace()
        let (gzip, zlib) = (Self.kinds[0].layers, Self.kinds[1].layers)
        let json = Array(#"{"gems": 7}"#.utf8)
        let xml = Array("<?xml version=\"1.0\"?><plist><dict><key>gems</key><integer>7</integer></dict></plist>".utf8)
        let files: KeyValuePairs = [
            "a.json.gz": gzip.wrap(json), "b.SAVE.GZ": zlib.wrap(json), "c": gzip.wrap(xml),
            "d.bin": zlib.wrap(gzip.wrap(xml)),
            "e.txt.gz": gzip.wrap(json), "f": zlib.wrap(json), "g.gz": gzip.wrap(Array("text".utf8)),
            "h.rmmzsave": json,
        ]
        for (name, bytes) in files { try Data(bytes).write(to: workspace.folder.appending(path: name)) }
        let run = workspace.run(["validate", "-f", "ndjson", "."])
        let names = run.output.split(separator: "\n").compactMap { line in
            line.hasPrefix("{\"type\":\"file\",\"file\":\"") ? String(line.dropFirst(23).prefix { $0 != "\"" }) : nil
        }
        #expect(names == ["a.json.gz", "b.SAVE.GZ", "c", "d.bin", "h.rmmzsave"])
        #expect(run.status == 0)
    }

    // MARK: Checksums

    @Test func updatesChecksumsInside() throws {
        let kind = Self.kinds[2]
        let workspace = try workspace(kind, ["a": #"{"crc": 0, "text": "a"}"#])
        let run = workspace.run(["set", "-i", "a", "/text", "abc", "--fixup", "crc32:/crc over /text"] + kind.options)
        #expect(run.status == 0, "\(run)")
        #expect(try Self.contents(workspace, "a") == #"{"crc": 891568578, "text": "abc"}"#)
    }

    /// A checksum in data keeps its byte order if it was correct before. A negative integer stays signed.
    @Test func keepsByteOrder() throws {
        let workspace = try Workspace()
        // CRC-32: 352441C2 for "abc", 28F06F8B for "gems=8", E8B7BE43 for "a".
        try workspace.write(#"{"text": "abc", "sum": {"$data": "wkEkNQ=="}}"#, to: "little.json")
        try workspace.write(#"{"text": "abc", "sum": {"$data": "NSRBwg=="}}"#, to: "big.json")
        for (file, sum) in [("little.json", "i2/wKA=="), ("big.json", "KPBviw==")] {
            let run = workspace.run(["set", file, "/text", "gems=8", "--fixup", "crc32:/sum over /text"])
            #expect(run.talk == "")
            #expect(run.output == #"{"text": "gems=8", "sum": {"$data": "\#(sum)"}}"#, "\(file)")
        }
        try workspace.write(#"{"text": "", "sum": -1}"#, to: "signed.json")
        let run = workspace.run(["set", "signed.json", "/text", "a", "--fixup", "crc32:/sum over /text"])
        #expect(run.output == #"{"text": "a", "sum": -390611389}"#)
    }

    /// A checksum that covers another one must come after it. Otherwise nothing is written.
    @Test func reportsWrongChecksums() throws {
        let workspace = try Workspace()
        try workspace.write(#"{"a": "00000000", "b": "00000000", "t": "x"}"#, to: "a")
        let over = ["--fixup", "crc32:/b over /a"]
        let base = ["--fixup", "crc32:/a over /t"]
        #expect(workspace.run(["set", "-i", "a", "/t", "y"] + base + over).status == 0)
        let before = try workspace.text(of: "a")
        for fixups in [over + base, base + ["--fixup", "crc32:/t over /a"]] {
            let run = workspace.run(["set", "-i", "a", "/t", "00000001"] + fixups)
            #expect(run.status == 2)
            #expect(run.talk.contains("because a later --fixup changes"), "\(run.talk)")
            #expect(try workspace.text(of: "a") == before)
        }
    }

    @Test func refusesChecksumOfItself() throws {
        let workspace = try Workspace()
        try workspace.write(#"{"a": "00000000"}"#, to: "a")
        let run = workspace.run(["set", "-i", "a", "/a", "00000001", "--fixup", "crc32:/a over /a"])
        #expect(run.status == 2 && run.talk.contains("a checksum cannot cover itself"), "\(run)")
    }

    /// A checksum in an archive stays an object, and only the slot at its address changes.
    @Test func updatesChecksumsInArchives() throws {
        let workspace = try Workspace()
        try workspace.write(
            #"""
            {"$archiver": "NSKeyedArchiver", "$version": 100000, "$classes": {"Save": ["Save", "NSObject"]},
             "$top": {"root": {"$class": "Save", "name": "Ada", "sum": {"$data": "AAAAAAAAAAAAAAAAAAAAAA=="}}}}
            """#, to: "a.json")
        #expect(workspace.run(["convert", "a.json", "--to", "archive", "-o", "a"]).status == 0)
        let run = workspace.run(["set", "-i", "a", "/root/name", "abc", "--fixup", "md5:/root/sum over /root/name"])
        #expect(run.status == 0, "\(run)")
        #expect(workspace.run(["get", "-f", "hex", "a", "/root/sum"]).output == "900150983cd24fb0d6963f7d28e17f72\n")
    }

    /// Texts as libraries write them, and the option that covers them. The checksum in the file shows the spelling, which
    /// is kept after an edit.
    @Test(arguments: [
        // JSON.stringify without and with indentation; json.dumps with sorted keys, escapes and a salt.
        (#"{"b":1,"a":"é","h":"H"}"#, "/", "{\"b\":1,\"a\":\"é\"}"),
        ("{\n  \"b\": 1,\n  \"h\": \"H\",\n  \"a\": \"é\"\n}", "/", "{\n  \"b\": 1,\n  \"a\": \"é\"\n}"),
        (#"{"b": 1, "a": "é", "h": "H"}"#, "/", #"{"b": 1, "a": "é"}"#),
        (#"{"b": 1, "a": "é", "h": "H"}"#, "/", #"{"a":"é","b":1}"#),
        (#"{"b": 1, "a": "é", "h": "H"}"#, "/", #"{"a":"\u00e9","b":1}"#),
        (#"{"b": 1, "a": "é", "h": "H"}"#, "/", #"{"a": "\u00e9", "b": 1}"#),
        (#"{"b": 1, "a": "\u00e9", "h": "H"}"#, "/", #"{"a":"\u00e9","b":1}"#),
        // json.dumps also escapes U+007F.
        ("{\"b\": \"\u{7F}\", \"h\": \"H\"}", "/", #"{"b": "\u007f"}"#),
        (#"{"b":1,"h":"H"}"#, "''", #"{"b":1}"#),
        (#"{"b": 1, "a": "é", "h": "H"}"#, #""s" + / + 0x30"#, #"s{"b":1,"a":"é"}0"#),
        (#"{"b": {"x": [1, 2.50]}, "h": "H"}"#, "/b", #"{"x":[1,2.50]}"#),
        (#"{"b": {"x": [1, 2.50]}, "h": "H"}"#, "/b/x", "[1, 2.50]"),
        ("{\"b\": 1, // one\n \"a\": [2,], \"h\": \"H\"}", "/", #"{"b":1,"a":[2]}"#),
    ])
    func keepsSpellingOfCoveredText(_ file: String, _ covered: String, _ text: String) throws {
        func digest(_ text: String) -> String {
            DigestAlgorithm.sha256.digest(of: Array(text.utf8).span)
                .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        let workspace = try Workspace()
        try workspace.write(file.replacing("\"H\"", with: "\"\(digest(text))\""), to: "a")
        let run = workspace.run(["set", "-i", "a", "/new", "5", "--fixup", "sha256:/h over \(covered)"])
        #expect(run.status == 0 && !run.talk.contains("was wrong") && !run.talk.contains("empty key"), "\(run)")
        // Setting the same value again finds the checksum right, in the same spelling.
        let again = workspace.run(["set", "-i", "a", "/new", "6", "--fixup", "sha256:/h over \(covered)"])
        #expect(again.status == 0 && !again.talk.contains("was wrong"), "\(again)")
        let removed = workspace.run(["remove", "-i", "a", "/new", "--fixup", "sha256:/h over \(covered)"])
        #expect(removed.status == 0, "\(removed)")
        #expect(workspace.run(["get", "a", "/h"]).output == digest(text) + "\n")
    }

    /// The size in a header is reported if it is wrong after an edit.
    @Test func reportsSizeInHeader() throws {
        let workspace = try Workspace()
        let json = #"{"name": "Ada", "gems": 7, "level": 12}"#
        let size = UInt8(json.utf8.count)
        try Data([0x51, 0, size, 0, 0, 0] + Array(json.utf8)).write(to: workspace.folder.appending(path: "a"))
        let warning =
            "a: warning: the header is kept, but its byte 0x2 holds the size \(size), which is now \(size + 1)"
        // A dry run warns, too, and so does an editor.
        let dry = workspace.run(["set", "-n", "--unwrap-at", "6", "a", "/gems", "77"])
        #expect(dry.status == 0 && dry.talk.contains(warning), "\(dry)")
        let editor = workspace.run(
            ["edit", "-n", "--unwrap-at", "6", "a"], environment: ["EDITOR": "sed -i.old s/7/77/"])
        #expect(editor.status == 0 && editor.talk.contains(warning), "\(editor)")
        #expect(!workspace.run(["set", "-n", "--unwrap-at", "6", "a", "/gems", "8"]).talk.contains("warning"))
        let run = workspace.run(["set", "-i", "--unwrap-at", "6", "a", "/gems", "77"])
        #expect(run.status == 0)
        #expect(run.talk.contains(warning), "\(run)")
        #expect(try workspace.bytes(of: "a").starts(with: [0x51, 0, size, 0, 0, 0]))
        #expect(!workspace.run(["set", "-i", "--unwrap-at", "6", "a", "/gems", "78"]).talk.contains("warning"))
    }
}

/// Tests of checksums in other files, whose loss or delay would damage a save.
@Suite struct CompanionChecksumTests {
    private static let save = #"{"gems": 7}"#
    private static let zeros = String(repeating: "0", count: 8) + "\n"

    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.write(Self.save, to: "a")
        try workspace.write(Self.zeros, to: "sum")
        return workspace
    }

    private func set(_ workspace: Workspace, _ companions: [String], _ more: [String] = []) -> Workspace.Result {
        let fixups = companions.flatMap { ["--fixup", "crc32:file \($0) over file"] }
        return workspace.run(["set", "-i", "a", "/gems", "8"] + fixups + more)
    }

    /// A file whose whole text is a checksum is a save, too: an OpenStep string or a JSON number.
    @Test(arguments: ["a", "hard", "soft", "./a"]) func refusesSaveItself(_ name: String) throws {
        let workspace = try Workspace()
        try workspace.write("12345678", to: "a")
        let (manager, path) = (FileManager.default, workspace.path(of: "a"))
        try manager.linkItem(atPath: path, toPath: workspace.path(of: "hard"))
        try manager.createSymbolicLink(atPath: workspace.path(of: "soft"), withDestinationPath: "a")
        let run = workspace.run(["set", "-i", "a", "", "99", "--fixup", "crc32:file \(name) over file"])
        #expect(run.status == 2 && run.talk.contains("which is the save or its backup"), "\(run)")
        #expect(try workspace.text(of: "a") == "12345678")
    }

    @Test func refusesBackupOfSave() throws {
        let workspace = try workspace()
        try workspace.write(Self.zeros, to: "a~")
        let run = set(workspace, ["a~"], ["--backup"])
        #expect(run.status == 2 && run.talk.contains("which is the save or its backup"), "\(run)")
        #expect(try workspace.text(of: "a") == Self.save)
        #expect(set(workspace, ["a~"]).status == 0)
    }

    @Test func refusesOneFileTwice() throws {
        let workspace = try workspace()
        let run = set(workspace, ["sum", "./sum"])
        #expect(run.status == 2 && run.talk.contains("names ./sum twice"), "\(run)")
        #expect(try workspace.text(of: "a") == Self.save)
    }

    /// A pipe could wait for ever.
    @Test func readsRegularFilesOnly() throws {
        let workspace = try workspace()
        // Sound: the path ends in zero and outlives the call.
        #expect(unsafe mkfifo(workspace.path(of: "pipe"), 0o600) == 0)
        for name in ["pipe", "."] {
            #expect(set(workspace, [name]).status == 2)
            #expect(try workspace.text(of: "a") == Self.save)
        }
    }

    /// The other file is checked before the save is written: the name of this backup would be too long.
    @Test func checksFileBeforeWriting() throws {
        let workspace = try workspace()
        let name = String(repeating: "k", count: 255)
        try workspace.write(Self.zeros, to: name)
        let run = set(workspace, [name], ["--backup"])
        #expect(run.status == 2 && !run.talk.contains("is written"), "\(run)")
        #expect(try workspace.text(of: "a") == Self.save)
        #expect(set(workspace, [name]).status == 0)
    }

    @Test func reportsChecksumOutOfDate() throws {
        let workspace = try workspace()
        // A folder with a file in it cannot be replaced by a backup.
        try FileManager.default.createDirectory(atPath: workspace.path(of: "sum~"), withIntermediateDirectories: false)
        try workspace.write("", to: "sum~/x")
        let run = set(workspace, ["sum"], ["--backup"])
        #expect(run.status == 2 && run.talk.contains("a is written, but its checksum in sum is out of date"), "\(run)")
        #expect(try workspace.text(of: "a") == #"{"gems": 8}"#)
        #expect(try workspace.text(of: "sum") == Self.zeros)
    }

    /// Which text of a container a game covers, only a correct checksum shows.
    @Test func refusesToGuessForm() throws {
        let workspace = try workspace()
        try workspace.write(#"{"gems": 7, "h": "00000000"}"#, to: "b")
        let runs = [
            workspace.run(["set", "-i", "b", "/gems", "8", "--fixup", "crc32:/h over /"]),
            workspace.run(["set", "-i", "a", "/gems", "8", "--fixup", "crc32:file sum over /"]),
        ]
        for run in runs {
            #expect(run.status == 2 && run.talk.contains("fits no known form of the text"), "\(run)")
        }
        #expect(try workspace.text(of: "a") == Self.save)
        #expect(try workspace.text(of: "b") == #"{"gems": 7, "h": "00000000"}"#)
    }

    /// With a wrong offset, some key makes a text of the rest, so XOR needs the option for it.
    @Test func findsKeysAfterHeaderOnRequest() throws {
        let workspace = try workspace()
        let json = Array(#"{"name": "Ada", "gems": 7, "level": 12}"#.utf8)
        try Data([1, 2, 3, 4] + json.map { $0 ^ 11 }).write(to: workspace.folder.appending(path: "x"))
        #expect(workspace.run(["get", "x", "/gems", "--unwrap-at", "4", "--unwrap"]).output == "7\n")
        #expect(workspace.run(["get", "x", "/gems", "--unwrap-at", "4"]).status == 2)
    }
}
