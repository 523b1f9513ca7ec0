import SaveCodec
import Testing

@testable import JSONSchema

/// The exact messages of the findings of each keyword.
@Suite struct SchemaFindingTests {
    static let assertions = [
        SchemaCase(
            #"{"type": ["integer", "null"]}"#, #""abc""#,
            #"schema.type (root) /type found the string "abc"; expected null or an integer"#),
        SchemaCase(
            #"{"type": "integer"}"#, "1.5", #"schema.type (root) /type found the number 1.5; expected an integer"#),
        SchemaCase(
            #"{"type": "string"}"#, #"{"a": 1, "b": 2}"#,
            #"schema.type (root) /type found an object of 2 members; expected a string"#),
        SchemaCase(
            #"{"type": "object"}"#, #"[1]"#,
            #"schema.type (root) /type found an array of 1 element; expected an object"#),
        SchemaCase(#"{"const": "x"}"#, "5", #"schema.const (root) /const found the number 5; expected the string "x""#),
        SchemaCase(
            #"{"enum": [1, "a", null]}"#, "true",
            #"schema.enum (root) /enum found true; expected one of the number 1, the string "a" or null"#),
        SchemaCase(
            #"{"multipleOf": 0.01}"#, "0.015",
            #"schema.multipleOf (root) /multipleOf found the number 0.015; expected a multiple of 0.01"#),
        SchemaCase(
            #"{"maximum": 3}"#, "3.5", #"schema.maximum (root) /maximum found the number 3.5; expected at most 3"#),
        SchemaCase(
            #"{"exclusiveMaximum": 3}"#, "3",
            #"schema.exclusiveMaximum (root) /exclusiveMaximum found the number 3; expected less than 3"#),
        SchemaCase(#"{"minimum": 3}"#, "2", #"schema.minimum (root) /minimum found the number 2; expected at least 3"#),
        SchemaCase(
            #"{"exclusiveMinimum": 3}"#, "3.0",
            #"schema.exclusiveMinimum (root) /exclusiveMinimum found the number 3.0; expected more than 3"#),
        SchemaCase(
            #"{"maxLength": 2}"#, #""abc""#,
            #"schema.maxLength (root) /maxLength found the string "abc" of 3 characters; expected at most 2"#),
        SchemaCase(
            #"{"minLength": 2}"#, #""😀""#,
            #"schema.minLength (root) /minLength found the string "😀" of 1 character; expected at least 2"#),
        SchemaCase(
            #"{"pattern": "^a"}"#, #""b\u001b[0m""#,
            #"schema.pattern (root) /pattern found the string "b\u001B[0m"; expected a string that matches "^a""#),
        SchemaCase(
            #"{"maxItems": 1}"#, "[1, 2]",
            #"schema.maxItems (root) /maxItems found an array of 2 elements; expected at most 1"#),
        SchemaCase(
            #"{"minItems": 1}"#, "[]",
            #"schema.minItems (root) /minItems found an array of 0 elements; expected at least 1"#
        ),
        SchemaCase(
            #"{"uniqueItems": true}"#, "[1, 2, 1.0]",
            #"schema.uniqueItems (root) /uniqueItems elements 0 and 2 are equal; expected different elements"#),
        SchemaCase(
            #"{"maxProperties": 0}"#, #"{"a": 1}"#,
            #"schema.maxProperties (root) /maxProperties found an object of 1 member; expected at most 0"#),
        SchemaCase(
            #"{"minProperties": 1}"#, "{}",
            #"schema.minProperties (root) /minProperties found an object of 0 members; expected at least 1"#),
        SchemaCase(
            #"{"required": ["name", "age"]}"#, #"{"age": 1}"#,
            #"schema.required (root) /required the required member "name" is missing"#),
        SchemaCase(
            #"{"dependentRequired": {"a": ["b"]}}"#, #"{"a": 1}"#,
            #"schema.dependentRequired (root) /dependentRequired the member "b" is missing, but required with "a""#),
        SchemaCase(
            #"{"format": "date"}"#, #""2026-02-30""#,
            #"schema.format (root) /format found the string "2026-02-30"; expected the format date"#),
        SchemaCase(
            #"{"const": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}"#,
            #""bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb""#,
            #"schema.const (root) /const found the string "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb…"; expected the string "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…""#
        ),
    ]

    @Test(arguments: assertions)
    func assertion(_ test: SchemaCase) throws {
        #expect(try test.found() == test.lines)
    }

    static let applicators = [
        SchemaCase(
            ##"{"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "null"}}}"##, ##"{"a": 1}"##,
            #"schema.type /a /$defs/n/type found the number 1; expected null"#),
        SchemaCase(
            #"{"properties": {"a~/b": false}}"#, #"{"a~/b": 1}"#,
            #"schema.false /a~0~1b /properties/a~0~1b found the number 1; the schema allows no value here"#
        ),
        SchemaCase(
            #"{"properties": {"a": true}, "additionalProperties": false}"#, #"{"b": 1}"#,
            #"schema.additionalProperties /b /additionalProperties found the member "b", which the schema does not allow"#
        ),
        SchemaCase(
            #"{"patternProperties": {"^x": {"type": "string"}}}"#, #"{"x1": 1, "y": 2}"#,
            #"schema.type /x1 /patternProperties/^x/type found the number 1; expected a string"#),
        SchemaCase(
            #"{"additionalProperties": {"type": "string"}}"#, #"{"b": 1, "c": "d", "e": []}"#,
            #"schema.type /b /additionalProperties/type found the number 1; expected a string"#,
            #"schema.type /e /additionalProperties/type found an array of 0 elements; expected a string"#),
        SchemaCase(
            #"{"propertyNames": {"maxLength": 1}}"#, #"{"ab": 1}"#,
            #"schema.propertyNames /ab /propertyNames found a member named "ab", which the schema does not allow"#,
            #"  schema.maxLength /ab /propertyNames/maxLength found the string "ab" of 2 characters; expected at most 1"#
        ),
        SchemaCase(
            #"{"items": {"type": "string"}}"#, #"["a", 1]"#,
            #"schema.type /1 /items/type found the number 1; expected a string"#),
        SchemaCase(
            #"{"prefixItems": [{"type": "string"}], "items": false}"#, #"["a", 1]"#,
            #"schema.items (root) /items found an array of 2 elements; expected at most 1 element"#),
        SchemaCase(
            #"{"contains": {"type": "string"}}"#, "[1]",
            #"schema.contains (root) /contains found 0 elements matching "contains"; expected at least 1"#),
        SchemaCase(
            #"{"contains": {"type": "string"}, "minContains": 2}"#, #"["a"]"#,
            #"schema.minContains (root) /minContains found 1 element matching "contains"; expected at least 2"#),
        SchemaCase(
            #"{"contains": {"type": "string"}, "maxContains": 1}"#, #"["a", "b"]"#,
            #"schema.maxContains (root) /maxContains found 2 elements matching "contains"; expected at most 1"#),
        SchemaCase(
            #"{"not": {"type": "string"}}"#, #""a""#,
            #"schema.not (root) /not found the string "a"; expected a value that the schema under "not" rejects"#),
        SchemaCase(
            #"{"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"type": "null"}}"#, #""a""#,
            #"schema.minLength (root) /then/minLength found the string "a" of 1 character; expected at least 2"#),
        SchemaCase(
            #"{"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"type": "null"}}"#, "1",
            #"schema.type (root) /else/type found the number 1; expected null"#),
        SchemaCase(
            #"{"dependentSchemas": {"a": {"required": ["b"]}}}"#, #"{"a": 1}"#,
            #"schema.required (root) /dependentSchemas/a/required the required member "b" is missing"#),
        SchemaCase(
            #"{"anyOf": [{"type": "string"}, {"required": ["a"]}, {"type": "null"}]}"#, "{}",
            #"schema.anyOf (root) /anyOf found an object of 0 members, which matches none of 3 alternatives; the closest is alternative 1"#,
            #"  schema.required (root) /anyOf/1/required the required member "a" is missing"#),
        SchemaCase(
            #"{"oneOf": [{"type": "integer"}, {"minimum": 2}]}"#, "3",
            #"schema.oneOf (root) /oneOf the number 3 matches 2 of 2 alternatives (0, 1); expected exactly one"#),
        SchemaCase(
            #"{"oneOf": [{"properties": {"t": {"const": "a"}, "n": {"type": "null"}}}, {"properties": {"t": {"const": "b"}, "n": {"type": "string"}}}]}"#,
            #"{"t": "b", "n": 1}"#,
            #"schema.oneOf (root) /oneOf found an object of 2 members, which matches none of 2 alternatives; the closest is alternative 1"#,
            #"  schema.type /n /oneOf/1/properties/n/type found the number 1; expected a string"#),
        SchemaCase(
            #"{"prefixItems": [true], "unevaluatedItems": false}"#, "[1, 2]",
            #"schema.unevaluatedItems /1 /unevaluatedItems found the element 1, which the schema does not allow"#
        ),
        SchemaCase(
            #"{"anyOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}"#, #"{"a": 1, "b": 2}"#,
            #"schema.unevaluatedProperties /b /unevaluatedProperties found the member "b", which the schema does not allow"#
        ),
        SchemaCase(
            #"{"unevaluatedProperties": {"type": "null"}}"#, #"{"a": null, "b": 2}"#,
            #"schema.type /b /unevaluatedProperties/type found the number 2; expected null"#),
        SchemaCase(
            "false", "1",
            #"schema.false (root) (root) found the number 1; the schema allows no value here"#),
        SchemaCase(
            #"{"properties": {"a": {"type": "null", "minimum": 5}, "b": false}}"#, #"{"a": 1, "b": 2}"#,
            #"schema.type /a /properties/a/type found the number 1; expected null"#,
            #"schema.minimum /a /properties/a/minimum found the number 1; expected at least 5"#,
            #"schema.false /b /properties/b found the number 2; the schema allows no value here"#),
    ]

    @Test(arguments: applicators)
    func applicator(_ test: SchemaCase) throws {
        #expect(try test.found() == test.lines)
    }
}
