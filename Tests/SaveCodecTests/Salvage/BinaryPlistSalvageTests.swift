import Foundation
import TestSupport
import Testing

@testable import SaveCodec

/// A damaged binary property list comes back exactly where its bytes prove it. Otherwise each object equals that of the
/// original, is reported, or was itself hit and still reads.
@Suite struct BinaryPlistSalvageTests {
    private static func fixture(_ name: String) -> [UInt8] {
        (try? TestFiles.bytes(TestFiles.fixtures.appending(path: name))) ?? []
    }

    static let saves = [
        "games/swamp.save", "games/friends.save", "games/preferences.plist", "games/options.save",
    ]
    .map { (name: $0, bytes: fixture($0)) }.filter { $0.bytes.starts(with: "bplist0".utf8) }
    private static let save = fixture("games/swamp.save")

    static func salvage(_ bytes: [UInt8]) -> Salvage? {
        try? Format.binary.definition.salvage(bytes, limits: Limits())
    }

    // MARK: Exact repairs

    private static func latin1(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { Array(String(Unicode.Scalar($0)).utf8) }
    }

    private static func crlf(_ bytes: [UInt8]) -> [UInt8] { bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] } }

    private static func utf16(_ bytes: [UInt8]) -> [UInt8] { [0xFF, 0xFE] + bytes.flatMap { [$0, 0] } }

    private static func changed(_ bytes: [UInt8], fromEnd offset: Int, to value: UInt8) -> [UInt8] {
        var bytes = bytes
        bytes[bytes.count - offset] = value
        return bytes
    }

    static let exactDamages: [(name: String, damage: @Sendable ([UInt8]) -> [UInt8])] = [
        ("none", { $0 }), ("line feed", { $0 + [0x0A] }), ("zeros", { $0 + [UInt8](repeating: 0, count: 4096) }),
        ("another file", { $0 + Array("<html></html>".utf8) }), ("CRLF", crlf), ("UTF-8", latin1), ("UTF-16", utf16),
        ("CRLF and UTF-8", { latin1(crlf($0)) }), ("CRLF and line feed", { crlf($0 + [0x0A]) }),
        ("offset size", { changed($0, fromEnd: 26, to: 7) }), ("reference size", { changed($0, fromEnd: 25, to: 4) }),
        ("object count", { changed($0, fromEnd: 17, to: 0xF3) }), ("root", { changed($0, fromEnd: 9, to: 3) }),
        ("table start", { changed($0, fromEnd: 1, to: 9) }), ("lost trailer", { Array($0.dropLast(32)) }),
        ("lost byte", { Array($0.dropLast()) }), ("lost part of the table", { Array($0.dropLast(34)) }),
        ("header", { Array("xplist00".utf8) + $0.dropFirst(8) }),
    ]

    @Test(arguments: exactDamages.map(\.name)) func restoresTheBytes(_ name: String) throws {
        #expect(!Self.saves.isEmpty)
        let damage = try #require(Self.exactDamages.first { $0.name == name }).damage
        for (file, bytes) in Self.saves {
            let salvage = try #require(Self.salvage(damage(bytes)), "\(file): \(name)")
            #expect(salvage.bytes == bytes, "\(file): \(name)")
            #expect(salvage.isProved && salvage.losses.isEmpty, "\(file): \(name): \(salvage.losses)")
            #expect(salvage.isSound == (damage(bytes) == bytes), "\(file): \(name)")
        }
    }

    /// A string that some writers store with bytes above 0x7F is doubtful, but the trailer comes back exactly.
    @Test(arguments: [1, 8, 9, 16, 17, 25, 26]) func restoresTheTrailerBesideOddStrings(_ offset: Int) throws {
        let copyright: [UInt8] = [0x5F, 0x10, 0x10] + Array("Copyright ".utf8) + [0xA9] + Array(" 2007".utf8)
        let original = Self.longFile([[0xA3, 1, 2, 3], copyright, [0x51, 0x61], [0x10, 0x07]])
        #expect(Self.salvage(original)?.isSound == true)
        var damaged = original
        damaged[damaged.count - offset] ^= 0x40
        let salvage = try #require(Self.salvage(damaged))
        #expect(salvage.bytes == original && !salvage.isProved)
        #expect(salvage.losses.map(\.kind) == [.doubtful] && salvage.losses.map(\.place) == [.object(ObjectID(1))])
        #expect(salvage.losses.map(\.range) == [12..<31])
        // In other places, the damage may also have changed the string.
        damaged = original
        damaged[original.count - 33] ^= 0x01
        #expect(try #require(Self.salvage(damaged)).losses.contains { $0.place == .object(ObjectID(1)) })
    }

    /// The placeholder of a lost key has a name that no other key has.
    @Test func namesLostKeysApart() throws {
        let members = (0..<60).map { "\"lost key \($0)\": \($0)" } + ["\"health\": 100"]
        let text = "{" + members.joined(separator: ", ") + "}"
        var bytes = try Document.read(Array(text.utf8), as: .json).bytes(as: .binary)
        let key = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x56] + Array("health".utf8)) })
        bytes[key] = 0xFF
        let salvage = try #require(Self.salvage(bytes))
        #expect(salvage.losses.count { $0.kind == .key } == 1)
        let document = salvage.document
        let root = document.object(document.root)
        let keys = (0..<root.count).map { document.text(document.key($0, of: root))?.string ?? "" }
        #expect(Set(keys).count == 61)
        #expect(keys.filter { $0.hasPrefix(SalvageLoss.keyPrefix) }.count == 61)
    }

    /// A file that is cut off early refers to more objects than it has bytes.
    @Test func readsTheBeginningOfALongFile() throws {
        let text = "[" + (0..<3000).map { "[\"value \($0)\"]" }.joined(separator: ",") + "]"
        let bytes = try Document.read(Array(text.utf8), as: .json).bytes(as: .binary)
        let salvage = try #require(Self.salvage(Array(bytes[..<6200])))
        #expect(salvage.foundCount > 8)
    }

    // MARK: The root

    /// A binary property list of objects with references of one byte.
    static func file(_ objects: [[UInt8]], root: Int) -> [UInt8] {
        var (bytes, offsets): ([UInt8], [UInt8]) = (Array("bplist00".utf8), [])
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        var output = ByteWriter()
        Trailer(
            offsetSize: 1, referenceSize: 1, objectCount: UInt64(objects.count), root: UInt64(root),
            tableStart: UInt64(bytes.count)
        ).write(to: &output)
        return bytes + offsets + output.takeBytes()
    }

    /// WebKit writes an object after its contents, so that the root is the last one.
    @Test func findsARootThatIsNotTheFirstObject() throws {
        let contents: [[UInt8]] = [
            [0x51, 0x61], [0x51, 0x62], [0xA2, 0, 1], [0xD1, 1, 0], [0x10, 7], [0xA2, 2, 4],
        ]
        let original = Self.file(contents + [[0xD2, 0, 1, 3, 5]], root: 6)
        #expect(Self.salvage(original)?.isSound == true)
        var damages: [[UInt8]] = ([0, 1, 3, 9] as [UInt8]).map { Self.changed(original, fromEnd: 9, to: $0) }
        damages.append(Array(original.dropLast(32)))
        damages.append(Array(original.dropLast(32)) + [UInt8](repeating: 0, count: 32))
        damages.append(Array(original.dropLast(35)))
        for (number, damaged) in damages.enumerated() {
            let salvage = try #require(Self.salvage(damaged))
            #expect(salvage.bytes == original && salvage.isProved, "\(number): \(salvage.losses)")
        }
        // Without the table, the end may be missing.
        let cut = try #require(Self.salvage(Array(original[..<28])))
        #expect(cut.document.root.index == 6)
        #expect(cut.losses.contains { $0.place == .object(cut.document.root) })
    }

    /// Nothing shows which of two containers is the root.
    @Test func doubtsARootThatNothingProves() throws {
        let original = Self.file([[0xA1, 2], [0xA1, 2], [0x51, 0x61]], root: 0)
        for damaged in [Self.changed(original, fromEnd: 9, to: 77), Array(original.dropLast(32))] {
            let salvage = try #require(Self.salvage(damaged))
            #expect(!salvage.isProved)
            #expect(salvage.losses.contains { $0.kind == .doubtful && $0.place == .object(salvage.document.root) })
        }
    }

    /// A reference of the root to the objects of an archive leads to a string.
    @Test func restoresTheReferenceToTheObjects() throws {
        let original = Self.save
        let document = try BinaryPlist.read(original)
        let root = document.object(document.root)
        // The third pair of the root, with references of one byte.
        let objects = document.value(2, of: root)
        let reference = root.start + root.count + 2
        #expect(document.object(objects).kind == .array && Int(original[reference]) == objects.index)
        var restoredCount = 0
        for bit in 0..<8 {
            var damaged = original
            damaged[reference] ^= 1 << UInt8(bit)
            let salvage = try #require(Self.salvage(damaged))
            #expect(!salvage.isSound, "\(bit)")
            #expect(salvage.document.root == document.root, "\(bit)")
            guard salvage.isProved else { continue }
            #expect(salvage.bytes == original, "\(bit)")
            restoredCount += 1
        }
        #expect(restoredCount > 1)
        // Several bits prove nothing, because the whole file may have been converted.
        var damaged = original
        damaged[reference] = 2
        let salvage = try #require(Self.salvage(damaged))
        #expect(!salvage.isProved)
        #expect(salvage.document.value(2, of: salvage.document.object(salvage.document.root)) == objects)
        #expect(salvage.losses.contains { $0.kind == .doubtful && $0.place == .object(document.root) })
    }

    /// No bit of a root changes so that another object becomes the root of an exact repair.
    @Test func provesNoOtherRoot() throws {
        for (file, original) in Self.saves {
            let document = try BinaryPlist.read(original)
            let root = document.object(document.root)
            for offset in root.start..<root.start + root.referenceCount {
                for bit in 0..<8 {
                    var damaged = original
                    damaged[offset] ^= 1 << UInt8(bit)
                    guard let salvage = Self.salvage(damaged), salvage.isProved, !salvage.isSound else { continue }
                    #expect(salvage.bytes == original, "\(file): \(offset), \(bit)")
                }
            }
        }
    }

    /// A reference to the array with most objects leads to a string. The trailer would be right then.
    @Test func keepsTheStatedRoot() throws {
        let contents: [[UInt8]] = [[0x51, 0x61], [0xA5, 3, 4, 5, 6, 7]] + (0..<5).map { [0x10, 0x20 + $0] }
        let original = Self.file([[0xD1, 1, 2]] + contents, root: 0)
        #expect(Self.salvage(original)?.isSound == true)
        var damaged = original
        damaged[10] = 1
        let salvage = try #require(Self.salvage(damaged))
        #expect(!salvage.isProved)
        #expect(salvage.document.root.index == 0)
        #expect(salvage.losses.contains { $0.kind == .doubtful && $0.place == .object(ObjectID(0)) })
    }

    @Test(arguments: [1, 4, 8]) func restoresTheHeader(_ count: Int) throws {
        for (file, bytes) in Self.saves {
            let salvage = try #require(Self.salvage(Array(bytes.dropFirst(count))), "\(file)")
            #expect(salvage.bytes == bytes && salvage.isProved, "\(file)")
        }
    }

    /// Zeros read as null, so the reader accepts a file whose objects were overwritten with them.
    @Test func findsZerosInAReadableFile() throws {
        let text = "[" + (0..<40).map { "\"text number \($0)\"" }.joined(separator: ",") + "]"
        let original = try Document.read(Array(text.utf8), as: .json).bytes(as: .binary)
        let document = try BinaryPlist.read(original)
        let start = try #require(document.offset(of: ObjectID(5)))
        let end = try #require(document.offset(of: ObjectID(38)))
        let zeros = [UInt8](repeating: 0, count: end - start)
        let salvage = try #require(Self.salvage(Array(original[..<start]) + zeros + original[end...]))
        #expect(Self.violation(salvage, of: original, hit: []) == nil)
        #expect(salvage.lostCount >= 33)
    }

    /// A part of the offset table replaced another part, so that two entries lead to one object.
    @Test func doubtsObjectsWithTwoEntries() throws {
        let text = "[" + (1000..<1200).map { "\"\($0)\"" }.joined(separator: ",") + "]"
        let original = try Document.read(Array(text.utf8), as: .json).bytes(as: .binary)
        let table = Int(Trailer(of: original).tableStart)
        var damaged = original
        damaged.replaceSubrange(table + 40..<table + 80, with: original[table + 120..<table + 160])
        // If all objects read, only their order is not proved.
        #expect(Self.salvage(damaged)?.losses.allSatisfy { $0.kind == .doubtful } == true)
        damaged[table - 5] = 0xFF
        let salvage = try #require(Self.salvage(damaged))
        #expect(Self.violation(salvage, of: original, hit: []) == nil)
        #expect(salvage.losses.count { $0.kind == .doubtful } >= 40)
    }

    /// Objects in a block of other bytes may fit by chance.
    @Test func doubtsObjectsInAnOverwrittenBlock() throws {
        let text = "[" + (1000..<1400).map { "\"\($0)\"" }.joined(separator: ",") + "]"
        var damaged = try Document.read(Array(text.utf8), as: .json).bytes(as: .binary)
        let document = try BinaryPlist.read(damaged)
        let inside = (1...400).filter { 1536..<2048 ~= document.offset(of: ObjectID($0)) ?? 0 }
        for offset in 1536..<2048 { damaged[offset] = 0xFF }
        let middle = inside[10..<16]
        for index in middle {
            let start = try #require(document.offset(of: ObjectID(index)))
            damaged.replaceSubrange(start..<start + 5, with: Array("Tzzzz".utf8))
        }
        let salvage = try #require(Self.salvage(damaged))
        for index in middle {
            #expect(salvage.losses.contains { $0.place == .object(ObjectID(index)) }, "\(index)")
        }
        #expect(salvage.losses.count < 120)
    }

    /// Overwritten references may lead to other objects.
    @Test func doubtsReferencesThatWereOverwritten() throws {
        let text = "[" + (0..<300).map(String.init).joined(separator: ",") + "]"
        var damaged = try Document.read(Array(text.utf8), as: .json).bytes(as: .binary)
        // References of two bytes begin at offset 12. The second byte of one and those after it are overwritten.
        for offset in 113..<140 { damaged[offset] = 0xFF }
        let salvage = try #require(Self.salvage(damaged))
        #expect(salvage.losses.contains { $0.kind == .doubtful && $0.place == .object(salvage.document.root) })
    }

    /// The objects after the removed bytes fit by chance, because they have one size. The object before them is cut.
    @Test func losesTheObjectAtTheChange() throws {
        let sizes = (0..<40).map { 8 + $0 * 7 % 13 } + [30] + (0..<40).map { _ in 2 } + (0..<40).map { 9 + $0 * 5 % 11 }
        let strings = sizes.enumerated().map { "\"\(100 + $0.offset)\(String(repeating: "x", count: $0.element))\"" }
        let original = try Document.read(Array("[\(strings.joined(separator: ","))]".utf8), as: .json).bytes(
            as: .binary)
        let document = try BinaryPlist.read(original)
        let start = try #require(document.offset(of: ObjectID(41))) + 24
        let end = try #require(document.offset(of: ObjectID(52)))
        let salvage = try #require(Self.salvage(Array(original[..<start]) + original[end...]))
        for index in 41..<52 {
            #expect(salvage.losses.contains { $0.place == .object(ObjectID(index)) }, "\(index)")
        }
        #expect(salvage.foundCount >= 80)
    }

    /// The number of the missing root is beyond the objects, where a bitmap of whole words ends.
    @Test(arguments: [62, 63, 126, 190]) func findsAMissingRootAfterWholeWords(_ count: Int) throws {
        let null: [UInt8] = [0x55] + Array("$null".utf8) + [0xA1, 0]
        let numbers = (0..<count).flatMap { _ in [0x10, 1] as [UInt8] }
        let salvage = try #require(Self.salvage(Array("bplist00".utf8) + null + numbers))
        #expect(!salvage.losses.isEmpty)
    }

    /// If sizes repeat, removed objects seem to be where the objects before them are.
    @Test func losesRemovedObjects() throws {
        let repeated = [3, 9, 5, 12, 4, 7]
        let sizes = (0..<30).map { 3 + $0 * 7 % 13 } + repeated + repeated + (0..<30).map { 4 + $0 * 5 % 11 }
        let strings = sizes.enumerated().map { "\"\(100 + $0.offset)\(String(repeating: "x", count: $0.element))\"" }
        let original = try Document.read(Array("[\(strings.joined(separator: ","))]".utf8), as: .json).bytes(
            as: .binary)
        let document = try BinaryPlist.read(original)
        let start = try #require(document.offset(of: ObjectID(37)))
        let end = try #require(document.offset(of: ObjectID(43)))
        let salvage = try #require(Self.salvage(Array(original[..<start]) + original[end...]))
        for index in 37..<43 {
            #expect(salvage.losses.contains { $0.place == .object(ObjectID(index)) }, "\(index)")
        }
        #expect(salvage.foundCount >= 58)
    }

    // MARK: Particular losses

    @Test func keepsTheValueOfALostKey() throws {
        let text = "{\"gems\": 340, \"level\": 7, \"name\": \"Ada\"}"
        var bytes = try Document(Array(text.utf8)).bytes(as: .binary)
        let key = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x54] + Array("gems".utf8)) })
        bytes[key] = 0xFF
        let salvage = try #require(Self.salvage(bytes))
        let values = salvage.document
        #expect(salvage.losses.contains { $0.kind == .key })
        #expect(!salvage.isProved)
        guard case .integer(let gems)? = values["lost key 1"], case .integer(let level)? = values["level"] else {
            Issue.record("\(try values.bytes(as: .json).count)")
            return
        }
        #expect(gems.value == 340)
        #expect(level.value == 7)
    }

    /// Every object is found or lost. Lost keys and references are counted apart.
    @Test func countsEveryObjectOnce() throws {
        var generator = SeededGenerator(seed: 7)
        let count = try BinaryPlist.read(Self.save).count
        for _ in 0..<100 {
            var damaged = Self.save
            damaged[Int.random(in: 8..<500, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
            guard let salvage = Self.salvage(damaged) else { continue }
            #expect(salvage.foundCount + salvage.lostCount == count)
        }
    }

    /// Bytes that overwrite some objects can reach the ones around them, which still read.
    @Test func marksTheNeighborsOfAnOverwrittenStretch() throws {
        let text = #"{"a": "before", "b": [1, 2], "c": "lost", "d": 1234567, "e": "after", "f": "far away"}"#
        let original = try Document(Array(text.utf8)).bytes(as: .binary)
        let value = try #require(original.indices.first { original[$0...].starts(with: Array("before".utf8)) })
        let last = try #require(original.indices.first { original[$0...].starts(with: Array("after".utf8)) })
        for foreign in [0x00, 0x41, 0x6F] as [UInt8] {
            // The stretch begins in the first value.
            var damaged = original
            for offset in value + 4..<last - 1 { damaged[offset] = foreign }
            let salvage = try #require(Self.salvage(damaged))
            let document = try BinaryPlist.read(original)
            let first = try #require((0..<document.count).first { document.text(ObjectID($0))?.string == "before" })
            let far = try #require((0..<document.count).first { document.text(ObjectID($0))?.string == "far away" })
            #expect(salvage.losses.contains { $0.place == .object(ObjectID(first)) }, "\(foreign)")
            #expect(!salvage.losses.contains { $0.place == .object(ObjectID(far)) }, "\(foreign)")
        }
    }

    /// One changed byte reaches no other object.
    @Test func marksNoNeighborsOfAChangedByte() throws {
        let text = #"["one", "two", "a string of more than fifteen bytes", "four", "five"]"#
        let original = try Document(Array(text.utf8)).bytes(as: .binary)
        let long = try #require(original.indices.first { original[$0...].starts(with: Array("a string".utf8)) })
        for offset in [long - 3, long - 2, long - 1] {
            var damaged = original
            damaged[offset] ^= 0x04
            let salvage = try #require(Self.salvage(damaged))
            #expect(salvage.losses.count == 1, "\(offset): \(salvage.losses)")
        }
    }

    /// The last object ends with the bytes of the first entry, so that a table of one entry more fits as well.
    @Test func doesNotBeginTheTableTooEarly() throws {
        var builder = DocumentBuilder()
        builder.open(.dictionary)
        for number in 0..<300 {
            builder.add(string: "key \(number)")
            builder.add(string: "value \(number)")
        }
        builder.add(string: "last")
        builder.add(data: ([0, 8] as [UInt8]).span)
        builder.close()
        let original = try builder.finish().bytes(as: .binary)
        let count = 700
        let salvage = try #require(
            Self.salvage(Array(original.dropLast(count)) + [UInt8](repeating: 0, count: count)))
        let hit = [original.count - count..<original.count]
        #expect(Self.violation(salvage, of: original, hit: hit) == nil)
        #expect(salvage.foundCount > 300)
    }

    /// The entry of the root leads to a reference that reads as a Boolean. The reader accepts the file, because it does
    /// not see the other objects.
    @Test func doesNotTakeABooleanForTheRoot() throws {
        let original = Self.save
        let trailer = Trailer(of: original)
        let first = Int(trailer.tableStart) + trailer.offsetSize - 1
        let target = try #require(original[9..<17].firstIndex(of: ObjectMarker.true))
        #expect(original[first] == 8)
        var damaged = original
        damaged[first] = UInt8(target)
        damaged[original.count - 25] = 29
        #expect(throws: Never.self) { try BinaryPlist.read(damaged) }
        let salvage = try #require(Self.salvage(damaged))
        #expect(!salvage.isProved)
        #expect(Self.violation(salvage, of: original, hit: []) == nil)
    }

    /// References of two sizes read the bytes up to the cut without a contradiction, so no object is certain.
    @Test func doubtsReferencesOfUnknownSize() throws {
        // References of two bytes take half of the integers, and the rest reads as well.
        let numbers = (1...20).map { UInt8($0) }
        let contents =
            numbers.dropLast().flatMap { [0x10, $0] } + [0x5F, 0x10, 0x20] + [UInt8](repeating: 0x41, count: 32)
        let file = Array("bplist00".utf8) + [0xAF, 0x10, 20] + numbers + contents
        let salvage = try #require(Self.salvage(file))
        #expect(salvage.losses.count { $0.kind == .doubtful } == 21)
    }

    /// Damage in two places may have changed objects between them, which nothing shows.
    @Test func provesNothingAboutDamageInTwoPlaces() throws {
        for (file, bytes) in Self.saves {
            let salvage = Self.salvage(Array("xplist00".utf8) + bytes.dropFirst(8).dropLast(32))
            #expect(salvage?.isProved != true, "\(file)")
        }
    }

    /// U+FFFD stands for bytes that are lost: infinity would become 1.78e308.
    @Test func provesNothingAboutReplacedBytes() {
        let real: [UInt8] = [0x23, 0x7F, 0xEF, 0xBF, 0xBD, 0, 0, 0, 0, 0, 0]
        let trailer = [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 15) + [0x11]
        let salvage = Self.salvage(Array("bplist00".utf8) + real + [8] + trailer)
        #expect(salvage?.isProved != true)
        // A single entry may be a byte of the object.
        #expect(Self.salvage(Array("bplist00".utf8) + [0x10, 0x05, 0x08])?.isProved != true)
    }

    @Test func refusesWhatCannotBeRead() {
        #expect(Self.salvage([]) == nil)
        #expect(Self.salvage(Array("bplist00".utf8)) == nil)
        #expect(Self.salvage([UInt8](repeating: 0, count: 4096)) == nil)
        #expect(Self.salvage(Array("bplist00".utf8) + [UInt8](repeating: 0xFF, count: 4096)) == nil)
    }

    /// A repair stops at the limit on values, whether it reads the objects by their offsets or one after another.
    @Test func stopsAtLimitOfValues() throws {
        var damaged = Self.save
        damaged[damaged.count - 1] ^= 0x55
        for file in [damaged, Array(Self.save.prefix(Self.save.count / 2))] {
            let problem = #expect(throws: Problem.self) {
                try Format.binary.definition.salvage(file, limits: Limits(workFactor: 0))
            }
            #expect(problem?.id == "limit.values")
        }
    }
}
