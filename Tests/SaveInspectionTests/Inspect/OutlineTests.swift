import KeyedArchives
import SaveCodec
@testable import SaveInspection
@testable import SaveOperations
import Testing

/// The order, labels and addresses of an outline. Shared values add no cost.
@Suite struct OutlineTests {
    /// Returns one line per step: the address, the value, and how it is shown.
    static func lines(_ view: ObjectView, scope: Outline.Scope = .init()) -> [String] {
        var outline = Outline(of: view, scope: scope)
        var lines: [String] = []
        while let step = outline.next() {
            switch step {
            case .value(let row): lines.append("\(outline.address(of: row)) " + text(row, outline))
            case .more(let count): lines.append("\(count) more")
            case .end(let container): lines.append("end \(container)")
            }
        }
        return lines
    }

    private static func text(_ row: Outline.Row, _ outline: Outline) -> String {
        switch row.presentation {
        case .scalar: row.scalar.map { "\($0.kind)" } ?? ""
        case .opened(let container): "\(container) opened"
        case .closed(let container): "\(container) closed"
        case .annotated(let text): text
        case .repeated: "repeated \(outline.firstAddress(of: row.id))"
        case .nested(let nested): "data, " + (row.scalar.map { "\($0.kind)" } ?? "\(nested.root.variant) opened")
        case .unreadable(let problem): "data, \(problem.id)"
        }
    }

    private func lines(_ document: Document, scope: Outline.Scope = .init()) -> [String] {
        Self.lines(ObjectView(document), scope: scope)
    }

    /// `{"a": {"list": [1, 2, 3]}, "b": the same list, "c": []}`
    private func sharing() throws -> Document {
        var builder = DocumentBuilder()
        builder.open(.dictionary)
        builder.add(string: "a")
        builder.open(.dictionary)
        builder.add(string: "list")
        builder.open(.array)
        for number in 1...3 { builder.add(integer: Int128(number)) }
        let list = builder.close()
        builder.close()
        builder.add(string: "b")
        builder.add(list)
        builder.add(string: "c")
        builder.open(.array)
        builder.close()
        builder.close()
        return try builder.finish()
    }

    @Test func expandsSharedContainerOnce() throws {
        #expect(
            lines(try sharing()) == [
                "(root) dictionary opened", "/a dictionary opened", "/a/list array opened", "/a/list/0 integer",
                "/a/list/1 integer", "/a/list/2 integer", "end array", "end dictionary", "/b repeated /a/list",
                "/c array opened", "end array", "end dictionary",
            ])
    }

    @Test func expandsSharedContainerEverywhere() throws {
        let lines = lines(try sharing(), scope: .init(repeatsShared: true))
        #expect(lines.contains("/b/2 integer"))
        #expect(!lines.contains { $0.contains("repeated") })
    }

    @Test func limitsDepthAndCount() throws {
        #expect(
            lines(try sharing(), scope: .init(depth: 1)) == [
                "(root) dictionary opened", "/a dictionary closed", "/b array closed", "/c array opened", "end array",
                "end dictionary",
            ])
        #expect(
            lines(try sharing(), scope: .init(limit: 2)) == [
                "(root) dictionary opened", "/a dictionary opened", "/a/list array opened", "/a/list/0 integer",
                "/a/list/1 integer", "1 more", "end array", "end dictionary", "/b repeated /a/list", "1 more",
                "end dictionary",
            ])
        #expect(lines(try sharing(), scope: .init(depth: 0)) == ["(root) dictionary closed"])
    }

    /// Returns a document of 61 objects that expands to 2^60 leaves.
    static func bomb() throws -> Document {
        var builder = DocumentBuilder()
        for _ in 0..<60 { builder.open(.array) }
        builder.add(integer: 1)
        for _ in 0..<60 {
            if let inner = builder.takeLast() {
                builder.add(inner)
                builder.add(inner)
            }
            builder.close()
        }
        return try builder.finish()
    }

    @Test func sharingCannotExplode() throws {
        let document = try Self.bomb()
        #expect(lines(document).count == 60 * 2 + 59 + 2)
        #expect(!document.isExpandable())
    }
}

@Suite struct LookupTests {
    /// `{"a": [10, {"b/c": 1}], "apple": 2, 7: "seven", "é": 1, "e" + combining acute: 2}`
    private static func document() throws -> Document {
        var builder = DocumentBuilder()
        builder.open(.dictionary)
        builder.add(string: "a")
        builder.open(.array)
        builder.add(integer: 10)
        builder.open(.dictionary)
        builder.add(string: "b/c")
        builder.add(integer: 1)
        builder.close()
        builder.close()
        builder.add(string: "apple")
        builder.add(integer: 2)
        builder.add(integer: 7)
        builder.add(string: "seven")
        builder.add(string: "\u{E9}")
        builder.add(integer: 3)
        builder.add(string: "e\u{301}")
        builder.add(integer: 4)
        builder.close()
        return try builder.finish()
    }

    static let found: [(pointer: String, text: String)] = [
        ("/a/0", "10"), ("/a/1/b~1c", "1"), ("/apple", "2"), ("/~=7", "seven"), ("/~#2", "seven"), ("/\u{E9}", "3"),
        ("/e\u{301}", "4"),
    ]

    @Test(arguments: found)
    func finds(_ pointer: String, _ text: String) throws {
        try Self.expect(text, at: pointer, in: ObjectView(Self.document()))
    }

    /// Expects an integer or a string with this text at an address.
    static func expect(_ text: String, at pointer: String, in view: ObjectView) throws {
        guard case .found(let id, let view) = view.find(try #require(JSONPointer(pointer))) else {
            Issue.record("nothing at \(pointer)")
            return
        }
        switch view[id].variant {
        case .scalar(.integer(let integer)): #expect(integer.value.description == text)
        case .scalar(.string(let string)): #expect(string.string == text)
        default: Issue.record("\(view[id].variant)")
        }
    }

    static let missing: [(pointer: String, prefix: String, kind: ValueKind, near: [String])] = [
        ("/b", "(root)", .dictionary, ["a", "\u{E9}", "e\u{301}", "~=7", "apple"]),
        ("/appel", "(root)", .dictionary, ["apple", "a", "\u{E9}", "~=7", "e\u{301}"]), ("/a/2", "/a", .array, []),
        ("/a/00", "/a", .array, []), ("/a/-", "/a", .array, []), ("/a/", "/a", .array, []),
        ("/a/99999999999999999999", "/a", .array, []), ("/apple/x/y", "/apple", .integer, []),
        ("/a/1/b", "/a/1", .dictionary, ["b/c"]), ("/a/~#0", "/a", .array, []),
        ("/0", "(root)", .dictionary, ["a", "\u{E9}", "e\u{301}", "~=7", "apple"]),
        ("/~#7", "(root)", .dictionary, ["a", "~=7", "\u{E9}", "e\u{301}", "apple"]),
        ("/~=07", "(root)", .dictionary, ["~=7", "a", "\u{E9}", "e\u{301}", "apple"]),
    ]

    @Test(arguments: missing)
    func saysHowFar(_ pointer: String, _ prefix: String, _ kind: ValueKind, _ near: [String]) throws {
        guard case .missing(let missing) = try ObjectView(Self.document()).find(try #require(JSONPointer(pointer)))
        else {
            Issue.record("something at \(pointer)")
            return
        }
        #expect(missing.prefix.description == prefix)
        #expect(missing.view.document[missing.view.stored(missing.id)].kind == kind)
        #expect(missing.nearKeys.map { String(decoding: $0, as: UTF16.self) } == near)
    }
}

@Suite struct SummaryTests {
    @Test func countsEachObjectOnce() throws {
        var builder = DocumentBuilder()
        builder.open(.dictionary)
        builder.add(string: "k")
        builder.open(.array)
        builder.add(integer: 300)
        builder.add(integer: 300)
        builder.add(data: Array("bplist00".utf8).span)
        let list = builder.close()
        builder.add(string: "é")
        builder.add(list)
        builder.close()
        let summary = DocumentSummary(of: try builder.finish())
        #expect(summary.root == .dictionary)
        #expect(summary.depth == 2)
        #expect(summary.reachable == 6)
        #expect(summary.sharedContainers == 1)
        #expect(summary.sharedScalars == 1)
        #expect(summary.unreachable == 0)
        #expect(summary.keys == 2)
        #expect(summary.payloads == [.binaryPropertyList: 1])
        #expect(summary.tallies[.string] == DocumentSummary.Tally(objects: 2, contents: 0, bytes: 3))
        #expect(summary.tallies[.integer] == DocumentSummary.Tally(objects: 1, contents: 0, bytes: 2))
        #expect(summary.tallies[.array] == DocumentSummary.Tally(objects: 1, contents: 3, bytes: 0))
    }

    @Test func aScalarHasNoDepth() throws {
        var builder = DocumentBuilder()
        builder.add(boolean: true)
        #expect(DocumentSummary(of: try builder.finish()).depth == 0)
    }

    @Test func sharingCannotExplode() throws {
        let summary = DocumentSummary(of: try OutlineTests.bomb())
        #expect(summary.depth == 60)
        #expect(summary.reachable == 61)
        #expect(summary.sharedContainers == 59)
    }
}
