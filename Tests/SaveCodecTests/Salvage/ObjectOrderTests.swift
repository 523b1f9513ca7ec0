import TestSupport
import Testing

@testable import SaveCodec

/// The objects of a file need not be in the order of their numbers, and references show the order of visits.
extension BinaryPlistSalvageTests {
    /// A dictionary of six strings, and the offset of its table. The objects are stored in the order of `numbers`.
    private static func file(inOrder numbers: [Int]) -> (bytes: [UInt8], table: Int) {
        let strings = ["name", "level", "gold", "hp", "mp", "str", "Zoe", "3", "1234", "99", "55", "strong"]
        return file(
            [[0xD6] + (1...12).map { UInt8($0) }] + strings.map { [0x50 + UInt8($0.utf8.count)] + $0.utf8 },
            inOrder: numbers)
    }

    /// Returns a file with objects in another order than that of their numbers, and the offset of its table.
    private static func file(_ objects: [[UInt8]], inOrder numbers: [Int]) -> (bytes: [UInt8], table: Int) {
        var bytes = Array("bplist00".utf8)
        var offsets = [UInt8](repeating: 0, count: objects.count)
        for number in numbers {
            offsets[number] = UInt8(bytes.count)
            bytes += objects[number]
        }
        var output = ByteWriter()
        Trailer(
            offsetSize: 1, referenceSize: 1, objectCount: UInt64(objects.count), root: 0,
            tableStart: UInt64(bytes.count)
        ).write(to: &output)
        return (bytes + offsets + output.takeBytes(), bytes.count)
    }

    /// Two objects that were exchanged, the root at the end, and no order at all.
    private static let orders = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 9, 11, 12], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0],
        [8, 3, 11, 6, 0, 12, 5, 9, 2, 7, 10, 4, 1],
    ]

    @Test(arguments: orders) func keepsASoundTable(_ order: [Int]) throws {
        let file = Self.file(inOrder: order).bytes
        let salvage = try #require(Self.salvage(file))
        #expect(salvage.isSound && salvage.bytes == file)
    }

    /// The other entries are right, so all other values stay in their places.
    @Test(arguments: orders, [1, 2, 3, 5]) func keepsTheOrderBesideWrongEntries(_ order: [Int], _ count: Int) throws {
        let (original, table) = Self.file(inOrder: order)
        for number in 0...13 - count {
            var damaged = original
            for index in number..<number + count { damaged[table + index] = 0xFF }
            let salvage = try #require(Self.salvage(damaged), "\(number)")
            #expect(!salvage.isProved && !salvage.losses.isEmpty, "\(number)")
            #expect(Self.violation(salvage, of: original, hit: []) == nil, "\(number)")
            guard count == 1 else { continue }
            #expect(salvage.losses.allSatisfy { $0.kind == .doubtful }, "\(number): \(salvage.losses)")
        }
    }

    /// The table is sound, and gives the objects the numbers that they have.
    @Test(arguments: orders) func keepsTheOrderBesideADamagedTrailer(_ order: [Int]) throws {
        let original = Self.file(inOrder: order).bytes
        let salvage = try #require(Self.salvage(Self.changed(original, at: original.count - 8, to: 0x80)))
        #expect(salvage.losses.isEmpty, "\(salvage.losses)")
        #expect(Self.violation(salvage, of: original, hit: []) == nil)
    }

    /// The object with the changed marker reads as data that contains the objects after it.
    @Test(arguments: orders.prefix(2)) func keepsTheOrderBesideADamagedObject(_ order: [Int]) throws {
        let (original, table) = Self.file(inOrder: order)
        for number in 1...12 {
            let start = Int(original[table + number])
            let salvage = try #require(Self.salvage(Self.changed(original, at: start, to: 0x4D)), "\(number)")
            #expect(salvage.losses.count <= 4, "\(number): \(salvage.losses)")
            #expect(Self.violation(salvage, of: original, hit: [start..<start + 1]) == nil, "\(number)")
        }
    }

    /// An entry that repeats the one of the next object in the file gives one of the two the wrong place.
    @Test func doubtsObjectsWithEqualEntries() throws {
        let strings: [[UInt8]] = (1...24).map {
            [0x50 + $0 % 7 + 2] + [UInt8](repeating: 0x60 + $0, count: Int($0 % 7) + 2)
        }
        let order = [0] + (1...24).reversed()
        let (original, table) = Self.file([[0xAF, 0x10, 24] + (1...24)] + strings, inOrder: order)
        for (one, next) in zip(order[1...], order[2...]) {
            for (number, other) in [(one, next), (next, one)] {
                var damaged = original
                damaged[table + number] = original[table + other]
                let salvage = try #require(Self.salvage(damaged))
                #expect(Self.violation(salvage, of: original, hit: []) == nil, "\(number) at \(other)")
            }
        }
    }

    /// Zeros are in place of most objects. The others are still in the order of their offsets.
    @Test func keepsTheOrderBesideOverwrittenObjects() throws {
        let strings: [[UInt8]] = (10..<50).map { [0x52] + Array("\($0)".utf8) }
        let (original, table) = Self.file(
            [[0xAF, 0x10, 40] + (1...40)] + strings, inOrder: [0] + (1...40).reversed())
        let zeros = table - 96..<table
        let salvage = try #require(Self.salvage(Self.changed(original, in: zeros, to: 0)))
        #expect(Self.violation(salvage, of: original, hit: [zeros]) == nil)
        #expect(salvage.losses.count { $0.kind != .doubtful } <= 33, "\(salvage.losses.count)")
    }

    /// Lost entries may belong to objects in another order, unless there are only two objects, one of which is a key and
    /// the other no string, or a byte of an entry is intact.
    @Test func doubtsTheOrderOfTwoObjects() throws {
        let integers = Self.file([[0xD2, 1, 2, 3, 4], [0x51, 0x61], [0x51, 0x62], [0x10, 1], [0x10, 2]], root: 0)
        let table = integers.count - Trailer.size - 5
        for number in 1...3 {
            let damaged = Self.changed(integers, in: table + number..<table + number + 2, to: 0xFF)
            let salvage = try #require(Self.salvage(damaged))
            let isKeyOrdered = number == 2
            #expect(salvage.isProved == isKeyOrdered && salvage.bytes == integers, "\(number)")
            #expect(salvage.losses.count == (isKeyOrdered ? 0 : 2), "\(number)")
        }
        let long = Self.longFile([[0xA3, 1, 2, 3], [0x51, 0x61], [0x51, 0x62], [0x51, 0x63]])
        let entry = long.count - Trailer.size - 4
        let salvage = try #require(Self.salvage(Self.changed(long, in: entry - 1..<entry + 1, to: 0xFF)))
        #expect(salvage.isProved && salvage.bytes == long)
    }

    /// Entries outside the file have no byte of the original, whatever that ends with.
    @Test func doubtsTheOrderOfTwoObjectsWithOffsetsOutsideTheFile() throws {
        let word = [0x5F, 0x11, 0x01, 0xEE] + [UInt8](repeating: 0x61, count: 0x1EE)
        let file = Self.longFile([[0xA4, 1, 2, 3, 4], word, [0x51, 0x61], [0x51, 0x62], [0x51, 0x63]])
        let entries = file.count - Trailer.size - 6
        try #require(file[entries..<entries + 2] == [0x01, 0xFF])
        var damaged = file
        damaged.replaceSubrange(entries..<entries + 4, with: [0xAB, 0xCD, 0xAB, 0xCD])
        let salvage = try #require(Self.salvage(damaged))
        #expect(!salvage.isProved && salvage.losses.count == 2)
    }

    /// The root cannot be a string, so these two objects were not stored in the opposite order.
    @Test func provesTheOrderOfAStringAndTheRoot() throws {
        let file = Self.file([[0x51, 0x61], [0x51, 0x62], [0xA2, 0, 1]], root: 2)
        let table = file.count - Trailer.size - 3
        let salvage = try #require(Self.salvage(Self.changed(file, in: table + 1..<table + 3, to: 0xFF)))
        #expect(salvage.isProved && salvage.bytes == file)
    }

    private static func changed(_ bytes: [UInt8], in range: Range<Int>, to value: UInt8) -> [UInt8] {
        bytes.enumerated().map { range.contains($0.offset) ? value : $0.element }
    }

    /// An entry that leads to another object is no sign of another order.
    @Test func repairsAnEntryThatLeadsToAnotherObject() throws {
        let (original, table) = Self.file(inOrder: Array(0...12))
        var damaged = original
        damaged[table + 5] = original[table + 8]
        let salvage = try #require(Self.salvage(damaged))
        #expect(salvage.bytes == original && salvage.isProved)
    }

    /// Nothing refers to object 5. One of the references to object 4 is wrong, most likely the first repetition.
    @Test func namesTheFirstContainerThatContradictsTheOrder() throws {
        let containers: [[UInt8]] = [[1, 4] + (6...29).map { UInt8($0) }, [2, 4], [3, 4], [4, 4]]
        let arrays = containers.map {
            $0.count < 15 ? [0xA0 + UInt8($0.count)] + $0 : [0xAF, 0x10, UInt8($0.count)] + $0
        }
        let file = Self.longFile(arrays + (4...29).map { [0x52] + Array("\(10 + $0)".utf8) })
        let salvage = try #require(Self.salvage(file))
        #expect(salvage.contradiction?.message == "a reference in object 3 contradicts the order of the objects")
    }
}
