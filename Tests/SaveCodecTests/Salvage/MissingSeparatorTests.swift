import Testing

@testable import SaveCodec

/// Separators that an edit by hand left out between elements of an array.
@Suite struct MissingSeparatorTests {
    @Test(arguments: [
        (Format.json, "[10,20 30]", "[10,20, 30]", ["/2"]),
        (.json, "[1 2 3]", "[1, 2, 3]", ["/1", "/2"]),
        (.json, #"{"a":["x" "y","z"]}"#, #"{"a":["x", "y","z"]}"#, ["/a/1", "/a"]),
        (.json, "[1,\n  2\n  3\n]", "[1,\n  2,\n  3\n]", ["/2"]),
        (.json, "[1 // one\n 2]", "[1, // one\n 2]", ["/1"]),
        (.json, #"[{"n":1} {"n":2}, true]"#, #"[{"n":1} ,{"n":2}, true]"#, ["/1"]),
        (.json, "[[1] [2]]", "[[1] ,[2]]", ["/1"]),
        (.openStep, #"("a" "b");"#, #"("a", "b")"#, ["/1"]),
    ])
    func writesTheSeparator(_ format: Format, _ text: String, _ repaired: String, _ doubtful: [String]) throws {
        let salvage = try format.definition.salvage(Array(text.utf8), limits: Limits())
        #expect(String(decoding: salvage.bytes, as: UTF8.self) == repaired)
        let addresses = salvage.doubtfulAddresses()
        #expect(addresses == Set(doubtful + ["(root)"]))
    }

    /// Text without quotation marks is no list of elements, a key needs a value, and brackets may be missing, too.
    @Test(arguments: [
        (Format.openStep, "(a b, c)"), (.json, #"["a" b, 1]"#), (.json, #"["x"y", "z"]"#), (.json, #"[1 "a": 2]"#),
        (.json, "[1 2}"), (.json, "{\"m\":[[1, 2\n [3, 4], [5, 6]], \"n\": 1}"),
        (.json, #"{"a":[{"x":1, "t":[1,2 {"x":2,"t":[3]}, {"x":3}], "z":1}"#),
        (.openStep, #"{ a = ( ("x", "y" ("z"), ("w")); b = "c"; }"#),
    ])
    func writesNoOther(_ format: Format, _ text: String) throws {
        let salvage = try? format.definition.salvage(Array(text.utf8), limits: Limits())
        #expect(salvage?.losses.contains { $0.message.hasPrefix("the separator") } != true)
    }
}
