import KeyedArchive
import SaveCodec
import SaveOperations

/// Writes a view as plain JSON for `jq` and its like. One way: dates and data become strings, sets
/// arrays, objects JSON objects with their class at `$class`, and NaN and infinities null.
struct PlainJSONRenderer {
    /// Whether there is no white space.
    private let isCompact: Bool
    /// Keys that are no plain strings, as names.
    private var names = LayerCache<ViewID, [UInt8]?>()
    private var classes = ClassStrings()
    private var references: ReferenceWriter

    init(isCompact: Bool) {
        self.isCompact = isCompact
        references = ReferenceWriter(isCompact: isCompact)
    }

    /// Writes an outline, and a line feed.
    mutating func render(
        _ outline: consuming Outline, within bound: OutputBound, to output: inout ByteWriter
    ) throws(Problem) {
        var outline = outline
        var isFirst = true
        while !output.hasFailed, let step = outline.next() {
            switch step {
            case .value(let row):
                let depth = outline.depth - (row.isOpened ? 1 : 0)
                begin(row, isFirst: isFirst, depth: depth, to: &output)
                try write(row, outline, within: bound, to: &output)
                isFirst = row.isOpened && !row.hasClass
            case .more: break
            case .end(let container):
                if !isFirst { startLine(outline.depth, to: &output) }
                output.write(container.isKeyed ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                isFirst = false
            }
            try bound.check(output)
        }
        output.write(UInt8(ascii: "\n"))
    }

    // MARK: Names

    private mutating func begin(_ row: Outline.Row, isFirst: Bool, depth: Int, to output: inout ByteWriter) {
        if case .start = row.label { return }
        if !isFirst { output.write(UInt8(ascii: ",")) }
        startLine(depth, to: &output)
        guard case .entry(_, let key) = row.label else { return }
        writeName(key, row.layer, to: &output)
        output.write(isCompact ? ":" : ": ")
    }

    private mutating func writeName(_ key: ViewID, _ layer: Layer, to output: inout ByteWriter) {
        let stored = layer.view.stored(key)
        if !layer.view.document.object(stored).kind.isContainer {
            return ScalarText.writeName(stored, of: layer.view.document, to: &output)
        }
        let name = names.shown(key, of: layer) { Self.name(key, in: $0) }
        output.write(name ?? [])
    }

    /// The name for a key that is an object of a class, or a container.
    private static func name(_ key: ViewID, in view: ObjectView) -> [UInt8] {
        var output = ByteWriter()
        let value = view[key]
        if case .scalar(let node) = value.form {
            let (document, id) = view.scalar(key, node)
            ScalarText.writeName(id, of: document, to: &output)
        } else {
            let text = view.annotation(of: key) ?? ValueText.line(value, key, in: view).text
            ScalarText.writeString(Array(text.utf16), to: &output)
        }
        return output.takeBytes()
    }

    private func startLine(_ depth: Int, to output: inout ByteWriter) {
        guard !isCompact else { return }
        output.write(UInt8(ascii: "\n"))
        output.write(UInt8(ascii: " "), times: 2 * depth)
    }

    // MARK: Values

    private mutating func write(
        _ row: Outline.Row, _ outline: borrowing Outline, within bound: OutputBound, to output: inout ByteWriter
    ) throws(Problem) {
        switch row.showing {
        case .scalar(let node), .unreadable(let node, _): write(node, row.id, in: row.layer, to: &output)
        case .opened(let value): writeStart(value, row.layer, depth: outline.depth, to: &output)
        case .nested(let nested):
            if case .scalar(let node) = nested.root.form {
                write(node, nested.layer.view.root, in: nested.layer, to: &output)
            } else {
                writeStart(nested.root, nested.layer, depth: outline.depth, to: &output)
            }
        case .closed, .annotated, .repeated:
            try references.write(row, outline, within: bound, to: &output)
        }
    }

    private func write(_ node: Node, _ id: ViewID, in layer: Layer, to output: inout ByteWriter) {
        let (document, id) = layer.view.scalar(id, node)
        ScalarText.writePlain(id, of: document, isCompact: isCompact, to: &output)
    }

    /// Writes the bracket that opens a container, and the class of an object.
    private mutating func writeStart(_ value: ViewValue, _ layer: Layer, depth: Int, to output: inout ByteWriter) {
        switch value.form {
        case .array, .set, .scalar: output.write(UInt8(ascii: "["))
        case .dictionary: output.write(UInt8(ascii: "{"))
        case .object:
            output.write(UInt8(ascii: "{"))
            startLine(depth, to: &output)
            output.write(isCompact ? "\"$class\":" : "\"$class\": ")
            output.write(classes.string(value.classPosition, in: layer))
        }
    }
}

extension Outline.Row {
    /// Whether an object is opened, whose class is written before its fields.
    fileprivate var hasClass: Bool {
        switch showing {
        case .opened(let value): value.isObject
        case .nested(let nested): nested.root.isObject
        default: false
        }
    }
}

extension ViewValue {
    fileprivate var isObject: Bool {
        if case .object = form { return true }
        return false
    }
}

extension ContainerKind {
    fileprivate var isKeyed: Bool { self == .dictionary || self == .object }
}
