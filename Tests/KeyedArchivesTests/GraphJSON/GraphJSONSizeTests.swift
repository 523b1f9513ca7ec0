@testable import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

/// Large, deep and cyclic graphs take time and output proportional to the archive.
@Suite struct GraphJSONSizeTests {
    /// Returns a ring of nodes that refer to their successors.
    private static func ring(_ count: Int) throws -> Document {
        var archive = KeyedArchiveBuilder()
        let record = archive.addClass("Node", chain: ["Node", "NSObject"])
        let nodes = (0..<count).map { _ in archive.reserve() }
        for (index, node) in nodes.enumerated() {
            archive.begin(node, of: record)
            archive.contents.add(string: "next")
            archive.refer(to: nodes[(index + 1) % count])
            archive.contents.add(string: "number")
            archive.contents.add(integer: Int128(index))
            archive.end()
        }
        try refer(toRoot: nodes[0], in: &archive)
        return try archive.finish()
    }

    private static func dictionary(_ count: Int) throws -> Document {
        var archive = KeyedArchiveBuilder()
        let record = archive.addClass("NSDictionary", chain: ["NSDictionary", "NSObject"])
        let root = archive.reserve()
        let keys = (0..<count).map { archive.add(string: "key \($0)") }
        archive.begin(root, of: record)
        archive.addCollection(keys: keys, keys)
        archive.end()
        try refer(toRoot: root, in: &archive)
        return try archive.finish()
    }

    private static func refer(toRoot uid: UID, in archive: inout KeyedArchiveBuilder) throws {
        archive.addTop(root: uid)
    }

    private static let many = TestScale.count(10_000, long: 20_000)

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () throws -> Document
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            Case(testDescription: "a ring") { try ring(TestScale.count(4_000, long: 8_000)) },
            Case(testDescription: "2 to the 60th paths") { try nestedArrays(levels: 61, times: 2) },
            Case(testDescription: "many times the same") { try nestedArrays(levels: 2, times: many) },
            Case(testDescription: "arrays 1,000 deep") { try nestedArrays(levels: 1_000, times: 1) },
            Case(testDescription: "many keys") { try dictionary(many) },
        ])
    func roundTrips(_ test: Case) throws {
        let document = try test.make()
        let text = try GraphText.bytes(document, WriteOptions(isCompact: true))
        #expect(text.count < 8 * document.imageSize + 1_000)
        let again = try GraphJSON.archive(from: JSON.read(text))
        let (found, expected) = try (
            again.bytes(as: .binary), document.bytes(as: .binary)
        )
        #expect(found == expected)
    }

    /// JSON itself allows 512 nested containers.
    @Test func nestedText() throws {
        func text(_ levels: Int) -> String {
            let brackets = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
            return GraphText.text(top: #"{"root": \#(brackets)}"#)
        }
        #expect(try KeyedArchive(GraphText.archive(text(510))).count == 512)
        #expect(throws: Problem.self) { try GraphText.archive(text(511)) }
    }

    /// A huge object number does not cause a huge allocation.
    @Test(arguments: ["1", "9223372036854775808", "170141183460469231731687303715884105727"])
    func hugeNumber(_ number: String) throws {
        let text = GraphText.text(top: #"{"root": [{"$ref": \#(number)}, {"$class": "NSNull", "$id": \#(number)}]}"#)
        #expect(
            try GraphText.text(GraphText.archive(text))
                == #"{"$archiver":"NSKeyedArchiver","$version":100000,"$top":{"#
                + #""root":[{"$class":"NSNull","$id":1},{"$ref":1}]}}"# + "\n")
    }

    /// A dictionary's key may be the object that contains the dictionary.
    @Test func referenceAsKey() throws {
        let top = #"{"root":{"$class":"NSDictionary","$id":1,"$entries":[[{"$ref":1},"self"]]}}"#
        let text = #"{"$archiver":"NSKeyedArchiver","$version":100000,"$top":\#(top)}"# + "\n"
        #expect(try GraphText.text(GraphText.archive(text)) == text)
    }

    /// Objects of `$shared` may refer to each other in a cycle.
    @Test func cycleInSharedObjects() throws {
        let shared = #""$shared": {"1": [{"$ref": 2}], "2": {"k": {"$ref": 1}}}"#
        let archive = try GraphText.archive(GraphText.text(top: #"{"root": {"$ref": 1}}"#, shared))
        #expect(
            try GraphText.text(archive)
                == #"{"$archiver":"NSKeyedArchiver","$version":100000,"$top":{"#
                + #""root":{"$class":"NSArray","$id":1,"$elements":[{"k":{"$ref":1}}]}}}"# + "\n")
    }

    @Test func sortedKeys() throws {
        let text = GraphText.text(
            top: #"{"b": {"$class": "A", "y": 1, "x": {"$inline": {"d": 1, "$$c": null}}}, "a": {"q": 1, "p": 2}}"#,
            #""$classes": {"A": ["A"]}"#)
        #expect(
            try GraphText.text(GraphText.archive(text), WriteOptions(keyOrder: .sorted, isCompact: true))
                == #"{"$archiver":"NSKeyedArchiver","$version":100000,"$classes":{"A":["A"]},"$top":{"a":{"p":2,"q":1},"#
                + #""b":{"$class":"A","x":{"$inline":{"$$c":null,"d":1}},"y":1}}}"# + "\n")
    }
}
