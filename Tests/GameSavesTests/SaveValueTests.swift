import ArchiveCoding
import Foundation
import GameSaves
import KeyedArchives
import SaveCodec
import SaveOperations
import TestSupport
import Testing

@Suite struct SaveValueTests {
    private static func save(_ name: String) throws -> GameSave {
        try GameSave(TestFiles.bytes(TestFiles.fixtures.appending(path: "games/\(name)")))
    }

    private static func address(_ text: String) throws -> JSONPointer { try #require(JSONPointer(text)) }

    @Test func keepsStoredTypes() throws {
        let save = try Self.save("swamp.save")
        let changed = try save.setting([
            (Self.address("/root/charList/1/position.x"), 5), (Self.address("/root/currentLevelName"), "Crypt"),
        ])
        #expect(
            try save.changes(to: changed).map(\.description) == [
                "changed /root/currentLevelName: \"Swamp\" → \"Crypt\"",
                "changed /root/charList/1/position.x: -3.75 → 5.0",
            ])
        #expect(try save.setting(Self.address("/root/charList/0/health"), to: 100).bytes == save.bytes)
        let scores = try Self.save("highscores.archive")
        let better = try scores.setting(Self.address("/HighScores/0/TotalScore"), to: 99)
        #expect(try scores.changes(to: better).map(\.kind) == [.changed])
    }

    @Test func rejectsMissingValuesAndOtherTypes() throws {
        let save = try Self.save("swamp.save")
        for (address, value, sentence) in [
            ("/root/charList/0/helth", 1, "no such value; did you mean /root/charList/0/health?"),
            ("/root/charList/0/health", "full", "expected"), ("/root/charList", 5, "expected"),
        ] as [(String, SaveValue, String)] {
            let problem = #expect(throws: Problem.self) { try save.setting(Self.address(address), to: value) }
            #expect(problem?.message.contains(sentence) == true, "\(problem as Any)")
            #expect(problem?.address?.description == address)
        }
    }

    @Test func readsNestedSaves() throws {
        let save = try Self.save("slots.plist")
        let changed = try save.setting([
            (Self.address("/savedGame/root/charList/0/health"), 64), (Self.address("/lastSlot"), 2),
            (Self.address("/savedGame/root/currentLevelName"), "Crypt"),
        ])
        #expect(
            Set(try save.changes(to: changed).map(\.description)) == [
                "changed /savedGame/root/charList/0/health: 100 → 64", "changed /lastSlot: 1 → 2",
                "changed /savedGame/root/currentLevelName: \"Swamp\" → \"Crypt\"",
            ])
    }

    @Test func keepsCommentsOfText() throws {
        let text =
            "<plist version=\"1.0\">\n<dict><!-- how many -->\n<key>lives</key> <integer>3</integer></dict></plist>\n"
        let changed = try GameSave(Array(text.utf8)).setting(Self.address("/lives"), to: 4)
        #expect(String(decoding: changed.bytes, as: UTF8.self) == text.replacing(">3<", with: ">4<"))
    }

    /// Each value is described on one line, with control characters escaped.
    @Test func descriptionsAreSafe() throws {
        let save = try GameSave(
            Array(#"{"a": "x\u001b[31m\ny", "b": [1, {"c": null}], "d": {"$data": "AAEC"}, "e": 1.5, "f": true}"#.utf8),
            as: .json)
        let lines = try (save.value()?.fields ?? []).map { "\($0.value)" }
        #expect(lines == [#""x\u001B[31m\ny""#, "array, 2 elements", "data, 3 bytes", "1.5", "true"])
        #expect("\(try #require(Self.save("swamp.save").value(at: "/root")))" == "Map, 3 fields")
    }
}
