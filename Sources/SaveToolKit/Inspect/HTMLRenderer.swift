import KeyedArchives
import SaveCodec
import SaveOperations

/// Writes a view as a page, with a row for each value as ``PageScript`` has them, and the bytes of each class.
struct HTMLRenderer {
    /// The name of the file, safe to print.
    let title: String
    /// What the file is.
    let about: String
    /// Names, objects and bytes of classes; empty for what is no archive.
    let sizes: [(name: String, objects: Int, bytes: Int)]
    private var keys = NestedViewCache<String>()
    private var references = ReferencePointers()

    init(title: String, about: String, sizes: [(name: String, objects: Int, bytes: Int)]) {
        self.title = title
        self.about = about
        self.sizes = sizes
    }

    /// Writes the page of an outline that starts at an address.
    mutating func render(
        _ outline: consuming Outline, from start: JSONPointer, within bound: OutputBound, to output: inout ByteWriter
    ) throws(Problem) {
        var outline = outline
        var json = ByteWriter()
        var list = JSONRows()
        var depth = 0
        Page.begin(to: &output)
        let classes = sizes.map { JSONValue.array([.string($0.name), .integer($0.objects), .integer($0.bytes)]) }
        list.begin(
            [("title", .string(title)), ("about", .string(about)), ("sizes", .array(classes))], to: &json)
        list.beginRows("rows", to: &json)
        while !output.hasFailed, let step = outline.next() {
            switch step {
            case .value(let row):
                let value = try value(row, depth, outline, from: start, within: bound, behind: output)
                list.add(value, to: &json)
                if row.isOpened { depth += 1 }
            case .more(let count):
                let text = "… \(Grouped.of(count)) more"
                list.add(
                    .array([.integer(depth), .string(""), .string(text), .string("note"), .string("")]), to: &json)
            case .end: depth -= 1
            }
            Page.write(json.takeBytes(), to: &output)
            try bound.check(output)
        }
        list.endRows(to: &json)
        list.end(to: &json)
        Page.write(json.takeBytes(), to: &output)
        Page.end(to: &output)
    }

    private mutating func value(
        _ row: Outline.Row, _ depth: Int, _ outline: borrowing Outline, from start: JSONPointer,
        within bound: OutputBound, behind output: borrowing ByteWriter
    ) throws(Problem) -> JSONValue {
        let line = line(row)
        var parts: [JSONValue] = [
            .integer(depth), .string(label(row)), .string(line.text), .string(Self.name(line.ink)),
            .text(step(row, from: start)),
        ]
        if case .repeated = row.showing {
            parts.append(.written(try references.pointer(to: row, of: outline, within: bound, behind: output)))
        }
        return .array(parts)
    }

    private mutating func label(_ row: Outline.Row) -> String {
        switch row.label {
        case .start: ""
        case .element(let position): "\(position)"
        case .entry(_, let key):
            keys.shown(key.index, of: row.layer) { view in
                if let text = view.text(key) { return Shortened.key(text) }
                return "(\(view.annotation(of: key) ?? ValueText.line(view[key], key, in: view).text))"
            }
        }
    }

    /// What the address of a row has behind the address of its container.
    private func step(_ row: Outline.Row, from start: JSONPointer) -> [UInt16] {
        switch row.label {
        case .start: start.pointer
        case .element(let position): Array("/\(position)".utf16)
        case .entry(let position, let key):
            row.layer.view.step(Outline.PathStep(key: key, position: position)).pointer
        }
    }

    private func line(_ row: Outline.Row) -> (text: String, ink: Ink) {
        let view = row.layer.view
        switch row.showing {
        case .scalar: return ValueText.line(row.value, row.id, in: view)
        case .opened, .closed:
            let line = ValueText.line(row.value, row.id, in: view)
            return view.annotation(of: row.id).map { (line.text + ", " + Shortened.line($0), line.ink) } ?? line
        case .annotated(let text):
            let name = view.classPosition(of: row.id).map(view.className) ?? "object"
            return (name + ", " + Shortened.line(text), .plain)
        case .repeated: return ("→ " + view.caption(view[row.id]), .note)
        case .nested(let nested): return ValueText.line(nested.root, nested.view.root, in: nested.view)
        case .unreadable(let problem): return ("not opened: " + Shortened.line(problem.description), .note)
        }
    }

    private static func name(_ ink: Ink) -> String {
        switch ink {
        case .string: "string"
        case .number: "number"
        case .note: "note"
        default: "plain"
        }
    }
}
