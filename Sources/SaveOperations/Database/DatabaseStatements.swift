import KeyedArchives
package import SaveCodec

/// The SQL statements that make the changes between two versions of a database.
///
///     ~ /monsters/3/hitpoints: 250 → 30     UPDATE "monsters" SET "hitpoints" = 30 WHERE "monsters"."id" = 3
///     + /monsters/4: {"name": "Slime"}      INSERT INTO "monsters" ("id", "name") VALUES (4, 'Slime')
///     - /monsters/7: {"id": 7, …}           DELETE FROM "monsters" WHERE "monsters"."id" = 7
///
/// A statement finds a row by the values of its key. If any change has no statement, there are no statements at all,
/// since making only a part of the changes may lose data. For example, a change has no statement if:
///
/// - a column would store a value other than the given one, or
/// - Core Data keeps counts and references for the table.
package struct DatabaseStatements {
    /// The statements, without semicolons.
    private var statements: [(order: Order, text: String)] = []
    /// The reasons why changes have no statement, with their addresses.
    package private(set) var problems: [Problem] = []

    /// The order of the statements. Removals come first to make room for changes and additions.
    private enum Order: CaseIterable { case removing, changing, adding }

    /// The row of the last statement, if that statement changes values of a row.
    private var lastRow: JSONPointer?
    private let schema: DatabaseSchema
    private let difference: Difference

    /// - Parameter before: The document of a database, with its schema.
    package init?(from before: Document, to after: Document) {
        guard let schema = before.databaseSchema else { return nil }
        self.schema = schema
        // A change inside a nested save is a change of the data that holds it.
        difference = Difference(ObjectView(before, nil), ObjectView(after, nil))
        guard difference.changes.count <= Self.maxChanges else {
            problems.append(
                .noStatement("found \(difference.changes.count) changes; expected at most \(Self.maxChanges)"))
            return
        }
        for change in difference.changes { add(change) }
    }

    /// The largest number of changes to write as statements.
    private static let maxChanges = 100

    /// The statement that makes all changes, or a transaction of several statements; nil if any change has none.
    package var text: String? {
        guard problems.isEmpty, let first = statements.first else { return nil }
        guard statements.count > 1 else { return first.text }
        let ordered = Order.allCases.flatMap { order in statements.filter { $0.order == order } }
        return "BEGIN; " + ordered.map { $0.text + "; " }.joined() + "COMMIT"
    }

    /// Returns the statement that adds a high score to a table.
    package static func insertion(of record: ScoreRecord, into scores: ScoreTable) throws(Problem) -> String {
        let name = scores.address.tokens.last
        guard let schema = scores.view.document.databaseSchema, let table = name.flatMap(schema.table)
        else { throw .noStatement("the scores are not in a table") }
        func column(_ field: [UInt16]) -> String { String(decoding: field, as: UTF16.self) }
        let score: SQLValue? =
            switch record.score {
            case .integer(let value): Int64(exactly: value).map { .integer($0) }
            case .real(let value): .real(value)
            case .single(let value): .real(Double(value))
            }
        var row: RowStatements.Row = scores.fields.name.map { [(column($0), .text(record.name))] } ?? []
        row.append((column(scores.fields.score ?? []), score))
        if let value = record.date, let date = scores.fields.date.map(column),
            table.definition.columns.contains(where: { $0.name.utf8.elementsEqual(date.utf8) })
        {
            row.append((date, try scores.sqlDate(value)))
        }
        return try RowStatements(table, isCoreData: schema.isCoreData).insert(row, nil)
    }

    private mutating func add(_ change: Change) {
        let side: Side = change.after == nil ? .before : .after
        guard let address = difference.address(of: change, side) else { return }
        // One statement changes all values of a row. A second one would not find the row if its key changed.
        guard address.tokens.count != 3 || address.prefix(2) != lastRow else { return }
        lastRow = address.tokens.count == 3 ? address.prefix(2) : nil
        do throws(Problem) {
            guard let statement = try statement(for: change, at: address) else { return }
            let isWhole = address.tokens.count < 3
            let order: Order =
                isWhole && change.after == nil ? .removing : isWhole && change.before == nil ? .adding : .changing
            statements.append((order, statement))
        } catch {
            problems.append(Problem(error.kind, error.message, address: error.address ?? address))
        }
    }

    private func statement(for change: Change, at address: JSONPointer) throws(Problem) -> String? {
        guard address.tokens.count >= 1, !(0..<address.tokens.count).contains(where: address.isExtension) else {
            throw .noStatement("a database can contain only tables")
        }
        guard let table = schema.table(named: address.tokens[0]) else {
            throw .noStatement("no such table; the types of its columns are unknown")
        }
        let rows = RowStatements(table, isCoreData: schema.isCoreData)
        switch address.tokens.count {
        case 1 where change.kind == .removed: return try rows.drop()
        case 2:
            return try rows.statement(
                from: row(change.before, .before), to: row(change.after, .after), address.tokens[1])
        case 3:
            let row = address.prefix(2)
            return try rows.statement(
                from: self.row(at: row, .before), to: self.row(at: row, .after), address.tokens[1])
        default: throw .noStatement("a table can contain only rows, and a row only values")
        }
    }

    // MARK: Rows

    private func row(at address: JSONPointer, _ side: Side) throws(Problem) -> RowStatements.Row {
        guard case .found(let id, _) = difference.view(side).find(address), let row = try row(id, side) else {
            throw .noStatement("this value is not a row; a table can contain only rows")
        }
        return row
    }

    /// Returns the columns of a row with their values; nil for no row.
    private func row(_ id: ViewID?, _ side: Side) throws(Problem) -> RowStatements.Row? {
        guard let id else { return nil }
        let view = difference.view(side)
        guard let value = view.container(id), case .dictionary = value.variant else {
            throw .noStatement("a row must be a dictionary of its columns")
        }
        var row: RowStatements.Row = []
        for position in 0..<value.contents.count {
            let item = view.item(position, of: value.contents)
            guard let name = item.key.flatMap(view.text), let node = view.scalar(item.id) else {
                throw .noStatement("a column needs a name, and its values cannot be containers")
            }
            row.append((name.string, SQLValue(node)))
        }
        return row
    }
}

// MARK: Rows

/// The statements for the rows of one table.
private struct RowStatements {
    /// The given columns of a row; nil for a value that SQLite cannot store.
    typealias Row = [(column: String, value: SQLValue?)]

    private let table: DatabaseSchema.Table
    private let isCoreData: Bool
    /// The positions of the columns by UTF-8 name.
    private let positions: [[UInt8]: Int]

    init(_ table: DatabaseSchema.Table, isCoreData: Bool) {
        self.table = table
        self.isCoreData = isCoreData
        let columns = table.definition.columns
        positions = Dictionary(columns.indices.map { (Array(columns[$0].name.utf8), $0) }) { first, _ in first }
    }

    private func position(of column: String) -> Int? { positions[Array(column.utf8)] }

    private var definition: TableDefinition { table.definition }

    private func identifier(_ name: String) throws(Problem) -> String {
        guard let identifier = name.sqlIdentifier else { throw .noStatement("the name cannot be written in SQL") }
        return identifier
    }

    private func literal(_ value: SQLValue) throws(Problem) -> String {
        guard let literal = value.literal(in: table.encoding) else {
            throw .noStatement("the text is not valid Unicode")
        }
        return literal
    }

    private func checkNotManagedByCoreData(_ reason: String) throws(Problem) {
        if isCoreData { throw .noStatement("Core Data manages this table: \(reason)") }
    }

    // MARK: Statements

    func drop() throws(Problem) -> String {
        try checkNotManagedByCoreData("its model has the entity")
        if table.name.foldedName.starts(with: "sqlite_".utf8) { throw .noStatement("SQLite needs this table") }
        return try "DROP TABLE \(identifier(table.name))"
    }

    /// Returns the statement that adds, removes or changes a row; nil if the row does not change.
    func statement(from before: Row?, to after: Row?, _ key: [UInt16]) throws(Problem) -> String? {
        switch (before, after) {
        case (let before?, let after?):
            let old = Dictionary(before.map { ($0.column.foldedName, $0.value) }) { first, _ in first }
            let changed = after.filter { old[$0.column.foldedName] != .some($0.value) }
            let kept = Set(after.map(\.column.foldedName))
            let removed = before.filter { !kept.contains($0.column.foldedName) }.map {
                ($0.column, SQLValue?.some(.null))
            }
            return try update(before, key: key, changes: changed + removed)
        case (nil, let after?): return try insert(after, key)
        case (let before?, nil):
            try checkNotManagedByCoreData(
                "it counts the objects of each entity, and other objects may refer to this one")
            return try "DELETE FROM \(identifier(table.name)) WHERE \(condition(before, key))"
        case (nil, nil): return nil
        }
    }

    private func update(_ row: Row, key: [UInt16], changes: Row) throws(Problem) -> String? {
        var settings: [String] = []
        for (column, value) in changes {
            try checkColumn(column, value)
            try settings.append("\(identifier(column)) = \(literal(stored(value, in: column)))")
        }
        guard !settings.isEmpty else { return nil }
        return try
            "UPDATE \(conflictClause)\(identifier(table.name)) SET \(settings.joined(separator: ", ")) WHERE \(condition(row, key))"
    }

    /// Throws if an update must not write the value to the column: Core Data finds its objects by the column, or the
    /// column is the rowid and the value is null.
    private func checkColumn(_ column: String, _ value: SQLValue?) throws(Problem) {
        if TableDefinition.coreDataColumns.contains(where: { $0.utf8.elementsEqual(column.utf8) }) {
            try checkNotManagedByCoreData("it finds its objects by this column")
        }
        if value == .null, let rowid = definition.rowidColumn, position(of: column) == rowid {
            throw .noStatement("the column is the rowid, which every row has")
        }
    }

    /// Returns the statement that inserts a row.
    ///
    /// - Parameter key: The key of the row; nil for the next free one.
    func insert(_ row: Row, _ key: [UInt16]?) throws(Problem) -> String {
        try checkNotManagedByCoreData("it counts the objects of each entity")
        var (columns, values): ([String], [String]) = ([], [])
        if let key, let setting = try rowidSetting(row, key) {
            columns.append(setting.column)
            try values.append(literal(.integer(setting.rowid)))
        }
        for (column, value) in row {
            try columns.append(identifier(column))
            try values.append(literal(stored(value, in: column)))
        }
        if let key { try checkKey(row, key) }
        let start = try "INSERT \(conflictClause)INTO \(identifier(table.name)) "
        guard !columns.isEmpty else { return start + "DEFAULT VALUES" }
        return start + "(\(columns.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
    }

    /// Returns the value that a column stores.
    ///
    /// - Throws: `sqlite.no-statement` if the column cannot store exactly the given value.
    private func stored(_ value: SQLValue?, in column: String) throws(Problem) -> SQLValue {
        guard let value else { throw .noStatement("SQLite cannot store values of this type") }
        guard let position = position(of: column) else {
            throw .noStatement("the table has no such column")
        }
        guard !definition.columns[position].isGenerated else { throw .noStatement("the column is computed") }
        guard !table.externalColumns.contains(position) else {
            throw .noStatement("Core Data may keep the values of this column in files of their own")
        }
        guard definition.columns[position].affinity.keeps(value) else {
            throw .noStatement("the column would convert the value")
        }
        return value
    }

    // MARK: Keys

    /// `OR ABORT` for a table whose constraints have conflict clauses: the statement then fails instead of resolving a
    /// conflict as the clauses specify.
    private var conflictClause: String { definition.hasConflictClauses ? "OR ABORT " : "" }

    /// Returns the condition that selects a row.
    ///
    /// Columns are qualified with the table name, since SQLite treats a quoted name by itself as a string if there is
    /// no such column.
    private func condition(_ row: Row, _ key: [UInt16]) throws(Problem) -> String {
        let text = String(decoding: key, as: UTF16.self)
        if definition.primaryKey.isEmpty || !definition.isWithoutRowid && text.hasPrefix(RowKey.rowidMark) {
            let number = definition.primaryKey.isEmpty ? text : String(text.dropFirst(RowKey.rowidMark.count))
            guard let name = try rowidName(), let rowid = Self.rowid(number) else {
                throw .noStatement("the row cannot be identified")
            }
            return try "\(identifier(table.name)).\(name) = \(literal(.integer(rowid)))"
        }
        let values = keyValues(of: row)
        let areKept = zip(definition.primaryKey, values).allSatisfy { definition.columns[$0].affinity.keeps($1) }
        guard areKept, self.key(of: values).elementsEqual(text.utf8) else {
            throw .noStatement("the row cannot be identified")
        }
        let conditions = try zip(definition.primaryKey, values).map { position, value throws(Problem) in
            let column = definition.columns[position]
            let comparison = column.collation.foldedName.elementsEqual("binary".utf8) ? "" : " COLLATE BINARY"
            return try "\(identifier(table.name)).\(identifier(column.name)) = \(literal(value))" + comparison
        }
        return conditions.joined(separator: " AND ")
    }

    /// Returns the primary key of a row; NULL for a column that the row does not give.
    private func keyValues(of row: Row) -> [SQLValue] {
        let values = Dictionary(row.map { (position(of: $0.column), $0.value) }) { first, _ in first }
        return definition.primaryKey.map { values[$0].flatMap(\.self) ?? .null }
    }

    /// Returns the key that a row has in a document, given the values of its primary key.
    private func key(of values: [SQLValue]) -> [UInt8] {
        RowKey.text(of: values, definition.primaryKey.map { definition.columns[$0].affinity })
    }

    /// Returns the name of the rowid: the column that is an alias for it, or a built-in name that no column has. Nil if
    /// there is none.
    private func rowidName() throws(Problem) -> String? {
        if definition.isWithoutRowid { return nil }
        if let column = definition.rowidColumn { return try identifier(definition.columns[column].name) }
        let taken = Set(definition.columns.map(\.name.foldedName))
        return ["rowid", "_rowid_", "oid"].first { !taken.contains($0.foldedName) }
    }

    /// Returns the rowid that a key in a document represents.
    private static func rowid(_ key: String) -> Int64? {
        Int64(key).flatMap { String($0).utf8.elementsEqual(key.utf8) ? $0 : nil }
    }

    /// Returns the rowid of a new row and its column name; nil if the row gives the rowid, or the table does not need
    /// it.
    private func rowidSetting(_ row: Row, _ key: [UInt16]) throws(Problem) -> (column: String, rowid: Int64)? {
        guard definition.rowidColumn != nil || definition.primaryKey.isEmpty, let name = try rowidName(),
            definition.rowidColumn == nil || keyValues(of: row) == [.null]
        else { return nil }
        guard let rowid = Self.rowid(String(decoding: key, as: UTF16.self)) else {
            throw .noStatement("the key of the row is not a rowid; expected an integer")
        }
        return (name, rowid)
    }

    /// Throws if the values of a new row would give it another key.
    private func checkKey(_ row: Row, _ key: [UInt16]) throws(Problem) {
        let values = keyValues(of: row)
        if values.isEmpty || definition.rowidColumn != nil && values == [.null] { return }
        // NULL does not identify a row: the column may store its default instead, or many rows may have NULL.
        guard !values.contains(.null), self.key(of: values).elementsEqual(String(decoding: key, as: UTF16.self).utf8)
        else {
            throw .noStatement("the values in the primary-key columns do not match the row's key")
        }
    }
}

extension ColumnAffinity {
    /// Whether a column stores a value unchanged, or as an equal number.
    fileprivate func keeps(_ value: SQLValue) -> Bool {
        switch (self, value) {
        case (.text, .integer), (.text, .real): false
        case (.real, .integer(let integer)): Int64(exactly: Double(integer)) == integer
        case (.integer, .text(let units)), (.numeric, .text(let units)), (.real, .text(let units)):
            !SQLValue.isNumber(units)
        default: true
        }
    }
}

extension Problem {
    fileprivate static func noStatement(_ reason: String) -> Problem {
        Problem("sqlite.no-statement", "no SQL statement can make this change: \(reason)")
    }
}
