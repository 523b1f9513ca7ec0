import Testing

@testable import SaveToolKit

/// Tests the display width of text, and how text is cut to fit a column.
@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("Zoë", 3), ("日本", 4), ("e\u{301}", 1), ("🐉", 2),
    ])
    func width(_ text: String, _ width: Int) {
        #expect(DisplayWidth.width(of: text) == width)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本太郎", 8, "日本太郎"), ("日本太郎", 7, "日本太…"),
        ("日本太郎", 6, "日本…"), ("ab", 1, "…"),
    ])
    func fitting(_ text: String, _ room: Int, _ expected: String) {
        #expect(DisplayWidth.fit(text, to: room) == expected)
    }
}
