import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import JSONSchema

/// Schemas and documents that would take excessive time or stack space without limits.
@Suite struct HostileSchemaTests {
    @Test func appliesSharedSchemasOnce() throws {
        let levels = (0..<60).map {
            ##""a\##($0)": {"allOf": [{"$ref": "#/$defs/a\##($0 + 1)"}, {"$ref": "#/$defs/a\##($0 + 1)"}]}"##
        }
        let text = ##"{"$ref": "#/$defs/a0", "$defs": {\##(levels.joined(separator: ",")), "a60": {"type": "null"}}}"##
        let schema = try SchemaCase.schema(text)
        #expect(schema.findings(in: try JSON.read(Array("null".utf8))).isEmpty)
        #expect(schema.findings(in: try JSON.read(Array("1".utf8))).map(\.id) == ["schema.type"])
    }

    /// Finding the unevaluated members for each of many branches exceeds the work limit.
    @Test(.enabled(if: TestScale.isLong), .timeLimit(.minutes(15))) func limitsWork() throws {
        let branches = (0..<200).map { _ in ##"{"$ref": "#/$defs/all", "unevaluatedProperties": {"type": "integer"}}"##
        }
        let parts = (0..<200).map { ##"{"properties": {"k\##($0)": {}}}"## }
        let text =
            ##"{"allOf": [\##(branches.joined(separator: ","))], "$defs": {"all": {"allOf": [\##(parts.joined(separator: ","))]}}}"##
        let value = "{" + (0..<5000).map { "\"m\($0)\": 1" }.joined(separator: ",") + "}"
        let findings = try SchemaCase.schema(text).findings(in: JSON.read(Array(value.utf8)))
        #expect(findings.map(\.id) == ["schema.work"])
    }

    /// Each of many unexpected members has a long key in its address. No more findings are prepared than are listed.
    @Test(arguments: [
        #"{"additionalProperties": {"additionalProperties": false}}"#,
        #"{"additionalProperties": {"unevaluatedProperties": false}}"#,
        #"{"additionalProperties": {"propertyNames": false}}"#,
    ])
    func limitsFindingsBelowLongKey(_ schema: String) throws {
        let members = (0..<TestScale.count(4_000, long: 20_000)).map { "\"m\($0)\": 1" }.joined(separator: ",")
        let value = "{\"" + String(repeating: "k", count: 500_000) + "\": {\(members)}}"
        let findings = try SchemaCase.schema(schema).findings(in: JSON.read(Array(value.utf8)))
        #expect((2..<20).contains(findings.count) && findings.last?.id == "schema.more")
    }

    /// All searches share a number of steps. Once they are used up, even a search of an empty text gives up.
    @Test func sharesStepLimitAmongPatterns() throws {
        var searches = RegexSearches(steps: 300_000)
        let pattern = SchemaPattern(regex: try ECMARegex("[^x]{5000}y".utf16), source: [], number: 0)
        let text = [UInt16](repeating: 0x61, count: 6000)
        let verdicts = (0..<3).map { _ in searches.search(.units(text), for: pattern) }
        #expect(verdicts == [.gaveUp, .gaveUp, .gaveUp])
        #expect(searches.search(.units([]), for: pattern) == .gaveUp)
    }

    /// The name of a key is read once, however many patterns are searched for in it.
    @Test func readsNameOnceForAllPatterns() throws {
        let view = ObjectView(try JSON.read(Array("{\"\(String(repeating: "a", count: 100_000))\": 1}".utf8)))
        guard case .object(let members) = view.json(view.root) else { return #expect(Bool(false)) }
        let key = view.key(0, of: members)
        var searches = RegexSearches(steps: 60_000)
        for number in 0..<100 {
            let pattern = SchemaPattern(regex: try ECMARegex("^b|^c".utf16), source: [], number: number)
            #expect(searches.search(nameOf: key, in: view, for: pattern) == .notMatched)
        }
    }

    /// Short patterns may compile to many instructions or ranges. The limit applies to all of them together.
    @Test(arguments: [(40, "a{60000}"), (4000, #"\\p{L}|\\P{L}"#)])
    func limitsTotalPatternSize(_ count: Int, _ pattern: String) throws {
        let patterns = (0..<count).map { #""\#(pattern)\#($0)": {}"# }.joined(separator: ",")
        let problem = #expect(throws: Problem.self) { try SchemaCase.schema("{\"patternProperties\": {\(patterns)}}") }
        #expect(problem?.id == "schema.pattern")
        #expect(problem?.message.hasPrefix("the patterns up to this one compile to more than 1000000 ") == true)
    }

    /// Many references may lead to the members of one large `$defs`.
    @Test func followsManyReferences() throws {
        let definitions = (0..<5000).map { #""a\#($0)": {}"# }.joined(separator: ",")
        let references = (0..<5000).map { ##"{"$ref": "#/$defs/a\##($0)"}"## }.joined(separator: ",")
        let schema = try SchemaCase.schema(#"{"$defs": {\#(definitions)}, "allOf": [\#(references)]}"#)
        #expect(schema.findings(in: try JSON.read(Array("1".utf8))).isEmpty)
    }

    @Test func limitsFindings() throws {
        let value = "[" + (0..<5000).map(String.init).joined(separator: ",") + "]"
        let findings = try SchemaCase.schema(#"{"items": {"type": "string"}}"#)
            .findings(in: JSON.read(Array(value.utf8)), limits: .init(findings: 3))
        #expect(findings.map(\.message).last == "further findings are omitted; 3 are listed")
        #expect(findings.count == 4)
    }

    @Test func findsEqualElementsInOnePass() throws {
        let value = "[" + (0..<50_000).map { "[\($0), {\"a\": \($0)}]" }.joined(separator: ",") + "]"
        #expect(try SchemaCase(#"{"uniqueItems": true, "x-uniqueBy": "/1/a"}"#, value).found() == [])
    }

    @Test func handlesDeepSchemas() throws {
        var schema = #"{"type": "null"}"#
        for _ in 0..<200 { schema = #"{"not": {"not": \#(schema)}}"# }
        #expect(try SchemaCase(schema, "null").found() == [])
        #expect(try SchemaCase(schema, "1").found().count == 1)
    }
}
