import ArchiveCoding
import Foundation
import KeyedArchives
import SaveCodec
import Testing

/// Each type is read only from the classes that match it or that the program registers.
@Suite struct ClassCheckTests {
    struct Player: Codable, Equatable { var health = 7 }
    struct Villain: Codable, Equatable { var health = 9 }

    private func encode(_ value: some Encodable, as name: String, chain: [String]? = nil) throws -> [UInt8] {
        let encoder = KeyedArchiveEncoder()
        encoder.setClassName(name, chain: chain, for: Player.self)
        return try encoder.encode(value)
    }

    @Test(
        arguments: [
            ("Player", nil), ("Swamp.Player", nil), ("Boss", ["Boss", "Game.Player", "NSObject"]),
        ] as [(String, [String]?)]) func decodesTypesFromTheirClass(_ name: String, _ chain: [String]?) throws
    {
        #expect(
            try KeyedArchiveDecoder().decode(Player.self, from: encode(Player(), as: name, chain: chain)) == Player())
        #expect(
            try KeyedArchiveDecoder().decode([Player?].self, from: encode([Player()], as: name, chain: chain))
                == [Player()])
    }

    @Test func rejectsOtherClasses() throws {
        let bytes = try encode([Player()], as: "Game.Player")
        let decoder = KeyedArchiveDecoder()
        let problem = #expect(throws: Problem.self) { try decoder.decode([Villain].self, from: bytes) }
        #expect(problem?.description == "/root/0: found an object of class Game.Player; expected one of class Villain")
        decoder.checksClasses = false
        #expect(try decoder.decode([Villain].self, from: bytes) == [Villain(health: 7)])
        decoder.checksClasses = true
        decoder.register(Villain.self, forClass: "Game.Player")
        #expect(try decoder.decode([Villain].self, from: bytes) == [Villain(health: 7)])
    }

    struct SwampPlayer: Codable, ArchivedClass {
        static let archivedClassName = "Swamp.Player"
        var health = 7
    }

    /// A module is ignored if the other name has none.
    @Test func rejectsClassesOfOtherModules() throws {
        for name in ["Swamp.Player", "Player"] {
            _ = try KeyedArchiveDecoder().decode([SwampPlayer].self, from: encode([Player()], as: name))
        }
        let other = try encode([Player()], as: "Game.Player")
        #expect(throws: Problem.self) { try KeyedArchiveDecoder().decode([SwampPlayer].self, from: other) }
        let generic = try encode([Player()], as: "Game.Box<Swamp.Key>")
        struct Box: Codable, ArchivedClass {
            static let archivedClassName = "Box<Swamp.Key>"
            var health: Int
        }
        #expect(try KeyedArchiveDecoder().decode([Box].self, from: generic)[0].health == 7)
    }

    @Test func asksForUnknownClassOnce() throws {
        final class Names { var asked: [[String]] = [] }
        let names = Names()
        let decoder = KeyedArchiveDecoder()
        decoder.typeForUnknownClass = { name, chain in
            names.asked.append([name] + chain)
            return Villain.self
        }
        let bytes = try encode([Player(), Player()], as: "Old", chain: ["Old", "NSObject"])
        #expect(try decoder.decode([Villain].self, from: bytes).count == 2)
        #expect(names.asked == [["Old", "Old", "NSObject"]])
    }

    class Thing: Codable { var name = "thing" }
    final class Lamp: Thing {}

    /// An archived subclass lists its superclasses, so code that allows or reads a superclass accepts it.
    @Test func archivesSuperclassChains() throws {
        let bytes = try KeyedArchiveEncoder().encode([Lamp()])
        #expect(try KeyedArchive(bytes).root().array[0].classChain == ["Lamp", "Thing", "NSObject"])
        let decoder = KeyedArchiveDecoder()
        decoder.allowedClasses = ["Thing"]
        #expect(try decoder.decode([Thing].self, from: bytes).map(\.name) == ["thing"])
        decoder.register(Lamp.self)
        #expect(try decoder.decode([Thing].self, from: bytes)[0] is Lamp)
    }

    // MARK: Looking at the class

    enum Shape: Codable, Equatable {
        case player(Player), villain(Villain)

        init(from decoder: any Decoder) throws {
            switch decoder.archivedValue?.className {
            case "Player": self = .player(try Player(from: decoder))
            default: self = .villain(try decoder.singleValueContainer().decode(Villain.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .player(let player): try container.encode(player)
            case .villain(let villain): try container.encode(villain)
            }
        }
    }

    @Test func decodesMixedArraysAsEnum() throws {
        let shapes = [Shape.villain(Villain()), .player(Player())]
        let bytes = try KeyedArchiveEncoder().encode(shapes)
        let root = try KeyedArchive(bytes).root()
        #expect(try root.array.map(\.className) == ["Villain", "Player"])
        #expect(try KeyedArchiveDecoder().decode([Shape].self, from: bytes) == shapes)
        #expect(try KeyedArchiveDecoder().decode(Player.self, from: root.array[1]) == Player())
    }

    // MARK: Conditional references

    final class Target: Codable {
        var name: String
        init(_ name: String) { self.name = name }
    }

    final class Missile: Codable {
        @ConditionalReference var first: Target?
        var held: Target?
        @ConditionalReference var second: Target?
        @ConditionalReference var own: Missile?

        init(_ first: Target, held: Target, _ second: Target) {
            self.held = held
            (self.first, self.second) = (first, second)
            own = self
        }
    }

    @Test func conditionalReferencesNeedAnotherReference() throws {
        let (a, b) = (Target("a"), Target("b"))
        let bytes = try KeyedArchiveEncoder().encode(Missile(a, held: a, b))
        let archive = try KeyedArchive(bytes)
        #expect(archive.findings.isEmpty)
        #expect(try archive.root()["second"].isNil)
        let missile = try KeyedArchiveDecoder().decode(Missile.self, from: bytes)
        #expect(missile.first === missile.held)
        #expect(missile.held?.name == "a")
        #expect(missile.second == nil)
        #expect(missile.own === missile)
        // Foundation resolves the references in the same way.
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes))
        unarchiver.requiresSecureCoding = false
        unarchiver.setClass(MissileObject.self, forClassName: "Missile")
        unarchiver.setClass(TargetObject.self, forClassName: "Target")
        let object = try #require(unarchiver.decodeObject(forKey: "root") as? MissileObject)
        #expect(object.first === object.held)
        #expect(object.second == nil)
    }

    @Test func readsConditionalReferencesOfFoundation() throws {
        let (a, b) = (TargetObject(), TargetObject())
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.setClassName("Missile", for: MissileObject.self)
        archiver.setClassName("Target", for: TargetObject.self)
        archiver.encode(MissileObject(a, held: a, b), forKey: "root")
        archiver.finishEncoding()
        let decoder = KeyedArchiveDecoder()
        // Foundation on Linux ignores custom class names.
        decoder.register(Missile.self, forClass: "ArchiveCodingTests.MissileObject")
        decoder.register(Target.self, forClass: "ArchiveCodingTests.TargetObject")
        let missile = try decoder.decode(Missile.self, from: [UInt8](archiver.encodedData))
        #expect(missile.held?.name == "target")
        #expect(missile.first === missile.held)
        #expect(missile.second == nil)
    }
}

final class TargetObject: NSObject, NSCoding {
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) { coder.encode(NSString(string: "target"), forKey: "name") }
}

final class MissileObject: NSObject, NSCoding {
    let first: TargetObject?
    let held: TargetObject?
    let second: TargetObject?

    init(_ first: TargetObject, held: TargetObject, _ second: TargetObject) {
        (self.first, self.held, self.second) = (first, held, second)
    }

    init?(coder: NSCoder) {
        held = coder.decodeObject(forKey: "held") as? TargetObject
        first = coder.decodeObject(forKey: "first") as? TargetObject
        second = coder.decodeObject(forKey: "second") as? TargetObject
    }

    func encode(with coder: NSCoder) {
        coder.encode(held, forKey: "held")
        coder.encodeConditionalObject(first, forKey: "first")
        coder.encodeConditionalObject(second, forKey: "second")
    }
}
