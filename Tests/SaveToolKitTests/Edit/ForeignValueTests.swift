import Foundation
import SaveCodec
import TestSupport
import Testing

/// Tests values that a format can store but that its other readers cannot hold.
@Suite struct ForeignValueTests {
    private static let plain = "Fixtures/games/preferences.plist"
    private static let archive = "Fixtures/games/swamp.save"
    private static let scores = "Fixtures/games/highscores.archive"
    private static let wide = "18446744073709551616"

    struct Given: Sendable {
        let arguments: [String]
        let address: String

        init(_ arguments: String..., at address: String) {
            (self.arguments, self.address) = (arguments, address)
        }
    }

    /// A new value of this kind is refused without `--allow-loss`.
    @Test(arguments: [
        Given("set", plain, "/gems", wide, at: "/gems"),
        Given("set", plain, "/gems", "-9223372036854775809", at: "/gems"),
        Given("set", plain, "/gems", "null", at: "/gems"),
        Given("set", plain, "/gems", "--null", at: "/gems"),
        Given("set", plain, "/more", "{\"a\": [1, \(wide)]}", "--add", at: "/more/a/1"),
        Given("insert", plain, "/unlockedLevels/0", "null", at: "/unlockedLevels/0"),
        Given("set", archive, "/root/charList/1/health", wide, at: "/root/charList/1/health"),
        Given("set", archive, "/root/charList/1/type", wide, at: "/root/charList/1/type"),
        Given("scores", "add", scores, "--name", "a", "--score", wide, at: "/HighScores/0/TotalScore"),
    ]) func given(_ row: Given) throws {
        let workspace = try Workspace(fixtures: ["games"])
        let file = row.arguments.first { $0.hasPrefix("Fixtures") } ?? ""
        let before = try workspace.bytes(of: file)
        let arguments = row.arguments + (row.arguments.contains("scores") ? [] : ["-i"])
        let refused = workspace.run(arguments)
        #expect(refused.status == 2)
        #expect(refused.talk.hasPrefix("\(file): not written: other readers cannot read 1 "), "\(refused.talk)")
        #expect(refused.talk.contains("\n\(file): \(row.address): "), "\(refused.talk)")
        #expect(refused.talk.hasSuffix("\(file): use --allow-loss to write it anyway\n"))
        #expect(try workspace.bytes(of: file) == before)
        let written = workspace.run(arguments + ["--allow-loss"])
        #expect(written.status == 0 && written.talk.contains("warning: \(row.address): "), "\(written.talk)")
        #expect(try workspace.bytes(of: file) != before)
    }

    /// The largest and the smallest integer that all readers hold are accepted, and so is null in formats that define
    /// it.
    @Test(arguments: [
        ["set", plain, "/gems", "18446744073709551615"], ["set", plain, "/gems", "-9223372036854775808"],
        ["set", archive, "/root/currentLevelName", "null"],
        ["set", "Fixtures/games/grabthar.json", "/hitPoints", "null"],
    ]) func held(_ arguments: [String]) throws {
        let result = try Workspace(fixtures: ["games"]).run(arguments + ["--dry-run"])
        #expect(result.status == 0 && result.talk.isEmpty, "\(result.talk)")
    }

    /// If values of this kind are already in the file, they never block an edit and are not reported, even if they move
    /// or are replaced by an equal value.
    @Test func present() throws {
        let workspace = try Workspace()
        try workspace.write("{\"a\": [null, \(Self.wide), 1], \"b\": 1}", to: "a.json")
        #expect(workspace.run(["convert", "--to", "binary", "a.json", "-o", "a.plist"]).status == 0)
        for arguments in [
            ["set", "/b", "2"], ["insert", "/a/0", "5"], ["set", "/a/1", Self.wide], ["set", "/a/0", "null"],
            ["remove", "/a/2"],
        ] {
            let result = workspace.run([arguments[0], "a.plist"] + arguments.dropFirst() + ["-o", "b.plist"])
            #expect(result.status == 0 && !result.talk.contains("foreign"), "\(result.talk)")
            #expect(!result.talk.contains("other readers cannot hold"), "\(result.talk)")
        }
        // A further value of this kind is new, even if it equals one in the file.
        #expect(workspace.run(["insert", "a.plist", "/a/0", "null", "--dry-run"]).status == 2)
        #expect(workspace.run(["set", "a.plist", "/b", Self.wide, "--dry-run"]).status == 2)
    }

    /// Splitting a shared value copies values that were in the file before, so nothing is reported.
    @Test(arguments: [["set", "/a/2", "y"], ["remove", "/a/3"], ["set", "/b/2", "y"], ["remove", "/a/0"]])
    func shared(_ arguments: [String]) throws {
        let workspace = try Workspace()
        // {"a": array 3, "b": array 3}, array 3: [null, 2^70, "x", "x"]
        try Data(Self.sharedArrays).write(to: URL(filePath: workspace.path(of: "a.plist")))
        let result = workspace.run([arguments[0], "a.plist"] + arguments.dropFirst() + ["-o", "b.plist"])
        #expect(result.status == 0 && !result.talk.contains(" /"), "\(result.talk)")
        // A new value of this kind is refused even though an equal one was shared.
        let added = workspace.run(["set", "a.plist", "/c", "null", "--add", "--dry-run"])
        #expect(added.status == 2 && added.talk.contains("a.plist: /c: null"), "\(added.talk)")
    }

    private static let sharedArrays = ListedObjects.file([
        [0xD2, 1, 2, 3, 3], [0x51, 0x61], [0x51, 0x62], [0xA4, 4, 5, 6, 6], [0x00],
        [0x14, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0], [0x51, 0x78],
    ])

    /// The error names the value that was written, not an equal one that was in the file before.
    @Test func named() throws {
        let workspace = try Workspace()
        try workspace.write("{\"y\": 1, \"z\": null, \"list\": [{\"k\": null}]}", to: "a.json")
        #expect(workspace.run(["convert", "--to", "binary", "a.json", "-o", "a.plist"]).status == 0)
        let result = workspace.run(["set", "a.plist", "/y", "null", "--change-type", "--dry-run"])
        #expect(result.status == 2 && result.talk.contains("a.plist: /y: null"), "\(result.talk)")
        #expect(!result.talk.contains("/z"))
        try workspace.write("[{\"op\": \"copy\", \"from\": \"/z\", \"path\": \"/b\"}]", to: "p.json")
        let patched = workspace.run(["patch", "a.plist", "p.json", "-o", "b.plist"])
        #expect(patched.status == 0 && patched.talk.contains("/b: null") && !patched.talk.contains("/z"))
    }

    /// Values from another file are written with a warning.
    @Test func warned() throws {
        let workspace = try Workspace(fixtures: ["games"])
        let warning = "warning: /gems: \(Self.wide) is an integer beyond 64 bits; other readers cannot represent it\n"
        try workspace.write("[{\"op\": \"replace\", \"path\": \"/gems\", \"value\": \(Self.wide)}]", to: "p.json")
        let patched = workspace.run(["patch", Self.plain, "p.json", "-o", "b.plist"])
        #expect(patched.status == 0 && patched.talk == "\(Self.plain): " + warning)
        let merged = workspace.run(["merge", Self.plain, Self.plain, "b.plist", "-o", "c.plist"])
        #expect(merged.status == 0 && merged.talk.contains("\(Self.plain): " + warning), "\(merged.talk)")
        try workspace.write("{\"gems\": \(Self.wide), \"x\": null}", to: "a.json")
        let converted = workspace.run(["convert", "--to", "binary", "a.json", "-o", "a.plist"])
        #expect(converted.status == 0 && converted.talk.contains("a.json: " + warning), "\(converted.talk)")
        #expect(converted.talk.contains("warning: /x: null"))
        #expect(workspace.run(["convert", "--to", "json", "a.json"]).talk.isEmpty)
    }

    /// No reader accepts a UID of 2³² or more, so `--allow-loss` does not help.
    @Test func uid() throws {
        let workspace = try Workspace(fixtures: ["games"])
        let result = workspace.run([
            "set", Self.plain, "/gems", "{\"$uid\": 4294967296}", "--change-type", "--allow-loss",
        ])
        #expect(result.status == 2 && result.talk.contains("expected an integer from 0 to 4294967295"))
    }
}
