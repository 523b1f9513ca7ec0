import Dispatch
import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Computing both sides in parallel gives the same result as computing them one after the other.
@Suite struct SideBySideTests {
    private static let runners: [ParallelRunner] = [
        { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) },
        { count, body in for number in (0..<count).reversed() { body(number) } },
    ]

    @Test(arguments: [false, true], 0..<2)
    func findsSameDifferences(_ isArchive: Bool, _ runner: Int) throws {
        for seed in 0..<20 {
            let graphs = Self.graphs(isArchive, seed)
            var options = DifferenceOptions()
            let inTurn = Difference(try graphs[0].view(), try graphs[1].view(), options: options)
            options.runner = Self.runners[runner]
            let sideBySide = Difference(try graphs[0].view(), try graphs[1].view(), options: options)
            #expect(DiffText.lines(sideBySide) == DiffText.lines(inTurn), "\(seed)")
            #expect(sideBySide.pairs.map(\.after) == inTurn.pairs.map(\.after), "\(seed)")
        }
    }

    @Test(arguments: [false, true], 0..<2)
    func findsSameMerges(_ isArchive: Bool, _ runner: Int) throws {
        for seed in 0..<20 {
            let graphs = Self.graphs(isArchive, seed)
            func merge(_ run: ParallelRunner?) throws -> ThreeWayMerge {
                var options = MergeOptions()
                options.runner = run
                return try ThreeWayMerge(
                    base: try graphs[0].view(), ours: try graphs[1].view(), theirs: try graphs[2].view(), options)
            }
            let (inTurn, sideBySide) = (try merge(nil), try merge(Self.runners[runner]))
            #expect(sideBySide.conflicts.map(\.ours) == inTurn.conflicts.map(\.ours), "\(seed)")
            #expect(DiffText.lines(Difference(try inTurn.result(), try sideBySide.result())).isEmpty, "\(seed)")
        }
    }

    /// A side that the runner skips is computed nevertheless.
    @Test func buildsBothSides() {
        let numbers = Sides(by: { count, body in body(count - 1) }) { $0 == .before ? 1 : 2 }
        #expect(numbers.before == 1)
        #expect(numbers.after == 2)
    }

    /// Returns a random graph and two edited copies.
    private static func graphs(_ isArchive: Bool, _ seed: Int) -> [RandomGraph] {
        var dice = SeededGenerator(seed: UInt64(130_000 + seed))
        let graph = RandomGraph(&dice, isArchive: isArchive)
        var sides = [graph, graph]
        for side in sides.indices {
            for _ in 0..<dice.roll(12) { _ = sides[side].edit(&dice) }
        }
        return [graph] + sides
    }
}
