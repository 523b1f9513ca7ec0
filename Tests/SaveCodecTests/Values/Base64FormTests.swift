import Testing

@testable import SaveCodec

@Suite struct Base64FormTests {
    /// Texts keep their alphabet, lines, line ends, padding and trailing bytes when they are written again.
    @Test(arguments: [
        "YWJjZA==", "YWJjZA==\n", "YWJj\nZGVm\nZw==", "YWJj\nZGVm\n", "YWJjZA", "YWJjZGU", "YWJ\r\njZG\r\nVm",
        "YWJjZ\nA==",
        "-_-_", "+/+/", "____\n____\n__8=\n", "YWJj\0\0", "YW\nJj\nZA", "Y\nW\nJ\nj",
    ])
    func keepsStyle(_ text: String) throws {
        let (bytes, form) = try Base64Form.decode(Array(text.utf8))
        #expect(String(decoding: form.encode(bytes), as: UTF8.self) == text)
    }

    @Test(arguments: [("-_-_", true), ("+/+/", false), ("AAAA", nil)] as [(String, Bool?)])
    func recognizesAlphabet(_ text: String, _ isURLSafe: Bool?) throws {
        #expect(try Base64Form.decode(Array(text.utf8)).form.isURLSafe == isURLSafe)
    }

    @Test func encodesOtherBytesInSameStyle() throws {
        let (_, form) = try Base64Form.decode(Array("-_-_\r\n-_-_\r\n".utf8))
        #expect(
            String(decoding: form.encode([0xFF, 0xEF, 0xBE, 1, 2, 3, 4]), as: UTF8.self) == "_---\r\nAQID\r\nBA==\r\n")
        let row = try Base64Form.decode(Array("AAAAA".dropLast().utf8)).form
        #expect(row.encode([1, 2]) == Array("AQI=".utf8))
    }

    /// The offset of the first byte that is not valid.
    @Test(arguments: [
        ("", 0), ("A", 1), ("YWJj\nZGVmZGVm", 9), ("héhé", 1), ("YWJj\n\nZGVm", 5), ("+_==", 1), ("YWJj\nZG*m", 7),
        ("YW=jZA==", 2), ("YWJjZ===", 5), ("AB==", 1),
    ])
    func faults(_ text: String, _ offset: Int) {
        let fault = #expect(throws: Base64Form.Fault.self) { try Base64Form.decode(Array(text.utf8)) }
        #expect(fault?.offset == offset, "\(text)")
    }

    /// Geometry Dash writes up to three bytes of its memory after the text.
    @Test(arguments: [
        ("YWJjZA==", "\0d"), ("YWJjZA==", "xyz"), ("YWJj", "\0d"), ("YWJj", "\0\0x"), ("YWJj", "\0\u{7F}A*"),
        ("YWJjZA==", "\0\0d\n"), ("H4sIAAAA", "*"), ("H4sIAAAA", "A"), ("H4sIAAAA", "A*"), ("H4sIAAAA", "\0abcd"),
    ])
    func strayBytesAreKept(_ text: String, _ stray: String) throws {
        let (bytes, form) = try Base64Form.decode(Array((text + stray).utf8))
        #expect(try bytes == Base64Form.decode(Array(text.utf8)).bytes)
        #expect(form.encode(bytes) == Array((text + stray).utf8))
        #expect(form.encode(bytes + bytes).suffix(stray.utf8.count).elementsEqual(stray.utf8))
    }

    /// Characters of an incomplete group, and more than a few other bytes, are not stray.
    @Test(arguments: ["YWJjZ", "YWJj*", "H4sIAAAAu0", "YWJjZA==ABCDEFGHI", "YWJj\0ABCDEFGHI", "\0d", "=\0d"])
    func otherBytesAreFaults(_ text: String) {
        #expect(throws: Base64Form.Fault.self) { try Base64Form.decode(Array(text.utf8)) }
    }

    @Test func decodesPrefixesInAnyLineLength() {
        #expect(Base64Form.beginning(of: Array("H4s\nIA AAAA".utf8)[...])?.prefix(3) == [0x1F, 0x8B, 0x08])
        #expect(Base64Form.beginning(of: Array("-+AA".utf8)[...]) == nil)
        #expect(Base64Form.beginning(of: Array("AA".utf8)[...]) == nil)
    }
}
