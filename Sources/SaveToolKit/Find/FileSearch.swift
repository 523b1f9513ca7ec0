import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

/// Searches one file, and formats the values that are found.
struct FileSearch: Sendable {
    /// The output for a file.
    enum OutputFormat: Sendable {
        /// One line per value.
        case lines
        /// The file's name, if a value is found.
        case names
        /// The number of values, if any are found.
        case counts
        case json, ndjson
        /// Nothing; the exit status is the result.
        case nothing

        var isJSON: Bool { self == .json || self == .ndjson }
    }

    /// The result of searching one file.
    struct Hits: FileResult {
        let name: String
        /// The number of values found; at most 1 if only names or nothing is shown.
        var count = 0
        /// The output.
        var text: [UInt8] = []
        var size: Int { text.count }
        /// The number of values that would match if case were ignored.
        var missedByCase = 0
        /// The number of nested saves in data that `--opaque` leaves unsearched.
        var closedSaves = 0
        /// Whether nothing is found, but strings hold nested saves, which only `--nested` searches.
        var hasTextSaves = false
        /// The names of the file's classes, if `--class` is given and nothing is found.
        var classNames: Set<String> = []
        /// Some of the file's keys, if `--key` or `--where` is given and nothing is found.
        var keys: Set<String> = []
        fileprivate var keyCount = 0
        /// Whether the file has keys that were not collected.
        var hasMoreKeys: Bool { keyCount == FileSearch.maxKeys }
        /// The error that stopped reading or searching the file.
        var error: (any Error)?

        /// Adds the key of a row, unless it is very long or there are too many.
        mutating func addKey(of row: Outline.Row) {
            guard !hasMoreKeys, case .entry(_, let key) = row.slot, let text = row.level.view.text(key),
                text.count <= 64
            else { return }
            keyCount += 1
            keys.insert(String(decoding: Array(text), as: UTF16.self))
        }
    }

    let query: ValueQuery
    let outputFormat: OutputFormat
    /// Whether lines begin with the file's name.
    let namesLines: Bool
    /// Whether names end in a zero byte.
    let endsNamesInZero: Bool
    let reading: FileReadOptions
    /// Whether nested saves in OpenStep text and Base64 are searched, too.
    let opensText: Bool
    let palette: Palette

    /// Searches the bytes of a file. The result holds the error if they could not be read.
    func hits(in bytes: Result<[UInt8], SystemError>, of file: InputFile) -> Hits {
        var hits = Hits(name: file.name)
        var output = ByteWriter()
        do {
            try search(reading.open(bytes, of: file), &hits, to: &output)
        } catch {
            hits.error = (error as? Problem).map { FileProblem(name: file.name, problem: $0) } ?? error
        }
        if hits.count > 0, outputFormat == .names || outputFormat == .counts { writeSummary(of: hits, to: &output) }
        hits.text = output.takeBytes()
        return hits
    }

    private func search(_ save: Save, _ hits: inout Hits, to output: inout ByteWriter) throws(Problem) {
        let bound = OutputBound(keeping: save.view.document)
        var scope = Outline.Scope(nesting: reading.options.nesting)
        scope.opensText = opensText
        var outline = Outline(of: save.view, scope: scope)
        var closedTexts: [(id: ViewID, view: ObjectView)] = []
        var search = ValueSearch(query, in: save.view)
        defer {
            hits.missedByCase = search.missedByCase
            if hits.count == 0, query.className != nil { hits.classNames = search.classNames }
            hits.hasTextSaves = hits.count == 0 && closedTexts.contains { (try? $1.nestedSave(enteredAt: $0)) != nil }
        }
        var writer = HitWriter(self, file: hits.name, view: save.view)
        var addresses = RowAddresses()
        var around: [TextAroundSave] = []
        let collectsKeys = query.key != nil || !query.fields.isEmpty
        // In a search of many files, most have no match.
        guard collectsKeys || opensText || reading.options.isOpaque || search.mayFindRows() else { return }
        while let step = outline.next() {
            switch step {
            case .value(let row):
                addresses.move(to: row, of: outline)
                let verdict = try search.verdict(on: row)
                if collectsKeys, hits.count == 0 { hits.addKey(of: row) }
                if reading.options.isOpaque {
                    if Self.isSave(row) { hits.closedSaves += 1 }
                } else if !opensText, hits.count == 0, closedTexts.count < Self.maxClosedTexts, Self.mayBeSave(row) {
                    closedTexts.append((row.id, row.level.view))
                }
                // Most values need nothing more.
                guard verdict != .missed || row.isOpened else { continue }
                if outputFormat == .lines {
                    writer.path.move(to: row)
                    try bound.check(output, and: writer.path.count)
                }
                let address =
                    outputFormat.isJSON && verdict != .missed
                    ? addresses.address(of: row, in: outline) : ReportedAddress(.root)
                switch verdict {
                case .missed: break
                case .found: write(row, at: address, counting: &hits, &writer, to: &output)
                case .foundAroundSave:
                    around.append(
                        TextAroundSave(row: row, address: address, depth: outline.depth, countBefore: hits.count))
                }
                if outputFormat == .lines, row.isOpened { writer.path.enter() }
            case .end:
                if outputFormat == .lines { writer.path.leave() }
                guard let text = around.last, text.depth > outline.depth else { break }
                around.removeLast()
                guard hits.count == text.countBefore else { break }
                if outputFormat == .lines { writer.path.move(to: text.row) }
                write(text.row, at: text.address, counting: &hits, &writer, to: &output)
            case .more: break
            }
            try bound.check(output)
            if outputFormat == .names || outputFormat == .nothing, hits.count > 0 { return }
        }
    }

    /// A string that matches as a whole and holds a nested save. It is written only if nothing in the save matches.
    private struct TextAroundSave {
        let row: Outline.Row
        let address: ReportedAddress
        /// The number of open containers in the save.
        let depth: Int
        /// The number of values found before the save.
        let countBefore: Int
    }

    /// Counts a value that is found, and writes it in the output format.
    private func write(
        _ row: Outline.Row, at address: ReportedAddress, counting hits: inout Hits, _ writer: inout HitWriter,
        to output: inout ByteWriter
    ) {
        hits.count += 1
        switch outputFormat {
        case .names, .counts, .nothing: break
        case .lines: writer.write(row, to: &output)
        case .json, .ndjson: writer.writeJSON(row, at: address, to: &output)
        }
    }

    /// The maximum number of keys that are collected for a suggestion, duplicates included.
    private static let maxKeys = 10_000

    /// The maximum number of strings that are examined for a nested save.
    private static let maxClosedTexts = 8

    /// Whether a value is a string that was not opened and begins with `{` or `[`, like a nested save.
    private static func mayBeSave(_ row: Outline.Row) -> Bool {
        guard case .scalar = row.presentation, let text = row.level.view.text(row.id), let first = text.first else {
            return false
        }
        return first == 0x7B || first == 0x5B
    }

    /// Whether a value is data that begins like a save.
    private static func isSave(_ row: Outline.Row) -> Bool {
        guard case .data(let bytes) = row.level.view.scalar(row.id) else { return false }
        return NestedSaveOptions.holdsSave(bytes)
    }

    /// Writes the name of a file, or its count.
    private func writeSummary(of hits: Hits, to output: inout ByteWriter) {
        if outputFormat == .names || namesLines {
            writeName(hits.name, end: outputFormat == .names ? "\n" : ":", to: &output)
        }
        if outputFormat == .counts { output.write("\(hits.count)\n") }
    }

    fileprivate func writeName(_ name: String, end: StaticString, to output: inout ByteWriter) {
        palette.write(in: .heading, to: &output) { output in
            output.write(endsNamesInZero ? FileName.bytes(name) : Array(Invocation.shownName(name).utf8))
        }
        if endsNamesInZero { output.write(0 as UInt8) } else { output.write(end) }
    }
}

/// The addresses of rows in JSON. All rows inside a container with a long address have the same shortened address,
/// which is built once.
private struct RowAddresses {
    /// The shortened address of all rows that follow, as long as more than `depth` containers are open around a row.
    private var shortened: (address: ReportedAddress, depth: Int)?

    mutating func move(to row: Outline.Row, of outline: borrowing Outline) {
        if let shortened, outline.depth - (row.isOpened ? 1 : 0) <= shortened.depth { self.shortened = nil }
    }

    /// Returns the address of the row that the outline has shown last.
    mutating func address(of row: Outline.Row, in outline: borrowing Outline) -> ReportedAddress {
        if let shortened { return shortened.address }
        let whole = outline.address(of: row, longest: ReportedAddress.longest + 1)
        let address = ReportedAddress(whole)
        if address.isShortened { shortened = (address, whole.tokens.count) }
        return address
    }
}

/// Writes the values that are found, one per line.
private struct HitWriter {
    private let search: FileSearch
    private let file: String
    private var values: ValueAbbreviator
    /// The places of the text in long strings, by object. Many values may refer to one.
    private var matches: [ObjectID: Range<Int>?] = [:]
    var path = RowAddressText(root: JSONPointer.rootName)

    init(_ search: FileSearch, file: String, view: ObjectView) {
        self.search = search
        self.file = file
        values = ValueAbbreviator(of: view)
    }

    /// Writes `swamp.save:/root/charList/0 = Player {type: 3, health: 80}`.
    mutating func write(_ row: Outline.Row, to output: inout ByteWriter) {
        enter(row.level.view)
        if search.namesLines { search.writeName(file, end: ":", to: &output) }
        search.palette.write(in: .key, to: &output) { path.write(to: &$0) }
        output.write(" = ")
        search.palette.write(line(row.id), in: .value, to: &output)
        output.write("\n")
    }

    /// Returns the line of a value. A long string is cut to the text that was found.
    private mutating func line(_ id: ViewID) -> String {
        let view = values.view
        guard case .string(let text) = view.scalar(id), text.count > TruncatedText.longest,
            let object = view.storedScalar(of: id)
        else { return values.line(id) }
        let match = matches[object] ?? search.query.firstMatch(in: text)
        matches[object] = .some(match)
        return match.map { TruncatedText.string(text, showing: $0) } ?? values.line(id)
    }

    mutating func writeJSON(_ row: Outline.Row, at reported: ReportedAddress, to output: inout ByteWriter) {
        enter(row.level.view)
        var json = JSONOutput(.compact)
        json.write(
            .object(
                FileName.members(file == "-" ? "<stdin>" : file) + [
                    ("address", .address(reported.address)),
                    ("shortened", reported.isShortened ? .boolean(true) : nil),
                ] + values.members(of: row.id, showsStorage: false)), to: &output)
        output.write("\n")
    }

    private mutating func enter(_ view: ObjectView) {
        guard values.view !== view else { return }
        (values, matches) = (ValueAbbreviator(of: view), [:])
    }
}

extension FileReadOptions {
    /// Opens the save in the bytes of one of many files. Its warnings are not printed.
    func open(
        _ bytes: Result<[UInt8], SystemError>, of file: InputFile
    ) throws -> Save {
        let bytes = try bytes.mapError { FileError(Invocation.shownName(file.name), $0) }.get()
        return try ofFile(named: file.name, bytes).open(bytes)
    }
}
