import Testing

@testable import SaveCodec

@Suite struct ASCIITests {
    /// Each class has exactly the listed characters, in bytes and UTF-16 code units.
    @Test func classes() {
        let digits = "0123456789"
        expect("0123456789", { $0.isDigit }, { $0.isDigit })
        expect("ABCDEF", { $0.isUppercaseHexLetter }, { $0.isUppercaseHexLetter })
        expect("abcdef", { $0.isLowercaseHexLetter }, { $0.isLowercaseHexLetter })
        expect(digits + "ABCDEFabcdef", { $0.isHexDigit }, { $0.isHexDigit })
        expect("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", { $0.isLetter }, { $0.isLetter })
        expect(
            digits + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", { $0.isLetterOrDigit },
            { $0.isLetterOrDigit })
        expect("\t\n\u{B}\u{C}\r ", { $0.isSpace }, { $0.isSpace })
        expect("\t\n\r ", { $0.isXMLSpace }, { $0.isXMLSpace })
        expect("\t ", { $0.isBlank }, { $0.isBlank })
    }

    private func expect(_ characters: String, _ ofBytes: (UInt8) -> Bool, _ ofUnits: (UInt16) -> Bool) {
        let expected = characters.unicodeScalars.map(\.value).sorted()
        #expect((0..<256).filter { ofBytes(UInt8($0)) }.map { UInt32($0) } == expected)
        #expect((0..<65536).filter { ofUnits(UInt16($0)) }.map { UInt32($0) } == expected)
    }

    @Test(arguments: [("  a b ", "a b"), ("", ""), ("   ", ""), ("a", "a")])
    func trimming(text: String, expected: String) {
        #expect(Array(text.utf8.trimming { $0.isSpace }) == Array(expected.utf8))
    }
}
