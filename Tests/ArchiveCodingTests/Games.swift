import ArchiveCoding
import KeyedArchives

// The games of the fixtures as Swift types, with the field names and kinds of the original games.

// MARK: Swamp

struct Map: Codable, Equatable {
    var currentLevelName: String?
    @Boxed var eventCount: Int?
    var charList: [Player]?

    enum CodingKeys: String, CodingKey {
        case currentLevelName
        case eventCount = "eventList.count"
        case charList
    }
}

struct Player: Codable, Equatable {
    @Boxed var type: Int
    var x: Float
    var y: Float
    var health: Int

    enum CodingKeys: String, CodingKey {
        case type
        case x = "position.x"
        case y = "position.y"
        case health
    }
}

// MARK: Options

struct Options: Codable, Equatable {
    var playSound: Bool
    var playMusic: Bool

    enum CodingKeys: String, CodingKey {
        case playSound = "PlaySound"
        case playMusic = "PlayMusic"
    }
}

// MARK: Friends

final class Foo: Codable, Equatable {
    let name: String
    @Boxed var age: Int

    init(name: String, age: Int) {
        self.name = name
        self.age = age
    }

    static func == (a: Foo, b: Foo) -> Bool {
        a.name == b.name && a.age == b.age
    }
}

struct Bar: Codable, Equatable {
    @Mutable var foos: [Foo]
}

// MARK: High scores

struct HighScoreRecord: Codable, Equatable {
    var name: String
    @Boxed var totalScore: Int
    var dateRecorded: ArchivedDate

    enum CodingKeys: String, CodingKey {
        case name = "Name"
        case totalScore = "TotalScore"
        case dateRecorded = "DateRecorded"
    }
}

// MARK: GameObject

struct GameObject: Codable, Equatable {
    var name: String
    var hitpoints: Int
}

// MARK: Values of the fixtures

enum Games {
    static let swamp = Map(
        currentLevelName: "Swamp", eventCount: 12,
        charList: [
            Player(type: 3, x: 10.5, y: 20.25, health: 100), Player(type: 7, x: -3.75, y: 0.1, health: 55),
            Player(type: 3, x: 128, y: -64.5, health: 0),
        ])

    /// Creates new instances on each access; the first and the last element are the same instance.
    static var bar: Bar {
        let me = Foo(name: "Me", age: 42)
        return Bar(foos: [me, Foo(name: "Sam", age: 37), me])
    }

    static let scores: [HighScoreRecord] = [
        ("Ada", 98_200, 273_933_296.789), ("Grace", 91_750, 273_845_512.25), ("Zoë", 88_010, 273_772_800),
        ("日本太郎", 77_777, 273_700_001.5), ("Bob", 64_300, 273_600_000), ("Ada", 51_040, 273_512_345.125),
        ("Mallory", 40_960, 273_400_000), ("Trent", 32_768, 273_300_000.75), ("Peggy", 12_345, 273_200_000),
        ("Victor", 990, 273_100_000.5),
    ].map { HighScoreRecord(name: $0, totalScore: $1, dateRecorded: ArchivedDate(secondsSince2001: $2)) }
}
