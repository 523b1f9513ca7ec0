import SaveCodec
import TestSupport
import Testing

@testable import SaveToolKit

/// The lines of text tables, and tables with very many rows.
@Suite struct TableLinesTests {
    private static func text(_ lines: TableLines) -> String {
        var output = ByteWriter()
        lines.write(.plain, to: &output)
        return String(decoding: output.takeBytes(), as: UTF8.self)
    }

    @Test func alignsColumns() {
        var lines = TableLines(of: [
            Table.Column(name: "n", isNumeric: true), Table.Column(name: "name", widths: 0...6),
            Table.Column(name: "x"),
        ])
        for (number, name, x) in [(1, "日本", "é"), (200, "abcdefgh", ""), (30, "", "z")] {
            lines.add(.literal("\(number)"))
            lines.add(.text(name))
            lines.add(.text(x))
            if number == 200 { lines.addEmptyLine() }
        }
        #expect(
            Self.text(lines) == """
                  n  name    x
                  1  日本    é
                200  abcde…

                 30          z

                """)
    }

    @Test func joinsLines() {
        let columns = [Table.Column(name: "a"), Table.Column(name: "b")]
        var (first, second) = (TableLines(of: columns), TableLines(of: columns))
        for text in ["1", "2"] { first.add(.text(text)) }
        for text in ["long", "3"] { second.add(.text(text)) }
        first.add(second)
        #expect(Self.text(first) == "a     b\n1     2\nlong  3\n")
    }

    /// The memory of a line is its text and one byte for each cell.
    @Test func takesLittleMemory() {
        var lines = TableLines(of: [Table.Column(name: "a"), Table.Column(name: "b")])
        for _ in 0..<1_000 {
            lines.add(.text("/12/3"))
            lines.add(.literal("4"))
        }
        #expect(lines.size == 1_000 * (5 + 1 + 2))
    }

    /// The addresses and values of a list of small arrays are much longer than the list, but not out of proportion.
    @Test(.enabled(if: TestScale.isLong), arguments: ["text", "csv"]) func showsAllValues(format: String) throws {
        let workspace = try Workspace()
        let count = 130_000
        try workspace.write("[" + repeatElement("[1,2,3]", count: count).joined(separator: ",") + "]", to: "a.json")
        let result = workspace.run(["get", "--at", "/**", "-f", format, "a.json"])
        #expect(result.output.utf8.count { $0 == UInt8(ascii: "\n") } == 2 + 4 * count)
        #expect(result.talk.isEmpty)
    }

    /// Values that are printed one after the other look as each of them alone.
    @Test func printsValuesAsIfAlone() throws {
        let workspace = try Workspace()
        try workspace.write(#"{"a": [1, {"b": []}], "c": {"d": {}, "e": "x"}, "f": [[[2]], []]}"#, to: "a.json")
        let inner = ["/a/0", "/a/1", "/c/d", "/c/e", "/f/0", "/f/1"]
        for (addresses, pattern) in [(["/a", "/c", "/f"], "/*"), (inner, "/*/*")] {
            let alone = addresses.map { workspace.run(["get", "-f", "json", "--compact", "a.json", $0]).output }
            #expect(workspace.run(["get", "-f", "json", "a.json", pattern]).output == alone.joined())
            #expect(workspace.run(["get", "-f", "json", "a.json"] + addresses).output == alone.joined())
        }
    }
}
