import SaveCodec
@testable import SaveOperations
import Testing

/// Scores are ordered and ranked, with equal ranks for equal scores.
@Suite struct ScoreRankingTests {
    static let rows: [(scores: [Number], order: [Int], ranks: [Int])] = [
        ([], [], []),
        ([.integer(70), .integer(90), .integer(70), .integer(50)], [1, 0, 2, 3], [1, 2, 2, 4]),
        ([.integer(1), .integer(1), .integer(1)], [0, 1, 2], [1, 1, 1]),
        ([.integer(1), .real(1), .single(1), .real(1.5)], [3, 0, 1, 2], [1, 2, 2, 2]),
        ([.real(0x1p53), .integer(0x20_0000_0000_0001), .integer(0x20_0000_0000_0000)], [1, 0, 2], [1, 2, 2]),
        (
            [.integer(.max), .real(0x1p127), .integer(.min), .real(-0x1p127), .real(-1e300)], [1, 0, 2, 3, 4],
            [1, 2, 3, 3, 5]
        ),
        ([.integer(-1), .real(-0.5), .real(-1.5), .integer(0)], [3, 1, 0, 2], [1, 2, 3, 4]),
        ([.real(0.1), .single(0.1)], [1, 0], [1, 2]),
    ]

    @Test(arguments: rows) func ranking(_ scores: [Number], _ order: [Int], _ ranks: [Int]) {
        let ranking = ScoreRanking(scores.map { ScoreRecord("", $0) })
        #expect(ranking.order == order)
        #expect(ranking.ranks == ranks)
    }
}
