import KeyedArchives
import SaveCodec
@testable import SaveOperations
import TestSupport
import Testing

/// Random pairs of documents, and of archives with cycles and sharing, for which the number of edits between them is
/// known.
@Suite struct RandomDifferenceTests {
    @Test(arguments: [false, true], 0..<8)
    func findsNoMoreChangesThanEdits(_ isArchive: Bool, _ group: Int) throws {
        for seed in 0..<TestScale.count(25, long: 50) {
            var dice = SeededGenerator(seed: UInt64(group * 1000 + seed))
            let graph = RandomGraph(&dice, isArchive: isArchive)
            var edited = graph
            let wanted = dice.roll(5)
            var edits = 0
            for _ in 0..<wanted where edited.edit(&dice) { edits += 1 }
            let (before, after) = (try graph.view(), try edited.view())
            let difference = Difference(before, after)
            let lines = DiffText.lines(difference)
            #expect(lines.count <= edits, "\(isArchive) \(group) \(seed): \(lines)")
            var result = EditedGraph(before)
            result.apply(difference)
            let isSame = result.isIsomorphic(to: EditedGraph(after))
            #expect(isSame, "\(isArchive) \(group) \(seed): \(lines)")
            #expect(Difference(after, after).isEmpty)
            #expect(Difference(before, before).edits.isEmpty)
        }
    }
}
