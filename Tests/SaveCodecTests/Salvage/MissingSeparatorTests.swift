import Testing

@testable import SaveCodec

/// Separators that an edit by hand left out between elements of an array.
@Suite struct MissingSeparatorTests {
    @Test(arguments: [
        (Format.json, "[10,20 30]", "[10,20, 30]", ["/1", "/2"]),
        (.json, "[1 2 3]", "[1, 2, 3]", ["/0", "/1", "/2"]),
        (.json, #"{"a":["x" "y","z"]}"#, #"{"a":["x", "y","z"]}"#, ["/a/0", "/a/1", "/a"]),
        (.json, "[1,\n  2\n  3\n]", "[1,\n  2,\n  3\n]", ["/1", "/2"]),
        (.json, "[1 // one\n 2]", "[1, // one\n 2]", ["/0", "/1"]),
        (.json, #"[{"n":1} {"n":2}, true]"#, #"[{"n":1} ,{"n":2}, true]"#, ["/0", "/1"]),
        (.json, "[[1] [2]]", "[[1] ,[2]]", ["/0", "/1"]),
        (.openStep, #"("a" "b");"#, #"("a", "b")"#, ["/0", "/1"]),
    ])
    func writesTheSeparator(_ format: Format, _ text: String, _ repaired: String, _ doubtful: [String]) throws {
        let salvage = try format.definition.salvage(Array(text.utf8), limits: Limits())
        #expect(String(decoding: salvage.bytes, as: UTF8.self) == repaired)
        var addresses: Set<String> = []
        for loss in salvage.losses {
            guard loss.kind == .doubtful, case .address(let address) = loss.place else {
                Issue.record("\(loss.kind): \(loss.message)")
                continue
            }
            addresses.insert(address.description)
        }
        #expect(addresses == Set(doubtful + ["(root)"]))
    }

    /// Text without quotation marks is no list of elements, and a key needs a value.
    @Test(arguments: [
        (Format.openStep, "(a b, c)"), (.json, #"["a" b, 1]"#), (.json, #"["x"y", "z"]"#), (.json, #"[1 "a": 2]"#),
        (.json, "[1 2}"),
    ])
    func writesNoOther(_ format: Format, _ text: String) throws {
        let salvage = try? format.definition.salvage(Array(text.utf8), limits: Limits())
        #expect(salvage?.losses.contains { $0.message.hasPrefix("no separator") } != true)
    }
}
