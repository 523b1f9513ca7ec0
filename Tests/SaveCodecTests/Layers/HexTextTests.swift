@testable import SaveCodec
import Testing

/// Hexadecimal text is a layer that keeps its spelling.
@Suite struct HexTextTests {
    private static let save = Array(
        "bplist00".utf8 + [
            0xD1, 1, 2, 0x51, 0x61, 0x10, 7, 8, 0x0B, 0x0D, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 3,
        ]
            + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0F])

    /// Returns the digits in groups of some bytes, and lines of some groups.
    private static func text(_ group: Int, _ line: Int, uppercase: Bool = false, end: String = "\n") -> String {
        var text = ""
        for (position, byte) in save.enumerated() {
            if position > 0, position % group == 0 { text += position % line == 0 ? end : " " }
            text += Hexadecimal.text(of: [byte], uppercase: uppercase)
        }
        return text
    }

    static let texts = [
        text(1_000, 1_000), text(1_000, 1_000, uppercase: true), text(1_000, 1_000) + "\n", text(1, 16) + "\r\n",
        text(4, 16, uppercase: true, end: "\r\n"), text(16, 16), "<" + text(4, 1_000) + ">\n",
        "\n  62706c69 73\t74\n\n" + text(1_000, 1_000).dropFirst(12), text(4, 10),
    ]

    @Test(arguments: texts) func keepsSpelling(_ text: String) throws {
        let (contents, layers) = try Layers.unwrap(Array(text.utf8), decodes: true)
        #expect(contents == Self.save)
        #expect(String(decoding: layers.wrap(contents), as: UTF8.self) == text)
        // Longer contents continue the groups, and everything reads back.
        for other in [contents + contents, Array(contents.prefix(9)), []] {
            let written = layers.wrap(other)
            #expect(HexText.decode(written)?.bytes == other)
        }
    }

    @Test func groupsContinue() throws {
        let (_, form) = try #require(HexText.decode(Array("<0102 0304\n0506 0708>".utf8)))
        let text = String(decoding: form.encode(Array(1...10)), as: UTF8.self)
        #expect(text == "<0102 0304\n0506 0708\n090a>")
    }

    @Test(arguments: [
        "62706c697374303", "<62706c69", "62706C697374303a 6b", "", "6270 6c69 73 zz", "deadbeef deadbeef",
    ])
    func otherTextIsNoLayer(_ text: String) throws {
        #expect(LayerSearch.kind(of: Array(text.utf8), decodes: true) != .hexadecimal)
    }

    @Test func irregularGapsAreLimited() {
        let text = (0..<200_001).map { $0 % 2 == 0 ? "62 " : "62\n\n" }.joined()
        #expect(HexText.decode(Array(text.utf8)) != nil)
        let odd = (0..<200_001).map { $0 % 3 == 0 ? "62 " : $0 % 3 == 1 ? "6262\n" : "62\t" }.joined()
        #expect(HexText.decode(Array(odd.utf8)) == nil)
    }
}
