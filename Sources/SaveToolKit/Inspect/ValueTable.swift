import KeyedArchives
import SaveCodec
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
        case text, csv, ndjson
    }

    private let columns: [PointerPattern]
    private let conditions: [FieldCondition]
    private let outputFormat: OutputFormat
    private let isTerminal: Bool
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
        reading = try arguments.fileReading()
    }

    static func run(
        for operands: GetOperands, _ arguments: Arguments, _ invocation: Invocation
    ) throws -> ExitStatus {
        let table = try ValueTable(of: operands.patterns, arguments, invocation)
        var inputs = InputList(from: invocation.folder)
        for file in operands.files { inputs.add(file) }
        let files = try ParallelFiles(reading: inputs.files, invocation)
        var status = ExitStatus.done
        var found = table.columns.map { _ in false }
        var result = table.table([])
        var readsAsRoot = false
        if table.outputFormat == .csv { try invocation.writeOutput { result.writeCSVHeading(to: &$0) } }
        try files.forEachBatch(
            of: inputs.files, verb: "reading", invocation, { table.part(of: $0, $1) }
        ) { parts in
            for part in parts {
                status = max(status, part.status)
                readsAsRoot = readsAsRoot || part.readsAsRoot
                for column in part.columns { found[column] = true }
                result.rows += part.rows
                try invocation.writeOutput(coloring: table.outputFormat == .ndjson ? .values : nil) {
                    $0.write(part.text)
                }
                if let error = part.error { invocation.printError(error) }
            }
        }
        if table.outputFormat == .text { try invocation.writeOutput { result.writeText(invocation.palette, to: &$0) } }
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

    private func table(_ rows: [Table.Row]) -> Table {
        let names = ["file"] + (hasPatterns ? ["address"] : []) + columns.map { $0.address.description }
        let whole = isTerminal ? 0 : names.count - columns.count
        return Table(
            columns: names.enumerated().map { number, name in
                Table.Column(name: name, widths: 0...(number < whole ? Int.max : Self.widestCell))
            }, rows: rows)
    }

    // MARK: Rows

    /// The rows of one file.
    private struct Part: FileResult {
        var status = ExitStatus.done
        /// The indices of the columns that have a value.
        var columns: [Int] = []
        /// The rows, if the table is text.
        var rows: [Table.Row] = []
        /// The rows as text in other output formats.
        var text: [UInt8] = []
        var size: Int { text.count }
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
            let bound = OutputBound(keeping: save.view.document)
            let rows = try rows(of: save.view, within: bound)
            part.readsAsRoot = columns.contains { save.view.readsAsRoot($0.address) }
            part.columns = columns.indices.filter { column in rows.contains { $0.cells[column] != nil } }
            // Values that `--where` leaves out are not missing.
            if conditions.isEmpty, part.columns.count < columns.count { part.status = .negative }
            var output = ByteWriter()
            for row in rows {
                switch outputFormat {
                case .text: part.rows.append(tableRow(row, file.name))
                case .csv: tableRow(row, file.name).writeCSV(isTerminal: isTerminal, to: &output)
                case .ndjson: writeJSON(row, file.name, to: &output)
                }
                try bound.check(output)
            }
            part.text = output.takeBytes()
        } catch {
            part.status = .cannot
            part.error = (error as? Problem).map { FileProblem(name: file.name, problem: $0) } ?? error
        }
        return part
    }

    private func rows(of view: ObjectView, within bound: OutputBound) throws(Problem) -> [Row] {
        var rows: [Row] = []
        // With only one pattern, each match gets a new row, because no two matches have the same address.
        let isAlone = columns.count(where: \.hasWildcards) == 1
        var numbers: [JSONPointer: Int] = [:]
        let cells = Cells(of: view, as: outputFormat, reading.limits)
        var size = 0
        var fixed = Row(address: nil, cells: columns.map { _ in nil })
        let patterns = columns.map { view.readsAsRoot($0.address) ? PointerPattern(.root) : $0 }
        for (column, pattern) in patterns.enumerated() {
            var matches = PatternMatches(pattern, in: view, where: conditions)
            if !pattern.hasWildcards, conditions.isEmpty {
                if case .found(let id, let view) = view.find(pattern.address) {
                    fixed.cells[column] = try cells.cell(id, in: view, at: pattern.address)
                }
                continue
            }
            guard pattern.hasWildcards else {
                if let match = try matches.next() {
                    fixed.cells[column] = try cells.cell(match.id, in: match.view, at: pattern.address)
                }
                continue
            }
            while let match = try matches.next() {
                let address = try matches.address()
                let base = pattern.base(of: address)
                let cell = try cells.cell(match.id, in: match.view, at: address)
                size += cell.size
                try bound.check(size)
                let number = isAlone ? rows.count : numbers[base] ?? rows.count
                if number == rows.count {
                    rows.append(Row(address: base, cells: fixed.cells.map { _ in nil }))
                    size += Self.rowSize + Self.tokenSize * base.tokens.count
                }
                if !isAlone { numbers[base] = number }
                rows[number].cells[column] = cell
            }
        }
        guard !rows.isEmpty else {
            return conditions.isEmpty || fixed.cells.contains { $0 != nil } ? [fixed] : []
        }
        if !isAlone { rows = inOrder(rows, numbers, of: patterns, in: view) }
        for (column, pattern) in columns.enumerated() where !pattern.hasWildcards {
            for number in rows.indices { rows[number].cells[column] = fixed.cells[column] }
        }
        return rows
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

    private func tableRow(_ row: Row, _ name: String) -> Table.Row {
        let address = row.address.map { outputFormat == .text ? TruncatedText.address($0) : $0.description } ?? ""
        let names = [Invocation.shownName(name)] + (hasPatterns ? [address] : [])
        return Table.Row(cells: names.map { .text($0) } + row.cells.map { $0 ?? .text("") })
    }

    private func writeJSON(_ row: Row, _ name: String, to output: inout ByteWriter) {
        let values: JSONMembers = zip(columns, row.cells).map { column, cell in
            (column.address == .root ? "" : column.address.description, cell?.json)
        }
        var json = JSONOutput(.compact)
        json.write(
            .object(
                FileName.members(name == "-" ? "<stdin>" : name) + [
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
        private let values: ValueAbbreviator

        init(of view: ObjectView, as outputFormat: OutputFormat, _ limits: Limits) {
            (self.outputFormat, self.limits) = (outputFormat, limits)
            values = ValueAbbreviator(of: view)
        }

        func cell(_ id: ViewID, in view: ObjectView, at address: JSONPointer) throws(Problem) -> Table.Cell {
            switch (outputFormat, view.scalar(id)) {
            case (.text, .string(let text)?): return .string(Array(text.prefix(ValueTable.widestCell + 1)))
            case (.text, _): return .text(values.view === view ? values.line(id) : ValueAbbreviator(of: view).line(id))
            case (.csv, .string(let text)?): return .string(Array(text))
            case (.csv, .date(let seconds)?): return .date(seconds)
            case (.csv, .data(let bytes)?):
                var output = ByteWriter()
                ScalarText.writeBase64(Array(bytes), to: &output)
                return .text(String(decoding: output.takeBytes(), as: UTF8.self))
            case (.csv, let node?): return .literal(ValueText.line(node).text)
            case (.ndjson, let node?):
                var output = ByteWriter()
                ScalarText.writePlain(node, to: &output)
                return .literal(String(decoding: output.takeBytes(), as: UTF8.self))
            case (_, nil):
                let json = try SingleValue(view: view, id: id, address: address, limits: limits).json(isCompact: true)
                return .literal(String(decoding: json.dropLast(), as: UTF8.self))
            }
        }
    }
}
