import Testing

@testable import JSONSchema

/// Formats that the installed version of the suite does not test.
@Suite struct SchemaFormatTests {
    static let good: [(SchemaFormat, [String])] = [
        (.duration, ["P3W", "P1Y2M10DT2H30M", "PT36H", "P1M", "PT1M", "P0D"]),
        (.ipv4, ["127.0.0.1", "255.255.255.255"]),
        (.ipv6, ["::", "::1", "2001:db8::1", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1", "1:2:3:4:5:6:7::"]),
        (.uri, ["http://a/b?c#d", "urn:a:b", "http://[::1]:80/", "mailto:a@b.c", "tel:+1-2"]),
        (.iri, ["http://ƒøø.ßår/?∂éœ=πîx#πîüx", "http://a/b"]),
        (.iriReference, ["âππ", "#ƒrägmênt", "//ƒøø"]),
        (.uuid, ["2EB8AA08-AA98-11EA-B4AA-73B441D16380", "00000000-0000-0000-0000-000000000000"]),
        (.idnHostname, ["실례.테스트", "xn--ihqwcrb4cv8a8dqg056pqjye", "hostname", "l·l", "क्‍ष", "ß", "a。b"]),
        (.hostname, ["xn--4gbwdl.xn--wgbh1c"]),
        (.regex, ["([abc])+\\s+$"]),
    ]

    @Test(arguments: good)
    func allows(_ format: SchemaFormat, _ texts: [String]) {
        for text in texts { #expect(format.allows(Array(text.utf16)), "\(text)") }
    }

    static let bad: [(SchemaFormat, [String])] = [
        (.duration, ["", "P", "PT", "P1Y2D", "P1DT", "4DT12H30M5S", "P2D1Y", "P1", "PT1H2S", "P1W1D", "P১Y"]),
        (.ipv4, ["127.0.0.0.1", "256.0.0.1", "127.0", "0x7f.1.1.1", "01.1.1.1", "1.1.1.1 "]),
        (
            .ipv6,
            [
                "12345::", ":::", "1:2:3:4:5:6:7", "1::2::3", "1:2:3:4:5:6:7:8:9", "::1%eth0", ":1:2:3:4:5:6:7",
                "::1.2.3.4:5", "",
            ]
        ),
        (
            .uri,
            ["//a/b", "/abc", "abc", "http:// a", ":// a", "http://a b", "http://[1::2", "1http://a", "http://a/%2"]
        ),
        (.iri, ["/abc", "âππ", "http://2001:db8::1:2", "http://a\\b"]),
        (.iriReference, ["\\\\WINDOWS\\filëßåré", "#ƒräg\\mênt"]),
        (
            .uuid,
            [
                "2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08aa9811eab4aa73b441d16380",
                "2eb8aa08-aa98-11ea-b4aa73b441d16380-",
            ]
        ),
        (
            .idnHostname,
            [
                "〮실례.테스트", "-> $1.00 <--", "xn--X", "-hello", "a--.b-", "a·l", "α͵", "A׳ב", "def・abc", "ب٠۰", "क‍ष", "",
                "ab--cd", "ـ", "A\u{300}B\u{2028}",
            ]
        ),
        (.hostname, ["xn--X", "xn--hello-txk", "XN--aa---o47jg78q"]),
        (.regex, ["^(abc]"]),
    ]

    @Test(arguments: bad)
    func refuses(_ format: SchemaFormat, _ texts: [String]) {
        for text in texts { #expect(!format.allows(Array(text.utf16)), "\(text)") }
    }
}
