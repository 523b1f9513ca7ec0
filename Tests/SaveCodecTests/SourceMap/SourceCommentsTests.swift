import TestSupport
import Testing

@testable import SaveCodec

@Suite struct SourceCommentsTests {
    /// Texts in which `‹` and `›` mark each comment; the test removes the marks.
    static let texts: [(format: Format, marked: String)] = [
        (
            .xml,
            "‹<!-- a -->›<?xml version=\"1.0\"?>‹<!---->›<plist><!DOCTYPE <!-- x >‹<!-- -- b\n -->›<dict/></plist>‹<!--c-->›"
        ),
        (.xml, "<string>‹<!-- a -->›<![CDATA[<!-- b -->]]></string>"),
        (.xml, "‹<?p <!-- a -->?>›<array a=\"<!-- b\">‹<!-- c -->›"),
        (.xml, "<string>a! b?‹<!-- c! -->›</string ?> <b <!d> !?‹<?e?>›"),
        (.xml, "<array>‹<!-- > ›"), (.xml, "<array>‹<!-->›"), (.xml, "<array><![CDATA[<!-- -->"), (.xml, "<"),
        (.xml, "<!-"),
        (.openStep, "‹/* a */›{ ‹// b›\n k ‹/**/›=‹/*c*/›v; ‹/* d // e */› } ‹// f›"),
        (.openStep, "{ a = \"/* x */\"; b = '// \\' /* */'; c = \"\\\"//\"; ‹// \"›\n}"),
        (.openStep, "{ u = http://x/*y*/; v = a//b; w = /; ‹//›\r x = 1; }"), (.openStep, "{‹//a›\u{2028}‹/*›"),
        (.openStep, "‹/*/›"),
        (.openStep, "/"), (.openStep, "{ a = \"//"), (.openStep, "{ a = \"\\"), (.openStep, "(‹/* **/›)"),
        (.gnustep, "{ a = <*R1//>; b = <[AB//]>; c = <0f ‹// x›\n>; ‹// d\r e›\n d = ' ‹/* ' */›; }"),
        (.json, "[\"/* a */\"]"), (.binary, "bplist00/* a */"),
    ]

    /// Comments are found at any distance from the previous one, although the text is searched in blocks.
    @Test func findsDistantComments() {
        for distance in [0, 1015, 1016, 1017, 1018, 1019, 1023, 1024, 1025, 5000] {
            let text = "<plist>" + String(repeating: " ", count: distance)
            let comments = SourceComments.ofXML(Array((text + "<!---->" + text + "<?e?>").utf8))
            let (first, second) = (text.utf8.count, 2 * text.utf8.count + 7)
            #expect(comments == [first..<first + 7, second..<second + 5], "\(distance)")
        }
    }

    @Test(arguments: texts)
    func findsCommentsOnly(_ format: Format, _ marked: String) {
        var text: [UInt8] = []
        var expected: [Range<Int>] = []
        var start = 0
        for character in marked.unicodeScalars {
            switch character {
            case "‹": start = text.count
            case "›": expected.append(start..<text.count)
            default: text += Array(String(character).utf8)
            }
        }
        #expect(format.definition.comments(in: text) == expected)
    }

    @Test func removingCommentsKeepsDocument() throws {
        let seeds: [(Format, String)] = [
            (
                .xml,
                "<plist><!-- a --><dict><key>a</key><!-- b --><string>b<![CDATA[<!-- c -->]]></string></dict></plist><!-- d -->"
            ),
            (.openStep, "/* a */ { // b\n a = \"b//\" /* c */; 'd' = (http://e, /* f */ g,); h = <0fbd>; } // i"),
            (.gnustep, "{ /* a */ b = <*I5>; // c\n d = <[AA//]>; e = \"// f\"; }"),
        ]
        for (format, seed) in seeds {
            var mutator = Mutator(seeds: [Array(seed.utf8)], seed: 13)
            for _ in 0..<TestScale.count(1000, long: 10_000) {
                let bytes = mutator.next()
                guard let document = try? Document.read(bytes, as: format) else { continue }
                var text = try format.definition.utf8Text(of: bytes)
                for comment in format.definition.comments(in: text) {
                    text.replaceSubrange(comment, with: [UInt8](repeating: 0x20, count: comment.count))
                }
                #expect(
                    try Document.read(text, as: format).image == document.image,
                    "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    @Test(arguments: [
        (Format.xml, "<!--"), (.xml, "<a><!-- -->"), (.openStep, "/*"), (.openStep, "/**/'"), (.gnustep, "<\"//\n"),
    ])
    func takesLinearTime(_ format: Format, _ piece: String) throws {
        let isLinear = try Growth.isLinear(to: TestScale.count(1 << 18, long: 2 << 20)) { size in
            let text = Array(String(repeating: piece, count: size / piece.utf8.count).utf8)
            return { _ = format.definition.comments(in: text) }
        }
        #expect(isLinear)
    }
}
