import Testing

@testable import SaveInspection

@Suite struct SparseTableTests {
    @Test func entriesStayWhenTheTableIsFilled() {
        var table = SparseTable(count: 1000)
        var expected = [UInt32](repeating: 0, count: 1000)
        var random = SystemRandomNumberGenerator()
        for step in 0..<300 {
            let index = Int.random(in: 0..<1000, using: &random)
            let value: UInt32 = step % 5 == 0 ? 0 : UInt32(step)
            table[index] = value
            expected[index] = value
            if step % 50 == 0 { #expect((0..<1000).map { table[$0] } == expected) }
        }
        #expect((0..<1000).map { table[$0] } == expected)
    }
}
