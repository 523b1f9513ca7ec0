import Testing

@testable import SaveCodec

/// The table's lines and columns agree with ``SourceLocation/inText(_:at:)`` at any offset.
@Suite struct LineTableTests {
    @Test(arguments: 0..<20)
    func matchesSimpleCount(seed: Int) {
        var random = FixedSeedGenerator(seed: UInt64(seed))
        let pieces = seed < 10 ? ["a", "é", "😀", "\n", "\r", "\r\n", "xyz"] : ["abcdefgh", "é\t", "😀"]
        let text = (0..<2000).flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
        let table = LineTable(text)
        for offset in stride(from: 0, through: text.count + 2, by: 97) {
            #expect(table.location(of: offset) == .inText(text, at: offset))
        }
    }

    @Test func emptyText() {
        #expect(LineTable([]).location(of: 0) == .line(1, column: 1))
    }
}
