import SaveCodec
import Testing

@testable import JSONSchema

/// What a schema sees of values that JSON has no types for, and of numbers.
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
            #"{"x-order": {}}"#, #"[1, 1.0, 2, "a"]"#,
            #"schema.x-order (root) /x-order the element 3 has the string "a", after the number 2; expected ascending order"#
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
