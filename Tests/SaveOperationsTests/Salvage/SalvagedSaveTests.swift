import Foundation
import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// A repaired archive can be shown as its objects, and each loss has an address at which its placeholder is.
@Suite struct SalvagedSaveTests {
    private static func fixture(_ name: String) -> [UInt8] {
        (try? TestFiles.bytes(TestFiles.fixtures.appending(path: name))) ?? []
    }

    private static let saves = ["games/swamp.save", "games/friends.save", "games/gameobject.save"]

    @Test(arguments: saves) func repairedArchivesAreSound(_ name: String) throws {
        let bytes = Self.fixture(name)
        #expect(!bytes.isEmpty)
        for offset in TestScale.sample(of: Array(bytes.indices)) {
            for mask in [0x01, 0x20, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[offset] ^= mask
                guard let salvaged = try? SalvagedSave(damaged, ReadOptions()) else { continue }
                let what = "byte \(offset) ^ \(mask)"
                // Lost envelopes stay lost, but no such archive is called whole.
                let problem = salvaged.archiveProblem
                #expect(problem == nil || salvaged.confidence != .proved, "\(what): \(problem?.message ?? "")")
                try check(salvaged, what)
            }
        }
    }

    @Test(arguments: saves) func cutArchivesAreSound(_ name: String) throws {
        let bytes = Self.fixture(name)
        for count in TestScale.sample(of: Array(16..<bytes.count)) {
            guard let salvaged = try? SalvagedSave(Array(bytes[..<count]), ReadOptions()) else { continue }
            // Without the objects, there is no archive to show.
            if case .array(let objects)? = salvaged.salvage.document["$objects"], !objects.isEmpty {
                #expect(salvaged.archiveProblem == nil, "\(count) bytes: \(salvaged.archiveProblem?.message ?? "")")
            }
            try check(salvaged, "\(count) bytes")
        }
    }

    private func check(_ salvaged: SalvagedSave, _ what: String) throws {
        #expect((salvaged.confidence == .partial) == !salvaged.losses.isEmpty, "\(what)")
        let view = salvaged.save.view
        for loss in salvaged.losses where loss.loss.kind == .value || loss.loss.kind == .missing {
            guard let address = loss.address else { continue }
            let walk = view.walk(address, from: view.root)
            guard case .found = walk.end else {
                Issue.record("\(what): nothing is at \(address)")
                continue
            }
        }
    }

    @Test func showsObjectsOfALostClass() throws {
        // The name of Player in its class record is damaged. It follows the list of its ancestors, which has the name, too.
        var bytes = Self.fixture("games/swamp.save")
        let name = try #require(bytes.indices.last { bytes[$0...].starts(with: [0x56] + Array("Player".utf8)) })
        bytes[name] = 0x54
        let salvaged = try SalvagedSave(bytes, ReadOptions())
        #expect(salvaged.archiveProblem == nil)
        #expect(salvaged.losses.contains { $0.loss.kind == .className })
        let names = salvaged.save.view.archive?.classes.map { $0.name.string } ?? []
        #expect(names.contains(SalvageLoss.className) && names.contains("Map"))
    }

    /// An edited archive has objects that nothing refers to, and new objects with the last numbers.
    @Test(arguments: [
        "/root/charList/0/health", "/root/charList/1/health", "/root/charList/2/health", "/root/charList/0/type",
        "/root/charList/1/type", "/root/charList/2/type", "/root/eventList.count",
    ])
    func findsNoDamageInEditedSave(_ address: String) throws {
        let save = try GameSave(Self.fixture("games/swamp.save"))
        let edited = try save.setting(#require(JSONPointer(address)), to: .integer(77)).bytes
        let salvaged = try SalvagedSave(edited, ReadOptions())
        #expect(salvaged.salvage.isSound && salvaged.file == edited)
    }

    private static func archive(_ objects: [String]) throws -> [UInt8] {
        let text =
            ##"{"$version":100000,"$archiver":"NSKeyedArchiver","$top":{"root":{"$uid":1}},"$objects":["$null","##
            + objects.joined(separator: ",") + "]}"
        return try Document(Array(text.utf8)).bytes(as: .binary)
    }

    private static let arrays = [
        ##"{"$class":{"$uid":5},"NS.objects":[{"$uid":2},{"$uid":3}]}"##, ##"{"$class":{"$uid":5},"NS.objects":[]}"##,
        ##"{"$class":{"$uid":6},"NS.keys":[{"$uid":4}],"NS.objects":[{"$uid":4}]}"##, ##""Ada""##,
        ##"{"$classname":"NSArray","$classes":["NSArray","NSObject"]}"##,
        ##"{"$classname":"NSDictionary","$classes":["NSDictionary","NSObject"]}"##,
    ]

    /// The key of all collections is one string, which a flipped bit changes in all of them.
    @Test(arguments: ["NS.objectt", "NS.kdys"])
    func restoresTheKeyThatClassesLack(_ key: String) throws {
        let field = key == "NS.kdys" ? "NS.keys" : "NS.objects"
        let original = try Self.archive(Self.arrays)
        let damaged = try Self.archive(Self.arrays.map { $0.replacing(field, with: key) })
        let salvaged = try SalvagedSave(damaged, ReadOptions())
        #expect(salvaged.confidence == .complete && salvaged.losses.isEmpty)
        #expect(salvaged.cause?.id == "archive.field-missing")
        #expect(salvaged.salvage.repairs.map(\.id) == ["salvage.key"])
        let view = try ObjectView(of: Document(original), limits: Limits(), isRaw: false)
        #expect(Difference(salvaged.save.view, view).isEmpty)
    }

    /// Nothing is changed if the key may be right: another object uses it, or it differs in several characters.
    @Test(arguments: [("NS.objectt", "NS.objectt"), ("NS.obj", "unused")])
    func doubtsFieldsThatNothingProves(_ key: String, _ other: String) throws {
        var objects = Self.arrays.map { $0.replacing("NS.objects", with: key) }
        objects += [
            ##"{"$class":{"$uid":8},"\##(other)":[]}"##, ##"{"$classname":"Map","$classes":["Map","NSObject"]}"##,
        ]
        let damaged = try Self.archive(objects)
        let salvaged = try SalvagedSave(damaged, ReadOptions())
        #expect(salvaged.confidence == .partial && salvaged.salvage.repairs.isEmpty)
        #expect(salvaged.losses.allSatisfy { $0.loss.kind == .doubtful } && salvaged.losses.count == 3)
        #expect(salvaged.file == damaged)
    }

    /// `$null` is the same in every archive, so no reference to it is lost.
    @Test func restoresNull() throws {
        var bytes = try Self.archive([
            ##"{"$class":{"$uid":2},"name":{"$uid":0},"x":5}"##, ##"{"$classname":"P","$classes":["P","NSObject"]}"##,
        ])
        let null = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x55] + Array("$null".utf8)) })
        bytes[null] = 0x5F
        let salvaged = try SalvagedSave(bytes, ReadOptions())
        #expect(salvaged.losses.isEmpty && salvaged.confidence == .complete)
        #expect(salvaged.salvage.repairs.map(\.id) == ["salvage.table", "salvage.constant"])
    }

    /// The key is lost in the file, and the class shows what it was.
    @Test func restoresALostKeyThatClassesLack() throws {
        let original = try Self.archive(Self.arrays)
        for field in ["NS.keys", "NS.objects"] {
            var damaged = original
            let key = try #require(damaged.indices.first { damaged[$0...].starts(with: Array(field.utf8)) })
            damaged[key - 1] ^= 1
            let salvaged = try SalvagedSave(damaged, ReadOptions())
            #expect(salvaged.losses.isEmpty && salvaged.confidence == .complete, "\(salvaged.losses)")
            let view = try ObjectView(of: Document(original), limits: Limits(), isRaw: false)
            #expect(Difference(salvaged.save.view, view).isEmpty)
        }
    }

    /// A dictionary whose list of keys or values is lost has placeholders for them, so that the result is valid.
    @Test(arguments: ["NS.keys", "NS.objects"]) func restoresTheLengthOfLists(_ field: String) throws {
        let list = "\"\(field)\":[{\"$uid\":4}]"
        let damaged = try Self.archive(Self.arrays.map { $0.replacing(list, with: "\"\(field)\":null") })
        var salvaged = try SalvagedSave(damaged, ReadOptions())
        #expect(salvaged.save.view.archive?.objectErrors.isEmpty == true)
        let found = try #require(salvaged.losses.first)
        #expect(salvaged.losses.count == 1 && found.loss.kind == (field == "NS.keys" ? .key : .missing))
        #expect(found.address == JSONPointer(field == "NS.keys" ? "/root/1/lost key 7" : "/root/1/Ada"))
        let older = try ObjectView(of: Document(Self.archive(Self.arrays)), limits: Limits(), isRaw: false)
        try salvaged.compare(with: older, fills: true, limits: Limits())
        #expect(Difference(salvaged.save.view, older).isEmpty)
    }

    /// The lists of keys and values differ in length, so the pairs are doubtful.
    @Test func doubtsPairsOfListsThatDiffer() throws {
        let damaged = try Self.archive(
            Self.arrays.map { $0.replacing("\"NS.objects\":[{\"$uid\":4}]", with: "\"NS.objects\":[]") })
        let salvaged = try SalvagedSave(damaged, ReadOptions())
        #expect(salvaged.save.view.archive?.objectErrors.isEmpty == true)
        #expect(salvaged.losses.map(\.loss.kind) == [.missing, .doubtful])
    }

    /// Objects that nothing refers to may be roots whose names are lost, so that an older copy does not replace them.
    @Test func keepsRootsWithoutNames() throws {
        let objects =
            ##""$objects": ["$null", {"$class": {"$uid": 3}, "x": 5}, {"$class": {"$uid": 3}, "x": 6}, "##
            + ##"{"$classname": "P", "$classes": ["P", "NSObject"]}]"##
        let start = ##"{"$archiver": "NSKeyedArchiver", "$version": 100000, "##
        let roots = ##", "$top": {"root": {"$uid": 1}, "player": {"$uid": 2}}}"##
        var salvaged = try SalvagedSave(Array((start + objects + "}").utf8), ReadOptions())
        #expect(salvaged.losses.contains { $0.address == JSONPointer("/lost key 2") && $0.loss.kind == .key })
        let older = objects.replacing("\"x\": 6", with: "\"x\": 7")
        let copy = try ObjectView(of: Document(Array((start + older + roots).utf8)), limits: Limits(), isRaw: false)
        try salvaged.compare(with: copy, fills: true, limits: Limits())
        let whole = try ObjectView(of: Document(Array((start + objects + roots).utf8)), limits: Limits(), isRaw: false)
        #expect(Difference(salvaged.save.view, whole).isEmpty)
    }

    // MARK: Conversions

    /// The checksum proves that a conversion of compressed data was undone.
    @Test func undoesConversionsOfCompressedData() throws {
        let original = Self.fixture("wrapped/swamp.save.gz")
        let latin1: [UInt8] = original.flatMap { Array(String(Unicode.Scalar($0)).utf8) }
        let wide: [UInt8] = [0xFF, 0xFE] + original.flatMap { [$0, 0] as [UInt8] }
        let lines: [UInt8] = original.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] as [UInt8] }
        for (damaged, cause) in [(latin1, "damage.utf8"), (wide, "damage.utf16"), (lines, "damage.line-ends")] {
            let salvaged = try SalvagedSave(damaged, ReadOptions())
            #expect(salvaged.file == original && salvaged.confidence == .proved)
            #expect(salvaged.cause?.id == cause)
        }
    }

    /// A wrong checksum means that any value may be wrong.
    @Test func doubtsContentsWithAWrongChecksum() throws {
        var damaged = Self.fixture("wrapped/swamp.save.gz")
        damaged[damaged.count - 6] ^= 1
        let salvaged = try SalvagedSave(damaged, ReadOptions())
        #expect(salvaged.losses.map(\.loss.kind) == [.doubtful] && salvaged.losses[0].address == .root)
    }

    // MARK: Zeros at the start

    /// The trailer and the table show the objects that were not overwritten.
    @Test(arguments: [8, 64, 512])
    func readsWhatFollowsZeros(_ count: Int) throws {
        let text = (0..<200).map { "\"key \($0)\": {\"name\": \"level \($0)\"}" }.joined(separator: ", ")
        var bytes = try Self.binary("{\(text)}")
        for offset in 0..<count { bytes[offset] = 0 }
        let salvaged = try SalvagedSave(bytes, ReadOptions())
        #expect(salvaged.salvage.foundCount > 300)
        let message = salvaged.cause?.message ?? ""
        #expect(message.hasPrefix("the first "))
        #expect(message.hasSuffix("bytes are zero; the rest looks like a binary property list"), "\(message)")
        #expect(SalvagedSave.helps(with: Problem.Kind("format.unknown"), in: bytes, ReadOptions()))
    }

    @Test func readsTheLastObjectsOfAFileOfZeros() throws {
        let text = (0..<200).map { "{\"name\": \"level \($0)\"}" }.joined(separator: ", ")
        var bytes = try Self.binary("[\(text)]")
        let end = Int(Trailer(of: bytes).tableStart)
        for offset in 0..<end * 9 / 10 { bytes[offset] = 0 }
        #expect(try SalvagedSave(bytes, ReadOptions()).salvage.foundCount > 10)
    }

    // MARK: Bytes before a save

    /// A save between bytes of an unknown kind may be a part of another file.
    @Test func doubtsASaveInsideOtherBytes() throws {
        let noise = (0..<40).map { UInt8(1 + $0 * 37 % 31) }
        let salvaged = try SalvagedSave(noise + Self.fixture("games/options.save") + noise, ReadOptions())
        #expect(salvaged.losses.map(\.loss.kind) == [.doubtful] && salvaged.losses[0].address == .root)
    }

    /// The end of a comment belongs to the text.
    @Test func doesNotProveTextThatLacksItsBeginning() throws {
        let salvaged = try SalvagedSave(Array("Settings of the hud\n*/\n{ a = (1, 2); }\n".utf8), ReadOptions())
        #expect(salvaged.confidence == .complete)
    }

    /// A header of the game's own format hides every kind of save, so the problem names the option that skips it.
    @Test(arguments: [Format.binary, .xml, .json], [false, true])
    func suggestsTheSizeOfAHeader(_ format: Format, _ isCompressed: Bool) throws {
        let save = try Document(Array(##"{"gems": 7, "items": [1, 2, 3]}"##.utf8)).bytes(as: format)
        let header: [UInt8] = [0x53, 0x41, 0x56, 0x45, 1, 0, 0, 0]
        let rest = isCompressed ? Layer.zlib(Zlib(header: [0x78, 0x9C], trailer: [])).wrap(save) : save
        let salvaged = try SalvagedSave(header + rest, ReadOptions())
        #expect(salvaged.cause?.message.hasSuffix("use --unwrap-at 8") ?? false, "\(salvaged.cause?.message ?? "")")
        #expect(salvaged.confidence == .complete)
        let report = Validation(format: nil, layers: LayerOptions(), limits: Limits(), classes: [])
            .report(on: header + rest)
        #expect(report.findings.contains { $0.problem.message.hasSuffix("use --unwrap-at 8") })
    }

    private static let preceding: [(name: String, bytes: [UInt8])] = [
        ("byte order mark", [0xEF, 0xBB, 0xBF]), ("line end", [0x0D, 0x0A]),
        ("mark and line end", [0xEF, 0xBB, 0xBF, 0x0A]),
        ("response", Array("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n".utf8)),
        ("log", Array("2009-09-06 12:34:56 saved\n".utf8)), ("word", Array("saved ".utf8)),
    ]

    @Test(
        arguments: [
            "games/swamp.save", "games/swamp.xml.save", "games/grabthar.json", "wrapped/swamp.save.gz",
            "databases/monsters.sqlite", "oldmac/swamp.save",
        ], preceding.map(\.name))
    func removesBytesBeforeASave(_ name: String, _ before: String) throws {
        let original = Self.fixture(name)
        let bytes = try #require(Self.preceding.first { $0.name == before }).bytes
        // JSON after a word is not told from a text.
        guard before != "word" || !name.hasSuffix("json") else { return }
        let salvaged = try SalvagedSave(bytes + original, ReadOptions())
        #expect([.proved, .undamaged].contains(salvaged.confidence))
        // Texts may begin with a mark or white space.
        let isText = name.hasSuffix("json") || name.contains("xml")
        #expect(salvaged.file == original || isText && salvaged.salvage.isSound)
        #expect(salvaged.salvage.isSound || salvaged.salvage.repairs.first?.id == "salvage.preceding")
    }

    @Test func repairsADamagedSaveBehindOtherBytes() throws {
        for (name, before) in Self.preceding {
            let salvaged = try SalvagedSave(before + Self.fixture("damaged/length.save"), ReadOptions())
            #expect(salvaged.losses.count == 1, "\(name)")
            #expect(salvaged.salvage.repairs.first?.id == "salvage.preceding", "\(name)")
            #expect(salvaged.confidence == .partial, "\(name)")
        }
    }

    /// The bytes before a save may be the header of the game's own format.
    @Test func doesNotProveUnknownBytes() throws {
        let original = Self.fixture("games/swamp.save")
        let salvaged = try SalvagedSave([0, 1, 2, 3] + original, ReadOptions())
        #expect(salvaged.confidence == .complete)
        #expect(salvaged.file == original)
    }

    /// The rest of a declaration belonged to the file.
    @Test func doesNotProveTheRestOfADeclaration() throws {
        let text = Self.fixture("games/swamp.xml.save")
        let salvaged = try SalvagedSave(Array(text.dropFirst(13)), ReadOptions())
        #expect(salvaged.confidence == .complete)
        #expect(salvaged.salvage.repairs.first?.id == "salvage.preceding")
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html><body><dict/></body></html>", "format.html"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n", "format.git-lfs"),
    ])
    func namesOtherFiles(_ text: String, _ id: String) {
        let problem = #expect(throws: Problem.self) { try SalvagedSave(Array(text.utf8), ReadOptions()) }
        #expect(problem?.id == id)
    }

    // MARK: An older copy

    private static func view(_ text: String) throws -> ObjectView {
        try Save(Array(text.utf8), ReadOptions()).view
    }

    private static func binary(_ text: String) throws -> [UInt8] {
        try Document.readSave(Array(text.utf8), as: .json).bytes(as: .binary)
    }

    private func json(of salvaged: SalvagedSave) throws -> String {
        String(decoding: try salvaged.save.source.bytes(as: .json), as: UTF8.self).filter { !$0.isWhitespace }
    }

    @Test func fillsALostKey() throws {
        var bytes = try Self.binary(
            #"{"player": {"health": 90, "name": "Bob", "gold": 80}, "level": 3, "items": [1, 2]}"#)
        let key = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x56] + Array("health".utf8)) })
        bytes[key] = 0x5F
        let name = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x53] + Array("Bob".utf8)) })
        bytes[name] = 0x5F
        var salvaged = try SalvagedSave(bytes, ReadOptions())
        let older = try Self.view(#"{"player": {"health": 100, "name": "Ann", "gold": 70}, "level": 1, "items": []}"#)
        try salvaged.compare(with: older, fills: true, limits: Limits())
        let text = try json(of: salvaged)
        #expect(text == #"{"player":{"health":90,"name":"Ann","gold":80},"level":3,"items":[1,2]}"#)
        #expect(salvaged.losses.count { $0.counterpart?.isFilled ?? false } == 2)
    }

    /// Several keys are known by their positions among the keys that came back.
    @Test func fillsSeveralLostKeys() throws {
        var bytes = try Self.binary(#"{"health": 90, "name": "Bob", "gold": 80, "level": 3}"#)
        for text in ["health", "gold"] {
            let marker = UInt8(0x50 + text.utf8.count)
            let key = try #require(bytes.indices.first { bytes[$0...].starts(with: [marker] + Array(text.utf8)) })
            bytes[key] = 0x5F
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
        var older = Self.fixture("games/swamp.save")
        let health = try #require(older.indices.first { older[$0...].starts(with: [0x10, 55]) })
        older[health + 1] = 56
        var salvaged = try SalvagedSave(Self.fixture("damaged/cut.save"), ReadOptions())
        try salvaged.compare(with: Save(older, ReadOptions()).view, fills: true, limits: Limits())
        let names = salvaged.save.view.archive?.classes.map { $0.name.string } ?? []
        #expect(names.contains("Map") && !names.contains(SalvageLoss.className))
        let difference = Difference(try Save(Self.fixture("games/swamp.save"), ReadOptions()).view, salvaged.save.view)
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
        for file in try [binary(archive), Array(archive.utf8)] {
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
        let bytes = try Self.binary(Self.archive)
        let name = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x54] + Array("root".utf8)) })
        // The dictionary with two pairs before the name.
        try Self.checkFilled(Array(bytes[..<(name - 5)]))
    }

    /// A dictionary without its lists of keys and elements is shown as an object with two fields.
    @Test func fillsAnObjectThatLostItsFields() throws {
        let bytes = try Self.binary(Self.archive)
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
            [0xD2, 1, 2, 3, 3, 0x51, 0x61, 0x51, 0x62, 0xD1, 4, 5, 0x51, 0x78, 0x4F, 0x10, 7]
        let bytes =
            Array("bplist00".utf8) + objects + [8, 13, 15, 17, 20, 22, 0, 0, 0, 0, 0, 0, 1, 1]
            + [6, 0, 25].flatMap { [0, 0, 0, 0, 0, 0, 0, $0] as [UInt8] }
        var salvaged = try SalvagedSave(bytes, ReadOptions())
        #expect(salvaged.losses.map(\.address) == [JSONPointer("/a/x")])
        try salvaged.compare(
            with: Self.view(#"{"a": {"x": 1}, "b": {"x": 2}}"#), fills: true, limits: Limits())
        #expect(try json(of: salvaged) == #"{"a":{"x":null},"b":{"x":null}}"#)
    }

    /// The lengths of the strings in a stream show which bytes were inserted.
    @Test func undoesLineEndsOfAStream() throws {
        let original = Self.fixture("oldmac/options.save")
        let converted = original.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        try #require(converted.count > original.count)
        let salvaged = try SalvagedSave(converted, ReadOptions())
        #expect(salvaged.salvage.repairs.map(\.id) == ["salvage.line-ends"])
        #expect(salvaged.losses.isEmpty && salvaged.file == original)
    }

    // MARK: A copy with the same bytes

    /// A list of players, with another one in front in the newer version.
    private static func version(isNew: Bool) throws -> [UInt8] {
        let players = (0..<200).map { #"{"name": "player \#($0)", "health": \#($0 * 5), "id": "\#($0)"}"# }
        return try binary(
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
        let original = Self.fixture(name)
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
