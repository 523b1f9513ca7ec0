import Testing

@testable import SaveCodec

/// Damaged texts are decoded as far as they are text, and the rest is replaced.
@Suite struct DamagedTextTests {
    private static let text = "{\"name\": \"Zo\u{EB} x\", \"gems\": 1234, \"levels\": [1, 2]}\n"

    private static func utf16(_ text: String, _ isBigEndian: Bool, mark: Bool) -> [UInt8] {
        let stored = StoredEncoding(encoding: .utf16(bigEndian: isBigEndian), hasMark: mark)
        return stored.encode(Array(text.utf8)) ?? []
    }

    private static func string(_ text: DamagedText) -> String { String(decoding: text.bytes, as: UTF8.self) }

    @Test func leavesSoundTextAsItIs() {
        let text = DamagedText(Array(Self.text.utf8))
        #expect(Self.string(text) == Self.text && text.replacements.isEmpty)
        #expect(text.fileOffsets(of: [0, 5]) == [0, 5])
        #expect(text.encode(text.bytes) == Array(Self.text.utf8))
    }

    @Test func replacesBytesThatAreNotUTF8() {
        let text = DamagedText([0xEF, 0xBB, 0xBF, 0x61, 0xE9, 0x62, 0xE2, 0x82, 0x63])
        #expect(Self.string(text) == "a\u{FFFD}b\u{FFFD}\u{FFFD}c")
        #expect(text.replacements == [1, 5, 8])
        #expect(text.hasReplacement(in: 1..<2) && text.hasReplacement(in: 0..<2))
        #expect(!text.hasReplacement(in: 0..<1) && !text.hasReplacement(in: 2..<5) && !text.hasReplacement(in: 9..<12))
        #expect(text.fileOffsets(of: [0, 1, 4, 5, 11, 12]) == [3, 4, 5, 6, 8, 9])
        #expect(text.encode(Array("x".utf8)) == [0xEF, 0xBB, 0xBF, 0x78])
    }

    @Test func readsDeclaredEncodings() {
        #expect(Self.string(DamagedText([0x61, 0xE9], declared: .latin1)) == "a\u{E9}")
        let text = DamagedText([0x80, 0x81, 0x61], declared: .windows1252)
        #expect(Self.string(text) == "\u{20AC}\u{FFFD}a" && text.replacements == [3])
        #expect(text.encode(text.bytes) == [0x80, 0x3F, 0x61])
    }

    @Test(arguments: [true, false], [true, false])
    func readsUTF16(_ isBigEndian: Bool, _ hasMark: Bool) {
        let file = Self.utf16(Self.text, isBigEndian, mark: hasMark)
        let text = DamagedText(file)
        #expect(Self.string(text) == Self.text && text.replacements.isEmpty)
        #expect(text.encode(text.bytes) == file)
        let mark = hasMark ? 2 : 0
        #expect(text.fileOffsets(of: [0, 1, text.bytes.count]) == [mark, mark + 2, file.count])
    }

    /// A missing byte costs the characters around it, and everything else stays.
    @Test(arguments: [true, false])
    func findsTheBytesAfterAMissingOne(_ isBigEndian: Bool) {
        let file = Self.utf16(Self.text, isBigEndian, mark: true)
        for missing in 2..<file.count - 12 {
            let text = DamagedText(Array(file[..<missing]) + file[(missing + 1)...])
            let start = Self.text.utf16.prefix(max((missing - 2) / 2 - 1, 0))
            let end = Self.text.utf16.dropFirst((missing - 2) / 2 + 2)
            let found = Self.string(text).utf16
            #expect(found.starts(with: start.dropLast()), "\(missing)")
            #expect(found.reversed().starts(with: end.dropFirst().reversed()), "\(missing): \(Self.string(text))")
            #expect(!text.replacements.isEmpty, "\(missing)")
        }
    }

    @Test func replacesHalvesOfCharacters() {
        let text = DamagedText([0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8, 0x62, 0, 0x63])
        #expect(Self.string(text) == "a\u{FFFD}b\u{FFFD}" && text.replacements == [1, 5])
    }

    /// Zero bytes and other languages are no sign of UTF-16 or of a missing byte.
    @Test func trustsOtherTexts() {
        let zeros = Array("{\"a\": ".utf8) + [UInt8](repeating: 0, count: 100) + Array("}".utf8)
        #expect(DamagedText(zeros).bytes == zeros)
        let chinese = "{\"a\": \"\u{4E00}\u{4F00}\u{5000}\u{4E01}\u{7684}\"}"
        #expect(Self.string(DamagedText(Self.utf16(chinese, false, mark: true))) == chinese)
    }
}
