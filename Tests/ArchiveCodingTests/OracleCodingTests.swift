import ArchiveCoding
import Foundation
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

/// Archives written by GNUstep and by Foundation on Linux decode as the expected Swift values.
@Suite(.enabled(if: TestFiles.folder("SAVETOOL_ORACLE_ARCHIVES") != nil)) struct OracleCodingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let scenario: String
        let check: @Sendable (KeyedArchiveDecoder) throws -> Bool
        var testDescription: String { scenario }
    }

    static let writers = ["gnustep", "corelibs-plain", "corelibs-native"]

    final class TreeNode: Codable {
        let name: String
        let children: [TreeNode]
        @Reference var parent: TreeNode?
    }

    static let cases = [
        Case(scenario: "map-basic") { decoder in
            try decoder.decode(Map.self, forKey: "root")
                == Map(
                    currentLevelName: "Level 1", eventCount: 3,
                    charList: [
                        Player(type: 0, x: 1.5, y: -2.25, health: 100), Player(type: 1, x: 0, y: 0, health: 55),
                        Player(type: 7, x: 1e10, y: 0.1, health: -3),
                    ])
        },
        Case(scenario: "map-nil") { decoder in
            try decoder.decode(Map.self, forKey: "root") == Map(currentLevelName: nil, eventCount: nil, charList: nil)
        },
        Case(scenario: "options") { decoder in
            try decoder.decode(Options.self, forKey: "OptionsData") == Options(playSound: true, playMusic: false)
        },
        Case(scenario: "highscores") { decoder in
            try decoder.decode([HighScoreRecord].self, forKey: "HighScores")
                == [
                    HighScoreRecord("Ann", 12345, 300000000.5), HighScoreRecord("Bob", 0, -978307200.25),
                    HighScoreRecord("日本", 1 << 31, 0.125), HighScoreRecord("", -9, 0.001),
                ]
        },
        Case(scenario: "gameobjects-array") { decoder in
            try decoder.decode([GameObject].self, forKey: "root")
                == [GameObject(name: "orc", hitpoints: 12), GameObject(name: "elf", hitpoints: -5_000_000_000)]
        },
        Case(scenario: "foobar") { decoder in
            let me = try decoder.decode(Foo.self, forKey: "myfoo")
            let bar = try decoder.decode(Bar.self, forKey: "mybar")
            return bar.foos.map(\.name) == ["Foo me", "other", "Ünï"] && bar.foos.map(\.age) == [42, 7, -1]
                && bar.foos[0] === me
        },
    ]

    @Test(arguments: cases, writers) func decodesArchive(_ row: Case, _ writer: String) throws {
        let folder = try #require(TestFiles.folder("SAVETOOL_ORACLE_ARCHIVES"))
        // GNUstep's XML has no fractions of a second.
        let hasExactXML = writer != "gnustep" || row.scenario != "highscores"
        for form in hasExactXML ? ["binary", "xml"] : ["binary"] {
            let decoder = KeyedArchiveDecoder()
            try decoder.open(TestFiles.bytes(folder.appending(path: "\(writer)/\(row.scenario).\(form).archive")))
            #expect(try row.check(decoder), "\(form)")
        }
    }

    @Test func decodesCycle() throws {
        let folder = try #require(TestFiles.folder("SAVETOOL_ORACLE_ARCHIVES"))
        let bytes = try TestFiles.bytes(folder.appending(path: "gnustep/cycle.binary.archive"))
        // The second child refers to the first child, which must decode as the same instance.
        let root = try KeyedArchiveDecoder().decode(TreeNode.self, from: bytes)
        #expect(root.children.map(\.name) == ["kid", "kid2"])
        #expect(root.children.allSatisfy { $0.parent === root })
        #expect(root.children[1].children.first === root.children[0])
    }
}

extension HighScoreRecord {
    fileprivate init(_ name: String, _ score: Int, _ seconds: Double) {
        self.init(name: name, totalScore: score, dateRecorded: ArchivedDate(secondsSince2001: seconds))
    }
}
