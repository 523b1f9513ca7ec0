import ArchiveCoding
import Foundation
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

/// Games as Swift types are compared with their archives by NSKeyedArchiver.
@Suite struct FixtureCodingTests {
    /// A fixture, an encoder of the same values, and a check that decoding yields these values.
    struct Case: Sendable, CustomTestStringConvertible {
        let file: String
        let encode: @Sendable (KeyedArchiveEncoder) throws -> [UInt8]
        let decodesSame: @Sendable ([UInt8]) throws -> Bool
        var testDescription: String { file }
    }

    static let cases = [
        Case(file: "swamp.save") {
            try $0.encode(Games.swamp)
        } decodesSame: {
            try KeyedArchiveDecoder().decode(Map.self, from: $0) == Games.swamp
        },
        Case(file: "swamp.xml.save") {
            $0.format = .xml
            return try $0.encode(Games.swamp)
        } decodesSame: {
            try KeyedArchiveDecoder().decode(Map.self, from: $0) == Games.swamp
        },
        Case(file: "options.save") {
            try $0.encode(Options(playSound: true, playMusic: false), forKey: "OptionsData")
            return try $0.finish()
        } decodesSame: {
            try KeyedArchiveDecoder().decode(Options.self, from: $0, forKey: "OptionsData")
                == Options(playSound: true, playMusic: false)
        },
        Case(file: "friends.save") {
            let bar = Games.bar
            try $0.encode(bar.foos[0], forKey: "myfoo")
            try $0.encode(bar, forKey: "mybar")
            return try $0.finish()
        } decodesSame: {
            let decoder = KeyedArchiveDecoder()
            decoder.allowedClasses = ["Foo", "Bar"]
            try decoder.open($0)
            let me = try decoder.decode(Foo.self, forKey: "myfoo")
            let bar = try decoder.decode(Bar.self, forKey: "mybar")
            return bar == Games.bar && bar.foos[0] === me && bar.foos[2] === me && bar.foos[1] !== me
        },
        Case(file: "highscores.archive") {
            try $0.encode(Games.scores, forKey: "HighScores")
            return try $0.finish()
        } decodesSame: {
            try KeyedArchiveDecoder().decode([HighScoreRecord].self, from: $0, forKey: "HighScores") == Games.scores
        },
        Case(file: "gameobject.save") {
            try $0.encode(GameObject(name: "Mountain troll", hitpoints: 250))
        } decodesSame: {
            try KeyedArchiveDecoder().decode(GameObject.self, from: $0)
                == GameObject(name: "Mountain troll", hitpoints: 250)
        },
    ]

    @Test(arguments: cases) func decodesFixture(_ row: Case) throws {
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/\(row.file)"))
        #expect(try row.decodesSame(bytes))
    }

    @Test(arguments: cases) func encodesAsNSKeyedArchiver(_ row: Case) throws {
        let fixture = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/\(row.file)"))
        let encoded = try row.encode(KeyedArchiveEncoder())
        #expect(try ArchiveOutline.text(encoded) == ArchiveOutline.text(fixture))
        #expect(try row.decodesSame(encoded))
    }
}
