@testable import KeyedArchives
import SaveCodec
import TestSupport
import Testing

@testable import SaveInspection

/// The statistics of small archives. Each row is a graph: the references of every object, and the roots.
@Suite struct ArchiveSummaryTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let references: [[Int]]
        let roots: [Int]
        let expected: Numbers

        init(_ name: String, _ references: [[Int]], roots: [Int] = [0], _ expected: Numbers) {
            (testDescription, self.references, self.roots, self.expected) = (name, references, roots, expected)
        }
    }

    struct Numbers: Equatable, Sendable {
        var objects: Int
        var depth = 0
        var shared = 0
        var cyclic = 0
        var cycles = 0
        var unreachable = 0
    }

    /// Returns an archive of objects of one class, whose fields are references.
    private static func archive(_ references: [[Int]], roots: [Int]) throws -> KeyedArchive {
        var builder = KeyedArchiveBuilder()
        let node = builder.addClass("Node", chain: ["Node", "NSObject"])
        let uids = references.map { _ in builder.reserve() }
        for (uid, targets) in zip(uids, references) {
            builder.begin(uid, of: node)
            for (position, target) in targets.enumerated() {
                builder.contents.add(string: "\(position)")
                builder.refer(to: uids[target])
            }
            builder.end()
        }
        builder.beginTop()
        for root in roots {
            builder.contents.add(string: "root\(root)")
            builder.refer(to: uids[root])
        }
        builder.end()
        return try KeyedArchive(builder.finish())
    }

    private static func numbers(_ summary: ArchiveSummary) -> Numbers {
        Numbers(
            objects: summary.objects, depth: summary.depth, shared: summary.shared, cyclic: summary.cyclic,
            cycles: summary.cycles, unreachable: summary.unreachable)
    }

    static let chain = TestScale.count(20_000, long: 200_000)

    static let rows = [
        Row("no roots", [], roots: [], .init(objects: 0)),
        Row("one object", [[]], .init(objects: 1)),
        Row(
            "a parent and a child that knows it", [[1], [0]],
            .init(objects: 2, depth: 1, shared: 1, cyclic: 2, cycles: 1)),
        Row("an object that refers to itself", [[0]], .init(objects: 1, shared: 1, cyclic: 1, cycles: 1)),
        Row("shared by two", [[1, 2], [3], [3], []], .init(objects: 4, depth: 2, shared: 1)),
        Row("shared by two roots", [[2], [2], []], roots: [0, 1], .init(objects: 3, depth: 1, shared: 1)),
        Row("a root in another", [[1], []], roots: [0, 1], .init(objects: 2, shared: 1)),
        Row("twice in one object", [[1, 1], []], .init(objects: 2, depth: 1, shared: 1)),
        Row("the shortest way counts", [[1, 3], [2], [3], []], .init(objects: 4, depth: 2, shared: 1)),
        Row(
            "two cycles and what lies between them", [[1], [0, 2], [3], [4], [3]],
            .init(objects: 5, depth: 4, shared: 2, cyclic: 4, cycles: 2)),
        Row(
            "two cycles through one object are one group", [[1, 2], [0], [0]],
            .init(objects: 3, depth: 1, shared: 1, cyclic: 3, cycles: 1)),
        Row("an island, cyclic in itself", [[], [2], [1]], .init(objects: 3, unreachable: 2)),
        Row("an island that refers to the mainland", [[1], [], [1]], .init(objects: 3, depth: 1, unreachable: 1)),
        Row(
            "a long chain", (0..<chain).map { $0 + 1 < chain ? [$0 + 1] : [] }, .init(objects: chain, depth: chain - 1)),
        Row(
            "a long chain back to its beginning", (0..<chain / 4).map { [($0 + 1) % (chain / 4)] },
            .init(objects: chain / 4, depth: chain / 4 - 1, shared: 1, cyclic: chain / 4, cycles: 1)),
    ]

    @Test(arguments: rows)
    func numbers(_ row: Row) throws {
        let summary = ArchiveSummary(of: try Self.archive(row.references, roots: row.roots))
        #expect(Self.numbers(summary) == row.expected)
    }

    // MARK: Comparison with the definition

    @Test(arguments: 0..<100)
    func findsCyclesOfRandomGraphs(_ seed: Int) throws {
        var random = Random(state: UInt64(seed))
        let count = 1 + random.below(12)
        let references = (0..<count).map { _ in (0..<random.below(3)).map { _ in random.below(count) } }
        let leadsTo = Self.closure(references)
        let cyclic = (0..<count).filter { ($0 == 0 || leadsTo[0][$0]) && leadsTo[$0][$0] }
        let groups = cyclic.filter { a in !cyclic.contains { b in b < a && leadsTo[a][b] && leadsTo[b][a] } }
        let summary = ArchiveSummary(of: try Self.archive(references, roots: [0]))
        #expect(summary.cyclic == cyclic.count)
        #expect(summary.cycles == groups.count)
        #expect(summary.unreachable == (1..<count).count { !leadsTo[0][$0] })
    }

    /// Returns, for each object, the objects that it reaches by one or more references.
    private static func closure(_ references: [[Int]]) -> [[Bool]] {
        let all = references.indices
        var leadsTo = all.map { from in all.map { references[from].contains($0) } }
        for middle in all {
            for from in all where leadsTo[from][middle] {
                for to in all where leadsTo[middle][to] { leadsTo[from][to] = true }
            }
        }
        return leadsTo
    }

    struct Random {
        var state: UInt64

        mutating func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
    }

    // MARK: The table

    /// Two players, one of them in an array that contains itself, and values of all kinds.
    private static func game() throws -> KeyedArchive {
        var builder = KeyedArchiveBuilder()
        let player = builder.addClass("Player", chain: ["Player", "NSObject"])
        let renamed = builder.addClass("Player", chain: nil)
        let array = builder.addClass("NSMutableArray", chain: ["NSMutableArray", "NSArray", "NSObject"])
        let list = builder.reserve()
        for (name, record, image) in [("Ada", player, "bplist00"), ("Bo", renamed, "GIF89a")] {
            let uid = builder.reserve()
            builder.begin(uid, of: record)
            builder.contents.add(string: "name")
            builder.refer(to: builder.add(string: name))
            builder.contents.add(string: "health")
            builder.contents.add(integer: 100)
            builder.contents.add(string: "picture")
            builder.contents.add(data: Array(image.utf8).span)
            builder.end()
        }
        builder.begin(list, of: array)
        builder.addCollection([list])
        builder.end()
        builder.beginTop()
        builder.contents.add(string: "list")
        builder.refer(to: list)
        builder.end()
        return try KeyedArchive(builder.finish())
    }

    private static func line(_ row: ArchiveSummary.Row) -> String {
        let name =
            switch row.subject {
            case .gameClass(let name): "game \(name.string)"
            case .systemClass(let name): "system \(name.string)"
            case .value(let kind): "\(kind)"
            case .names: "names"
            case .classRecords: "records"
            }
        return "\(name) \(row.tally.objects) \(row.tally.bytes)"
    }

    @Test func sortsRowsAndCountsBytesOnce() throws {
        let summary = ArchiveSummary(of: try Self.game())
        #expect(
            summary.rows.map(Self.line) == [
                // 9 for a dictionary of 4, 2 for each UID, 2 for the 100 that both share, 9 and 7 for the pictures.
                "game Player 2 44", "system NSMutableArray 1 11", "string 2 7", "names 7 58", "records 3 59",
            ])
        #expect(summary.payloads == [.binaryPropertyList: 1])
        #expect(summary.classes == 2)
        #expect((summary.instances, summary.values) == (3, 2))
    }

    @Test(arguments: [
        ("NSArray", true), ("SKNode", true), ("GameplayKit.GKSKNodeComponent", true), ("NS", false), ("NSx", false),
        ("Sky", false), ("Player", false), ("MyGame.Player", false), ("Swiftly.Bird", false), ("", false),
    ])
    func classesOfTheSystem(_ name: String, _ expected: Bool) throws {
        var builder = DocumentBuilder()
        builder.add(string: name)
        let document = try builder.finish()
        #expect(document.text(document.root).map({ SystemClass.isName($0.shownClassName) }) == expected)
    }
}
