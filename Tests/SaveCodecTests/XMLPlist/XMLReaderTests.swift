@testable import SaveCodec
import Testing

/// Texts that the reader accepts, with their values (the article XMLFormat).
@Suite struct XMLReaderTests {
    static let values: [(text: String, value: String)] = [
        // The document
        ("<?xml version=\"1.0\"?><!DOCTYPE plist><plist version=\"1.0\"><true/></plist>\n", "true"),
        ("<true/>", "true"),
        ("<plist> <!-- a --> <?pi?> <true/> <!-- -- --> </plist  >", "true"),
        ("<plist><plist><true/></plist></plist>", "true"),
        ("<array><plist><true/></plist></array>", "[true]"),
        ("<!DOCTYPE html PUBLIC \"x\" \"y\"><!DOCTYPE a><?xml version=\"1.0\"?><true/>", "true"),
        ("<!-----><??><true/>", "true"),
        // Tags
        ("<string >a</string  >", "\"a\""),
        ("<string a=\"b\">a</string\n>", "\"a\""),
        ("<true a='b'/>", "true"),
        ("<true></true>", "true"),
        ("<false></false >", "false"),
        ("<array/>", "[]"), ("<array></array>", "[]"), ("<dict/>", "{}"), ("<dict></dict>", "{}"),
        ("<string/>", "\"\""), ("<key/>", "\"\""), ("<string></string>", "\"\""),
        // Keys
        ("<key>a</key>", "\"a\""),
        ("<array><key>a</key></array>", "[\"a\"]"),
        ("<dict><key>a</key><key>b</key></dict>", "{\"a\": \"b\"}"),
        ("<dict><key>a</key><!-- --><?a?><true/></dict>", "{\"a\": true}"),
        ("<dict><key/><true/></dict>", "{\"\": true}"),
        ("<dict><key>k</key><integer>1</integer><key>k</key><integer>2</integer></dict>", "{\"k\": 1, \"k\": 2}"),
        // Text
        ("<string>a&lt;&gt;&amp;&apos;&quot;b</string>", "\"a<>&'\"b\""),
        ("<string>&#65;&#x41;&#x1F600;&#00000065;&#x10fFfF;</string>", "\"AA😀A\\uDBFF\\uDFFF\""),
        ("<string>x<![CDATA[a<b&amp;]]>y<![CDATA[]]>z<![CDATA[]]]]></string>", "\"xa<b&amp;yz]]\""),
        ("<key>a]]>b</key>", "\"a]]>b\""),
        ("<string>a\r\nb\rc&#13;</string>", "\"a\\r\\nb\\rc\\r\""),
        // Integers
        ("<integer> \t\n5</integer>", "5"), ("<integer>\u{2003}\u{3000}5</integer>", "5"),
        ("<integer>- 5</integer>", "-5"), ("<integer>+5</integer>", "5"), ("<integer>-0</integer>", "0"),
        ("<integer>0000000000000000000000000</integer>", "0"),
        ("<integer>0x1fF</integer>", "511"), ("<integer>-0X10</integer>", "-16"),
        ("<integer>0xffffffffffffffff</integer>", "18446744073709551615"),
        ("<integer>18446744073709551615</integer>", "18446744073709551615"),
        ("<integer>-9223372036854775808</integer>", "-9223372036854775808"),
        ("<integer>-0x8000000000000000</integer>", "-9223372036854775808"),
        // Reals
        ("<real>1.5</real>", "1.5"), ("<real>+1.5</real>", "1.5"), ("<real>.5</real>", "0.5"),
        ("<real>5.</real>", "5.0"), ("<real>1E-5</real>", "1e-05"), ("<real>-0</real>", "-0.0"),
        ("<real> \u{A0}\u{3000}\u{FEFF}5</real>", "5.0"), ("<real>&#53;.5<![CDATA[5]]></real>", "5.55"),
        ("<real>nan</real>", "nan"), ("<real>NaN</real>", "nan"), ("<real>inf</real>", "inf"),
        ("<real>+Infinity</real>", "inf"), ("<real>-INF</real>", "-inf"), ("<real>1e-400</real>", "0.0"),
        ("<real>9007199254740993</real>", "9007199254740992.0"),
        // Dates
        ("<date>2001-01-01T00:00:00Z</date>", "date 0.0"), ("<date>2009-09-06T12:34:56Z</date>", "date 273933296.0"),
        ("<date>0000-12-30T00:00:00Z</date>", "date -63114076800.0"),
        ("<date>1-01-01T00:00:00Z</date>", "date -63113904000.0"),
        ("<date>-2001-01-01T00:00:00Z</date>", "date -126290966400.0"),
        ("<date>12345-01-01T00:00:00Z</date>", "date 326425075200.0"),
        // Data
        ("<data></data>", "<>"), ("<data>AQID</data>", "<01 02 03>"), ("<data>\n\tAQ I=\r\n\t</data>", "<01 02>"),
        // UIDs
        ("<dict><key>CF$UID</key><integer>5</integer></dict>", "UID 5"),
        ("<dict>\n<key>CF$UID</key>\n<integer>4294967295</integer>\n</dict>", "UID 4294967295"),
        ("<dict><!-- --><key>CF$UID</key><integer>0x10</integer></dict>", "UID 16"),
        ("<dict><key>CF&#36;UID</key><plist><integer>5</integer></plist></dict>", "UID 5"),
        ("<dict><key>CF$UID</key><string/><key>CF$UID</key><integer>2</integer></dict>", "UID 2"),
        ("<dict><key>CF$UID</key><integer>1</integer><key>CF$UID</key><integer>2</integer></dict>", "UID 2"),
        (
            "<dict><key>CF$UID</key><integer>1</integer><key>CF$UID</key><string/></dict>",
            "{\"CF$UID\": 1, \"CF$UID\": \"\"}"
        ),
        (
            "<dict><key>CF$UID</key><integer>1</integer><key>a</key><integer>2</integer></dict>",
            "{\"CF$UID\": 1, \"a\": 2}"
        ),
        ("<dict><key>CF$UID</key><true/></dict>", "{\"CF$UID\": true}"),
        ("<dict><key>CF$UID</key><array><integer>1</integer></array></dict>", "{\"CF$UID\": [1]}"),
        ("<dict><key>a</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>", "{\"a\": UID 1}"),
        ("<dict><key>CF$UID</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>", "{\"CF$UID\": UID 1}"),
    ]

    @Test(arguments: values)
    func reads(text: String, value: String) throws {
        let document = try XMLPlist.read(Array(text.utf8))
        #expect(notation(document) == value)
        #expect(document.warnings.isEmpty)
        #expect(document.sourceFormat == .xml)
    }

    /// Core Foundation skips attributes up to the first `>`.
    @Test(arguments: [
        ("<string a=\">\">a</string>", "\"\">a\""), ("<string / >a</string>", "\"a\""),
        ("<string a=b>a</string>", "\"a\""), ("<true a/>", "true"),
        ("<string a='1'b='2'>a</string>", "\"a\""), ("<string a='<'>a</string>", "\"a\""),
    ])
    func readsMalformedAttributes(text: String, value: String) throws {
        let document = try XMLPlist.read(Array(text.utf8))
        #expect(notation(document) == value)
        #expect(document.warnings.map(\.id) == ["xml.attributes"])
    }

    /// Core Foundation skips a document type, too. `plutil` and others refuse one that is not well-formed.
    @Test(arguments: [
        ("plist", true), ("plist SYSTEM 'a'", true), ("plist\n PUBLIC \"a\" \"b", false), ("plist PUBLIC \"a\"", false),
        ("plist PUBLIC a \"b\"", false), ("plist PUBLIC  \"a|b\" \"c\"", false), ("plist PUBLIC 'é' 'b'", false),
        ("plist PUBLIC \"a\"\"b\"", false), ("plist PUBLIC '-//A//B 1.0' 'b'", true), ("plist SYSTEM 'a\"b'", true),
        ("1plist", false), ("'plist'", false), ("plist x", false), ("", false),
        ("plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://a?b&c\"", true),
    ])
    func readsMalformedDocumentTypes(contents: String, isWellFormed: Bool) throws {
        let document = try XMLPlist.read(Array("<!DOCTYPE \(contents)><true/>".utf8))
        #expect(document.warnings.map(\.id) == (isWellFormed ? [] : ["xml.document-type"]))
    }

    @Test func readsUIDWithoutItsDictionary() throws {
        let text = "<array><dict><key>CF$UID</key><integer>5</integer></dict></array>"
        #expect(try XMLPlist.read(Array(text.utf8)).count == 2)
    }

    static let containers = ["array", "dict"]

    @Test(arguments: containers)
    func readsNestingUpToLimit(container: String) throws {
        let start = container == "array" ? "<array>" : "<dict><key>k</key>"
        func nested(_ depth: Int) -> [UInt8] {
            Array(
                (String(repeating: start, count: depth) + "<true/>" + String(repeating: "</\(container)>", count: depth))
                    .utf8)
        }
        _ = try XMLPlist.read(nested(512))
        let problem = #expect(throws: Problem.self) { try XMLPlist.read(nested(513)) }
        #expect(problem?.description == "1:\(start.count * 512 + 1): containers are nested more than 512 levels deep")
        #expect(throws: Problem.self) { try XMLPlist.read(nested(100_000)) }
        _ = try XMLPlist.read(nested(2000), limits: Limits(maxDepth: 2000))
    }

    @Test func readsNestedElementsWithoutContainers() throws {
        let text =
            String(repeating: "<plist>", count: 100_000) + "<true/>" + String(repeating: "</plist>", count: 100_000)
        #expect(try notation(XMLPlist.read(Array(text.utf8))) == "true")
    }

    /// Text after the first value is ignored, unless the file begins with a value and the text ends a container.
    @Test(arguments: [
        ("<plist><true/></plist>\ny><integer>1</integer>\n</dict>\n</plist>", true), ("<true/></plist>", true),
        ("<true/><dict foo=\"1\"><key>a</key></dict>", true), ("<true/>x<!-- </dict> -->", true),
        ("<true/><![CDATA[ </dict> ]]>", true), ("<true/><dict>", true), ("<true/><array></array></plist>", true),
        ("<true/></dict></plist>", false), ("<string>a</string><key>b</key></dict ></plist>", false),
        (" <string>a</string></array>", false), ("<true/><array></array></array>", false),
    ])
    func refusesTextWithoutBeginning(_ text: String, _ isRead: Bool) {
        do throws(Problem) {
            let document = try XMLPlist.read(Array(text.utf8))
            #expect(isRead && document.warnings.map(\.id) == ["xml.trailing"])
        } catch {
            #expect(!isRead && error.id == "damage.beginning")
        }
    }
}
