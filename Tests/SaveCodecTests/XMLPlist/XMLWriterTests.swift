@testable import SaveCodec
import Testing

/// Documents, and the lines that the writer puts between `<plist>` and `</plist>` (the article XMLFormat).
@Suite struct XMLWriterTests {
    typealias Build = XMLBuild.Step

    static let values: [(name: String, build: Build, text: String)] = [
        ("true", { $0.add(boolean: true) }, "<true/>\n"),
        ("false", { $0.add(boolean: false) }, "<false/>\n"),
        ("string", { $0.add(string: "Zoë 😀 \"'\t\n") }, "<string>Zoë 😀 \"'\t\n</string>\n"),
        ("empty string", { $0.add(string: "") }, "<string></string>\n"),
        ("escapes", { $0.add(string: "<a>&amp;") }, "<string>&lt;a&gt;&amp;amp;</string>\n"),
        ("escapes among others", { $0.add(string: "é<>&\u{7F}") }, "<string>é&lt;&gt;&amp;\u{7F}</string>\n"),
        ("carriage return", { $0.add(string: "a\r\nb") }, "<string>a&#13;\nb</string>\n"),
        ("carriage return among others", { $0.add(string: "é\r") }, "<string>é&#13;</string>\n"),
        ("integer", { $0.add(integer: -9_223_372_036_854_775_808) }, "<integer>-9223372036854775808</integer>\n"),
        (
            "unsigned integer", { $0.add(integer: 18_446_744_073_709_551_615) },
            "<integer>18446744073709551615</integer>\n"
        ),
        ("real 1", { $0.add(real64: 1) }, "<real>1</real>\n"),
        ("real 0.1", { $0.add(real64: 0.1) }, "<real>0.10000000000000001</real>\n"),
        ("real 1e20", { $0.add(real64: 1e20) }, "<real>1e+20</real>\n"),
        ("real 1e-5", { $0.add(real64: 1e-5) }, "<real>1.0000000000000001e-05</real>\n"),
        ("least real", { $0.add(real64: .leastNonzeroMagnitude) }, "<real>4.9406564584124654e-324</real>\n"),
        ("zero", { $0.add(real64: 0) }, "<real>0.0</real>\n"),
        ("nan", { $0.add(real64: .nan) }, "<real>nan</real>\n"),
        ("infinity", { $0.add(real64: .infinity) }, "<real>+infinity</real>\n"),
        ("-infinity", { $0.add(real64: -.infinity) }, "<real>-infinity</real>\n"),
        ("date", { $0.add(date: 273_933_296) }, "<date>2009-09-06T12:34:56Z</date>\n"),
        ("date in year 0", { $0.add(date: -63_114_076_800) }, "<date>0000-12-30T00:00:00Z</date>\n"),
        ("date before year 0", { $0.add(date: -63_177_062_400) }, "<date>-001-01-01T00:00:00Z</date>\n"),
        ("date in year 12345", { $0.add(date: 326_425_075_200) }, "<date>12345-01-01T00:00:00Z</date>\n"),
        ("data", XMLBuild.data([1, 2, 3]), "<data>\nAQID\n</data>\n"),
        ("empty data", XMLBuild.data([]), "<data>\n</data>\n"),
        (
            "UID", { $0.add(StoredUID(7)) },
            "<dict>\n\t<key>CF$UID</key>\n\t<integer>7</integer>\n</dict>\n"
        ),
        ("empty array", XMLBuild.array([]), "<array/>\n"),
        ("empty dictionary", XMLBuild.dictionary([]), "<dict/>\n"),
        (
            "nesting",
            XMLBuild.dictionary([
                XMLBuild.string("b<"),
                XMLBuild.array([
                    { $0.add(boolean: true) }, XMLBuild.array([]), { $0.add(StoredUID(7)) }, XMLBuild.data([]),
                ]),
                XMLBuild.string("a"), { $0.add(integer: 1) },
            ]),
            """
            <dict>
            \t<key>a</key>
            \t<integer>1</integer>
            \t<key>b&lt;</key>
            \t<array>
            \t\t<true/>
            \t\t<array/>
            \t\t<dict>
            \t\t\t<key>CF$UID</key>
            \t\t\t<integer>7</integer>
            \t\t</dict>
            \t\t<data>
            \t\t</data>
            \t</array>
            </dict>

            """
        ),
    ]

    /// Values that XML cannot represent, and the closest values that it can.
    static let nearest: [(name: String, build: Build, text: String)] = [
        ("null", { $0.addNull() }, "<string>$null</string>\n"),
        ("set", XMLBuild.set([{ $0.add(integer: 1) }]), "<array>\n\t<integer>1</integer>\n</array>\n"),
        ("real32", { $0.add(real32: 0.1) }, "<real>0.10000000149011612</real>\n"),
        ("real32 of fewer digits than seventeen", { $0.add(real32: 1.4) }, "<real>1.399999976158142</real>\n"),
        ("whole real32", { $0.add(real32: 100) }, "<real>100</real>\n"),
        (
            "zeros", XMLBuild.array([{ $0.add(real32: 0) }, { $0.add(real32: -0.0) }, { $0.add(real64: -0.0) }]),
            "<array>\n\t<real>0.0</real>\n\t<real>-0.0</real>\n\t<real>-0.0</real>\n</array>\n"
        ),
        ("date of negative zero", { $0.add(date: -0.0) }, "<date>2001-01-01T00:00:00Z</date>\n"),
        ("another NaN", { $0.add(real64: Double(bitPattern: 0xFFF8_0000_0000_0001)) }, "<real>nan</real>\n"),
        ("huge integer", { $0.add(integer: 1 << 64) }, "<string>18446744073709551616</string>\n"),
        ("fraction of a second", { $0.add(date: 0.999) }, "<date>2001-01-01T00:00:00Z</date>\n"),
        ("fraction before 2001", { $0.add(date: -0.5) }, "<date>2000-12-31T23:59:59Z</date>\n"),
        ("date that is none", { $0.add(date: .nan) }, "<real>nan</real>\n"),
        ("date beyond the calendar", { $0.add(date: 1e300) }, "<real>1.0000000000000001e+300</real>\n"),
        ("control character", { $0.add(string: "a\0b\u{1B}") }, "<string>a\u{FFFD}b\u{FFFD}</string>\n"),
        (
            "characters that are none", { $0.add(string: "\u{1}\u{FFFE}\u{FFFF}") },
            "<string>\u{FFFD}\u{FFFD}\u{FFFD}</string>\n"
        ),
        (
            "lone surrogates", XMLBuild.units([0xD83D, 0x41, 0xDE00, 0xD83D]),
            "<string>\u{FFFD}A\u{FFFD}\u{FFFD}</string>\n"
        ),
        (
            "integer key", XMLBuild.dictionary(keys: [{ $0.add(integer: 7) }]),
            "<dict>\n\t<key>7</key>\n\t<true/>\n</dict>\n"
        ),
        (
            "other keys",
            XMLBuild.dictionary(keys: [
                XMLBuild.data([1]), { $0.add(real64: 0.5) }, { $0.add(boolean: true) }, { $0.add(date: 0) },
                { $0.add(StoredUID(3)) }, { $0.addNull() }, XMLBuild.string("z"),
            ]),
            "<dict>\n"
                + ["z", "$null", "true", "0.5", "2001-01-01T00:00:00Z", "AQ==", "3"]
                .map { "\t<key>\($0)</key>\n\t<true/>\n" }.joined() + "</dict>\n"
        ),
    ]

    @Test(arguments: values + nearest)
    func writes(name: String, build: Build, text: String) throws {
        #expect(try Self.written(build) == Self.header + text + "</plist>\n")
    }

    @Test(arguments: values)
    func roundTripsOutput(name: String, build: Build, text: String) throws {
        let document = try XMLBuild.document(build)
        let again = try XMLPlist.read(Array(Self.header.utf8) + Array(text.utf8) + Array("</plist>".utf8))
        #expect(again.warnings.isEmpty)
        #expect(XMLPlist.losses(in: document).isEmpty)
        #expect(try Self.written(again) == Self.header + text + "</plist>\n")
    }

    static let header = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    static func written(_ build: Build) throws -> String {
        try written(XMLBuild.document(build))
    }

    static func written(_ document: Document, _ options: WriteOptions = WriteOptions()) throws -> String {
        var output = ByteWriter()
        try XMLPlist.write(document, to: &output, options: options)
        return String(decoding: output.takeBytes(), as: UTF8.self)
    }

    // MARK: Data lines

    static let lineLengths = [(0, 76), (1, 68), (2, 60), (3, 52), (7, 20), (8, 12), (9, 12), (20, 12)]

    @Test(arguments: lineLengths)
    func breaksLinesOfData(depth: Int, length: Int) throws {
        let data = XMLBuild.data([UInt8](repeating: 0, count: 200))
        let text = try Self.written((0..<depth).reduce(data) { step, _ in XMLBuild.array([step]) })
        let lines = text.split(separator: "\n")
        let tabs = String(repeating: "\t", count: min(depth, 8))
        let first = try #require(lines.firstIndex { $0.hasSuffix("<data>") }) + 1
        #expect(lines[first] == tabs + String(repeating: "A", count: length))
        let last = try #require(lines.firstIndex { $0.hasSuffix("</data>") })
        #expect(lines[last] == String(repeating: "\t", count: depth) + "</data>")
        let characters = lines[first..<last].map { $0.count - tabs.count }
        #expect(characters.reduce(0, +) == 268)
        #expect(characters.dropLast().allSatisfy { $0 == length })
    }

    // MARK: Keys

    static let sortedKeys = ["", "10", "9", "B", "a", "a b", "abcd", "abcda", "abcdb", "é", "😀", "\u{FFFD}"]

    private static func dictionary(_ keys: [String]) -> Build {
        XMLBuild.dictionary(keys: keys.map(XMLBuild.string))
    }

    @Test func sortsKeysByCodeUnits() throws {
        #expect(try Self.keys(of: Self.written(Self.dictionary(Self.sortedKeys.reversed()))) == Self.sortedKeys)
    }

    @Test func keepsStoredOrder() throws {
        let keys = Array(Self.sortedKeys.reversed())
        let document = try XMLBuild.document(Self.dictionary(keys))
        #expect(try Self.keys(of: Self.written(document, WriteOptions(keyOrder: .stored))) == keys)
    }

    @Test func sortsDictionariesWithEqualKeysConsistently() throws {
        let shapes = [["b", "a"], ["b", "a"], ["a", "b"], ["c", "b"]]
        let text = try Self.written(XMLBuild.array(shapes.map(Self.dictionary)))
        #expect(Self.keys(of: text) == ["a", "b", "a", "b", "a", "b", "b", "c"])
    }

    static let repeats: [(format: Format, order: WriteOptions.KeyOrder, pairs: [String])] = [
        (.xml, .sorted, ["a 2", "k 3"]), (.xml, .stored, ["a 2", "k 3"]),
        (.binary, .sorted, ["a 2", "k 1"]), (.binary, .stored, ["k 1", "a 2"]),
    ]

    @Test(arguments: repeats)
    func writesEffectivePair(format: Format, order: WriteOptions.KeyOrder, pairs: [String]) throws {
        let stored = [("k", Int128(1)), ("a", 2), ("k", 3)]
        let document = try XMLBuild.document(
            format: format,
            XMLBuild.dictionary(stored.flatMap { key, value in [XMLBuild.ownString(key), XMLBuild.integer(value)] }))
        let lines = try Self.written(document, WriteOptions(keyOrder: order)).split(separator: "\n").map(Self.inner)
        let keys = lines.indices.filter { lines[$0].hasPrefix("<key>") }
        let found = keys.map { "\(Self.content(lines[$0])) \(Self.content(lines[$0 + 1]))" }
        #expect(found == pairs)
    }

    private static func keys(of text: String) -> [String] {
        text.split(separator: "\n").map(inner).filter { $0.hasPrefix("<key>") }.map(content)
    }

    private static func inner(_ line: Substring) -> Substring {
        line.drop { $0 == "\t" }
    }

    private static func content(_ line: Substring) -> String {
        String(line.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" })
    }

    // MARK: Limits

    @Test func writesDeepDocuments() throws {
        let depth = 2000
        let document = try XMLBuild.document { builder in
            for _ in 0..<depth { builder.open(.set) }
            for _ in 0..<depth { builder.close() }
        }
        var size = 0
        var output = ByteWriter { size += $0.count }
        try XMLPlist.write(document, to: &output)
        try output.finish()
        #expect(size > depth * (depth - 1))
        #expect(XMLPlist.losses(in: document).count == 1001)
    }

    @Test func rejectsExpansionBombs() throws {
        let document = try XMLBuild.document { builder in
            builder.addNull()
            builder.doubleRoot(levels: 40)
        }
        var output = ByteWriter()
        let problem = #expect(throws: Problem.self) { try XMLPlist.write(document, to: &output) }
        #expect(problem?.id == "limit.expansion")
        #expect(output.count == 0)
        #expect(XMLPlist.losses(in: document).count == 2)
    }

    struct DiskFull: Error {}

    @Test func stopsWhenOutputFails() throws {
        let document = try XMLBuild.document(
            XMLBuild.array([Build](repeating: { $0.add(boolean: true) }, count: 100_000)))
        var output = ByteWriter(pieces: 1000) { _ in throw DiskFull() }
        try XMLPlist.write(document, to: &output)
        #expect(output.count < 10_000)
        #expect(throws: DiskFull.self) { try output.finish() }
    }
}
