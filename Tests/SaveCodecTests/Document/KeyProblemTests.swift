@testable import SaveCodec
import TestSupport
import Testing

/// Finding unusual keys takes time linear in the size of the file.
@Suite struct KeyProblemTests {
    /// An unreachable dictionary has string keys whose bytes overlap; examining each of them would take quadratic time.
    @Test func keysThatOverlap() throws {
        let isLinear = try Growth.isLinear(to: 20_000) { count in
            let document = try BinaryPlist.read(Self.overlappingKeys(count), limits: Limits(workFactor: 20))
            return { #expect(document.keyProblems().isEmpty) }
        }
        #expect(isLinear)
    }

    /// An integer in two widths is one key, among few keys and among many.
    @Test(arguments: [0, 20]) func integersOfTwoWidths(others: Int) throws {
        var builder = DocumentBuilder()
        builder.open(.dictionary)
        for other in 0..<others {
            builder.add(string: "\(other)")
            builder.addNull()
        }
        for width in [1, 8] {
            builder.add(try #require(StoredInteger(5, width: width)))
            builder.addNull()
        }
        builder.close()
        let document = try builder.finish()
        let duplicate = try #require(document.firstDuplicateKey(of: document.object(document.root)))
        #expect(duplicate == (others, others + 1))
    }

    /// Returns a file with an empty root dictionary and an unreachable dictionary, whose string keys all extend to the
    /// end of the last one.
    private static func overlappingKeys(_ count: Int) -> [UInt8] {
        var bytes = Array("bplist00".utf8) + [0xD0]
        var offsets = [8, 9]
        bytes += [0xDF, 0x12] + word(count)
        for key in 0..<count { bytes += word(2 + key) }
        for _ in 0..<count { bytes += word(0) }
        for key in 0..<count {
            offsets.append(bytes.count)
            bytes += [0x5F, 0x12] + word(6 * (count - 1 - key) + 1)
        }
        bytes.append(0x61)
        let table = bytes.count
        for offset in offsets { bytes += word(offset) }
        bytes += [0, 0, 0, 0, 0, 0, 4, 4] + word(0) + word(offsets.count) + word(0) + word(0) + word(0) + word(table)
        return bytes
    }

    private static func word(_ value: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
