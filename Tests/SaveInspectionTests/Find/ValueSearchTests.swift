import JSONSchema
import KeyedArchives
import SaveCodec
import SaveInspection
import TestSupport
import Testing

/// Queries find the right values in a view.
@Suite struct ValueSearchTests {
    private static func view(_ text: String, as format: Format = .json) throws -> ObjectView {
        let document = try Document.read(Array(text.utf8), as: format)
        guard GraphJSON.isPresent(in: document) else { return ObjectView(document) }
        return ObjectView(try KeyedArchive(try GraphJSON.archive(from: document)))
    }

    /// Returns the addresses of matching values in order.
    private static func find(_ query: ValueQuery, in view: ObjectView) throws -> [String] {
        var search = ValueSearch(query, in: view)
        var outline = Outline(of: view)
        var found: [String] = []
        while let step = outline.next() {
            guard case .value(let row) = step, try search.verdict(on: row) == .found else { continue }
            found.append(outline.address(of: row).description)
        }
        return found
    }

    private static func query(_ change: (inout ValueQuery) throws -> Void) rethrows -> ValueQuery {
        var query = ValueQuery()
        try change(&query)
        return query
    }

    // MARK: Comparing

    private static let values = """
        {"i": 5, "r": 5.0, "f": {"$real32": 5.5}, "big": 9007199254740993, "s": "5", "t": true, "n": null,
         "d": {"$date": "2024-02-20T00:00:00Z"}, "ds": "2024-02-20T01:00:00+01:00", "x": {"$data": "aGV5"},
         "nan": {"$real": "nan"}, "c": [5], "g": {"$real32": 0.1}}
        """

    @Test(arguments: [
        ("5", ["/i", "/r", "/c/0"]), ("5.5", ["/f"]), ("\"5\"", ["/s"]), ("true", ["/t"]), ("null", ["/n"]),
        ("2024-02-20T00:00:00Z", ["/d", "/ds"]), ("2024-02-20", ["/d", "/ds"]), ("9007199254740993", ["/big"]),
        ("9007199254740992.0", []), ("{\"$data\": \"aGV5\"}", ["/x"]), ("{\"$real\": \"nan\"}", []), ("False", []),
        ("YES", ["/t"]), ("no", []), ("\"YES\"", []),
        ("0.1", ["/g"]), ("0.10000000149011612", ["/g"]), ("0.11", []),
    ]) func comparesValues(_ value: String, _ expected: [String]) throws {
        let query = try Self.query { $0.value = try ComparisonOperand(value) }
        #expect(try Self.find(query, in: Self.view(Self.values)) == expected)
    }

    @Test func ignoresCaseOfStrings() throws {
        let query = try Self.query { $0.value = try ComparisonOperand("STRAßE", ignoresCase: true) }
        #expect(try Self.find(query, in: Self.view(#"["Straße", "STRASSE", "straße ", "strasse"]"#)) == ["/0"])
    }

    @Test(arguments: ["[1]", "{}", "{\"a\": 1", "\"a", ""]) func rejectsNonScalars(_ text: String) {
        #expect(throws: Problem.self) { try ComparisonOperand(text) }
    }

    @Test(arguments: [
        ("i", "<", "5.5", true), ("i", "<", "5", false), ("i", "<=", "5.0", true),
        ("big", ">", "9007199254740992.0", true),
        ("s", "<", "6", false), ("s", "<", "\"6\"", true), ("s", "!=", "5", true), ("none", "!=", "5", false),
        ("d", ">", "2024-02-19", true), ("ds", "<=", "2024-02-20", true), ("ds", ">", "2024-02-20T00:00:01Z", false),
        ("nan", "<", "5", false), ("nan", ">", "5", false), ("nan", "!=", "5", true), ("c", "==", "5", false),
        ("c", "!=", "5", true), ("t", "==", "1", false), ("g", "<=", "0.1", true), ("g", ">", "0.1", false),
        ("g", "<", "1e300", true), ("t", "==", "yes", true), ("t", "!=", "No", true),
        ("d", ">", "2024", true), ("d", "<", "2025", true), ("d", "<", "2024-03", true), ("ds", ">=", "2024-03", false),
        ("d", "==", "20240", false), ("i", "<", "2024", true),
    ]) func comparesFields(_ field: String, _ op: String, _ value: String, _ isFound: Bool) throws {
        let op = try #require(FieldCondition.Operator(rawValue: op))
        let query = try Self.query {
            $0.fields = [FieldCondition(Array(field.utf16), .compares(op, try ComparisonOperand(value)))]
        }
        #expect(try Self.find(query, in: Self.view(Self.values)) == (isFound ? ["(root)"] : []))
    }

    /// A query on a field uses the effective value of a duplicate key.
    @Test func repeatedKeys() throws {
        let query = try Self.query {
            $0.fields = [FieldCondition(Array("a".utf16), .compares(.equal, try ComparisonOperand("2")))]
        }
        #expect(try Self.find(query, in: Self.view(#"[{"a": 1, "a": 2}, {"a": 2, "a": 1}]"#)) == ["/0"])
    }

    @Test func comparesOpenStepTextAsNumber() throws {
        let query = try Self.query { $0.value = try ComparisonOperand("7") }
        #expect(try Self.find(query, in: Self.view("{a = 7; b = \"7.0\"; c = x;}", as: .openStep)) == ["/a", "/b"])
        #expect(try Self.find(query, in: Self.view(#"{"a": "7"}"#)) == [])
    }

    // MARK: Archives

    private static let archive = """
        {"$archiver": "NSKeyedArchiver", "$version": 100000,
         "$classes": {"Boss": ["Boss", "Player", "NSObject"], "Player": ["Player", "NSObject"]},
         "$top": {"root": [{"$class": "Boss", "$id": 1, "name": "Zed", "target": {"$class": "Player", "$id": 2, "name": "Ada"}},
                           {"$ref": 2}], "hero": {"$ref": 2}, "enemy": {"$ref": 1}}}
        """

    @Test func findsClassesAndSubclasses() throws {
        let view = try Self.view(Self.archive)
        for (name, expected) in [("Player", ["/root/0", "/root/0/target"]), ("Boss", ["/root/0"]), ("Play", [])] {
            let query = try Self.query { $0.className = try ClassPattern(name) }
            #expect(try Self.find(query, in: view) == expected)
        }
    }

    /// A shared object is found once, but a matching key is found at every occurrence.
    @Test func sharedObjects() throws {
        let view = try Self.view(Self.archive)
        #expect(try Self.find(Self.query { $0.key = TextPattern(Array("hero".utf16)) }, in: view) == ["/hero"])
        #expect(try Self.find(Self.query { $0.key = TextPattern(Array("name".utf16)) }, in: view).count == 2)
        #expect(try Self.find(Self.query { $0.type = .object }, in: view) == ["/root/0", "/root/0/target"])
    }

    @Test func findsTextInStringsAndKeys() throws {
        let view = try Self.view(
            #"{"Ada": {"x": "Adam"}, "list": ["Ada", "ada", "\#(String(repeating: "z", count: 99))Ada"]}"#)
        let contains = Self.query { $0.texts = [.contains(TextPattern(Array("Ada".utf16)))] }
        #expect(try Self.find(contains, in: view) == ["/Ada/x", "/list/0", "/list/2"])
        let matches = try Self.query { $0.texts = [.matches(try ECMARegex("^Ada$".utf16))] }
        #expect(try Self.find(matches, in: view) == ["/Ada", "/list/0"])
        let both = try Self.query {
            $0.texts = [.contains(TextPattern(Array("d".utf16))), .matches(try ECMARegex("^a".utf16))]
            $0.type = .string
        }
        #expect(try Self.find(both, in: view) == ["/list/1"])
    }

    // MARK: Text anywhere

    private static func anywhere(_ text: String, in view: ObjectView, ignoresCase: Bool = true) throws -> [String] {
        try find(
            query { $0.texts = [.anywhere(TextPattern(Array(text.utf16), ignoresCase: ignoresCase))] }, in: view)
    }

    @Test(arguments: [
        ("boss", ["/root/0"]), ("player", ["/root/0/target"]), ("NAME", ["/root/0/name", "/root/0/target/name"]),
        ("ada", ["/root/0/target/name"]), ("target", ["/root/0/target"]), ("hero", ["/hero"]), ("enemy", ["/enemy"]),
        ("nsobject", []), ("array", []),
    ]) func findsTextInArchives(_ text: String, _ expected: [String]) throws {
        #expect(try Self.anywhere(text, in: Self.view(Self.archive)) == expected)
    }

    @Test(arguments: [
        ("5", ["/i", "/r", "/f", "/big", "/s", "/c/0"]), ("5.", ["/r", "/f"]), ("9007", ["/big"]), ("TRUE", ["/t"]),
        ("nul", ["/n"]), ("2024-02", ["/d", "/ds"]), ("t01:00", ["/ds"]), ("nan", ["/nan"]), ("ds", ["/ds"]),
        ("hey", []), ("aGV5", []), ("$real", []),
    ]) func findsTextInScalars(_ text: String, _ expected: [String]) throws {
        #expect(try Self.anywhere(text, in: Self.view(Self.values)) == expected)
    }

    /// Values that match only without regard to case are counted for a hint to the user.
    @Test func countsMatchesOfOtherCase() throws {
        let view = try Self.view(Self.archive)
        for (query, expected) in [
            (Self.query { $0.texts = [.anywhere(TextPattern(Array("BOSS".utf16)))] }, 1),
            (Self.query { $0.key = TextPattern(Array("Name".utf16)) }, 2),
            (try Self.query { $0.className = try ClassPattern("player") }, 2),
            (try Self.query { $0.className = try ClassPattern("players") }, 0),
        ] {
            var search = ValueSearch(query, in: view)
            var outline = Outline(of: view)
            while let step = outline.next() {
                guard case .value(let row) = step else { continue }
                #expect(try search.verdict(on: row) == .missed)
            }
            #expect(search.missedByCase == expected)
        }
    }

    // MARK: Hostile files

    /// A long shared text is searched once; searching it at every reference would exceed the step limit.
    @Test func longSharedText() throws {
        var builder = DocumentBuilder()
        builder.open(.array)
        let text = builder.add(string: String(repeating: "a", count: 10_000))
        for _ in 0..<10_000 { builder.add(text) }
        builder.close()
        let query = try Self.query { $0.texts = [.matches(try ECMARegex("(a|b)(a|c){9}d".utf16))] }
        #expect(try Self.find(query, in: ObjectView(try builder.finish())) == [])
    }
}
