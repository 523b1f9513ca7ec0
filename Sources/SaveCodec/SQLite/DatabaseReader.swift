/// A reader that builds the document of a database, table by table and row by row.
///
///     sqlite_schema ─▶ tables ─▶ b-tree ─▶ cell ─▶ record ─▶ dictionary of columns
struct DatabaseReader: ~Copyable {
    private struct Entry {
        let root: Int
        let offset: Int
    }

    let file: DatabaseFile
    let options: SQLite.ReadOptions
    let limits: Limits
    var builder: DocumentBuilder
    var schema = DatabaseSchema()
    private var entries: [Entry] = []
    /// The names of the tables so far, to skip older versions of their entries in a damaged schema.
    private var tableNames: Set<[UInt8]> = []
    private var pages: VisitedPages
    var record = Record()
    /// The text of the current row's key.
    var key: [UInt8] = []
    /// The objects of values that occur in many rows.
    private var cache = ValueCache()
    var null: ObjectID?
    private var progress = Progress()
    var findings = DatabaseFindings()
    /// The leaf pages that no b-tree reaches, by the index of the table to which they belong. Empty unless the database
    /// is salvaged.
    private var strayPages: [Int: [Int]] = [:]

    private struct Progress {
        /// The number of values in the rows so far.
        var valueCount = 0
        /// The total payload size of the rows so far, in bytes.
        var rowSize = 0
        /// The `rowSize` at which the reader next estimates how much memory the document needs.
        var nextEstimate = 1 << 18
    }

    init(_ file: DatabaseFile, limits: Limits, _ options: SQLite.ReadOptions) {
        self.file = file
        self.limits = limits
        self.options = options
        pages = VisitedPages(file)
        builder = DocumentBuilder(keepingOnlyImage: ())
    }

    consuming func read() throws(Problem) -> Document {
        try readIntactParts().document
    }

    /// Returns the document and, if the options allow damage, the damaged parts that were left out.
    consuming func readIntactParts() throws(Problem) -> (document: Document, damage: [Problem]) {
        // The document has three levels: the root, a table and a row.
        guard limits.maxDepth >= 3 else { throw .tooDeep(limits.maxDepth, at: nil) }
        try readSchema()
        if options.isSalvage {
            let tables = zip(schema.tables, entries).map {
                StrayPages.Table(definition: $0.definition, root: $1.root, offset: $1.offset)
            }
            strayPages = StrayPages(in: file, of: tables).pages
        }
        try findExternalColumns()
        builder.open(.dictionary)
        for position in schema.tables.indices {
            builder.add(utf8: schema.tables[position].name.utf8.span)
            try readRows(of: position)
        }
        builder.close()
        builder.warnings = findings.warnings(schema) + [file.trailingBytes].compactMap(\.self)
        var schema = schema
        let (size, damage) = (file.bytes.count, findings.damage.listed)
        let document = try builder.finish(format: .sqlite, sourceSize: size)
        schema.note(document)
        return (document.with { $0.formatFacts.databaseSchema = schema }, damage)
    }

    /// Records damage; the caller leaves out the damaged part. Throws the problem instead if the options do not allow
    /// damage, or if the rows have too many values.
    private mutating func note(_ problem: Problem, in table: String? = nil) throws(Problem) {
        guard options.isRaw || options.isSalvage, problem.kind != .tooManyValues else { throw problem }
        var problem = problem
        if options.isSalvage, let table { problem.address = JSONPointer.root.appending(key: table.utf16) }
        findings.damage.add { problem }
    }

    // MARK: The schema

    /// Reads the schema table, which begins on page 1.
    private mutating func readSchema() throws(Problem) {
        var walk = BTreeWalk(.table, from: 1, at: 0, of: "sqlite_schema")
        var isAtEnd = false
        while !isAtEnd {
            do throws(Problem) {
                if let cell = try walk.next(in: file, &pages) { try readEntry(cell) } else { isAtEnd = true }
            } catch {
                try note(error)
            }
        }
        guard options.isSalvage, !findings.damage.listed.isEmpty else { return }
        for cell in StraySchema(in: file, apartFrom: pages).cells {
            do throws(Problem) { try readEntry(cell) } catch { try note(error) }
        }
    }

    /// Reads an entry of the schema table. Its columns are `type, name, tbl_name, rootpage, sql`.
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
        let (storedName, sql) = (text(1), text(4))
        let name = String(decoding: storedName, as: UTF8.self)
        // A damaged schema may contain an older version of an entry.
        guard !options.isSalvage || !tableNames.contains(storedName) else { return }
        if let module = TableDefinitionParser.module(ofVirtualTable: sql) {
            tableNames.insert(storedName)
            return schema.virtualTables.append((name, module))
        }
        guard let definition = TableDefinitionParser(sql).parse() else {
            throw Problem(
                "sqlite.schema",
                "the SQL of the table \(Phrase.quoted(name)) is not a CREATE TABLE statement as SQLite writes it",
                at: .byte(cell.offset))
        }
        schema.add(DatabaseSchema.Table(name: name, definition: definition, encoding: file.encoding))
        tableNames.insert(storedName)
        // An invalid page number is reported when the table is read.
        let root = fields[3].isInteger ? fields[3].integer(in: source) : 0
        entries.append(Entry(root: Int(truncatingIfNeeded: root), offset: cell.offset))
    }

    // MARK: Rows

    /// Calls a closure with each cell of a table.
    ///
    /// - Parameter pages: The pages read so far.
    private mutating func forEachCell(
        of position: Int, _ pages: inout VisitedPages, _ body: (inout DatabaseReader, BTreeCell) throws(Problem) -> Void
    ) throws(Problem) {
        let table = schema.tables[position]
        let kind: BTreeWalk.Kind = table.definition.isWithoutRowid ? .index : .table
        let strays = (strayPages[position] ?? []).map { Entry(root: $0, offset: file.start(ofPage: $0)) }
        for (index, entry) in ([entries[position]] + strays).enumerated() {
            if index > 0 { try note(.strayPage(entry.root, at: entry.offset), in: table.name) }
            var walk = BTreeWalk(kind, from: entry.root, at: entry.offset, of: table.name)
            var isAtEnd = false
            while !isAtEnd {
                do throws(Problem) {
                    if let cell = try walk.next(in: file, &pages) { try body(&self, cell) } else { isAtEnd = true }
                } catch {
                    try note(error, in: table.name)
                }
            }
        }
    }

    private mutating func readRows(of position: Int) throws(Problem) {
        builder.open(options.hasRowArrays ? .array : .dictionary)
        var shape = RowShape(of: schema.tables[position])
        // Moved out of `self`, so that the set has only one owner and is not copied.
        var pages = VisitedPages()
        swap(&pages, &self.pages)
        if let positions = shape.sortedBy, !options.hasRowArrays {
            var rows = SortedRows(of: file, by: positions)
            try forEachCell(of: position, &pages) { _, cell in rows.add(cell) }
            for offset in rows.offsets() {
                guard let cell = BTreeCell(rowAt: offset, in: file) else { continue }
                do throws(Problem) { try add(cell, &shape) } catch { try note(error, in: schema.tables[position].name) }
            }
        } else {
            try forEachCell(of: position, &pages) { reader, cell throws(Problem) in try reader.add(cell, &shape) }
        }
        self.pages = pages
        builder.close()
    }

    /// Finds the columns in which Core Data stores either values or names of external files.
    private mutating func findExternalColumns() throws(Problem) {
        guard schema.isCoreData, !options.isRaw else { return }
        var pages = VisitedPages(file)
        for position in schema.tables.indices where schema.tables[position].definition.isOfEntity {
            var search = ExternalColumns(schema.tables[position].definition)
            guard search.isPossible else { continue }
            // Damage is reported when the rows are read.
            let damage = findings.damage
            defer { findings.damage = damage }
            try? forEachCell(of: position, &pages) { reader, cell throws(Problem) in
                let (source, start) = cell.payload(in: reader.file)
                try reader.record.read(
                    source, from: start, count: search.valueCount, of: cell, on: reader.file.page(at: cell.offset))
                search.look(at: reader.record, in: source)
            }
            schema.tables[position].externalColumns = search.columns
        }
    }
}

// MARK: Row conversion

/// The rules for converting a table's rows into dictionaries. All rows of the table share them.
private struct RowShape {
    struct Column {
        let position: Int
        let name: String
        /// The index of the column's value in the record; nil for a column that is the rowid.
        let stored: Int?
        let affinity: ColumnAffinity
        let isExternal: Bool
        let defaultValue: ColumnDefault
        /// The object of the default value, which is created on first use.
        var defaultObject: ObjectID?
    }

    var columns: [Column]
    /// The objects of the column names, which the first row creates.
    var names: [ObjectID] = []
    /// The indices of the primary key's values in the record; empty if the rowid is the key.
    let keyPositions: [Int]
    let keyAffinities: [ColumnAffinity]
    let valueCount: Int
    let hasRowid: Bool

    init(of table: DatabaseSchema.Table) {
        let definition = table.definition
        columns = definition.columns.indices.filter { !definition.columns[$0].isVirtual }.map { position in
            let column = definition.columns[position]
            return Column(
                position: position, name: column.name,
                stored: position == definition.rowidColumn ? nil : definition.storedPositions[position],
                affinity: column.affinity, isExternal: table.externalColumns.contains(position),
                defaultValue: column.defaultValue.stored(in: column.affinity))
        }
        let key = definition.rowidColumn == nil ? definition.primaryKey : []
        keyPositions = key.compactMap { definition.storedPositions[$0] }
        keyAffinities = key.map { definition.columns[$0].affinity }
        valueCount = definition.storedCount
        hasRowid = !definition.isWithoutRowid
    }

    /// The indices of the values that determine the row order; nil if rows are stored in key order.
    var sortedBy: [Int]? { hasRowid && !keyPositions.isEmpty ? keyPositions : nil }
}

extension DatabaseReader {
    fileprivate mutating func add(_ cell: BTreeCell, _ shape: inout RowShape) throws(Problem) {
        let (source, start) = cell.payload(in: file)
        try record.read(source, from: start, count: shape.valueCount, of: cell, on: file.page(at: cell.offset))
        try count(cell, shape)
        if shape.names.isEmpty { shape.names = shape.columns.map { addName($0.name) } }
        builder.open(.storedDictionary)
        for name in shape.names { builder.add(name, isShared: false) }
        var keyObject: ObjectID?
        for column in shape.columns.indices {
            let object = addValue(of: cell, in: source, column, &shape)
            if shape.columns[column].stored == shape.keyPositions.first { keyObject = object }
        }
        let row = builder.close()
        guard !options.hasRowArrays else { return }
        _ = builder.takeLast()
        addKey(of: cell, in: source, keyObject, shape)
        builder.add(row, isShared: false)
    }

    private mutating func count(_ cell: BTreeCell, _ shape: RowShape) throws(Problem) {
        progress.valueCount += shape.columns.count
        try limits.check(valueCount: progress.valueCount, of: file)
        progress.rowSize += cell.size
        guard progress.rowSize >= progress.nextEstimate else { return }
        progress.nextEstimate *= 4
        builder.makeRoom(times: Double(file.bytes.count) / Double(progress.rowSize), atMost: 4 * file.bytes.count)
    }

    private mutating func addName(_ name: String) -> ObjectID {
        let object = builder.add(utf8: name.utf8.span)
        _ = builder.takeLast()
        return object
    }

    // MARK: Keys

    /// Adds the key of the row in the current record.
    ///
    /// - Parameter object: The object of the first value of the primary key; nil without such a key.
    private mutating func addKey(of cell: BTreeCell, in source: [UInt8], _ object: ObjectID?, _ shape: RowShape) {
        let fields = shape.keyPositions.map { $0 < record.fields.count ? record.fields[$0] : nil }
        let values = fields.compactMap { $0 }.filter { !$0.isNull(in: source) }
        if values.count < fields.count && shape.hasRowid || fields.isEmpty {
            RowKey.set(&key, to: cell.rowid, isMarked: !fields.isEmpty)
        } else {
            if let object, fields.count == 1, let value = values.first, isPlainKey(value, of: source, shape) {
                return builder.add(object, isShared: false)
            }
            let values = zip(fields, shape.keyAffinities).map { $0?.value(of: source, $1, in: file.encoding) ?? .null }
            key = RowKey.text(of: values, shape.keyAffinities)
        }
        let text = key
        builder.add(utf8: text.span, shared: false)
    }

    /// Whether the object of a value can also be the row's key: it is text that resembles no other kind of key.
    private func isPlainKey(_ value: Record.Field, of source: [UInt8], _ shape: RowShape) -> Bool {
        let text = source.span.extracting(value.range)
        guard value.isText, file.encoding.isValid(text) else { return false }
        return file.encoding == .utf8
            ? RowKey.isPlain(text, shape.keyAffinities[0])
            : RowKey.isPlain(file.encoding.units(of: text), shape.keyAffinities[0])
    }

    // MARK: Values

    /// Adds the value of a column and returns its object.
    private mutating func addValue(
        of cell: BTreeCell, in source: [UInt8], _ column: Int, _ shape: inout RowShape
    ) -> ObjectID {
        guard let stored = shape.columns[column].stored else {
            return builder.add(StoredInteger(Int128(cell.rowid)), shared: false)
        }
        guard stored < record.fields.count else { return addDefault(of: &shape.columns[column]) }
        let field = record.fields[stored]
        if field.type == 0 { return addNull() }
        let isReal = shape.columns[column].affinity == .real
        if shape.columns[column].isExternal, field.isBlob { return addExternal(field, in: source) }
        guard cell.isWhole, field.size <= ValueCache.longest else {
            return add(field, isReal: isReal, in: source, at: cell.offset).object
        }
        if let known = cache.object(for: field, isReal: isReal, in: source.span) {
            builder.add(known, isShared: false)
            return known
        }
        let (object, isUsual) = add(field, isReal: isReal, in: source, at: cell.offset)
        if isUsual { cache.keep(object, for: field, isReal: isReal, in: source.span) }
        return object
    }

    /// Adds a value other than NULL.
    ///
    /// - Returns: Its object, and whether the value is valid for its stored type.
    private mutating func add(
        _ field: Record.Field, isReal: Bool, in source: [UInt8], at position: Int
    ) -> (object: ObjectID, isUsual: Bool) {
        if field.isInteger {
            let value = field.integer(in: source)
            guard !isReal else { return (builder.add(real64: Double(value), shared: false), true) }
            return (builder.add(StoredInteger(Int128(value)), shared: false), true)
        }
        guard field.type != 7 else {
            guard let value = field.real(in: source) else { return (addNull(), false) }
            return (builder.add(real64: value, shared: false), true)
        }
        let bytes = source.span.extracting(field.range)
        guard field.isText else { return (builder.add(data: bytes, shared: false), true) }
        guard file.encoding.isValid(bytes) else {
            findings.invalidTexts.note(at: position)
            return (builder.add(data: bytes, shared: false), false)
        }
        if file.encoding == .utf8 { return (builder.add(utf8: bytes, shared: false), true) }
        return (builder.add(utf16: file.encoding.units(of: bytes).span, shared: false), true)
    }

    private mutating func addNull() -> ObjectID {
        if let null {
            builder.add(null, isShared: false)
            return null
        }
        let object = builder.addNull()
        null = object
        return object
    }

    /// Adds the value of a column that was added after the row was stored.
    private mutating func addDefault(of column: inout RowShape.Column) -> ObjectID {
        if let object = column.defaultObject {
            builder.add(object, isShared: false)
            return object
        }
        let object: ObjectID
        switch column.defaultValue {
        case .integer(let value): object = builder.add(StoredInteger(Int128(value)), shared: false)
        case .real(let value): object = builder.add(real64: value, shared: false)
        case .text(let text): object = builder.add(utf8: text.span, shared: false)
        case .blob(let bytes): object = builder.add(data: bytes.span, shared: false)
        case .null: object = addNull()
        case .number, .boolean, .unknown:
            findings.unknownDefaults.append(column.name)
            object = addNull()
        }
        column.defaultObject = object
        return object
    }

    /// Adds a Core Data value that may be in an external file.
    private mutating func addExternal(_ field: Record.Field, in source: [UInt8]) -> ObjectID {
        switch ExternalValue(source[field.range]) {
        case .data(let bytes): builder.add(data: bytes.span, shared: false)
        case .file(let name): builder.add(utf8: name.span, shared: false)
        case nil: builder.add(data: source.span.extracting(field.range), shared: false)
        }
    }
}

extension Limits {
    /// Throws a problem if the rows have far more values than the file size suggests. A column added after its rows
    /// takes no space in the file, and there can be thousands of such columns.
    func check(valueCount: Int, of file: DatabaseFile) throws(Problem) {
        try check(valueCount: valueCount, inFileOf: file.bytes.count)
    }
}
