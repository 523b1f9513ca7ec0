import SaveCodec
import Testing

/// Every reader refuses 100,000 nested containers with a location, even on a thread with a small stack.
@Suite struct DeepInputTests {
    private static let depth = 100_000

    @Test(arguments: [
        (Format.json, "["), (.json, "{\"k\":"), (.json, "{\"$set\":["), (.json, "{\"$dict\":[[1,"),
        (.xml, "<array>"), (.xml, "<dict><key>k</key>"), (.openStep, "("), (.openStep, "{k="), (.gnustep, "("),
        (.gnustep, "{k="),
    ])
    func rejectsDeepText(_ format: Format, _ opening: String) {
        let bytes = Array(String(repeating: opening, count: Self.depth).utf8)
        let problem = #expect(throws: Problem.self) { try Document.read(bytes, as: format) }
        #expect(problem?.id == "limit.depth")
        #expect(problem?.location != nil)
    }

    @Test func rejectsDeepBinary() {
        let problem = #expect(throws: Problem.self) { try Document.read(Self.nestedArrays(Self.depth), as: .binary) }
        #expect(problem?.id == "limit.depth")
        #expect(problem?.location != nil)
    }

    @Test func readsDeepBinaryWithHigherLimit() throws {
        let bytes = Self.nestedArrays(Self.depth)
        let document = try Document.read(bytes, as: .binary, limits: Limits(maxDepth: Self.depth))
        let json = try document.bytes(as: .json, options: WriteOptions(isCompact: true))
        #expect(json.count == 2 * Self.depth + 1)
    }

    /// Returns arrays of one element each, the last one empty, with 3-byte references and offsets.
    private static func nestedArrays(_ depth: Int) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        func bigEndian(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        for number in 1..<depth { bytes += [0xA1] + bigEndian(number, 3) }
        bytes.append(0xA0)
        let table = bytes.count
        for number in 0..<depth { bytes += bigEndian(8 + 4 * number, 3) }
        return bytes + [0, 0, 0, 0, 0, 0, 3, 3] + bigEndian(depth, 8) + bigEndian(0, 8) + bigEndian(table, 8)
    }
}
