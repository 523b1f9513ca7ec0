import ArchiveCoding
import Foundation
import GameSaves
import KeyedArchives
import SaveCodec
import Testing

/// A value that differs from the template's in its case, kind or class can be read back, and the rest of the file stays.
@Suite struct ChangedKindTests {
    private func save(_ text: String) throws -> GameSave { try GameSave(Array(text.utf8)) }

    private func text(_ save: GameSave) -> String { String(decoding: save.bytes, as: UTF8.self) }

    // MARK: Cases

    enum State: Codable, Equatable {
        case idle
        case walking(speed: Double)
        case dead(by: String)
    }

    struct Hero: Codable, Equatable {
        var state: State
        var title: String?
    }

    private static let states = [State.idle, .walking(speed: 2), .dead(by: "troll")]

    /// The field of the old case is removed.
    @Test(arguments: states, states) func replacesCases(old: State, new: State) throws {
        let value = Hero(state: new)
        let archive = try GameSave(KeyedArchiveEncoder().encode(Hero(state: old)))
        let changed = try archive.replacing("/root", with: value)
        #expect(try KeyedArchiveDecoder().decode(Hero.self, from: changed.bytes) == value)
        let encoder = KeyedArchiveEncoder(like: try KeyedArchive(archive.bytes))
        #expect(try KeyedArchiveDecoder().decode(Hero.self, from: encoder.encode(value)) == value)
        for format in [Format.binary, .xml, .json] {
            let plist = try GameSave(PlistEncoder().encode(Hero(state: old), as: format))
            #expect(try PlistDecoder().decode(Hero.self, from: plist.replacing("", with: value).bytes) == value)
        }
    }

    /// A type that reads every field, as a dictionary does.
    struct Scores: Codable, Equatable {
        var points: [String: String]

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(_ points: [String: String]) { self.points = points }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            points = [:]
            for key in container.allKeys { points[key.stringValue] = try container.decode(String.self, forKey: key) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for (name, value) in points.sorted(by: { $0.key < $1.key }) {
                try container.encode(value, forKey: Key(stringValue: name))
            }
        }
    }

    @Test func removesFieldsOfTypesThatReadAll() throws {
        let archive = try KeyedArchive(KeyedArchiveEncoder().encode(Scores(["a": "1", "b": "2"])))
        let encoder = KeyedArchiveEncoder(like: archive)
        let fewer = Scores(["a": "1"])
        #expect(try KeyedArchiveDecoder().decode(Scores.self, from: encoder.encode(fewer)) == fewer)
        let object = try save(#"{"a": "1", "b": null}"#)
        #expect(text(try object.replacing("", with: fewer)) == #"{"a": "1"}"#)
    }

    /// The keys of a type may trap for names that no file has.
    @Test func asksKeysOnlyAboutPresentNames() throws {
        struct Key: CodingKey {
            let number: Int
            var stringValue: String { "slot\(number)" }
            var intValue: Int? { number }
            init(_ number: Int) { self.number = number }
            init?(intValue: Int) { number = intValue }
            init?(stringValue: String) {
                precondition(stringValue.hasPrefix("slot"))
                guard let number = Int(stringValue.dropFirst(4)) else { return nil }
                self.number = number
            }
        }
        struct Slots: Encodable {
            var points: Int
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(points, forKey: Key(1))
            }
        }
        let archive = try GameSave(KeyedArchiveEncoder().encode(Slots(points: 1)))
        let changed = try archive.replacing("/root", with: Slots(points: 2))
        #expect(try archive.changes(to: changed).map(\.description) == ["changed /root/slot1: 1 → 2"])
    }

    // MARK: Containers

    @Test func replacesContainersByOthers() throws {
        let object = try save(#"{"x": {"a": 1, "b": 2}, "y": 2}"#)
        let other = ["/x: the template has a value of another kind here; the encoded value is stored unchanged"]
        for (changed, expected) in [
            (try object.replacing("/x", with: ["p", "q"]), #"{"x": ["p", "q"], "y": 2}"#),
            (try object.replacing("/x", with: [1, 2, 3]), #"{"x": [1, 2, 3], "y": 2}"#),
            (try object.replacing("/x", with: [Int]()), #"{"x": [], "y": 2}"#),
            (try object.replacing("/x", with: 5), #"{"x": 5, "y": 2}"#),
        ] {
            #expect(text(changed) == expected)
            #expect(changed.warnings.map(\.description) == other)
        }
        #expect(text(try object.replacing("", with: [1, 2])) == "[1, 2]")
        let array = try save(#"{"x": [1, 2], "y": 2}"#)
        let keyed = try array.replacing("/x", with: ["a": 1])
        #expect(text(keyed) == #"{"x": {"a": 1}, "y": 2}"#)
        #expect(keyed.warnings.map(\.description) == other)
        for format in [Format.binary, .xml] {
            let plist = try GameSave(PlistEncoder().encode(["x": ["a": 1]], as: format))
            let changed = try plist.replacing("/x", with: ["p", "q", "r"])
            #expect(try PlistDecoder().decode([String: [String]].self, from: changed.bytes) == ["x": ["p", "q", "r"]])
        }
    }

    // MARK: Classes

    struct Player: Codable, ArchivedClass {
        static let archivedClassName = "Player"
        var hp: Int
    }

    struct Soldier: Codable, ArchivedClass {
        static let archivedClassName = "Game.Player"
        var hp: Int
        var gold: Int
    }

    /// The template's class may be in a module, as it may for the decoder.
    @Test func ignoresModulesOfClasses() throws {
        let save = try GameSave(KeyedArchiveEncoder().encode([Soldier(hp: 1, gold: 5)]))
        var players = try KeyedArchiveDecoder().decode([Player].self, from: save.bytes)
        players[0].hp = 2
        let changed = try save.replacing("/root", with: players)
        #expect(try save.changes(to: changed).map(\.description) == ["changed /root/0/hp: 1 → 2"])
        #expect(changed.warnings.isEmpty)
        players.append(Player(hp: 3))
        let longer = try save.replacing("/root", with: players)
        #expect(try longer.value(at: "/root")?.array.map(\.className) == ["Game.Player", "Game.Player"])
        // The type may have the module instead.
        let plain = try GameSave(KeyedArchiveEncoder().encode(["a": Player(hp: 1)]))
        let soldier = try plain.replacing("/root/a", with: Soldier(hp: 2, gold: 5))
        #expect(soldier.value(at: "/root/a")?.className == "Player")
    }

    struct OtherPlayer: Codable, ArchivedClass {
        static let archivedClassName = "Swamp.Player"
        var hp: Int
    }

    /// Classes of different modules are different.
    @Test func distinguishesModulesOfClasses() throws {
        struct Both: Codable {
            var a: Soldier
            var b: OtherPlayer
        }
        func classes(_ save: GameSave, _ address: String) -> [String?]? {
            try? save.value(at: address)?.array.map(\.className)
        }
        let both = try GameSave(
            KeyedArchiveEncoder().encode(Both(a: Soldier(hp: 1, gold: 5), b: OtherPlayer(hp: 9))))
        let changed = try both.replacing("/root/a", with: OtherPlayer(hp: 1))
        #expect(changed.value(at: "/root/a")?.className == "Swamp.Player")
        let save = try GameSave(KeyedArchiveEncoder().encode([Soldier(hp: 1, gold: 5)]))
        let others = try save.replacing("/root", with: [OtherPlayer(hp: 1), OtherPlayer(hp: 2)])
        #expect(classes(others, "/root") == ["Swamp.Player", "Swamp.Player"])
        // A name without a module is the only class of that name, if there is just one.
        let named = try save.replacing("/root", with: [Player(hp: 1), Player(hp: 2)])
        #expect(classes(named, "/root") == ["Game.Player", "Game.Player"])
        let unclear = try both.replacing("/root/b", with: [Player(hp: 1)])
        #expect(classes(unclear, "/root/b") == ["Player"])
        let encoder = KeyedArchiveEncoder(like: try KeyedArchive(save.bytes))
        encoder.setClassName("Swamp.Player", for: Player.self)
        #expect(try KeyedArchive(encoder.encode([Player(hp: 1)])).root().array.map(\.className) == ["Swamp.Player"])
    }

    // MARK: Kinds

    /// A value of another kind is stored as its own kind, with a warning, because the decoder distinguishes them.
    @Test(arguments: [Format.binary, .xml, .gnustep, .json]) func storesOtherKinds(_ format: Format) throws {
        func check<Value: Codable & Equatable>(_ old: some Encodable, _ new: Value, _ warns: Bool = true) throws {
            let save = try GameSave(PlistEncoder().encode(["v": old], as: format))
            let changed = try save.replacing("", with: ["v": new])
            #expect(try PlistDecoder().decode([String: Value].self, from: changed.bytes) == ["v": new])
            #expect(changed.warnings.map { $0.address?.description } == (warns ? ["/v"] : []))
        }
        let date = Date(timeIntervalSinceReferenceDate: 100)
        try check(5, date, format != .json)
        try check(5.5, date, format != .json)
        try check(1, true)
        try check(true, 1)
        try check(true, 1.0)
        try check(date, 2.5)
        try check(5.5, 2, false)
        try check(5, 2.5)
    }

    /// A new element takes only the width of its neighbours.
    @Test func keepsKindsOfNewElements() throws {
        enum Either: Encodable {
            case flag(Bool), number(Int), date(Date)

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .flag(let value): try container.encode(value)
                case .number(let value): try container.encode(value)
                case .date(let value): try container.encode(value)
                }
            }
        }
        let date = Date(timeIntervalSinceReferenceDate: 100)
        let archive = try GameSave(KeyedArchiveEncoder().encode([5]))
        let longer = try archive.replacing("/root", with: [Either.number(5), .date(date), .flag(true), .number(7)])
        let stored = try #require(try longer.value(at: "/root")?.array)
        #expect(stored.map(\.className) == [nil, "NSDate", nil, nil])
        #expect(stored.map(\.description) == ["5", "2001-01-01T00:01:40Z", "true", "7"])
        for format in [Format.json, .xml, .binary] {
            let numbers = try GameSave(PlistEncoder().encode([5], as: format))
            let changed = try numbers.replacing("", with: [Either.number(5), .flag(true), .number(7)])
            #expect(changed.value(at: "/1")?.description == "true")
            #expect(changed.value(at: "/2")?.description == "7")
        }
        let timed = try save("[5]").replacing("", with: [Either.number(5), .date(date)])
        #expect(timed.value(at: "/1")?.description == "2001-01-01T00:01:40Z")
    }

    /// OpenStep text has no numbers.
    @Test func replacesTextsOfNumbers() throws {
        let openStep = try save("{a = 5; b = x;}")
        #expect(try openStep.replacing("/a", with: 7).warnings.isEmpty)
        #expect(text(try openStep.replacing("/a", with: 7)) == "{a = 7; b = x;}")
        #expect(try openStep.replacing("/b", with: 7).warnings.count == 1)
    }

    // MARK: Dates and null

    struct Stamp: Codable {
        var v: Date
    }

    /// A date that is stored as a number remains a number.
    @Test func keepsDatesThatAreNumbers() throws {
        for number in ["694224000", "694224000.5"] {
            let numbers = try save(#"{"v": \#(number)}"#)
            let stamp = try PlistDecoder().decode(Stamp.self, from: numbers.bytes)
            #expect(text(try numbers.replacing("", with: stamp)) == text(numbers))
            let later = try numbers.replacing("/v", with: stamp.v + 1.25)
            #expect(text(later).hasPrefix(#"{"v": 69422400"#), "\(text(later))")
            #expect(try PlistDecoder().decode(Stamp.self, from: later.bytes).v == stamp.v + 1.25)
        }
        struct Timed: Codable {
            @Boxed var time: Double
        }
        struct Dated: Codable, ArchivedClass {
            static let archivedClassName = "Timed"
            var time: Date
        }
        let archive = try GameSave(KeyedArchiveEncoder().encode(Timed(time: 5)))
        let changed = try archive.replacing("/root", with: Dated(time: Date(timeIntervalSinceReferenceDate: 6)))
        #expect(try archive.changes(to: changed).map(\.description) == ["changed /root/time: 5.0 → 6.0"])
    }

    struct Holes: Codable {
        var a: Int?
        var b: [Int?]
    }

    @Test func keepsNull() throws {
        let object = try save(#"{"a": null, "b": [null, 2]}"#)
        var holes = try PlistDecoder().decode(Holes.self, from: object.bytes)
        #expect(try object.replacing("", with: holes).bytes == object.bytes)
        holes.b.append(nil)
        #expect(text(try object.replacing("", with: holes)) == #"{"a": null, "b": [null, 2, null]}"#)
        let number = try save(#"{"a": 5}"#)
        #expect(text(try number.replacing("/a", with: nil as Int?)) == #"{"a": null}"#)
        let filled = try object.replacing("/a", with: 5)
        #expect(text(filled) == #"{"a": 5, "b": [null, 2]}"#)
        #expect(filled.warnings.isEmpty)
    }

    @Test func writesNilAsTheOutputDoes() throws {
        let xml = try Document(Array("<plist><array><string>$null</string></array></plist>".utf8))
        let json = try Document(Array("[null]".utf8))
        let holes = [nil] as [Int?]
        #expect(try PlistDecoder().decode([Int?].self, from: PlistEncoder(like: json).encode(holes, as: .xml)) == holes)
        let written = try PlistEncoder(like: xml).encode(holes, as: .json)
        #expect(try JSONDecoder().decode([Int?].self, from: Data(written)) == holes)
    }

    // MARK: Dates in whole seconds

    @Test func roundsDatesDownInXML() throws {
        let xml = try save("<plist><array><date>2020-01-01T00:00:00Z</date><integer>1</integer></array></plist>")
        let changed = try xml.replacing("/0", with: Date(timeIntervalSinceReferenceDate: -0.5))
        #expect(text(changed) == text(xml).replacing("2020-01-01T00:00:00Z", with: "2000-12-31T23:59:59Z"))
        let records = ["a", "b"].map { name in
            "<dict><key>name</key><string>\(name)</string><key>score</key><integer>5</integer><key>date</key>"
                + "<date>2020-01-01T00:00:00Z</date></dict>"
        }
        let table = try save("<plist><array>\(records.joined())</array></plist>")
        let score = HighScore(name: "N", score: 7, date: ArchivedDate(secondsSince2001: 1.75))
        let added = try #require(try table.adding(score, keeping: 10))
        #expect(added.save.value(at: "/0/date")?.description == "2001-01-01T00:00:01Z")
        // A date that is stored as a number keeps its fraction.
        let real = "<date>2020-01-01T00:00:00Z</date>"
        let numbers = try save(
            "<plist><array>\(records.joined().replacing(real, with: "<real>599529600.5</real>"))</array></plist>")
        let precise = try #require(try numbers.adding(score, keeping: 10))
        #expect(try precise.save.value(at: "/0/date")?.double.truncatingRemainder(dividingBy: 1) == 0.75)
    }
}
