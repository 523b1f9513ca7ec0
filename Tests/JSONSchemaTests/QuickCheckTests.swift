import KeyedArchives
@testable import SaveCodec
import Testing

@testable import JSONSchema

/// The results of a quick check, which is valid or unknown.
@Suite struct QuickCheckTests {
    private static let records = """
        {"type": "array", "maxItems": 3, "items": {"$ref": "#/$defs/record"},
         "$defs": {"record": {"type": "object", "required": ["name", "id"], "additionalProperties": false,
          "properties": {"name": {"type": "string", "minLength": 1, "pattern": "^[A-Z][a-z]"},
                         "score": {"type": "integer", "minimum": 0, "exclusiveMaximum": 100},
                         "kind": {"enum": ["imp", null, 7]}, "inner": {"$ref": "#"}}}}}
        """

    private func holds(_ schema: String, _ value: String) throws -> Bool {
        try SchemaCase.schema(schema).quick.holds(for: ObjectView(JSON.read(Array(value.utf8))))
    }

    @Test(arguments: [
        ("[]", true), ("[{\"name\": \"Ada\", \"id\": 1}]", false),
        ("[{\"name\": \"Ada\", \"kind\": null}]", false), ("{}", false),
    ])
    func missingAndExtraMembers(value: String, isValid: Bool) throws {
        #expect(try holds(Self.records, value) == isValid)
    }

    @Test(arguments: [
        ("\"name\": \"Ada\"", true), ("\"name\": \"ada\"", false), ("\"name\": \"\"", false), ("\"name\": 5", false),
        ("\"name\": \"Ådå\"", false), ("\"name\": \"Ada\", \"score\": 99", true),
        ("\"name\": \"Ada\", \"score\": 100", false), ("\"name\": \"Ada\", \"score\": 9.5", false),
        ("\"name\": \"Ada\", \"score\": 9.0", true), ("\"name\": \"Ada\", \"kind\": 7.0", true),
        ("\"name\": \"Ada\", \"kind\": \"im\"", false), ("\"name\": \"Ada\", \"inner\": []", true),
        ("\"name\": \"Ada\", \"inner\": [{}]", false), ("\"name\": \"Ada\", \"other\": 1", false),
    ])
    func records(members: String, isValid: Bool) throws {
        let schema = Self.records.replacing(", \"id\"", with: "")
        let value = "[{\(members)}]"
        #expect(try holds(schema, value) == isValid)
        #expect(try SchemaCase.schema(schema).findings(in: JSON.read(Array(value.utf8))).isEmpty == isValid)
    }

    /// Keywords that the quick check lacks are left to the evaluator, at any depth.
    @Test(arguments: [
        "{\"anyOf\": [true]}", "{\"not\": {\"type\": \"null\"}}", "{\"items\": {\"patternProperties\": {\"a\": true}}}",
        "{\"prefixItems\": [true]}", "{\"x-type\": \"array\"}", "{\"uniqueItems\": true}", "{\"contains\": true}",
        "{\"enum\": [[{}]]}",
    ])
    func otherKeywords(schema: String) throws {
        #expect(try !holds(schema, "[{}]"))
        #expect(try SchemaCase.schema(schema).findings(in: JSON.read(Array("[{}]".utf8))).isEmpty)
    }

    /// A value that is reached by many paths is left to the evaluator, which caches results.
    @Test func sharedValues() throws {
        var builder = DocumentBuilder()
        builder.open(.array)
        var last = builder.add(integer: 1)
        for _ in 0..<40 {
            builder.open(.array)
            builder.add(last)
            builder.add(last)
            last = builder.close()
        }
        builder.close()
        let document = try builder.finish()
        let schema = try SchemaCase.schema("{\"type\": [\"array\", \"integer\"], \"items\": {\"$ref\": \"#\"}}")
        #expect(!schema.quick.holds(for: ObjectView(document)))
        #expect(schema.findings(in: document).isEmpty)
    }

    /// A few bytes may refer to one long text many thousand times. The quick check would read it each time, so it gives
    /// up.
    @Test func sharedLongStrings() throws {
        var builder = DocumentBuilder()
        builder.open(.array)
        let text = builder.add(string: String(repeating: "α", count: 20_000))
        for _ in 0..<20_000 { builder.add(text) }
        builder.close()
        let document = try builder.finish()
        let schema = try SchemaCase.schema("{\"items\": {\"minLength\": 1, \"pattern\": \"^α\"}}")
        #expect(!schema.quick.holds(for: ObjectView(document)))
        #expect(schema.findings(in: document).isEmpty)
    }

    /// A UID is an object without members, and compares equal to an empty object.
    @Test func comparesIdentifiers() throws {
        var builder = DocumentBuilder()
        builder.open(.array)
        builder.add(StoredUID(1))
        builder.close()
        let document = try builder.finish()
        #expect(try SchemaCase.schema("{\"const\": [{}]}").findings(in: document).isEmpty)
        #expect(try !SchemaCase.schema("{\"const\": [[]]}").findings(in: document).isEmpty)
        #expect(try !SchemaCase.schema("{\"const\": 1}").findings(in: document).isEmpty)
    }
}
