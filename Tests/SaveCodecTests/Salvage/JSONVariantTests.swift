import Testing

@testable import SaveCodec

/// Values and names that a person typed as in Python or JavaScript.
@Suite struct JSONVariantTests {
    @Test(arguments: [
        (#"{"a": True, "b": 1}"#, #"{"a": true, "b": 1}"#, ["/a"]),
        (#"{"a": [None, FALSE], "b": 1}"#, #"{"a": [null, false], "b": 1}"#, ["/a", "/a/0", "/a/1"]),
        (#"{"a": +12, "b": -.5}"#, #"{"a": 12, "b": -0.5}"#, ["/a", "/b"]),
        (#"{"a": 5., "b": 007}"#, #"{"a": 5.0, "b": 7}"#, ["/a", "/b"]),
        (#"{"a": 0x1F, "b": -0xff}"#, #"{"a": 31, "b": -255}"#, ["/a", "/b"]),
        (#"{"a": 00, "b": 0xFFFFFFFFFFFFFFFF}"#, #"{"a": 0, "b": 18446744073709551615}"#, ["/a", "/b"]),
        ("{\"a\": \"x\ty\", \"b\": 1}", #"{"a": "x\ty", "b": 1}"#, ["/a"]),
        (#"{'a': 'Zo\'s', "b": 'two'}"#, #"{"a": "Zo's", "b": "two"}"#, ["/a", "/b"]),
        (#"{'a': 'say "hi"', 'b': "it's"}"#, #"{"a": "say \"hi\"", "b": "it's"}"#, ["/a", "/b"]),
        ("{a: 1, _b2: {$c: 'x'}}", #"{"a": 1, "_b2": {"$c": "x"}}"#, ["/a", "/_b2", "/_b2/$c"]),
        (#"{"a" 1, "b": 2}"#, #"{"a": 1, "b": 2}"#, ["/a"]),
        (#"{"a" {"b": 2}, "c" "d"}"#, #"{"a": {"b": 2}, "c": "d"}"#, ["/a", "/c"]),
    ])
    func keepsWhatWasMeant(_ text: String, _ repaired: String, _ doubtful: [String]) throws {
        let salvage = try Format.json.definition.salvage(Array(text.utf8), limits: Limits())
        #expect(String(decoding: salvage.bytes, as: UTF8.self) == repaired)
        let addresses = salvage.doubtfulAddresses()
        #expect(addresses.subtracting(["(root)"]) == Set(doubtful))
    }

    /// Numbers that JSON cannot hold, words, and text between two strings.
    @Test(arguments: [
        #"{"a": NaN, "b": 1}"#, #"{"a": 0x, "b": 1}"#, #"{"a": e5, "b": 1}"#, #"{"a": 1.2.3, "b": 1}"#,
        #"{"a": 0xFFFFFFFFFFFFFFFFF, "b": 1}"#, #"{"a": maybe, "b": 1}"#, #"{"a": 'it's', "b": 1}"#,
        #"{"a": 0x-1, "b": 1}"#, #"{"a": .5e999, "b": 1}"#, #"{"a": 0x0000000000000000012345, "b": 1}"#,
    ])
    func losesOtherValues(_ text: String) throws {
        let salvage = try Format.json.definition.salvage(Array(text.utf8), limits: Limits())
        #expect(salvage.losses.contains { $0.kind == .value })
        #expect(salvage.bytes.suffix(7).elementsEqual(#""b": 1}"#.utf8))
    }

    /// A changed byte may look like such a spelling.
    @Test(arguments: [
        #"{"l": [5,07, "x"], "m": 1}"#, #"{"l": [12,.5, "x"], "m": 1}"#, #"{"f": {a: 1}, "m": 1}"#, #"{"a": 1, b: 2 }"#,
    ])
    func doubtsContainersAroundIt(_ text: String) throws {
        let salvage = try Format.json.definition.salvage(Array(text.utf8), limits: Limits())
        let doubtful = salvage.losses.filter { $0.kind == .doubtful }.map(\.place)
        #expect(doubtful.contains { if case .address(let address) = $0 { address == .root } else { false } })
    }

    /// A word that the damage touches may be a part of a longer one.
    @Test(arguments: [
        "{\"l\": [\"a\", 5.\u{1}, \"c\"]}", #"{"l": [True"x", 5]}"#, #"["[1, .5"#, #"{"l": [12.=, "c"]}"#,
    ])
    func losesWordsBesideDamage(_ text: String) throws {
        let salvage = try Format.json.definition.salvage(Array(text.utf8), limits: Limits())
        #expect(!salvage.losses.isEmpty)
    }

    @Test func keepsStringsWithApostrophes() throws {
        let text = #"{"a": ?it's", "b": 1, "c": "that's", "d": 2}"#
        let salvage = try Format.json.definition.salvage(Array(text.utf8), limits: Limits())
        #expect(String(decoding: salvage.bytes, as: UTF8.self).hasSuffix(#""b": 1, "c": "that's", "d": 2}"#))
    }
}
