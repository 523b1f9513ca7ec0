import Foundation
import Testing

@testable import SaveToolKit

/// Tests how files are replaced: completely or not at all, with their permissions, and through links.
@Suite struct FileTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.write(#"{"gems": 7}"#, to: "a.json")
    }

    private func path(_ name: String) -> String { workspace.folder.appending(path: name).path(percentEncoded: false) }

    private func attribute(_ key: FileAttributeKey, of name: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path(name))[key] as? NSNumber).intValue
    }

    private let converted = "{\n  \"gems\": 7\n}\n"

    @Test func writesNewFile() throws {
        #expect(workspace.run(["convert", "--to", "json", "a.json", "-o", "b.json"]).status == 0)
        #expect(try workspace.text(of: "b.json") == converted)
        #expect(try attribute(.posixPermissions, of: "b.json") == attribute(.posixPermissions, of: "a.json"))
        #expect(workspace.names == ["a.json", "b.json"])
    }

    @Test(arguments: [0o600, 0o644, 0o755, 0o400])
    func keepsPermissions(_ permissions: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path("a.json"))
        #expect(workspace.run(["convert", "--to", "json", "-i", "a.json"]).status == 0)
        #expect(try attribute(.posixPermissions, of: "a.json") == permissions)
        #expect(try workspace.text(of: "a.json") == converted)
        #expect(workspace.names == ["a.json"])
    }

    @Test(.enabled(if: geteuid() == 0))
    func keepsOwner() throws {
        try FileManager.default.setAttributes(
            [.ownerAccountID: 1234, .groupOwnerAccountID: 4321], ofItemAtPath: path("a.json"))
        try FileManager.default.setAttributes([.posixPermissions: 0o4750], ofItemAtPath: path("a.json"))
        #expect(workspace.run(["convert", "--to", "json", "-i", "a.json"]).status == 0)
        #expect(try attribute(.ownerAccountID, of: "a.json") == 1234)
        #expect(try attribute(.groupOwnerAccountID, of: "a.json") == 4321)
        #expect(try attribute(.posixPermissions, of: "a.json") == 0o4750)
    }

    @Test func replacesTargetOfLink() throws {
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "a.json")
        #expect(workspace.run(["convert", "--to", "json", "-i", "--backup", "link"]).status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == "a.json")
        #expect(try workspace.text(of: "a.json") == converted)
        #expect(workspace.names == ["a.json", "a.json~", "link"])
    }

    /// Neither a result nor its folder leads out of the output folder through a link.
    @Test(arguments: [("out/a.json", "../b.json"), ("out/s", "../elsewhere")], ["out", "out/", "out//"])
    func writesThroughNoLinkOutOfOutputFolder(_ link: (path: String, target: String), _ output: String) throws {
        for folder in ["in/s", "out", "elsewhere"] {
            try FileManager.default.createDirectory(atPath: path(folder), withIntermediateDirectories: true)
        }
        try workspace.write("{}", to: "in/a.save")
        try workspace.write("{}", to: "in/s/a.save")
        try workspace.write("[]", to: "b.json")
        try FileManager.default.createSymbolicLink(atPath: path(link.path), withDestinationPath: link.target)
        let result = workspace.run(["convert", "-r", "--to", "json", "--output-dir", output, "in"])
        #expect(
            result.talk.hasSuffix("not written, because this symbolic link leads out of the output folder\n"))
        #expect(result.status == 2)
        #expect(try workspace.text(of: "b.json") == "[]")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path("elsewhere")).isEmpty)
    }

    /// A link inside the output folder is followed.
    @Test func writesThroughLinkInOutputFolder() throws {
        try FileManager.default.createDirectory(atPath: path("out/real"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path("out/a.plist"), withDestinationPath: "real/b.plist")
        try workspace.write("old", to: "out/real/b.plist")
        #expect(workspace.run(["convert", "--to", "xml", "--output-dir", "out", "a.json"]).status == 0)
        #expect(try workspace.text(of: "out/real/b.plist").hasPrefix("<?xml"))
    }

    @Test func rejectsBrokenLink() throws {
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "gone")
        let result = workspace.run(["convert", "--to", "json", "a.json", "-o", "link"])
        #expect(result.talk == "link: this is a broken symbolic link\n")
        #expect(result.status == 2)
        #expect(workspace.names == ["a.json", "link"])
    }

    @Test func keepsOldFileAsBackup() throws {
        #expect(workspace.run(["convert", "--to", "json", "-i", "--backup", "a.json"]).status == 0)
        #expect(try workspace.text(of: "a.json~") == #"{"gems": 7}"#)
        #expect(workspace.run(["convert", "--to", "json", "--compact", "-i", "--backup", "a.json"]).status == 0)
        #expect(try workspace.text(of: "a.json~") == converted)
        #expect(workspace.names == ["a.json", "a.json~"])
    }

    @Test func doesNotRewriteUnchangedContent() throws {
        #expect(workspace.run(["convert", "--to", "json", "-i", "a.json"]).status == 0)
        let number = try attribute(.systemFileNumber, of: "a.json")
        #expect(workspace.run(["convert", "--to", "json", "-i", "--backup", "a.json"]).status == 0)
        #expect(try attribute(.systemFileNumber, of: "a.json") == number)
        #expect(workspace.names == ["a.json"])
    }

    @Test func replacesLargeFileChangedAtEnd() throws {
        let numbers = (0..<200_000).map { "  \($0)" }.joined(separator: ",\n")
        try workspace.write("[\n" + numbers + "\n]\n", to: "a.json")
        try workspace.write("[\n" + numbers + ",\n  -1\n]\n", to: "b.json")
        #expect(workspace.run(["convert", "--to", "json", "b.json", "-o", "a.json"]).status == 0)
        #expect(try workspace.bytes(of: "a.json") == workspace.bytes(of: "b.json"))
        // A file that becomes shorter, and whose remaining bytes are the same, is replaced, too.
        try workspace.write(converted + " ", to: "c.json")
        try workspace.write("<plist><dict><key>gems</key><integer>7</integer></dict></plist>", to: "b.json")
        #expect(workspace.run(["convert", "--to", "json", "b.json", "-o", "c.json"]).status == 0)
        #expect(try workspace.text(of: "c.json") == converted)
        #expect(workspace.names == ["a.json", "b.json", "c.json"])
    }

    @Test(arguments: [(2, "the other one still has"), (4, "the others still have")])
    func hardLinksKeepOldContent(_ count: Int, _ sentence: String) throws {
        for number in 1..<count {
            try FileManager.default.linkItem(atPath: path("a.json"), toPath: path("b\(number).json"))
        }
        // No message is printed if nothing is replaced.
        #expect(workspace.run(["set", "-iq", "a.json", "/gems", "7"]).talk == "")
        let result = workspace.run(["set", "-iq", "--backup", "a.json", "/gems", "8"])
        #expect(result.talk == "a.json: the file had \(count) hard links; \(sentence) the old content\n")
        #expect(result.status == 0)
        #expect(try workspace.text(of: "a.json") == #"{"gems": 8}"#)
        #expect(try workspace.text(of: "b1.json") == #"{"gems": 7}"#)
        #expect(workspace.run(["set", "-iq", "a.json", "/gems", "9"]).talk == "")
    }

    /// The size of the equal beginning: one that fits into memory, and a larger one.
    @Test(arguments: [100_000, 17 << 20]) func doesNotMixInConcurrentWrites(_ size: Int) throws {
        let start = [UInt8](repeating: UInt8(ascii: "1"), count: size)
        try Data(start + Array("old".utf8)).write(to: URL(filePath: path("a.json")))
        let replacement = try FileReplacement(of: path("a.json"), by: ReplacementOptions())
        try replacement.write(start.span)
        let other = try FileHandle(forWritingTo: URL(filePath: path("a.json")))
        try other.write(contentsOf: Data(repeating: UInt8(ascii: "2"), count: size / 2))
        try other.close()
        let end = Array("new".utf8)
        try replacement.write(end.span)
        #expect(try replacement.commit())
        #expect(try workspace.bytes(of: "a.json") == start + end)
        #expect(workspace.names == ["a.json"])
    }

    @Test func doesNotReplaceUnchangedLargeFile() throws {
        let bytes = [UInt8](repeating: UInt8(ascii: "1"), count: 17 << 20)
        try Data(bytes).write(to: URL(filePath: path("a.json")))
        let number = try attribute(.systemFileNumber, of: "a.json")
        let replacement = try FileReplacement(of: path("a.json"), by: ReplacementOptions())
        try replacement.write(bytes.span)
        #expect(try !replacement.commit())
        #expect(try attribute(.systemFileNumber, of: "a.json") == number)
        #expect(workspace.names == ["a.json"])
    }

    /// A run removes the temporary files of killed runs, but no other files.
    @Test func removesLeftovers() throws {
        let leftover = ".savetool-0123456789abc.tmp"
        let others = [
            ".savetool.json", ".savetool-notes.tmp", ".savetool-0123456789abcd.tmp", ".savetool-0123456789ABC.tmp",
            ".savetool-0123456789abc", "x.savetool-0123456789abc.tmp",
        ]
        for name in others { try workspace.write("mine", to: name) }
        try workspace.write("half", to: leftover)
        let inUse = ".savetool-1123456789abc.tmp"
        try workspace.write("in use", to: inUse)
        let owner = try Descriptor(opening: path(inUse), for: .reading)
        try owner.lock()
        let link = ".savetool-2123456789abc.tmp"
        try FileManager.default.createSymbolicLink(atPath: path(link), withDestinationPath: "a.json")
        #expect(workspace.run(["set", "-i", "a.json", "/gems", "8"]).status == 0)
        #expect(workspace.names == (others + [inUse, link, "a.json"]).sorted())
        _ = consume owner
        #expect(workspace.run(["set", "-i", "a.json", "/gems", "9"]).status == 0)
        #expect(workspace.names == (others + [link, "a.json"]).sorted())
    }

    /// If only the full output were reported, people would repeat a command that has already changed the file.
    @Test func fullOutputStillReportsWrittenFile() throws {
        let command = ["scores", "add", "-q", "s.json", "--name", "Bob", "--score", "9"]
        try workspace.write(#"[{"playerName": "Ada", "score": 5}]"#, to: "s.json")
        let full = "no space is left on the device"
        let talk = Collector()
        let status = workspace.run(
            command, output: OutputChannel { _ in throw FileError("<stdout>", full) }, talk: talk.channel())
        #expect(talk.text == "entered as rank 1 of 2; <stdout>: \(full)\n")
        #expect(status == 2)
        #expect(try workspace.text(of: "s.json").contains("9"))
        #expect(workspace.names == ["a.json", "s.json"])
        // If nothing is written, only the failure of the output is reported.
        let dryTalk = Collector()
        _ = workspace.run(
            command + ["--dry-run"], output: OutputChannel { _ in throw FileError("<stdout>", full) },
            talk: dryTalk.channel())
        #expect(dryTalk.text.hasPrefix("<stdout>: \(full)\n"))
    }

    @Test func failureLeavesOnlyOldFile() throws {
        try workspace.write("old", to: "b.plist")
        try workspace.write("[null]", to: "null.json")
        #expect(workspace.run(["convert", "--to", "openstep", "null.json", "-o", "b.plist"]).status == 2)
        try workspace.write("[1", to: "cut.json")
        #expect(workspace.run(["convert", "--to", "xml", "cut.json", "-o", "b.plist"]).status == 2)
        #expect(try workspace.text(of: "b.plist") == "old")
        #expect(workspace.names == ["a.json", "b.plist", "cut.json", "null.json"])
    }

    @Test func uncommittedReplacementLeavesNothing() throws {
        do {
            let replacement = try FileReplacement(of: path("a.json"), by: ReplacementOptions(keepsBackup: true))
            try replacement.write([1, 2, 3].span)
            #expect(workspace.names.count == 2)
        }
        #expect(workspace.names == ["a.json"])
        #expect(try workspace.text(of: "a.json") == #"{"gems": 7}"#)
    }

    @Test func writesIntoDevice() throws {
        let result = workspace.run(["convert", "--to", "binary", "a.json", "-o", "/dev/null"])
        #expect(result == Workspace.Result(status: 0, output: ""))
        #expect(
            try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
                == .typeCharacterSpecial)
    }

    @Test func readsPipeToEnd() throws {
        let pipe = path("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let text = "[" + (0..<50_000).map(String.init).joined(separator: ",") + "]"
        let writer = Thread { try? Data(text.utf8).write(to: URL(filePath: pipe)) }
        writer.start()
        let result = workspace.run(["convert", "--to", "json", "--compact", "pipe"])
        #expect(result == Workspace.Result(status: 0, output: text + "\n"))
    }

    static let unreadable: [(name: String, sentence: String)] = [
        ("gone.save", "gone.save: no such file\n"),
        ("a.json/x", "a.json/x: a part of the path is a file, not a folder\n"),
        ("\u{1B}]0;x", "\\u001B]0;x: no such file\n"),
    ]

    @Test(arguments: unreadable)
    func namesUnreadableFile(_ name: String, _ sentence: String) {
        let result = workspace.run(["get", name, ""])
        #expect(result == Workspace.Result(status: 2, output: "", talk: sentence))
    }

    @Test func rejectsFolderAsOutput() throws {
        try FileManager.default.createDirectory(atPath: path("folder"), withIntermediateDirectories: false)
        let result = workspace.run(["convert", "--to", "json", "a.json", "-o", "folder"])
        #expect(result == Workspace.Result(status: 2, output: "", talk: "folder: this is a folder; expected a file\n"))
    }
}
