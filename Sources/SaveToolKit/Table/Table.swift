import SaveCodec

/// A table with named columns and rows of cells, which can be written as text, CSV, Markdown, JSON or HTML. Each writer
/// escapes the strings of a file for its format.
///
///     rank  name          rank,name       | rank | name |       [
///        1  Ada           1,Ada           | ---: | :--- |         {"rank": 1, "name": "Ada"}
///                                         | 1 | Ada |           ]
struct Table: Sendable {
    struct Column: Sendable {
        let name: String
        /// Whether the cells are numbers, which are aligned on the right.
        var isNumeric = false
        /// The minimum and maximum width in a text table, in terminal columns. Wider cells are cut.
        var widths = 0...Int.max
    }

    enum Cell: Sendable {
        /// A string of a file.
        case string([UInt16])
        /// A text that is safe to print.
        case text(String)
        /// A number or another value that is written unchanged in every format.
        case literal(String)
        /// A number whose digits are grouped in HTML, and which is written unchanged in other formats.
        case quantity(String)
        /// The seconds since 2001, written as a date if a date represents them exactly, or nil for an empty cell.
        case date(Double?)
        /// The seconds since 2001 of a date, which HTML has as people write dates, and the cell of other formats.
        indirect case moment(Double, Cell)
    }

    struct Row: Sendable {
        let cells: [Cell]
        /// The group of the row. In text an empty line separates two groups.
        var section = 0
    }

    let columns: [Column]
    var rows: [Row]
}

extension Table.Cell {
    /// Returns the text of the cell.
    ///
    /// - Parameters:
    ///   - string: Formats a string of a file.
    ///   - text: Formats a text that is safe to print.
    fileprivate func written(_ string: ([UInt16]) -> String, _ text: (String) -> String = { $0 }) -> String {
        switch self {
        case .string(let units): string(units)
        case .text(let safe): text(safe)
        case .literal(let literal), .quantity(let literal): literal
        case .moment(_, let cell): cell.written(string, text)
        case .date(let seconds): seconds.map { ScalarText.date($0) ?? ScalarText.real($0) } ?? ""
        }
    }

    /// The cell in JSON.
    var json: ReportJSON {
        switch self {
        case .string(let units): .text(units)
        case .text(let text): .string(text)
        case .literal(let literal), .quantity(let literal): .written(Array(literal.utf8))
        case .moment(_, let cell): cell.json
        case .date(nil): .null
        case .date(let seconds?):
            ScalarText.date(seconds).map { .string($0) } ?? .written(Array(ScalarText.real(seconds).utf8))
        }
    }

    /// The approximate number of bytes that the cell takes.
    var size: Int {
        switch self {
        case .string(let units): units.count
        case .text(let text), .literal(let text), .quantity(let text): text.utf8.count
        case .moment(_, let cell): cell.size
        case .date: 20
        }
    }
}

extension Table.Row {
    /// Writes the row as comma-separated values. For a terminal, the strings of a file are escaped.
    func writeCSV(isTerminal: Bool, to output: inout ByteWriter) {
        for (column, cell) in cells.enumerated() {
            if column > 0 { output.write(",") }
            cell.writeCSV(isTerminal: isTerminal, to: &output)
        }
        output.write("\r\n")
    }
}

extension Table.Cell {
    /// Writes the cell as a tab-separated value for programs: tabs, line ends and backslashes are escaped, and nothing
    /// else. For a terminal, the strings of a file are escaped. A text that is safe to print is written unchanged.
    func writeTSV(isTerminal: Bool, to output: inout ByteWriter) {
        if case .text(let text) = self { return output.write(text) }
        let text = written { isTerminal ? SafeText.escaping($0) : String(decoding: $0, as: UTF16.self) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\") where !isTerminal: output.write("\\\\")
            case UInt8(ascii: "\t"): output.write("\\t")
            case UInt8(ascii: "\n"): output.write("\\n")
            case UInt8(ascii: "\r"): output.write("\\r")
            default: output.write(byte)
            }
        }
    }

    /// Writes the cell as a comma-separated value. For a terminal, the strings of a file are escaped.
    func writeCSV(isTerminal: Bool, to output: inout ByteWriter) {
        let text = written(
            { CSV.defused(isTerminal ? SafeText.escaping($0) : String(decoding: $0, as: UTF16.self)) }, CSV.defused)
        CSV.write(text, to: &output)
    }
}

extension Table {
    // MARK: Text

    /// Writes the table in aligned columns.
    func writeText(_ palette: Palette, to output: inout ByteWriter) {
        var lines = TableLines(of: columns)
        for (index, row) in rows.enumerated() {
            if index > 0, row.section != rows[index - 1].section { lines.addEmptyLine() }
            for cell in row.cells { lines.add(cell) }
        }
        lines.write(palette, to: &output)
    }

    // MARK: CSV

    /// Writes the names of the columns as comma-separated values (RFC 4180).
    func writeCSVHeading(to output: inout ByteWriter) {
        for (index, column) in columns.enumerated() {
            if index > 0 { output.write(",") }
            CSV.write(column.name, to: &output)
        }
        output.write("\r\n")
    }

    // MARK: Markdown

    /// Writes the table in GitHub's Markdown.
    func writeMarkdown(to output: inout ByteWriter) {
        let lines =
            [columns.map(\.name), columns.map { $0.isNumeric ? "---:" : ":---" }]
            + rows.map { $0.cells.map { $0.written({ Self.markdown(SafeText.escaping($0)) }, Self.markdown) } }
        for line in lines { output.write("| " + line.joined(separator: " | ") + " |\n") }
    }

    /// Returns a text in which no character is a column separator, markup or HTML.
    ///
    /// GitHub makes a link of a bare web address nonetheless; no escape prevents it. Text escaped for terminals already
    /// has its backslashes doubled.
    private static func markdown(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if "|`<>*_[]&~$".unicodeScalars.contains(scalar) { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        return escaped
    }

    // MARK: JSON

    /// Writes the table as an array of objects, one on each line.
    func writeJSON(to output: inout ByteWriter) {
        var json = JSONOutput(.records(indentedBy: 2))
        json.open(.array, to: &output)
        for row in rows { json.write(.object(zip(columns, row.cells).map { ($0.name, $1.json) }), to: &output) }
        json.close(to: &output)
        output.write(UInt8(ascii: "\n"))
    }

    // MARK: HTML

    /// Writes the table as an HTML page without a script. The title and the text under it must be safe to print.
    ///
    /// - Parameters:
    ///   - file: The name of the file; nil to leave it out.
    ///   - about: The text under the title; empty for none.
    func writePage(titled title: String, of file: String?, about: String, to output: inout ByteWriter) {
        Page.begin(title: ([title] + (file.map { [$0, "savetool"] } ?? [])).joined(separator: " – "), to: &output)
        output.write("<main>\n<h1>\(Page.escaped(title))</h1>\n")
        let lines = [file.map { "<bdi>\(Page.escaped($0))</bdi>" } ?? "", Page.escaped(about)].filter { !$0.isEmpty }
        if !lines.isEmpty { output.write("<p>\(lines.joined(separator: ": "))</p>\n") }
        output.write("<table class=\"list\">\n<thead>\n")
        let names = columns.map { $0.name.prefix(1).uppercased() + $0.name.dropFirst() }
        writeHTML(names, "th scope=\"col\"", to: &output)
        output.write("</thead>\n<tbody>\n")
        for row in rows {
            writeHTML(row.cells.map(\.html), "td", to: &output)
        }
        output.write("</tbody>\n</table>\n</main>\n")
        Page.end(to: &output)
    }

    private func writeHTML(_ cells: [String], _ element: String, to output: inout ByteWriter) {
        output.write("<tr>")
        for (column, cell) in zip(columns, cells) {
            output.write("<\(element)\(column.isNumeric ? " class=\"count\"" : "")>\(cell)</\(element.prefix(2))>")
        }
        output.write("</tr>\n")
    }
}

extension Table.Cell {
    /// The cell in HTML.
    fileprivate var html: String {
        switch self {
        case .quantity(let number): Page.escaped(CountText.grouping(number))
        case .moment(let seconds, let cell): ReadableDate(seconds)?.html ?? cell.html
        case .date(let seconds?): ReadableDate(seconds)?.html ?? written(Self.isolated, Page.escaped)
        case .string, .text, .literal, .date(nil): written(Self.isolated, Page.escaped)
        }
    }

    private static func isolated(_ string: [UInt16]) -> String {
        "<bdi>\(Page.escaped(SafeText.escaping(string)))</bdi>"
    }
}

/// A date as people write it, in UTC: `6 Sep 2009, 12:34`, or `6 Sep 2009` for the first moment of a day.
private struct ReadableDate {
    private let timestamp: String
    private let text: String

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Creates the date of the seconds since 2001. Fails for a year that does not have four digits.
    init?(_ seconds: Double) {
        guard let timestamp = ScalarText.date(seconds), !timestamp.hasPrefix("-") else { return nil }
        // 2009-09-06T12:34:56.789Z
        let parts = timestamp.utf8.split { "-T".utf8.contains($0) }.map { Substring($0) }
        guard parts.count == 4, parts[0].utf8.count == 4, let month = Int(parts[1]), let day = Int(parts[2]),
            1...12 ~= month
        else { return nil }
        self.timestamp = timestamp
        let clock = parts[3] == "00:00:00Z" ? "" : ", " + parts[3].prefix(5)
        text = "\(day) \(Self.months[month - 1]) \(parts[0])" + clock
    }

    /// The date with its exact value for programs.
    var html: String { "<time datetime=\"\(timestamp)\">\(text)</time>" }
}

// MARK: Text

/// The lines of a text table. They take little more memory than their text, so that a table may have millions.
struct TableLines: Sendable {
    private let columns: [Table.Column]
    /// The maximum width of the cells of each column.
    private var widths: [Int]
    /// The cells of all lines, each with a NUL at its end. A line feed instead of the first cell is an empty line.
    private var cells: [UInt8] = []
    private var column = 0

    /// The approximate number of bytes that the lines take.
    var size: Int { cells.count }

    init(of columns: [Table.Column]) {
        self.columns = columns
        widths = columns.map { max($0.widths.lowerBound, DisplayWidth.width(of: Self.heading($0))) }
    }

    private static func heading(_ column: Table.Column) -> String {
        DisplayWidth.fit(column.name, to: column.widths.upperBound)
    }

    /// Adds the next cell of a line. The line ends with its last column.
    mutating func add(_ cell: Table.Cell) {
        add(DisplayWidth.fit(cell.written(SafeText.escaping), to: columns[column].widths.upperBound))
    }

    private mutating func add(_ text: String) {
        widths[column] = max(widths[column], DisplayWidth.width(of: text))
        cells.append(contentsOf: text.utf8)
        cells.append(0)
        column = (column + 1) % columns.count
    }

    mutating func addEmptyLine() {
        cells.append(UInt8(ascii: "\n"))
    }

    /// Adds the lines of a table with the same columns.
    mutating func add(_ lines: TableLines) {
        widths = zip(widths, lines.widths).map { max($0, $1) }
        if cells.isEmpty { cells = lines.cells } else { cells += lines.cells }
    }

    func write(_ palette: Palette, to output: inout ByteWriter) {
        var heading = TableLines(of: columns)
        for column in columns { heading.add(Self.heading(column)) }
        heading.widths = widths
        var line = ByteWriter()
        var position = 0
        heading.writeLine(from: &position, to: &line)
        palette.write(String(decoding: line.takeBytes(), as: UTF8.self), in: .heading, to: &output)
        output.write("\n")
        position = 0
        while position < cells.count, !output.hasFailed {
            writeLine(from: &position, to: &output)
            output.write("\n")
        }
    }

    /// Writes the line at a position in ``cells`` without spaces at its end, and moves the position to the next line.
    private func writeLine(from position: inout Int, to output: inout ByteWriter) {
        if cells[position] == UInt8(ascii: "\n") {
            position += 1
            return
        }
        var gap = 0
        for (column, width) in zip(columns, widths) {
            let start = position
            var isASCII = true
            while cells[position] != 0 {
                if cells[position] >= 0x80 { isASCII = false }
                position += 1
            }
            let used =
                isASCII
                ? position - start
                : DisplayWidth.width(of: String(decoding: cells[start..<position], as: UTF8.self))
            if column.isNumeric { gap += width - used }
            if position > start {
                output.write(UInt8(ascii: " "), times: gap)
                output.write(cells, in: start..<position)
                gap = 0
            }
            gap += (column.isNumeric ? 0 : width - used) + 2
            position += 1
        }
    }
}

// MARK: CSV

/// Fields of comma-separated values (RFC 4180).
private enum CSV {
    /// Writes a text, in quotation marks if it needs them.
    static func write(_ text: String, to output: inout ByteWriter) {
        guard text.utf8.contains(where: needsQuotes) else { return output.write(text) }
        output.write(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { output.write(byte) }
            output.write(byte)
        }
        output.write(UInt8(ascii: "\""))
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
        default: false
        }
    }

    /// Returns a text with an apostrophe before everything that a spreadsheet could read as the start of a formula.
    ///
    /// Many spreadsheets treat a semicolon or a tab as the separator, even within quotation marks, so a formula may
    /// start after one of them. Some read the wide forms of characters as the characters themselves, or ignore white
    /// space and invisible characters before a formula.
    static func defused(_ text: String) -> String {
        if isHarmless(text) { return text }
        let bytes = Array(text.utf8)
        var defused: [UInt8] = []
        var (copied, end) = (0, 0)
        var isAtStart = true
        // The offset of the white space and invisible characters since the start or a separator.
        var blanks: Int?
        for scalar in text.unicodeScalars {
            let start = end
            end += UTF8.width(scalar)
            if start == 0 && leaders.contains(scalar) || isAtStart && signs.contains(scalar) {
                let place = blanks ?? start
                defused += bytes[copied..<place]
                defused.append(UInt8(ascii: "'"))
                copied = place
            } else if isAtStart, !separators.contains(scalar), isBlank(scalar) {
                blanks = blanks ?? start
                continue
            }
            blanks = nil
            isAtStart = separators.contains(scalar)
        }
        return copied == 0 && defused.isEmpty ? text : String(decoding: defused + bytes[copied...], as: UTF8.self)
    }

    /// Whether a text begins with a visible ASCII character other than a sign, and has no separators. Most texts do.
    private static func isHarmless(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return true }
        return switch first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"): false
        case UInt8(ascii: "!")...UInt8(ascii: "~"):
            !text.utf8.contains { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "\t") }
        default: false
        }
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || InvisibleCharacters.contain(scalar.value)
    }

    private static let signs: [Unicode.Scalar] = ["=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"]
    private static let separators: [Unicode.Scalar] = [";", "\t"]
    private static let leaders: [Unicode.Scalar] = separators + ["\r", "\n"]
}
