import SaveCodec

/// A page with a tree of rows that can be searched, opened and closed by ``PageScript``. The data is JSON in a block
/// that browsers do not run.
struct TreePage {
    struct Row {
        /// The number of rows that enclose this row.
        let depth: Int
        let label: String
        let text: String
        let textRole: TextRole
        /// The part of the row's address after the address of the enclosing row.
        var step: [UInt16] = []
        /// The address of the row that this one refers to, as JSON.
        var target: [UInt8]?
    }

    /// The bytes of a class, or of a part of the file that has no values.
    struct Size {
        let name: String
        var objects: Int
        var bytes: Int
        /// Whether the bytes store values, which the map shows. The table also has the names of fields, for example.
        var isContent = true
    }

    private let title: String
    private var rows = JSONRows()
    /// The first rows in HTML, for readers without JavaScript, the number of them, and the depth of the open lists.
    private var first = (html: "", count: 0, depth: 0)

    private static let maxFirstRows = 500
    private static let maxFirstDepth = 40

    /// Begins a page.
    ///
    /// - Parameters:
    ///   - title: The title, safe to print.
    ///   - opens: Whether rows are open from the start even if there are many.
    init(title: String, opens: Bool = false, to output: inout ByteWriter) {
        self.title = title
        Page.begin(title: title + " – savetool", scriptHash: PageScript.hash, to: &output)
        output.write("<script type=\"application/json\" id=\"data\">\n")
        var json = ByteWriter()
        rows.begin([("title", .string(title)), ("opens", .boolean(opens))], to: &json)
        rows.beginRows("rows", to: &json)
        Self.write(json.takeBytes(), to: &output)
    }

    /// Writes the next row. It is at most one level deeper than the row before it.
    mutating func add(_ row: Row, to output: inout ByteWriter) {
        var parts: [ReportJSON] = [
            .integer(row.depth), .string(row.label), .string(row.text), .string(Self.name(row.textRole)),
            .text(row.step),
        ]
        if let target = row.target { parts.append(.written(target)) }
        var json = ByteWriter()
        rows.add(.array(parts), to: &json)
        Self.write(json.takeBytes(), to: &output)
        addFirst(row)
    }

    private mutating func addFirst(_ row: Row) {
        first.count += 1
        guard first.count <= Self.maxFirstRows else { return }
        moveFirst(to: min(row.depth + 1, Self.maxFirstDepth))
        let label = row.label.isEmpty ? "" : ListPage.text(row.label, .key) + ": "
        first.html += "<li><div class=\"row\">\(label)\(ListPage.text(row.text, row.textRole))</div></li>\n"
    }

    /// Opens and closes lists up to a depth.
    private mutating func moveFirst(to depth: Int) {
        while first.depth < depth {
            first.html += first.depth == 0 ? "<ul>\n" : "<li><ul>\n"
            first.depth += 1
        }
        while first.depth > depth {
            first.depth -= 1
            first.html += first.depth == 0 ? "</ul>\n" : "</ul></li>\n"
        }
    }

    /// Ends the page.
    ///
    /// - Parameters:
    ///   - about: The text under the title.
    ///   - sizes: The sizes of classes; empty for none.
    mutating func end(about: String, sizes: [Size] = [], to output: inout ByteWriter) {
        let sizes = sizes.map { size in
            ReportJSON.array([
                .string(size.name), .integer(size.objects), .integer(size.bytes), .boolean(size.isContent),
            ])
        }
        var json = ByteWriter()
        rows.endRows(to: &json)
        rows.end([("about", .string(about)), ("sizes", .array(sizes))], to: &json)
        Self.write(json.takeBytes(), to: &output)
        output.write("</script>\n<script>\(PageScript.text)</script>\n")
        moveFirst(to: 0)
        let rest = first.count - Self.maxFirstRows
        let note = rest > 0 ? "the first \(Self.maxFirstRows) of \(Phrase.count(first.count, "row"))" : "all rows"
        output.write(
            """
            <noscript>
            <main>
            <h1><bdi>\(Page.escaped(title))</bdi></h1>
            <p>\(Page.escaped(about))</p>
            <p>JavaScript is turned off, so the page shows \(note) without a search.</p>
            \(first.html)</main>
            </noscript>

            """)
        Page.end(to: &output)
    }

    static func name(_ textRole: TextRole) -> String {
        switch textRole {
        case .string: "string"
        case .number: "number"
        case .note: "note"
        case .key: "key"
        case .added: "added"
        case .removed: "removed"
        case .changed: "changed"
        case .error: "error"
        case .warning: "warning"
        default: "plain"
        }
    }

    /// Writes JSON in which no text can end the block, begin a comment, or reverse the direction of the source.
    ///
    /// Characters with a meaning in HTML occur only in JSON strings, and are escaped there.
    static func write(_ json: [UInt8], to output: inout ByteWriter) {
        var filter = ActiveTextFilter(for: .json)
        var safe = ByteWriter()
        filter.write(json.span, to: &safe)
        filter.finish(to: &safe)
        for byte in safe.takeBytes() {
            if let escape = escape(byte) { output.write(escape) } else { output.write(byte) }
        }
    }

    private static func escape(_ byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "<"): "\\u003C"
        case UInt8(ascii: ">"): "\\u003E"
        case UInt8(ascii: "&"): "\\u0026"
        default: nil
        }
    }
}
