import Foundation
import SaveCodec
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests file names whose bytes are not UTF-8.
@Suite struct FileNameTests {
    static let names: [(bytes: [UInt8], shown: String, uri: String)] = [
        (Array("a/b é".utf8), "a/b é", "a/b%20%C3%A9"), ([0x63, 0xE9], "c\\xE9", "c%E9"),
        ([0xE9, 0x0A, 0x5C], "\\xE9\\n\\\\", "%E9%0A%5C"), ([0xC3], "\\xC3", "%C3"),
        ([0xC3, 0xC3, 0xA9], "\\xC3é", "%C3%C3%A9"), ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80", "%ED%A0%80"),
        ([0xF0, 0x9F, 0x90], "\\xF0\\x9F\\x90", "%F0%9F%90"), (Array("🐉".utf8), "🐉", "%F0%9F%90%89"),
        ([0xC0, 0xAF], "\\xC0\\xAF", "%C0%AF"), ([0xFF, 0xFE], "\\xFF\\xFE", "%FF%FE"),
        (Array("\u{10FFE9}".utf8), "\\xF4\\x8F\\xBF\\xA9", "%F4%8F%BF%A9"),
        (Array("\u{10FF7F}".utf8), "\\uDBFF\\uDF7F", "%F4%8F%BD%BF"), ([0x2F, 0xE9], "/\\xE9", "file:///%E9"),
        ([], "", ""),
    ]

    @Test(arguments: [
        ("a/b.plist", "a/b.plist"), ("a b%.plist", "a%20b%25.plist"), ("c:x", "c%3Ax"), ("é\n", "%C3%A9%0A"),
        ("/saves/a?", "file:///saves/a%3F"), ("<stdin>", "%3Cstdin%3E"),
    ])
    func references(path: String, uri: String) {
        #expect(FileName.uri(path) == uri)
    }

    /// The system would end the name at the NUL and open another file.
    @Test func rejectsNameWithZeroByte() throws {
        let workspace = try Workspace()
        try workspace.write("{}", to: "a.json")
        let name = workspace.path(of: "a.json")
        #expect(try FileSystem.status(name) != nil)
        #expect(try FileSystem.status(name + "\0.save") == nil)
        #expect(throws: SystemError.noSuchFile) { _ = try Descriptor(opening: name + "\0", for: .reading) }
        #expect(FileSystem.resolved(name + "\0") == nil)
    }

    @Test(arguments: names) func keepsEveryByte(bytes: [UInt8], shown: String, uri: String) {
        let name = FileName.text(bytes)
        #expect(FileName.bytes(name) == bytes)
        #expect(FileName.shown(name) == shown)
        #expect(FileName.uri(name) == uri)
        let text = String(validating: bytes, as: UTF8.self)
        #expect(FileName.plainText(name).map { Array($0.utf8) } == text.map { Array($0.utf8) })
    }

    /// Different names have different texts, compared by code units, and every text converts back to its bytes.
    @Test func roundTripsRandomBytes() {
        var random = SeededGenerator(seed: 14)
        var texts: [[UInt8]: [UInt8]] = [:]
        let pieces: [[UInt8]] = ["a", "é", "🐉", "\u{10FFE9}", "\u{10FF80}", "e\u{301}"].map { Array($0.utf8) }
        for _ in 0..<20_000 {
            var bytes: [UInt8] = []
            for _ in 0..<random.roll(6) {
                let piece = pieces[random.roll(pieces.count)].prefix(random.roll(5))
                bytes += random.roll(2) == 0 ? [UInt8(random.roll(255) + 1)] : Array(piece)
            }
            let text = FileName.text(bytes)
            #expect(FileName.bytes(text) == bytes)
            #expect(texts.updateValue(bytes, forKey: Array(text.utf8)) ?? bytes == bytes)
        }
    }

    private static let endings: [(path: String, stem: String, ending: String?)] = [
        ("a.save", "a", "save"), ("d.x/a", "a", nil), (".a", ".a", nil), ("a.b.c", "a.b", "c"),
        ("d/\u{301}.x", "\u{301}", "x"), ("a.\u{301}x", "a", "\u{301}x"),
    ]

    @Test(arguments: endings) func endingFollowsLastDot(path: String, stem: String, ending: String?) {
        #expect(FileName.areSame(FileSystem.stem(of: path), stem))
        #expect(FileSystem.ending(of: path).map { Array($0.utf8) } == ending.map { Array($0.utf8) })
    }

    /// A combining mark at the start of a name belongs to the name, not to the slash before it.
    @Test func combiningMarksDoNotMerge() throws {
        let name = "\u{301}x.json"
        #expect(FileSystem.folder(of: "d/" + name) == "d/")
        let workspace = try Workspace()
        try workspace.write("[1]", to: "a")
        for option in ["--output=", "-o"] {
            #expect(workspace.run(["convert", "--to", "json", "a", option + name]).status == 0)
            #expect(workspace.names.contains { FileName.areSame($0, name) })
            FileSystem.remove(workspace.path(of: name))
        }
    }

    // MARK: Arguments

    private static let e9 = FileName.text([0x63, 0xE9])

    private static let values: [(arguments: [String], talk: String)] = [
        (["set", "a.json", "/a", "--string", e9], "savetool: --string is not UTF-8; expected text\n"),
        (["set", "a.json", "/a", "--string=" + e9], "savetool: --string is not UTF-8; expected text\n"),
        (["set", "a.json", "/a", "\"\(e9)\""], "savetool: VALUE is '\"c\\xE9\"'; expected UTF-8\n"),
        (["set", "a.json", "/" + e9, "1"], "savetool: ADDRESS is '/c\\xE9'; expected UTF-8\n"),
        (["get", "a.json", "/" + e9], "savetool: ADDRESS is '/c\\xE9'; expected UTF-8\n"),
        (["remove", "a.json", "/" + e9], "savetool: ADDRESS is '/c\\xE9'; expected UTF-8\n"),
        (["scores", "add", "a.json", "--name", e9, "--score", "1"], "savetool: --name is not UTF-8; expected text\n"),
        (["git-setup", e9], "savetool: PATTERN is 'c\\xE9'; expected UTF-8\n"),
        ([e9], "savetool: unknown command 'c\\xE9'; see savetool --help\n"),
        (["inspect", "--" + e9], "savetool: unknown option '--c\\xE9'; see savetool inspect --help\n"),
        (["inspect", e9], "c\\xE9: no such file\n"),
    ]

    /// An argument that is not a file name must be UTF-8. The message does not quote a salt.
    @Test(arguments: values) func optionValuesAreText(arguments: [String], talk: String) throws {
        let workspace = try Workspace()
        try workspace.write(#"{"a": "x"}"#, to: "a.json")
        #expect(workspace.run(arguments) == Workspace.Result(status: 2, output: "", talk: talk))
    }

    /// The characters that represent bytes in file names are ordinary characters in values.
    @Test func keepsOptionValues() throws {
        let workspace = try Workspace()
        try workspace.write(#"{"a": "x"}"#, to: "a.json")
        let argument = FileName.text(Array("\u{10FFE9}".utf8))
        for arguments in [["--string", argument], ["\"\(argument)\""]] {
            let result = workspace.run(["set", "a.json", "/a"] + arguments)
            #expect(result.output == "{\"a\": \"\u{10FFE9}\"}")
        }
    }
}
