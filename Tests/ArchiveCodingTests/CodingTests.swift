@testable import ArchiveCoding
import Foundation
@testable import KeyedArchives
import SaveCodec
import Testing

/// Swift values survive a round trip through an archive and are stored as NSKeyedArchiver would store them.
@Suite struct CodingTests {
    struct Everything: Codable, Equatable {
        enum Weapon: String, Codable { case sword, bow }
        enum Level: Int, Codable { case low = 1, high = 2 }
        enum Event: Codable, Equatable {
            case moved(x: Float, y: Float)
            case died
        }

        var yes = true
        var small: Int8 = -128
        var large = UInt64.max
        var huge = Int128.min
        var half: Float = 0.5
        var tenth = 0.1
        var text = "é\u{301}日本\u{0}"
        var none: Int?
        var some: String? = "some"
        var weapon = Weapon.bow
        var level = Level.high
        var events = [Event.moved(x: 1, y: -0.25), .died]
        var holes: [Int?] = [1, nil, 3]
        var nested = [[1, 2], [], [3]]
        var byName = ["a": 1.5, "b": 2]
        var byNumber = [7: "seven", -1: "minus one"]
        var byWeapon = [Weapon.sword: 3]
        var set: Set<Int> = [1, 2, 3]
        var date = Date(timeIntervalSinceReferenceDate: 273_933_296.789)
        var data = Data([0, 1, 0xFF])
        var ownDate = ArchivedDate(secondsSince2001: -0.001)
        var ownData = ArchivedData([1, 2, 3])
        var bytes: [UInt8] = [1, 2, 3]
        var identity = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        @Boxed var boxed: Float = 1.5
        @Boxed var boxedNone: Bool?
        @Mutable var list = ["x"]
        @Mutable var table = ["x": 1]
        @Mutable var tags: Set<String> = ["x"]
        @Mutable var name = "mutable"
        @Mutable var blob = ArchivedData([9])
        var `class` = "$null"
    }

    @Test(arguments: KeyedArchiveEncoder.OutputFormat.allCases)
    func roundTripsEveryKindOfValue(_ format: KeyedArchiveEncoder.OutputFormat) throws {
        let encoder = KeyedArchiveEncoder()
        encoder.format = format
        var value = Everything()
        // XML can represent neither U+0000 nor integers outside the range of Core Foundation.
        if format == .xml { (value.text, value.huge) = ("é日本", -1) }
        #expect(try KeyedArchiveDecoder().decode(Everything.self, from: encoder.encode(value)) == value)
    }

    struct Keeper: Codable {
        enum CodingKeys: String, CodingKey { case number = "$number", list, weapon, none, date, text, choice }
        var number = 5
        @Mutable var list = [1]
        var weapon = Everything.Weapon.sword
        @Boxed var none: Int?
        var date = Date(timeIntervalSinceReferenceDate: 1)
        @Mutable var text = "t"
        var choice = [Int?.none]
    }

    @Test func storesObjectsLikeNSKeyedArchiver() throws {
        let encoder = KeyedArchiveEncoder()
        encoder.setClassName("Game.Keeper", chain: ["Game.Keeper", "Base", "NSObject"], for: Keeper.self)
        #expect(
            try ArchiveOutline.text(encoder.encode(Keeper())) == """
                {
                  root: → #1 {
                    $$number: integer 5
                    $class: → {
                      $classes: [
                        "Game.Keeper"
                        "Base"
                        "NSObject"
                      ]
                      $classname: "Game.Keeper"
                    }
                    choice: → #3 {
                      $class: → {
                        $classes: [
                          "NSArray"
                          "NSObject"
                        ]
                        $classname: "NSArray"
                      }
                      NS.objects: [
                        → #5 {
                          $class: → {
                            $classes: [
                              "NSNull"
                              "NSObject"
                            ]
                            $classname: "NSNull"
                          }
                        }
                      ]
                    }
                    date: → #7 {
                      $class: → {
                        $classes: [
                          "NSDate"
                          "NSObject"
                        ]
                        $classname: "NSDate"
                      }
                      NS.time: real64(1.0)
                    }
                    list: → #9 {
                      $class: → {
                        $classes: [
                          "NSMutableArray"
                          "NSArray"
                          "NSObject"
                        ]
                        $classname: "NSMutableArray"
                      }
                      NS.objects: [
                        → integer 1
                      ]
                    }
                    none: → "$null"
                    text: → #11 {
                      $class: → {
                        $classes: [
                          "NSMutableString"
                          "NSString"
                          "NSObject"
                        ]
                        $classname: "NSMutableString"
                      }
                      NS.string: "t"
                    }
                    weapon: → "sword"
                  }
                }

                """)
    }

    /// Objects are numbered at the first reference and in field order, as NSKeyedArchiver numbers them.
    @Test func ordersObjectsLikeNSKeyedArchiver() throws {
        let document = try Document.read(KeyedArchiveEncoder().encode(Games.swamp), as: .binary)
        guard case .dictionary(let root) = document[document.root],
            let list = root.value(for: "$objects".utf16), case .array(let objects) = document[list]
        else { throw Problem("test", "no objects") }
        let names = objects.map { id in
            switch document[id] {
            case .string(let text): text.string
            case .integer(let integer): integer.value.description
            case .dictionary(let pairs):
                pairs.map { document.text($0.key)?.string ?? "?" }.joined(separator: " ")
            default: "?"
            }
        }
        #expect(
            names == [
                "$null", "currentLevelName eventList.count charList $class", "Swamp", "12", "NS.objects $class",
                "type position.x position.y health $class", "3", "$classname $classes",
                "type position.x position.y health $class", "7", "type position.x position.y health $class",
                "$classname $classes", "$classname $classes",
            ])
    }

    // MARK: Instances

    class Character: Codable, ArchivedClass {
        var name: String
        init(_ name: String) { self.name = name }
        class var archivedClassName: String { "Character" }
        class var archivedClassChain: [String] { ["Character", "NSObject"] }
    }

    final class Enemy: Character {
        var anger = 0
        enum CodingKeys: CodingKey { case anger }
        override class var archivedClassName: String { "Enemy" }
        override class var archivedClassChain: [String] { ["Enemy", "Character", "NSObject"] }

        init(_ name: String, anger: Int) {
            self.anger = anger
            super.init(name)
        }

        required init(from decoder: any Decoder) throws {
            anger = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .anger)
            try super.init(from: decoder)
        }

        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(anger, forKey: .anger)
        }
    }

    @Test func roundTripsRegisteredSubclasses() throws {
        let bytes = try KeyedArchiveEncoder().encode([Character("Ada"), Enemy("Troll", anger: 9)])
        let decoder = KeyedArchiveDecoder()
        decoder.register(Enemy.self)
        decoder.allowedClasses = ["Character"]
        let all = try decoder.decode([Character].self, from: bytes)
        #expect(all.map(\.name) == ["Ada", "Troll"])
        #expect((all[1] as? Enemy)?.anger == 9)
    }

    /// Settings of a decoder also apply to an archive that is already open.
    @Test func appliesSettingsToOpenArchive() throws {
        let decoder = KeyedArchiveDecoder()
        try decoder.open(KeyedArchiveEncoder().encode([Character("Ada"), Enemy("Troll", anger: 9)]))
        decoder.allowedClasses = []
        #expect(throws: Problem.self) { try decoder.decode([Character].self, forKey: "root") }
        decoder.allowedClasses = nil
        decoder.register(Enemy.self)
        #expect((try decoder.decode([Character].self, forKey: "root")[1] as? Enemy)?.anger == 9)
    }

    final class Node: Codable {
        var name: String
        var children: [Node] = []
        @Reference var parent: Node?
        init(_ name: String) { self.name = name }
    }

    @Test func roundTripsCyclesThroughReferences() throws {
        let root = Node("root")
        root.children = [Node("a"), Node("b")]
        for child in root.children { child.parent = root }
        let copy = try KeyedArchiveDecoder().decode(Node.self, from: KeyedArchiveEncoder().encode(root))
        #expect(copy.parent == nil)
        #expect(copy.children.map(\.name) == ["a", "b"])
        #expect(copy.children.allSatisfy { $0.parent === copy })
    }

    /// Encodes a shared node and then fails, unless `isWhole` is set.
    final class Fragile: Encodable {
        struct Broken: Error {}
        let node: Node
        var isWhole: Bool
        enum CodingKeys: CodingKey { case node, list, knot }

        init(_ node: Node, isWhole: Bool = false) {
            self.node = node
            self.isWhole = isWhole
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(node, forKey: .node)
            try container.encode(["only here", "a"], forKey: .list)
            guard isWhole else { throw Broken() }
        }
    }

    /// A root that fails to encode leaves nothing in the archive: no objects, no name, and no record of instances first
    /// seen in it.
    @Test func failedRootLeavesOtherRootsIntact() throws {
        func archive(_ fails: Bool) throws -> [UInt8] {
            let (first, shared) = (Node("first"), Node("shared"))
            shared.children = [first]
            let fragile = Fragile(shared)
            let encoder = KeyedArchiveEncoder()
            try encoder.encode(first, forKey: "first")
            for _ in 0..<(fails ? 2 : 0) {
                #expect(throws: Problem.self) { try encoder.encode(fragile, forKey: "second") }
                #expect(throws: Problem.self) { try encoder.encode(first, forKey: "first") }
            }
            fragile.isWhole = true
            try encoder.encode(fragile, forKey: "second")
            try encoder.encode(shared, forKey: "third")
            return try encoder.finish()
        }
        let whole = try archive(false)
        #expect(try archive(true) == whole)
        let decoder = KeyedArchiveDecoder()
        #expect(try decoder.decode(Node.self, from: whole, forKey: "third").children.map(\.name) == ["first"])
    }

    @Test func failedFirstRootLeavesNoObjects() throws {
        let encoder = KeyedArchiveEncoder()
        #expect(throws: Problem.self) { try encoder.encode(Fragile(Node("a")), forKey: "root") }
        let archive = try KeyedArchive(encoder.finishDocument())
        #expect(archive.count == 1)
        #expect(archive.findings.isEmpty)
    }

    struct Refused: Encodable, Sendable, CustomTestStringConvertible {
        var text = "t"
        var number: Int128 = 0
        var real = 0.0
        var testDescription: String { "\(text.utf8.count) \(number) \(real)" }
    }

    /// The encoder refuses to write XML from which another value would be read.
    @Test(arguments: [
        (Refused(text: "a\u{1}"), "loss.character"), (Refused(number: 1 << 80), "loss.integer-range"),
        (Refused(real: -.nan), "loss.nan"),
    ])
    func rejectsValuesThatXMLCannotRepresent(_ value: Refused, _ id: String) throws {
        let encoder = KeyedArchiveEncoder()
        _ = try encoder.encode(value)
        encoder.format = .xml
        let problem = #expect(throws: Problem.self) { try encoder.encode(value) }
        #expect(problem?.id == id)
        #expect(problem?.address != nil)
        _ = try encoder.encode(Refused())
    }

    /// An archive that XML cannot represent can still be finished as binary.
    @Test func finishingInAnotherFormat() throws {
        let encoder = KeyedArchiveEncoder()
        try encoder.encode(Refused(text: "a\u{1}"), forKey: "one")
        let expected = try encoder.finish()
        try encoder.encode(Refused(text: "a\u{1}"), forKey: "one")
        encoder.format = .xml
        #expect(throws: Problem.self) { try encoder.finish() }
        encoder.format = .binary
        #expect(try encoder.finish() == expected)
    }

    final class Knot: Codable {
        var next: Knot?
    }

    @Test func rejectsOtherCycles() throws {
        let knot = Knot()
        knot.next = Knot()
        knot.next?.next = knot
        let bytes = try KeyedArchiveEncoder().encode(knot)
        knot.next = nil
        let problem = #expect(throws: Problem.self) { try KeyedArchiveDecoder().decode(Knot.self, from: bytes) }
        #expect(
            problem?.description
                == "/root/next/next: the object contains itself; declare the property that refers back with @Reference")
    }

    struct Inner: Codable, Equatable {
        var a: Int
        enum CodingKeys: CodingKey { case a, nested, list, `super` }
        init(a: Int) { self.a = a }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let nested = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .nested)
            var list = try nested.nestedUnkeyedContainer(forKey: .list)
            _ = try list.decode(Int.self)
            a = try container.superDecoder().singleValueContainer().decode(Int.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            var nested = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .nested)
            var list = nested.nestedUnkeyedContainer(forKey: .list)
            try list.encode(a)
            var above = container.superEncoder().singleValueContainer()
            try above.encode(a)
        }
    }

    @Test func roundTripsNestedContainers() throws {
        #expect(
            try KeyedArchiveDecoder().decode(Inner.self, from: KeyedArchiveEncoder().encode(Inner(a: 3))) == Inner(a: 3)
        )
    }

    // MARK: Reading by hand

    @Test func decodesValuesManually() throws {
        let archive = try KeyedArchive(Document.read(KeyedArchiveEncoder().encode(Games.swamp), as: .binary))
        #expect(archive.roots.map(\.key) == ["root"])
        let map = try archive.root()
        #expect(map.className == "Map")
        #expect(map.classChain == ["Map", "NSObject"])
        #expect(try map.fields.map(\.name) == ["currentLevelName", "eventList.count", "charList"])
        #expect(try map["currentLevelName"].string == "Swamp")
        let players = try map["charList"].array
        #expect(try players.map { try $0["health"].integer } == [100, 55, 0])
        #expect(try players.map { try $0["position.x"].float } == [10.5, -3.75, 128])
        #expect(try players[0]["type"].id == players[2]["type"].id)
        #expect(try players[1]["type"].address.description == "/root/charList/1/type")
        #expect(map.field("nothing")?.address == nil)
    }

    /// Hash tables change their order in every run, but archives must not.
    @Test func writesUnorderedCollectionsInStableOrder() throws {
        enum Letter: String, Codable, CaseIterable { case a, b, c, d, e, f, g, h }
        struct Tile: Codable, Hashable { let x, y: Int }
        let encoder = KeyedArchiveEncoder()
        try encoder.encode(Set(Letter.allCases), forKey: "letters")
        try encoder.encode(Dictionary(uniqueKeysWithValues: Letter.allCases.map { ($0, 1) }), forKey: "table")
        try encoder.encode(Set((0..<8).map { Tile(x: $0, y: -$0) }), forKey: "tiles")
        let archive = try KeyedArchive(encoder.finishDocument())
        let letters = Letter.allCases.map(\.rawValue)
        #expect(try archive.root("letters").array.map { try $0.string } == letters)
        #expect(try archive.root("table").pairs.map { try $0.key.string } == letters)
        #expect(try archive.root("tiles").array.map { try $0["x"].integer } == Array(0..<8))
    }
}
