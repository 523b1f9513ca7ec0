@testable import ArchiveCoding
public import Foundation
@testable import KeyedArchives
public import SaveCodec
import TestSupport
import Testing

/// The conformance from the article UsingTheLibrary. A program outside this package adds `@retroactive` to it.
extension Problem: LocalizedError {
    /// The message of the problem.
    public var errorDescription: String? { description }
}

/// The Swift code of the README and of the article UsingTheLibrary, repeated here so that it is compiled and run.
@Suite struct ReadmeExampleTests {
    struct GameObject: Codable {
        var name: String
        var hitpoints: Int
    }

    struct Score: Codable, ArchivedClass {
        static let archivedClassName = "HighScoreRecord"
        var name: String
        @Boxed var score: Int  // an NSNumber
        var date: ArchivedDate

        enum CodingKeys: String, CodingKey {
            case name = "Name"
            case score = "TotalScore"
            case date = "DateRecorded"
        }
    }

    struct Map: Codable {
        var currentLevelName: String
        var charList: [Player]
    }

    struct Player: Codable {
        var type: Int
        var health: Int
    }

    @Test func roundTrip() throws {
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/swamp.save"))
        let archive = try KeyedArchive(bytes)
        let decoder = KeyedArchiveDecoder()
        decoder.open(archive)
        var map = try decoder.decode(Map.self, forKey: "root")
        map.charList[0].health = 55
        let encoder = KeyedArchiveEncoder(like: archive)
        let changed = try encoder.encode(map)
        for warning in encoder.warnings { print(warning) }
        #expect(encoder.warnings.isEmpty)
        let player = try KeyedArchive(changed).root()["charList"].array[0]
        #expect(try player["health"].integer == 55 && player["position.x"].float == 10.5)
        #expect(player.source.view.uid(try player["type"].id) != nil)
    }

    @Test func ownTypes() throws {
        let scores = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/highscores.archive"))
        let reader = KeyedArchiveDecoder()
        try reader.open(scores)
        var records = try reader.decode([Score].self, forKey: "HighScores")
        records.append(Score(name: "Newton", score: 98765, date: records[0].date))
        let writer = KeyedArchiveEncoder()
        try writer.encode(records, forKey: "HighScores")
        let longer = try writer.finish()
        let (old, new) = (try KeyedArchive(scores).root("HighScores"), try KeyedArchive(longer).root("HighScores"))
        #expect(try new.array.count == old.array.count + 1)
        #expect(try new.array[0].classChain == old.array[0].classChain)
        // Each number stays an object.
        for value in [try old.array[0]["TotalScore"], try new.array[0]["TotalScore"]] {
            #expect(value.source.view.uid(value.id) != nil)
        }
    }

    /// The lines that an example prints.
    private final class Paper {
        var lines: [String] = []
    }

    @Test func documents() throws {
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/preferences.plist"))
        let paper = Paper()
        func print(_ value: Int128) { paper.lines.append("\(value)") }
        let document = try Document.read(bytes, as: Format.recognize(bytes))
        if case .dictionary(let pairs) = document[document.root],
            let gems = pairs.value(for: "gems".utf16), case .integer(let count) = document[gems]
        {
            print(count.value)
        }
        var output = ByteWriter()
        try document.write(as: .json, to: &output)
        #expect(paper.lines == ["340"])
        #expect(output.takeBytes().first == UInt8(ascii: "{"))
    }

    @Test func archives() throws {
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/swamp.save"))
        let document = try Document.read(bytes, as: .binary)
        let paper = Paper()
        func print(_ values: Any...) { paper.lines.append(values.map { "\($0)" }.joined(separator: " ")) }
        let archive = try KeyedArchive(document)
        let map = try archive.root()
        print(try map["currentLevelName"].string)
        for player in try map["charList"].array where player.className == "Player" {
            print(try player["health"].integer, try player["position.x"].float)
        }
        #expect(paper.lines == ["Swamp", "100 10.5", "55 -3.75", "0 128.0"])
    }

    @Test func coders() throws {
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/gameobject.save"))
        let decoder = KeyedArchiveDecoder()
        decoder.allowedClasses = ["GameObject"]
        var troll = try decoder.decode(GameObject.self, from: bytes)
        troll.hitpoints -= 20
        let encoded = try KeyedArchiveEncoder().encode(troll)
        #expect(try decoder.decode(GameObject.self, from: encoded).hitpoints == 230)
    }

    @Test func problemsAreLocalizedErrors() throws {
        let json = Array(#"{"a": 1,}"#.utf8)
        let error: any Error = try #require(
            #expect(throws: Problem.self) { try Document.read(json, as: .json) })
        #expect(error.localizedDescription == "1:9: nothing follows the comma; expected another value, or no comma")
    }

    @Test func readmeContainsExamples() throws {
        let texts = try ["README.md", "Sources/SaveCodec/SaveCodec.docc/UsingTheLibrary.md"].map {
            String(decoding: try TestFiles.bytes(TestFiles.package.appending(path: $0)), as: UTF8.self)
        }
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let known = Set(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        let blocks = texts.flatMap { $0.components(separatedBy: "```swift\n").dropFirst() }
            .map { $0.components(separatedBy: "```")[0] }
        #expect(blocks.count == 6)
        for line in blocks.joined().split(separator: "\n") {
            #expect(known.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
        }
    }
}
