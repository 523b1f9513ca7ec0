import JSONSchema
import KeyedArchives
import SaveCodec
import Testing

@testable import SaveOperations

/// Schemas applied to archives and to values that JSON has no types for, and the project's own keywords.
@Suite struct SchemaViewTests {
    /// Returns two players, the second of a subclass of the first's class, and a list that contains both and itself.
    static func game() throws -> ObjectView {
        let objects = [
            #""$null""#,
            #"{"$class": {"$uid": 4}, "name": {"$uid": 2}, "score": 20, "seen": {"$uid": 3}, "icon": {"$data": "3q0="}, "best": {"$uid": 6}}"#,
            #""Ada""#,
            #"{"$class": {"$uid": 7}, "NS.time": 0.5}"#,
            #"{"$classname": "Player", "$classes": ["Player", "NSObject"]}"#,
            #"{"$class": {"$uid": 8}, "NS.objects": [{"$uid": 1}, {"$uid": 6}, {"$uid": 5}]}"#,
            #"{"$class": {"$uid": 9}, "name": {"$uid": 2}, "score": 30, "seen": {"$uid": 0}}"#,
            #"{"$classname": "NSDate", "$classes": ["NSDate", "NSObject"]}"#,
            #"{"$classname": "NSArray", "$classes": ["NSArray", "NSObject"]}"#,
            #"{"$classname": "Boss", "$classes": ["Boss", "Player", "NSObject"]}"#,
        ].joined(separator: ",")
        let text =
            #"{"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": {"$uid": 1}, "list": {"$uid": 5}}, "$objects": [\#(objects)]}"#
        return ObjectView(try KeyedArchive(JSON.readTyped(Array(text.utf8))))
    }

    static let found: [(schema: String, lines: [String])] = [
        (
            #"{"properties": {"root": {"x-class": "Player", "properties": {"best": {"x-class": ["Player", "Dog"]}}}}}"#,
            []
        ),
        (
            #"{"properties": {"root": {"x-class": "Boss"}}}"#,
            [
                #"schema.x-class /root /properties/root/x-class found an object of class "Player"; expected an object of class "Boss""#
            ]
        ),
        (
            #"{"properties": {"root": {"properties": {"$class": {"const": "Boss"}}}}}"#,
            [
                #"schema.const /root/$class /properties/root/properties/$class/const found the string "Player"; expected the string "Boss""#
            ]
        ),
        (
            #"{"properties": {"root": {"required": ["$class", "lives"], "minProperties": 6, "maxProperties": 6}}}"#,
            [#"schema.required /root /properties/root/required the required member "lives" is missing"#]
        ),
        (
            #"{"properties": {"root": {"properties": {"seen": {"x-type": "date", "const": "2001-01-01T00:00:00.5Z"}}}}}"#,
            []
        ),
        (
            #"{"properties": {"root": {"properties": {"seen": {"x-type": ["data", "string"]}, "icon": {"x-type": "uid"}}}}}"#,
            [
                #"schema.x-type /root/seen /properties/root/properties/seen/x-type found the string "2001-01-01T00:00:00.5Z" (date); expected a string or data"#,
                #"schema.x-type /root/icon /properties/root/properties/icon/x-type found the string "3q0=" (data); expected a uid"#,
            ]
        ),
        (
            #"{"properties": {"root": {"x-stored": "object", "properties": {"score": {"x-stored": "in-place"}, "name": {"x-stored": "object"}, "$class": {"x-stored": "in-place"}}}}, "x-stored": "in-place"}"#,
            []
        ),
        (
            #"{"properties": {"root": {"properties": {"score": {"x-stored": "object"}, "seen": {"x-stored": "in-place"}, "best": {"properties": {"seen": {"x-stored": "in-place"}}}}}}}"#,
            [
                #"schema.x-stored /root/score /properties/root/properties/score/x-stored found the number 20 stored in place; expected it stored as an object"#,
                #"schema.x-stored /root/seen /properties/root/properties/seen/x-stored found the string "2001-01-01T00:00:00.5Z" stored as an object; expected it stored in place"#,
            ]
        ),
        (
            ##"{"$defs": {"object": {"x-stored": "object"}}, "properties": {"root": {"propertyNames": {"$ref": "#/$defs/object"}, "properties": {"$class": {"x-stored": "object"}}}}}"##,
            []
        ),
        (
            #"{"properties": {"root": {"propertyNames": {"enum": ["name", "score", "seen", "icon", "$class"]}}}}"#,
            [
                #"schema.propertyNames /root/best /properties/root/propertyNames found a member named "best", which the schema does not allow"#,
                #"  schema.enum /root/best /properties/root/propertyNames/enum found the string "best"; expected one of the string "name", the string "score", the string "seen", the string "icon" or the string "$class""#,
            ]
        ),
        (
            #"{"properties": {"root": {"properties": {"best": {"x-maxBytes": 35}}}}}"#, []
        ),
        (
            #"{"properties": {"root": {"properties": {"best": {"x-maxBytes": 34}}}}}"#,
            [
                #"schema.x-maxBytes /root/best /properties/root/properties/best/x-maxBytes found an object of class "Boss"; expected at most 34 bytes"#
            ]
        ),
        (
            #"{"properties": {"list": {"prefixItems": [true, true], "x-order": {"by": "/$class"}}}}"#,
            [
                #"schema.x-order /list /properties/list/x-order element 1 has the string "Boss", after the string "Player"; expected ascending order by /$class"#
            ]
        ),
        (
            #"{"properties": {"root": {"properties": {"icon": {"const": "3q0=", "x-maxBytes": 1}}}}}"#,
            [
                #"schema.x-maxBytes /root/icon /properties/root/properties/icon/x-maxBytes found the string "3q0="; expected at most 1 byte"#
            ]
        ),
        (
            #"{"properties": {"list": {"items": {"x-class": "Player"}}}}"#,
            [
                #"schema.x-class /list/2 /properties/list/items/x-class found an array of 3 elements; expected an object of class "Player""#
            ]
        ),
        (
            #"{"properties": {"list": {"prefixItems": [true, true], "x-order": {"by": "/score", "direction": "descending"}}}}"#,
            [
                #"schema.x-order /list /properties/list/x-order element 1 has the number 30, after the number 20; expected descending order by /score"#
            ]
        ),
        (#"{"properties": {"list": {"x-uniqueBy": ["/name", "/score"]}}}"#, []),
        (
            #"{"properties": {"list": {"x-uniqueBy": "/name"}}}"#,
            [
                #"schema.x-uniqueBy /list /properties/list/x-uniqueBy elements 0 and 1 are equal; expected elements that differ at /name"#
            ]
        ),
        (
            ##"{"$ref": "#/$defs/any", "$defs": {"any": {"additionalProperties": {"$ref": "#/$defs/any"}, "items": {"$ref": "#/$defs/any"}}}}"##,
            []
        ),
    ]

    @Test(arguments: found)
    func finds(_ schema: String, _ lines: [String]) throws {
        #expect(try SchemaCase.lines(of: SchemaCase.schema(schema).findings(in: Self.game())) == lines)
    }
}
