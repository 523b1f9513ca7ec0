import Foundation
import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// An older copy of a damaged save gives what is lost, and nothing else.
@Suite struct OlderCopyTests {
    private static func view(_ text: String) throws -> ObjectView {
        try Save(Array(text.utf8), ReadOptions()).view
    }

    private func json(of salvaged: SalvagedSave) throws -> String {
        String(decoding: try salvaged.save.source.bytes(as: .json), as: UTF8.self).filter { !$0.isWhitespace }
    }

    @Test func fillsALostKey() throws {
        var bytes = try SalvagedSaveTests.binary(
            #"{"player": {"health": 90, "name": "Bob", "gold": 80}, "level": 3, "items": [1, 2]}"#)
        let key = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x56] + Array("health".utf8)) })
        bytes[key] = 0xFF
        let name = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x53] + Array("Bob".utf8)) })
        bytes[name] = 0xFF
        var salvaged = try SalvagedSave(bytes, ReadOptions())
        let older = try Self.view(#"{"player": {"health": 100, "name": "Ann", "gold": 70}, "level": 1, "items": []}"#)
        try salvaged.compare(with: older, fills: true, limits: Limits())
        let text = try json(of: salvaged)
        #expect(text == #"{"player":{"health":90,"name":"Ann","gold":80},"level":3,"items":[1,2]}"#)
        #expect(salvaged.losses.count { $0.counterpart?.isFilled ?? false } == 2)
    }

    /// A filled value is reported at the address that it has afterwards.
    @Test func namesFilledValuesByTheirKeys() throws {
        let keys = ["name", "health", "gold"]
        func text(_ number: Int) -> String {
            let players = (0..<3).map { player in
                "{" + keys.map { "\"\($0)\": \"\($0) \(number) of \(player)\"" }.joined(separator: ", ") + "}"
            }
            return "[" + players.joined(separator: ", ") + "]"
        }
        var bytes = try SalvagedSaveTests.binary(text(1))
        for lost in ["health", "health 1 of 1"] {
            let marker: [UInt8] = lost.utf8.count < 15 ? [UInt8(0x50 + lost.utf8.count)] : []
            let start = try #require(bytes.indices.first { bytes[$0...].starts(with: marker + Array(lost.utf8)) })
            bytes[start] = 0xFF
        }
        var salvaged = try SalvagedSave(bytes, ReadOptions())
        try salvaged.compare(with: Self.view(text(2)), fills: true, limits: Limits())
        #expect(try json(of: salvaged).contains("\"health\":\"health2of1\""))
        let filled = salvaged.losses.filter { $0.counterpart?.isFilled ?? false }
        let addresses = ["/0/health", "/1/health", "/2/health"].compactMap { JSONPointer($0) }
        #expect(Set(filled.compactMap(\.address)) == Set(addresses))
        #expect(filled.contains { $0.counterpart?.text == "the key \"health\" with a string" })
    }

    /// Several keys are known by their positions among the keys that came back.
    @Test func fillsSeveralLostKeys() throws {
        var bytes = try SalvagedSaveTests.binary(#"{"health": 90, "name": "Bob", "gold": 80, "level": 3}"#)
        for text in ["health", "gold"] {
            let marker = UInt8(0x50 + text.utf8.count)
            let key = try #require(bytes.indices.first { bytes[$0...].starts(with: [marker] + Array(text.utf8)) })
            bytes[key] = 0xFF
        }
        func filled(_ older: String) throws -> String {
            var salvaged = try SalvagedSave(bytes, ReadOptions())
            try salvaged.compare(with: Self.view(older), fills: true, limits: Limits())
            return try json(of: salvaged)
        }
        #expect(
            try filled(#"{"health": 100, "name": "Ann", "gold": 70, "level": 1}"#)
                == #"{"health":90,"name":"Bob","gold":80,"level":3}"#)
        // The order or a kind of value differs, or a key is missing.
        for older in [
            #"{"name": "Ann", "health": 100, "gold": 70, "level": 1}"#,
            #"{"health": 100, "level": 1, "gold": 70, "name": "Ann"}"#,
            #"{"health": 100, "name": "Ann", "gold": "x", "level": 1}"#, #"{"health": 100, "name": "Ann", "level": 1}"#,
            #"{"health": 100, "title": "Ann", "gold": 70, "level": 1}"#,
        ] {
            #expect(try filled(older).contains("lostkey"))
        }
    }

    @Test func fillsTheEndOfACutText() throws {
        let bytes = Array(#"{"player": {"health": 90, "gold": 80}, "items": ["axe", "bo"#.utf8)
        var salvaged = try SalvagedSave(bytes, ReadOptions())
        let older = try Self.view(
            #"{"player": {"health": 100, "gold": 70}, "items": ["club", "bow", "hat"], "level": 1}"#)
        try salvaged.compare(with: older, fills: true, limits: Limits())
        let text = try json(of: salvaged)
        #expect(text == #"{"player":{"health":90,"gold":80},"items":["axe","bow","hat"],"level":1}"#)
        #expect(salvaged.losses.count { $0.counterpart?.isFilled ?? false } == 3)
    }

    @Test func fillsClassesAndKeepsWhatWasRead() throws {
        var older = SalvagedSaveTests.fixture("games/swamp.save")
        let health = try #require(older.indices.first { older[$0...].starts(with: [0x10, 55]) })
        older[health + 1] = 56
        var salvaged = try SalvagedSave(SalvagedSaveTests.fixture("damaged/cut.save"), ReadOptions())
        try salvaged.compare(with: Save(older, ReadOptions()).view, fills: true, limits: Limits())
        let names = salvaged.save.view.archive?.classes.map { $0.name.string } ?? []
        #expect(names.contains("Map") && !names.contains(SalvageLoss.className))
        let difference = Difference(
            try Save(SalvagedSaveTests.fixture("games/swamp.save"), ReadOptions()).view, salvaged.save.view)
        #expect(difference.isEmpty, "\(difference.changes.map { difference.address(of: $0) })")
    }

    private static let archive = """
        {"$archiver": "NSKeyedArchiver", "$version": 100000, "$objects": ["$null",
            {"$class": {"$uid": 3}, "x": 5, "m": {"$uid": 4}}, "Bob",
            {"$classname": "P", "$classes": ["P", "NSObject"]},
            {"$class": {"$uid": 5}, "NS.keys": [{"$uid": 2}], "NS.objects": [{"$uid": 6}]},
            {"$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]}, 77],
        "$top": {"root": {"$uid": 1}, "name": {"$uid": 2}}}
        """

    /// Fills a damaged copy of ``archive``, and checks that nothing differs and nothing is called lost.
    private static func checkFilled(_ damaged: [UInt8]) throws {
        // Only the binary copy has the same bytes as the damaged file.
        for file in try [SalvagedSaveTests.binary(archive), Array(archive.utf8)] {
            var salvaged = try SalvagedSave(damaged, ReadOptions())
            let older = try Save(file, ReadOptions()).view
            try salvaged.compare(with: older, fills: true, limits: Limits())
            let difference = Difference(older, salvaged.save.view)
            #expect(difference.isEmpty, "\(difference.changes.map { difference.address(of: $0) })")
            #expect(salvaged.filledCount > 0 && salvaged.unfilledCount == 0)
            #expect(salvaged.save.view.archive?.objectErrors.isEmpty == true)
        }
    }

    @Test func fillsTheRootsOfACutArchive() throws {
        let bytes = try SalvagedSaveTests.binary(Self.archive)
        let name = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x54] + Array("root".utf8)) })
        // The dictionary with two pairs before the name.
        try Self.checkFilled(Array(bytes[..<(name - 5)]))
    }

    /// A dictionary without its lists of keys and elements is shown as an object with two fields.
    @Test func fillsAnObjectThatLostItsFields() throws {
        let bytes = try SalvagedSaveTests.binary(Self.archive)
        let name = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("NS.objects".utf8)) })
        let lists = bytes.indices.filter { $0 > name && $0 < name + 20 && bytes[$0] == 0xA1 }
        try #require(lists.count == 2)
        for offset in [0, 2] {
            // The lists, or the references in them.
            var damaged = bytes
            for list in lists { damaged[list + offset] = 0x5F }
            try Self.checkFilled(damaged)
        }
    }

    /// A filled value must not show up where the older copy has another one.
    @Test func doesNotFillSharedContainersThatDiffer() throws {
        // {"a": D, "b": D}, where D is {"x": lost}
        let objects: [UInt8] =
            [0xD2, 1, 2, 3, 3, 0x51, 0x61, 0x51, 0x62, 0xD1, 4, 5, 0x51, 0x78, 0xFF, 0x10, 7]
        let bytes =
            Array("bplist00".utf8) + objects + [8, 13, 15, 17, 20, 22, 0, 0, 0, 0, 0, 0, 1, 1]
            + [6, 0, 25].flatMap { [0, 0, 0, 0, 0, 0, 0, $0] as [UInt8] }
        var salvaged = try SalvagedSave(bytes, ReadOptions())
        #expect(salvaged.losses.map(\.address) == [JSONPointer("/a/x")])
        try salvaged.compare(
            with: Self.view(#"{"a": {"x": 1}, "b": {"x": 2}}"#), fills: true, limits: Limits())
        #expect(try json(of: salvaged) == #"{"a":{"x":null},"b":{"x":null}}"#)
    }

    // MARK: A copy with the same bytes

    /// A list of players, with another one in front in the newer version.
    private static func version(isNew: Bool) throws -> [UInt8] {
        let players = (0..<200).map { #"{"name": "player \#($0)", "health": \#($0 * 5), "id": "\#($0)"}"# }
        return try SalvagedSaveTests.binary(
            #"{"players": ["# + (isNew ? #"{"name": "Ann", "health": 7777, "id": "new"}, "# : "")
                + players.joined(separator: ", ") + "]}")
    }

    /// The beginning of the file was overwritten by an older version, whose references lead to other objects.
    @Test(arguments: [1000, 2048, 4096]) func doubtsAnOlderVersion(_ size: Int) throws {
        let (old, new) = (try Self.version(isNew: false), try Self.version(isNew: true))
        var salvaged = try SalvagedSave(Array(old[..<size] + new[size...]), ReadOptions())
        let view = salvaged.save.view
        let intact = try Save(new, ReadOptions()).view
        let marked = salvaged.losses.compactMap(\.address)
        let difference = Difference(intact, view)
        #expect(!difference.isEmpty)
        for change in difference.changes {
            let address = difference.address(of: change)
            #expect(marked.contains { address.tokens.starts(with: $0.tokens) }, "\(address)")
        }
        try salvaged.compare(with: intact, fills: true, limits: Limits())
        #expect(salvaged.file == new)
        #expect(salvaged.unfilledCount == 0 && salvaged.confidence == .partial)
    }

    /// Every other block comes from an older version, and some objects fit the offset table by chance.
    @Test func doubtsBlocksOfTwoVersions() throws {
        let (old, new) = (try Self.version(isNew: false), try Self.version(isNew: true))
        var mixed = new
        for start in stride(from: 512, to: old.count / 2, by: 1024) {
            mixed.replaceSubrange(start..<start + 512, with: old[start..<start + 512])
        }
        let salvaged = try SalvagedSave(mixed, ReadOptions())
        let marked = salvaged.losses.compactMap(\.address)
        let difference = Difference(try Save(new, ReadOptions()).view, salvaged.save.view)
        #expect(!difference.isEmpty && salvaged.confidence == .partial)
        for change in difference.changes {
            let address = difference.address(of: change)
            #expect(marked.contains { address.tokens.starts(with: $0.tokens) }, "\(address)")
        }
        #expect(salvaged.salvage.losses.contains { $0.reason?.contains("another version") ?? false })
    }

    /// A copy that was made after the damage has the same damage.
    @Test func provesNothingByTheDamagedFile() throws {
        var bytes = try Self.version(isNew: true)
        let name = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("player 20".utf8)) })
        for offset in name..<name + 18 { bytes[offset] = 0 }
        var salvaged = try SalvagedSave(bytes, ReadOptions())
        let doubts = salvaged.losses.count { $0.loss.kind == .doubtful }
        try salvaged.compare(with: Save(bytes, ReadOptions()).view, fills: true, limits: Limits())
        #expect(doubts > 0 && salvaged.losses.count { $0.loss.kind == .doubtful } == doubts)
        #expect(salvaged.file != bytes)
    }

    /// The copy proves nothing if a value that shows no damage differs.
    @Test func keepsWhatWasReadBesideAnotherVersion() throws {
        var (bytes, older) = (try Self.version(isNew: true), try Self.version(isNew: true))
        let name = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("player 20".utf8)) })
        bytes[name - 1] = 0x5F
        let other = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("player 99".utf8)) })
        older[other] = 0x50
        var salvaged = try SalvagedSave(bytes, ReadOptions())
        try salvaged.compare(with: Save(older, ReadOptions()).view, fills: true, limits: Limits())
        #expect(try salvaged.file == Self.version(isNew: true))
    }

    /// The root dictionary of an archive is lost with the first bytes of the file.
    @Test(arguments: ["games/swamp.save", "games/friends.save", "games/gameobject.save"])
    func rebuildsTheRootOfAnArchive(_ name: String) throws {
        let original = SalvagedSaveTests.fixture(name)
        let intact = try Save(original, ReadOptions()).view
        for size in [12, 16] {
            var salvaged = try SalvagedSave(
                [UInt8](repeating: 0, count: size) + original[size...], ReadOptions())
            #expect(salvaged.archiveProblem == nil && salvaged.save.view.archive != nil)
            #expect(Difference(intact, salvaged.save.view).isEmpty)
            #expect(salvaged.confidence == .partial)
            #expect(salvaged.losses.contains { $0.loss.message.contains("rebuilt from the parts") })
            try salvaged.compare(with: intact, fills: true, limits: Limits())
            #expect(salvaged.file == original && salvaged.unfilledCount == 0)
        }
    }
}
