import TestSupport
import Testing

@testable import SaveCodec

/// Other bytes may replace a stretch of the offset table. The objects then show which offsets were lost.
extension BinaryPlistSalvageTests {
    /// An array of 60 strings of three characters.
    private static var table: (file: [UInt8], start: Int) {
        let strings = (0..<60).map { [0x53, 0x61] + Array("\(10 + $0)".utf8) }
        let file = longFile([[0xAF, 0x10, 60] + (1...60).map { UInt8($0) }] + strings)
        return (file, file.count - Trailer.size - 2 * 61)
    }

    /// A part of the table moved to its beginning. The rest of it then looks like the table of fewer objects, in which the
    /// keys of dictionaries are strings.
    @Test(arguments: 3...7) func doubtsATableThatContradictsTheTrailer(_ moved: Int) throws {
        let numbers: [[UInt8]] = (1...4).map { [0x10, $0] }
        let rows = stride(from: 7, to: 67, by: 3).flatMap { (dictionary: UInt8) -> [[UInt8]] in
            [[0xD2, 5, 6, dictionary + 1, dictionary + 2], [0x10, dictionary], [0x11, 1, dictionary]]
        }
        let root: [UInt8] = [0xAF, 0x10, 24, 1, 2, 3, 4] + Array(stride(from: 7, to: 67, by: 3))
        let keys: [[UInt8]] = [[0x51, 0x61], [0x51, 0x62]]
        let original = Self.longFile([root] + numbers + keys + rows)
        let start = original.count - Trailer.size - 2 * 67
        for (before, length) in [(0, 40), (8, 20), (8, 40), (20, 30), (20, 40)] {
            let hit = start - before..<start + length
            var damaged = original
            for offset in hit { damaged[offset] = original[offset - 2 * moved] }
            guard let salvage = Self.salvage(damaged) else { continue }
            let violation = Self.violation(salvage, of: original, hit: [hit])
            #expect(!salvage.isProved && violation == nil, "\(before) \(length) \(violation as Any)")
        }
    }

    /// The offsets of other objects, which are not in order.
    @Test(arguments: [-10, 10]) func readsObjectsWhoseOffsetsWereReplaced(_ distance: Int) throws {
        let (original, start) = Self.table
        var damaged = original
        let stretch = start + 20..<start + 84
        for offset in stretch { damaged[offset] = original[offset + distance] }
        let salvage = try #require(Self.salvage(damaged))
        #expect(salvage.losses.allSatisfy { $0.kind == .doubtful } && salvage.contradiction?.id == "salvage.extent")
        #expect(Self.violation(salvage, of: original, hit: []) == nil)
    }

    /// Text is in place of the last object and of all but a few offsets. Ordered by size, the wrong offsets would give
    /// the objects other numbers.
    @Test func readsObjectsByNumberIfTextReplacedTheirOffsets() throws {
        var objects: [[UInt8]] = [[0xAC] + stride(from: 1, to: 24, by: 2)]
        for length in 1...12 as ClosedRange<UInt8> {
            objects.append([0xA1, 2 * length])
            objects.append([0x50 + length] + [UInt8](repeating: 0x60 + length, count: Int(length)))
        }
        let original = Self.file(objects, root: 0)
        let table = original.count - Trailer.size - 25
        let damage = Array("3d]userhome_Names+levelZap, Gold: x".utf8)
        let hit = table - 13..<table - 13 + damage.count
        var damaged = original
        damaged.replaceSubrange(hit, with: damage)
        let salvage = try #require(Self.salvage(damaged))
        #expect(!salvage.isProved && salvage.losses.count <= 2, "\(salvage.losses)")
        #expect(Self.violation(salvage, of: original, hit: [hit]) == nil)
    }

    /// The offsets of another version, which are in order: the objects may be damaged instead.
    @Test func doubtsObjectsWithTwoPlausibleOffsets() throws {
        let (original, start) = Self.table
        #expect(Self.salvage(original)?.isSound == true)
        var damaged = original
        for number in 20..<30 { damaged[start + 2 * number + 1] += 1 }
        let salvage = try #require(Self.salvage(damaged))
        #expect(!salvage.isProved && !salvage.losses.isEmpty)
        #expect(Self.violation(salvage, of: original, hit: []) == nil)
    }

    /// The damage ends in the first offset and began in the last object.
    @Test func doubtsTheObjectBeforeTheTable() throws {
        let original = Self.file([[0xA2, 1, 2], [0x51, 0x61], [0x53, 0x61, 0x62, 0x63]], root: 0)
        let table = original.count - Trailer.size - 3
        let flipped = try #require(Self.salvage(Self.changed(original, at: table, to: 0x0A)))
        #expect(flipped.bytes == original && flipped.isProved)
        let damaged = Self.changed(Self.changed(original, at: table - 1, to: 0x78), at: table, to: 0x73)
        let salvage = try #require(Self.salvage(damaged))
        #expect(!salvage.isProved)
        #expect(salvage.losses.contains { $0.kind == .doubtful && $0.place == .object(ObjectID(2)) })
    }

    /// The root cannot be a scalar beside containers. The offset table contradicts most objects, so that it proves
    /// nothing.
    @Test func findsARootThatReadsAsAScalar() throws {
        let original = Self.file([[0xA3, 1, 2, 3], [0xA1, 3], [0x51, 0x62], [0x51, 0x63]], root: 0)
        var damaged = original
        damaged.replaceSubrange(14..<19, with: [8, 9, 8, 9, 14])
        let document = try BinaryPlist.read(damaged)
        #expect(document.object(document.root).kind == .false)
        let salvage = try #require(Self.salvage(damaged))
        #expect(!salvage.isSound && salvage.contradiction?.id == "salvage.root")
    }

    /// All objects read as scalars, and the offset table contradicts most of them.
    @Test func findsARootThatReadsAsAScalarAmongScalars() throws {
        let strings: [[UInt8]] = (14..<34).map { [0x53, 0x30] + Array("\($0)".utf8) }
        let original = Self.file([[0xAF, 0x10, 20] + (1...20).map { UInt8($0) }] + strings, root: 0)
        #expect(Self.salvage(original)?.isSound == true)
        let table = original.count - Trailer.size - 21
        var damaged = original
        for offset in table - 4..<table + 21 { damaged[offset] = original[offset - 41] }
        #expect(try BinaryPlist.read(damaged).object(ObjectID(0)).kind.isString)
        #expect(Self.salvage(damaged)?.isSound != true)
    }

    /// A third of the objects contradicts the offset table, which could be the style of a program if none overlapped the
    /// next one.
    @Test func findsObjectsThatOverlap() throws {
        let strings: [[UInt8]] = (10..<18).map { [0x53, 0x30] + Array("\($0)".utf8) }
        let original = Self.file([[0xA8] + (1...8).map { UInt8($0) }] + strings, root: 0)
        var damaged = original
        for number in [0, 3, 6] { damaged[17 + 4 * number] = 0x45 }
        let salvage = try #require(Self.salvage(damaged))
        #expect(!salvage.isSound && salvage.contradiction?.id == "salvage.extent")
        for number in [0, 3, 6] { damaged[17 + 4 * number] = 0x42 }
        #expect(Self.salvage(damaged)?.isSound == true)
    }

    /// Padding, two entries for one object, and an entry that leads into data are no damage.
    @Test(arguments: [[], [0x44, 1]] as [[UInt8]]) func acceptsGapsAndSharedObjects(_ fifth: [UInt8]) throws {
        var objects: [[UInt8]] = (1...19).map { [0x10, $0] + ($0 % 2 == 0 ? [0, 0] : []) }
        objects[4] = fifth
        objects[5] = fifth.isEmpty ? [0x10, 5] : [0x10, 7, 2]
        let file = Self.file([[0xAF, 0x10, 19] + (1...19).map { UInt8($0) } + [0]] + objects, root: 0)
        let salvage = try #require(Self.salvage(file))
        #expect(salvage.isSound && salvage.bytes == file)
    }

    @Test func acceptsAScalarAmongOthersWithGaps() throws {
        let file = Self.file([[0x10, 1, 0], [0x10, 2, 0], [0x10, 3, 0]], root: 0)
        #expect(Self.salvage(file)?.isSound == true)
    }

    /// The search for objects in the bytes of long data leaves enough steps for the entries after it.
    @Test func repairsEntriesAfterLongData() throws {
        let strings: [[UInt8]] = (10..<46).map { [0x58] + Array("string\($0)".utf8) }
        let data: [UInt8] = [0x4F, 0x11, 0x0B, 0xB8] + (0..<3000).map { 0x60 + UInt8(($0 * $0 * 7 >> 3) % 8) }
        let root: [UInt8] = [0xAF, 0x10, 37] + (1...37).map { UInt8($0) }
        let file = Self.longFile([root] + strings[..<12] + [data] + strings[12...])
        let table = file.count - Trailer.size - 2 * 38
        var damaged = file
        damaged[table + 2 * 14 + 1] += 3
        damaged[table + 2 * 23 + 1] += 2
        damaged[table - 9 * 5] = 0x7F
        let salvage = try #require(Self.salvage(damaged))
        #expect(salvage.losses.count { $0.kind != .doubtful } == 1, "\(salvage.losses)")
        #expect(Self.violation(salvage, of: file, hit: [table - 45..<table - 44]) == nil)
    }

    /// Data in place of an array contains the next object and a part of the one after it, whose other bytes read as two
    /// objects. An entry elsewhere that is out of order does not prove them.
    @Test func doubtsObjectsWithPlausibleOffsetsBesideAWrongOne() throws {
        let tail: [[UInt8]] = (6...12).map { [0x52, 0x30, 0x30 + $0] }
        let objects: [[UInt8]] = [
            [0xAC] + (1...12).map { UInt8($0) }, [0x51, 0x61], [0xA1, 3], [0x80, 1], [0x54, 0x51, 0x61, 0x51, 0x62],
            [0x51, 0x63],
        ]
        let original = Self.file(objects + tail, root: 0)
        let array = 8 + objects[0].count + objects[1].count
        let damaged = Self.changed(
            Self.changed(original, at: array, to: 0x44), at: original.count - Trailer.size - 3, to: 0xFE)
        let salvage = try #require(Self.salvage(damaged))
        #expect(Self.violation(salvage, of: original, hit: [array..<array + 1]) == nil)
    }

    /// UTF-16 text or a dictionary in place of an ASCII string contains the next object. Its entry is wrong, and so are
    /// others.
    @Test(arguments: [0x66, 0xD6] as [UInt8]) func doubtsAnObjectThatMayContainOthers(_ marker: UInt8) throws {
        let strings: [[UInt8]] = (10...19).map { [0x53, 0x61, 0x31, 0x30 + $0 - 10] }
        let objects: [[UInt8]] = [
            [0xAD] + (1...13).map { UInt8($0) }, [0x58] + Array("$objects".utf8), [0x12, 0, 1, 0x86, 0xA0],
            [0x51, 0x61],
        ]
        let original = Self.file(objects + strings, root: 0)
        let (key, table) = (8 + objects[0].count, original.count - Trailer.size - 14)
        var damaged = Self.changed(Self.changed(original, at: key, to: marker), at: table + 2, to: 0xEF)
        for number in [5, 8, 11] { damaged[table + number] = 0xF0 }
        damaged[key + 24] = 0xFF
        let salvage = try #require(Self.salvage(damaged))
        #expect(Self.violation(salvage, of: original, hit: [key..<key + 1, key + 24..<key + 25]) == nil)
    }

    /// The only byte 0x0D is a reference to an object that contains others.
    @Test func doubtsAReplacedReference() throws {
        let original = try #require(Self.saves.first { $0.name.hasSuffix("friends.save") }).bytes
        let salvage = try #require(Self.salvage(original.map { $0 == 0x0D ? 0x0A : $0 }))
        #expect(!salvage.isProved && salvage.losses.contains { $0.place == .object(ObjectID(11)) })
    }

    static func changed(_ bytes: [UInt8], at offset: Int, to value: UInt8) -> [UInt8] {
        var bytes = bytes
        bytes[offset] = value
        return bytes
    }
}
