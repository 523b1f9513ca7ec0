import KeyedArchives
import SaveCodec
import SaveOperations
import TestSupport
import Testing

/// Everything that a pattern leads to.
@Suite struct PatternMatchesTests {
    private static func addresses(_ pattern: String, in view: ObjectView) throws -> [String] {
        var matches = PatternMatches(try PointerPattern(pattern), in: view)
        var addresses: [String] = []
        while let match = try matches.next() {
            let address = try matches.address()
            // Where it says that the value is, it is.
            guard case .found(let id, _) = view.find(address) else {
                Issue.record("\(address)")
                continue
            }
            #expect(id == match.id)
            addresses.append(address.description)
        }
        return addresses
    }

    private static func plain() throws -> ObjectView {
        ObjectView(
            try JSON.read(Array(#"{"a": {"x": 1, "*": {"x": 2}}, "l": [{"x": 3}, 4, {"x": {"x": 5}}], "e": []}"#.utf8)))
    }

    @Test(arguments: [
        ("", ["/"]), ("/*", ["/a", "/l", "/e"]), ("/l/*/x", ["/l/0/x", "/l/2/x"]), ("/*/x", ["/a/x"]),
        ("/**/x", ["/a/x", "/a/~*/x", "/l/0/x", "/l/2/x", "/l/2/x/x"]), ("/a/~*/x", ["/a/~*/x"]),
        ("/a/*", ["/a/x", "/a/~*"]), ("/l/**", ["/l", "/l/0", "/l/0/x", "/l/1", "/l/2", "/l/2/x", "/l/2/x/x"]),
        ("/**/**/x/x", ["/l/2/x/x"]), ("/**/l/1", ["/l/1"]), ("/l/9", []), ("/*/*/*/*/*", []), ("/l/2/x", ["/l/2/x"]),
    ]) func plainValues(_ pattern: String, _ expected: [String]) throws {
        #expect(try Self.addresses(pattern, in: Self.plain()) == expected)
    }

    @Test(arguments: [
        ("/root/*/name", ["/root/0/name", "/root/1/name", "/root/2/name"]),
        ("/root/*/$class", ["/root/0/$class", "/root/1/$class", "/root/2/$class"]),
        ("/**/name", ["/root/0/name", "/root/1/name"]), ("/**/$class", ["/root/0/$class", "/root/1/$class"]),
        ("/root/*/$class/x", []),
    ]) func sharedObjects(_ pattern: String, _ expected: [String]) throws {
        let json = """
            {"$archiver": "NSKeyedArchiver", "$version": 100000, "$classes": {"A": ["A", "NSObject"]}, "$top": {"root": [
              {"$class": "A", "$id": 1, "name": "one", "me": {"$ref": 1}}, {"$class": "A", "name": "two"}, {"$ref": 1}]}}
            """
        let view = ObjectView(try KeyedArchive(try GraphJSON.archive(from: try JSON.read(Array(json.utf8)))))
        #expect(try Self.addresses(pattern, in: view) == expected)
    }

    /// A ring of objects, each of which refers to two others, has more ways than there is time.
    @Test func tooManyWays() throws {
        var archive = KeyedArchiveBuilder()
        let node = archive.addClass("Node", chain: ["Node", "NSObject"])
        let nodes = (0..<40).map { _ in archive.reserve() }
        for (position, uid) in nodes.enumerated() {
            archive.begin(uid, of: node)
            for key in ["a", "b"] {
                archive.contents.add(string: key)
                archive.refer(to: nodes[(position + 1) % nodes.count])
            }
            archive.end()
        }
        archive.beginTop()
        archive.contents.add(string: "root")
        archive.refer(to: nodes[0])
        archive.end()
        let view = ObjectView(try KeyedArchive(archive.finish()))
        let stars = String(repeating: "/*", count: 40)
        #expect { try Self.addresses(stars, in: view) } throws: { ($0 as? Problem)?.id == "pattern.ways" }
        #expect(try Self.addresses("/**/b", in: view).count == 40)
    }

    /// Whether a container has a field is found out once, not for each of its values.
    @Test func manyValuesInOneContainer() throws {
        let members = (0..<20_000).map { "\"k\($0)\": 1" }.joined(separator: ", ")
        let view = ObjectView(try JSON.read(Array("{\(members), \"x\": 5}".utf8)))
        let condition = FieldCondition(Array("x".utf16), .compares(.equal, try ComparedValue("5")))
        var matches = PatternMatches(try PointerPattern("/*"), in: view, where: [condition])
        var count = 0
        while try matches.next() != nil { count += 1 }
        #expect(count == 20_001)
    }
}
