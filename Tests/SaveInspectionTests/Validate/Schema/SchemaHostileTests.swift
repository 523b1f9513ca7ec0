import JSONSchema
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Schemas and values that would exhaust time or the stack if they were evaluated naively.
@Suite struct SchemaHostileTests {
    static let linkedList = ##"""
        {"$ref": "#/$defs/node", "$defs": {"node": {"x-class": "Node", "properties": {"next": {"anyOf": [
            {"type": "null"}, {"$ref": "#/$defs/node"}]}}}}}
        """##

    /// Returns a list of `count` objects; the last refers to object `last`, or to nil.
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
        archive.addTop(root: ids[0])
        return ObjectView(try KeyedArchive(archive.finish()))
    }

    @Test(arguments: [(TestScale.count(10_000, long: 100_000), nil), (5000, 0), (5000, 2500)])
    func checksLongList(_ count: Int, _ last: Int?) throws {
        let view = try Self.list(count, last: last)
        let schema = try SchemaCase.schema(#"{"properties": {"root": \#(Self.linkedList.replacingRefs)}}"#)
        #expect(schema.findings(in: view).isEmpty)
    }

    @Test func findsProblemAtEndOfLongList() throws {
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

    @Test func checksSharedValuesOnce() throws {
        let view = ObjectView(try OutlineTests.bomb())
        let schema = try SchemaCase.schema(
            ##"{"anyOf": [{"type": "integer"}, {"uniqueItems": false, "items": {"$ref": "#"}}]}"##)
        #expect(schema.findings(in: view).isEmpty)
        let strict = try SchemaCase.schema(##"{"type": "array", "uniqueItems": true, "items": {"$ref": "#"}}"##)
        #expect(strict.findings(in: view).count == 61)
        let constant = try SchemaCase.schema(#"{"items": {"items": {"enum": [1, [2]]}}}"#)
        #expect(constant.findings(in: view).count == 1)
    }

    @Test func limitsNestedAlternatives() throws {
        let levels = (0..<40).map {
            ##""a\##($0)": {"anyOf": [{"$ref": "#/$defs/a\##($0 + 1)"}, {"items": {"$ref": "#/$defs/a\##($0 + 1)"}, "minItems": 9}]}"##
        }
        let text = ##"{"$ref": "#/$defs/a0", "$defs": {\##(levels.joined(separator: ",")), "a40": {"type": "null"}}}"##
        let findings = try SchemaCase.schema(text).findings(in: ObjectView(try OutlineTests.bomb()))
        #expect(SchemaCase.lines(of: findings).count < 100)
    }

    /// Returns an array of `count` references to one object with many fields, which is slow to examine.
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

    /// Each schema takes long if the object is examined at every reference.
    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            (#"{"items": {"required": ["f4999"], "x-class": "Big", "dependentRequired": {"f0": ["f4999"]}}}"#, 0),
            (#"{"x-order": {"by": "/f4999"}, "x-uniqueBy": "/nothing"}"#, 0),
            (#"{"contains": {"required": ["x"]}, "minContains": 0, "unevaluatedItems": {"type": "object"}}"#, 0),
            (#"{"items": {"patternProperties": {"^g": false}, "x-maxBytes": 9}}"#, 1),
        ])
    func searchesSharedObjectOnce(_ schema: String, _ count: Int) throws {
        let view = try Self.fan(TestScale.count(1_000, long: 2_000), fields: 5000)
        let schema = try SchemaCase.schema(#"{"properties": {"root": \#(schema)}}"#)
        #expect(schema.findings(in: view).count == count)
    }

    /// Computing the sizes of all tails of a list exceeds the work limit, which is reported.
    @Test(.timeLimit(.minutes(15))) func limitsWork() throws {
        let limits = Schema.Limits(workPerValue: TestScale.count(0, long: 50))
        let schema = try SchemaCase.schema(##"{"x-maxBytes": 1e9, "additionalProperties": {"$ref": "#"}}"##)
        #expect(schema.findings(in: try Self.list(20_000, last: nil), limits: limits).map(\.id) == ["schema.work"])
    }
}

extension String {
    /// The schema of the list, with references that match its new location.
    fileprivate var replacingRefs: String {
        split(separator: "#/$defs/node").joined(separator: "#/properties/root/$defs/node")
    }
}
