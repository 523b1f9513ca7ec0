// Writes the saves of the example games with Foundation's archivers, as the games do.
//
//     games FOLDER
//
// make.sh compiles this with `-module-abi-name Foundation`. Foundation on Linux removes that module name from class
// names, so that `$classname` is "Map", as in Objective-C games. It also keeps `$classes`, which setClassName(_:for:)
// would drop. Foundation on Linux merges equal numbers of different kinds (1, 1.0, true) into one object, so no save
// here has such a pair.
import Foundation

// MARK: Swamp

final class Map: NSObject, NSCoding {
    let currentLevelName: String
    let eventCount: Int
    let charList: [Player]

    init(currentLevelName: String, eventCount: Int, charList: [Player]) {
        self.currentLevelName = currentLevelName
        self.eventCount = eventCount
        self.charList = charList
    }

    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(NSString(string: currentLevelName), forKey: "currentLevelName")
        coder.encode(NSNumber(value: eventCount), forKey: "eventList.count")
        coder.encode(NSArray(array: charList), forKey: "charList")
    }
}

final class Player: NSObject, NSCoding {
    let type: Int
    let position: (x: Float, y: Float)
    let health: Int

    init(type: Int, position: (x: Float, y: Float), health: Int) {
        self.type = type
        self.position = position
        self.health = health
    }

    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(NSNumber(value: type), forKey: "type")
        coder.encode(position.x, forKey: "position.x")
        coder.encode(position.y, forKey: "position.y")
        coder.encode(health, forKey: "health")
    }
}

func swamp() -> Map {
    Map(
        currentLevelName: "Swamp", eventCount: 12,
        charList: [
            Player(type: 3, position: (10.5, 20.25), health: 100),
            Player(type: 7, position: (-3.75, 0.1), health: 55),
            Player(type: 3, position: (128, -64.5), health: 0),
        ])
}

// MARK: Options

final class Options: NSObject, NSCoding {
    override init() {}
    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(true, forKey: "PlaySound")
        coder.encode(false, forKey: "PlayMusic")
    }
}

// MARK: Friends

final class Foo: NSObject, NSCoding {
    let name: String
    let age: Int

    init(name: String, age: Int) {
        self.name = name
        self.age = age
    }

    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(NSString(string: name), forKey: "name")
        coder.encode(NSNumber(value: age), forKey: "age")
    }
}

final class Bar: NSObject, NSCoding {
    let foos: [Foo]

    init(foos: [Foo]) {
        self.foos = foos
    }

    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(NSMutableArray(array: foos), forKey: "foos")
    }
}

// MARK: High scores

let scores: [(name: String, score: Int, date: Double)] = [
    ("Ada", 98_200, 273_933_296.789),
    ("Grace", 91_750, 273_845_512.25),
    ("Zoë", 88_010, 273_772_800),
    ("日本太郎", 77_777, 273_700_001.5),
    ("Bob", 64_300, 273_600_000),
    ("Ada", 51_040, 273_512_345.125),
    ("Mallory", 40_960, 273_400_000),
    ("Trent", 32_768, 273_300_000.75),
    ("Peggy", 12_345, 273_200_000),
    ("Victor", 990, 273_100_000.5),
]

final class HighScoreRecord: NSObject, NSCoding {
    let name: String
    let totalScore: Int
    let dateRecorded: Date

    init(name: String, totalScore: Int, dateRecorded: Date) {
        self.name = name
        self.totalScore = totalScore
        self.dateRecorded = dateRecorded
    }

    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(NSString(string: name), forKey: "Name")
        coder.encode(NSNumber(value: totalScore), forKey: "TotalScore")
        coder.encode(dateRecorded as NSDate, forKey: "DateRecorded")
    }
}

func highScores() -> NSArray {
    NSArray(
        array: scores.map {
            HighScoreRecord(
                name: $0.name, totalScore: $0.score, dateRecorded: Date(timeIntervalSinceReferenceDate: $0.date))
        })
}

// MARK: GameObject

final class GameObject: NSObject, NSCoding {
    override init() {}
    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(NSString(string: "Mountain troll"), forKey: "name")
        coder.encode(250, forKey: "hitpoints")
    }
}

// MARK: Writing

func archive(_ roots: [(key: String, object: NSObject)], xml: Bool = false) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.outputFormat = xml ? .xml : .binary
    for root in roots { archiver.encode(root.object, forKey: root.key) }
    archiver.finishEncoding()
    return archiver.encodedData
}

func propertyList(_ value: Any, _ format: PropertyListSerialization.PropertyListFormat) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
}

let folder = URL(filePath: CommandLine.arguments[1])

func write(_ data: Data, _ name: String) throws {
    try data.write(to: folder.appending(path: name))
}

try write(archive([("root", swamp())]), "swamp.save")
try write(archive([("root", swamp())], xml: true), "swamp.xml.save")
try write(archive([("OptionsData", Options())]), "options.save")
let me = Foo(name: "Me", age: 42)
let friend = Foo(name: "Sam", age: 37)
try write(archive([("myfoo", me), ("mybar", Bar(foos: [me, friend, me]))]), "friends.save")
try write(archive([("HighScores", highScores())]), "highscores.archive")
try write(archive([("root", GameObject())]), "gameobject.save")

let rows = scores.map { row in
    [
        "playerName": row.name, "score": row.score,
        "date": Date(timeIntervalSinceReferenceDate: row.date.rounded(.down)),
    ] as [String: Any]
}
try write(propertyList(rows, .binary), "highscores.plist")
try write(propertyList(rows, .xml), "highscores.xml.plist")
let preferences: [String: Any] = [
    "currentLevel": 12, "gems": 340, "musicVolume": 0.75, "lastPlayed": Date(timeIntervalSinceReferenceDate: 273_933_296.789),
    "playerName": "Ada", "hintsShown": true, "unlockedLevels": ["Swamp", "Crypt", "Zoë’s Keep"],
    "deviceToken": Data([0x0F, 0xBD, 0x77, 0x1C, 0x00, 0xFF]),
]
try write(propertyList(preferences, .binary), "preferences.plist")
// An archive and a table of scores as data values, as stored by `setObject:forKey:`.
let slots: [String: Any] = [
    "lastSlot": 1, "savedGame": try Data(contentsOf: folder.appendingPathComponent("swamp.save")),
    "HighScores": try propertyList(rows, .binary),
]
try write(propertyList(slots, .binary), "slots.plist")
let defaults: [String: Any] = [
    "currentLevel": 1, "gems": 0, "musicVolume": 0.75, "hintsShown": false, "soundOn": true,
    "unlockedLevels": ["Swamp"], "controls": ["leftHanded": false, "sensitivity": 0.5] as [String: Any],
]
try write(propertyList(defaults, .xml), "defaults.plist")
let grabthar: [String: Any] = [
    "playerName": "Grabthar", "weaponType": "hammer", "hitPoints": 87,
    "currentQuests": ["Save the Thermians", "Find the Omega 13"],
]
try write(
    JSONSerialization.data(withJSONObject: grabthar, options: [.prettyPrinted, .sortedKeys]) + Data("\n".utf8),
    "grabthar.json")
