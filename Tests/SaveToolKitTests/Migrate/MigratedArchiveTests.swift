import Foundation
import TestSupport
import Testing

/// Tests that Foundation reads a save that it wrote as version 1 of a game after two rules files have migrated it to
/// version 3.
@Suite struct MigratedArchiveTests {
    private static let rules = [
        "1.json": #"""
        {"version": "/root/version", "from": 1, "to": 2, "rules": [
          {"renameClass": "SaveToolKitTests.OldWorld", "to": "Kit.World"}, {"renameClass": "SaveToolKitTests.OldPlayer", "to": "Kit.Hero"},
          {"renameField": "hp", "of": "Kit.Hero", "to": "life"}, {"moveRoot": "extra", "to": "pet"}]}
        """#,
        "2.json": #"""
        {"version": "/root/version", "from": 2, "to": 3, "rules": [
          {"convertField": "life", "of": "Kit.Hero", "type": "real", "multiplyBy": 0.01},
          {"convertField": "gold", "of": "Kit.Hero", "stored": "object"},
          {"addField": "friends", "of": "Kit.Hero", "value": {"$class": "NSMutableArray", "$elements": ["Sam"]}},
          {"setAncestors": "Kit.Hero", "to": ["Kit.Being", "NSObject"]}, {"dropField": "cheat", "of": "Kit.Being"}]}
        """#,
    ]

    private static func archive() throws -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.encode(OldWorld(), forKey: "root")
        archiver.encode("Rex", forKey: "extra")
        archiver.finishEncoding()
        return archiver.encodedData
    }

    @Test(arguments: [nil, "xml", "json"] as [String?])
    func foundationReadsMigratedArchive(_ format: String?) throws {
        let workspace = try Workspace()
        for (name, text) in Self.rules { try workspace.write(text, to: "rules-" + name) }
        try Data(Self.archive()).write(to: workspace.folder.appending(path: "old.save"))
        if let format {
            #expect(workspace.run(["convert", "-i", "--allow-loss", "--to", format, "old.save"]).status == 0)
        }
        let arguments = ["migrate", "-iq", "rules-1.json", "--rules", "rules-2.json", "old.save"]
        #expect(workspace.run(arguments) == Workspace.Result(status: 0, output: ""))
        let migrated = try workspace.bytes(of: "old.save")
        #expect(workspace.run(arguments) == Workspace.Result(status: 0, output: ""))
        #expect(try workspace.bytes(of: "old.save") == migrated, "once is enough")
        if format == "json" { _ = workspace.run(["convert", "-i", "--to", "binary", "old.save"]) }

        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(workspace.bytes(of: "old.save")))
        unarchiver.requiresSecureCoding = false
        unarchiver.setClass(NewWorld.self, forClassName: "Kit.World")
        unarchiver.setClass(NewHero.self, forClassName: "Kit.Hero")
        let world = try #require(unarchiver.decodeObject(forKey: "root") as? NewWorld)
        #expect(world.version == 3)
        #expect(world.heroes.map(\.life) == [1, 0.55])
        #expect(world.heroes.map(\.speed) == [0.1, 0.1])
        #expect(world.heroes.map(\.gold) == [7, 7])
        #expect(world.heroes.map(\.friends) == [["Sam"], ["Sam"]])
        #expect(world.heroes.first?.friends !== world.heroes.last?.friends)
        #expect(world.heroes.allSatisfy { !$0.hasCheat })
        #expect(unarchiver.decodeObject(forKey: "pet") as? String == "Rex")
    }

    // MARK: The corpus

    /// Renaming a class changes nothing else. Foundation reads the stored objects for comparison, but does not expose
    /// their UIDs.
    @Test func keepsOtherValuesOfCorpus() throws {
        let workspace = try Workspace()
        for file in try TestFiles.corpusSample() {
            let before = try Data(contentsOf: file)
            // Larger files add no further cases.
            guard before.count < 10_000, let stored = Self.stored(before), let name = stored.name else { continue }
            try before.write(to: workspace.folder.appending(path: "a"))
            let result = workspace.run(["rename-class", "--opaque", name, "Kit.Renamed", "a", "-o", "b"])
            // The tool does not change archives that it finds invalid.
            guard result.status == 0 else { continue }
            let after = try #require(Self.stored(Data(workspace.bytes(of: "b"))))
            #expect(after.renamed(from: "Kit.Renamed", to: name).isEqual(stored.objects), "\(file.lastPathComponent)")
        }
    }

    /// The objects of an archive as Foundation reads them, and the name of the first class.
    private struct Stored {
        let objects: [Any]
        var name: String? { objects.lazy.compactMap { ($0 as? [String: Any])?["$classname"] as? String }.first }

        /// Returns the objects with the new class name replaced by the old one.
        func renamed(from new: String, to old: String) -> NSArray {
            objects.map { object -> Any in
                guard var record = object as? [String: Any], record["$classname"] is String else { return object }
                for key in ["$classes", "$classhints"] {
                    if let names = record[key] as? [String] { record[key] = names.map { $0 == new ? old : $0 } }
                }
                if record["$classname"] as? String == new { record["$classname"] = old }
                return record
            } as NSArray
        }
    }

    private static func withoutUIDs(_ value: Any) -> Any {
        switch value {
        case let array as [Any]: array.map(withoutUIDs)
        case let dictionary as [String: Any]: dictionary.mapValues(withoutUIDs)
        case is NSString, is NSNumber, is NSData, is NSDate, is String, is Data, is Date, is Int, is Double, is Bool:
            value
        default: "UID"
        }
    }

    private static func stored(_ data: Data) -> Stored? {
        let list = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        return (list?["$objects"] as? [Any]).map { Stored(objects: $0.map(withoutUIDs)) }
    }
}

// MARK: - Classes of the game

final class OldWorld: NSObject, NSCoding {
    override init() {}
    init?(coder: NSCoder) {}

    func encode(with coder: NSCoder) {
        coder.encode(1, forKey: "version")
        coder.encode([OldPlayer(100), OldPlayer(55)] as NSArray, forKey: "players")
    }
}

final class OldPlayer: NSObject, NSCoding {
    private let health: Int32

    init(_ health: Int32) { self.health = health }
    init?(coder: NSCoder) { health = 0 }

    func encode(with coder: NSCoder) {
        coder.encode(health, forKey: "hp")
        coder.encode(Float(0.1), forKey: "speed")
        coder.encode(7, forKey: "gold")
        coder.encode("SaveToolKitTests.OldPlayer", forKey: "cheat")
    }
}

private final class NewWorld: NSObject, NSCoding {
    let version: Int
    let heroes: [NewHero]

    init?(coder: NSCoder) {
        version = coder.decodeInteger(forKey: "version")
        heroes = coder.decodeObject(forKey: "players") as? [NewHero] ?? []
    }

    func encode(with coder: NSCoder) {}
}

private final class NewHero: NSObject, NSCoding {
    let life: Double
    let speed: Float
    let gold: Int?
    let friends: NSMutableArray?
    let hasCheat: Bool

    init?(coder: NSCoder) {
        life = coder.decodeDouble(forKey: "life")
        speed = coder.decodeFloat(forKey: "speed")
        gold = (coder.decodeObject(forKey: "gold") as? NSNumber)?.intValue
        friends = coder.decodeObject(forKey: "friends") as? NSMutableArray
        hasCheat = coder.containsValue(forKey: "cheat")
    }

    func encode(with coder: NSCoder) {}
}
