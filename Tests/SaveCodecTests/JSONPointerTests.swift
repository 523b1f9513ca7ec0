import Testing

@testable import SaveCodec

@Suite struct AddressTests {
    static let pointers: [(pointer: String, tokens: [String], forms: [Int])] = [
        ("", [], []), ("/", [""], []), ("/a/~01~1", ["a", "~1/"], []), ("/levels/~=5", ["levels", "=5"], [1]),
        ("/~#3/x", ["#3", "x"], [0]), ("/=5", ["=5"], []), ("/~0=5", ["~=5"], []), ("/~=a~1~0", ["=a/~"], [0]),
    ]

    @Test(arguments: pointers)
    func readsAndWrites(_ pointer: String, _ tokens: [String], _ forms: [Int]) throws {
        let address = try #require(JSONPointer(pointer))
        #expect(address.tokens == tokens.map { Array($0.utf16) })
        #expect(address.tokens.indices.filter(address.isExtension) == forms)
        #expect(String(decoding: address.pointer, as: UTF16.self) == pointer)
        #expect(address.description == (pointer.isEmpty ? "(root)" : pointer))
    }

    @Test(arguments: ["a", "/~", "/~2", "/a~=5", "/a/~~"])
    func refuses(_ pointer: String) {
        #expect(JSONPointer(pointer) == nil)
    }

    @Test func distinguishesFormsFromKeys() throws {
        #expect(JSONPointer("/~=5") != JSONPointer("/=5"))
        var address = try #require(JSONPointer("/a/~=5"))
        address.removeLast()
        address.append(key: "=5".utf16)
        #expect(address == JSONPointer("/a/=5"))
        #expect(try #require(JSONPointer("/~=5/~=6/b")).prefix(1) == JSONPointer("/~=5"))
    }

    static let keys: [(key: Node, token: String)] = [
        (.integer(StoredInteger(-5)), "=-5"), (.real64(1), "=1.0"), (.boolean(true), "=true"),
        (.date(0), "=2001-01-01T00:00:00Z"), (.real64(.nan), "#3"), (.real32(1), "#3"), (.null, "#3"),
        (.date(.infinity), "#3"),
    ]

    @Test(arguments: keys)
    func addressesNonStringKeys(_ key: Node, _ token: String) {
        #expect(JSONPointer.extensionToken(ofKey: key, at: 3) == token)
    }
}

/// Keys that resemble the wildcards of patterns.
@Suite struct AsteriskTests {
    @Test(arguments: [
        ("/a/~*", "/a/~*", "/a/*"), ("/~**/b", "/~**/b", "/**/b"), ("/*", "/~*", "/*"), ("/*x", "/*x", "/*x"),
        ("/~*x", "/*x", "/*x"), ("/***", "/***", "/***"),
    ]) func escapesForDisplay(_ text: String, _ shown: String, _ pointer: String) throws {
        let address = try #require(JSONPointer(text))
        #expect(address.description == shown)
        #expect(String(decoding: address.operand, as: UTF16.self) == shown)
        #expect(String(decoding: address.pointer, as: UTF16.self) == pointer)
        #expect(JSONPointer(shown) == address)
    }

    @Test func readsWildcardsAsForms() throws {
        let pattern = try #require(JSONPointer(units: "/*/~*/**/~**/*x".utf16, isPattern: true))
        #expect(pattern.description == "/*/~*/**/~**/*x")
        #expect((0..<5).map(pattern.isExtension) == [true, false, true, false, false])
    }

    @Test(arguments: ["/a~*", "/~", "/~x"]) func rejectsInvalidEscapes(_ text: String) {
        #expect(JSONPointer(text) == nil)
    }
}
