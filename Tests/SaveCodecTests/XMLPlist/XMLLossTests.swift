@testable import SaveCodec
import TestSupport
import Testing

/// The losses of XML (the article XMLFormat), each with its address.
@Suite struct XMLLossTests {
    typealias Build = XMLBuild.Step

    private static let character = "the string has a character that XML forbids; it would become U+FFFD"
    private static let surrogate = "the string has a lone surrogate; it would become U+FFFD"
    private static let keyType = "the dictionary has a non-string key; it would become a string"
    private static func repeated(_ key: String) -> String { "duplicate key \"\(key)\"; only one value would be kept" }
    private static let nan = "XML has only one NaN; the bits of this one would be lost"
    private static let fraction = "XML stores dates in whole seconds; the fraction would be dropped"
    private static let range =
        "XML cannot store a date that is out of range or not finite; this one would become a real"
    private static let integer = "XML stores integers from -2^63 to 2^64-1; this one would become a string"
    private static let uid = "XML readers treat a dictionary with a number under its only key CF$UID as a UID"

    static let lost: [(name: String, build: Build, losses: [String])] = [
        ("null", { $0.addNull() }, ["(root): XML has no null; it would become the string \"$null\""]),
        ("set", XMLBuild.set([]), ["(root): XML has no sets; this one would become an array"]),
        ("2^64", { $0.add(integer: 1 << 64) }, ["(root): \(integer)"]),
        ("-2^63 - 1", { $0.add(integer: -1 << 63 - 1) }, ["(root): \(integer)"]),
        ("NaN with bits", { $0.add(real64: Double(bitPattern: 0x7FF8_0000_0000_0001)) }, ["(root): \(nan)"]),
        ("-NaN", { $0.add(real64: -Double.nan) }, ["(root): \(nan)"]),
        ("short NaN with bits", { $0.add(real32: Float(bitPattern: 0x7FC0_0001)) }, ["(root): \(nan)"]),
        ("signaling NaN", { $0.add(real32: Float(bitPattern: 0x7FA0_0000)) }, ["(root): \(nan)"]),
        ("fraction", { $0.add(date: 0.5) }, ["(root): \(fraction)"]),
        ("negative fraction", { $0.add(date: -0.5) }, ["(root): \(fraction)"]),
        ("NaN date", { $0.add(date: .nan) }, ["(root): \(range)"]),
        ("infinite date", { $0.add(date: -.infinity) }, ["(root): \(range)"]),
        ("far date", { $0.add(date: 1e17) }, ["(root): \(range)"]),
        ("NUL", { $0.add(string: "a\0") }, ["(root): \(character)"]),
        ("escape", { $0.add(string: "é\u{1B}") }, ["(root): \(character)"]),
        ("U+FFFE", { $0.add(string: "\u{FFFE}") }, ["(root): \(character)"]),
        ("U+FFFF", { $0.add(string: "\u{FFFF}") }, ["(root): \(character)"]),
        ("lead surrogate", XMLBuild.units([0x41, 0xD83D]), ["(root): \(surrogate)"]),
        ("trail surrogate", XMLBuild.units([0xDE00, 0x41]), ["(root): \(surrogate)"]),
        ("two lead surrogates", XMLBuild.units([0xD83D, 0xD83D, 0xDE00]), ["(root): \(surrogate)"]),
        ("integer key", XMLBuild.dictionary(keys: [{ $0.add(integer: 1) }]), ["(root): \(keyType)"]),
        (
            "control character in a key", XMLBuild.dictionary(keys: [XMLBuild.string("\u{1}")]),
            ["/\\u0001: \(character)"]
        ),
        (
            "repeated key, twice stored",
            XMLBuild.array([XMLBuild.dictionary(keys: [XMLBuild.ownString("k"), XMLBuild.ownString("k")])]),
            ["/0: \(repeated("k"))"]
        ),
        ("UID shape", XMLBuild.dictionary([XMLBuild.string("CF$UID"), { $0.add(real64: 1) }]), ["(root): \(uid)"]),
        (
            "one object in two places",
            XMLBuild.dictionary([
                XMLBuild.string("a/b"), { $0.addNull() },
                XMLBuild.string("c"), XMLBuild.array([{ $0.addNull() }]),
            ]),
            [
                "/a~1b: XML has no null; it would become the string \"$null\"",
                "/c/0: XML has no null; it would become the string \"$null\"",
            ]
        ),
    ]

    @Test(arguments: lost)
    func lists(name: String, build: Build, losses: [String]) throws {
        let built = try XMLBuild.document(build)
        for document in [built, try reread(built)] {
            let found = XMLPlist.losses(in: document)
            #expect(found.map(\.description) == losses)
            #expect(found.allSatisfy { $0.id.hasPrefix("loss.") && $0.severity == .error })
        }
    }

    /// Returns the document as read from a binary file, whose reader records which losses are impossible.
    private func reread(_ document: Document) throws -> Document {
        var output = ByteWriter()
        try BinaryPlist.write(document, to: &output)
        return try BinaryPlist.read(output.takeBytes())
    }

    static let kept: [(name: String, build: Build)] = [
        ("NaN", { $0.add(real64: .nan) }), ("infinity", { $0.add(real64: -.infinity) }),
        ("real32", { $0.add(real32: 0.1) }), ("short NaN", { $0.add(real32: .nan) }),
        ("negative zero", { $0.add(real64: -0.0) }), ("short negative zero", { $0.add(real32: -0.0) }),
        ("date of negative zero", { $0.add(date: -0.0) }),
        ("least integer", { $0.add(integer: -1 << 63) }), ("greatest integer", { $0.add(integer: 1 << 64 - 1) }),
        ("white space", { $0.add(string: "\t\r\n\u{7F}") }), ("pair", { $0.add(string: "😀é") }),
        ("date", { $0.add(date: -1e16) }), ("UID", { $0.add(StoredUID(.max)) }), ("data", XMLBuild.data([0])),
        ("unreferenced null", XMLBuild.array([{ $0.addNull() }, { _ = $0.takeLast() }])),
        ("CF$UID with a string", XMLBuild.dictionary([XMLBuild.string("CF$UID"), XMLBuild.string("5")])),
        (
            "CF$UID among others",
            XMLBuild.dictionary([
                XMLBuild.string("CF$UID"), { $0.add(integer: 5) }, XMLBuild.string("a"), { $0.add(integer: 5) },
            ])
        ),
    ]

    @Test(arguments: kept)
    func listsNothing(name: String, build: Build) throws {
        let built = try XMLBuild.document(build)
        #expect(XMLPlist.losses(in: built) == [])
        #expect(XMLPlist.losses(in: try reread(built)) == [])
    }

    /// 32-bit reals are counted once per slot; a NaN whose bits would change counts as a loss instead.
    @Test(arguments: [(Format.xml, 4), (.gnustep, 4), (.openStep, 0), (.json, 0), (.binary, 0)])
    func widenedReals(_ format: Format, _ count: Int) throws {
        let document = try XMLBuild.document { builder in
            builder.open(.array)
            for value in [0.1, 0.1, -0.0, .nan, -.nan] as [Float] { builder.add(real32: value) }
            builder.add(real64: 0.5)
            builder.close()
        }
        #expect(document.widenedReals(as: format) == count)
        #expect(try reread(document).widenedReals(as: format) == count)
        #expect(try XMLBuild.document { $0.add(real32: 1) }.widenedReals(as: format) == count.signum())
    }

    /// A 32-bit real is written with the fewest digits that read as the 64-bit real of the same value.
    @Test func widenedRealsHaveTheFewestDigits() throws {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<2000 {
            let value = Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &generator))
            guard value.isFinite, value != 0 else { continue }
            var output = ByteWriter()
            try XMLPlist.write(XMLBuild.document { $0.add(real32: value) }, to: &output)
            let text = String(decoding: output.takeBytes(), as: UTF8.self)
            let written = try #require(text.split(separator: "<real>").last?.split(separator: "<").first)
            #expect(Self.digits(of: String(written)) == Self.digits(of: Double(value).description))
            let document = try XMLPlist.read(Array(text.utf8))
            #expect(document.real(document.object(document.root)) == Double(value))
        }
    }

    private static func digits(of number: String) -> String {
        let digits = number.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
        return String(digits.reversed().drop { $0 == "0" }.reversed())
    }

    @Test(arguments: [255, 256, 3000])
    func listsDuplicateKeyOfLargeDictionary(count: Int) throws {
        for repeated in [nil, 0, count - 2] {
            let keys = (0..<count).map { XMLBuild.ownString("key \($0 == count - 1 ? repeated ?? $0 : $0)") }
            let document = try XMLBuild.document(XMLBuild.dictionary(keys: keys))
            let losses = XMLPlist.losses(in: document)
            #expect(losses.map(\.description) == (repeated.map { ["(root): \(Self.repeated("key \($0)"))"] } ?? []))
            var output = ByteWriter()
            try XMLPlist.write(document, to: &output)
            let lines = String(decoding: output.takeBytes(), as: UTF8.self).split(separator: "\n")
            let written = lines.filter { $0.hasPrefix("\t<key>") }
            let expected = (0..<(repeated == nil ? count : count - 1)).map { "key \($0)" }.sorted()
            #expect(written.map(String.init) == expected.map { "\t<key>\($0)</key>" })
        }
    }

    @Test func listsAThousand() throws {
        let nulls = [Build](repeating: { $0.addNull() }, count: 1001)
        let losses = XMLPlist.losses(in: try XMLBuild.document(XMLBuild.array(nulls)))
        #expect(losses.count == 1001)
        #expect(losses[999].address == JSONPointer("/999"))
        #expect(losses[1000].description == "and 1 more null")
    }
}
