import TestSupport
import Testing

@testable import SaveCodec

/// Damaged texts keep everything that reads, and mark the rest.
@Suite struct TextSalvageTests {
    private static let json = """
        {
          "name": "Zo\u{EB} \\"the\\" 1st",
          "gems": 1234,
          "levels": [
            {"id": 1, "best": 10.5, "tags": ["a", "b, c", "}"]},
            {"id": 2, "best": -3e2, "tags": []},
            {"id": 3, "best": 0, "done": true, "note": null}
          ],
          "options": {"music": false, "sound": {"left": 7, "right": 8}},
          "last": "end"
        }

        """
    private static let openStep = """
        {
            name = "Zo\u{EB} \\"the\\" 1st";
            gems = 1234;
            levels = (
                {id = 1; best = 10.5; tags = (a, "b, c", "}"); },
                {id = 2; best = 300; tags = (); },
                {id = 3; best = 0; icon = <0fbd 77>; }
            );
            options = {music = NO; sound = {left = 7; right = 8; }; };
            last = end;
        }

        """
    private static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
        \t<key>name</key>
        \t<string>Zo\u{EB} &lt;the&gt; 1st</string>
        \t<key>gems</key>
        \t<integer>1234</integer>
        \t<key>levels</key>
        \t<array>
        \t\t<dict><key>id</key><integer>1</integer><key>best</key><real>10.5</real></dict>
        \t\t<dict><key>id</key><integer>2</integer><key>tags</key><array/></dict>
        \t\t<dict><key>id</key><integer>3</integer><key>done</key><true/><key>icon</key><data>D713</data></dict>
        \t</array>
        \t<key>options</key>
        \t<dict><key>music</key><false/><key>sound</key><dict><key>left</key><integer>7</integer></dict></dict>
        \t<key>last</key>
        \t<string>end</string>
        </dict>
        </plist>

        """

    enum Kind: String, CaseIterable { case json, openStep, xml }

    private static func text(_ kind: Kind) -> [UInt8] {
        switch kind {
        case .json: Array(json.utf8)
        case .openStep: Array(openStep.utf8)
        case .xml: Array(xml.utf8)
        }
    }

    private static func salvage(_ text: [UInt8], _ kind: Kind) throws(Problem) -> Salvage {
        let limits = Limits()
        switch kind {
        case .json: return try Format.json.definition.salvage(text, limits: limits)
        case .openStep: return try Format.openStep.definition.salvage(text, limits: limits)
        case .xml: return try Format.xml.definition.salvage(text, limits: limits)
        }
    }

    /// Returns the scalars of a document by address, and the addresses of its containers.
    private static func values(_ document: Document) -> [String: String] {
        var values: [String: String] = [:]
        var stack = [(document.root, JSONPointer.root)]
        while let (id, address) = stack.popLast() {
            let object = document.object(id)
            guard object.kind.isContainer else {
                var output = ByteWriter()
                try? JSON.write(document.rooted(at: id), to: &output)
                values[address.description] = String(decoding: output.takeBytes(), as: UTF8.self)
                continue
            }
            values[address.description] = object.kind == .dictionary ? "{}" : "[]"
            for position in 0..<object.count {
                var inner = address
                let step = object.kind == .dictionary ? object.count + position : position
                document.append(step: step, of: object, to: &inner)
                stack.append((document.member(position, of: object), inner))
            }
        }
        return values
    }

    /// Checks that every value of a salvage is equal to the original, or marked, or in a container that is marked.
    ///
    /// - Returns: The number of scalars that are equal to the original.
    private static func check(
        _ salvage: Salvage, of original: [String: String], _ comment: String, strict: Bool = false
    ) -> Int {
        let found = values(salvage.document)
        var (lost, doubtful): (Set<String>, Set<String>) = ([], [])
        for loss in salvage.losses {
            guard case .address(let address) = loss.place else { continue }
            if loss.kind == .doubtful {
                doubtful.insert(address.description)
            } else {
                lost.insert(address.description)
            }
        }
        var equal = 0
        for (address, value) in found {
            if lost.contains(address) { continue }
            if original[address] == value {
                equal += 1
                continue
            }
            var isMarked = doubtful.contains(address) || doubtful.contains("(root)")
            var parent = address[...]
            while let slash = parent.lastIndex(of: "/") {
                parent = parent[..<slash]
                isMarked = isMarked || doubtful.contains(String(parent))
            }
            #expect(
                !strict && isMarked,
                "\(comment): \(address) is \(value), not \(original[address] ?? "nothing")")
        }
        return equal
    }

    /// A text that is cut off anywhere keeps all complete values, and no shortened one.
    @Test(arguments: Kind.allCases)
    func closesWhatIsCutOff(_ kind: Kind) throws {
        let text = Self.text(kind)
        let original = Self.values(try Self.salvage(text, kind).document)
        var best = 0
        for count in 1..<text.count - 1 {
            guard let salvage = try? Self.salvage(Array(text[..<count]), kind) else { continue }
            let equal = Self.check(salvage, of: original, "\(kind) cut at \(count)", strict: true)
            #expect(!salvage.isProved || salvage.losses.isEmpty)
            best = max(best, equal)
        }
        #expect(best >= original.count - 1)
    }

    /// Bytes that are overwritten anywhere are lost, and everything after them is found again.
    @Test(
        arguments: Kind.allCases,
        [[0, 0, 0, 0, 0, 0], [0xFF], [0x41, 0, 0x22, 0x3C, 0x80, 0x7B, 0x2C, 0x7D]] as [[UInt8]])
    func skipsDamage(_ kind: Kind, _ block: [UInt8]) throws {
        let text = Self.text(kind)
        let original = Self.values(try Self.salvage(text, kind).document)
        var (equal, count) = (0, 0)
        for start in stride(from: 0, to: text.count - block.count, by: TestScale.isLong ? 1 : 3) {
            let damaged = Array(text[..<start]) + block + text[(start + block.count)...]
            guard let salvage = try? Self.salvage(damaged, kind) else { continue }
            // Damage within comments or blanks, or that reads, cannot be found.
            guard !salvage.losses.isEmpty else { continue }
            // A word before the damage reads as the root. Everything after it is lost.
            if salvage.losses.last?.place == .unknown, salvage.document.count == 1 { continue }
            equal += Self.check(salvage, of: original, "\(kind) damaged at \(start)")
            count += 1
        }
        #expect(count > text.count / (TestScale.isLong ? 2 : 6))
        #expect(equal * 100 > original.count * count * 75, "\(equal) of \(original.count * count)")
    }

    static let repairedTexts: [(kind: Kind, text: String, repaired: String, losses: [String])] = [
        (
            .json, "{\"a\": 1, \"b\": \u{1}\u{1}, \"c\": 3}", "{\"a\": 1, \"b\": null, \"c\": 3}",
            ["value /b", "doubtful (root)"]
        ),
        (.json, "[1, 2, 3", "[1, 2, null]", ["missing /2"]),
        (.json, "[1, 2, ", "[1, 2]", ["doubtful (root)"]),
        (
            .json, "{\"a\": {\"b\": \"x", "{\"a\": {\"b\": null}}",
            ["missing /a/b", "doubtful (root)"]
        ),
        (.json, "{\"a\": {\"$date\": 12", "{\"a\": null}", ["missing /a"]),
        (.json, "{\"a\": 1 \"b\": 2}", "{\"a\": 1 , \"b\": 2}", ["doubtful (root)"]),
        (
            .json, "{\"a\": [1, \u{1}\u{1}, 3], \"b\": 2}", "{\"a\": [1, null, 3], \"b\": 2}",
            ["value /a/1", "doubtful /a", "doubtful (root)"]
        ),
        (.json, "{\"a\": 1}\0\0", "{\"a\": 1}", []),
        // The text may have been appended, or have overwritten the end of the root.
        (.json, "{\"a\": 1}\nsaved by Game 2", "{\"a\": 1}\n", ["doubtful (root)"]),
        (.json, "[\"see [1] for more\", 22] for more", "[\"see [1] for more\", 22] ", ["doubtful (root)"]),
        (.json, "[ 1] see //x\"]", "[ 1] ", ["doubtful (root)"]),
        (.json, "{\"a\": 1}}", "{\"a\": 1}", ["doubtful (root)", "doubtful (root)"]),
        (.xml, "<plist><array/></plist>\n/plist>", "<plist><array/></plist>\n", ["doubtful (root)"]),
        (.xml, "<plist><true/></plist>\nsaved", "<plist><true/></plist>\n", ["value ?"]),
        (.openStep, "{a = 1; } saved", "{a = 1; } ", ["doubtful (root)"]),
        (.openStep, "{a = 1; b = \u{1}\u{1}; c = 3;}", "{a = 1; b = \"\"; c = 3;}", ["value /b", "doubtful (root)"]),
        (.openStep, "{a = (1, 2", "{a = (1, \"\"); }", ["missing /a/1", "doubtful (root)"]),
        (.openStep, "a = 1;\nb = \"x", "a = 1;\nb = \"\"; ", ["missing /b"]),
        (
            .xml, "<plist><dict><key>a</key><integer>1</int\0\0\0er><key>b</key><true/></dict></plist>",
            "<plist><dict><key>a</key><integer>1</integer><key>b</key><true/></dict></plist>",
            ["doubtful /a", "doubtful (root)"]
        ),
        (
            .xml, "<plist><dict><key>a</key><array><integer>1</integer><inte",
            "<plist><dict><key>a</key><array><integer>1</integer><string></string></array></dict>\n</plist>\n",
            ["missing /a/1", "doubtful (root)"]
        ),
        (.xml, "<plist><true/></plist>\0\0", "<plist><true/></plist>", []),
        (
            .xml, "<plist><true/></plist>\n<?xml version=\"1.0\"?><plist><false/></plist>", "<plist><true/></plist>\n",
            []
        ),
        (.json, "{\"a\": {\"x\": 1}}, \"b\": [3]}", "{\"a\": {\"x\": 1}, \"b\": [3]}", ["doubtful (root)"]),
        (.json, "{\"a\": 1} {\"b\": 2}", "{\"a\": 1} ", []),
        (.json, "{\"a\": 1 234, \"b\": 2}", "{\"a\": 1 , \"b\": 2}", ["doubtful /a", "value ?", "doubtful (root)"]),
        (.json, "{\"a\": 1,234, \"b\": 2}", "{\"a\": 1,\"b\": 2}", ["doubtful /a", "value ?", "doubtful (root)"]),
        // A string that is not closed does not hide the ones before it.
        (
            .json, "{\"a\": \u{1}, \"b\": \"hello\", \"c\": 3, \"d\": \"cut",
            "{\"a\": null, \"b\": \"hello\", \"c\": 3, \"d\": null}",
            ["value /a", "doubtful (root)", "missing /d"]
        ),
        // Other readers refuse a comma before the end.
        (
            .json, "{\"a\": [1,\n], \"b\": \u{1}, \"c\": 2,}", "{\"a\": [1 \n], \"b\": null, \"c\": 2 }",
            ["value /b", "doubtful (root)"]
        ),
        (.json, "8\": \"0\", \"b\": \"4\", \"c\": 0}", "{\"b\": \"4\", \"c\": 0}", ["doubtful (root)", "value ?"]),
        // A bracket in text between two strings begins no list.
        (
            .openStep, "a = \"x;\nb = \"y (1, 2)\";\nc = \"z\";\n", "a = \"x;\nb = \"; c = \"z\";\n",
            ["doubtful /a", "value ?", "doubtful (root)"]
        ),
        // A strings file has no end of its root.
        (
            .openStep, "a = 1;\n|;}\nc = 3;\n", "a = 1;\n\"lost key 1\"= 3;\n", ["doubtful (root)", "key /lost key 1"]
        ),
        // The end tag belongs to the outer dictionary.
        (
            .xml, "<plist version=\"1.0\" gjver=\"2.0\"><dict><k>a</k><d><k>b</k><t/></dict></plist>",
            "<plist version=\"1.0\" gjver=\"2.0\"><dict><k>a</k><d><k>b</k><t/></d></dict></plist>", ["doubtful (root)"]
        ),
        (
            .xml, "<plist><array><string>a\0\0</string><true/></array></plist>",
            "<plist><array><string></string><true/></array></plist>", ["value /0", "doubtful (root)"]
        ),
    ]

    @Test(arguments: repairedTexts)
    func repairs(_ kind: Kind, _ text: String, _ repaired: String, _ losses: [String]) throws {
        let salvage = try Self.salvage(Array(text.utf8), kind)
        #expect(String(decoding: salvage.bytes, as: UTF8.self) == repaired)
        let found = salvage.losses.map { loss in
            if case .address(let address) = loss.place {
                "\(loss.kind) \(address)"
            } else {
                "\(loss.kind) ?"
            }
        }
        #expect(found == losses)
        #expect(salvage.isProved == (losses.isEmpty && salvage.secondFile == nil))
    }

    /// A damaged XML declaration is replaced.
    @Test func replacesTheStartOfXML() throws {
        let salvage = try Self.salvage(Array("<?xml ver\0\0\0?><plist><true/></plist>".utf8), .xml)
        #expect(
            String(decoding: salvage.bytes, as: UTF8.self)
                == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist><true/></plist>")
        #expect(salvage.losses.isEmpty && !salvage.isProved)
    }

    @Test func namesASecondFile() throws {
        let salvage = try Self.salvage(Array("{\"a\": 1} {\"b\": 2}".utf8), .json)
        #expect(salvage.losses.isEmpty && !salvage.isProved && salvage.secondFile == 9..<17)
    }

    /// Strings and sections in which every position might begin another, after damage.
    @Test(arguments: [
        ("[1 \u{1} \"", "\\\"", "\" \u{1} 2]", Kind.json), ("[1 \u{1} \"", "\\\"", "\\x\" \u{1} 2]", .json),
        ("(1, \u{1} \"", "\\\"", "\" \u{1} 2)", .openStep),
        ("<plist><array>\u{1}", "<key><![CDATA[", "]]></key> x </array></plist>", .xml),
        ("<plist><array>\u{1}", "<key><![CDATA[", "]]></data> x </array></plist>", .xml),
    ])
    func escapedStringsTakeLinearTime(_ start: String, _ unit: String, _ end: String, _ kind: Kind) throws {
        let isLinear = try Growth.isLinear(to: TestScale.count(8000, long: 40_000)) { count in
            let text = Array(start.utf8) + (0..<count).flatMap { _ in Array(unit.utf8) } + Array(end.utf8)
            return { _ = try? Self.salvage(text, kind) }
        }
        #expect(isLinear, "\(start)\(unit)")
    }

    /// Nothing is left of these texts.
    @Test(arguments: ["", "\0\0", "\u{1}x", "}", "]]", "\"abc"])
    func findsNothing(_ text: String) {
        #expect(throws: Problem.self) { try Self.salvage(Array(text.utf8), .json) }
    }

    @Test(
        arguments: [
            "[", "{\"a\":", "[1,\u{1}", "{\"a\":1\u{1}", "\"\\\"", "/*", "{\"a\" \"b\"}", "[}", "{]", ",",
            "1 ", "<!--", "<dict>",
            "<key>a", "<key>a</key>", "<string>a</string>\u{1}", "(a,\u{1}", "{a=\u{1};", "'\\'", "<*",
            "a=b;\u{1}", "<![CDATA[",
        ])
    func takesLinearTime(_ unit: String) throws {
        for kind in Kind.allCases {
            let isLinear = try Growth.isLinear(to: TestScale.count(2000, long: 40_000)) { count in
                let start = kind == .xml ? "<array>" : kind == .json ? "[" : "("
                let text = Array(start.utf8) + (0..<count).flatMap { _ in Array(unit.utf8) }
                return { _ = try? Self.salvage(text, kind) }
            }
            #expect(isLinear, "\(kind)")
        }
    }
}
