/// Composes the document of a database, table by table and row by row.
///
///     sqlite_schema ─▶ tables ─▶ b-tree ─▶ cell ─▶ record ─▶ dictionary of columns
struct DatabaseReader: ~Copyable {
    /// A table as the schema names it.
    private struct Entry {
        let root: Int
        /// Where the schema says so.
        let place: Int
    }

    let file: DatabaseFile
    let reading: SQLite.Reading
    let limits: Limits
    var builder: DocumentBuilder
    var schema = DatabaseSchema()
    private var entries: [Entry] = []
    private var use: PageUse
    var record = Record()
    /// The text of a key.
    var key: [UInt8] = []
    /// Objects that stand in many rows.
    var cache = ValueCache()
    var null: ObjectID?
    /// How many values the rows have so far, and how many bytes they take in the file.
    var valueCount = 0
    var rowSize = 0
    /// At so many bytes it is estimated how large the image becomes.
    var nextEstimate = 1 << 18
    var notes = DatabaseNotes()

    init(_ file: DatabaseFile, limits: Limits, _ reading: SQLite.Reading) {
        self.file = file
        self.limits = limits
        self.reading = reading
        use = PageUse(file)
        builder = DocumentBuilder(keepingOnlyImage: ())
    }

    /// Reads everything.
    consuming func read() throws(Problem) -> Document {
        // The root, a table and a row.
        guard limits.maxDepth >= 3 else { throw .tooDeep(limits.maxDepth, at: nil) }
        try readSchema()
        try findExternalColumns()
        builder.open(.dictionary)
        for position in schema.tables.indices {
            builder.add(utf8: schema.tables[position].name.utf8.span)
            try readRows(of: position)
        }
        builder.close()
        builder.warnings = notes.warnings(schema)
        var schema = schema
        let size = file.bytes.count
        let document = try builder.finish(format: .sqlite, sourceSize: size)
        schema.note(document)
        return document.noting { $0.databaseSchema = schema }
    }

    /// Notes damage that is to be left out; throws it if none is.
    private mutating func note(_ problem: Problem) throws(Problem) {
        guard reading.isRaw, problem.kind != .tooManyValues else { throw problem }
        notes.damage.add { problem }
    }

    // MARK: The schema

    /// Reads the table of tables, which begins on page 1.
    private mutating func readSchema() throws(Problem) {
        var walk = BTreeWalk(.table, from: 1, at: 0, of: "sqlite_schema")
        while true {
            do throws(Problem) {
                guard let cell = try walk.next(in: file, &use) else { return }
                try readEntry(cell)
            } catch {
                try note(error)
            }
        }
    }

    /// `type, name, tbl_name, rootpage, sql`
    private mutating func readEntry(_ cell: BTreeCell) throws(Problem) {
        let (source, start) = cell.payload(in: file)
        try record.read(source, from: start, count: 5, of: cell, on: file.page(at: cell.offset))
        let fields = record.fields
        guard fields.count == 5 else {
            throw Problem(
                "sqlite.schema", "the schema has an entry of \(Phrase.count(fields.count, "value")); expected 5",
                at: .byte(cell.offset))
        }
        func text(_ position: Int) -> [UInt8] {
            guard fields[position].isText else { return [] }
            return file.encoding.utf8(of: source.span.extracting(fields[position].range))
        }
        guard text(0).elementsEqual("table".utf8) else { return }
        let (name, sql) = (String(decoding: text(1), as: UTF8.self), text(4))
        if let module = TableDefinitionParser.module(ofVirtualTable: sql) {
            return schema.virtualTables.append((name, module))
        }
        guard let definition = TableDefinitionParser(sql).parse() else {
            throw Problem(
                "sqlite.schema", "the SQL of the table \(Phrase.quoted(name)) is no CREATE TABLE that SQLite writes",
                at: .byte(cell.offset))
        }
        schema.add(DatabaseSchema.Table(name: name, definition: definition))
        // What is no page is told when the table is read.
        let root = fields[3].isInteger ? fields[3].integer(in: source) : 0
        entries.append(Entry(root: Int(truncatingIfNeeded: root), place: cell.offset))
    }

    // MARK: Rows

    /// Goes through the cells of a table.
    ///
    /// - Parameter use: the pages that have been met.
    private mutating func forEachCell(
        of position: Int, _ use: inout PageUse, _ body: (inout DatabaseReader, BTreeCell) throws(Problem) -> Void
    ) throws(Problem) {
        let entry = entries[position]
        let table = schema.tables[position]
        var walk = BTreeWalk(
            table.definition.isWithoutRowid ? .index : .table, from: entry.root, at: entry.place, of: table.name)
        while true {
            do throws(Problem) {
                guard let cell = try walk.next(in: file, &use) else { return }
                try body(&self, cell)
            } catch {
                try note(error)
            }
        }
    }

    private mutating func readRows(of position: Int) throws(Problem) {
        builder.open(reading.hasRowArrays ? .array : .dictionary)
        var shape = RowShape(of: schema.tables[position])
        // No other holds what is changed for each page, or it would be copied for each table.
        var use = PageUse()
        swap(&use, &self.use)
        if let positions = shape.sortedBy, !reading.hasRowArrays {
            var rows = SortedRows(of: file, by: positions)
            try forEachCell(of: position, &use) { _, cell in rows.add(cell) }
            for offset in rows.offsets() {
                guard let cell = BTreeCell(rowAt: offset, in: file) else { continue }
                do throws(Problem) { try add(cell, &shape) } catch { try note(error) }
            }
        } else {
            try forEachCell(of: position, &use) { reader, cell throws(Problem) in try reader.add(cell, &shape) }
        }
        self.use = use
        builder.close()
    }

    /// Finds the columns in which Core Data keeps values, or the names of files that it keeps them in.
    private mutating func findExternalColumns() throws(Problem) {
        guard schema.isCoreData, !reading.isRaw else { return }
        var use = PageUse(file)
        for position in schema.tables.indices where schema.tables[position].definition.isOfEntity {
            var search = ExternalColumns(schema.tables[position].definition)
            guard search.isPossible else { continue }
            // What is damaged is told when the rows are read.
            try? forEachCell(of: position, &use) { reader, cell throws(Problem) in
                let (source, start) = cell.payload(in: reader.file)
                try reader.record.read(
                    source, from: start, count: search.valueCount, of: cell, on: reader.file.page(at: cell.offset))
                search.look(at: reader.record, in: source)
            }
            schema.tables[position].externalColumns = search.columns
        }
    }
}
