import Testing

@testable import SaveCodec

/// Each key and value is mapped to its range in the text.
@Suite struct SourceMapTests {
    /// A text and its pieces: the root, and then the keys and values of each container in reading order.
    struct Case: CustomTestStringConvertible, Sendable {
        let format: Format
        let text: String
        let pieces: [String]

        init(_ format: Format, _ text: String, _ pieces: [String]) {
            self.format = format
            self.text = text
            self.pieces = pieces
        }

        var testDescription: String { text }
    }

    static let xml: [Case] = [
        Case(.xml, "<?xml version='1.0'?><plist> <integer >5</integer> </plist>\n", ["<integer >5</integer>"]),
        Case(
            .xml, "<!-- a --><plist><dict><!-- b --><key>a</key> <true/>\n<key></key><string/></dict></plist>",
            [
                "<dict><!-- b --><key>a</key> <true/>\n<key></key><string/></dict>", "<key>a</key>", "<true/>",
                "<key></key>", "<string/>",
            ]),
        Case(
            .xml, "<array><dict/><array></array></array>",
            ["<array><dict/><array></array></array>"]
                + ["<dict/>", "<array></array>"]),
        Case(
            .xml,
            "<array> <dict><key>CF$UID</key><integer>5</integer></dict> <dict><!----><key>CF$UID</key> <integer>0x6</integer></dict> </array>",
            [
                "<array> <dict><key>CF$UID</key><integer>5</integer></dict> <dict><!----><key>CF$UID</key> <integer>0x6</integer></dict> </array>",
                "<dict><key>CF$UID</key><integer>5</integer></dict>",
                "<dict><!----><key>CF$UID</key> <integer>0x6</integer></dict>",
            ]),
        Case(
            .xml, "<dict><key>a</key><data>AA==</data><key>a</key><real>1</real></dict>",
            ["<dict><key>a</key><data>AA==</data><key>a</key><real>1</real></dict>"]
                + ["<key>a</key>", "<data>AA==</data>", "<key>a</key>", "<real>1</real>"]),
        Case(.xml, "<string><![CDATA[<]]>&lt;</string>", ["<string><![CDATA[<]]>&lt;</string>"]),
    ]

    static let json: [Case] = [
        Case(
            .json, " [1, -0.50 ,\"\\u0041\",null]\n",
            ["[1, -0.50 ,\"\\u0041\",null]", "1", "-0.50"]
                + ["\"\\u0041\"", "null"]),
        Case(.json, "{ \"a\" : [ ] , \"a\" : {} }", ["{ \"a\" : [ ] , \"a\" : {} }", "\"a\"", "[ ]", "\"a\"", "{}"]),
        Case(.json, "[{\"$date\": 1 }]", ["[{\"$date\": 1 }]", "{\"$date\": 1 }"]),
        Case(.json, "[{ \"$set\": [1 , 2] }]", ["[{ \"$set\": [1 , 2] }]", "{ \"$set\": [1 , 2] }", "1", "2"]),
        Case(
            .json, "{\"$dict\": [ [ {\"$uid\":1} , [3]], [\"a\",2] ] } ",
            ["{\"$dict\": [ [ {\"$uid\":1} , [3]], [\"a\",2] ] }", "{\"$uid\":1}", "[3]", "\"a\"", "2", "3"]),
        Case(.json, "{\"$savetool\": 1, \"value\": { \"a\": 2 }}", ["{ \"a\": 2 }", "\"a\"", "2"]),
        Case(.json, "{\"$savetool\": 1, \"value\": 2 }", ["2"]),
        Case(.json, "7", ["7"]),
    ]

    static let openStep: [Case] = [
        Case(
            .openStep, "// x\n{ a = \"b\"; 'c' /* d */ = <0f 0a>; e = ( ); f = (1,); } // y",
            ["{ a = \"b\"; 'c' /* d */ = <0f 0a>; e = ( ); f = (1,); }", "a", "\"b\"", "'c'", "<0f 0a>"]
                + ["e", "( )", "f", "(1,)", "1"]),
        Case(.openStep, "a = b;\n\"c\";\n", ["a = b;\n\"c\";\n", "a", "b", "\"c\"", "\"c\""]),
        Case(.openStep, "{ a; }", ["{ a; }", "a", "a"]),
        Case(.openStep, " word ", ["word"]),
        Case(.openStep, " /* nothing */ ", [" /* nothing */ "]),
        Case(
            .gnustep, "{ <*I5> = <*BY>; b = <[AA==]>; c = (<*R1.5>, \"\\U0041\") }",
            ["{ <*I5> = <*BY>; b = <[AA==]>; c = (<*R1.5>, \"\\U0041\") }", "<*I5>", "<*BY>", "b", "<[AA==]>"]
                + ["c", "(<*R1.5>, \"\\U0041\")", "<*R1.5>", "\"\\U0041\""]),
    ]

    @Test(arguments: xml + json + openStep)
    func finds(_ example: Case) throws {
        let (document, map) = try Document.readMapped(Array(example.text.utf8), as: example.format)
        let pieces = MappedText(document, try #require(map))
        #expect(pieces.all.map { String(decoding: $0, as: UTF8.self) } == example.pieces)
    }

    @Test func binaryFilesHaveNoMap() throws {
        let bytes = try Document.read(Array("[1]".utf8), as: .json).bytes(as: .binary)
        #expect(try Document.readMapped(bytes, as: .binary).map == nil)
    }

    @Test func envelopeWithoutValueHasNoMap() throws {
        let bytes = try Document.read(Array("[1]".utf8), as: .json).bytes(as: .binary)
        var base64 = ByteWriter()
        Base64.write(bytes, in: bytes.indices, to: &base64)
        let layout = #"{"profile": "raw", "bytes": "\#(String(decoding: base64.takeBytes(), as: UTF8.self))"}"#
        let envelope = Array(#"{"$savetool": 1, "layout": \#(layout)}"#.utf8)
        #expect(try Document.readMapped(envelope, as: .json).map == nil)
    }

    @Test func countsLinesLikeProblems() throws {
        let map = try #require(try Document.readMapped(Array("[\r\n 1,\r\"ë\",\n2]".utf8), as: .json).map)
        #expect(LineTable(map.text).location(of: map.root.lowerBound) == .line(1, column: 1))
        #expect(LineTable(map.text).location(of: 4) == .line(2, column: 2))
        #expect(LineTable(map.text).location(of: map.root.upperBound) == .line(4, column: 3))
    }
}
