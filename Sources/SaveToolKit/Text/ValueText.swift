import KeyedArchives
import SaveCodec
import SaveOperations

/// A value as a line of a tree shows it.
enum ValueText {
    /// The value, shortened where it is long; of a container what it is and how much it holds.
    static func line(_ value: ViewValue, _ id: ViewID, in view: ObjectView) -> (text: String, ink: Ink) {
        let count = value.contents.count
        if case .scalar(let node) = value.form { return line(node, word: view.word(for: .data, value.classPosition)) }
        if let archive = view.archive, id == view.root {
            return (Shortened.key(archive.archiver) + " archive, " + Counted.of(count, "root"), .plain)
        }
        return (view.word(of: value, id) + ", " + Counted.of(count, view.noun(of: value, id)), .value)
    }

    /// A scalar; `word` is what data is called.
    static func line(_ node: Node, word: String = "data") -> (text: String, ink: Ink) {
        switch node {
        case .null, .array, .set, .dictionary: ("null", .number)
        case .boolean(let value): (value ? "true" : "false", .number)
        case .integer(let integer): (integer.value.description, .number)
        case .real32(let value): (ScalarText.real(value), .number)
        case .real64(let value): (ScalarText.real(value), .number)
        case .date(let seconds): (date(seconds), .number)
        case .data(let bytes): (data(bytes, word: word), .plain)
        case .string(let text): (Shortened.string(text), .string)
        case .uid(let uid): ("UID \(uid.value)", .number)
        }
    }

    /// A nested save whose contents follow: its headline, or its value if that is a scalar.
    static func line(_ nested: NestedView) -> (text: String, ink: Ink) {
        guard nested.root.isContainer, let format = nested.view.document.sourceFormat else {
            return line(nested.root, nested.view.root, in: nested.view)
        }
        return (Headline(of: nested.view, from: nested.view.document, as: format).text, .plain)
    }

    /// The name and the size of a row's data.
    static func size(of row: Outline.Row) -> String {
        let view = row.layer.view
        let word = view.word(for: .data, view.classPosition(of: row.id))
        return view.scalar(row.id).map { size(of: $0, word: word) } ?? word
    }

    /// What data is called, and its size.
    static func size(of data: Node, word: String) -> String {
        guard case .data(let bytes) = data else { return word }
        return word + ", " + Counted.of(bytes.count, "byte")
    }

    /// The kind of a scalar and how it is stored; nil where the value itself says it.
    static func storedForm(_ node: Node) -> String? {
        switch node {
        case .integer(let integer): "integer, " + Counted.of(integer.width, "byte")
        case .real32: "real, 4 bytes"
        case .real64: "real, 8 bytes"
        case .date: "date, 8 bytes"
        case .string(let text): "string, \(text.count) × " + (text.isOneByte ? "1 byte" : "2 bytes")
        case .uid(let uid): "UID, " + Counted.of(uid.width, "byte")
        case .null, .boolean, .data, .array, .set, .dictionary: nil
        }
    }

    private static func date(_ seconds: Double) -> String {
        ScalarText.date(seconds) ?? "\(ScalarText.real(seconds)) s since 2001-01-01T00:00:00Z"
    }

    private static func data(_ bytes: ArraySlice<UInt8>, word: String) -> String {
        let size = word + ", " + Counted.of(bytes.count, "byte")
        if let payload = Payload(bytes) { return size + ", " + payload.rawValue }
        return bytes.isEmpty ? size : size + ": " + Shortened.data(bytes)
    }
}
