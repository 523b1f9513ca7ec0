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

    /// The offsets of other objects, which are not in order.
    @Test(arguments: [-10, 10]) func readsObjectsWhoseOffsetsWereReplaced(_ distance: Int) throws {
        let (original, start) = Self.table
        var damaged = original
        let stretch = start + 20..<start + 84
        for offset in stretch { damaged[offset] = original[offset + distance] }
        let salvage = try #require(Self.salvage(damaged))
        #expect(salvage.losses.isEmpty && !salvage.isProved && salvage.contradiction?.id == "salvage.extent")
        #expect(Self.violation(salvage, of: original, hit: []) == nil)
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

    /// The only byte 0x0D is a reference to an object that contains others.
    @Test func doubtsAReplacedReference() throws {
        let original = try #require(Self.saves.first { $0.name.hasSuffix("friends.save") }).bytes
        let salvage = try #require(Self.salvage(original.map { $0 == 0x0D ? 0x0A : $0 }))
        #expect(!salvage.isProved && salvage.losses.contains { $0.place == .object(ObjectID(11)) })
    }

    private static func changed(_ bytes: [UInt8], at offset: Int, to value: UInt8) -> [UInt8] {
        var bytes = bytes
        bytes[offset] = value
        return bytes
    }
}
