import KeyedArchive
import SaveCodec
import SaveOperations
import Testing

/// Documents that are made to take long: nothing takes more than n log n.
///
/// The bounds are those of an unoptimized build on a busy machine; what they rule out takes hours.
@Suite(.serialized) struct HostileMergeTests {
    private static let size = 8_000

    struct Arrays: CustomTestStringConvertible, Sendable {
        let name: String
        let base: [Int]
        let ours: [Int]
        let theirs: [Int]
        var testDescription: String { name }
    }

    static let arrays: [Arrays] = {
        var dice = Dice(state: 1)
        let numbers = Array(0..<size)
        // Theirs has an element in front of each that ours replaced by those very elements.
        let between = numbers.flatMap { [$0 + size, $0] }
        let zeros = [Int](repeating: 0, count: 10 * size)
        return [
            Arrays(
                name: "reversed and shuffled", base: numbers, ours: numbers.reversed(),
                theirs: numbers.shuffled(using: &dice)),
            Arrays(name: "all new on both sides", base: [], ours: numbers, theirs: numbers.map { $0 + size }),
            Arrays(
                name: "few values", base: numbers.map { _ in dice.roll(4) }, ours: numbers.map { _ in dice.roll(4) },
                theirs: numbers.map { _ in dice.roll(4) }),
            Arrays(name: "each gap alike", base: numbers, ours: numbers.map { $0 + size }, theirs: between),
            Arrays(
                name: "equal ones, and others behind", base: zeros, ours: zeros + zeros.map { $0 + 1 },
                theirs: zeros + zeros.map { $0 + 2 }),
            Arrays(
                name: "gaps filled twice", base: numbers, ours: between,
                theirs: between.map { $0 < size ? $0 : 3 * size + $0 }),
        ]
    }()

    @Test(arguments: arrays, ["", "union", "theirs"]) func arraysAreMerged(_ row: Arrays, _ rule: String) throws {
        var options = MergeOptions()
        if let rule = MergeRule(rule) { options.rules = [.init(try AddressPattern(""), rule)] }
        let (base, ours, theirs) = (
            try HostileView.array(row.base), try HostileView.array(row.ours), try HostileView.array(row.theirs)
        )
        var result: ObjectView?
        let time = try ContinuousClock().measure {
            result = try ThreeWayMerge(base: base, ours: ours, theirs: theirs, options).result()
        }
        #expect(result != nil)
        #expect(time < .seconds(60), "\(row.name) \(rule)")
    }

    @Test(arguments: [
        [0, Int128.max, Int128.max - 1], [0, Int128.min, Int128.min + 1], [Int128.min, Int128.max, 5],
        [Int128.max, Int128.min, -5],
    ])
    func sumsThatOverflow(_ values: [Int128]) throws {
        let views = try values.map { value in
            var builder = DocumentBuilder()
            builder.add(integer: value)
            return ObjectView(try builder.finish())
        }
        var options = MergeOptions()
        options.rules = [.init(try AddressPattern(""), .sumOfChanges)]
        let merge = try ThreeWayMerge(base: views[0], ours: views[1], theirs: views[2], options)
        #expect(merge.conflicts.count == 1)
    }

    /// To ask the view of an archive for a large array takes as long as there is much in it.
    @Test func rulesOfLargeArrays() throws {
        let length = 30_000
        let base = try HostileView.list(length) { 10 * $0 }
        let ours = try HostileView.list(length) { 10 * $0 + ($0 % 3 == 0 ? 1 : 0) }
        let theirs = try HostileView.list(length) { 10 * $0 + ($0 % 3 == 1 ? 1 : 0) }
        var options = MergeOptions()
        options.rules = [.init(try AddressPattern("/**/value"), .maximum)]
        var changes = 0
        let time = try ContinuousClock().measure {
            let result = try ThreeWayMerge(base: base, ours: ours, theirs: theirs, options).result()
            changes = Difference(ours, result).changes.count
        }
        #expect(changes == length / 3)
        #expect(time < .seconds(60))
    }

    @Test(arguments: [true, false]) func ringsOfConflicts(_ hasBase: Bool) throws {
        let length = 2_000
        let base = hasBase ? try HostileView.ring(length) { _ in 0 } : nil
        let (ours, theirs) = (try HostileView.ring(length) { _ in 1 }, try HostileView.ring(length) { _ in 2 })
        var options = MergeOptions()
        options.rules = [.init(try AddressPattern("/**/value"), .newest(.field(Array("saved".utf16))))]
        var depths: [Int] = []
        let time = try ContinuousClock().measure {
            let merge = try ThreeWayMerge(base: base, ours: ours, theirs: theirs, options)
            depths = merge.conflicts.map { merge.address(of: $0).tokens.count }
        }
        #expect(depths.count == length)
        #expect(depths.allSatisfy { $0 <= Difference.usualSteps })
        #expect(time < .seconds(60))
    }
}
