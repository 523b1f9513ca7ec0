import Testing

@testable import SaveCodec

/// Keys that the cache finds by their bytes equal the keys in the text.
@Suite struct NameCacheTests {
    @Test func recognizesKeysInJSON() throws {
        let keys = [
            #"abcdefgh"#, #"abcdefgh\""#, #"abcdefghi"#, #"abcdefgh"#, #"abcdefg"#, #"abcdefgh\\"#, #"ab"#, #"ab\\"#,
            #"ab\""#, #"ab"#, #""#, #"abcdefghé"#, #""#, #"abcdefghé"#, #"é"#, #"abcdefghi"#,
        ]
        let text = "[\(keys.map { "{\"\($0)\":0}" }.joined(separator: ","))]"
        let document = try JSONCases.read(text)
        #expect(try JSONCases.write(document) == text + "\n")
        // The array, its dictionaries, their shared value, and each distinct key once.
        #expect(document.count == 1 + keys.count + 1 + Set(keys).count)
        // A key and its escaped spelling share one object.
        #expect(try JSONCases.read(#"[{"ab":0},{"\u0061b":0},{"ab":0}]"#).count == 6)
    }

    @Test(arguments: [#"{"ab":0,"ab"#, #"{"abcdefghi":0,"abcdefghi"#, #"{"abcdefgh":0,"abcdefgh"#, #"{"":0,""#])
    func rejectsTextThatEndsInKey(text: String) throws {
        for end in text.indices { #expect(throws: Problem.self) { try JSONCases.read(String(text[...end])) } }
    }

    @Test func recognizesKeysInXML() throws {
        let keys = [
            ("abc", "abc"), ("abc<![CDATA[d]]>", "abcd"), ("abc", "abc"), ("abc&lt;", "abc<"), ("abcdefgh", "abcdefgh"),
            ("abcdefghi", "abcdefghi"), ("abcdefgh<![CDATA[]]>", "abcdefgh"), ("abcdefgh", "abcdefgh"), ("", ""),
            ("abcdefghé", "abcdefghé"), ("", ""), ("abcdefghé", "abcdefghé"), ("abcdefghi", "abcdefghi"),
        ]
        let text = keys.map { "<dict><key>\($0.0)</key><true/></dict>" }.joined()
        let document = try XMLPlist.read(Array("<plist><array>\(text)</array></plist>".utf8))
        guard case .array(let elements) = document[document.root] else {
            Issue.record("no array")
            return
        }
        let found = elements.map { element -> String? in
            guard case .dictionary(let pairs) = document[element] else { return nil }
            return document.text(pairs[0].key)?.string
        }
        #expect(found == keys.map(\.1))
        #expect(document.count == 1 + keys.count + 1 + Set(keys.map(\.1)).count)
    }

    @Test(arguments: ["abc", "abcdefgh", "abcdefghi"])
    func rejectsInvalidEndTag(key: String) throws {
        let start = "<dict><key>\(key)</key><true/><key>\(key)"
        for end in ["", "<", "</", "</ke", "<key>", "</string>", "<!-- -->"] {
            #expect(throws: Problem.self) { try XMLPlist.read(Array((start + end).utf8)) }
        }
        let spaced = try XMLPlist.read(Array((start + "</key ><true/></dict>").utf8))
        #expect(spaced.count == 3)
    }
}
