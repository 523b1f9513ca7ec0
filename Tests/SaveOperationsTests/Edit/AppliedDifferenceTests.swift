import KeyedArchives
import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Applying a difference to a draft turns one document into the other.
@Suite struct AppliedDifferenceTests {
    @Test(arguments: [false, true], 0..<4) func random(_ isArchive: Bool, _ group: Int) throws {
        for seed in 0..<TestScale.count(20, long: 200) {
            var dice = SeededGenerator(seed: UInt64(10_000 + group * 1000 + seed))
            let graph = RandomGraph(&dice, isArchive: isArchive)
            var edited = graph
            for _ in 0..<dice.roll(6) { _ = edited.edit(&dice) }
            let after = try edited.view()
            let result = try Self.applied(graph.view(), after)
            let rest = Difference(result, after)
            #expect(rest.isEmpty, "\(isArchive) \(group) \(seed): \(DiffText.lines(rest))")
        }
    }

    /// A difference between unrelated documents can be applied, too.
    @Test(arguments: [false, true], 0..<40) func unrelated(_ isArchive: Bool, _ seed: Int) throws {
        var dice = SeededGenerator(seed: UInt64(20_000 + seed))
        let before = try RandomGraph(&dice, isArchive: isArchive).view()
        let after = try RandomGraph(&dice, isArchive: isArchive).view()
        let rest = Difference(try Self.applied(before, after), after)
        #expect(rest.isEmpty, "\(isArchive) \(seed): \(DiffText.lines(rest))")
    }

    private static func applied(_ before: ObjectView, _ after: ObjectView) throws -> ObjectView {
        var draft = Draft(before)
        try draft.apply(Difference(before, after))
        let document = try draft.finish()
        return before.archive == nil ? ObjectView(document) : ObjectView(try KeyedArchive(document))
    }
}
