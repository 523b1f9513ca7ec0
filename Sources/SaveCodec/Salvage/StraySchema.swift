/// The entries of a damaged schema that no intact page leads to:
///
///     page 1     overwritten up to here, … 07 17 15 15 01 81 33 "table" "loot" "loot" 03 "CREATE TABLE loot …"
///     page 24    leaf page, in use nowhere else; all of its rows are entries of a schema
///
/// On page 1, the pointers to the cells may be lost, so the records of tables are found by their header. The time is
/// linear.
struct StraySchema {
    private(set) var cells: [BTreeCell] = []

    private let file: DatabaseFile
    private var record = Record()

    /// - Parameter pages: The pages of the schema that were read.
    init(in file: DatabaseFile, apartFrom pages: VisitedPages) {
        self.file = file
        guard file.bytes.count > DatabaseFile.headerSize else { return }
        if ![5, 13].contains(file.bytes[DatabaseFile.headerSize]) { findRecords() }
        guard file.pageCount > 1 else { return }
        var visited = pages
        for number in 2...file.pageCount {
            let start = file.start(ofPage: number)
            guard start < file.bytes.count, file.bytes[start] == 13, !pages.contains(number) else { continue }
            var walk = BTreeWalk(.table, from: number, at: file.start(ofPage: number), of: "")
            var found: [BTreeCell] = []
            var areEntries = true
            do throws(Problem) {
                while areEntries, let cell = try walk.next(in: file, &visited) {
                    areEntries = isEntry(cell)
                    found.append(cell)
                }
            } catch {
                continue
            }
            if areEntries { cells += found }
        }
    }

    private mutating func isEntry(_ cell: BTreeCell) -> Bool {
        let (source, start) = cell.payload(in: file)
        guard (try? record.read(source, from: start, count: 6, of: cell, on: 1)) != nil else { return false }
        let fields = record.fields
        guard fields.count == 5, fields[0].isText, fields[1].isText, fields[2].isText else { return false }
        let kind = file.encoding.utf8(of: source.span.extracting(fields[0].range))
        return ["table", "index", "view", "trigger"].contains { kind.elementsEqual($0.utf8) }
    }

    /// Finds the records of tables on page 1 that have no overflow pages.
    private mutating func findRecords() {
        let word = "table"
        let text = file.encoding == .utf8 ? Array(word.utf8) : file.encoding.bytes(of: Array(word.utf16))
        let kind = UInt8(13 + 2 * text.count)
        let (bytes, end) = (file.bytes, min(file.usableSize, file.bytes.count))
        for position in DatabaseFile.headerSize..<end where bytes[position] == text[0] {
            guard bytes[position...].starts(with: text) else { continue }
            // The header has at least one byte for its size and for each of five types.
            for size in 6...14 where bytes[position - size] == size && bytes[position - size + 1] == kind {
                guard let cell = cell(at: position - size, headerSize: size, before: end), isEntry(cell) else {
                    continue
                }
                cells.append(cell)
                break
            }
        }
    }

    /// Returns the cell of a record; nil if the record does not end before `end`.
    private func cell(at start: Int, headerSize: Int, before end: Int) -> BTreeCell? {
        var (position, size) = (start + 1, headerSize)
        while position < start + headerSize {
            guard let type = DatabaseFile.varint(in: file.bytes, at: &position, before: start + headerSize),
                let field = Record.Field(type, at: start), field.size <= end - start - size
            else { return nil }
            size += field.size
        }
        return BTreeCell(offset: start, rowid: 0, start: start, localSize: size, size: size)
    }
}
