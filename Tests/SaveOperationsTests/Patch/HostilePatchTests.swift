import KeyedArchives
import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Patches that are large or deep, or that exceed the limits.
@Suite(.serialized) struct HostilePatchTests {
    private static let count = TestScale.count(10_000, long: 30_000)
    /// Small limits, so that the tests need not allocate much.
    private static let limits = Limits(expansionFactor: 1, expansionFloor: 200_000)

    private static func apply(_ patch: String, to source: String) throws -> Document {
        try JSONPatch(JSON.readTyped(Array(patch.utf8))).applied(
            to: ObjectView(JSON.readTyped(Array(source.utf8))), limits: limits)
    }

    private static func operations(_ rows: some Sequence<String>) -> String {
        "[" + rows.joined(separator: ",") + "]"
    }

    // MARK: Many operations

    /// Writing a patch that removes many pairs with the same key, each addressed by its position, takes linear time.
    @Test func manyEqualKeys() throws {
        let isLinear = try Growth.isLinear(to: 8000) { count in
            let pairs = Array(repeating: #""a":1"#, count: count).joined(separator: ",")
            let (before, after) = try (
                JSON.readTyped(Array("{\(pairs)}".utf8)), JSON.readTyped(Array(#"{"b":1}"#.utf8))
            )
            return {
                var output = ByteWriter()
                try Difference(ObjectView(before), ObjectView(after)).writePatch(to: &output)
                #expect(output.count > 30 * count)
            }
        }
        #expect(isLinear)
    }

    @Test(.timeLimit(.minutes(15))) func manyElements() throws {
        let source = "[" + (0..<Self.count).map(String.init).joined(separator: ",") + "]"
        let rows = (0..<Self.count).map { number in
            switch number % 4 {
            case 0: #"{"op":"add","path":"/\#(number / 2)","value":-1}"#
            case 1: #"{"op":"remove","path":"/\#(number / 3)"}"#
            case 2: #"{"op":"move","from":"/\#(number / 2)","path":"/7"}"#
            default: #"{"op":"replace","path":"/\#(number / 2)","value":-2}"#
            }
        }
        let result = try Self.apply(Self.operations(rows), to: source)
        #expect(result.object(result.root).count == Self.count)
    }

    @Test(.timeLimit(.minutes(15))) func manyKeys() throws {
        let source = "{" + (0..<Self.count).map { #""k\#($0)":\#($0)"# }.joined(separator: ",") + "}"
        let rows = (0..<Self.count).map { number in
            switch number % 4 {
            case 0: #"{"op":"add","path":"/new\#(number)","value":-1}"#
            case 1: #"{"op":"remove","path":"/k\#(number)"}"#
            case 2: #"{"op":"move","from":"/k\#(number)","path":"/moved\#(number)"}"#
            default: #"{"op":"test","path":"/k\#(number)","value":\#(number)}"#
            }
        }
        let result = try Self.apply(Self.operations(rows), to: source)
        #expect(result.object(result.root).count == Self.count)
    }

    @Test(.timeLimit(.minutes(15))) func manyNumericKeys() throws {
        let source = #"{"$dict":["# + (0..<Self.count).map { "[\($0),0]" }.joined(separator: ",") + "]}"
        let rows = (0..<Self.count / 2).map { #"{"op":"remove","path":"/~=\#($0)"}"# }
        let result = try Self.apply(Self.operations(rows), to: source)
        #expect(result.object(result.root).count == Self.count / 2)
    }

    // MARK: Copies of copies

    @Test(.timeLimit(.minutes(15)), arguments: [false, true]) func copiesOfCopies(_ isArchive: Bool) throws {
        let rows = (0..<40).map { _ in #"{"op":"copy","from":"/root","path":"/root/-"}"# }
        let patch = try JSONPatch(JSON.readTyped(Array(Self.operations(rows).utf8)))
        let source = isArchive ? DraftText.graph(#"{"root":[[]]}"#) : #"{"root":[[]]}"#
        let document = try JSON.readTyped(Array(source.utf8))
        let view =
            isArchive ? ObjectView(try KeyedArchive(GraphJSON.archive(from: document))) : ObjectView(document)
        let problem = #expect(throws: Problem.self) { try patch.applied(to: view, limits: Self.limits) }
        #expect(["patch.size", "limit.expansion"].contains(problem?.id), "\(problem?.id ?? "")")
    }

    /// Each copy is changed, so that its contents must be copied.
    @Test(.timeLimit(.minutes(15))) func changedCopies() throws {
        let source = #"{"a":["# + (0..<20_000).map { _ in "[]" }.joined(separator: ",") + #"],"b":0}"#
        let rows = (0..<10_000).flatMap { _ in
            [#"{"op":"copy","from":"/a","path":"/b"}"#, #"{"op":"add","path":"/b/-","value":1}"#]
        }
        let problem = #expect(throws: Problem.self) { try Self.apply(Self.operations(rows), to: source) }
        #expect(problem?.id == "patch.size")
    }

    // MARK: Depth

    @Test(.timeLimit(.minutes(15))) func deepPointers() throws {
        let pointer = String(repeating: "/a", count: Self.count)
        let problem = #expect(throws: Problem.self) {
            try Self.apply(Self.operations([#"{"op":"remove","path":"\#(pointer)"}"#]), to: #"{"a":{}}"#)
        }
        #expect(problem?.id == "patch.missing")
    }

    /// A pointer can follow a cycle any number of times.
    @Test(.timeLimit(.minutes(15))) func deepPointersInCircles() throws {
        let graph = try JSON.readTyped(Array(DraftText.graph(#"{"a":{"$class":"Map","$id":1,"a":{"$ref":1}}}"#).utf8))
        let pointer = String(repeating: "/a", count: Self.count)
        let rows = (0..<5).map { #"{"op":"add","path":"\#(pointer)/\#($0)","value":1}"# }
        let patch = try JSONPatch(JSON.readTyped(Array(Self.operations(rows).utf8)))
        let result = try patch.applied(to: ObjectView(KeyedArchive(GraphJSON.archive(from: graph))))
        #expect(try DraftText.top(KeyedArchive(result)).contains(#""4":1"#))
    }

    // MARK: Patches of comparisons

    /// A list of objects that is nested deeper than JSON allows.
    @Test(.timeLimit(.minutes(15)), arguments: [150, 1000]) func longChains(_ length: Int) throws {
        let after = ObjectView(try Self.chain(length))
        let before = ObjectView(try Self.chain(1))
        try PatchText.check(before, after, "\(length)")
    }

    /// The total length of the addresses in a chain is quadratic, so the patch is refused early.
    @Test(.timeLimit(.minutes(15))) func veryLongChains() throws {
        let difference = Difference(ObjectView(try Self.chain(1)), ObjectView(try Self.chain(5000)))
        var output = ByteWriter()
        let problem = #expect(throws: Problem.self) { try difference.writePatch(to: &output, limits: Self.limits) }
        #expect(problem?.id == "patch.length")
    }

    private static func chain(_ length: Int) throws -> KeyedArchive {
        var archive = KeyedArchiveBuilder()
        let record = archive.addClass("Link", chain: ["Link", "NSObject"])
        let links = (0..<length).map { _ in archive.reserve() }
        for (number, link) in links.enumerated() {
            archive.begin(link, of: record)
            archive.contents.add(string: "next")
            if number + 1 < length { archive.refer(to: links[number + 1]) } else { archive.refer(to: .null) }
            archive.contents.add(string: "first")
            archive.refer(to: links[0])
            archive.end()
        }
        archive.addTop(root: links[0])
        return try KeyedArchive(archive.finish())
    }
}
