import TestSupport
import Testing

@testable import SaveCodec

/// A text of Core Foundation's dialect and the value that it is read as.
struct OpenStepAccepted: Sendable, CustomTestStringConvertible {
    let text: String
    let value: String
    let warnings: [String]

    init(_ text: String, _ value: String, warnings: [String] = []) {
        self.text = text
        self.value = value
        self.warnings = warnings
    }

    var testDescription: String { text.debugDescription }
}

struct OpenStepRefused: Sendable, CustomTestStringConvertible {
    let text: String
    let message: String

    init(_ text: String, _ message: String) {
        self.text = text
        self.message = message
    }

    var testDescription: String { text.debugDescription }
}

@Suite struct OpenStepReaderTests {
    static let accepted: [OpenStepAccepted] = [
        // Values.
        OpenStepAccepted("hello", #"str "hello""#),
        OpenStepAccepted("123", #"str "123""#),
        OpenStepAccepted("az09_$/:.-", #"str "az09_$/:.-""#),
        OpenStepAccepted("\"a b\"", #"str "a b""#),
        OpenStepAccepted("'a \"b\"'", #"str "a \"b\"""#),
        OpenStepAccepted("\"\"", #"str """#),
        OpenStepAccepted("\"a\nb\r\"", #"str "a\u000ab\u000d""#),
        OpenStepAccepted("\"é😀\"", #"str "\u00e9\ud83d\ude00""#),
        OpenStepAccepted("<>", "data <>"),
        OpenStepAccepted("<0fbD 77\n1c>", "data <0fbd771c>"),
        OpenStepAccepted("< 0f\u{2028}bd >", "data <0fbd>"),
        OpenStepAccepted("()", "array"),
        OpenStepAccepted("(a, b)", "array\n  str \"a\"\n  str \"b\""),
        OpenStepAccepted("(a,)", "array\n  str \"a\""),
        OpenStepAccepted("((),{})", "array\n  array\n  dict"),
        OpenStepAccepted("{}", "dict"),
        OpenStepAccepted("{a=b;\"c d\"=(e);}", "dict\n  str \"a\": str \"b\"\n  str \"c d\": array\n    str \"e\""),
        OpenStepAccepted("{a;}", "dict\n  str \"a\": str \"a\""),
        OpenStepAccepted("{a=1;a=2;}", "dict\n  str \"a\": str \"2\""),
        // White space and comments.
        OpenStepAccepted(" \t\n\u{0B}\u{0C}\r\u{2028}\u{2029}a", #"str "a""#),
        OpenStepAccepted("(//x\ra)", "array\n  str \"a\""),
        OpenStepAccepted("// one\u{2029}a /* two */ // three", #"str "a""#),
        OpenStepAccepted("http://x", #"str "http://x""#),
        OpenStepAccepted("(/path, /)", "array\n  str \"/path\"\n  str \"/\""),
        OpenStepAccepted("{a//b=c;}", "dict\n  str \"a//b\": str \"c\""),
        OpenStepAccepted("/* only */", "dict"),
        OpenStepAccepted(" ", "dict"),
        OpenStepAccepted("a /* x", #"str "a""#, warnings: ["1:3: \(noEnd)"]),
        OpenStepAccepted("/*", "dict", warnings: ["1:1: \(noEnd)"]),
        OpenStepAccepted("(a)\n/* x *", "array\n  str \"a\"", warnings: ["2:1: \(noEnd)"]),
        // Strings files.
        OpenStepAccepted("a=b;", "dict\n  str \"a\": str \"b\""),
        OpenStepAccepted("\"a\";b;", "dict\n  str \"a\": str \"a\"\n  str \"b\": str \"b\""),
        OpenStepAccepted(
            "/* c */ a = {b=c;};\n\"d\"=(e);",
            "dict\n  str \"a\": dict\n    str \"b\": str \"c\"\n  str \"d\": array\n    str \"e\""),
        OpenStepAccepted("a=b; }", "dict\n  str \"a\": str \"b\"", warnings: ["1:6: \(ignored)"]),
        OpenStepAccepted("a=b;\n= x", "dict\n  str \"a\": str \"b\"", warnings: ["2:1: \(ignored)"]),
        OpenStepAccepted(
            "a=\"\\777\"; /* x", "dict\n  str \"a\": str \"\\u0000\"", warnings: ["1:4: \(octal)", "1:11: \(noEnd)"]),
        // Escapes.
        OpenStepAccepted(#""\a\b\f\n\r\t\v\"\\\'""#, #"str "\u0007\u0008\u000c\u000a\u000d\u0009\u000b\"\\'""#),
        OpenStepAccepted("\"\\\n\"", #"str "\u000a""#),
        OpenStepAccepted(#""\q\8\é\😀""#, #"str "q8\u00e9\ud83d\ude00""#),
        OpenStepAccepted(#""\x41\u00e9""#, #"str "x41u00e9""#),
        OpenStepAccepted(#""\U00e9\U41\U003""#, #"str "\u00e9A\u0003""#),
        OpenStepAccepted(#""\U00e99\U0041B""#, #"str "\u00e99AB""#),
        OpenStepAccepted(#""\Ud83d\Ude00""#, #"str "\ud83d\ude00""#),
        OpenStepAccepted(#""\Ud83d""#, #"str "\ud83d""#, warnings: ["1:1: \(surrogate)"]),
        OpenStepAccepted(
            #"("\Ude00\Ud83d", "\Ud83d")"#, "array\n  str \"\\ude00\\ud83d\"\n  str \"\\ud83d\"",
            warnings: ["1:2: \(surrogate) (and 1 more like it)"]),
        OpenStepAccepted(#""\U""#, #"str "\u0000""#, warnings: ["1:2: \(noDigit)"]),
        OpenStepAccepted(#""é\Ux""#, #"str "\u00e9\u0000x""#, warnings: ["1:3: \(noDigit)"]),
        OpenStepAccepted(#""\0\12\1234\4\0057""#, #"str "\u0000\u000aS4\u0004\u00057""#),
        OpenStepAccepted(#""\200\241\310\375""#, #"str "\u00a0\u00a1\u00a8\u00ff""#),
        OpenStepAccepted(#""\256\257\341\312""#, #"str "\ufb01\ufb02\u00c6\u02da""#),
        OpenStepAccepted(#""\376\377""#, #"str "\u0000\u0000""#, warnings: ["1:2: \(octal) (and 1 more like it)"]),
        OpenStepAccepted(#""\777""#, #"str "\u0000""#, warnings: ["1:2: \(octal)"]),
        OpenStepAccepted(#""\400\501""#, #"str "\u0000A""#, warnings: ["1:2: \(octal) (and 1 more like it)"]),
    ]

    private static let noEnd = "the comment that starts here is not closed; it extends to the end of the file"
    private static let ignored = "the text from here on is not a key-value pair and is ignored"
    private static let surrogate = "the string has a lone surrogate, which is not a character"
    private static let noDigit = "the escape has no hexadecimal digit and is read as U+0000"
    private static let octal = #"the octal escape is beyond \375, the last character of the NeXTSTEP encoding"#

    @Test(arguments: accepted) func accepts(_ row: OpenStepAccepted) throws {
        let document = try OpenStep.read(Array(row.text.utf8), dialect: .openStep)
        #expect(ValueOutline.of(document) == row.value)
        #expect(document.warnings.map(\.description) == row.warnings)
        #expect(document.warnings.allSatisfy { $0.severity == .warning })
        #expect(document.sourceFormat == .openStep)
    }

    static let refused: [OpenStepRefused] = [
        OpenStepRefused("", "the document is empty; expected a value"),
        OpenStepRefused(
            "bplist00", "1:1: the file contains only bplist00, the start of a binary property list; expected a value"),
        OpenStepRefused("{a=b}", "1:5: found '}'; expected ';' after the value"),
        OpenStepRefused("{a=b;", "1:6: the file ends inside the dictionary that starts at 1:1; expected '}'"),
        OpenStepRefused("{a=b", "1:5: the file ends inside the dictionary that starts at 1:1; expected ';'"),
        OpenStepRefused("{", "1:2: the file ends inside the dictionary that starts at 1:1; expected '}'"),
        OpenStepRefused("{a", "1:3: found the end of the file; expected '=' or ';' after the key"),
        OpenStepRefused("{a=", "1:4: found the end of the file; expected a value"),
        OpenStepRefused("{a=;}", "1:4: found ';'; expected a value"),
        OpenStepRefused("{\"A\"A;}", "1:5: found 'A'; expected '=' or ';' after the key"),
        OpenStepRefused("{(a)=b;}", "1:2: found '('; expected a key or '}'"),
        OpenStepRefused("{<00>=b;}", "1:2: found '<'; expected a key or '}'"),
        OpenStepRefused("{a=b;}\nx", "2:1: found 'x' after the value; expected the end of the file"),
        OpenStepRefused("<ab> cde", "1:6: found 'c' after the value; expected the end of the file"),
        OpenStepRefused("(a b)", "1:4: found 'b'; expected ',' or ')'"),
        OpenStepRefused("(a,,b)", "1:4: found ','; expected a value"),
        OpenStepRefused("(,)", "1:2: found ','; expected a value"),
        OpenStepRefused("(\n a,\n", "3:1: the file ends inside the array that starts at 1:1; expected ')'"),
        OpenStepRefused("(\u{1B})", #"1:2: found '\u001B'; expected a value"#),
        OpenStepRefused("{é=1;}", "1:2: found 'é'; expected a key or '}'"),
        OpenStepRefused("+", "1:1: found '+'; expected a value"),
        OpenStepRefused("a b", "1:3: found 'b'; expected '=' or ';' after the key"),
        OpenStepRefused("a=b;c", "1:6: found the end of the file; expected '=' or ';' after the key"),
        OpenStepRefused("a=b;c=d", "1:8: found the end of the file; expected ';' after the value"),
        OpenStepRefused("a=b;\"c", "1:5: the string that starts here is not closed; expected '\"'"),
        OpenStepRefused("'é\"", "1:1: the string that starts here is not closed; expected \"'\""),
        OpenStepRefused(#"("a\"#, "1:2: the string that starts here is not closed; expected '\"'"),
        OpenStepRefused(#""\U23"#, "1:1: the string that starts here is not closed; expected '\"'"),
        OpenStepRefused("<0fb>", "1:5: found '>'; expected the second hexadecimal digit of a byte"),
        OpenStepRefused("<0 f>", "1:3: found ' '; expected the second hexadecimal digit of a byte"),
        OpenStepRefused("<0", "1:3: found the end of the file; expected the second hexadecimal digit of a byte"),
        OpenStepRefused("<EQ>", "1:3: found 'Q'; expected the second hexadecimal digit of a byte"),
        OpenStepRefused("<0f\u{0B}bd>", #"1:4: found '\u000B'; expected a hexadecimal digit or '>' in data"#),
        OpenStepRefused("<0f/**/bd>", "1:4: found '/'; expected a hexadecimal digit or '>' in data"),
        OpenStepRefused("(<0f", "1:5: the file ends inside the data that starts at 1:2; expected '>'"),
        OpenStepRefused(
            "{a=<*I5>;}",
            "1:4: found '<*', a value of GNUstep's dialect; expected hexadecimal digits (--from gnustep reads it)"),
        OpenStepRefused(
            "<[AQID]>",
            "1:1: found '<[', a value of GNUstep's dialect; expected hexadecimal digits (--from gnustep reads it)"),
    ]

    @Test(arguments: refused) func refuses(_ row: OpenStepRefused) {
        let problem = #expect(throws: Problem.self) {
            try OpenStep.read(Array(row.text.utf8), dialect: .openStep)
        }
        #expect(problem?.description == row.message)
    }

    static let encodings: [(name: String, bytes: [UInt8])] = {
        let units = Array("/* é */ \"Zoë 😀\" = b;".utf16)
        let scalars = "/* é */ \"Zoë 😀\" = b;".unicodeScalars.map(\.value)
        let big16 = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let little16 = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big32 = scalars.flatMap { [0, UInt8($0 >> 16), UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)] }
        return [
            ("UTF-8", Array("/* é */ \"Zoë 😀\" = b;".utf8)),
            ("UTF-8 with mark", [0xEF, 0xBB, 0xBF] + Array("/* é */ \"Zoë 😀\" = b;".utf8)),
            ("UTF-16BE with mark", [0xFE, 0xFF] + big16), ("UTF-16LE with mark", [0xFF, 0xFE] + little16),
            ("UTF-16BE", big16), ("UTF-16LE", little16), ("UTF-32BE with mark", [0, 0, 0xFE, 0xFF] + big32),
        ]
    }()

    @Test(arguments: encodings) func readsStringsFiles(name: String, bytes: [UInt8]) throws {
        let document = try OpenStep.read(bytes, dialect: .openStep)
        #expect(ValueOutline.of(document) == "dict\n  str \"Zo\\u00eb \\ud83d\\ude00\": str \"b\"")
    }

    static let badEncodings: [(bytes: [UInt8], message: String)] = [
        (Array("(\n\"a".utf8) + [0xFF, 0x22, 0x29], "2:3: the byte 0xFF is not part of a UTF-8 character"),
        ([0xFE, 0xFF, 0x00], "1:1: the text ends within a character; UTF-16 characters take 2 bytes or a multiple"),
        (Array("(\0)".utf8), #"1:2: found '\u0000'; expected a value"#),
        ([0xEF, 0xBB, 0xBF], "the document is empty; expected a value"),
        (
            Array("bplist00".utf8) + [UInt8](repeating: 0, count: 32),
            #"1:9: found '\u0000'; expected '=' or ';' after the key"#
        ),
    ]

    @Test(arguments: badEncodings) func refusesEncodings(bytes: [UInt8], message: String) {
        let problem = #expect(throws: Problem.self) { try OpenStep.read(bytes, dialect: .openStep) }
        #expect(problem?.description == message)
    }

    static let dialects: [OpenStep.Dialect] = [.openStep, .gnustep]

    @Test(arguments: dialects) func readsNestingUpToLimit(_ dialect: OpenStep.Dialect) throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "(", count: depth) + String(repeating: ")", count: depth)).utf8)
        }
        #expect(try OpenStep.read(nested(512), dialect: dialect).count == 512)
        let problem = #expect(throws: Problem.self) { try OpenStep.read(nested(513), dialect: dialect) }
        #expect(problem?.description == "1:513: containers are nested more than 512 levels deep")
        let depth = TestScale.count(10_000, long: 100_000)
        let deep = try OpenStep.read(nested(depth), dialect: dialect, limits: Limits(maxDepth: depth))
        #expect(deep.count == depth)
        var writer = ByteWriter()
        try OpenStep.write(deep, to: &writer, dialect: dialect)
        #expect(writer.count < depth * 520)
    }

    @Test func readsOrRejectsEveryPrefixWithLocation() {
        let text = Array("// é\n{a = \"b\\U00e9\\\\\"; 'c' = (<0f bd>, /* x */ d,); e; \"\\101\" = http://x;}".utf8)
        for dialect in Self.dialects {
            for end in 1..<text.count {
                do throws(Problem) {
                    let document = try OpenStep.read(Array(text[..<end]), dialect: dialect)
                    #expect(document.count == 1)
                } catch {
                    #expect(error.location != nil || error.id == "document.empty")
                }
            }
        }
    }
}
