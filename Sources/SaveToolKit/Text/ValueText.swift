import KeyedArchives
import SaveCodec
import SaveInspection

/// The texts of values in a tree.
enum ValueText {
    /// Returns the text of a value, shortened if it is long. For a container, returns its kind or class and its count.
    static func line(_ value: ViewValue, _ id: ViewID, in view: ObjectView) -> (text: String, textRole: TextRole) {
        let count = value.contents.count
        if case .scalar(let node) = value.variant {
            return line(node, word: view.word(for: .data, value.classPosition))
        }
        if let archive = view.archive, id == view.root {
            return (TruncatedText.key(archive.archiver) + " archive, " + Phrase.count(count, "root"), .plain)
        }
        return (view.word(of: value, id) + ", " + Phrase.count(count, view.noun(of: value, id)), .value)
    }

    /// Returns the text of a scalar.
    ///
    /// - Parameter word: The noun for data.
    static func line(_ node: Node, word: String = "data") -> (text: String, textRole: TextRole) {
        switch node {
        case .null, .array, .set, .dictionary: ("null", .number)
        case .boolean(let value): (value ? "true" : "false", .number)
        case .integer(let integer): (integer.value.description, .number)
        case .real32(let value): (ScalarText.real(value), .number)
        case .real64(let value): (ScalarText.real(value), .number)
        case .date(let seconds): (date(seconds), .number)
        case .data(let bytes): (data(bytes, word: word), .plain)
        case .string(let text): (TruncatedText.string(text), .string)
        case .uid(let uid): ("UID \(uid.value)", .number)
        }
    }

    /// Returns the line of a nested save: its headline, or its value if that is a scalar.
    static func line(_ nested: OutlineLevel) -> (text: String, textRole: TextRole) {
        guard nested.root.isContainer, let format = nested.view.document.sourceFormat else {
            return line(nested.root, nested.view.root, in: nested.view)
        }
        return (Headline(of: nested.view, from: nested.view.document, as: format).text, .plain)
    }

    /// Returns the noun and the size of a row's data or string.
    static func size(of row: Outline.Row) -> String {
        let view = row.level.view
        let word = view.word(for: .data, view.classPosition(of: row.id))
        return view.scalar(row.id).map { size(of: $0, word: word) } ?? word
    }

    static func size(of value: Node, word: String) -> String {
        switch value {
        case .data(let bytes): word + ", " + Phrase.count(bytes.count, "byte")
        case .string(let text): "string, " + Phrase.count(text.count, "character")
        default: word
        }
    }

    /// Returns the kind and the stored width of a scalar; nil if its text already shows them.
    static func storedForm(_ node: Node) -> String? {
        switch node {
        case .integer(let integer): "integer, " + Phrase.count(integer.width, "byte")
        case .real32: "real, 4 bytes"
        case .real64: "real, 8 bytes"
        case .date: "date, 8 bytes"
        case .string(let text): "string, \(text.count) × " + (text.isOneByte ? "1 byte" : "2 bytes")
        case .uid(let uid): "UID, " + Phrase.count(uid.width, "byte")
        case .null, .boolean, .data, .array, .set, .dictionary: nil
        }
    }

    private static func date(_ seconds: Double) -> String {
        ScalarText.date(seconds) ?? "\(ScalarText.real(seconds)) s since 2001-01-01T00:00:00Z"
    }

    private static func data(_ bytes: ArraySlice<UInt8>, word: String) -> String {
        let size = word + ", " + Phrase.count(bytes.count, "byte")
        if let payload = EmbeddedFileType(bytes) { return size + ", " + payload.rawValue }
        return bytes.isEmpty ? size : size + ": " + TruncatedText.data(bytes)
    }
}
