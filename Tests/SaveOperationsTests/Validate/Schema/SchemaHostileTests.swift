import KeyedArchive
import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Schemas and values that would take forever, or the stack, if they were taken literally.
@Suite struct SchemaHostileTests {
    static let linkedList = ##"""
        {"$ref": "#/$defs/node", "$defs": {"node": {"x-class": "Node", "properties": {"next": {"anyOf": [
            {"type": "null"}, {"$ref": "#/$defs/node"}]}}}}}
        """##

    /// A list of so many objects; the last refers to `last`, or to nil.
    static func list(_ count: Int, last: Int?) throws -> ObjectView {
        var archive = KeyedArchiveBuilder()
        let node = archive.addClass("Node", chain: ["Node", "NSObject"])
        let ids = (0..<count).map { _ in archive.reserve() }
        for (position, id) in ids.enumerated() {
            archive.begin(id, of: node)
            archive.contents.add(string: "next")
            archive.refer(to: position + 1 < count ? ids[position + 1] : last.map { ids[$0] } ?? .null)
            archive.end()
        }
        archive.beginTop()
        archive.contents.add(string: "root")
        archive.refer(to: ids[0])
        archive.end()
        return ObjectView(try KeyedArchive(archive.finish()))
    }

    @Test(arguments: [(TestScale.count(10_000, long: 100_000), nil), (5000, 0), (5000, 2500)])
    func aLongListIsWalked(_ count: Int, _ last: Int?) throws {
        let view = try Self.list(count, last: last)
        let schema = try SchemaCase.schema(#"{"properties": {"root": \#(Self.linkedList.replacingRefs)}}"#)
        #expect(schema.findings(in: view).isEmpty)
    }

    @Test func aFaultAtItsEndIsFound() throws {
        let view = try Self.list(5000, last: nil)
        let schema = try SchemaCase.schema(
            ##"{"$ref": "#/$defs/node", "$defs": {"node": {"additionalProperties": {"anyOf": [{"type": "string"}, {"type": "object", "$ref": "#/$defs/node"}]}}}}"##
        )
        #expect(schema.findings(in: view).map(\.id) == ["schema.anyOf"])
        let plain = try SchemaCase.schema(
            ##"{"$ref": "#/$defs/node", "$defs": {"node": {"type": ["object", "string"], "additionalProperties": {"$ref": "#/$defs/node"}}}}"##
        )
        let findings = plain.findings(in: view)
        #expect(findings.map(\.message) == ["found null; expected an object or a string"])
        #expect(findings.first?.address.tokens.count == 5001)
    }

    @Test func sharedValuesAreLookedAtOnce() throws {
        let view = ObjectView(try OutlineTests.bomb())
        let schema = try SchemaCase.schema(
            ##"{"anyOf": [{"type": "integer"}, {"uniqueItems": false, "items": {"$ref": "#"}}]}"##)
        #expect(schema.findings(in: view).isEmpty)
        let strict = try SchemaCase.schema(##"{"type": "array", "uniqueItems": true, "items": {"$ref": "#"}}"##)
        #expect(strict.findings(in: view).count == 61)
        let constant = try SchemaCase.schema(#"{"items": {"items": {"enum": [1, [2]]}}}"#)
        #expect(constant.findings(in: view).count == 1)
    }

    @Test func sharedSchemasAreAppliedOnce() throws {
        let levels = (0..<60).map {
            ##""a\##($0)": {"allOf": [{"$ref": "#/$defs/a\##($0 + 1)"}, {"$ref": "#/$defs/a\##($0 + 1)"}]}"##
        }
        let text = ##"{"$ref": "#/$defs/a0", "$defs": {\##(levels.joined(separator: ",")), "a60": {"type": "null"}}}"##
        let schema = try SchemaCase.schema(text)
        #expect(schema.findings(in: ObjectView(try JSON.read(Array("null".utf8)))).isEmpty)
        #expect(schema.findings(in: ObjectView(try JSON.read(Array("1".utf8)))).map(\.id) == ["schema.type"])
    }

    @Test func alternativesWithinAlternativesAreBounded() throws {
        let levels = (0..<40).map {
            ##""a\##($0)": {"anyOf": [{"$ref": "#/$defs/a\##($0 + 1)"}, {"items": {"$ref": "#/$defs/a\##($0 + 1)"}, "minItems": 9}]}"##
        }
        let text = ##"{"$ref": "#/$defs/a0", "$defs": {\##(levels.joined(separator: ",")), "a40": {"type": "null"}}}"##
        let findings = try SchemaCase.schema(text).findings(in: ObjectView(try OutlineTests.bomb()))
        #expect(SchemaCase.lines(of: findings).count < 100)
    }

    /// An array of so many references to one object with so many fields, which is slow to look at.
    static func fan(_ count: Int, fields: Int) throws -> ObjectView {
        var archive = KeyedArchiveBuilder()
        let big = archive.reserve()
        archive.begin(big, of: archive.addClass("Big", chain: ["Big", "NSObject"]))
        for field in 0..<fields {
            archive.contents.add(string: "f\(field)")
            archive.contents.add(integer: Int128(field))
        }
        archive.end()
        archive.beginTop()
        archive.contents.add(string: "root")
        archive.contents.open(.array)
        for _ in 0..<count { archive.refer(to: big) }
        archive.contents.close()
        archive.end()
        return ObjectView(try KeyedArchive(archive.finish()))
    }

    /// Each takes long if the object is looked through at every reference.
    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            (#"{"items": {"required": ["f4999"], "x-class": "Big", "dependentRequired": {"f0": ["f4999"]}}}"#, 0),
            (#"{"x-order": {"by": "/f4999"}, "x-uniqueBy": "/nothing"}"#, 0),
            (#"{"contains": {"required": ["x"]}, "minContains": 0, "unevaluatedItems": {"type": "object"}}"#, 0),
            (#"{"items": {"patternProperties": {"^g": false}, "x-maxBytes": 9}}"#, 1),
        ])
    func aSharedObjectIsLookedThroughOnce(_ schema: String, _ count: Int) throws {
        let view = try Self.fan(10_000, fields: 5000)
        let schema = try SchemaCase.schema(#"{"properties": {"root": \#(schema)}}"#)
        #expect(schema.findings(in: view).count == count)
    }

    /// The sizes of all ends of a list, and the differences of objects within cycles, are more work than is done.
    @Test(.timeLimit(.minutes(15))) func workIsBounded() throws {
        let limits = Schema.Limits(workPerValue: TestScale.count(0, long: 200))
        let schema = try SchemaCase.schema(##"{"x-maxBytes": 1e9, "additionalProperties": {"$ref": "#"}}"##)
        #expect(schema.findings(in: try Self.list(20_000, last: nil), limits: limits).map(\.id) == ["schema.work"])
        let branches = (0..<200).map { _ in ##"{"$ref": "#/$defs/all", "unevaluatedProperties": {"type": "integer"}}"##
        }
        let parts = (0..<200).map { ##"{"properties": {"k\##($0)": {}}}"## }
        let text =
            ##"{"allOf": [\##(branches.joined(separator: ","))], "$defs": {"all": {"allOf": [\##(parts.joined(separator: ","))]}}}"##
        let value = "{" + (0..<5000).map { "\"m\($0)\": 1" }.joined(separator: ",") + "}"
        let view = ObjectView(try JSON.read(Array(value.utf8)))
        #expect(try SchemaCase.schema(text).findings(in: view, limits: limits).map(\.id) == ["schema.work"])
    }

    /// The steps of patterns are bounded for all texts together, and short texts are not the worse for it.
    @Test func patternsShareTheirSteps() throws {
        var searches = PatternSearches(steps: 300_000)
        let pattern = SchemaPattern(pattern: try Pattern("[^x]{5000}y".utf16), source: [], number: 0)
        let text = [UInt16](repeating: 0x61, count: 6000)
        let verdicts = (0..<3).map { _ in searches.search(text, for: pattern) }
        #expect(verdicts == [.gaveUp, .gaveUp, .gaveUp])
        #expect(searches.search([], for: pattern) == .gaveUp)
    }

    /// References that lead to each of many definitions.
    @Test func manyReferencesAreFollowed() throws {
        let definitions = (0..<5000).map { #""a\#($0)": {}"# }.joined(separator: ",")
        let references = (0..<5000).map { ##"{"$ref": "#/$defs/a\##($0)"}"## }.joined(separator: ",")
        let schema = try SchemaCase.schema(#"{"$defs": {\#(definitions)}, "allOf": [\#(references)]}"#)
        #expect(schema.findings(in: ObjectView(try JSON.read(Array("1".utf8)))).isEmpty)
    }

    @Test func findingsAreBounded() throws {
        let value = "[" + (0..<5000).map(String.init).joined(separator: ",") + "]"
        let findings = try SchemaCase.schema(#"{"items": {"type": "string"}}"#)
            .findings(in: ObjectView(JSON.read(Array(value.utf8))), limits: .init(findings: 3))
        #expect(findings.map(\.message).last == "and more findings; 3 are listed")
        #expect(findings.count == 4)
    }

    @Test func equalElementsAreFoundInOnePass() throws {
        let value = "[" + (0..<50_000).map { "[\($0), {\"a\": \($0)}]" }.joined(separator: ",") + "]"
        #expect(try SchemaCase(#"{"uniqueItems": true, "x-uniqueBy": "/1/a"}"#, value).found() == [])
    }

    @Test func deepSchemasAreWalked() throws {
        var schema = #"{"type": "null"}"#
        for _ in 0..<200 { schema = #"{"not": {"not": \#(schema)}}"# }
        #expect(try SchemaCase(schema, "null").found() == [])
        #expect(try SchemaCase(schema, "1").found().count == 1)
    }
}

extension String {
    /// The schema of the list with references that hold where it is put.
    fileprivate var replacingRefs: String {
        split(separator: "#/$defs/node").joined(separator: "#/properties/root/$defs/node")
    }
}
