import KeyedArchives
import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Merges of hostile documents take at most O(*n* log *n*) time.
@Suite struct HostileMergeTests {
    private static let size = TestScale.count(800, long: 2_000)

    /// A base and two sides of it, each of a given size.
    struct Arrays: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let base: @Sendable (Int) -> [Int]
        let ours: @Sendable (Int) -> [Int]
        let theirs: @Sendable (Int) -> [Int]
    }

    private static func numbers(_ size: Int) -> [Int] { Array(0..<size) }
    private static func otherNumbers(_ size: Int) -> [Int] { Array(size..<2 * size) }
    private static func zeros(_ size: Int) -> [Int] { Array(repeating: 0, count: 10 * size) }

    /// Conflicts share their merge, which takes much more memory than a conflict.
    @Test func conflictsShareMerge() throws {
        func view(_ first: Int) throws -> ObjectView {
            let list = (first..<first + 500).map(String.init).joined(separator: ",")
            return ObjectView(try JSON.readPlain(Array("[\(list)]".utf8)))
        }
        let merge = try ThreeWayMerge(base: view(0), ours: view(1_000), theirs: view(2_000))
        let conflicts = merge.allConflicts
        #expect(conflicts.count == 500 && merge.conflictCount == 500)
        #expect(Set(conflicts.map { ObjectIdentifier($0.merge) }).count == 1)
    }

    private static func shuffled(_ size: Int) -> [Int] {
        var dice = SeededGenerator(seed: 1)
        return numbers(size).shuffled(using: &dice)
    }

    private static func fewValues(_ seed: UInt64) -> @Sendable (Int) -> [Int] {
        { size in
            var dice = SeededGenerator(seed: seed)
            return (0..<size).map { _ in dice.roll(4) }
        }
    }

    /// Returns the numbers, each preceded by one of the others.
    private static func between(_ size: Int) -> [Int] {
        numbers(size).flatMap { [$0 + size, $0] }
    }

    static let arrays: [Arrays] = [
        Arrays(
            testDescription: "reversed and shuffled", base: numbers, ours: { numbers($0).reversed() }, theirs: shuffled),
        Arrays(testDescription: "all new on both sides", base: { _ in [] }, ours: numbers, theirs: otherNumbers),
        Arrays(testDescription: "few values", base: fewValues(1), ours: fewValues(2), theirs: fewValues(3)),
        // Ours replaces each element with a new one, and theirs inserts that new one before it.
        Arrays(testDescription: "each gap alike", base: numbers, ours: otherNumbers, theirs: between),
        Arrays(
            testDescription: "equal ones, and others behind", base: zeros,
            ours: { zeros($0) + zeros($0).map { $0 + 1 } }, theirs: { zeros($0) + zeros($0).map { $0 + 2 } }),
        Arrays(
            testDescription: "gaps filled twice", base: numbers, ours: between,
            theirs: { size in between(size).map { $0 < size ? $0 : 3 * size + $0 } }),
    ]

    @Test(arguments: arrays, ["", "union", "theirs"]) func mergesLargeArrays(_ row: Arrays, _ rule: String) throws {
        var options = MergeOptions()
        if let rule = MergeRule(rule) { options.rules = [.init(try PointerPattern(""), rule)] }
        let isLinear = try Growth.isLinear(to: Self.size) { size in
            let base = try HostileView.array(row.base(size))
            let (ours, theirs) = (try HostileView.array(row.ours(size)), try HostileView.array(row.theirs(size)))
            return { _ = try ThreeWayMerge(base: base, ours: ours, theirs: theirs, options).result() }
        }
        #expect(isLinear)
    }

    private static let overflowing: [[Int128]] = [
        [0, .max, .max - 1], [0, .min, .min + 1], [.min, .max, 5], [.max, .min, -5],
    ]

    @Test(arguments: overflowing) func overflowingSums(_ values: [Int128]) throws {
        let views = try values.map { value in
            var builder = DocumentBuilder()
            builder.add(integer: value)
            return ObjectView(try builder.finish())
        }
        var options = MergeOptions()
        options.rules = [.init(try PointerPattern(""), .sumOfChanges)]
        let merge = try ThreeWayMerge(base: views[0], ours: views[1], theirs: views[2], options)
        #expect(merge.conflicts.count == 1)
    }

    /// Evaluating rules on the view of a large array takes linear time.
    @Test func rulesOfLargeArrays() throws {
        var options = MergeOptions()
        options.rules = [.init(try PointerPattern("/**/value"), .maximum)]
        let isLinear = try Growth.isLinear(to: TestScale.count(3_000, long: 30_000)) { length in
            let base = try HostileView.list(length) { 10 * $0 }
            let ours = try HostileView.list(length) { 10 * $0 + ($0 % 3 == 0 ? 1 : 0) }
            let theirs = try HostileView.list(length) { 10 * $0 + ($0 % 3 == 1 ? 1 : 0) }
            return {
                let result = try ThreeWayMerge(base: base, ours: ours, theirs: theirs, options).result()
                #expect(Difference(ours, result).changes.count == length / 3)
            }
        }
        #expect(isLinear)
    }

    @Test(arguments: [true, false]) func ringsOfConflicts(_ hasBase: Bool) throws {
        var options = MergeOptions()
        options.rules = [.init(try PointerPattern("/**/value"), .newest(.field(Array("saved".utf16))))]
        let isLinear = try Growth.isLinear(to: TestScale.count(500, long: 2_000)) { length in
            let base = hasBase ? try HostileView.ring(length) { _ in 0 } : nil
            let (ours, theirs) = (try HostileView.ring(length) { _ in 1 }, try HostileView.ring(length) { _ in 2 })
            return {
                let merge = try ThreeWayMerge(base: base, ours: ours, theirs: theirs, options)
                let depths = merge.conflicts.map { merge.address(of: $0).tokens.count }
                #expect(depths.count == length)
                #expect(depths.allSatisfy { $0 <= Difference.defaultMaxTokens })
            }
        }
        #expect(isLinear)
    }
}
