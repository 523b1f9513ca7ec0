import SaveCodec
import Testing

@testable import SaveOperations

@Suite struct URLEncodedFormTests {
    private func fields(_ body: String) throws -> [[String]] {
        try URLEncodedForm.fields(of: Array(body.utf8)[...]).map { [$0.name, $0.value] }
    }

    @Test(arguments: [
        ("", []), ("&&", []), ("a", [["a", ""]]), ("=b", [["", "b"]]), ("a=b", [["a", "b"]]),
        ("a=b=c", [["a", "b=c"]]),
        ("a=1&&b=2&", [["a", "1"], ["b", "2"]]), ("a=+%2B+", [["a", " + "]]), ("a%5Bb%5d=%e2%82%AC", [["a[b]", "€"]]),
        ("a=%26%3D%25", [["a", "&=%"]]), ("a=Zoë", [["a", "Zoë"]]), ("a=%00", [["a", "\0"]]),
    ])
    func body(_ text: String, expected: [[String]]) throws {
        #expect(try fields(text) == expected)
    }

    @Test(arguments: [
        ("a=%", "byte 0x2: found %; expected % and two hexadecimal digits"),
        ("a=%4", "byte 0x2: found %4; expected % and two hexadecimal digits"),
        ("a=%4&b", "byte 0x2: found %4; expected % and two hexadecimal digits"),
        ("a=b%zz", "byte 0x3: found %zz; expected % and two hexadecimal digits"),
        ("a=%+1", "byte 0x2: found %+1; expected % and two hexadecimal digits"),
        ("a=%u20AC", "byte 0x2: found %u2; expected % and two hexadecimal digits"),
        ("a=%\u{1B}[", "byte 0x2: found %\\u001B[; expected % and two hexadecimal digits"),
        ("%FF=b", "byte 0x0: the text that starts here is not UTF-8"),
        ("a=b&c=%E2%82", "byte 0x6: the text that starts here is not UTF-8"),
        ("a=%C0%80", "byte 0x2: the text that starts here is not UTF-8"),
        ("a=%ED%A0%80", "byte 0x2: the text that starts here is not UTF-8"),
        ("a=%F4%90%80%80", "byte 0x2: the text that starts here is not UTF-8"),
    ])
    func brokenBody(_ text: String, sentence: String) {
        let problem = #expect(throws: Problem.self) { try fields(text) }
        #expect(problem?.description == sentence)
    }

    @Test(arguments: [
        ("", ""), ("Ada Lovelace", "Ada+Lovelace"), ("a+b&c=d%", "a%2Bb%26c%3Dd%25"), ("*-._~", "*-._%7E"),
        ("Zoë’s", "Zo%C3%AB%E2%80%99s"), ("<\u{7}>", "%3C%07%3E"),
    ])
    func encoding(_ value: String, expected: String) throws {
        let encoded = URLEncodedForm.encoded(value)
        #expect(String(decoding: encoded, as: UTF8.self) == expected)
        #expect(try URLEncodedForm.fields(of: (Array("v=".utf8) + encoded)[...]) == [.init(name: "v", value: value)])
    }

    /// Every character below U+0080 survives a round trip.
    @Test func encodingOfEveryCharacter() throws {
        let value = String(String.UnicodeScalarView((0..<0x80).map { Unicode.Scalar(UInt8($0)) }))
        #expect(try fields("v=" + String(decoding: URLEncodedForm.encoded(value), as: UTF8.self)) == [["v", value]])
    }
}
