import KeyedArchive
import SaveCodec
import SaveOperations
import Testing

/// Documents that are made to take long: nothing takes more than n log n.
///
/// The bounds are those of an unoptimized build on a busy machine; what they rule out takes hours.
@Suite(.serialized) struct HostileDifferenceTests {
    private static let size = 20_000

    static let arrays: [(name: String, before: [Int], after: [Int])] = {
        var dice = Dice(state: 1)
        let numbers = Array(0..<size)
        return [
            ("all different", numbers, numbers.map { $0 + size }), ("reversed", numbers, numbers.reversed()),
            ("shuffled", numbers, numbers.shuffled(using: &dice)),
            ("two values", numbers.map { $0 % 2 }, numbers.map { $0 % 3 == 0 ? 0 : 1 }),
            ("few values", numbers.map { _ in dice.roll(4) }, numbers.map { _ in dice.roll(4) }),
            ("each twice", numbers.map { $0 / 2 }, numbers.map { $0 / 2 }.shuffled(using: &dice)),
        ]
    }()

    @Test(arguments: arrays) func arraysAreAligned(_ name: String, _ before: [Int], _ after: [Int]) throws {
        let (before, after) = (try HostileView.array(before), try HostileView.array(after))
        var changes = 0
        let time = ContinuousClock().measure { changes = Difference(before, after).changes.count }
        #expect(changes > 0)
        #expect(time < .seconds(30), "\(name)")
    }

    static let longTexts: [(name: String, isKey: Bool, options: DifferenceOptions)] = {
        var ignoring = DifferenceOptions()
        ignoring.ignored = ["/*/none"].compactMap { try? AddressPattern($0) }
        return [
            ("values", false, DifferenceOptions()), ("keys", true, DifferenceOptions()), ("patterns", true, ignoring),
        ]
    }()

    /// Many slots that share one long text, or many dictionaries that share a long key, which is not their first after.
    private static func sharing(_ text: String, isKey: Bool, isAfter: Bool) throws -> ObjectView {
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
                builder.add(integer: Int128(place == 1 && isAfter && number % 5_000 == 0 ? -1 : number))
            }
            builder.close()
        }
        builder.close()
        return ObjectView(try builder.finish())
    }

    @Test(arguments: longTexts) func longTextsAreGoneThroughOnce(
        _ name: String, _ isKey: Bool, _ options: DifferenceOptions
    ) throws {
        let text = String(repeating: "x", count: 100_000)
        let before = try Self.sharing(text, isKey: isKey, isAfter: false)
        let after = try Self.sharing(text, isKey: isKey, isAfter: true)
        var changes = 0
        let time = ContinuousClock().measure { changes = Difference(before, after, options).changes.count }
        #expect(changes == (isKey ? 4 : 1), "\(name)")
        #expect(time < .seconds(30), "\(name)")
    }

    static let rings: [(name: String, odd: Int?, kinds: [Change.Kind])] = [
        ("equal by meaning", nil, [.shared]), ("one is another", 17, [.changed, .changed, .changed]),
    ]

    @Test(arguments: rings) func ringsOfCoprimeLengths(_ name: String, _ odd: Int?, _ kinds: [Change.Kind]) throws {
        let (before, after) = (
            try HostileView.ring(5_009) { $0 == odd ? 1 : 0 }, try HostileView.ring(4_999) { $0 - 1 == odd ? 1 : 0 }
        )
        var difference: Difference?
        let time = ContinuousClock().measure { difference = Difference(before, after) }
        #expect(difference?.changes.map(\.kind) == kinds, "\(name)")
        #expect(time < .seconds(30), "\(name)")
    }

    /// An array of so many objects, or of one so many times.
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
        archive.contents.add(string: "NS.objects")
        archive.contents.open(.array)
        for position in 0..<count { archive.refer(to: nodes[ofOne ? 0 : position]) }
        archive.contents.close()
        archive.end()
        archive.beginTop()
        archive.contents.add(string: "root")
        archive.refer(to: root)
        archive.end()
        return ObjectView(try KeyedArchive(archive.finish()))
    }

    @Test(arguments: [false, true]) func oneObjectBecomesMany(_ isReverse: Bool) throws {
        let (before, after) = (try Self.copies(5_000, ofOne: !isReverse), try Self.copies(5_000, ofOne: isReverse))
        let changes = Difference(before, after).changes
        #expect(changes.count == 4_999)
        #expect(changes.allSatisfy { $0.kind == .shared })
    }

    /// A chain of so many objects, whose last has a value.
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
        archive.beginTop()
        archive.contents.add(string: "root")
        archive.refer(to: nodes[0])
        archive.end()
        return ObjectView(try KeyedArchive(archive.finish()))
    }

    @Test func addressesOfLongChainsAreBounded() throws {
        let difference = Difference(try Self.chain(20_000, end: 1), try Self.chain(20_000, end: 2))
        let change = try #require(difference.changes.first)
        #expect(difference.changes.count == 1)
        #expect(difference.address(of: change).tokens.count == 200)
        #expect(difference.depth(of: change) == 20_001)
    }
}
