import TestSupport
import Testing

@testable import SaveCodec

/// The short tags of Geometry Dash.
@Suite struct XMLDialectTests {
    private static let opening = "<?xml version=\"1.0\"?><plist version=\"1.0\" gjver=\"2.0\">"

    static let values: [(text: String, value: String)] = [
        ("<dict><k>a</k><i>-5</i><k>b</k><s>x &lt; y</s></dict>", "{\"a\": -5, \"b\": \"x < y\"}"),
        ("<dict><k>a</k><t /><k>b</k><f/><k>c</k><r>0.5</r></dict>", "{\"a\": true, \"b\": false, \"c\": 0.5}"),
        (
            "<dict><k>a</k><d /><k>b</k><d><k>c</k><a><s /><a/></a></d></dict>",
            "{\"a\": {}, \"b\": {\"c\": [\"\", []]}}"
        ),
        ("<dict><k></k><s></s></dict>", "{\"\": \"\"}"),
        ("<dict><k >a</k ><i x='1'>5</i\n></dict>", "{\"a\": 5}"),
        ("<dict><key>a</key><s>x</s><k>b</k><string>y</string></dict>", "{\"a\": \"x\", \"b\": \"y\"}"),
        (
            "<dict><k>a</k><data>AQID</data><k>b</k><date>2001-01-01T00:00:00Z</date></dict>",
            "{\"a\": <01 02 03>, \"b\": date 0.0}"
        ),
        ("<dict><k>a</k><d><k>CF$UID</k><i>7</i></d></dict>", "{\"a\": UID 7}"),
        ("<d><k>a</k><t/></d>", "{\"a\": true}"),
        ("<dict/>", "{}"), ("<s>x</s>", "\"x\""), ("<a><s>x</s></a>", "[\"x\"]"),
    ]

    @Test(arguments: values)
    func readsShortTags(text: String, value: String) throws {
        for start in [Self.opening, "<plist gjver='2'>", "<plist version=\"1.0\" gjver=\"12.5\" >"] {
            let document = try XMLPlist.read(Array((start + text + "</plist>").utf8))
            #expect(notation(document) == value)
            #expect(document.warnings.isEmpty)
        }
    }

    /// Without `gjver`, the first element that is not a long container decides.
    @Test(arguments: [
        ("<dict><k>a</k><i>1</i></dict>", true), ("<plist><dict><k>a</k><i>1</i></dict></plist>", true),
        ("<!-- a --><?b?><!DOCTYPE c><array><dict><k>a</k><i>1</i></dict></array>", true),
        ("<d><k>a</k><i>1</i></d>", true), ("<i>1</i>", true), ("<plist gjver=\"2.0\"><dict /></plist>", true),
        ("<plist gjver=\"1.9\"><dict /></plist>", false), ("<plist gjver=\"\"><dict /></plist>", false),
        ("<plist gjver=2.0><dict /></plist>", false), ("<dict><key>a</key><i>1</i></dict>", false),
        ("<dict><key>a</key><string>b</string></dict>", false), ("<dict/><k>a</k>", false), ("", false), ("<", false),
        ("<plist gjver=\"", false), ("<e>1</e>", false), ("<array><array>", false),
    ])
    func theRootDecides(_ text: String, _ isShort: Bool) {
        #expect((XMLDialect(of: Array(text.utf8)) == .short) == isShort)
    }

    @Test(arguments: [
        ("<dict><s>a</s></dict>", "found <s> in <dict>; expected <k>"),
        ("<dict><k>a</k><d><i>1</i></d></dict>", "found <i> in <d>; expected <k>"),
        ("<dict><k>a</k></dict>", "the last <k> of <dict> has no value; expected one before </dict>"),
        ("<dict><k>a</k><d><k>b</k></d></dict>", "the last <k> of <d> has no value; expected one before </d>"),
        (
            "<dict><k>a</k><i>x</i></dict>",
            "\"x\" is not an integer; expected decimal digits, or 0x and hexadecimal digits"
        ),
        ("<dict><k>a</k><i/></dict>", "found <i/>; expected a value inside <i>"),
        ("<dict><k>a</key></dict>", "found </key>; expected </k>"),
        ("<dict><k>a</k><d></dict>", "found </dict>; expected </d>"),
        ("<dict><k>a</k><d>", "the text ends inside <d>; expected </d>"),
        ("<dict><k>a", "the text ends inside <k>; expected </k>"),
        ("<dict><k>a</k><b/></dict>", "found <b>; expected plist, dict, array, d, a, k, s, i, r, t, f, date or data"),
    ])
    func problemsNameTheShortTags(_ text: String, _ message: String) {
        let problem = #expect(throws: Problem.self) { try XMLPlist.read(Array((Self.opening + text).utf8)) }
        #expect(problem?.message == message)
    }

    /// In a text with long tags, short ones stay unknown.
    @Test func longTextsHaveNoShortTags() {
        let problem = #expect(throws: Problem.self) {
            try XMLPlist.read(Array("<dict><key>a</key><s>b</s></dict>".utf8))
        }
        #expect(problem?.id == "xml.element")
    }

    @Test func aLoneAmpersandIsKept() throws {
        let text = Self.opening + "<dict><k>a&b</k><s>Rock & Roll &amp; &co;</s></dict></plist>"
        let document = try XMLPlist.read(Array(text.utf8))
        #expect(notation(document) == "{\"a&b\": \"Rock & Roll & &co;\"}")
        #expect(document.warnings.map(\.id) == ["xml.ampersand", "xml.ampersand", "xml.ampersand"])
        #expect(throws: Problem.self) { try XMLPlist.read(Array("<string>a & b</string>".utf8)) }
    }

    /// What is written reads back as the same values, in the form of the game.
    @Test(arguments: [
        "<dict />", "<dict><k>b</k><t /><k>a</k><f /></dict>",
        "<dict><k>r</k><r>0</r><k>s</k><r>-0.25</r><k>t</k><r>225.5</r><k>u</k><r>1e+30</r><k>v</k><r>nan</r></dict>",
        "<dict><k>d</k><d /><k>e</k><d><k>f</k><a><i>1</i><a /></a></d><k>s</k><s></s></dict>",
        "<dict><k>d</k><data>AQID</data><k>e</k><date>2001-01-01T00:00:00Z</date></dict>",
        "<dict><k>u</k><d><k>CF$UID</k><i>7</i></d></dict>", "<array><s>a &amp; b</s></array>", "<s>x</s>",
    ])
    func writesAsTheGame(_ root: String) throws {
        let text = Self.opening + root + "</plist>"
        let document = try XMLPlist.read(Array(text.utf8))
        var output = ByteWriter()
        try XMLPlist.write(document, to: &output, options: WriteOptions(hasShortTags: true))
        #expect(String(decoding: output.takeBytes(), as: UTF8.self) == text)
        var long = ByteWriter()
        try XMLPlist.write(document, to: &long, options: WriteOptions(keyOrder: .stored))
        #expect(try notation(XMLPlist.read(long.takeBytes())) == notation(document))
    }

    @Test(
        arguments: [
            ("<d><k>a</k><i>1</i></d>", Format.xml), ("<d> <!-- a --> <k>", .xml), ("<d />", .openStep),
            ("<d>", .openStep), ("<da> <k>", .openStep), ("<fbad>", .openStep),
        ] as [(String, Format)])
    func oneHexadecimalDigitMayBeATag(_ text: String, _ format: Format) throws {
        #expect(try Format.recognize(Array(text.utf8)) == format)
    }

    @Test func detectionTakesLinearTime() throws {
        for unit in ["<array>", "<!-- -->", "<plist>", "<plist gjver='1'>"] {
            let isLinear = try Growth.isLinear(to: TestScale.count(100_000, long: 1_000_000)) { count in
                let text = Array(repeatElement(Array(unit.utf8), count: count / unit.utf8.count).joined())
                return { _ = XMLDialect(of: text) }
            }
            #expect(isLinear, "\(unit)")
        }
    }
}
