import Foundation
import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import SaveInspection
@testable import SaveOperations

/// A repaired archive can be shown as its objects, and each loss has an address at which its placeholder is.
@Suite struct SalvagedSaveTests {
    static func fixture(_ name: String) -> [UInt8] {
        (try? TestFiles.bytes(TestFiles.fixtures.appending(path: name))) ?? []
    }

    static func binary(_ text: String) throws -> [UInt8] {
        try Document.readSave(Array(text.utf8), as: .json).bytes(as: .binary)
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

    /// A lost string is in three slots of one array.
    @Test func countsTheSlotsThatShareALoss() throws {
        let numbers = (2...6).flatMap { [0x10, $0] as [UInt8] }
        var file = Array("bplist00".utf8) + [0xA8, 1, 1, 1, 2, 3, 4, 5, 6, 0xEF, 0x61, 0x62, 0x63] + numbers
        file += [8, 17, 21, 23, 25, 27, 29] + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [7, 0, 31] as [UInt8] { file += [0, 0, 0, 0, 0, 0, 0, number] }
        let salvaged = try SalvagedSave(file, ReadOptions())
        let loss = try #require(salvaged.losses.first { $0.loss.kind == .value })
        #expect(loss.address?.description == "/0")
        #expect(loss.otherSlotCount == 2)
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
        // The name of Player in its class record is damaged. It follows the list of its ancestors, which has the name,
        // too.
        var bytes = Self.fixture("games/swamp.save")
        let name = try #require(bytes.indices.last { bytes[$0...].starts(with: [0x56] + Array("Player".utf8)) })
        bytes[name] = 0xFF
        let salvaged = try SalvagedSave(bytes, ReadOptions())
        #expect(salvaged.archiveProblem == nil)
        #expect(salvaged.losses.contains { $0.loss.kind == .className })
        let names = salvaged.save.view.archive?.classes.map { $0.name.string } ?? []
        #expect(names.contains(SalvageLoss.className) && names.contains("Map"))
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

    /// The keys of the class and of its name, in all objects or in one.
    @Test(arguments: [("$class\"", "$clasr\""), ("$classname", "$clasrname")], [Format.binary, .xml])
    func restoresTheKeyOfAClass(_ keys: (String, String), _ format: Format) throws {
        let original = try Self.archive(Self.arrays)
        for count in [1, Self.arrays.count] {
            let objects = Self.arrays.enumerated().map { number, text in
                number % 4 < count ? text.replacing(keys.0, with: keys.1) : text
            }
            let damaged = try Document(Self.archive(objects)).bytes(as: format)
            let salvaged = try SalvagedSave(damaged, ReadOptions())
            #expect(salvaged.confidence == .complete && salvaged.losses.isEmpty, "\(salvaged.losses)")
            #expect(salvaged.salvage.repairs.allSatisfy { $0.id == "salvage.key" } && !salvaged.salvage.repairs.isEmpty)
            let view = try ObjectView(of: Document(original), limits: Limits(), isRaw: false)
            #expect(Difference(salvaged.save.view, view).isEmpty)
        }
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
        #expect(salvaged.losses.allSatisfy { $0.loss.kind == .doubtful })
        // The root is doubtful as well, because it does not contain the last object.
        #expect(salvaged.losses.count { $0.address != .root } == 3 && salvaged.losses.count == 4)
        #expect(salvaged.file == damaged)
    }

    /// `$null` is the same in every archive, so no reference to it is lost.
    @Test func restoresNull() throws {
        var bytes = try Self.archive([
            ##"{"$class":{"$uid":2},"name":{"$uid":0},"x":5}"##, ##"{"$classname":"P","$classes":["P","NSObject"]}"##,
        ])
        let null = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x55] + Array("$null".utf8)) })
        bytes[null] = 0xFF
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
            damaged[key - 1] = 0xFF
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

    /// The lengths of the strings in a stream show which bytes were inserted.
    @Test func undoesLineEndsOfAStream() throws {
        let original = Self.fixture("oldmac/options.save")
        let converted = original.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        try #require(converted.count > original.count)
        let salvaged = try SalvagedSave(converted, ReadOptions())
        #expect(salvaged.salvage.repairs.map(\.id) == ["salvage.line-ends"])
        #expect(salvaged.losses.isEmpty && salvaged.file == original)
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
        (
            "mail", Array("Content-Type: application/octet-stream;\r\n name=\"a.save\"\r\nSubject: save\r\n\r\n".utf8)
        ),
        (
            "warning of PHP",
            Array("<br />\n<b>Warning</b>: stat(): failed in <b>/var/www/a.php</b> on line <b>12</b><br />\n".utf8)
        ),
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

    /// A damaged save before another one is no text that may be removed.
    @Test(arguments: [
        "<?xml version=\"1.0\"?>\n<plist><dict><key>a</key>\n", "<br>\n<dict>\n", "{\"a\": [1,\n", "a = {\n",
        "<b>a</b>\", \"b\"]\n",
    ])
    func doesNotProveTheSecondOfTwoSaves(_ before: String) throws {
        for name in ["games/swamp.save", "games/swamp.xml.save", "games/grabthar.json"] {
            let salvaged = try? SalvagedSave(Array(before.utf8) + Self.fixture(name), ReadOptions())
            #expect(salvaged?.confidence != .proved && salvaged?.confidence != .undamaged, "\(name)")
        }
    }

    /// The rest of a declaration belonged to the file.
    @Test func doesNotProveTheRestOfADeclaration() throws {
        let text = String(decoding: Self.fixture("games/swamp.xml.save"), as: UTF8.self)
            .replacing("encoding=\"UTF-8\"", with: "encoding='utf-8'")
        let salvaged = try SalvagedSave(Array(text.utf8.dropFirst(20)), ReadOptions())
        #expect(salvaged.confidence == .complete)
        #expect(salvaged.salvage.repairs.first?.id == "salvage.preceding")
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html><body><dict/></body></html>", "format.html"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n", "format.git-lfs"),
        ("HTTP/1.1 404 Not Found\r\nServer: a\r\n\r\nmissing", "format.unknown"),
        ("{\\rtf1 {\"a\": [1, 2]}}", "format.rtf"), ("Subject: a\n\nhello\n", "format.unknown"),
        ("> hello\n", "format.unknown"),
    ])
    func namesOtherFiles(_ text: String, _ id: String) {
        let problem = #expect(throws: Problem.self) { try SalvagedSave(Array(text.utf8), ReadOptions()) }
        #expect(problem?.id == id)
    }

    /// The number of values in a compressed file is limited by its size as it is stored, as for an undamaged file.
    @Test(arguments: [("[", "0,"), ("[x,", "0,"), ("[", "x,"), ("(a b c d;", "a,")])
    func limitsCompressedValues(_ start: String, _ element: String) {
        let text = start + String(repeating: element, count: 1_200_000)
        let gzip = Layer.gzip(Gzip(header: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 11], trailer: []))
        let file = gzip.wrap(Array(text.utf8))
        let problem = #expect(throws: Problem.self) {
            let salvaged = try SalvagedSave(file, ReadOptions())
            return salvaged.losses.count
        }
        #expect(problem?.id == "limit.values")
    }
}
