import TestSupport
import Testing

@testable import SaveCodec

/// Single damages of texts, and everything that is said about them.
@Suite struct TextSalvageCaseTests {
    private static func report(_ text: [UInt8], _ format: Format) throws(Problem) -> (
        text: String, losses: [String], Salvage
    ) {
        let salvage = try format.definition.salvage(text, limits: Limits())
        let losses = salvage.losses.map { loss in
            if case .address(let address) = loss.place { "\(loss.kind) \(address)" } else { "\(loss.kind) ?" }
        }
        return (String(decoding: salvage.bytes, as: UTF8.self), losses, salvage)
    }

    private static func json(_ document: Document) throws -> String {
        var output = ByteWriter()
        try JSON.write(document, to: &output)
        return String(decoding: output.takeBytes(), as: UTF8.self)
    }

    private static func xml(_ members: String) -> String { "<plist version=\"1.0\"><dict>\(members)</dict></plist>" }

    static let keys: [(format: Format, text: String, repaired: String, losses: [String])] = [
        // A byte that is not text, a bad escape, and each quotation mark.
        (
            .json, #"{"a": 1, "b"# + "\u{1}" + #"c": 2, "d": 3}"#, #"{"a": 1, "lost key 1": 2, "d": 3}"#,
            ["doubtful (root)", "key /lost key 1"]
        ),
        (
            .json, #"{"a": 1, "b\qc": 2, "d": 3}"#, #"{"a": 1, "lost key 1": 2, "d": 3}"#,
            ["doubtful (root)", "key /lost key 1"]
        ),
        (
            .json, #"{"a": 1, b": {"x": 2}, "d": 3}"#, #"{"a": 1, "lost key 1": {"x": 2}, "d": 3}"#,
            ["doubtful (root)", "key /lost key 1"]
        ),
        (
            .json, #"{"a": 1, "b: 2, "d": 3}"#, #"{"a": 1, "lost key 1": 2, "d": 3}"#,
            ["doubtful (root)", "key /lost key 1"]
        ),
        (
            .json, #"{"a": 1, "b"c": 2, "d": 3}"#, #"{"a": 1, "lost key 1": 2, "d": 3}"#,
            ["doubtful (root)", "key /lost key 1"]
        ),
        // The number of no other key is used.
        (
            .json, #"{"lost key 1": 0, b": 1, "lost key 3": 2, c": 4, d": 5}"#,
            #"{"lost key 1": 0, "lost key 2": 1, "lost key 3": 2, "lost key 4": 4, "lost key 5": 5}"#,
            [
                "doubtful (root)", "key /lost key 2", "doubtful (root)", "key /lost key 4", "doubtful (root)",
                "key /lost key 5",
            ]
        ),
        // A mark in a value is no end of a key.
        (
            .json, "{\"a\": \"\u{1}x: 5, y\", \"b\": 2}", #"{"a": null, "b": 2}"#,
            ["value /a", "doubtful (root)"]
        ),
        // The quotation mark at the end of a value.
        (
            .json, #"{"a": "x, "b": "y"}"#, #"{"a": null, "b": "y"}"#, ["value /a", "doubtful (root)"]
        ),
        (
            .openStep, "{ a = 1; b\u{1}c = 2; d = 3; }", "{ a = 1; \"lost key 1\"= 2; d = 3; }",
            ["doubtful (root)", "key /lost key 1"]
        ),
        (
            .openStep, "{ a = 1; \"b = 2; \"d\" = 3; }", "{ a = 1; \"lost key 1\"= 2; \"d\" = 3; }",
            ["doubtful (root)", "key /lost key 1"]
        ),
        (
            .gnustep, "{ a = <*I1>; b\u{1}c = <*I2>; d = <*I3> }", "{ a = <*I1>; \"lost key 1\"= <*I2>; d = <*I3> }",
            ["doubtful (root)", "key /lost key 1"]
        ),
        (
            .xml, xml("<key>a\0</key><string>x</string><key>b</key><true/>"),
            xml("<key>lost key 1</key><string>x</string><key>b</key><true/>"), ["doubtful (root)", "key /lost key 1"]
        ),
        (
            .xml, xml("<kye>a</kye><array><true/></array>"), xml("<key>lost key 1</key><array><true/></array>"),
            ["doubtful (root)", "key /lost key 1"]
        ),
        (
            .xml, xml("<key>a&b;c</key><string>x</string>"), xml("<key>lost key 1</key><string>x</string>"),
            ["doubtful (root)", "key /lost key 1"]
        ),
        // A text is kept with the & that begins no reference.
        (
            .xml, xml("<key>a</key><string>AT&T &lt;<![CDATA[&]]></string>"),
            xml("<key>a</key><string>AT&amp;T &lt;<![CDATA[&]]></string>"), ["doubtful /a"]
        ),
    ]

    @Test(arguments: keys)
    func keepsTheValuesOfLostKeys(_ format: Format, _ text: String, _ repaired: String, _ losses: [String]) throws {
        let found = try Self.report(Array(text.utf8), format)
        #expect(found.text == repaired)
        #expect(found.losses == losses)
    }

    /// Every byte of a beginning may be damaged.
    @Test(arguments: [0x01, 0x00, 0x3C, 0x3E, 0xFF, 0x41] as [UInt8])
    func readsTheRootBehindADamagedBeginning(_ byte: UInt8) throws {
        let start = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- A comment. -->
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        let root = "<dict>\n\t<key>a</key>\n\t<integer>1</integer>\n</dict>\n</plist>\n"
        let sound = try Self.json(try Self.report(Array((start + root).utf8), .xml).2.document)
        for offset in 0..<start.utf8.count - 1 {
            var text = Array((start + root).utf8)
            text[offset] = byte
            let format = try Format.recognizeDamaged(text)
            #expect(format == .xml, "\(offset)")
            let found = try Self.report(text, .xml)
            #expect(try Self.json(found.2.document) == sound, "\(offset): \(found.text)")
            #expect(found.losses.allSatisfy { $0 == "doubtful (root)" }, "\(offset)")
        }
    }

    /// Zeros anywhere are left out, and counted.
    @Test(arguments: [Format.xml, .json])
    func leavesZerosOut(_ format: Format) throws {
        let text =
            format == .xml
            ? "<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\n<dict>\n\t<key>a</key>\n\t<string>xy</string>\n</dict>\n</plist>\n"
            : "{\n  \"a\": \"xy\",\n  \"b\": 5\n}\n"
        for offset in 1...text.utf8.count {
            for count in [1, 7, 64] {
                let zeros = [UInt8](repeating: 0, count: count)
                let damaged = Array(text.utf8.prefix(offset)) + zeros + Array(text.utf8.dropFirst(offset))
                let salvage = try format.definition.salvage(damaged, limits: Limits())
                #expect(!salvage.isSound, "\(offset), \(count)")
                let isCounted = !salvage.losses.isEmpty || !salvage.repairs.isEmpty
                #expect(isCounted, "\(offset), \(count)")
            }
        }
    }

    /// The members behind an end too many stay.
    @Test(arguments: [
        (Format.json, #"{"a": {"x": 1}}, "b": [3]}"#, #"{"a": {"x": 1}, "b": [3]}"#),
        (.json, "[[1]], [2]]", "[[1], [2]]"),
        (.openStep, "{ a = {x = 1;}; }; b = 2; }", "{ a = {x = 1;};  b = 2; }"),
        (
            .xml, "<plist><array><true/></array><false/></array></plist>",
            "<plist><array><true/><false/></array></plist>"
        ),
        (
            .xml, "<plist><dict><key>a</key><dict/></dict><key>b</key><true/></dict></plist>",
            "<plist><dict><key>a</key><dict/><key>b</key><true/></dict></plist>"
        ),
    ])
    func continuesBehindAnEndTooMany(_ format: Format, _ text: String, _ repaired: String) throws {
        let found = try Self.report(Array(text.utf8), format)
        #expect(found.text == repaired)
        #expect(found.losses.contains("doubtful (root)"))
    }

    /// An end that is missing at the end of XML is written before the end of the plist.
    @Test func endsBeforeThePlist() throws {
        let found = try Self.report(Array("<plist><dict><key>a</key><array><true/></dict></plist>\n".utf8), .xml)
        #expect(found.text == "<plist><dict><key>a</key><array><true/></array></dict></plist>\n")
        let open = try Self.report(Array("<plist><dict><key>a</key><true/>\n</plist>\n".utf8), .xml)
        #expect(open.text == "<plist><dict><key>a</key><true/>\n</dict></plist>\n")
    }

    /// All losses are counted, although not all are listed.
    @Test func countsAllLosses() throws {
        let text = "[" + String(repeating: "\u{1}, 2, ", count: 5000) + "1]"
        let salvage = try Self.report(Array(text.utf8), .json).2
        #expect(salvage.lostCount == 5000)
        #expect(salvage.losses.count < 1010)
        #expect(salvage.losses.contains { $0.kind == .doubtful && $0.place == .address(.root) })
    }

    /// A stretch that is left out is a loss, even if no value is known to have been in it.
    @Test(arguments: [
        "{\"a\": \"x\" ##, \"b\": 2}", "{\"a\": 1, ## \"b\": 2}", "{\"a\": 1, \"b\": 2 ##}", "{## \"a\": 1}",
        "{\"a\": 1, \"b",
        "## {\"a\": 1}",
    ])
    func countsWhatIsLeftOut(_ text: String) throws {
        #expect(try Self.report(Array(text.utf8), .json).2.lostCount > 0)
    }

    /// A line break that is damaged costs nothing.
    @Test func keepsValuesBehindAFewBytes() throws {
        let found = try Self.report(
            Array(Self.xml("<key>a</key>\u{1}<string>x</string><key>b</key><true/>").utf8), .xml)
        #expect(found.text == Self.xml("<key>a</key><string>x</string><key>b</key><true/>"))
        #expect(found.losses == ["doubtful /a", "doubtful (root)"])
        let json = try Self.report(Array("{\"a\":\u{1}\"x\", \"b\": 2}".utf8), .json)
        #expect(json.text == "{\"a\":\"x\", \"b\": 2}")
        #expect(json.losses == ["doubtful /a", "doubtful (root)"])
    }

    /// A comment with zeros hides nothing behind it.
    @Test func distrustsDamagedComments() throws {
        let text = "{\"a\": /* x \0\0\0 1, \"b\": 2, /* y */ \"c\": 3}"
        let found = try Self.report(Array(text.utf8), .json)
        #expect(found.text == "{\"a\": null, \"b\": 2, /* y */ \"c\": 3}")
        let xml = try Self.report(
            Array(Self.xml("<!-- \0 <key>a</key><true/><!-- y --><key>b</key><true/>").utf8), .xml)
        #expect(xml.text == Self.xml("<key>a</key><true/><!-- y --><key>b</key><true/>"))
    }

    /// A byte between a backslash and a quotation mark does not end the string, and a comment without an end is damage.
    @Test func findsTheMembersBehindStrings() throws {
        let found = try Self.report(Array("{ a = \"x\\\0\" y\"; b = 2; }".utf8), .openStep)
        #expect(found.text == "{ a = \"\"; b = 2; }")
        let comment = try Self.report(Array("/* x \0 {a = 1; b = 2; }".utf8), .openStep)
        #expect(comment.text == "{a = 1; b = 2; }" && comment.losses == ["value ?"])
    }

    /// The text of a comment is no data, even if it reads like a pair.
    @Test(arguments: [
        (Format.json, #"{"lives": 3, /* "cheat": true, "#, #"{"lives": 3}"#),
        (.openStep, "{ lives = 3; /* cheat = 1; ", "{ lives = 3; }"),
        (
            .openStep, "/* x */ \"a\" = \"1\";\n/* Class = \"NSButton\"; title = \"Old\"; ",
            "/* x */ \"a\" = \"1\";\n"
        ),
        (.openStep, "\"a\" = \"1\"; /* Class = \"NSButton\"; title = \"Ol", "\"a\" = \"1\"; "),
        (
            .xml, "<plist version=\"1.0\"><dict><key>lives</key><integer>3</integer><!-- <key>cheat</key><true/>",
            "<plist version=\"1.0\"><dict><key>lives</key><integer>3</integer></dict>\n</plist>\n"
        ),
    ])
    func leavesOutACutComment(_ format: Format, _ text: String, _ repaired: String) throws {
        let found = try Self.report(Array(text.utf8), format)
        #expect(found.text == repaired)
        #expect(found.losses == ["doubtful (root)", "doubtful (root)"])
        #expect(found.2.losses.contains { $0.message.contains("the comment that begins here is not closed") })
        #expect(found.2.lostCount == 0)
    }

    @Test func findsNothingInACutComment() {
        let text = "/* Class = \"NSButton\"; title = \"Old\"; "
        #expect(throws: Problem.self) { try Self.report(Array(text.utf8), .openStep) }
    }

    /// The ends of the containers around a comment prove that the text is not cut off in it.
    @Test func readsBehindADamagedEndOfAComment() throws {
        let json = try Self.report(Array(#"{"a": {"b": 1, /* x *! "c": 2}, "d": 3}"#.utf8), .json)
        #expect(json.text == #"{"a": {"b": 1, "c": 2}, "d": 3}"#)
        let xml = try Self.report(
            Array(Self.xml("<key>a</key><true/><!-- x --!<key>b</key><true/>").utf8), .xml)
        #expect(xml.text == Self.xml("<key>a</key><true/><key>b</key><true/>"))
    }

    /// A word that is left over looks like the beginning of a binary file.
    @Test func writesNoFileOfAnotherFormat() {
        #expect(throws: Problem.self) { try Self.report(Array("bplis;00".utf8), .openStep) }
        #expect(throws: Never.self) { try Self.report(Array("apple;00".utf8), .openStep) }
    }

    /// UTF-16 stays UTF-16 where the format allows it.
    @Test func repairsUTF16() throws {
        let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<plist><dict><key>a</key><string>x</string><key>b"
        let stored = StoredEncoding(encoding: .utf16(bigEndian: false), hasMark: true)
        let file = try #require(stored.encode(Array(text.utf8)))
        let found = try Self.report(Array(file.dropLast()), .xml)
        let repaired =
            "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<plist><dict><key>a</key><string>x</string></dict>\n</plist>\n"
        #expect(found.2.bytes == stored.encode(Array(repaired.utf8)))
        let json = try Self.report(try #require(stored.encode(Array("{\"a\": [1, 2".utf8))), .json)
        #expect(json.text == "{\"a\": [1, null]}")
        #expect(json.losses == ["missing /a/1", "doubtful (root)"])
    }

    /// A member that begins a line belongs to the container whose members have its indentation.
    private static func wide(_ text: String, isBigEndian: Bool) -> [UInt8] {
        let units = [0xFEFF] + Array(text.utf16)
        return units.flatMap { unit in
            let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
            return isBigEndian ? bytes.reversed() : bytes
        }
    }

    /// Appended bytes and converted line ends are undone exactly, as in UTF-8.
    @Test(arguments: [true, false])
    func repairsUTF16Exactly(_ isBigEndian: Bool) throws {
        let xml = "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<plist version=\"1.0\">\n<true/>\n</plist>\n"
        let original = Self.wide(xml, isBigEndian: isBigEndian)
        for rest in [[0], [0, 0], [UInt8](repeating: 0, count: 512), [0x0A]] as [[UInt8]] {
            let salvage = try Format.xml.definition.salvage(original + rest, limits: Limits())
            // The white space after the root is kept or removed with the other bytes.
            #expect(original.starts(with: salvage.bytes) && salvage.isProved, "\(rest.count): \(salvage.losses)")
            #expect(!salvage.isSound)
        }
        let converted = original.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        let salvage = try Format.xml.definition.salvage(converted, limits: Limits())
        #expect(salvage.bytes == original && salvage.isProved)
        #expect(salvage.repairs.map(\.id) == ["salvage.line-ends"])
    }

    /// JSON in UTF-16 becomes UTF-8, with every value.
    @Test(arguments: [true, false]) func repairsJSONInUTF16Exactly(_ isBigEndian: Bool) throws {
        let text = "{\"a\": 1,\n \"b\": \"Zo\u{EB}\"}\n"
        let original = Self.wide(text, isBigEndian: isBigEndian)
        let converted = original.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        for damaged in [original, original + [0x0A], original + [0, 0, 0], converted] {
            let salvage = try Format.json.definition.salvage(damaged, limits: Limits())
            #expect(text.utf8.starts(with: salvage.bytes) && salvage.isProved, "\(salvage.losses)")
            #expect(salvage.foundCount == 3)
        }
    }

    /// UTF-16 that was read as UTF-8 has three bytes for each byte that is not ASCII.
    @Test func findsReplacedBytesInUTF16() {
        let wide = Self.wide("<plist><string>M\u{FC}ller</string></plist>", isBigEndian: false).dropFirst(2)
        let replaced: [UInt8] = wide.flatMap { $0 == 0xFC ? [0xEF, 0xBF, 0xBD] : [$0] as [UInt8] }
        let text = DamagedText(replaced)
        #expect(String(decoding: text.bytes, as: UTF8.self) == "<plist><string>M\u{FFFD}ller</string></plist>")
        #expect(text.replacements.count == 1)
    }

    /// A dictionary that stands for a single value needs all of it.
    @Test(arguments: [
        (##"{"t": {"$da"##, ##"{"t": null}"##), (##"{"t": {"$date": {"$real": "na"##, ##"{"t": null}"##),
        (##"{"u": {"$uid": 3}, "t": {"##, ##"{"u": {"$uid": 3}, "t": null}"##), (##"{"t": {"##, ##"{"t": {}}"##),
        (##"{"t": {"$data": "3q0"##, ##"{"t": null}"##),
    ])
    func losesCutTags(_ text: String, _ repaired: String) throws {
        #expect(try Self.report(Array(text.utf8), .json).text == repaired)
    }

    @Test(arguments: ["<dict>", "<dict><key>CF$U", "<dict><key>CF$UID</key>", "<dict><key>CF$UID</key><inte"])
    func losesCutUIDs(_ rest: String) throws {
        let uid = "<dict><key>CF$UID</key><integer>5</integer></dict>"
        let text = "<plist><array>\(uid)\(rest)"
        let salvage = try Format.xml.definition.salvage(Array(text.utf8), limits: Limits())
        let root = salvage.document.object(salvage.document.root)
        #expect(salvage.document.object(salvage.document.reference(1, of: root)).kind.isString)
        #expect(salvage.losses.contains { $0.kind == .missing })
    }

    /// In texts of Geometry Dash, the root has a long name, and other containers have short ones.
    @Test func closesLongAndShortNames() throws {
        let text =
            "<plist version=\"1.0\" gjver=\"2.0\"><dict><k>a</k><d><k>b</k><a><i>1</i></a></d><k>c</k><d><k>d</k><i>"
        let start = "<plist version=\"1.0\" gjver=\"2.0\"><dict>".utf8.count
        for count in start..<text.utf8.count {
            let salvage = try Format.xml.definition.salvage(Array(text.utf8.prefix(count)), limits: Limits())
            #expect(!salvage.losses.isEmpty)
        }
        let salvage = try Format.xml.definition.salvage(Array(text.utf8), limits: Limits())
        #expect(String(decoding: salvage.bytes, as: UTF8.self).hasSuffix("<k>d</k><s></s></d></dict>\n</plist>\n"))
    }

    @Test func readsWordsOfGNUstepBeforeACut() throws {
        let text = "{ lang = c++; x = 1; y = (a*b, 2"
        let salvage = try Format.openStep.definition.salvage(Array(text.utf8), limits: Limits())
        #expect(salvage.format == .gnustep)
        #expect(salvage.losses.count == 2 && salvage.lostCount == 1)
    }

    /// The beginning of a text may be overwritten.
    @Test func readsJSONWithoutItsBeginning() throws {
        let text = ##"{"name": "Ada", "gems": 7, "items": [1, 2], "keys": {"a": 1, "b": 2}}"##
        for damaged in [Array(text.utf8.dropFirst(5)), [UInt8](repeating: 0, count: 5) + text.utf8.dropFirst(5)] {
            #expect(try Format.recognizeDamaged(damaged) == .json)
            let salvage = try Format.json.definition.salvage(damaged, limits: Limits())
            #expect(salvage.foundCount == 8)
        }
    }

    /// Keys are not values: all values of this text came back, and a key did not.
    @Test func countsKeysApart() throws {
        let salvage = try Self.report(Array(##"{"a": 1, "b: 2, "c": [3, 4]}"##.utf8), .json).2
        #expect(salvage.foundCount == 6 && salvage.lostCount == 0)
        #expect(salvage.losses.reduce(0) { $0 + $1.keyCount } == 1)
    }

    @Test func findsContainersByIndentation() throws {
        let text =
            "{\n  \"a\": {\n    \"x\": 1,\n    \"y\": \u{1}\n    \u{1}\n  \u{1},\n  \"b\": 2,\n  \"c\": \u{1}\n}\n"
        let found = try Self.report(Array(text.utf8), .json)
        let expected = try Self.report(Array("{\"a\": {\"x\": 1, \"y\": null}, \"b\": 2, \"c\": null}".utf8), .json)
        #expect(try Self.json(found.2.document) == Self.json(expected.2.document))
    }

    static let hostile: [(Format, String, String)] = [
        (.xml, "<plist><dict>", "<key>"), (.xml, "<plist><dict>", "<key>a&</key>"), (.xml, "<plist><dict>", "</key>"),
        (.xml, "<plist><dict>", "<key>a</key></dict>"), (.xml, "", "<plist"), (.xml, "", "<dict"), (.xml, "", "\0<"),
        (.xml, "<plist><array>", "<string>&</string>"), (.xml, "<plist><array>", "</array><true/>"),
        (.xml, "<plist><array>", "</array>\u{1}<true/>"), (.xml, "<plist><dict>", "<string>a</string>\u{1}"),
        (.json, "{", "\""), (.json, "", "{"), (.json, "{", "\"a: 1, "), (.json, "{", "\"a: 1, \"true\": 2, "),
        (.json, "{", ":1,"), (.json, "{\"", "\\\":\\\""), (.json, "{\"k", ":\\\" "), (.json, "[", "1],"),
        (.json, "[", "[1]],"),
        (.json, "[", "\"x, \"y\" "), (.json, "{", "\"lost key 1\": \u{1}, x\": 1, "), (.json, "{", "\"a\":\u{1}\"b\","),
        (.json, "{", "}\"a\":1,"), (.json, "", "/*"), (.json, "{", "/*\0 //\0 "), (.xml, "<plist><dict>", "<!--\0"),
        (.json, "", "[}"), (.json, "", "a "),
        (.json, "{", "\n  \u{1}\"a\": 1"),
        (.openStep, "{", "a = \u{1}; = 1; "), (.openStep, "{", "\"a = b; c\" d "), (.openStep, "{", "};a=1;"),
        (.openStep, "(", "/*"), (.openStep, "{", "a\u{1}=b;"), (.gnustep, "{", "<*I1>;a="), (.gnustep, "{", "<[a"),
    ]

    @Test(arguments: hostile)
    func takesLinearTime(_ format: Format, _ start: String, _ unit: String) throws {
        let isLinear = try Growth.isLinear(to: TestScale.count(8_000, long: 200_000)) { count in
            let text = Array(start.utf8) + (0..<count / unit.utf8.count).flatMap { _ in Array(unit.utf8) }
            return { _ = try? format.definition.salvage(text, limits: Limits()) }
        }
        #expect(isLinear)
    }

    /// The time of decoding is linear, too: bytes that are not text, halves of characters, and shifts at every place.
    @Test(
        arguments: [
            [0xFF], [0xE2, 0x82], [0x00, 0xD8], [0x22, 0x00, 0x61], [0x61, 0x00, 0x00, 0x62], [0x00, 0x61],
        ] as [[UInt8]])
    func decodesInLinearTime(_ unit: [UInt8]) throws {
        let isLinear = try Growth.isLinear(to: TestScale.count(40_000, long: 400_000)) { count in
            let text: [UInt8] = [0xFF, 0xFE, 0x5B, 0x00] + (0..<count / unit.count).flatMap { _ in unit }
            let narrow: [UInt8] = [0x5B, 0x22] + (0..<count / unit.count).flatMap { _ in unit }
            return {
                _ = try? Format.json.definition.salvage(text, limits: Limits())
                _ = try? Format.json.definition.salvage(narrow, limits: Limits())
            }
        }
        #expect(isLinear)
    }

    /// A changed bit is changed back if no other one near the damage makes the text valid. The value stays doubtful.
    @Test(arguments: [
        (Format.xml, "<inteGer>5</integer>", "<integer>5</integer>"), (.openStep, "5\u{1B}", "5;"),
        (.openStep, "\"Bob\"\u{1B}", "\"Bob\";"),
    ])
    func changesABitBack(_ format: Format, _ damaged: String, _ value: String) throws {
        func text(_ value: String) -> String {
            format == .xml
                ? Self.xml("<key>a</key><dict><key>b</key>\(value)</dict><key>c</key><true/>")
                : "{ a = { b = \(value) }; c = 1; }"
        }
        let (repaired, losses, salvage) = try Self.report(Array(text(damaged).utf8), format)
        #expect(repaired == text(value))
        #expect(losses == ["doubtful /a/b"] || format == .openStep && losses == ["doubtful /a"], "\(losses)")
        #expect(!salvage.isProved)
        #expect(salvage.losses.first?.message.contains("became") == true)
    }

    /// A shorter version was written over the beginning, so that the end of one dictionary became part of another.
    @Test func doubtsDuplicateKeys() throws {
        let text = #"{"a": {"hp": 1, "speed": 2}, "b": {"x": 3, "hp": 150, "hp": 4}, "c": ["#
        let (_, losses, _) = try Self.report(Array(text.utf8), .json)
        #expect(losses.contains("doubtful /b") && !losses.contains("doubtful /a"), "\(losses)")
    }

    // MARK: Text that readers skip

    /// The reader ignores the text after a bad pair of a strings file, as Foundation does.
    @Test func readsThePairsAfterIgnoredText() throws {
        let text = #""a" = "1";\n<b>Notice</b>: Undefined variable\n"b" = "2";\n"c" = "3";\n"#
            .replacing("\\n", with: "\n")
        let (_, losses, salvage) = try Self.report(Array(text.utf8), .openStep)
        #expect(try Self.json(salvage.document).contains(#""b": "2""#))
        #expect(!salvage.isProved && !losses.isEmpty)
        #expect(salvage.contradiction?.id == "openstep.ignored-text")
        // Without pairs, the ignored text is no damage.
        for rest in ["<b>Notice</b>\n", "; }\n", "= a\n"] {
            let sound = try Self.report(Array(("\"a\" = \"1\";\n" + rest).utf8), .openStep).2
            #expect(sound.isSound, "\(rest)")
        }
    }

    /// A block of other bytes hides the end of a comment, and a pair after it.
    @Test func doubtsMembersInADamagedComment() throws {
        let block = [UInt8](repeating: 0xFF, count: 16)
        let text = Array("{\n/* one".utf8) + block + Array(" */\na = 1;\n}\n".utf8)
        let (_, losses, salvage) = try Self.report(text, .openStep)
        #expect(losses == ["doubtful (root)"])
        #expect(salvage.isLostCountUnknown)
        // A single byte may be a letter of another encoding.
        let letter = Array("{\n/* one\u{FF} */\na = ".utf8).map { $0 == 0xC3 ? 0x41 : $0 } + Array("1;\n}\n".utf8)
        #expect(try Self.report(letter, .openStep).1.isEmpty)
    }

    /// A block of other values is before the root.
    @Test func losesValuesBeforeTheRoot() throws {
        let text = "<?xml version=\"1.0\"?>\n<!DOCTYPE pli</key><string>x</string>\n" + Self.xml("<key>a</key><true/>")
        let (_, losses, salvage) = try Self.report(Array(text.utf8), .xml)
        #expect(losses == ["value ?", "doubtful (root)"])
        #expect(salvage.isLostCountUnknown)
    }
}
