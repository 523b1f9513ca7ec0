import Testing

@testable import SaveCodec

/// Texts are written back in the encoding of the file.
@Suite struct StoredEncodingTests {
    @Test(arguments: XMLEncodingTests.marked)
    func marked(name: String, bytes: [UInt8]) throws {
        try check(bytes, as: .xml)
    }

    @Test(arguments: XMLEncodingTests.declared)
    func declared(name: String, bytes: [UInt8], value: String) throws {
        try check(XMLEncodingTests.declare(name, bytes), as: .xml)
    }

    @Test(arguments: XMLEncodingTests.doubtful)
    func doubtful(bytes: [UInt8], value: String, warning: String) throws {
        try check(bytes, as: .xml)
    }

    @Test(arguments: [true, false])
    func unmarkedOpenStep(bigEndian: Bool) throws {
        try check(XMLEncodingTests.utf16("{ \"é\" = \"😀\"; }", bigEndian: bigEndian), as: .openStep)
        try check(XMLEncodingTests.utf32("\u{FEFF}{ \"é\" = \"😀\"; }", bigEndian: bigEndian), as: .gnustep)
    }

    @Test func markedJSON() throws {
        try check([0xEF, 0xBB, 0xBF] + Array("[\"é\"]".utf8), as: .json)
    }

    private func check(_ bytes: [UInt8], as format: Format) throws {
        let (document, map) = try Document.readMapped(bytes, as: format)
        let found = try #require(map)
        #expect(found.fileBytes(of: found.text) == bytes)
        #expect(MappedText(document, found).faults(of: format).isEmpty)
    }

    static let lacking: [(encoding: TextEncoding, has: String, lacks: String)] = [
        (.ascii, "~", "\u{80}"), (.latin1, "ÿ\u{85}", "Ā"), (.windows1252, "ÿ€Ÿ", "\u{85}"), (.windows1252, "ž", "Ā"),
    ]

    @Test(arguments: lacking)
    func lacksCharacters(encoding: TextEncoding, has: String, lacks: String) {
        let stored = StoredEncoding(encoding: encoding, hasMark: false)
        #expect(stored.encode(Array(has.utf8))?.count == has.unicodeScalars.count)
        #expect(stored.encode(Array(lacks.utf8)) == nil)
    }
}
