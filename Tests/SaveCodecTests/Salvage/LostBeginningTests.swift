import Testing

@testable import SaveCodec

/// Texts without their beginning, of which the rest ends several containers.
@Suite struct LostBeginningTests {
    @Test(arguments: [
        (Format.json, #"x", 2, "y"], "b": 3}"#, #"{"lost key 1": [null, 2, "y"], "b": 3}"#),
        (
            .json, #"ame": "Ada", "gems": 7}], "level": 2}"#,
            #"{"lost key 1": [{"lost key 2": "Ada", "gems": 7}], "level": 2}"#
        ),
        (.json, #"1, [2, 3], 4]]]"#, #"[[[null, [2, 3], 4]]]"#),
        (.json, #"12}, "b": {"c": 1}}"#, #"{"lost key 1": {}, "b": {"c": 1}}"#),
        (.json, #"{"a": 1}}"#, #"{"a": 1}"#), (.json, #"{"a": 1}, {"a": 2}"#, #"{"a": 1}"#),
        (.json, #"[1e999, 2]"#, "[null, 2]"),
        (.openStep, #"x", "y"); b = 3; }"#, #"{"lost key 1" = ("", "y"); b = 3; }"#),
        (.xml, "<string>x</string><string>y</string></array></dict></plist>", ""),
        (.xml, "ing>x</string><string>y</string></array><key>b</key><true/></dict></plist>", ""),
    ])
    func keepsInnerContainers(_ format: Format, _ text: String, _ repaired: String) throws {
        let salvage = try format.definition.salvage(Array(text.utf8), limits: Limits())
        let result = String(decoding: salvage.bytes, as: UTF8.self)
        if !repaired.isEmpty { #expect(result == repaired) }
        #expect(salvage.losses.contains { $0.kind == .doubtful } && !salvage.isProved)
        let root = salvage.document.object(salvage.document.root)
        #expect(root.kind.isContainer && root.count > 0)
    }

    /// The first values of the innermost container are kept, and the root is a dictionary.
    @Test func keepsElementsOfXML() throws {
        let text = "<string>x</string><string>y</string></array><key>b</key><true/></dict></plist>"
        let salvage = try Format.xml.definition.salvage(Array(text.utf8), limits: Limits())
        let (document, root) = (salvage.document, salvage.document.object(salvage.document.root))
        #expect(root.kind == .dictionary && root.count == 2)
        let array = document.object(document.value(0, of: root))
        #expect(array.kind == .array && array.count == 2)
    }
}
