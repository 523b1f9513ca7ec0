import TestSupport
import Testing

@testable import SaveCodec

/// Tags whose bytes are damaged, and texts whose first bytes are missing.
@Suite struct DamagedMarkupTests {
    private static func salvage(_ text: String, _ format: Format) throws(Problem) -> (text: String, Salvage) {
        let salvage = try format.definition.salvage(Array(text.utf8), limits: Limits())
        return (String(decoding: salvage.bytes, as: UTF8.self), salvage)
    }

    private static func isDoubtful(_ address: String, in salvage: Salvage) throws -> Bool {
        let address = try #require(JSONPointer(address))
        return salvage.losses.contains { $0.kind == .doubtful && $0.place == .address(address) }
    }

    // MARK: End tags

    private static func list(_ members: String) -> String {
        "<plist version=\"1.0\">\n<dict>\n\t<key>b</key>\n\t<integer>1</integer>\n\(members)"
            + "\t<key>c</key>\n\t<true/>\n</dict>\n</plist>\n"
    }

    /// Another byte in place of each byte of an end tag, two other bytes, a missing one and an extra one.
    @Test(arguments: ["string", "key", "integer", "data"]) func keepsAScalarWithADamagedEndTag(_ element: String) throws
    {
        let contents = ["integer": "12", "data": "QUJD"][element] ?? "abc"
        let tag = Array("</\(element)>".utf8)
        var tags = tag.indices.map { offset in tag[..<offset] + [offset == 0 ? 0x7C : 0x58] + tag[(offset + 1)...] }
        tags += tag.indices.dropLast().map { offset in tag[..<offset] + tag[(offset + 1)...] }
        tags += (2..<tag.count).map { offset in tag[..<offset] + [0x58] + tag[offset...] }
        if tag.count > 8 {
            tags += (2..<tag.count - 2).map { offset in tag[..<offset] + [1, 2] + tag[(offset + 2)...] }
        }
        func member(_ end: some Sequence<UInt8>) -> String {
            let scalar = "<\(element)>\(contents)\(String(decoding: Array(end), as: UTF8.self))"
            return element == "key" ? "\t\(scalar)\n\t<true/>\n" : "\t<key>a</key>\n\t\(scalar)\n"
        }
        let original = Self.list(member(tag))
        for end in tags {
            let (text, salvage) = try Self.salvage(Self.list(member(end)), .xml)
            // Without the slash, the tag may be the beginning of another element.
            let isStart = end.elementsEqual("<\(element)>".utf8)
            #expect((text == original) == !isStart, "\(String(decoding: Array(end), as: UTF8.self)): \(text)")
            let address = element == "key" ? "/abc" : "/a"
            #expect(try isStart || Self.isDoubtful(address, in: salvage) && Self.isDoubtful("", in: salvage))
        }
    }

    /// A character before an incomplete tag is a part of the contents, unless they would not be valid.
    @Test(arguments: [
        ("<string>0123string>", "<string>0123</string>"), ("<string>abcX/string>", "<string>abcX</string>"),
        ("<string>a/string>", "<string>a</string>"), ("<integer>124/integer>", "<integer>124</integer>"),
        ("<data>QUI=/data>", "<data>QUI=</data>"),
    ])
    func keepsTheLastCharacterBeforeADamagedEndTag(_ scalar: String, _ restored: String) throws {
        let (text, salvage) = try Self.salvage(Self.list("\t<key>a</key>\n\t\(scalar)\n"), .xml)
        #expect(text == Self.list("\t<key>a</key>\n\t\(restored)\n"))
        let isDoubtful = !scalar.hasPrefix("<data>")
        #expect(salvage.losses.contains { $0.message.hasSuffix("; its last character is doubtful") } == isDoubtful)
    }

    @Test func reportsBothFaultsOfAScalar() throws {
        let (text, salvage) = try Self.salvage(Self.list("\t<key>a</key>\n\t<string>A & B</strinh>\n"), .xml)
        #expect(text == Self.list("\t<key>a</key>\n\t<string>A &amp; B</string>\n"))
        let messages = salvage.losses.map(\.message)
        #expect(
            messages.contains(
                "an & that begins no reference was kept as text; its end tag is damaged and was restored"))
    }

    /// Text that has no end, or an end tag of something else, is lost.
    @Test(arguments: [
        "<string>abc</k>", "<string>abc</array>", "<string>abc", "<integer>x</inteXer>", "<string>abcring>",
    ])
    func losesAScalarWithoutItsEndTag(_ scalar: String) throws {
        let (text, salvage) = try Self.salvage(Self.list("\t<key>a</key>\n\t\(scalar)\n"), .xml)
        #expect(text == Self.list("\t<key>a</key>\n\t<string></string>").replacing("\t<key>c", with: "<key>c"))
        #expect(salvage.lostCount > 0)
    }

    /// UTF-16 whose declaration was kept when it was converted from UTF-8.
    @Test func correctsTheDeclarationOfUTF16() throws {
        let text = Self.start.joined() + "<array/></plist>"
        let file: [UInt8] = [0xFF, 0xFE] + text.utf8.flatMap { [$0, 0] }
        let salvage = try Format.xml.definition.salvage(file, limits: Limits())
        #expect(salvage.losses.isEmpty && salvage.repairs.map(\.id) == ["salvage.markup"])
        let bytes = salvage.bytes
        #expect(bytes.starts(with: [0xFF, 0xFE]) && salvage.document.warnings.isEmpty)
    }

    @Test func completesTheLastTag() throws {
        let whole = Self.list("")
        for count in 2...8 {
            let (text, salvage) = try Self.salvage(String(whole.dropLast(count)), .xml)
            #expect(text == whole && salvage.losses.isEmpty && !salvage.isProved)
        }
    }

    // MARK: Markup before the root

    private static let start = [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
        "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n",
        "<plist version=\"1.0\">",
    ]

    /// The reader accepts any attributes, but other readers of XML do not.
    @Test(arguments: [
        "<plist version=\",.0>", "<plist version=\"1<0\">", "<plist versi=n=\"1.0\">", "<plist version=1.0\">",
        "<plist version\"1.0\">", "<plist version=\"1.0\"x>", "<plist version=\"1&0\">",
    ])
    func replacesAMalformedTag(_ tag: String) throws {
        let rest = "\n<string>a</string>\n</plist>\n"
        let (text, salvage) = try Self.salvage(Self.start[0] + Self.start[1] + tag + rest, .xml)
        #expect(text == Self.start.joined() + rest)
        #expect(salvage.losses.isEmpty && !salvage.isProved && salvage.repairs.map(\.id) == ["salvage.markup"])
        #expect(salvage.contradiction?.id == "salvage.markup")
    }

    @Test(arguments: [
        "<?xml vers on=\"1.0\" encoding=\"UTF-8\"?>\n", "<?xml version=\"1,0\"?>\n",
        "<!DOCTYPE plist PUBLI \"a\" \"b\">\n", "<!DOCTYPE plist PUBLIC \"-//A|ple\" \"b\">",
        "<!DOCTYPE plist PUBLIC \"a \"b\">",
    ])
    func replacesAMalformedBeginning(_ start: String) throws {
        let rest = Self.start[2] + "\n<string>a</string>\n</plist>\n"
        let (text, salvage) = try Self.salvage(start + rest, .xml)
        #expect(text == Self.start[0] + rest)
        #expect(salvage.losses.isEmpty && !salvage.isProved && salvage.contradiction?.id == "salvage.markup")
    }

    @Test(arguments: [
        "", "<plist>", "<plist version='1.0' >", "<plist\n version = \"1.0\" xmlns:x1=\"a\">", start[2],
        "<plist made-by=\"a &amp; b &#65;\" data-id='7' url=\"http://x/~me\">", "<?xml version=\"1.1\"?><plist>",
        "<!DOCTYPE plist SYSTEM \"~/plist.dtd\"><plist>",
        start.joined(),
        "<?xml version=\"1.0\" standalone='no' ?><!-- <plist version=\"> --><?x y?><!DOCTYPE plist SYSTEM \"a\"><plist>",
        "<?xml version=\"1.0\"?><!DOCTYPE plist><plist>",
        "<!--" + String(repeating: "x", count: 4080) + "--><plist a=\"b\">",
    ])
    func keepsWellFormedMarkup(_ start: String) throws {
        let file = start + "<dict>\n</dict>" + (start.isEmpty ? "" : "</plist>")
        let (text, salvage) = try Self.salvage(file, .xml)
        #expect(text == file && salvage.isSound)
    }

    // MARK: Missing beginnings

    private static let json = """
        {
          "name": "He\\"ro",
          "items": [
            {"id": 1},
            {"id": 2}
          ],
          "gold": 500
        }

        """

    /// The members after the damage come back, unless the rest begins with a bracket and so may be a whole text.
    @Test(arguments: [json, json.filter { $0 != " " && $0 != "\n" }])
    func readsJSONWithoutItsBeginning(_ text: String) throws {
        let end = try #require(text.utf8.lastIndex(of: UInt8(ascii: "g")))
        for start in text.utf8.indices.dropFirst() where start < text.utf8.index(before: end) {
            let rest = String(text[start...])
            let problem = #expect(throws: Problem.self) { try Document.read(Array(rest.utf8), as: .json) }
            let first = rest.utf8.first { $0 > 0x20 }
            guard first != UInt8(ascii: "{"), first != UInt8(ascii: "[") else { continue }
            #expect(problem?.diagnosed(in: Array(rest.utf8), Limits()).id == "damage.beginning")
            let (found, salvage) = try Self.salvage(rest, .json)
            #expect(found.contains("\"gold\"") && !salvage.losses.isEmpty, "\(rest): \(found)")
        }
    }

    /// No members are lost with a bracket.
    @Test func readsJSONWithoutItsFirstBracket() throws {
        let (text, salvage) = try Self.salvage(String(Self.json.dropFirst()), .json)
        #expect(salvage.lostCount == 0)
        #expect(text.filter { !$0.isWhitespace } == Self.json.filter { !$0.isWhitespace })
    }

    @Test(arguments: [
        "{\"a\": 1}}", "{\"a\": 1}", "x: {\"a\": 1}", "a = 1}", "[1]]", "}", "", "\"a\": 1", "f(\"a\": 1) }",
    ])
    func namesNoMissingBeginning(_ text: String) {
        #expect(!JSONSalvageSyntax.lacksBeginning(Array(text.utf8)))
    }
}
