import Foundation
import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations
import TestSupport
import Testing

/// All values that a pattern matches are found, at their addresses and within the limits.
@Suite struct PatternMatchesTests {
    private static func addresses(_ pattern: String, in view: ObjectView) throws -> [String] {
        let pattern = try PointerPattern(pattern)
        var matches = PatternMatches(pattern, in: view)
        var addresses: [String] = []
        while let match = try matches.next() {
            let address = try matches.address()
            // The reported address must lead to the matched value.
            guard case .found(let id, _) = view.find(address) else {
                Issue.record("\(address)")
                continue
            }
            #expect(id == match.id)
            if pattern.hasWildcards {
                var base = ByteWriter()
                try matches.writeBase(to: &base)
                #expect(String(decoding: base.takeBytes(), as: UTF8.self) == pattern.base(of: address).description)
            }
            addresses.append(address.description)
        }
        return addresses
    }

    private static func plain() throws -> ObjectView {
        ObjectView(
            try JSON.readTyped(
                Array(#"{"a": {"x": 1, "*": {"x": 2}}, "l": [{"x": 3}, 4, {"x": {"x": 5}}], "e": []}"#.utf8)))
    }

    @Test(arguments: [
        ("", ["(root)"]), ("/*", ["/a", "/l", "/e"]), ("/l/*/x", ["/l/0/x", "/l/2/x"]), ("/*/x", ["/a/x"]),
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
        let view = ObjectView(try KeyedArchive(try GraphJSON.archive(from: try JSON.readTyped(Array(json.utf8)))))
        #expect(try Self.addresses(pattern, in: view) == expected)
    }

    /// A pattern may have more than 64 segments, which is the size of the smallest set of positions.
    @Test func longPatterns() throws {
        let depth = 150
        let json = String(repeating: "[", count: depth) + "7" + String(repeating: "]", count: depth)
        let view = ObjectView(try JSON.readTyped(Array(json.utf8)))
        let address = String(repeating: "/0", count: depth)
        #expect(try Self.addresses(String(repeating: "/*", count: depth), in: view) == [address])
        #expect(try Self.addresses(String(repeating: "/*/**", count: 70) + "/0", in: view).count == depth - 70)
        #expect(try Self.addresses(String(repeating: "/**", count: 100), in: view).count == depth + 1)
    }

    /// A ring of objects with two references each has more paths than can be visited, so the search is refused.
    @Test(.enabled(if: TestScale.isLong)) func limitsSteps() throws {
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
        archive.addTop(root: nodes[0])
        let view = ObjectView(try KeyedArchive(archive.finish()))
        let stars = String(repeating: "/*", count: 40)
        #expect { try Self.addresses(stars, in: view) } throws: { ($0 as? Problem)?.id == "pattern.ways" }
        #expect(try Self.addresses("/**/b", in: view).count == 40)
    }

    /// The addresses in a deeply nested list are together far longer than the file, so listing them is limited.
    @Test func limitsAddressesOfNestedArray() throws {
        var text = ""
        let count = 3000
        for number in 0..<count { text += "{\"n\": \(number), \"next\": " }
        text += "0" + String(repeating: "}", count: count)
        let deep = Limits(maxDepth: count + 1)
        let view = ObjectView(try JSON.readTyped(Array(text.utf8), limits: deep))
        #expect { try Self.addresses("/**", in: view) } throws: { ($0 as? Problem)?.id == "pattern.ways" }
        let more = try Document.read(Array(text.utf8), as: .json, limits: Limits(maxDepth: count + 1, workFactor: 9))
        var matches = PatternMatches(try PointerPattern("/**/n"), in: ObjectView(more))
        var found = 0
        while try matches.next() != nil {
            if found % (TestScale.isLong ? 20 : 100) == 0 { #expect(try matches.address().tokens.count == found + 1) }
            found += 1
        }
        #expect(found == count)
    }

    /// Several `**` in succession are one, which every value would otherwise visit with all of their positions.
    @Test func joinsSegmentsForAnyDepth() throws {
        let pattern = try PointerPattern(String(repeating: "/**", count: 300_000) + "/x")
        #expect(pattern == (try PointerPattern("/**/x")))
        #expect(pattern.address.description == "/**/x")
    }

    /// Each `**` between other segments adds a position to all values below.
    @Test func limitsPositions() throws {
        let text = String(repeating: "{\"x\": ", count: 500) + "1" + String(repeating: "}", count: 500)
        let view = ObjectView(try JSON.readTyped(Array(text.utf8)))
        #expect(try Self.addresses("/**/x/**/x/**", in: view).count == 499)
        let pattern = String(repeating: "/**/x", count: 1000)
        #expect { try Self.addresses(pattern, in: view) } throws: { ($0 as? Problem)?.id == "pattern.ways" }
    }

    @Test func manyValuesInOneContainer() throws {
        let members = (0..<20_000).map { "\"k\($0)\": 1" }.joined(separator: ", ")
        let view = ObjectView(try JSON.readTyped(Array("{\(members), \"x\": 5}".utf8)))
        let condition = FieldCondition(Array("x".utf16), .compares(.equal, try ComparisonOperand("5")))
        var matches = PatternMatches(try PointerPattern("/*"), in: view, where: [condition])
        var count = 0
        while try matches.next() != nil { count += 1 }
        #expect(count == 20_001)
    }

    // MARK: Nested saves

    private static func plist(_ value: Any) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
    }

    private static func view(_ value: Any, limits: Limits = Limits()) throws -> ObjectView {
        let document = try Document.read([UInt8](plist(value)), as: .binary)
        return try ObjectView(of: document, limits: limits, isRaw: false, nesting: NestedSaveOptions(limits: limits))
    }

    /// Returns a view of nested saves in data, in data within data, and in Base64, JSON and OpenStep text.
    private static func saves() throws -> ObjectView {
        let save = try plist(["gems": 7, "bag": ["x": 1]] as [String: Any])
        return try view(
            [
                "data": ["a": save, "b": try plist(save)],
                "text": ["a": save.base64EncodedString(), "b": #"{"gems": 8}"#, "c": "(none)", "d": "gems"],
            ] as [String: Any])
    }

    @Test(arguments: [
        ("/data/a/~^", ["/data/a/~^"]), ("/data/*/~^/gems", ["/data/a/gems", "/data/b/gems"]),
        ("/data/*/gems", ["/data/a/gems", "/data/b/gems"]), ("/data/*/~^", ["/data/a/~^", "/data/b/~^"]),
        ("/data/*/~^/~^", ["/data/b/~^/~^"]), ("/data/*/~^/~^/gems", ["/data/b/gems"]),
        ("/data/*/~^/~^/~^", []),
        ("/**/~^", ["/data/a/~^", "/data/b/~^", "/data/b/~^/~^", "/text/b/~^"]),
        ("/**/~^/bag/x", ["/data/a/bag/x", "/data/b/bag/x"]), ("/**/bag/*", ["/data/a/bag/x", "/data/b/bag/x"]),
        ("/data/a/**", ["/data/a", "/data/a/bag", "/data/a/bag/x", "/data/a/gems"]),
        ("/data/a/~^/**", ["/data/a/~^", "/data/a/bag", "/data/a/bag/x", "/data/a/gems"]),
        ("/data/*/^", []), ("/*/~^", []),
        // Names, positions and `~^` open all nested saves in text; wildcards only JSON.
        ("/text/*/gems", ["/text/a/gems", "/text/b/gems"]), ("/text/*/~^", ["/text/a/~^", "/text/b/~^", "/text/c/~^"]),
        ("/text/*/0", ["/text/c/0"]), ("/text/*/~^/*", ["/text/a/bag", "/text/a/gems", "/text/b/gems", "/text/c/0"]),
        ("/text/*/*", ["/text/b/gems"]),
        ("/text/*/**", ["/text/a", "/text/b", "/text/b/gems", "/text/c", "/text/d"]),
        ("/text/**/gems", ["/text/b/gems"]), ("/text/**/~^", ["/text/b/~^"]),
        ("/**/a/gems", ["/data/a/gems", "/text/a/gems"]),
        ("/**/gems", ["/data/a/gems", "/data/b/gems", "/text/b/gems"]),
    ]) func nestedSaves(_ pattern: String, _ expected: [String]) throws {
        #expect(try Self.addresses(pattern, in: Self.saves()).sorted() == expected.sorted())
    }

    @Test(arguments: [
        ("/data/*/~^", "/data/a/~^", "/data/a"), ("/data/*/~^/bag/x", "/data/a/bag/x", "/data/a"),
        ("/**/~^/gems", "/data/b/gems", "/data/b"), ("/data/*/~^/~^", "/data/b/~^/~^", "/data/b"),
        ("/data/*/~^/**", "/data/a/bag/x", "/data/a/bag/x"),
    ]) func addressUpToLastWildcard(_ pattern: String, _ address: String, _ base: String) throws {
        let pattern = try PointerPattern(pattern)
        #expect(try pattern.base(of: #require(JSONPointer(address))).description == base)
    }

    @Test func patternsIntoNestedSaves() throws {
        let view = try Self.saves()
        for pattern in ["/data/*/~^/gems", "/**/~^", "/data/a/~^", "/data/b/~^/~^/bag", "/**/**/~^/**/x"] {
            #expect(try PointerPattern(pattern).leadsSomewhere(in: view), "\(pattern)")
        }
        for pattern in ["/data/a/~^/~^", "/data/~^", "/~^", "/data/a/^"] {
            #expect(try !PointerPattern(pattern).leadsSomewhere(in: view), "\(pattern)")
        }
        #expect(try PointerPattern("/data/*/~^/gem").nearest(in: [view])?.description == "/data/*/~^/gems")
        #expect(try PointerPattern("/dat/*/~^").nearest(in: [view])?.description == "/data/*/~^")
    }

    /// 10,000 texts that contain saves, and as many references to a long text that contains none, are searched in time.
    @Test(.timeLimit(.minutes(15))) func manyTexts() throws {
        let count = 10_000
        let saves = try (0..<count).map { try Self.plist(["gems": $0]).base64EncodedString() }
        #expect(try Self.addresses("/*/gems", in: Self.view(saves)).count == count)
        #expect { try Self.addresses("/*/gems", in: Self.view(saves, limits: Limits(workFactor: 0))) } throws: {
            ($0 as? Problem)?.id == "limit.nested"
        }
        var builder = DocumentBuilder()
        builder.open(.array)
        let text = builder.add(string: String(repeating: "QUJD", count: 1 << 18))
        for _ in 1..<count { builder.add(text) }
        builder.close()
        let view = ObjectView(try builder.finish(), nil, nesting: NestedSaveOptions())
        #expect(try Self.addresses("/*/gems", in: view).isEmpty)
        #expect(try Self.addresses("/*/~^/gems", in: view).isEmpty)
    }
}
