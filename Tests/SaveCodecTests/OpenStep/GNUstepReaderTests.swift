import Testing

@testable import SaveCodec

@Suite struct GNUstepReaderTests {
    private static let bareCharacter =
        #"only GNUstep reads this character without quotation marks; other readers need "…" around the string"#

    static let accepted: [OpenStepAccepted] = [
        OpenStepAccepted("<*I123>", "int 123"),
        OpenStepAccepted("<*I-5>", "int -5"),
        OpenStepAccepted("<*I+5>", "int 5"),
        OpenStepAccepted("<*I\"5\">", "int 5"),
        OpenStepAccepted("<*I-0>", "int 0"),
        OpenStepAccepted("<*I-9223372036854775808>", "int -9223372036854775808"),
        OpenStepAccepted("<*I18446744073709551615>", "int 18446744073709551615"),
        OpenStepAccepted("<*I000000000000000000000000000000000005>", "int 5"),
        OpenStepAccepted("<*R1.5>", "real 1.5"),
        OpenStepAccepted("<*R\"1.5\">", "real 1.5"),
        OpenStepAccepted("<*R-0.0>", "real -0"),
        OpenStepAccepted("<*R5e-324>", "real 4.9406564584124654e-324"),
        OpenStepAccepted("<*R1e400>", "real inf"),
        OpenStepAccepted("<*Rnan>", "real nan"),
        OpenStepAccepted("<*R+Inf>", "real inf"),
        OpenStepAccepted("<*R-INFINITY>", "real -inf"),
        OpenStepAccepted("<*BY>", "bool true"),
        OpenStepAccepted("<*B\"N\">", "bool false"),
        OpenStepAccepted("<*D2001-01-01 00:00:00 +0000>", "date 0"),
        OpenStepAccepted("<*D\"2013-11-27 00:34:00 +0000\">", "date 407205240"),
        OpenStepAccepted("<*D2001-01-01 02:00:00 +0130>", "date 1800"),
        OpenStepAccepted("<*D2001-01-01 00:00:00 -0800>", "date 28800"),
        OpenStepAccepted("<*D0001-01-01 00:00:00 +0000>", "date -63113904000"),
        OpenStepAccepted("<*D9999-12-31 23:59:59 +0000>", "date 252423993599"),
        OpenStepAccepted("<*D0000-12-30 00:00:00 +0000>", "date -63114076800"),
        OpenStepAccepted("<*D-002-04-10 12:26:40 +0000>", "date -63200000000"),
        OpenStepAccepted("<*D\"11507-08-17 06:20:00 +0100\">", "date 300000000000"),
        OpenStepAccepted("<[AQID]>", "data <010203>"),
        OpenStepAccepted("<[ AQ\n== ]>", "data <01>"),
        OpenStepAccepted("<[]>", "data <>"),
        OpenStepAccepted("<0fbd /* x */\u{0B}771c>", "data <0fbd771c>"),
        OpenStepAccepted(
            "a!b#c@d^e|f~g*h&i?j+k%l", #"str "a!b#c@d^e|f~g*h&i?j+k%l""#, warnings: ["1:2: \(bareCharacter)"]),
        OpenStepAccepted(
            "(a/*c*/,b, c++)", "array\n  str \"a/*c*/\"\n  str \"b\"\n  str \"c++\"",
            warnings: ["1:4: \(bareCharacter) (and 1 more like it)"]),
        OpenStepAccepted("(c++, <*I1>)", "array\n  str \"c++\"\n  int 1"),
        OpenStepAccepted("(//x\ry\na)", "array\n  str \"a\""),
        OpenStepAccepted("{a=1;a=2;}", "dict\n  str \"a\": str \"2\""),
        OpenStepAccepted("{<*I5>=b;<*I6>=c;}", "dict\n  int 5: str \"b\"\n  int 6: str \"c\""),
        OpenStepAccepted("{CF$UID=<*I255>;}", "dict\n  str \"CF$UID\": int 255"),
        OpenStepAccepted(#""\u00e9\U00E99\310\777\q""#, #"str "\u00e9\u00e99\u00c8\u01ffq""#),
        OpenStepAccepted(
            #""\r\n\t\a\b\f\v\000\177""#, #"str "\u000d\u000a\u0009\u0007\u0008\u000c\u000b\u0000\u007f""#),
        OpenStepAccepted(
            "{a=1; b={c=2}}", "dict\n  str \"a\": str \"1\"\n  str \"b\": dict\n    str \"c\": str \"2\"",
            warnings: ["1:13: found '}' after a value; expected ';' before it (and 1 more like it)"]),
    ]

    @Test(arguments: accepted) func accepts(_ row: OpenStepAccepted) throws {
        let document = try OpenStep.read(Array(row.text.utf8), dialect: .gnustep)
        #expect(ValueOutline.of(document) == row.value)
        #expect(document.warnings.map(\.description) == row.warnings)
        #expect(document.sourceFormat == .gnustep)
    }

    private static let whole = "an integer from -9223372036854775808 to 18446744073709551615"
    private static let date = "a date such as 2001-12-31 23:59:59 +0000"

    static let refused: [OpenStepRefused] = [
        OpenStepRefused(" ", "the document is empty; expected a value"),
        OpenStepRefused("a=b;", "1:2: found '=' after the value; expected the end of the file"),
        OpenStepRefused("{a;}", "1:3: found ';'; expected '=' after the key"),
        OpenStepRefused("('a)", "1:2: found '''; expected a value"),
        OpenStepRefused("{(a)=b;}", "1:2: found '('; expected a key or '}'"),
        OpenStepRefused("(a,,b)", "1:4: found ','; expected a value"),
        OpenStepRefused("a\u{2028}", #"1:2: found '\u2028' after the value; expected the end of the file"#),
        OpenStepRefused("<*I5x>", "1:4: the integer is '5x'; expected \(whole)"),
        OpenStepRefused("<*I>", "1:4: the integer is ''; expected \(whole)"),
        OpenStepRefused("<*I->", "1:4: the integer is '-'; expected \(whole)"),
        OpenStepRefused("<*I\"\">", "1:5: the integer is ''; expected \(whole)"),
        OpenStepRefused("<*I18446744073709551616>", "1:4: the integer is '18446744073709551616'; expected \(whole)"),
        OpenStepRefused("<*I-9223372036854775809>", "1:4: the integer is '-9223372036854775809'; expected \(whole)"),
        OpenStepRefused(
            "<*I" + String(repeating: "é", count: 50) + ">",
            "1:4: the integer is '" + String(repeating: "é", count: 40) + "…'; expected \(whole)"),
        OpenStepRefused("<*Rx>", "1:4: the real is 'x'; expected a decimal number, nan, inf or -inf"),
        OpenStepRefused("<*R-nan>", "1:4: the real is '-nan'; expected a decimal number, nan, inf or -inf"),
        OpenStepRefused("<*BYES>", "1:4: the boolean is 'YES'; expected Y or N"),
        OpenStepRefused("<*D5>", "1:4: the date is '5'; expected \(date)"),
        OpenStepRefused(
            "<*D2001-02-30 00:00:00 +0000>", "1:4: the date is '2001-02-30 00:00:00 +0000'; expected \(date)"),
        OpenStepRefused(
            "<*D001-01-01 00:00:00 +0000>", "1:4: the date is '001-01-01 00:00:00 +0000'; expected \(date)"),
        OpenStepRefused(
            "<*D292277026627-12-06 15:30:07 -0001>",
            "1:4: the date is '292277026627-12-06 15:30:07 -0001'; expected \(date)"),
        OpenStepRefused(
            "<*D2001-01-01 00:00:00 +0060>", "1:4: the date is '2001-01-01 00:00:00 +0060'; expected \(date)"),
        OpenStepRefused(
            "<*D2001-01-01 00:00:00Z+0000>", "1:4: the date is '2001-01-01 00:00:00Z+0000'; expected \(date)"),
        OpenStepRefused("<*D2001-01-01 00:00:00>", "1:4: the date is '2001-01-01 00:00:00'; expected \(date)"),
        OpenStepRefused("<*>", "1:3: found '>'; expected a type after '<*'"),
        OpenStepRefused("<*X5>", "1:3: found 'X'; expected one of the types I, R, B and D after '<*'"),
        OpenStepRefused("(<*I3", "1:6: the file ends inside the typed value that starts at 1:2; expected '>'"),
        OpenStepRefused("<*D\"5>", "1:6: found '>'; expected '\"' before the end of the typed value"),
        OpenStepRefused("<*D\"", "1:5: the file ends inside the typed value that starts at 1:1; expected '>'"),
        OpenStepRefused("<*D\">", "1:5: found '>'; expected '\"' before the end of the typed value"),
        OpenStepRefused(
            "<*I" + String(repeating: "0", count: 4094) + ">",
            "1:1: the typed value is longer than the 4096 bytes that GNUstep reads"),
        OpenStepRefused("<[33==]", "1:8: found the end of the file; expected '>' after ']'"),
        OpenStepRefused("<[33==", "1:7: the file ends inside the data that starts at 1:1; expected ']>'"),
        OpenStepRefused("<[A!==]>", "1:4: found '!' in base64; expected padded groups of four characters"),
        OpenStepRefused("<[AQ]>", "1:5: found ']' in base64; expected padded groups of four characters"),
        OpenStepRefused("<0fb>", "1:5: found '>'; expected the second hexadecimal digit of a byte"),
    ]

    @Test(arguments: refused) func refuses(_ row: OpenStepRefused) {
        let problem = #expect(throws: Problem.self) {
            try OpenStep.read(Array(row.text.utf8), dialect: .gnustep)
        }
        #expect(problem?.description == row.message)
    }
}
