import SaveCodec
import Testing

@testable import JSONSchema

/// The errors and warnings of schemas, with their addresses.
@Suite struct SchemaErrorTests {
    static let errors = [
        (#"5"#, #"schema.not-a-schema (root): found the number 5; expected a schema, an object or a boolean"#),
        (
            #"{"type": "text"}"#,
            #"schema.keyword-value /type: "type" is the string "text"; expected a type or an array of types: null, boolean, object, array, number, string or integer"#
        ),
        (
            #"{"type": []}"#,
            #"schema.keyword-value /type: "type" is an array of 0 elements; expected a type or an array of types: null, boolean, object, array, number, string or integer"#
        ),
        (
            #"{"properties": {"a": {"minimum": "1"}}}"#,
            #"schema.keyword-value /properties/a/minimum: "minimum" is the string "1"; expected a number"#
        ),
        (
            #"{"properties": {"a": 5}}"#,
            #"schema.not-a-schema /properties/a: found the number 5; expected a schema, an object or a boolean"#
        ),
        (
            #"{"multipleOf": 0}"#,
            #"schema.keyword-value /multipleOf: "multipleOf" is the number 0; expected a number greater than 0"#
        ),
        (
            #"{"maxLength": -1}"#,
            #"schema.keyword-value /maxLength: "maxLength" is the number -1; expected an integer, 0 or more"#
        ),
        (
            #"{"required": ["a", "a"]}"#,
            #"schema.keyword-value /required: "required" is an array of 2 elements; expected an array of different strings"#
        ),
        (
            #"{"allOf": []}"#,
            #"schema.keyword-value /allOf: "allOf" is an array of 0 elements; expected a nonempty array of schemas"#
        ),
        (#"{"enum": 1}"#, #"schema.keyword-value /enum: "enum" is the number 1; expected an array"#),
        (
            #"{"pattern": "("}"#,
            #"schema.pattern /pattern: "(" is not a regular expression: unclosed “(”"#
        ),
        (
            #"{"patternProperties": {"[": true}}"#,
            #"schema.pattern /patternProperties/[: "[" is not a regular expression: unclosed “[”"#
        ),
        (
            ##"{"$ref": "#/$defs/x"}"##,
            ##"schema.reference /$ref: the reference to "#/$defs/x" cannot be resolved: no value at /$defs"##
        ),
        (
            ##"{"prefixItems": [true], "$ref": "#/prefixItems/00"}"##,
            ##"schema.reference /$ref: the reference to "#/prefixItems/00" cannot be resolved: no value at /prefixItems/00"##
        ),
        (
            ##"{"$ref": "#x"}"##,
            ##"schema.reference /$ref: the reference to "#x" cannot be resolved: the schema has no anchor "x""##
        ),
        (
            #"{"$id": "\#(String(repeating: "a", count: 4097))"}"#,
            #"schema.keyword-value /$id: "$id" is a URI of 4,097 bytes; expected at most 4,096"#
        ),
        (
            #"{"$ref": "http://example.com/other"}"#,
            #"schema.reference /$ref: the reference to "http://example.com/other" cannot be resolved: no document "http://example.com/other""#
        ),
        (
            #"{"$id": "http://example.com/a#b"}"#,
            #"schema.keyword-value /$id: "$id" is "http://example.com/a#b"; expected a URI without a fragment"#
        ),
        (
            #"{"$anchor": "1a"}"#,
            #"schema.keyword-value /$anchor: "$anchor" is "1a"; expected a name of letters, digits, "-", "_" and "." that begins with a letter or "_""#
        ),
        (
            #"{"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}}"#,
            ##"schema.identifier /$defs/b: "#x" identifies two schemas"##
        ),
        (
            #"{"$defs": {"a": {"$id": "x"}, "b": {"$id": "x"}}}"#,
            #"schema.identifier /$defs/b: "savetool:/x" identifies two schemas"#
        ),
        (
            #"{"$schema": "http://json-schema.org/draft-07/schema#"}"#,
            #"schema.dialect /$schema: unknown dialect "http://json-schema.org/draft-07/schema#"; expected "https://json-schema.org/draft/2020-12/schema" or a metaschema that can be found"#
        ),
        (
            ##"{"$ref": "#"}"##,
            #"schema.reference-loop (root): the schema refers to itself in an endless loop"#
        ),
        (
            ##"{"$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}"##,
            #"schema.reference-loop /$defs/a: the schema refers to itself in an endless loop"#
        ),
        (
            #"{"x-type": "colour"}"#,
            #"schema.keyword-value /x-type: "x-type" is the string "colour"; expected a type or an array of types: null, boolean, integer, real, real32, string, date, data, uid, array, set, dictionary or object"#
        ),
        (
            #"{"x-order": {"by": "a"}}"#,
            #"schema.keyword-value /x-order: "x-order" is an object of 1 member; expected {"by": a JSON Pointer, "direction": "ascending" or "descending"}, where either may be omitted"#
        ),
        (
            #"{"x-uniqueBy": "a"}"#,
            #"schema.keyword-value /x-uniqueBy: "x-uniqueBy" is the string "a"; expected a JSON Pointer or an array of JSON Pointers"#
        ),
        (
            #"{"x-stored": "inline"}"#,
            #"schema.keyword-value /x-stored: "x-stored" is the string "inline"; expected "in-place" or "object""#
        ),
        (
            #"{"x-maxBytes": 1.5}"#,
            #"schema.keyword-value /x-maxBytes: "x-maxBytes" is the number 1.5; expected an integer, 0 or more"#
        ),
    ]

    @Test(arguments: errors)
    func error(_ schema: String, _ line: String) throws {
        let problem = #expect(throws: Problem.self) { try SchemaCase.schema(schema) }
        #expect(problem.map { "\($0.id) \($0)" } == line)
    }

    static let warnings = [
        (
            #"{"propertys": {}, "minimun": 1, "zzz": 2}"#,
            [
                #"schema.unknown-keyword /propertys: unknown keyword "propertys" has no effect"#,
                #"schema.unknown-keyword /minimun: unknown keyword "minimun" has no effect; did you mean "minimum"?"#,
                #"schema.unknown-keyword /zzz: unknown keyword "zzz" has no effect"#,
            ]
        ),
        (
            #"{"format": "colour"}"#,
            [#"schema.unknown-format /format: unknown format "colour"; it is not checked"#]
        ),
        (
            #"""
            {"$defs": {"o": {"x-stored": "object"}, "all": {"anyOf": [{"not": {"$ref": "#/$defs/o"}}]}},
             "properties": {"a": {"propertyNames": {"$ref": "#/$defs/all"}}, "b": {"$ref": "#/$defs/o"},
                "c": {"propertyNames": {"items": {"$ref": "#/$defs/o"}}}},
             "propertyNames": {"allOf": [{"x-stored": "in-place"}]}}
            """#,
            [
                "schema.stored-names /propertyNames: x-stored has no effect here; it does not apply to names",
                "schema.stored-names /properties/a/propertyNames: x-stored has no effect here; it does not apply to names",
            ]
        ),
    ]

    @Test(arguments: warnings)
    func warning(_ schema: String, _ lines: [String]) throws {
        #expect(try SchemaCase.schema(schema).warnings.map { "\($0.id) \($0)" } == lines)
    }

    /// Each of these keywords refuses the value null. A keyword that no code compiles would accept it.
    @Test(arguments: Keyword.allCases.filter { ![.const, .default, .vocabulary].contains($0) })
    func compilesEveryKeyword(_ keyword: Keyword) {
        let problem = #expect(throws: Problem.self) { try SchemaCase.schema(#"{"\#(keyword.rawValue)": null}"#) }
        #expect(problem?.id == "schema.keyword-value")
    }
}
