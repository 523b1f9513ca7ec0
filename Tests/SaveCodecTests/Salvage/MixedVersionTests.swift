import TestSupport
import Testing

@testable import SaveCodec

/// In a file that was mixed from two versions of a save, every value that differs from both is reported, or something
/// that contains it is.
@Suite struct MixedVersionTests {
    private static func binary(_ text: String) throws -> [UInt8] {
        try Document.read(Array(text.utf8), as: .json).bytes(as: .binary)
    }

    private static func scores(_ count: Int, size: Int) throws -> [UInt8] {
        let scores = (0..<count).map { ##"{"name": "player \##($0 % 3)", "level": \##($0), "score": \##($0 * 300)}"## }
        return try binary(##"{"size": \##(size), "scores": [\##(scores.joined(separator: ", "))], "sound": true}"##)
    }

    /// Whether a value in a repaired file differs from the original without a report.
    private static func differs(_ salvage: Salvage, from original: [UInt8]) throws -> Bool {
        let (before, after) = (try BinaryPlist.read(original), salvage.document)
        var marked: Set<ObjectID> = []
        for loss in salvage.losses { if case .object(let id) = loss.place { marked.insert(id) } }
        var (pending, seen) = ([(before.root, after.root)], Set<[Int]>())
        while let (mine, other) = pending.popLast() {
            guard !marked.contains(other), seen.insert([mine.index, other.index]).inserted else { continue }
            let (one, two) = (before.object(mine), after.object(other))
            guard one.kind == two.kind, one.count == two.count else { return true }
            guard one.kind.isContainer else {
                // Nothing shows that a scalar of the same size is of another version.
                if mine == other { continue }
                let (first, second) = (one.start..<before.end(of: one), two.start..<after.end(of: two))
                guard before.image[first].elementsEqual(after.image[second]) else { return true }
                continue
            }
            for position in 0..<one.referenceCount {
                pending.append((before.reference(position, of: one), after.reference(position, of: two)))
            }
        }
        return false
    }

    @Test func marksMixesOfTwoVersions() throws {
        let (newer, older) = (try Self.scores(9, size: 30_000), try Self.scores(8, size: 400))
        for cut in stride(from: 9, to: older.count, by: 5) {
            let block = cut + 64 < older.count ? cut + 64 : cut
            for mix in [
                older[..<cut] + newer[cut...], newer[..<cut] + older[cut...],
                newer[..<cut] + older[cut..<block] + newer[block...],
            ] {
                guard let salvage = BinaryPlistSalvageTests.salvage(Array(mix)) else { continue }
                let isOlder = try !Self.differs(salvage, from: older)
                #expect(try isOlder || !Self.differs(salvage, from: newer), "mixed at \(cut)")
            }
        }
    }

    /// A file of objects of one byte for each reference, whose root is an array.
    private static func salvage(_ objects: [[UInt8]]) throws -> Salvage {
        try #require(BinaryPlistSalvageTests.salvage(BinaryPlistSalvageTests.file(objects, root: 0)))
    }

    @Test func findsReferencesThatNoWriterMakes() throws {
        let (a, b) = ([0x51, 0x61] as [UInt8], [0x51, 0x62] as [UInt8])
        // A Boolean to which nothing refers is a copy of the first one. Keys alone, or scalars to which nothing refers,
        // may be the style of a program.
        for objects in [
            [[0xD2, 1, 2, 1, 2], a, b], [[0xA2, 1, 1], [0x09], [0x09]], [[0xD2, 1, 1, 1, 2], a, b],
            [[0xD1, 1, 2], [0x10, 7], a], [[0xA1, 1], a, b], [[0xA1, 1], [0x09], [0x08]],
        ] as [[[UInt8]]] {
            #expect(try Self.salvage(objects).isSound, "\(objects)")
        }
        for objects in [[[0xD2, 1, 1, 1, 1], a, b], [[0xD1, 1, 2], [0x10, 7], a, b]] as [[[UInt8]]] {
            let salvage = try Self.salvage(objects)
            #expect(salvage.contradiction?.id == "salvage.reference" && !salvage.losses.isEmpty, "\(objects)")
        }
        #expect(try Self.salvage([[0xA2, 1, 1], a, [0xA1, 1]]).contradiction != nil)
    }

    /// A file that reads without errors keeps all its bytes, whatever its keys are.
    @Test(arguments: ["tricky", "typed-json", "archives-tricky", "graph-json", "games"])
    func keepsSoundFiles(_ folder: String) throws {
        for file in try TestFiles.fixtureFiles(in: folder) {
            guard let stored = try? TestFiles.bytes(file), stored.count < 1 << 16,
                let document = try? Document.read(stored, as: Format.recognize(stored)),
                let bytes = BinaryPlist.begins(stored[...]) ? stored : try? document.bytes(as: .binary),
                let binary = try? BinaryPlist.read(bytes), !binary.warnings.contains(where: { $0.kind.isOf(.damage) })
            else { continue }
            #expect(BinaryPlistSalvageTests.salvage(bytes)?.bytes == bytes, "\(file)")
        }
    }
}
