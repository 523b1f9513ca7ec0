@testable import SaveCodec
@testable import SaveOperations
import TestSupport
import Testing

/// Many edits of a large text of any style take time linear in its size.
@Suite struct TextEditingGrowthTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let format: Format
        let before: @Sendable (Int) -> String
        let after: @Sendable (Int) -> String
        var testDescription: String { name }
    }

    private static func joined(_ count: Int, _ separator: String, _ text: (Int) -> String) -> String {
        (0..<count).map(text).joined(separator: separator)
    }

    static let cases = [
        Case(
            name: "one line, every second element removed", format: .json,
            before: { "[" + joined($0, ",") { "\($0)" } + "]" },
            after: { "[" + joined($0 / 2, ",") { "\(2 * $0)" } + "]" }),
        Case(
            name: "one line, an element inserted everywhere", format: .xml,
            before: { "<plist><array>" + joined($0, "") { "<integer>\($0)</integer>" } + "</array></plist>" },
            after: {
                "<plist><array>" + joined($0, "") { "<integer>\($0)</integer><true/>" } + "</array></plist>"
            }),
        Case(
            name: "lines with comments, every second pair removed", format: .openStep,
            before: { "{\n" + joined($0, "\n") { "\t// about k\($0)\n\tk\($0) = x; // behind" } + "\n}\n" },
            after: { "{" + joined($0 / 2, "") { "k\(2 * $0) = x;" } + "}" }),
        Case(
            name: "lines without indentation, a pair more in each dictionary", format: .json,
            before: { "[" + joined($0, ",") { "{\n\"a\":\($0)\n}" } + "]" },
            after: { "[" + joined($0, ",") { "{\"a\":\($0),\"b\":1}" } + "]" }),
        Case(
            name: "arrays with comments alone on one line, an element more in each", format: .openStep,
            before: { "(" + joined($0, ",") { "{k = k\($0); a = (/* c */);}" } + ")" },
            after: { "(" + joined($0, ",") { "{k = k\($0); a = (x);}" } + ")" }),
        Case(
            name: "a blank line everywhere, an element inserted everywhere", format: .json,
            before: { "[\n" + joined($0, ",\n\n") { "  \($0)" } + "\n]" },
            after: { "[" + joined($0, ",") { "\($0),true" } + "]" }),
        Case(
            name: "many new strings like a long one", format: .openStep,
            before: { "(\"" + String(repeating: "a", count: 20 * $0) + "\")" },
            after: { "(\"" + String(repeating: "a", count: 20 * $0) + "\"," + joined($0, ",") { "b\($0)" } + ")" }),
        Case(
            name: "many new elements beside a long comment", format: .xml,
            before: {
                "<plist><array><true/><!-- " + String(repeating: "c", count: 20 * $0) + " --><false/></array></plist>"
            },
            after: {
                "<plist><array><true/>" + joined($0, "") { "<integer>\($0)</integer>" } + "<false/></array></plist>"
            }),
        Case(
            name: "all dictionaries of a line emptied", format: .json,
            before: { "[{\n\n}," + joined($0, ",") { "{\"k\":\($0),\"a\":{\"x\":1}}" } + "]" },
            after: { "[{}," + joined($0, ",") { "{\"k\":\($0),\"a\":{}}" } + "]" }),
        Case(
            name: "nested as deep as readers go", format: .openStep,
            before: {
                joined($0 / 400, "\n") { _ in "" } + "("
                    + joined(max(1, $0 / 400), ",") { number in
                        "{k = k\(number); a = " + String(repeating: "(/**/b,", count: 400) + "c"
                            + String(repeating: ")", count: 400) + ";}"
                    } + ")"
            },
            after: {
                "("
                    + joined(max(1, $0 / 400), ",") { number in
                        "{k = k\(number); a = " + String(repeating: "(b,", count: 400) + "d"
                            + String(repeating: ")", count: 400) + ";}"
                    } + ")"
            }),
        Case(
            name: "commas at the beginning of lines", format: .openStep,
            before: { "( " + joined($0, "\n, ") { "k\($0) // about it" } + "\n)" },
            after: { "(" + joined($0 / 2, ",") { "k\(2 * $0), new" } + ")" }),
    ]

    @Test(arguments: cases) func isLinear(_ row: Case) throws {
        let isLinear = try Growth.isLinear(to: TestScale.count(4_000, long: 8_000)) { size in
            let (before, map) = try Document.readMapped(Array(row.before(size).utf8), as: row.format)
            let after = try Document.read(Array(row.after(size).utf8), as: row.format)
            let places = try #require(map)
            return { #expect(TextEditing.edited(before, at: places, as: row.format, to: after) != nil) }
        }
        #expect(isLinear)
    }
}
