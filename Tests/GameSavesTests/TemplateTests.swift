@testable import ArchiveCoding
import Foundation
@testable import GameSaves
@testable import KeyedArchives
import SaveCodec
@testable import SaveOperations
import TestSupport
import Testing

/// Values that are decoded into Swift types, changed and encoded again keep their storage in the file.
@Suite struct TemplateTests {
    struct Map: Codable {
        var currentLevelName: String
        var eventCount: Int
        var charList: [Player]

        enum CodingKeys: String, CodingKey {
            case currentLevelName
            case eventCount = "eventList.count"
            case charList
        }
    }

    struct Player: Codable, Equatable {
        var type: Int
        var x: Double
        var y: Double
        var health: Int

        enum CodingKeys: String, CodingKey {
            case type, health
            case x = "position.x"
            case y = "position.y"
        }
    }

    private static func bytes(_ name: String) throws -> [UInt8] {
        try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/\(name)"))
    }

    /// Returns all differences, including storage.
    private static func differences(_ old: [UInt8], _ new: [UInt8]) throws -> [String] {
        try GameSave(old).changes(to: GameSave(new)).map(\.description)
    }

    /// Returns the archive that graph JSON describes.
    private static func archive(_ top: String, classes: String = "{}") throws -> KeyedArchive {
        let text =
            #"{"$archiver": "NSKeyedArchiver", "$version": 100000, "$classes": \#(classes), "$top": \#(top)}"#
        return try KeyedArchive(Array(text.utf8))
    }

    /// Decodes a value, changes it and encodes it again.
    ///
    /// - Returns: The differences, the warnings and the new file.
    private static func edited<Value: Codable>(
        _ archive: KeyedArchive, as type: Value.Type, forKey key: String = "root",
        _ prepare: (KeyedArchiveDecoder) -> Void = { _ in }, _ edit: (inout Value) -> Void
    ) throws -> (changes: [String], warnings: [String], bytes: [UInt8]) {
        let decoder = KeyedArchiveDecoder()
        prepare(decoder)
        decoder.open(archive)
        var value = try decoder.decode(type, forKey: key)
        edit(&value)
        let encoder = KeyedArchiveEncoder(like: archive)
        try encoder.encode(value, forKey: key)
        let new = try encoder.finish()
        return (try differences(archive.document.bytes(as: .binary), new), encoder.warnings.map(\.description), new)
    }

    // MARK: The game's round trip

    @Test(arguments: ["swamp.save", "swamp.xml.save"]) func replacesOneField(name: String) throws {
        let archive = try KeyedArchive(Self.bytes(name))
        let result = try Self.edited(archive, as: Map.self) { $0.charList[0].health = 55 }
        #expect(result.changes == ["changed /root/charList/0/health: 100 → 55"])
        #expect(result.warnings.isEmpty)
        try GameClient.check(result.bytes)
        let same = try Self.edited(archive, as: Map.self) { _ in }
        #expect(same.changes.isEmpty)
    }

    @Test func replacing() throws {
        let save = try GameSave(Self.bytes("swamp.save"))
        var map = try KeyedArchiveDecoder().decode(Map.self, from: #require(save.value(at: "/root")))
        map.charList[0].health = 55
        let changed = try save.replacing("/root", with: map)
        #expect(try Self.differences(save.bytes, changed.bytes) == ["changed /root/charList/0/health: 100 → 55"])
        #expect(changed.warnings.isEmpty)
        try GameClient.check(changed.bytes)
        #expect(
            try save.replacing(
                "/root", with: KeyedArchiveDecoder().decode(Map.self, from: #require(save.value(at: "/root")))
            ).bytes == save.bytes)
        // One element of an array, and one field.
        var player = map.charList[1]
        player.type = 8
        let other = try save.replacing("/root/charList/1", with: player)
        #expect(try Self.differences(save.bytes, other.bytes).count == 1)
        let named = try save.replacing("/root/currentLevelName", with: "Crypt")
        #expect(
            try Self.differences(save.bytes, named.bytes) == [#"changed /root/currentLevelName: "Swamp" → "Crypt""#])
        #expect(throws: Problem.self) { try save.replacing("/root/nothing", with: 5) }
        #expect(throws: Problem.self) { try save.replacing("", with: map) }
        #expect(throws: Problem.self) { try save.replacing("root", with: map) }
    }

    @Test func replacingInNestedSaves() throws {
        let save = try GameSave(Self.bytes("slots.plist"))
        var map = try KeyedArchiveDecoder().decode(Map.self, from: #require(save.value(at: "/savedGame/root")))
        map.charList[0].health = 64
        let changed = try save.replacing("/savedGame/root", with: map)
        #expect(
            try save.changes(to: changed).map(\.description) == ["changed /savedGame/root/charList/0/health: 100 → 64"])
    }

    // MARK: Unchanged parts

    private static let people = #"""
        {"root": {"$class": "Team", "name": "Reds", "score": {"$object": 5}, "rate": {"$real32": 0.5}, "big": 0.1,
          "flag": true, "secret": {"$class": "NSMutableArray", "$elements": [1, 2]},
          "list": {"$class": "NSMutableArray", "$elements": [
            {"$class": "Person", "$id": 7, "id": 1, "hp": {"$object": 9}, "extra": "a"},
            {"$class": "Boss", "id": 2, "hp": {"$object": 9}, "extra": "b"},
            {"$class": "Person", "id": 3, "hp": {"$object": 8}, "extra": "c"}]},
          "leader": {"$ref": 7}, "weapon": "axe", "title": {"$class": "NSMutableString", "NS.string": {"$inline": "Sir"}}},
         "other": "kept"}
        """#
    private static let peopleClasses =
        #"{"Team": ["Team", "NSObject"], "Person": ["Person", "NSObject"], "Boss": ["Boss", "Person", "NSObject"]}"#

    struct Team: Codable {
        var name: String
        var score: Int
        var rate: Double
        var big: Double
        var flag: Int
        var list: [Person]
        var leader: Person
        var weapon: String?
        var title: String
    }

    struct Person: Codable {
        var id: Int
        var hp: Int
        var note: String?
    }

    /// Each edit of a program, with the resulting changes in the file.
    private static let edits: [(edit: @Sendable (inout Team) -> Void, changes: [String], warnings: [String])] = [
        ({ _ in }, [], []),
        ({ $0.score = 6 }, ["changed /root/score: 5 → 6"], []),
        ({ $0.rate = 0.25 }, ["changed /root/rate: 0.5 → 0.25"], []),
        ({ $0.big = 1 }, ["changed /root/big: 0.1 → 1.0"], []),
        ({ $0.flag = 0 }, ["changed /root/flag: true → false"], []),
        ({ $0.title = "Lady" }, [#"changed /root/title: "Sir" → "Lady""#], []),
        ({ $0.weapon = nil }, [#"changed /root/weapon: "axe" → nil"#], []),
        ({ $0.list[1].hp = 1 }, ["changed /root/list/1/hp: 9 → 1"], []),
        ({ $0.list.remove(at: 1) }, ["removed /root/list/1: Boss, 3 fields"], []),
        ({ $0.list.swapAt(1, 2) }, ["moved /root/list/2, previously at /root/list/1"], []),
        (
            { $0.rate = 0.1 }, ["changed /root/rate: 0.5 → 0.1"],
            ["/root/rate: the number was rounded to 32 bits, as in the template"]
        ),
    ]

    @Test(arguments: edits.indices) func keepsStorageOfFields(index: Int) throws {
        let (edit, changes, warnings) = Self.edits[index]
        let archive = try Self.archive(Self.people, classes: Self.peopleClasses)
        let result = try Self.edited(archive, as: Team.self) { edit(&$0) }
        #expect(result.changes == changes)
        #expect(result.warnings == warnings)
    }

    /// One object in two slots is decoded into two structs; it stays one object if they are equal.
    @Test func sharedObjects() throws {
        let archive = try Self.archive(Self.people, classes: Self.peopleClasses)
        let both = try Self.edited(archive, as: Team.self) {
            $0.list[0].hp = 3
            $0.leader.hp = 3
        }
        let changed = try KeyedArchive(both.bytes).root()
        #expect(try changed["leader"].id == changed["list"].array[0].id)
        #expect(both.warnings.isEmpty)
        let one = try Self.edited(archive, as: Team.self) { $0.leader.hp = 3 }
        let split = try KeyedArchive(one.bytes).root()
        #expect(try split["leader"].id != split["list"].array[0].id)
        #expect(try split["leader"]["hp"].integer == 3 && split["list"].array[0]["hp"].integer == 9)
        #expect(one.warnings.count == 1)
    }

    /// A new record is stored like others of its class, and a new field is reported.
    @Test func newRecordsAndFields() throws {
        let archive = try Self.archive(Self.people, classes: Self.peopleClasses)
        let added = try Self.edited(archive, as: Team.self) { $0.list.insert(Person(id: 4, hp: 2), at: 0) }
        let first = try KeyedArchive(added.bytes).root()["list"].array[0]
        #expect(first.classChain == ["Person", "NSObject"])
        #expect(added.changes == ["added /root/list/0: Person, 2 fields"])
        #expect(added.warnings.isEmpty)
        let noted = try Self.edited(archive, as: Team.self) { $0.list[2].note = "new" }
        #expect(
            noted.warnings == [
                "/root/list/2/note: no Person in the template has the field note; the encoded value is stored unchanged"
            ]
        )
    }

    @Test func keepsKeysOfRoots() throws {
        struct Score: Codable {
            // swift-format-ignore: AlwaysUseLowerCamelCase
            var Name: String
            // swift-format-ignore: AlwaysUseLowerCamelCase
            var TotalScore: Int
            // swift-format-ignore: AlwaysUseLowerCamelCase
            var DateRecorded: Date
        }
        let archive = try KeyedArchive(Self.bytes("highscores.archive"))
        let decoder = KeyedArchiveDecoder()
        decoder.checksClasses = false
        decoder.open(archive)
        var scores = try decoder.decode([Score].self, forKey: "HighScores")
        let last = scores.removeLast()
        scores.insert(Score(Name: "Ada", TotalScore: last.TotalScore + 1, DateRecorded: last.DateRecorded), at: 0)
        let encoder = KeyedArchiveEncoder(like: archive)
        let new = try encoder.encode(scores)
        let table = try KeyedArchive(new).root("HighScores").array
        #expect(table.map(\.className) == Array(repeating: "HighScoreRecord", count: table.count))
        let changes = try Self.differences(Self.bytes("highscores.archive"), new)
        #expect(changes.count == 2, "\(changes)")
        #expect(encoder.warnings.isEmpty, "\(encoder.warnings)")
    }

    // MARK: Property lists

    struct Preferences: Codable {
        var gems: Int
        var list: [Entry]

        struct Entry: Codable {
            var name: String
            var points: Double
        }
    }

    @Test func keepsOtherValuesOfPropertyLists() throws {
        let text = """
            <plist version="1.0">
            <dict><!-- how many -->
            <key>gems</key>  <integer>5</integer>
            <key>unknown</key><date>2009-09-06T12:34:56Z</date>
            <key>list</key><array>
              <dict><key>name</key><string>Ada</string><key>points</key><integer>3</integer><key>more</key><true/></dict>
              <dict><key>points</key><real>2</real><key>name</key><string>Bo</string></dict>
            </array></dict></plist>

            """
        let save = try GameSave(Array(text.utf8))
        var value = try PlistDecoder().decode(Preferences.self, from: save.bytes)
        #expect(try save.replacing("", with: value).bytes == save.bytes)
        value.gems = 7
        value.list[0].points = 4
        let changed = try save.replacing("", with: value)
        #expect(
            String(decoding: changed.bytes, as: UTF8.self)
                == text.replacing(">5<", with: ">7<").replacing(">3<", with: ">4<"))
        value.list.swapAt(0, 1)
        let swapped = try save.replacing("", with: value)
        #expect(swapped.value(at: "/list/1/more") != nil && swapped.value(at: "/list/0/more") == nil)
        let one = try save.replacing("/list/1", with: value.list[0])
        #expect(one.bytes == save.bytes)
        let document = try Document.read(save.bytes, as: .xml)
        let encoded = try PlistEncoder(like: document).encodeDocument(value)
        #expect(try GameSave(swapped.bytes).changes(to: GameSave(encoded.bytes(as: .xml))).isEmpty)
    }

    // MARK: Other types

    /// Points with another spelling, sets in another order, and classes with another name keep their stored form.
    @Test func keepsStorageThatTypesLack() throws {
        struct Shape: Codable {
            var p: ArchivedPoint
            var s: Set<String>
            var n: Int
        }
        let archive = try Self.archive(
            #"{"root": {"$class": "Old.Form", "p": "{1.0, 2.50}", "s": {"$class": "NSMutableSet", "$elements": ["c", "a", "b"]}, "n": 1}}"#,
            classes: #"{"Old.Form": ["Old.Form", "NSObject"]}"#)
        let same = try Self.edited(archive, as: Shape.self, forKey: "root", { $0.checksClasses = false }, { _ in })
        #expect(same.bytes == (try archive.document.bytes(as: .binary)))
        let moved = try Self.edited(archive, as: Shape.self, forKey: "root", { $0.checksClasses = false }) {
            $0.p.x = 3
            $0.s.remove("a")
        }
        #expect(moved.changes == [#"changed /root/p: "{1.0, 2.50}" → "{3, 2.5}""#, #"removed /root/s/1: "a""#])
        #expect(moved.warnings.isEmpty)
    }

    @Test func instancesAndCycles() throws {
        final class Node: Codable {
            var name: String
            var children: [Node]
            @Reference var parent: Node?
        }
        let archive = try Self.archive(
            #"{"root": {"$class": "Node", "$id": 1, "name": "a", "parent": null, "children": [{"$class": "Node", "name": "b", "parent": {"$ref": 1}, "children": [], "rest": 5}]}}"#,
            classes: #"{"Node": ["Node", "NSObject"]}"#)
        let same = try Self.edited(archive, as: Node.self) { _ in }
        #expect(same.bytes == (try archive.document.bytes(as: .binary)))
        let renamed = try Self.edited(archive, as: Node.self) { $0.children[0].name = "c" }
        #expect(renamed.changes == [#"changed /root/children/0/name: "b" → "c""#])
    }

    /// Archives of all kinds survive decoding into a generic type and encoding.
    @Test func keepsUnchangedFiles() throws {
        let fixtures = try ["archives-tricky", "games"].flatMap {
            try TestFiles.files(under: TestFiles.fixtures.appending(path: $0))
        }
        let corpus = try TestFiles.folder("SAVETOOL_CORPUS").map { try TestFiles.files(under: $0) } ?? []
        var count = 0
        for file in fixtures + TestScale.sample(of: corpus) {
            guard let bytes = try? TestFiles.bytes(file.url), let archive = try? KeyedArchive(bytes),
                let save = try? GameSave(bytes), save.view.archive != nil
            else { continue }
            let decoder = KeyedArchiveDecoder()
            decoder.checksClasses = false
            decoder.userInfo[Anything.view] = ObjectView(archive)
            (decoder.limits.expansionFactor, decoder.limits.expansionFloor) = (2, 10_000)
            decoder.open(archive)
            for key in decoder.rootKeys {
                // Cycles and non-string keys need other types.
                guard let value = try? decoder.decode(Anything.self, forKey: key) else { continue }
                let encoder = KeyedArchiveEncoder(like: archive)
                do {
                    try encoder.encode(value, forKey: key)
                    let new = try encoder.finish()
                    // Containers stored in place, in damaged objects, become objects, with a warning.
                    let isSame = try new == archive.document.bytes(as: .binary)
                    #expect(isSame || !encoder.warnings.isEmpty, "\(file.name): \(key)")
                    count += 1
                } catch {
                    #expect(archive.archiver.string == "NSArchiver", "\(file.name): \(error)")
                }
            }
        }
        #expect(count > 10)
    }

    // MARK: Hostile templates

    @Test func readsDeepTemplatesIteratively() throws {
        var builder = KeyedArchiveBuilder()
        let node = builder.addClass("Node", chain: ["Node", "NSObject"])
        var next = UID.null
        let count = TestScale.count(20_000, long: 100_000)
        for depth in 0..<count {
            let uid = builder.reserve()
            builder.begin(uid, of: node)
            builder.contents.add(string: "next")
            builder.refer(to: next)
            builder.contents.add(string: "depth")
            builder.contents.add(integer: Int128(depth))
            builder.end()
            next = uid
        }
        builder.addTop(root: next)
        struct Node: Codable { var depth: Int }
        let archive = try KeyedArchive(builder.finish())
        let encoder = KeyedArchiveEncoder(like: archive)
        let bytes = try encoder.encode(Node(depth: 5))
        let changed = try KeyedArchive(bytes)
        #expect(changed.count == archive.count)
        #expect(try changed.root()["depth"].integer == 5)
        #expect(try changed.root()["next"]["depth"].integer == Int128(count - 2))
    }
}

/// Any value, as numbers, texts, lists and fields.
private indirect enum Anything: Codable {
    case none
    case number(Double)
    case text(String)
    case date(ArchivedDate)
    case data(ArchivedData)
    case list([Anything])
    case fields([(String, Anything)])

    /// The user info key of the archive's view, which finds the form of a value without catching errors.
    // swift-format-ignore: NeverForceUnwrap
    static let view = CodingUserInfoKey(rawValue: "view")!

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        guard let value = decoder.archivedValue, let view = decoder.userInfo[Self.view] as? ObjectView else {
            throw CocoaError(.coderReadCorrupt)
        }
        if value.isNil {
            self = .none
            return
        }
        let single = try decoder.singleValueContainer()
        switch view[value.id].variant {
        case .scalar(.string): self = .text(try single.decode(String.self))
        case .scalar(.date): self = .date(try single.decode(ArchivedDate.self))
        case .scalar(.data): self = .data(try single.decode(ArchivedData.self))
        case .scalar: self = .number(try single.decode(Double.self))
        case .array, .set:
            var list = try decoder.unkeyedContainer()
            var elements: [Anything] = []
            while !list.isAtEnd { elements.append(try list.decode(Anything.self)) }
            self = .list(elements)
        case .dictionary, .object:
            let fields = try decoder.container(keyedBy: Key.self)
            self = .fields(try fields.allKeys.map { ($0.stringValue, try fields.decode(Anything.self, forKey: $0)) })
        }
    }

    func encode(to encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        switch self {
        case .none: try single.encodeNil()
        case .number(let number): try single.encode(number)
        case .text(let text): try single.encode(text)
        case .date(let date): try single.encode(date)
        case .data(let data): try single.encode(data)
        case .list(let elements):
            var list = encoder.unkeyedContainer()
            for element in elements { try list.encode(element) }
        case .fields(let pairs):
            var fields = encoder.container(keyedBy: Key.self)
            for (name, value) in pairs { try fields.encode(value, forKey: Key(stringValue: name)) }
        }
    }
}

/// A game that reads its save with Foundation.
private enum GameClient {
    final class Map: NSObject, NSCoding {
        let name: String?
        let count: NSNumber?
        let players: [Player]?

        init?(coder: NSCoder) {
            name = coder.decodeObject(forKey: "currentLevelName") as? String
            count = coder.decodeObject(forKey: "eventList.count") as? NSNumber
            players = coder.decodeObject(forKey: "charList") as? [Player]
        }

        func encode(with coder: NSCoder) {}
    }

    final class Player: NSObject, NSCoding {
        let type: NSNumber?
        let x: Float
        let health: Int

        init?(coder: NSCoder) {
            type = coder.decodeObject(forKey: "type") as? NSNumber
            x = coder.decodeFloat(forKey: "position.x")
            health = coder.decodeInteger(forKey: "health")
        }

        func encode(with coder: NSCoder) {}
    }

    static func check(_ bytes: [UInt8]) throws {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes))
        unarchiver.requiresSecureCoding = false
        unarchiver.setClass(Map.self, forClassName: "Map")
        unarchiver.setClass(Player.self, forClassName: "Player")
        let map = try #require(unarchiver.decodeObject(forKey: "root") as? Map)
        #expect(map.name == "Swamp")
        #expect(map.count != nil)
        #expect(map.players?.map(\.health) == [55, 55, 0])
        #expect(map.players?.map(\.x) == [10.5, -3.75, 128])
        #expect(map.players?.allSatisfy { $0.type != nil } ?? false)
    }
}
