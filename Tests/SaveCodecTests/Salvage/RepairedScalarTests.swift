import Testing

@testable import SaveCodec

/// Scalars of a binary property list whose marker or count was changed.
@Suite struct RepairedScalarTests {
    /// The neighbours of a scalar prove its size, so its kind and count are known even if one bit of them was changed,
    /// unless two kinds are equally near.
    @Test func keepsScalarsWithAChangedMarkerOrCount() throws {
        let text = Array("a string of 20 bytes".utf8)
        let scalars: [[UInt8]] = [
            [0x10, 42], [0x11, 1, 42], [0x23, 0x40, 0x09, 0, 0, 0, 0, 0, 0], [0x33, 0x41, 0xC0, 0, 0, 0, 0, 0, 0],
            [0x55] + Array("Swamp".utf8), [0x5F, 0x10, 20] + text, [0x62, 0x01, 0x7D, 0x01, 0x42], [0x44, 1, 2, 3, 4],
        ]
        let original = BinaryPlistSalvageTests.file([[0xA8] + Array(1...8)] + scalars, root: 0)
        var start = 8 + 9
        var lost: [UInt8] = []
        for (index, scalar) in scalars.enumerated() {
            for offset in scalar.starts(with: [0x5F]) ? [0, 1, 2] : [0] {
                for bit in 0..<8 {
                    var damaged = original
                    damaged[start + offset] ^= 1 << bit
                    let salvage = try #require(BinaryPlistSalvageTests.salvage(damaged), "\(index): \(offset), \(bit)")
                    if salvage.bytes == damaged { continue }
                    if salvage.losses.contains(where: { $0.kind == .value }) {
                        lost.append(damaged[start])
                        continue
                    }
                    #expect(
                        salvage.bytes == original && salvage.losses.allSatisfy { $0.kind == .doubtful },
                        "\(index): \(offset), \(bit)")
                }
            }
            start += scalar.count
        }
        #expect(lost == [0x11, 0x00, 0x50, 0x90, 0x01, 0x91, 0x03])
    }

    /// Exchanged offsets beside a repaired marker are two damages, so the objects that they lead to are doubtful.
    @Test func doubtsExchangedObjectsBesideARepairedOne() throws {
        let strings = ["alpha", "be", "gamma", "delt", "ep", "zeta", "etas", "theta7", "iota", "kappa"]
            .map { [0x50 + UInt8($0.utf8.count)] + $0.utf8 }
        var damaged = BinaryPlistSalvageTests.file([[0xAA] + Array(1...10)] + strings, root: 0)
        let table = damaged.count - 32 - 11
        damaged.swapAt(table + 3, table + 8)
        damaged[Int(damaged[table + 6])] ^= 2
        let salvage = try #require(BinaryPlistSalvageTests.salvage(damaged))
        for index in [3, 6, 8] {
            #expect(salvage.losses.contains { $0.place == .object(ObjectID(index)) }, "\(index)")
        }
    }

    /// The key comes back with its value, and is doubtful.
    @Test func keepsAKeyWithAChangedCount() throws {
        var bytes = try Document(Array(#"{"gems": 340, "level": 7}"#.utf8)).bytes(as: .binary)
        let key = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x54] + Array("gems".utf8)) })
        bytes[key] = 0x53
        let salvage = try #require(BinaryPlistSalvageTests.salvage(bytes))
        #expect(
            try salvage.document.bytes(as: .json)
                == Document(Array(#"{"gems": 340, "level": 7}"#.utf8)).bytes(as: .json))
        #expect(salvage.losses.map(\.kind) == [.doubtful] && !salvage.isProved)
    }

    /// Other readers refuse half of a surrogate pair, and dates after the year 9999.
    @Test(
        arguments: [[0x66, 0xD8, 0x00, 0x00, 0x41], [0x37, 0x6D, 0x75, 0x6A, 0x68, 0x67, 0x78, 0x6F, 0x62]] as [[UInt8]]
    )
    func losesWhatNoProgramWrites(_ scalar: [UInt8]) throws {
        let strings: [[UInt8]] = [[0x52, 0x61, 0x62], scalar, [0x52, 0x63, 0x64], [0x52, 0x65, 0x66]]
        let damaged = BinaryPlistSalvageTests.file([[0xA4, 1, 2, 3, 4]] + strings, root: 0)
        let salvage = try #require(BinaryPlistSalvageTests.salvage(damaged))
        #expect(salvage.losses.contains { $0.kind == .value && $0.place == .object(ObjectID(2)) })
    }
}
