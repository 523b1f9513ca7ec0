import KeyedArchives
import SaveCodec
import SaveOperations
import TestSupport
import Testing

/// Comparisons of hostile documents take at most O(*n* log *n*) time.
@Suite struct HostileDifferenceTests {
    private static let size = TestScale.isLong ? 10_000 : 2_000

    /// An array of the numbers from 0, before and after a change.
    struct Arrays: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let before: @Sendable ([Int]) -> [Int]
        let after: @Sendable ([Int]) -> [Int]
    }

    static let arrays = [
        Arrays(
            testDescription: "all different", before: { $0 }, after: { numbers in numbers.map { $0 + numbers.count } }),
        Arrays(testDescription: "reversed", before: { $0 }, after: { $0.reversed() }),
        Arrays(testDescription: "shuffled", before: { $0 }, after: shuffled),
        Arrays(
            testDescription: "two values", before: { $0.map { $0 % 2 } }, after: { $0.map { $0 % 3 == 0 ? 0 : 1 } }),
        Arrays(
            testDescription: "equal after the first", before: { $0.map { $0 == 0 ? 1 : 0 } },
            after: { $0.dropFirst($0.count / 2).map { _ in 0 } }),
        Arrays(testDescription: "few values", before: fewValues(1), after: fewValues(2)),
        Arrays(
            testDescription: "each twice", before: { $0.map { $0 / 2 } }, after: { shuffled($0.map { $0 / 2 }) }),
    ]

    private static func shuffled(_ numbers: [Int]) -> [Int] {
        var dice = SeededGenerator(seed: 1)
        return numbers.shuffled(using: &dice)
    }

    private static func fewValues(_ seed: UInt64) -> @Sendable ([Int]) -> [Int] {
        { numbers in
            var dice = SeededGenerator(seed: seed)
            return numbers.map { _ in dice.roll(4) }
        }
    }

    @Test(arguments: arrays) func alignsArrays(_ row: Arrays) throws {
        let isLinear = try Growth.isLinear(to: Self.size) { size in
            let numbers = Array(0..<size)
            let (before, after) = (
                try HostileView.array(row.before(numbers)), try HostileView.array(row.after(numbers))
            )
            return { #expect(!Difference(before, after).changes.isEmpty) }
        }
        #expect(isLinear)
    }

    static let longTexts: [(name: String, isKey: Bool, options: DifferenceOptions)] = {
        var ignoring = DifferenceOptions()
        ignoring.ignored = ["/*/none"].compactMap { try? PointerPattern($0) }
        return [
            ("values", false, DifferenceOptions()), ("keys", true, DifferenceOptions()), ("patterns", true, ignoring),
        ]
    }()

    /// Returns many slots that share one long text, or many dictionaries that share a long key, which comes first only
    /// before the change.
    private static func sharing(_ text: String, in size: Int, isKey: Bool, isAfter: Bool) throws -> ObjectView {
        var builder = DocumentBuilder()
        builder.open(.array)
        let long = builder.add(string: isKey ? text : text + "\(isAfter)")
        for number in 0..<size {
            guard isKey else {
                builder.add(long)
                continue
            }
            builder.open(.dictionary)
            for place in isAfter ? [0, 1] : [1, 0] {
                if place == 0 { builder.add(string: "short") } else { builder.add(long) }
                builder.add(integer: Int128(place == 1 && isAfter && number % (size / 4) == 0 ? -1 : number))
            }
            builder.close()
        }
        builder.close()
        return ObjectView(try builder.finish())
    }

    @Test(arguments: longTexts) func readsLongTextsOnce(
        _ name: String, _ isKey: Bool, _ options: DifferenceOptions
    ) throws {
        let isLinear = try Growth.isLinear(to: Self.size) { size in
            let text = String(repeating: "x", count: 50 * size)
            let before = try Self.sharing(text, in: size, isKey: isKey, isAfter: false)
            let after = try Self.sharing(text, in: size, isKey: isKey, isAfter: true)
            return { #expect(Difference(before, after, options: options).changes.count == (isKey ? 4 : 1)) }
        }
        #expect(isLinear)
    }

    static let rings: [(name: String, odd: Int?, kinds: [Change.Kind])] = [
        ("equal by meaning", nil, [.shared]), ("one is another", 17, [.changed, .changed, .changed]),
    ]

    @Test(arguments: rings) func ringsOfCoprimeLengths(_ name: String, _ odd: Int?, _ kinds: [Change.Kind]) throws {
        // The number of node pairs is the product of the lengths.
        let isLinear = try Growth.isLinear(to: TestScale.count(1_000, long: 5_000)) { length in
            let before = try HostileView.ring(length + 9) { $0 == odd ? 1 : 0 }
            let after = try HostileView.ring(length - 1) { $0 - 1 == odd ? 1 : 0 }
            return { #expect(Difference(before, after).changes.map(\.kind) == kinds) }
        }
        #expect(isLinear)
    }

    /// All arrays but one are compared with the same long array, which differs from them.
    @Test(arguments: [false, true]) func oneLongArrayForMany(_ isInPlace: Bool) throws {
        let isLinear = try Growth.isLinear(to: Self.size) { size in
            let short = (0..<size).map { isInPlace && $0 > 0 ? #"{"$inline": [\#($0)]}"# : "[\($0)]" }
            let long = (0..<size).map { "\(-$0)" }.joined(separator: ",")
            let references = (1..<size).map { _ in #"{"$ref": 1}"# }
            let first = #"{"$id": 1, "$class": "NSArray", "$elements": [\#(long)]}"#
            let before = try Self.fields(short)
            let after = try Self.fields([first] + references)
            return { #expect(Difference(before, after).changes.count < 20 * size) }
        }
        #expect(isLinear)
    }

    private static func fields(_ values: [String]) throws -> ObjectView {
        let fields = values.enumerated().map { #""f\#($0)": \#($1)"# }.joined(separator: ",")
        return try DiffText.archive(
            root: #"{"$class": "A", \#(fields)}"#, more: #", "$classes": {"A": ["A", "NSObject"]}"#)
    }

    /// Returns an array of `count` objects, or of one object `count` times.
    private static func copies(_ count: Int, ofOne: Bool) throws -> ObjectView {
        var archive = KeyedArchiveBuilder()
        let node = archive.addClass("Node", chain: ["Node", "NSObject"])
        let array = archive.addClass("NSArray", chain: ["NSArray", "NSObject"])
        let root = archive.reserve()
        let nodes = (0..<(ofOne ? 1 : count)).map { _ in archive.reserve() }
        for uid in nodes {
            archive.begin(uid, of: node)
            archive.end()
        }
        archive.begin(root, of: array)
        archive.addCollection((0..<count).map { nodes[ofOne ? 0 : $0] })
        archive.end()
        archive.addTop(root: root)
        return ObjectView(try KeyedArchive(archive.finish()))
    }

    @Test(arguments: [false, true]) func sharedObjectBecomesMany(_ isReverse: Bool) throws {
        let (before, after) = (try Self.copies(5_000, ofOne: !isReverse), try Self.copies(5_000, ofOne: isReverse))
        let changes = Difference(before, after).changes
        #expect(changes.count == 4_999)
        #expect(changes.allSatisfy { $0.kind == .shared })
    }

    /// Returns a chain of objects; the last one has the value `end`.
    private static func chain(_ length: Int, end: Int) throws -> ObjectView {
        var archive = KeyedArchiveBuilder()
        let node = archive.addClass("Node", chain: ["Node", "NSObject"])
        let nodes = (0..<length).map { _ in archive.reserve() }
        for (position, uid) in nodes.enumerated() {
            archive.begin(uid, of: node)
            archive.contents.add(string: position + 1 < length ? "next" : "end")
            if position + 1 < length {
                archive.refer(to: nodes[position + 1])
            } else {
                archive.contents.add(integer: Int128(end))
            }
            archive.end()
        }
        archive.addTop(root: nodes[0])
        return ObjectView(try KeyedArchive(archive.finish()))
    }

    @Test func limitsAddressesOfLongChains() throws {
        let difference = Difference(try Self.chain(20_000, end: 1), try Self.chain(20_000, end: 2))
        let change = try #require(difference.changes.first)
        #expect(difference.changes.count == 1)
        #expect(difference.address(of: change).tokens.count == 200)
        #expect(difference.depth(of: change) == 20_001)
    }
}
