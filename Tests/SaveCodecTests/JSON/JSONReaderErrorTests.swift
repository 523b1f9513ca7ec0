import Testing

@testable import SaveCodec

/// Texts that RFC 8259 or the forms of tagged values do not allow, with the exact message and location.
@Suite struct JSONReaderErrorTests {
    static let structure: [(String, String)] = [
        ("", "1:1: found the end of the text; expected a value"),
        (" \n ", "2:2: found the end of the text; expected a value"),
        ("[1,]", "1:4: nothing follows the comma; expected another value, or no comma"),
        (#"{"a":1,}"#, "1:8: nothing follows the comma; expected another value, or no comma"),
        ("[,1]", #"1:2: found ","; expected a value"#),
        ("[1 2]", #"1:4: found "2"; expected "," or "]""#),
        ("[1}", #"1:3: found "}"; expected "," or "]""#),
        ("[1", #"1:3: found the end of the text; expected "," or "]""#),
        ("[1,\r\n 2,\r\n  }", #"3:3: found "}"; expected a value"#),
        (#"{"a" 1}"#, #"1:6: found "1"; expected ":" after a name"#),
        ("{a:1}", #"1:2: found "a"; expected a name in quotation marks"#),
        ("{1:2}", #"1:2: found "1"; expected a name in quotation marks"#),
        (#"{"é":1 "b":2}"#, #"1:8: found a string; expected "," or "}""#),
        (#"{"a":1]"#, #"1:7: found "]"; expected "," or "}""#),
        (#"{"a":"#, "1:6: found the end of the text; expected a value"),
        ("1 2", #"1:3: found "2"; expected the end of the text"#),
        ("[] []", "1:4: found an array; expected the end of the text"),
        ("// c\n1", "1:1: found a comment, which JSON does not allow; expected a value"),
        ("[1 /* c */]", #"1:4: found a comment, which JSON does not allow; expected "," or "]""#),
        ("nul", #"1:1: found "nul"; expected a value"#),
        ("[True]", #"1:2: found "True"; expected a value"#),
        ("truex", #"1:1: found "truex"; expected a value"#),
        ("'a'", #"1:1: found "'"; expected a value"#),
        ("[\u{1B}]", #"1:2: found "\u001B"; expected a value"#),
        ("\u{FEFF}\u{FEFF}1", #"1:1: found "\uFEFF"; expected a value"#),
    ]

    static let numbers: [(String, String)] = [
        ("[NaN]", #"1:2: found "NaN", which is not a JSON number; expected {"$real": …}"#),
        ("[-Infinity]", #"1:3: the number "-Infinity" lacks a digit after the minus sign"#),
        ("+1", #"1:1: the number "+1" begins with neither a digit nor a minus sign"#),
        (".5", #"1:1: the number ".5" begins with neither a digit nor a minus sign"#),
        ("-", #"1:2: the number "-" lacks a digit after the minus sign"#),
        ("1.", #"1:3: the number "1." lacks a digit after the point"#),
        ("1.e3", #"1:3: the number "1.e3" lacks a digit after the point"#),
        ("1e+", #"1:4: the number "1e+" lacks a digit in the exponent"#),
        ("[01]", #"1:2: the number "01" has a leading zero; expected none"#),
        ("-01", #"1:1: the number "-01" has a leading zero; expected none"#),
        ("0x1F", #"1:2: found "x" in the number "0x1F"; expected the end of the number"#),
        ("1.5.5", #"1:4: found "." in the number "1.5.5"; expected the end of the number"#),
        ("[-1e400]", #"1:2: the number "-1e400" exceeds the largest 64-bit real, 1.7976931348623157e+308"#),
        (
            "170141183460469231731687303715884105728",
            #"1:1: the integer "170141183460469231731687303715884105728" is out of range; expected −2^127 to 2^127−1"#
        ),
        (
            "-170141183460469231731687303715884105729",
            #"1:1: the integer "-170141183460469231731687303715884105729" is out of range; expected −2^127 to 2^127−1"#
        ),
        (
            String(repeating: "9", count: 1000),
            "1:1: the integer \"\(String(repeating: "9", count: 40))…\" is out of range; expected −2^127 to 2^127−1"
        ),
    ]

    static let strings: [(String, String)] = [
        (#"["abc"#, "1:2: the string that starts here is not closed; expected a closing quotation mark"),
        ("[\"a\nb\"]", "1:4: a string contains the control character U+000A; expected an escape"),
        ("\"\0\"", "1:2: a string contains the control character U+0000; expected an escape"),
        (#"["é\q"]"#, #"1:4: found "q" after a backslash; expected one of " \ / b f n r t u"#),
        (#""\"#, #"1:2: found the end of the text after a backslash; expected one of " \ / b f n r t u"#),
        (#""\u12G4""#, #"1:2: found "12G4" after \u; expected four hexadecimal digits"#),
        (#"{"a\u12"#, #"1:4: found "12" after \u; expected four hexadecimal digits"#),
    ]

    static let uid = "an integer from 0 to 4294967295"
    static let date = #"a date such as "2009-09-06T12:34:56Z", seconds since 2001 as a number, or {"$real": …}"#
    static let real = #""nan", "inf", "-inf", or the bits of another NaN as "0x" and 16 lowercase digits"#
    static let real32 = #"a number, "nan", "inf", "-inf", or the bits of another NaN as "0x" and 8 lowercase digits"#
    static let tags: [(String, String)] = [
        (#"{"$uid": -1}"#, "1:10: \"$uid\" is -1; expected \(uid)"),
        (#"{"$uid": 4294967296}"#, "1:10: \"$uid\" is 4294967296; expected \(uid)"),
        (#"{"$uid": 5.0}"#, "1:10: \"$uid\" is 5.0; expected \(uid)"),
        (#"{"$uid": "5"}"#, "1:10: \"$uid\" is \"5\"; expected \(uid)"),
        (#"{"$uid": true}"#, "1:10: \"$uid\" is true; expected \(uid)"),
        (#"{"$uid": [5]}"#, "1:10: \"$uid\" is an array; expected \(uid)"),
        (#"{"$uid": {}}"#, "1:10: \"$uid\" is an object; expected \(uid)"),
        (#"{"$date": "yesterday"}"#, "1:11: \"$date\" is \"yesterday\"; expected \(date)"),
        (#"{"$date": "\ud800"}"#, "1:11: \"$date\" is \"\\\\ud800\"; expected \(date)"),
        (#"{"$date": null}"#, "1:11: \"$date\" is null; expected \(date)"),
        (#"{"$date": {"$uid": 5}}"#, "1:11: \"$date\" is an object; expected \(date)"),
        (#"{"$date": {"$real": "foo"}}"#, "1:21: \"$real\" is \"foo\"; expected \(real)"),
        (
            #"{"$date": 1e400}"#,
            #"1:11: the number "1e400" exceeds the largest 64-bit real, 1.7976931348623157e+308"#
        ),
        (#"{"$data": "AQI*"}"#, #"1:15: found "*" in base64 text; expected a base64 character"#),
        (#"{"$data": "AQI"}"#, "1:15: the base64 text ends within a group; expected groups of four characters"),
        (#"{"$data": 5}"#, #"1:11: "$data" is 5; expected base64 text"#),
        (#"{"$real": 1.5}"#, "1:11: \"$real\" is 1.5; expected \(real)"),
        (#"{"$real": "NaN"}"#, "1:11: \"$real\" is \"NaN\"; expected \(real)"),
        (#"{"$real": "0x7ff8000000000000"}"#, "1:11: \"$real\" is \"0x7ff8000000000000\"; expected \(real)"),
        (#"{"$real": "0x7FF8000000000001"}"#, "1:11: \"$real\" is \"0x7FF8000000000001\"; expected \(real)"),
        (#"{"$real": "0x3ff0000000000000"}"#, "1:11: \"$real\" is \"0x3ff0000000000000\"; expected \(real)"),
        (#"{"$real32": "0x7ff8000000000001"}"#, "1:13: \"$real32\" is \"0x7ff8000000000001\"; expected \(real32)"),
        (#"{"$real32": {"$real": "nan"}}"#, "1:13: \"$real32\" is an object; expected \(real32)"),
        (#"{"$real32": 1e39}"#, #"1:13: the number "1e39" exceeds the largest 32-bit real, 3.4028235e+38"#),
        (#"{"$set": 5}"#, #"1:10: "$set" is 5; expected an array"#),
        (#"{"$set": {"a": 1}}"#, #"1:10: "$set" is an object; expected an array"#),
        (#"{"$set": [1] x}"#, #"1:14: found "x"; expected "}" after the only member"#),
        (#"{"$set": [1], }"#, "1:15: nothing follows the comma; expected another value, or no comma"),
        (#"{"$dict": {}}"#, #"1:11: "$dict" is an object; expected an array of pairs [key, value]"#),
        (#"{"$dict": [1]}"#, #"1:12: found "1"; expected a pair [key, value]"#),
        (#"{"$dict": [[1]]}"#, #"1:14: found "]"; expected "," after the key of a pair"#),
        (#"{"$dict": [[1,2,3]]}"#, #"1:16: found ","; expected "]" after the key and value of a pair"#),
        (#"{"$dict": [[[],2]]}"#, "1:13: found an array; expected a key that is neither an array nor an object"),
        (#"{"$dict": [[{},2]]}"#, "1:13: found an object; expected a key that is neither an array nor an object"),
        (#"{"$dict": [[1,2],]}"#, "1:18: nothing follows the comma; expected another value, or no comma"),
        (#"{"$set": ["#, "1:11: found the end of the text; expected a value"),
        (#"{"$uid": 5"#, #"1:11: found the end of the text; expected "," or "}""#),
    ]

    @Test(arguments: structure + numbers + strings + tags)
    func rejectsText(text: String, message: String) {
        let problem = #expect(throws: Problem.self) { try JSON.readTyped(Array(text.utf8)) }
        #expect(problem?.description == message)
    }

    static let bytes: [([UInt8], String)] = [
        ([0xFF, 0xFE, 0x31, 0], "the text is UTF-16; expected UTF-8"),
        ([0xFE, 0xFF, 0, 0x31], "the text is UTF-16; expected UTF-8"),
        ([0x31, 0], "the text is UTF-16; expected UTF-8"),
        ([0, 0x31], "the text is UTF-16; expected UTF-8"),
        ([0xFF, 0xFE, 0, 0], "the text is UTF-32; expected UTF-8"),
        ([0, 0, 0, 0x31], "the text is UTF-32; expected UTF-8"),
        ([0x31, 0, 0, 0], "the text is UTF-32; expected UTF-8"),
        ([0x22, 0xFF, 0x22], "1:2: byte 0xFF is not valid here; expected UTF-8 text"),
        ([0x0A, 0x22, 0xC3], "2:2: byte 0xC3 is not valid here; expected UTF-8 text"),
        ([0x22, 0xED, 0xA0, 0x80, 0x22], "1:2: byte 0xED is not valid here; expected UTF-8 text"),
        ([0xEF, 0xBB, 0xBF, 0x5B], "1:2: found the end of the text; expected a value"),
        ([0x5B, 0, 0x5D], #"1:2: found "\u0000"; expected a value"#),
    ]

    @Test(arguments: bytes)
    func rejectsBytes(bytes: [UInt8], message: String) {
        let problem = #expect(throws: Problem.self) { try JSON.read(bytes) }
        #expect(problem?.description == message)
    }

    @Test func ignoresByteOrderMark() throws {
        #expect(try JSONCases.rewrite("\u{FEFF}[1]") == "[1]\n")
    }
}
