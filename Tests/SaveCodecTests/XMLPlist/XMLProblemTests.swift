@testable import SaveCodec
import Testing

/// Texts that the reader refuses or warns about, with the exact message.
@Suite struct XMLProblemTests {
    static let refused: [(text: String, message: String)] = [
        // The document
        ("", "1:1: found no element; expected a property list"),
        (" \n <!-- --> ", "2:11: found no element; expected a property list"),
        ("bplist", "1:1: found \"b\" between elements; expected a tag"),
        ("<!-- a", "1:1: the comment that starts here is not closed; expected \"-->\""),
        ("<!--->", "1:1: the comment that starts here is not closed; expected \"-->\""),
        ("<?pi>", "1:1: the processing instruction that starts here is not closed; expected \"?>\""),
        ("<!DOCTYPE plist", "1:1: the document type that starts here is not closed; expected \">\""),
        ("<!doctype plist>", "1:1: found a declaration that begins with <!; expected a comment or <!DOCTYPE"),
        ("<array><!x></array>", "1:8: found a declaration that begins with <!; expected a comment"),
        (
            "<!DOCTYPE plist []><true/>",
            "1:17: the document type has an internal subset in brackets, which is not supported"
        ),
        (
            "<!DOCTYPE plist [\n<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><string>&b;</string>",
            "1:17: the document type declares the entity \"a\"; entity declarations are not supported"
        ),
        (
            "<!DOCTYPE p [<!ENTITY % ext SYSTEM \"file:///etc/passwd\">]><true/>",
            "1:13: the document type declares the entity \"ext\"; entity declarations are not supported"
        ),
        ("<plist/>", "1:1: <plist> is empty; expected a value"),
        ("<plist> </plist>", "1:9: <plist> is empty; expected a value"),
        ("<plist><true/><true/></plist>", "1:15: <plist> contains a second value; expected </plist>"),
        ("<plist><true/>", "1:15: the text ends inside <plist>; expected </plist>"),
        ("<plist><true/></dict>", "1:15: found </dict>; expected </plist>"),
        ("<plist>é</plist>", "1:8: found \"é\" between elements; expected a tag"),
        // Elements
        (
            "<String>a</String>",
            "1:1: found <String>; expected plist, dict, array, key, string, integer, real, true, false, date or data"
        ),
        (
            "<array>\n <\u{1B}[2J/></array>",
            "2:2: found <\\u001B[2J>; expected plist, dict, array, key, string, integer, real, true, false, date or data"
        ),
        ("< string>", "1:1: found a tag without a name; expected an element"),
        ("</string>", "1:1: found an end tag where no element is open; expected an element"),
        ("<string", "1:1: the tag that starts here is not closed; expected \">\""),
        ("<string>a</key>", "1:10: found </key>; expected </string>"),
        ("<string>a</string", "1:10: the text ends inside <string>; expected </string>"),
        ("<string>a", "1:10: the text ends inside <string>; expected </string>"),
        ("<string><b/></string>", "1:9: found something other than text inside <string>; expected </string>"),
        ("<string>a<!-- --></string>", "1:10: found something other than text inside <string>; expected </string>"),
        ("<integer>5<?a?></integer>", "1:11: found something other than text inside <integer>; expected </integer>"),
        (
            "<string><![CDATA[a</string>",
            "1:9: the character data section that starts here is not closed; expected \"]]>\""
        ),
        ("<true> </true>", "1:7: found something other than text inside <true>; expected </true>"),
        ("<array>x</array>", "1:8: found \"x\" between elements; expected a tag"),
        ("<array><true/>", "1:15: the text ends inside <array>; expected </array>"),
        ("<array></dict>", "1:8: found </dict>; expected </array>"),
        ("<dict><true/></dict>", "1:7: found <true> in <dict>; expected <key>"),
        ("<dict><string>a</string><true/></dict>", "1:7: found <string> in <dict>; expected <key>"),
        ("<dict><key>a</key></dict>", "1:19: the last <key> of <dict> has no value; expected one before </dict>"),
        ("<integer/>", "1:1: found <integer/>; expected a value inside <integer>"),
        ("<real/>", "1:1: found <real/>; expected a value inside <real>"),
        ("<date/>", "1:1: found <date/>; expected a value inside <date>"),
        ("<data/>", "1:1: found <data/>; expected a value inside <data>"),
        // Text
        (
            "<string>\n&foo;</string>",
            "2:1: found \"&foo;\"; expected &lt;, &gt;, &amp;, &apos;, &quot; or a character reference such as &#65;"
        ),
        (
            "<string>& </string>",
            "1:9: found \"&\"; expected &lt;, &gt;, &amp;, &apos;, &quot; or a character reference such as &#65;"
        ),
        (
            "<string>é&#xD800;</string>",
            "1:10: \"&#xD800;\" is not a character; expected &# or &#x and the number of a Unicode character"
        ),
        (
            "<string>&#1114112;</string>",
            "1:9: \"&#1114112;\" is not a character; expected &# or &#x and the number of a Unicode character"
        ),
        (
            "<string>&#000000065;</string>",
            "1:9: \"&#000000065;\" is not a character; expected &# or &#x and the number of a Unicode character"
        ),
        (
            "<string>&#X41;</string>",
            "1:9: \"&#X41;\" is not a character; expected &# or &#x and the number of a Unicode character"
        ),
        (
            "<string>&#65</string>",
            "1:9: \"&#65\" is not a character; expected &# or &#x and the number of a Unicode character"
        ),
        // Values
        ("<integer></integer>", integer("")), ("<integer>5 </integer>", integer("5 ")),
        ("<integer>0x</integer>", integer("0x")), ("<integer>5e3</integer>", integer("5e3")),
        ("<integer>&#53;</integer>", integer("&#53;")), ("<integer>--5</integer>", integer("--5")),
        ("<integer>\u{A0}5</integer>", integer("\u{A0}5")),
        (
            "<integer>18446744073709551616</integer>",
            "1:10: the integer 18446744073709551616 is out of range; expected -2^63 to 2^64-1"
        ),
        (
            "<integer>-9223372036854775809</integer>",
            "1:10: the integer -9223372036854775809 is out of range; expected -2^63 to 2^64-1"
        ),
        (
            "<integer>\(String(repeating: "1", count: 50))</integer>",
            "1:10: the integer \(String(repeating: "1", count: 40))… is out of range; expected -2^63 to 2^64-1"
        ),
        ("<real></real>", real("")), ("<real>1 </real>", real("1 ")), ("<real>0x1p3</real>", real("0x1p3")),
        ("<real>0x10</real>", real("0x10")), ("<real>1,5</real>", real("1,5")), ("<real>1e</real>", real("1e")),
        ("<real>+nan</real>", real("+nan")), ("<real> inf</real>", real(" inf")), ("<real>.</real>", real(".")),
        ("<real>\u{0B}inf</real>", real("\\u000Binf")), ("<real>\rinf</real>", real("\\rinf")),
        ("<date></date>", date("")), ("<date>2001-01-01</date>", date("2001-01-01")),
        ("<date>2001-01-01T00:00:00.5Z</date>", date("2001-01-01T00:00:00.5Z")),
        ("<date> 2001-01-01T00:00:00Z</date>", date(" 2001-01-01T00:00:00Z")),
        ("<date>2001-01-01T00:00:00+01:00</date>", date("2001-01-01T00:00:00+01:00")),
        ("<date>2001-1-01T00:00:00Z</date>", date("2001-1-01T00:00:00Z")),
        ("<date>-01-01T00:00:00Z</date>", date("-01-01T00:00:00Z")),
        ("<date>99999999999999999999-01-01T00:00:00Z</date>", date("99999999999999999999-01-01T00:00:00Z")),
        ("<data>AQé</data>", "1:9: found \"é\" in <data>; expected base64"),
        ("<data>AQ<!-- --></data>", "1:9: found something other than text inside <data>; expected </data>"),
    ]

    private static func integer(_ text: String) -> String {
        "1:10: \"\(text)\" is not an integer; expected decimal digits, or 0x and hexadecimal digits"
    }

    private static func real(_ text: String) -> String {
        "1:7: \"\(text)\" is not a number; expected decimal digits, nan, infinity or -infinity"
    }

    private static func date(_ text: String) -> String {
        "1:7: \"\(text)\" is not a date; expected a date such as 2009-09-06T12:34:56Z"
    }

    @Test(arguments: refused)
    func refuses(text: String, message: String) {
        let problem = #expect(throws: Problem.self) { try XMLPlist.read(Array(text.utf8)) }
        #expect(problem?.description == message)
        #expect(problem?.severity == .error)
    }

    private static let uid = "the number under CF$UID is not between 0 and 2^32-1; its low 32 bits were used"
    private static let base64 = "the data has characters that are not base64; they were ignored"
    private static let range = "the date has a field out of range; the excess was added to the date"
    private static let character = "found a control character that XML does not allow; it was kept"
    private static let trailing = "found text after the property list; it was ignored"

    static let doubtful: [(text: String, value: String, warning: String)] = [
        (
            "\n <?xml version=\"1.0\"?><true/>", "true",
            "1:1: found white space before <?xml; expected <?xml at the very start"
        ),
        ("<plist><true/></plist>\njunk", "true", "2:1: \(trailing)"),
        ("<true/> <!-- --> <false/>", "true", "1:18: \(trailing)"),
        ("<true/><!-- ", "true", "1:8: \(trailing)"),
        ("<date>2001-13-45T25:61:61Z</date>", "date 35431321.0", "1:7: \(range)"),
        ("<date>2001-00-00T00:00:00Z</date>", "date -86400.0", "1:7: \(range)"),
        ("<date>2001-02-29T00:00:00Z</date>", "date 5097600.0", "1:7: \(range)"),
        ("<date>2001-01-01T24:00:00Z</date>", "date 86400.0", "1:7: \(range)"),
        ("<date>2001-25-01T00:00:00Z</date>", "date 0.0", "1:7: \(range)"),
        ("<real>-1e400</real>", "-inf", "1:7: the number is too large for a 64-bit real; it was read as infinity"),
        (
            "<data>AQ</data>", "<>",
            "1:7: the data ends after 2 of the 4 characters of its last group of base64; 1 byte is lost"
        ),
        ("<data>AR==</data>", "<01>", "1:7: \(base64)"),
        ("<data>AQ==AQID</data>", "<01 01 02 03>", "1:7: \(base64)"),
        (
            "<data>AQIDB</data>", "<01 02 03>",
            "1:7: the data ends with 1 character of base64 too many; it was ignored"
        ),
        ("<data>A*QID</data>", "<01 02 03>", "1:7: \(base64)"),
        ("<data>&amp;AQID</data>", "<6a 6a 40>", "1:7: \(base64)"),
        ("<dict><key>CF$UID</key><integer>-1</integer></dict>", "UID 4294967295", "1:45: \(uid)"),
        ("<dict><key>CF$UID</key><integer>4294967297</integer></dict>", "UID 1", "1:53: \(uid)"),
        ("<dict><key>CF$UID</key><real>5.7</real></dict>", "UID 5", "1:40: \(uid)"),
        ("<dict><key>CF$UID</key><real>nan</real></dict>", "UID 2147483648", "1:40: \(uid)"),
        ("<string>a\u{1}b</string>", "\"a\\u0001b\"", "1:10: \(character)"),
        ("<string>&#0;</string>", "\"\\u0000\"", "1:9: \(character)"),
        ("<string>a&#;</string>", "\"a\\u0000\"", "1:10: \(character)"),
        ("<string>&#x;</string>", "\"\\u0000\"", "1:9: \(character)"),
        ("<string>&#xFFFF;</string>", "\"\\uFFFF\"", "1:9: \(character)"),
        ("<string>\n\u{FFFE}</string>", "\"\\n\\uFFFE\"", "2:1: \(character)"),
    ]

    @Test(arguments: doubtful)
    func warns(text: String, value: String, warning: String) throws {
        let document = try XMLPlist.read(Array(text.utf8))
        #expect(notation(document) == value)
        #expect(document.warnings.map(\.description) == [warning])
        #expect(document.warnings.allSatisfy { $0.severity == .warning })
    }

    @Test func listsAHundredWarnings() throws {
        let text = "<array>" + String(repeating: "<data>A</data>\n", count: 150) + "</array>"
        let warnings = try XMLPlist.read(Array(text.utf8)).warnings
        #expect(warnings.count == 101)
        #expect(warnings[99].location == .line(100, column: 7))
        #expect(warnings[100].description == "50 more warnings are not listed")
    }
}
