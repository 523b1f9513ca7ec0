import Foundation
@testable import SaveCodec
import TestSupport
import Testing

/// The law of salvage: an object that differs from the original is reported.
extension BinaryPlistSalvageTests {
    /// Returns a sentence about the first object that differs without a report; nil if there is none.
    static func violation(_ salvage: Salvage, of original: [UInt8], hit: [Range<Int>]) -> String? {
        guard let before = try? BinaryPlist.read(original) else { return "the original is unreadable" }
        let after = salvage.document
        var marked: Set<Int> = []
        for loss in salvage.losses {
            if case .object(let id) = loss.place { marked.insert(id.index) }
        }
        for index in 0..<before.count {
            let id = ObjectID(index)
            guard let mine = before.checkedObject(id), let start = before.offset(of: id) else { continue }
            let range = start..<before.end(of: mine)
            if marked.contains(index)
                || hit.contains(where: { $0.overlaps(range) || $0.isEmpty && range.contains($0.lowerBound) })
            {
                continue
            }
            guard index < after.count, let other = after.checkedObject(id) else {
                if salvage.losses.contains(where: { $0.kind == .missing }) { continue }
                return "object \(index) is gone"
            }
            guard mine.kind == other.kind, mine.count == other.count else { return "object \(index) has another kind" }
            if !mine.kind.isContainer {
                let same =
                    original[range.lowerBound..<range.upperBound]
                    .elementsEqual(after.image[(after.offset(of: id) ?? 0)..<after.end(of: other)])
                if !same { return "object \(index) has another value" }
                continue
            }
            for position in 0..<mine.referenceCount {
                let (one, two) = (before.reference(position, of: mine), after.reference(position, of: other))
                if one != two, two.index < before.count, !marked.contains(two.index) {
                    return "object \(index) refers to another object"
                }
            }
        }
        return nil
    }

    static func check(
        _ damaged: [UInt8], of file: (name: String, bytes: [UInt8]), hit: [Range<Int>], _ what: String
    ) {
        guard let salvage = salvage(damaged) else { return }
        let violation = violation(salvage, of: file.bytes, hit: hit)
        #expect(violation == nil, "\(file.name): \(what): \(violation ?? "")")
        let isReadable = (try? BinaryPlist.read(salvage.bytes)) != nil
        #expect(isReadable, "\(file.name): \(what): the result is unreadable")
    }

    @Test func marksEveryFlippedByte() {
        for file in Self.saves {
            for offset in TestScale.sample(of: Array(file.bytes.indices)) {
                for mask in [0x01, 0x10, 0x80, 0xFF] as [UInt8] {
                    var damaged = file.bytes
                    damaged[offset] ^= mask
                    Self.check(damaged, of: file, hit: [offset..<offset + 1], "byte \(offset) ^ \(mask)")
                }
            }
        }
    }

    @Test func marksEveryCut() {
        for file in Self.saves {
            for count in TestScale.sample(of: Array(9..<file.bytes.count)) {
                Self.check(
                    Array(file.bytes[..<count]), of: file, hit: [count..<file.bytes.count], "cut after \(count)")
                let zeros = Array(file.bytes[..<count]) + [UInt8](repeating: 0, count: file.bytes.count - count)
                Self.check(zeros, of: file, hit: [count..<file.bytes.count], "zeros from \(count)")
            }
        }
    }

    /// A missing or an extra byte among the references of a dictionary moves values to other keys.
    @Test func marksTheValuesOfADictionaryWithShiftedReferences() throws {
        let strings = ["gold", "name", "lvl", "Zoe", "3456", "9"].map { [0x50 + UInt8($0.utf8.count)] + $0.utf8 }
        let original = Self.file([[0xD3, 1, 2, 3, 4, 5, 6]] + strings, root: 0)
        for offset in 9...14 {
            let (before, after) = (original[..<offset], original[offset...])
            for damaged in [before + after.dropFirst(), before + [3] + after] {
                let salvage = try #require(Self.salvage(Array(damaged)))
                let document = salvage.document
                let root = document.object(document.root)
                for position in 0..<root.count where document.value(position, of: root).index != position + 4 {
                    let place = SalvageLoss.Place.object(document.value(position, of: root))
                    #expect(salvage.losses.contains { $0.place == place }, "\(offset): \(position)")
                }
            }
        }
    }

    @Test func marksInsertedBytes() {
        for file in Self.saves {
            for offset in TestScale.sample(of: Array(8..<file.bytes.count - 32)) {
                for block in [[0x00], [0x51, 0x41], [0x08, 0x09, 0x10, 0x05], [UInt8](repeating: 0x41, count: 300)]
                    as [[UInt8]]
                {
                    let damaged = Array(file.bytes[..<offset]) + block + Array(file.bytes[offset...])
                    Self.check(damaged, of: file, hit: [offset..<offset], "\(block.count) bytes at \(offset)")
                }
            }
        }
    }

    /// Ten flips change up to 4 % of these files, so that a few of them cannot be told apart from a sound object.
    @Test func marksNearlyAllOfManyFlippedBytes() {
        var generator = SeededGenerator(seed: 36)
        let rounds = TestScale.count(400, long: 4000)
        for file in Self.saves {
            var violations = 0
            for _ in 0..<rounds {
                var damaged = file.bytes
                var hit: [Range<Int>] = []
                for _ in 0..<10 {
                    let offset = Int.random(in: 8..<damaged.count, using: &generator)
                    damaged[offset] ^= UInt8.random(in: 1...255, using: &generator)
                    hit.append(offset..<offset + 1)
                }
                guard let salvage = Self.salvage(damaged) else { continue }
                if Self.violation(salvage, of: file.bytes, hit: hit) != nil { violations += 1 }
            }
            #expect(violations * 100 <= rounds * 3, "\(file.name): \(violations) of \(rounds)")
        }
    }
}
