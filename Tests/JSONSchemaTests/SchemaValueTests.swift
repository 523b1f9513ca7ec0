import SaveCodec
import Testing

@testable import JSONSchema

/// Schemas for values that JSON has no types for, and for numbers.
@Suite struct SchemaValueTests {
    static let plain = [
        SchemaCase(
            #"{"items": {"x-type": "real32"}}"#, #"[{"$real32": 0.5}, 0.5, {"$real": "nan"}]"#,
            #"schema.x-type /1 /items/x-type found the number 0.5 (real); expected a real32"#,
            #"schema.x-type /2 /items/x-type found real; expected a real32"#),
        SchemaCase(#"{"items": {"type": "null"}}"#, #"[null, {"$real": "nan"}, {"$date": {"$real": "inf"}}]"#),
        SchemaCase(#"{"items": {"type": "array"}, "x-maxBytes": 20}"#, #"[{"$set": [1]}]"#),
        SchemaCase(
            #"{"required": ["7"], "properties": {"7": {"type": "string"}}}"#, #"{"$dict": [[7, 8]]}"#,
            #"schema.type /7 /properties/7/type found the number 8; expected a string"#),
        SchemaCase(
            #"{"propertyNames": {"enum": ["7", "true", "3q0=", "a", "b"]}, "x-maxBytes": 19}"#,
            #"{"$dict": [[7, "a"], [true, 8], [{"$data": "3q0="}, null]]}"#),
        SchemaCase(
            #"{"x-maxBytes": 18}"#, #"{"$dict": [[7, "a"], [true, 8], [{"$data": "3q0="}, null]]}"#,
            #"schema.x-maxBytes (root) /x-maxBytes found an object of 3 members; expected at most 18 bytes"#),
        SchemaCase(
            #"{"items": {"propertyNames": {"type": "string", "maxLength": 1}}}"#,
            #"[{"$dict": [[7, 1]]}, {"$dict": [[77, 1]]}]"#,
            #"schema.propertyNames /1/77 /items/propertyNames found a member named "77", which the schema does not allow"#,
            #"  schema.maxLength /1/77 /items/propertyNames/maxLength found the string "77" of 2 characters; expected at most 1"#
        ),
        SchemaCase(
            #"{"x-order": {"by": "/7"}, "x-uniqueBy": "/7"}"#, #"[{"$dict": [[7, 2]]}, {"7": 2}]"#,
            #"schema.x-uniqueBy (root) /x-uniqueBy elements 0 and 1 are equal; expected elements that differ at /7"#
        ),
        SchemaCase(
            #"{"x-uniqueBy": "/~=5"}"#, #"[{"$dict": [[5, 1], ["=5", 1]]}, {"$dict": [[5, 1], ["=5", 2]]}]"#,
            #"schema.x-uniqueBy (root) /x-uniqueBy elements 0 and 1 are equal; expected elements that differ at /~=5"#
        ),
        SchemaCase(
            #"{"x-order": {}}"#, #"[1, 1.0, 2, "a"]"#,
            #"schema.x-order (root) /x-order element 3 has the string "a", after the number 2; expected ascending order"#
        ),
        SchemaCase(
            #"{"x-order": {"by": "/score"}}"#, #"[{"score": 1}, {}]"#,
            #"schema.x-order (root) /x-order element 1 has no value at /score; expected ascending order by /score"#
        ),
        SchemaCase(#"{"x-order": {"direction": "descending"}}"#, #"["b", "b", "a"]"#),
        SchemaCase(
            #"{"items": {"multipleOf": 0.0001}}"#, "[0.0075, 1e300, 3, 0.00751]",
            #"schema.multipleOf /3 /items/multipleOf found the number 0.00751; expected a multiple of 0.0001"#),
        SchemaCase(
            #"{"enum": [{"a": 170141183460469231731687303715884105727, "b": [1.0]}]}"#,
            #"{"b": [1], "a": 170141183460469231731687303715884105727}"#),
        SchemaCase(#"{"exclusiveMaximum": 9007199254740993}"#, "9007199254740992.0"),
        SchemaCase(
            #"{"maximum": 9007199254740992.0}"#, "9007199254740993",
            #"schema.maximum (root) /maximum found the number 9007199254740993; expected at most 9007199254740992.0"#),
    ]

    @Test(arguments: plain)
    func plainValues(_ test: SchemaCase) throws {
        #expect(try test.found() == test.lines)
    }
}
