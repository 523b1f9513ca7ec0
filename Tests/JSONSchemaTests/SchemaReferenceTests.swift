@testable import SaveCodec
import Testing

@testable import JSONSchema

/// References to other documents, dialects, and the built-in metaschemas.
@Suite struct SchemaReferenceTests {
    static func document(_ text: String) throws(Problem) -> Document {
        try JSON.read(Array(text.utf8))
    }

    static let documents = [
        "http://example.com/item.json": #"{"$id": "http://example.com/item.json", "type": "integer"}"#,
        "http://example.com/plain":
            ##"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": true, "https://json-schema.org/draft/2020-12/vocab/applicator": true}}"##,
        "http://example.com/strange": #"{"$vocabulary": {"http://example.com/vocabulary": true}}"#,
        "http://example.com/broken": #"{"properties": {"a": {"type": 1}}}"#,
    ]

    static let store = SchemaStore { uri throws(Problem) in
        try documents[uri].map { text throws(Problem) in try document(text) }
    }

    static let cases: [(schema: String, value: String, lines: [String])] = [
        (
            #"{"$id": "http://example.com/list", "items": {"$ref": "item.json"}}"#, #"["a"]"#,
            [#"schema.type /0 /type found the string "a"; expected an integer"#]
        ),
        (#"{"$schema": "http://example.com/plain", "properties": {"a": false}, "minProperties": 5}"#, #"{"b": 1}"#, []),
        (
            #"{"$ref": "https://json-schema.org/draft/2020-12/schema"}"#,
            #"{"items": {"minimum": "1"}, "required": 5}"#,
            [
                #"schema.type /items/minimum /properties/minimum/type found the string "1"; expected a number"#,
                ##"schema.type /required /$defs/stringArray/type found the number 5; expected an array"##,
            ]
        ),
    ]

    @Test(arguments: cases)
    func resolves(_ schema: String, _ value: String, _ lines: [String]) throws {
        let schema = try Schema.compile(Self.document(schema), store: Self.store)
        let findings = schema.findings(in: try Self.document(value))
        #expect(SchemaCase.lines(of: findings) == lines)
    }

    @Test func findingsNameTheDocument() throws {
        let schema = try Schema.compile(Self.document(#"{"$ref": "http://example.com/item.json"}"#), store: Self.store)
        let finding = schema.findings(in: try Self.document("null")).first
        #expect(finding?.demand.uri == "http://example.com/item.json")
        #expect(finding?.demand.address.description == "/type")
    }

    static let errors = [
        (
            #"{"$ref": "http://example.com/broken"}"#,
            #"schema.keyword-value /properties/a/type: in http://example.com/broken: "type" is the number 1; expected a type or an array of types: null, boolean, object, array, number, string or integer"#
        ),
        (
            #"{"$schema": "http://example.com/strange"}"#,
            #"schema.vocabulary /$schema: the metaschema requires the unknown vocabulary "http://example.com/vocabulary""#
        ),
    ]

    @Test(arguments: errors)
    func error(_ schema: String, _ line: String) throws {
        let problem = #expect(throws: Problem.self) {
            try Schema.compile(Self.document(schema), store: Self.store)
        }
        #expect(problem.map { "\($0.id) \($0)" } == line)
    }

    /// Examples of RFC 3986, section 5.4, with the base `http://a/b/c/d;p?q`.
    static let references = [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q"), (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
        ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("g/../h", "http://a/b/c/h"), ("http:g", "http:g"),
    ]

    @Test(arguments: references)
    func resolvesReference(_ reference: String, _ uri: String) {
        let base = URIReference("http://a/b/c/d;p?q")
        #expect(URIReference(reference).resolved(against: base).withoutFragment == uri)
    }
}
