import Foundation
import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import SaveInspection
@testable import SaveOperations

/// Files that come back whole: their first bytes are known, or one change of all bytes is undone.
@Suite struct RestoredFileTests {
    private static func fixture(_ name: String) -> [UInt8] { SalvagedSaveTests.fixture(name) }

    private static func report(on file: [UInt8]) -> Report {
        Validation(format: nil, layers: LayerOptions(), limits: Limits(), classes: []).report(on: file)
    }

    // MARK: First bytes

    @Test(
        arguments: [
            "databases/monsters.sqlite", "oldmac/swamp.save", "oldmac/swamp-powerpc.save", "wrapped/swamp.save.gz",
            "wrapped/preferences.plist.z",
        ], [1, 3, 8, 16])
    func restoresTheFirstBytes(_ name: String, _ count: Int) throws {
        let original = Self.fixture(name)
        let damaged = Array(original.dropFirst(count))
        // The header of gzip data has eight known bytes, and the one of zlib data has one.
        let known = name.hasSuffix(".z") ? 1 : name.hasSuffix(".gz") ? 8 : name.hasPrefix("databases") ? 16 : 15
        guard count <= known else {
            #expect((try? SalvagedSave(damaged, ReadOptions()))?.confidence != .proved)
            return
        }
        let salvaged = try SalvagedSave(damaged, ReadOptions())
        let isOwnTime = name.hasSuffix(".gz") && count > 3
        #expect(salvaged.file == original || isOwnTime)
        #expect(salvaged.losses.isEmpty && salvaged.salvage.repairs.map(\.id) == ["salvage.header"])
        // Streams have no checksum.
        let isProved = !name.hasPrefix("oldmac") && !isOwnTime
        #expect(salvaged.confidence == (isProved ? .proved : .complete))
        #expect(salvaged.cause?.id == "damage.beginning")
        #expect(Self.report(on: damaged).findings.contains { $0.problem.id == "damage.beginning" })
    }

    /// The checksum proves a text without brackets, which could be anything by itself.
    @Test func restoresTheFirstByteOfACompressedStringsFile() throws {
        let gzip = Layer.gzip(Gzip(header: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3], trailer: []))
        let original = gzip.wrap(Array("\"name\" = \"Swamp\";\n\"level\" = \"3\";\n".utf8))
        let salvaged = try SalvagedSave(Array(original.dropFirst()), ReadOptions())
        #expect(salvaged.file == original && salvaged.confidence == .proved)
    }

    /// The rest of the header is rebuilt from the pages.
    @Test(arguments: [20, 64, 99]) func readsADatabaseWithoutItsHeader(_ count: Int) throws {
        let original = Self.fixture("databases/monsters.sqlite")
        let salvaged = try SalvagedSave(Array(original.dropFirst(count)), ReadOptions())
        #expect(salvaged.confidence == .complete && salvaged.losses.isEmpty)
        #expect(salvaged.salvage.foundCount == (try Save(original, ReadOptions())).source.rowCount)
    }

    /// The file lacks the beginning of its XML declaration or, without one, of its first tag.
    @Test(arguments: [1, 2, 5, 16]) func restoresTheBeginningOfXML(_ count: Int) throws {
        let original = Self.fixture("games/swamp.xml.save")
        let tag = try #require(original.indices.first { original[$0...].starts(with: "<plist".utf8) })
        for text in [original, Array(original[tag...])] {
            let damaged = Array(text.dropFirst(count))
            let salvaged = try SalvagedSave(damaged, ReadOptions())
            #expect(salvaged.file == text && salvaged.confidence == .complete)
            #expect(salvaged.cause?.id == "damage.beginning" && salvaged.losses.isEmpty)
            // Lines before this one may be missing, too.
            #expect(salvaged.cause?.message == "this is the end of an XML property list; the beginning is missing")
            #expect(Self.report(on: damaged).findings.contains { $0.problem.id == "damage.beginning" })
        }
    }

    /// The pairs after the warning may not be all, so the repair is not exact.
    @Test(arguments: [
        "Warning: Undefined variable $x on line 3\n", "<br />\n<b>Warning</b>: Undefined <b>x</b><br />\n",
    ])
    func removesAWarningBeforeStrings(_ warning: String) throws {
        let original = Array("\"a\" = \"1\";\n\"b\" = \"2\";\n".utf8)
        let salvaged = try SalvagedSave(Array(warning.utf8) + original, ReadOptions())
        #expect(salvaged.file == original && salvaged.confidence == .complete)
        #expect(salvaged.salvage.repairs.map(\.id) == ["salvage.preceding"])
    }

    // MARK: Conversions

    /// The number of pages in the header proves that all bytes of a database are back.
    @Test func undoesConversionsOfADatabase() throws {
        let original = Self.fixture("databases/monsters.sqlite")
        try #require(original.contains(0x0A))
        let latin1: [UInt8] = original.flatMap { Array(String(Unicode.Scalar($0)).utf8) }
        let lines: [UInt8] = original.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] as [UInt8] }
        for damaged in [latin1, lines] {
            let salvaged = try SalvagedSave(damaged, ReadOptions())
            #expect(salvaged.file == original && salvaged.confidence == .proved)
            let cause = try #require(salvaged.cause?.id)
            #expect(["damage.utf8", "damage.line-ends", "sqlite.trailing"].contains(cause))
        }
        // Another byte is missing.
        var shorter = lines
        shorter.remove(at: 3000)
        #expect((try? SalvagedSave(shorter, ReadOptions()))?.confidence != .proved)
    }

    /// zlib data stored as text is UTF-8 itself.
    @Test func undoesLineEndsOfZlibStoredAsText() throws {
        let contents = Array("[\((0..<2000).map { "\($0 * 7919)" }.joined(separator: ","))]".utf8)
        let original = Zlib(header: [0x78, 0x01], trailer: [], isText: true).write(contents)
        try #require(original.contains(0x0A))
        let damaged = original.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] as [UInt8] }
        let salvaged = try SalvagedSave(damaged, ReadOptions())
        #expect(salvaged.file == original && salvaged.confidence == .proved)
    }

    // MARK: Texts

    /// What is probably compressed is also a string.
    @Test(arguments: ["NoImageAvailable\n", "NoRgNATGDMYCxgKxgGxgOxgBwF0g"])
    func acceptsAStringLikeCompressedText(_ text: String) throws {
        #expect(try SalvagedSave(Array(text.utf8), ReadOptions()).confidence == .undamaged)
    }

    @Test(arguments: ["games/swamp.xml.save", "games/grabthar.json", "text/levels.plist"])
    func readsAQuotedText(_ name: String) throws {
        let original = Self.fixture(name)
        try #require(!original.isEmpty)
        let lines = original.split(separator: 0x0A, omittingEmptySubsequences: false)
        let damaged = Array(lines.map { Array("> ".utf8) + $0 }.joined(separator: [0x0A]))
        try Self.check(damaged, isOf: original, as: "quoted")
    }

    /// Programs do not quote every empty line, and some of these contain blanks.
    @Test func keepsLinesWithoutQuotes() throws {
        let original = Array("{\"a\": 1,\n  \n\"b\": 2}".utf8)
        try Self.check(Array("> {\"a\": 1,\n  \n> \"b\": 2}".utf8), isOf: original, as: "quoted")
    }

    @Test(arguments: [#"{"a": "x", "b": [1]}"#, #""a" = "x";"#, "/* x */\n\"a\" = \"x\";"])
    func readsEscapedQuotationMarks(_ text: String) throws {
        let damaged = Array(text.replacing("\"", with: "&quot;").utf8)
        try Self.check(damaged, isOf: Array(text.utf8), as: "escaped")
        #expect(try SalvagedSave(damaged, ReadOptions()).cause?.message.hasSuffix("\" became &quot;") ?? false)
    }

    @Test func readsAnEscapedText() throws {
        let original = Self.fixture("games/swamp.xml.save")
        let damaged = original.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "<"): Array("&lt;".utf8)
            case UInt8(ascii: ">"): Array("&gt;".utf8)
            case UInt8(ascii: "&"): Array("&amp;".utf8)
            case UInt8(ascii: "\""): Array("&quot;".utf8)
            default: [byte]
            }
        }
        try Self.check(damaged, isOf: original, as: "escaped")
    }

    @Test(arguments: ["{\"a\": 1}\n", "<plist><array/></plist>\n", "{ a = 1; }\n", "\"a\" = \"x\";\n"])
    func readsATextBetweenFences(_ text: String) throws {
        for (start, end) in [("```\n", "```"), ("```json\n", "```\n"), ("```swift\r\n", "```")] {
            try Self.check(Array((start + text + end).utf8), isOf: Array(text.utf8), as: "fenced")
        }
        try Self.check(Array("[1]\n```".utf8), isOf: Array("[1]\n".utf8), as: "fenced")
    }

    @Test func readsATypesetText() throws {
        try Self.check(Array("{“a”: „x”}".utf8), isOf: Array("{\"a\": \"x\"}".utf8), as: "typeset")
        try Self.check(
            Array("<plist>\n\u{A0}<array>\n<true/></array></plist>".utf8),
            isOf: Array("<plist>\n <array>\n<true/></array></plist>".utf8), as: "typeset")
        // These characters may be text.
        let sound = try SalvagedSave(Array("{\"a\": \"“x”\u{A0}\"}".utf8), ReadOptions())
        #expect(sound.confidence == .undamaged)
    }

    /// A text that reads, but with characters that are the bytes of others.
    @Test func doubtsMisreadCharacters() throws {
        func warnings(_ text: String) throws -> [String] {
            try SalvagedSave(Array(text.utf8), ReadOptions()).warnings.map(\.id)
        }
        #expect(try warnings("{\"a\": \"ZoÃ«\"}") == ["text.misread"])
        #expect(try warnings("{\"a\": \"ZoÃ« Zoë\"}").isEmpty && warnings("{\"a\": \"CAFÉ…\"}").isEmpty)
        #expect(try warnings("{\"a\": \"«Ã«»\", \"b\": \"日本\"}").isEmpty)
    }

    @Test func namesThePlaceholderOfACloud() throws {
        let text =
            "<plist><dict><key>NSURLNameKey</key><string>a</string><key>NSURLFileSizeKey</key><integer>1</integer>"
            + "<key>NSURLFileResourceTypeKey</key><string>b</string></dict></plist>"
        let file = try Document.read(Array(text.utf8), as: .xml).bytes(as: .binary)
        #expect(try SalvagedSave(file, ReadOptions()).warnings.map(\.id) == ["format.icloud"])
    }

    private static func check(_ damaged: [UInt8], isOf original: [UInt8], as id: String) throws {
        let salvaged = try SalvagedSave(damaged, ReadOptions())
        #expect(salvaged.confidence == .complete && salvaged.losses.isEmpty)
        #expect(salvaged.cause?.id == "damage.\(id)" && salvaged.salvage.repairs.map(\.id) == ["salvage.\(id)"])
        #expect(salvaged.file == original)
        #expect(report(on: damaged).findings.contains { $0.problem.id == "damage.\(id)" })
        // A text that is damaged otherwise, too, is not proved.
        #expect((try? SalvagedSave(Array(damaged.dropLast(20)), ReadOptions()))?.confidence != .proved)
    }
}
