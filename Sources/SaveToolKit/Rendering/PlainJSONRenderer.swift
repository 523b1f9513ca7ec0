import SaveCodec
import SaveOperations

/// Writes a document as plain JSON for `jq` and its like (design.md §5.4). One way: dates and data become strings, sets
/// arrays, and NaN and infinities null.
struct PlainJSONRenderer {
    let document: Document
    /// Whether there is no white space.
    let isCompact: Bool

    /// Writes an outline, and a line feed.
    func render(_ outline: Outline, to output: inout ByteWriter) throws(Problem) {
        var outline = outline
        var isFirst = true
        let bound = OutputBound(document, output)
        while !output.hasFailed, let step = outline.next() {
            switch step {
            case .value(let row):
                let depth = outline.depth - (row.showing == .opened ? 1 : 0)
                begin(row.label, isFirst: isFirst, depth: depth, to: &output)
                write(row, outline, to: &output)
                isFirst = row.showing == .opened
            case .more: break
            case .end(let node):
                if !isFirst { startLine(outline.depth, to: &output) }
                output.write(Self.brackets(of: node).end)
                isFirst = false
            }
            try bound.check(output)
        }
        output.write(UInt8(ascii: "\n"))
    }

    private func begin(_ label: Outline.Label, isFirst: Bool, depth: Int, to output: inout ByteWriter) {
        if case .start = label { return }
        if !isFirst { output.write(UInt8(ascii: ",")) }
        startLine(depth, to: &output)
        guard case .entry(_, let key) = label else { return }
        ScalarText.writeName(key, of: document, to: &output)
        output.write(isCompact ? ":" : ": ")
    }

    private func startLine(_ depth: Int, to output: inout ByteWriter) {
        guard !isCompact else { return }
        output.write(UInt8(ascii: "\n"))
        output.write(UInt8(ascii: " "), times: 2 * depth)
    }

    private func write(_ row: Outline.Row, _ outline: Outline, to output: inout ByteWriter) {
        switch row.showing {
        case .scalar: ScalarText.writePlain(row.id, of: document, isCompact: isCompact, to: &output)
        case .opened: output.write(Self.brackets(of: row.node).start)
        case .closed, .repeated:
            output.write(isCompact ? "{\"$ref\":" : "{\"$ref\": ")
            ScalarText.writeString(outline.firstAddress(of: row.id).pointer, to: &output)
            output.write(UInt8(ascii: "}"))
        }
    }

    private static func brackets(of node: Node) -> (start: UInt8, end: UInt8) {
        if case .dictionary = node { return (UInt8(ascii: "{"), UInt8(ascii: "}")) }
        return (UInt8(ascii: "["), UInt8(ascii: "]"))
    }
}
