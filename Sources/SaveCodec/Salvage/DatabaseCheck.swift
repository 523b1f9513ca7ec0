/// The evidence that a database was damaged although every row can be read:
///
///     rows of monsters       1, 2, 3, 5
///     entries of its index   1, 2, 3, 4         a page of the table, or of the index, is from another version
///     page 7                 in no table, no index, and not free
///
/// SQLite reads such a database, too, but its `PRAGMA integrity_check` reports it. Rows on pages of another version
/// leave no sign if no index contradicts them. The time is linear.
struct DatabaseCheck {
    /// The contradictions. The address of each is its table; nil if any table may be affected.
    private(set) var contradictions: [Problem] = []

    private let file: DatabaseFile
    private var visited: VisitedPages
    private var record = Record()
    private var entries: [Entry] = []

    /// A table or an index in the schema.
    private struct Entry {
        let name: String
        /// The name of the table to which an index belongs.
        let table: String
        let isIndex: Bool
        /// Whether the pages have the kinds of an index. The pages of a table without rowids have them, too.
        let usesIndexPages: Bool
        /// Whether an index has an entry for each row: it has no `WHERE`.
        let hasEntryForEachRow: Bool
        let root: Int
        let offset: Int
    }

    /// The rows of a table, or the entries of an index.
    private struct Rows {
        var count = 0
        /// The sum of the hashes of the rowids.
        var rowids: UInt64 = 0
        /// Whether they belong to a table with rowids.
        let haveRowids: Bool

        mutating func add(_ rowid: Int64?) {
            count += 1
            // The constants spread numbers that follow one another.
            let hash = UInt64(bitPattern: rowid ?? 0) &* 0x9E37_79B9_7F4A_7C15
            rowids &+= (hash ^ hash >> 29) &* 0xBF58_476D_1CE4_E5B9
        }
    }

    init(_ file: DatabaseFile) {
        self.file = file
        visited = VisitedPages(file)
        readSchema()
        var rows: [String: Rows] = [:]
        for entry in entries where !entry.isIndex { rows[entry.table] = read(entry) }
        for entry in entries where entry.isIndex {
            guard let found = read(entry), let expected = rows[entry.table], entry.hasEntryForEachRow
            else { continue }
            guard found.count != expected.count || expected.haveRowids && found.rowids != expected.rowids
            else { continue }
            let numbers =
                found.count == expected.count
                ? "the index \(Phrase.quoted(entry.name)) lists other rows than the table has"
                : "the index \(Phrase.quoted(entry.name)) has \(Phrase.count(found.count, "entry")), but the "
                    + "table has \(Phrase.count(expected.count, "row"))"
            note(numbers, at: entry.offset, in: entry.table)
        }
        checkOtherPages()
    }

    private mutating func note(_ message: String, at offset: Int, in table: String?) {
        let address = table.map { JSONPointer.root.appending(key: $0.utf16) }
        contradictions.append(Problem("salvage.index", message, at: .byte(offset), address: address))
    }

    private mutating func readSchema() {
        var walk = BTreeWalk(.table, from: 1, at: 0, of: "sqlite_schema")
        while let cell = try? walk.next(in: file, &visited) {
            let (source, start) = cell.payload(in: file)
            guard (try? record.read(source, from: start, count: 5, of: cell, on: file.page(at: cell.offset))) != nil,
                record.fields.count == 5, record.fields[3].isInteger
            else { continue }
            let texts = record.fields.map { field in
                field.isText ? file.encoding.utf8(of: source.span.extracting(field.range)) : []
            }
            let root = Int(truncatingIfNeeded: record.fields[3].integer(in: source))
            let isIndex = texts[0].elementsEqual("index".utf8)
            guard isIndex || texts[0].elementsEqual("table".utf8), root > 0 else { continue }
            let definition = TableDefinitionParser(texts[4]).parse()
            entries.append(
                Entry(
                    name: String(decoding: texts[1], as: UTF8.self), table: String(decoding: texts[2], as: UTF8.self),
                    isIndex: isIndex, usesIndexPages: isIndex || definition?.isWithoutRowid ?? false,
                    hasEntryForEachRow: !Self.isPartialIndex(texts[4]), root: root, offset: cell.offset))
        }
    }

    /// Whether a statement has `WHERE` after the columns of an index. Quoted names may contain that word, too.
    private static func isPartialIndex(_ sql: [UInt8]) -> Bool {
        var tokens = SQLTokenizer(sql)
        var (depth, isAfterColumns) = (0, false)
        while let token = tokens.next() {
            if isAfterColumns { return token.isKeyword("WHERE") }
            if token == .symbol("(") { depth += 1 }
            if token == .symbol(")") { depth -= 1 }
            isAfterColumns = token == .symbol(")") && depth == 0
        }
        return false
    }

    /// Reads all cells of a table or an index; nil if it is damaged.
    private mutating func read(_ entry: Entry) -> Rows? {
        var walk = BTreeWalk(entry.usesIndexPages ? .index : .table, from: entry.root, at: entry.offset, of: entry.name)
        var rows = Rows(haveRowids: !entry.usesIndexPages)
        do throws(Problem) {
            while let cell = try walk.next(in: file, &visited) {
                rows.add(entry.isIndex ? try rowid(of: cell) : cell.rowid)
            }
            return rows
        } catch {
            let kind = entry.isIndex ? "index" : "table"
            note(
                "the \(kind) \(Phrase.quoted(entry.name)) is damaged: \(error.message)", at: entry.offset,
                in: entry.table)
            return nil
        }
    }

    /// Returns the last value of an entry of an index, which is the rowid; nil if it is not an integer.
    private mutating func rowid(of cell: BTreeCell) throws(Problem) -> Int64? {
        let (source, start) = cell.payload(in: file)
        try record.read(source, from: start, count: .max, of: cell, on: file.page(at: cell.offset))
        guard let last = record.fields.last, last.isInteger else { return nil }
        return last.integer(in: source)
    }

    /// Notes pages that are neither used nor free.
    private mutating func checkOtherPages() {
        guard contradictions.isEmpty, file.pageCount > 1, SQLite.hasStatedSize(file.bytes) else { return }
        visited.takeFreePages(of: file)
        // Some pages list the kinds of others if the database uses automatic vacuum.
        let listed = file.bytes.bigEndian(at: 52, width: 4) > 0 ? file.usableSize / 5 + 1 : nil
        let locked = (1 << 30) / file.pageSize + 1
        let unused = (2...file.pageCount).filter { number in
            !visited.contains(number) && number != locked && listed.map { (number - 2) % $0 != 0 } ?? true
        }
        guard let first = unused.first else { return }
        note(
            unused.count == 1
                ? "page \(first) is in no table and no index, and it is not free"
                : "\(CountText.of(unused.count)) pages are in no table and no index, and they are not free",
            at: file.start(ofPage: first), in: nil)
    }
}

extension VisitedPages {
    /// Adds the free pages. A trunk page of the free list contains the number of the next trunk page and the numbers of
    /// other free pages.
    mutating func takeFreePages(of file: DatabaseFile) {
        var trunk = Int(file.bytes.bigEndian(at: 32, width: 4))
        while trunk > 0, (try? take(trunk, of: file, for: "", at: 32)) != nil {
            let start = file.start(ofPage: trunk)
            let count = min(Int(file.bytes.bigEndian(at: start + 4, width: 4)), file.usableSize / 4 - 2)
            for position in 0..<count {
                let number = Int(file.bytes.bigEndian(at: start + 8 + 4 * position, width: 4))
                try? take(number, of: file, for: "", at: start)
            }
            trunk = Int(file.bytes.bigEndian(at: start, width: 4))
        }
    }
}
