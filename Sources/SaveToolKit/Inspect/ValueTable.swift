import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

/// The table of values that `get` prints for several files, for `--at` and in table formats. It has a column for each
/// address or pattern, and a row for each file or each match of a pattern's last wildcard.
///
///     file    address            /root/charList/*/health  /root/currentLevelName
///     a.save  /root/charList/0   100                      Swamp
///     a.save  /root/charList/1   55                       Swamp
///     b.save                                              Castle
struct ValueTable: Sendable {
    enum OutputFormat: String, CaseIterable {
        case text, csv, tsv, ndjson

        /// The text between the cells of a row, and at its end.
        fileprivate var separators: (cells: StaticString, rows: StaticString) {
            self == .tsv ? ("\t", "\n") : (",", "\r\n")
        }
    }

    private let columns: [PointerPattern]
    private let conditions: [FieldCondition]
    private let outputFormat: OutputFormat
    private let isTerminal: Bool
    private let hasNames: Bool
    private let reading: FileReadOptions

    private init(
        of columns: [PointerPattern], _ arguments: Arguments, _ invocation: Invocation
    ) throws(UsageError) {
        self.columns = columns
        conditions = try arguments.fieldConditions()
        for option in [Option.compact, .allowLoss, .defaults] where arguments.has(option) {
            throw .inapplicable(option, operands: "a table of values")
        }
        outputFormat = arguments.value(of: .valueFormat).flatMap { OutputFormat(rawValue: $0) } ?? .text
        isTerminal = invocation.output.isTerminal
        hasNames = !arguments.has(.noNames)
        reading = try arguments.fileReading()
    }

    static func run(
        for operands: GetOperands, _ arguments: Arguments, _ invocation: Invocation
    ) throws -> ExitStatus {
        let table = try ValueTable(of: operands.patterns, arguments, invocation)
        var inputs = InputList(from: invocation.folder, table.reading)
        for file in operands.files { inputs.add(file) }
        let files = try ParallelFiles(reading: inputs.files, invocation)
        var status = ExitStatus.done
        var found = table.columns.map { _ in false }
        let result = Table(columns: table.tableColumns, rows: [])
        var lines = TableLines(of: result.columns)
        var readsAsRoot = false
        var fileCount = 0
        if table.outputFormat == .csv || table.outputFormat == .tsv {
            try invocation.writeOutput { table.writeHeading(to: &$0) }
        }
        let skipped = try files.forEachBatch(
            of: inputs.files, verb: "reading", invocation, { table.part(of: $0, $1) }
        ) { parts in
            fileCount += parts.count
            for part in parts {
                status = max(status, part.status)
                readsAsRoot = readsAsRoot || part.readsAsRoot
                for column in part.columns { found[column] = true }
                if let partLines = part.lines { lines.add(partLines) }
                try invocation.writeOutput(coloring: table.outputFormat == .ndjson ? .values : nil) { output in
                    for text in part.texts { output.write(text) }
                }
                if let error = part.error { invocation.printError(error) }
            }
        }
        skipped.report(.withoutSaves, invocation)
        guard fileCount > 0 else { throw UsageError.nothing(to: "read") }
        if table.outputFormat == .text { try invocation.writeOutput { lines.write(invocation.palette, to: &$0) } }
        if readsAsRoot { invocation.reportReadAsRoot(in: "savetool") }
        let empty = table.columns.indices.filter { !found[$0] }
        if let first = inputs.files.first { table.report(emptyColumns: empty, first, invocation) }
        return max(status, empty.isEmpty ? .done : .negative)
    }

    /// Reports the columns without a value in any file, with suggestions from the first file.
    private func report(emptyColumns: [Int], _ first: InputFile, _ invocation: Invocation) {
        guard !emptyColumns.isEmpty else { return }
        let bytes = first.name == "-" ? nil : try? invocation.read(first.name)
        let view = bytes.flatMap { try? reading.open($0) }?.view
        for column in emptyColumns {
            let pattern = columns[column]
            let isThere = view.map { pattern.leadsSomewhere(in: $0) } ?? true
            let advice = isThere ? "" : view.map { pattern.advice(in: [$0]) } ?? ""
            let sentence =
                conditions.isEmpty
                ? "no such value in any file" : "no value in any file satisfies \(Option.where.shown)"
            invocation.printError(
                "savetool: \(TruncatedText.address(pattern.address)): \(sentence)\(advice)")
        }
    }

    /// Whether rows have an address.
    private var hasPatterns: Bool { columns.contains(where: \.hasWildcards) }

    private var tableColumns: [Table.Column] {
        let names =
            (hasNames ? ["file"] : []) + (hasPatterns ? ["address"] : []) + columns.map { text($0.address) }
        let whole = isTerminal ? 0 : names.count - columns.count
        return names.enumerated().map { number, name in
            Table.Column(name: name, widths: 0...(number < whole ? Int.max : Self.widestCell))
        }
    }

    /// Returns an address as text, for tsv as operands of commands.
    private func text(_ address: JSONPointer) -> String {
        outputFormat == .tsv && address != .root ? address.line(isTerminal: isTerminal) : address.description
    }

    private func writeHeading(to output: inout ByteWriter) {
        for (index, column) in tableColumns.enumerated() {
            write(.text(column.name), isFirst: index == 0, to: &output)
        }
        output.write(outputFormat.separators.rows)
    }

    private func write(_ cell: Table.Cell, isFirst: Bool, to output: inout ByteWriter) {
        if !isFirst { output.write(outputFormat.separators.cells) }
        if outputFormat == .tsv {
            cell.writeTSV(isTerminal: isTerminal, to: &output)
        } else {
            cell.writeCSV(isTerminal: isTerminal, to: &output)
        }
    }

    // MARK: Rows

    /// The rows of one file.
    private struct Part: FileResult {
        var status = ExitStatus.done
        /// The indices of the columns that have a value.
        var columns: [Int] = []
        /// The rows, if the table is text.
        var lines: TableLines?
        /// The rows in other output formats, in pieces.
        var texts: [[UInt8]] = []
        var size: Int { texts.reduce(lines?.size ?? 0) { $0 + $1.count } }
        var error: (any Error)?
        /// Whether the address `/` was treated as the root.
        var readsAsRoot = false
    }

    private struct Row {
        /// The address up to the last wildcard; nil without wildcards.
        let address: JSONPointer?
        var cells: [Table.Cell?]
    }

    private func part(of bytes: Result<[UInt8], SystemError>, _ file: InputFile) -> Part {
        var part = Part()
        do {
            let save = try reading.open(bytes, of: file)
            part.readsAsRoot = columns.contains { save.view.readsAsRoot($0.address) }
            var rows = RowWriter(of: self, named: file.name, within: OutputBound(keeping: save.view.document))
            try writeRows(of: save.view, to: &rows)
            (part.lines, part.texts, part.columns) = rows.takeResults()
            // Values that `--where` leaves out are not missing.
            if conditions.isEmpty, part.columns.count < columns.count { part.status = .negative }
        } catch {
            part.status = .cannot
            part.error = (error as? Problem).map { FileProblem(name: file.name, problem: $0) } ?? error
        }
        return part
    }

    private func writeRows(of view: ObjectView, to output: inout RowWriter) throws(Problem) {
        var cells = Cells(of: view, as: outputFormat, reading.limits)
        let patterns = columns.map { view.readsAsRoot($0.address) ? PointerPattern(.root) : $0 }
        var fixed = Row(address: nil, cells: columns.map { _ in nil })
        for (column, pattern) in patterns.enumerated() where !pattern.hasWildcards {
            if !conditions.isEmpty {
                var matches = PatternMatches(pattern, in: view, where: conditions)
                guard let match = try matches.next() else { continue }
                fixed.cells[column] = try cells.cell(match.id, in: match.view, at: pattern.address)
            } else if case .found(let id, let view) = view.find(pattern.address) {
                fixed.cells[column] = try cells.cell(id, in: view, at: pattern.address)
            }
        }
        let wildcards = patterns.indices.filter { patterns[$0].hasWildcards }
        if wildcards.count == 1, let column = wildcards.first, outputFormat != .ndjson {
            var matches = PatternMatches(patterns[column], in: view, where: conditions)
            try writeRows(of: &matches, in: column, beside: fixed, &cells, to: &output)
        } else {
            for row in try rows(of: patterns, beside: fixed, &cells, in: view, within: output.bound) {
                try output.write(row)
            }
        }
        if output.isEmpty, conditions.isEmpty || fixed.cells.contains(where: { $0 != nil }) { try output.write(fixed) }
    }

    /// Writes the rows of the only pattern with wildcards. Each match has its own row, because no two matches have the
    /// same address.
    private func writeRows(
        of matches: inout PatternMatches, in column: Int, beside fixed: Row, _ cells: inout Cells,
        to output: inout RowWriter
    ) throws(Problem) {
        var fixed = fixed
        var address = ByteWriter()
        while let match = try matches.next() {
            fixed.cells[column] = try cells.cell(match.id, in: match.view, at: try matches.address())
            if outputFormat == .tsv {
                try output.write(text(matches.pattern.base(of: try matches.address())), fixed.cells)
                continue
            }
            try matches.writeBase(to: &address)
            let address = String(decoding: address.takeBytes(), as: UTF8.self)
            try output.write(outputFormat == .text ? TruncatedText.line(address) : address, fixed.cells)
        }
    }

    private func rows(
        of patterns: [PointerPattern], beside fixed: Row, _ cells: inout Cells, in view: ObjectView,
        within bound: OutputBound
    ) throws(Problem) -> [Row] {
        var rows: [Row] = []
        var numbers: [JSONPointer: Int] = [:]
        var size = 0
        for (column, pattern) in patterns.enumerated() where pattern.hasWildcards {
            var matches = PatternMatches(pattern, in: view, where: conditions)
            while let match = try matches.next() {
                let address = try matches.address()
                let base = pattern.base(of: address)
                let cell = try cells.cell(match.id, in: match.view, at: address)
                size += cell.size
                try bound.check(size)
                let number = numbers[base] ?? rows.count
                if number == rows.count {
                    rows.append(Row(address: base, cells: fixed.cells))
                    size += Self.rowSize + Self.tokenSize * base.tokens.count
                }
                numbers[base] = number
                rows[number].cells[column] = cell
            }
        }
        return patterns.count(where: \.hasWildcards) < 2 ? rows : inOrder(rows, numbers, of: patterns, in: view)
    }

    /// Returns the rows of several patterns in the order of the file. Rows of patterns that differ up to the last
    /// wildcard stay apart.
    private func inOrder(
        _ rows: [Row], _ numbers: [JSONPointer: Int], of patterns: [PointerPattern], in view: ObjectView
    ) -> [Row] {
        var bases: [PointerPattern] = []
        for pattern in patterns where pattern.hasWildcards {
            let base = PointerPattern(pattern.base(of: pattern.address))
            if !bases.contains(base) { bases.append(base) }
        }
        var rest = numbers
        var ordered: [Row] = []
        for base in bases {
            var matches = PatternMatches(base, in: view)
            // If this search takes too many steps, the other rows stay in the order of the patterns.
            while !rest.isEmpty, (try? matches.next()) != nil, let address = try? matches.address() {
                if let number = rest.removeValue(forKey: address) { ordered.append(rows[number]) }
            }
        }
        return ordered + rest.values.sorted().map { rows[$0] }
    }

    /// A writer of the rows of one file.
    private struct RowWriter: ~Copyable {
        let bound: OutputBound
        private let table: ValueTable
        private let name: String
        private let shownName: Table.Cell
        private var lines: TableLines?
        private var texts: [[UInt8]] = []
        private var size = 0
        private var output = ByteWriter()
        private var hasValue: [Bool]
        private(set) var isEmpty = true
        private var isAtStart = true
        private static let pieceSize = 1 << 20

        init(of table: ValueTable, named name: String, within bound: OutputBound) {
            (self.table, self.name, self.bound) = (table, name, bound)
            shownName = .text(Invocation.shownName(name))
            lines = table.outputFormat == .text ? TableLines(of: table.tableColumns) : nil
            hasValue = table.columns.map { _ in false }
        }

        mutating func write(_ row: Row) throws(Problem) {
            guard table.outputFormat == .ndjson else {
                let isText = table.outputFormat == .text
                let address = row.address.map { isText ? TruncatedText.address($0) : table.text($0) }
                return try write(address ?? "", row.cells)
            }
            table.writeJSON(row, name, to: &output)
            try finish(row.cells)
        }

        /// - Parameter address: The address as text; empty if the table has no addresses.
        mutating func write(_ address: String, _ cells: [Table.Cell?]) throws(Problem) {
            isAtStart = true
            if table.hasNames { add(shownName) }
            if table.hasPatterns { add(.text(address)) }
            for cell in cells { add(cell ?? .text("")) }
            if lines == nil { output.write(table.outputFormat.separators.rows) }
            try finish(cells)
        }

        private mutating func add(_ cell: Table.Cell) {
            if lines != nil {
                lines?.add(cell)
            } else {
                table.write(cell, isFirst: isAtStart, to: &output)
            }
            isAtStart = false
        }

        private mutating func finish(_ cells: [Table.Cell?]) throws(Problem) {
            isEmpty = false
            for column in cells.indices where cells[column] != nil { hasValue[column] = true }
            try bound.check(size + output.count + (lines?.size ?? 0))
            if output.count >= Self.pieceSize { takePiece() }
        }

        private mutating func takePiece() {
            size += output.count
            texts.append(output.takeBytes())
        }

        /// Returns the rows, and the indices of the columns that have a value.
        mutating func takeResults() -> (lines: TableLines?, texts: [[UInt8]], columns: [Int]) {
            takePiece()
            return (lines, texts, hasValue.indices.filter { hasValue[$0] })
        }
    }

    private func writeJSON(_ row: Row, _ name: String, to output: inout ByteWriter) {
        let values: JSONMembers = zip(columns, row.cells).map { column, cell in
            (column.address == .root ? "" : column.address.description, cell?.json)
        }
        var json = JSONOutput(.compact)
        json.write(
            .object(
                (hasNames ? FileName.members(name == "-" ? "<stdin>" : name) : []) + [
                    ("address", row.address.map(ReportJSON.address)), ("values", .object(values)),
                ]), to: &output)
        output.write("\n")
    }

    // MARK: Columns

    /// The maximum width of a cell in terminal columns.
    private static let widestCell = 60
    /// The approximate size in memory of a row and of a token of its address, in bytes.
    private static let (rowSize, tokenSize) = (128, 32)

    /// The cells of one file.
    private struct Cells {
        private let outputFormat: OutputFormat
        private let limits: Limits
        private var values: ValueAbbreviator
        private var json: PlainJSONValues

        init(of view: ObjectView, as outputFormat: OutputFormat, _ limits: Limits) {
            (self.outputFormat, self.limits) = (outputFormat, limits)
            values = ValueAbbreviator(of: view)
            json = PlainJSONValues(of: view, isCompact: true, limits)
        }

        mutating func cell(
            _ id: ViewID, in view: ObjectView, at address: @autoclosure () throws(Problem) -> JSONPointer
        ) throws(Problem) -> Table.Cell {
            if values.view !== view { values = ValueAbbreviator(of: view) }
            switch (outputFormat, view.scalar(id)) {
            case (.text, .string(let text)?): return .string(Array(text.prefix(ValueTable.widestCell + 1)))
            case (.text, _): return .text(values.line(id))
            case (.csv, .string(let text)?), (.tsv, .string(let text)?): return .string(Array(text))
            case (.csv, .date(let seconds)?), (.tsv, .date(let seconds)?): return .date(seconds)
            case (.csv, .data(let bytes)?), (.tsv, .data(let bytes)?):
                var output = ByteWriter()
                ScalarText.writeBase64(Array(bytes), to: &output)
                return .text(String(decoding: output.takeBytes(), as: UTF8.self))
            case (.csv, let node?), (.tsv, let node?): return .literal(ValueText.line(node).text)
            case (.ndjson, let node?):
                var output = ByteWriter()
                ScalarText.writePlain(node, to: &output)
                return .literal(String(decoding: output.takeBytes(), as: UTF8.self))
            case (_, nil):
                if json.view !== view { json = PlainJSONValues(of: view, isCompact: true, limits) }
                return .literal(String(decoding: try json.text(of: id, at: try address()), as: UTF8.self))
            }
        }
    }
}

extension Option {
    static let noNames = Option("no-filename", for: .output, help: "table: no file names")
}
