import SaveCodec
import SaveOperations

/// Draws a document as a tree:
///
///     dictionary, 2 keys
///     ├─ name: "Zoë"
///     └─ scores: array, 2 elements
///        ├─ 0: 1200
///        └─ 1: 900
///
/// A container that is referred to several times is drawn once, and then as `→ same as /scores`.
struct TreeRenderer {
    private let document: Document
    private let palette: Palette
    private let showsTypes: Bool
    /// What stands before the branch of each row: a line or a blank for every open container but the first.
    private var trunk: [UInt8] = []
    /// How much of the trunk belongs to each open container.
    private var lengths: [Int] = []
    /// Keys as they are shown.
    private var keys: [ObjectID: String] = [:]

    /// Creates a renderer.
    ///
    /// - Parameter showsTypes: whether the stored kind and width of every value are shown.
    init(_ document: Document, palette: Palette, showsTypes: Bool) {
        self.document = document
        self.palette = palette
        self.showsTypes = showsTypes
    }

    /// Writes the tree of an outline.
    mutating func render(_ outline: consuming Outline, to output: inout ByteWriter) throws(Problem) {
        var outline = outline
        let bound = OutputBound(document, output)
        while !output.hasFailed, let step = outline.next() {
            switch step {
            case .value(let row):
                draw(row, outline, to: &output)
                if row.showing == .opened { open(isLast: row.isLast) }
            case .more(let count):
                drawBranch(isLast: true, to: &output)
                palette.write("… \(count) more\n", in: .note, to: &output)
            case .end:
                trunk.removeLast(trunk.count - lengths.removeLast())
            }
            try bound.check(output)
        }
    }

    /// The contents of the first container have no line before their branches.
    private mutating func open(isLast: Bool) {
        lengths.append(trunk.count)
        if lengths.count > 1 { trunk += Array((isLast ? "   " : "│  ").utf8) }
    }

    private func drawBranch(isLast: Bool, to output: inout ByteWriter) {
        palette.write(in: .line, to: &output) { output in
            output.write(trunk)
            output.write(isLast ? "└─ " : "├─ ")
        }
    }

    private mutating func draw(_ row: Outline.Row, _ outline: borrowing Outline, to output: inout ByteWriter) {
        drawLabel(row, to: &output)
        if row.showing == .repeated {
            let address = Shortened.address(outline.firstAddress(of: row.id, longest: Shortened.enough))
            palette.write("→ same as \(address)", in: .note, to: &output)
        } else {
            let (text, ink) = ValueText.line(row.node)
            palette.write(text, in: ink, to: &output)
            if row.showing == .closed { palette.write(" …", in: .note, to: &output) }
            if showsTypes, let form = ValueText.storedForm(row.node) {
                palette.write("  (\(form))", in: .note, to: &output)
            }
        }
        output.write(UInt8(ascii: "\n"))
    }

    private mutating func drawLabel(_ row: Outline.Row, to output: inout ByteWriter) {
        switch row.label {
        case .start: break
        case .element(let position):
            drawBranch(isLast: row.isLast, to: &output)
            palette.write("\(position): ", in: .key, to: &output)
        case .entry(_, let key):
            drawBranch(isLast: row.isLast, to: &output)
            palette.write(label(key), in: .key, to: &output)
        }
    }

    private mutating func label(_ key: ObjectID) -> String {
        if let label = keys[key] { return label }
        let label = (document.text(key).map(Shortened.key) ?? "(\(ValueText.line(document[key]).text))") + ": "
        keys[key] = label
        return label
    }
}
