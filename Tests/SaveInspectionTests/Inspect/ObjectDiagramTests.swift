@testable import KeyedArchives
import SaveCodec
import Testing

@testable import SaveInspection
@testable import SaveOperations

/// A diagram shows each object once, and its cost is proportional to the number of references.
@Suite struct ObjectDiagramTests {
    /// `a ─▶ [b, b, b], b ─▶ a`, and a string.
    private func cyclic() throws -> ObjectView {
        var builder = KeyedArchiveBuilder()
        let node = builder.addClass("Node", chain: ["Node", "NSObject"])
        let array = builder.addClass("NSArray", chain: ["NSArray", "NSObject"])
        let (a, b, list) = (builder.reserve(), builder.reserve(), builder.reserve())
        let name = builder.add(string: "Ada")
        for (uid, fields) in [(a, [("list", list), ("name", name)]), (b, [("back", a)])] {
            builder.begin(uid, of: node)
            for (field, target) in fields {
                builder.contents.add(string: field)
                builder.refer(to: target)
            }
            builder.end()
        }
        builder.begin(list, of: array)
        builder.addCollection(Array(repeating: b, count: 3))
        builder.end()
        builder.beginTop()
        builder.contents.add(string: "root")
        builder.refer(to: a)
        builder.contents.add(string: "lives")
        builder.contents.add(integer: 3)
        builder.end()
        return try ObjectView(KeyedArchive(builder.finish()))
    }

    /// Returns each node with the number of references to it.
    private func nodes(_ diagram: ObjectDiagram) -> [String] {
        diagram.nodes.map { "\(diagram.view.uid($0)?.index ?? -1) × \(diagram.references(to: $0))" }
    }

    @Test func drawsEachObjectOnce() throws {
        let view = try cyclic()
        let diagram = ObjectDiagram(view, from: view.root)
        #expect(nodes(diagram) == ["1 × 2", "2 × 1", "3 × 3"])
        #expect(diagram.starts.map { diagram.isNode($0.id) } == [true, false])
        #expect(diagram.hiddenRootCount == 0)
    }

    @Test func limitsElementsAndRootsButNotFields() throws {
        let view = try cyclic()
        let diagram = ObjectDiagram(view, from: view.root, limit: 1)
        #expect(nodes(diagram) == ["1 × 2", "2 × 1", "3 × 1"])
        #expect(diagram.hiddenRootCount == 1)
    }

    @Test(arguments: [
        ("/root/list", ["2 × 1", "3 × 3", "1 × 1"]), ("/root/list/0/back/list/2", ["3 × 3", "1 × 1", "2 × 1"]),
        ("/root/name", []), ("/lives", []),
    ])
    func startsAtAddress(_ pointer: String, _ expected: [String]) throws {
        let view = try cyclic()
        let address = try #require(JSONPointer(pointer))
        guard case .found(let start, _) = view.find(address) else {
            Issue.record("nothing is at \(pointer)")
            return
        }
        #expect(nodes(ObjectDiagram(view, from: start)) == expected)
    }

    @Test(arguments: ["/root/list/3", "/root/list/00", "/root/list/-", "/root/gold", "/root/name/0", "/$objects", "/0"])
    func missingAddress(_ pointer: String) throws {
        let address = try #require(JSONPointer(pointer))
        guard case .missing = try cyclic().find(address) else {
            Issue.record("something is at \(pointer)")
            return
        }
    }

    /// An array of 100,000 elements with 100,000 references would take quadratic time if it were searched at each
    /// reference.
    @Test(.timeLimit(.minutes(15)))
    func largeSharedCollection() throws {
        var builder = KeyedArchiveBuilder()
        let array = builder.addClass("NSArray", chain: ["NSArray", "NSObject"])
        let (outer, inner) = (builder.reserve(), builder.reserve())
        for (uid, target) in [(outer, inner), (inner, outer)] {
            builder.begin(uid, of: array)
            builder.addCollection(Array(repeating: target, count: 100_000))
            builder.end()
        }
        builder.addTop(root: outer)
        let view = try ObjectView(KeyedArchive(builder.finish()))
        #expect(nodes(ObjectDiagram(view, from: view.root)) == ["1 × 100001", "2 × 100000"])
    }
}
