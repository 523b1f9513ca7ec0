import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

/// Writes a view as an HTML page with a row for each value, in the format of ``PageScript``, and the byte counts of
/// classes.
struct HTMLRenderer {
    /// The file name, safe to print.
    let title: String
    /// The headline of the file.
    let about: String
    /// The size of each class; empty if the file is not an archive.
    let sizes: [TreePage.Size]
    /// The origins of values; nil without a defaults overlay.
    let origins: DefaultsNotes?
    private var texts = PageRowText()
    private var references = ReferencePointers()

    init(title: String, about: String, sizes: [TreePage.Size], origins: DefaultsNotes?) {
        self.title = title
        self.about = about
        self.sizes = sizes
        self.origins = origins
    }

    /// Writes the page of an outline that starts at an address.
    ///
    /// - Throws: A problem if the page exceeds the bound.
    mutating func render(
        _ outline: consuming Outline, from start: JSONPointer, within bound: OutputBound, to output: inout ByteWriter
    ) throws(Problem) {
        var outline = outline
        var depth = 0
        var page = TreePage(title: title, to: &output)
        while !output.hasFailed, let step = outline.next() {
            switch step {
            case .value(let row):
                var shown = self.row(row, depth: depth, of: outline, from: start)
                if case .repeated = row.presentation {
                    shown.target = try references.pointer(to: row, of: outline, within: bound, after: output)
                }
                page.add(shown, to: &output)
                if row.isOpened { depth += 1 }
            case .more(let count):
                let text = "… \(CountText.of(count)) more"
                page.add(TreePage.Row(depth: depth, label: "", text: text, textRole: .note), to: &output)
            case .end: depth -= 1
            }
            try bound.check(output)
        }
        page.end(about: about, sizes: sizes, to: &output)
    }

    private mutating func row(
        _ row: Outline.Row, depth: Int, of outline: borrowing Outline, from start: JSONPointer
    ) -> TreePage.Row {
        let line = texts.line(row, outline)
        let origin = origins?.text(row, depth: depth).map { "  " + $0 } ?? ""
        return TreePage.Row(
            depth: depth, label: texts.label(row), text: line.text + origin, textRole: line.textRole,
            step: step(row, from: start))
    }

    /// Returns the part of a row's address after the address of its container.
    private func step(_ row: Outline.Row, from start: JSONPointer) -> [UInt16] {
        switch row.slot {
        case .start: start.operand
        case .element(let position): Array("/\(position)".utf16)
        case .entry(let position, let key):
            row.level.view.step(PathStep(key: key, position: position)).operand
        }
    }
}

/// The texts of rows in pages.
struct PageRowText {
    private var keys = NestedViewCache<String>()

    /// Returns the key or the position of a row; empty for the row at the start.
    mutating func label(_ row: Outline.Row) -> String {
        switch row.slot {
        case .start: ""
        case .element(let position): "\(position)"
        case .entry(_, let key):
            keys.shown(key.index, of: row.level) { view in
                if let text = view.text(key) { return TruncatedText.key(text) }
                return "(\(view.annotation(of: key) ?? ValueText.line(view[key], key, in: view).text))"
            }
        }
    }

    /// Returns the value of a row on one line.
    func line(_ row: Outline.Row, _ outline: borrowing Outline) -> (text: String, textRole: TextRole) {
        let view = row.level.view
        switch row.presentation {
        case .scalar:
            guard let save = NestedSaveLine(row, of: outline) else {
                return ValueText.line(row.value, row.id, in: view)
            }
            return (ValueText.size(of: row) + ": " + save.title, .plain)
        case .opened, .closed:
            let line = ValueText.line(row.value, row.id, in: view)
            return view.annotation(of: row.id).map { (line.text + ", " + TruncatedText.line($0), line.textRole) }
                ?? line
        case .annotated(let text):
            let name = view.classPosition(of: row.id).map(view.className) ?? "object"
            return (name + ", " + TruncatedText.line(text), .plain)
        case .repeated: return ("→ " + view.caption(view[row.id]), .note)
        case .nested(let nested): return ValueText.line(nested)
        case .unreadable(let problem):
            let text = view.text(row.id).map { TruncatedText.string($0) + ", " } ?? ""
            return (text + "not opened: " + TruncatedText.line(problem.description), .note)
        }
    }
}
