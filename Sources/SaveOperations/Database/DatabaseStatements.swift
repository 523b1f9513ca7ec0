import KeyedArchives
package import SaveCodec

/// The statements of SQL that do to a database what was done to the document of it.
///
///     ~ /monsters/3/hitpoints: 250 → 30     UPDATE "monsters" SET "hitpoints" = 30 WHERE "id" = 3
///     + /monsters/4: {"name": "Slime"}      INSERT INTO "monsters" ("id", "name") VALUES (4, 'Slime')
///     - /monsters/7: {"id": 7, …}           DELETE FROM "monsters" WHERE "id" = 7
///
/// A statement finds a row by what its key is made of. Where a column would make another value of the one that was given, or
/// Core Data keeps accounts of what it has stored, there is no statement.
package struct DatabaseStatements {
    /// The statements, without the semicolon behind each.
    package private(set) var statements: [String] = []
    /// Why there is none for the other changes, with their addresses.
    package private(set) var problems: [Problem] = []
    /// How many changes more there are.
    package private(set) var moreCount = 0
    private let schema: DatabaseSchema
    private let difference: Difference

    /// - Parameter before: the document of a database, with what is known of its tables.
    package init?(from before: Document, to after: Document) {
        guard let schema = before.databaseSchema else { return nil }
        self.schema = schema
        // What data holds is changed with the data.
        difference = Difference(ObjectView(before, nil), ObjectView(after, nil))
        for change in difference.changes.prefix(Self.mostChanges) { add(change) }
        moreCount = max(difference.changes.count - Self.mostChanges, 0)
    }

    /// Nobody copies more statements than so many.
    private static let mostChanges = 20

    /// The statement that adds a high score to a table.
    package static func insertion(of record: ScoreRecord, into scores: ScoreTable) throws(Problem) -> String {
        let name = scores.address.tokens.last.map { String(decoding: $0, as: UTF16.self) }
        guard let schema = scores.view.document.databaseSchema,
            let table = schema.tables.first(where: { $0.name == name })
        else { throw .noStatement("the scores are in no table") }
        func column(_ field: [UInt16]) -> String { String(decoding: field, as: UTF16.self) }
        let score: SQLValue? =
            switch record.score {
            case .integer(let value): Int64(exactly: value).map { .integer($0) }
            case .real(let value): .real(value)
            case .single(let value): .real(Double(value))
            }
        var row: RowStatements.Row = [
            (column(scores.fields.name), .text(record.name)), (column(scores.fields.score), score),
        ]
        if let seconds = record.date, let date = scores.fields.date.map(column),
            table.definition.columns.contains(where: { $0.name == date })
        {
            row.append((date, ScalarText.date(seconds).map { .text(Array($0.utf16)) }))
        }
        return try RowStatements(table, isCoreData: schema.isCoreData).insert(row, nil)
    }

    private mutating func add(_ change: Change) {
        let side: Side = change.after == nil ? .before : .after
        guard let address = difference.address(of: change, side) else { return }
        do throws(Problem) {
            if let statement = try statement(for: change, at: address) { statements.append(statement) }
        } catch {
            problems.append(Problem(error.kind, error.message, address: error.address ?? address))
        }
    }

    private func statement(for change: Change, at address: JSONPointer) throws(Problem) -> String? {
        guard address.tokens.count >= 1, !(0..<address.tokens.count).contains(where: address.isForm) else {
            throw .noStatement("a database consists of tables")
        }
        let name = String(decoding: address.tokens[0], as: UTF16.self)
        guard let table = schema.tables.first(where: { $0.name == name }) else {
            throw .noStatement("there is no such table, and a document does not tell the types of its columns")
        }
        let rows = RowStatements(table, isCoreData: schema.isCoreData)
        switch address.tokens.count {
        case 1 where change.kind == .removed: return try "DROP TABLE \(rows.name())"
        case 2:
            return try rows.statement(
                from: row(change.before, .before), to: row(change.after, .after), address.tokens[1])
        case 3:
            let row = try row(at: address.prefix(2))
            let value = change.after.flatMap { difference.after.scalar($0) }
            guard change.after == nil || value != nil else { throw .noStatement("a column holds no containers") }
            let column = String(decoding: address.tokens[2], as: UTF16.self)
            return try rows.update(row, address.tokens[1], [(column, value.map { SQLValue($0) } ?? .null)])
        default: throw .noStatement("a table consists of rows, and a row of values")
        }
    }

    // MARK: Rows

    private func row(at address: JSONPointer) throws(Problem) -> RowStatements.Row {
        guard case .found(let id, _) = difference.before.find(address), let row = try row(id, .before) else {
            throw .noStatement("a table consists of rows")
        }
        return row
    }

    /// The columns of a row with their values; nil for none.
    private func row(_ id: ViewID?, _ side: Side) throws(Problem) -> RowStatements.Row? {
        guard let id else { return nil }
        let view = difference.view(side)
        guard let value = view.container(id), case .dictionary = value.form else {
            throw .noStatement("a row is a dictionary of its columns")
        }
        var row: RowStatements.Row = []
        for position in 0..<value.contents.count {
            let item = view.item(position, of: value.contents)
            guard let name = item.key.flatMap(view.text), let node = view.scalar(item.id) else {
                throw .noStatement("a column has a name, and holds no containers")
            }
            row.append((name.string, SQLValue(node)))
        }
        return row
    }
}

/// The statements for rows of one table.
private struct RowStatements {
    /// The columns of a row that are given; a value that SQLite does not have is nil.
    typealias Row = [(column: String, value: SQLValue?)]

    private let table: DatabaseSchema.Table
    private let isCoreData: Bool

    init(_ table: DatabaseSchema.Table, isCoreData: Bool) {
        self.table = table
        self.isCoreData = isCoreData
    }

    private var definition: TableDefinition { table.definition }

    /// The table as SQL names it.
    func name() throws(Problem) -> String {
        try identifier(table.name)
    }

    private func identifier(_ name: String) throws(Problem) -> String {
        guard let identifier = name.sqlIdentifier else { throw .noStatement("the name cannot be shown") }
        return identifier
    }

    private func literal(_ value: SQLValue) throws(Problem) -> String {
        guard let literal = value.literal else { throw .noStatement("the text is not valid Unicode") }
        return literal
    }

    /// The statement for a row that was added, removed or changed.
    func statement(from before: Row?, to after: Row?, _ key: [UInt16]) throws(Problem) -> String? {
        switch (before, after) {
        case (let before?, let after?):
            let old = Dictionary(before.map { ($0.column, $0.value) }) { first, _ in first }
            let changed = after.filter { old[$0.column] != .some($0.value) }
            let kept = Set(after.map(\.column))
            let removed = before.filter { !kept.contains($0.column) }.map { ($0.column, SQLValue?.some(.null)) }
            return try update(before, key, changed + removed)
        case (nil, let after?): return try insert(after, key)
        case (let before?, nil):
            try checkAccounts("it counts the objects of each entity, and others may refer to this one")
            return try "DELETE FROM \(name()) WHERE \(condition(before, key))"
        case (nil, nil): return nil
        }
    }

    private func checkAccounts(_ reason: String) throws(Problem) {
        if isCoreData { throw .noStatement("Core Data keeps this table: \(reason)") }
    }

    // MARK: Changing

    func update(_ row: Row, _ key: [UInt16], _ changes: Row) throws(Problem) -> String {
        var settings: [String] = []
        for (column, value) in changes {
            try settings.append("\(identifier(column)) = \(literal(stored(value, in: column)))")
        }
        return try "UPDATE \(name()) SET \(settings.joined(separator: ", ")) WHERE \(condition(row, key))"
    }

    /// - Parameter key: the key that the row is to have; nil for the next that is free.
    func insert(_ row: Row, _ key: [UInt16]?) throws(Problem) -> String {
        try checkAccounts("it counts the objects of each entity")
        var (columns, values): ([String], [String]) = ([], [])
        let rowid = try key.map { key throws(Problem) in try rowidSetting(row, key) } ?? []
        for (column, value) in rowid + row {
            try columns.append(column == Self.rowid(of: definition) ? column : identifier(column))
            try values.append(literal(stored(value, in: column)))
        }
        if let key { try checkKey(row, key) }
        guard !columns.isEmpty else { return try "INSERT INTO \(name()) DEFAULT VALUES" }
        return try
            "INSERT INTO \(name()) (\(columns.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
    }

    /// The value that a column will hold.
    private func stored(_ value: SQLValue?, in column: String) throws(Problem) -> SQLValue {
        guard let value else { throw .noStatement("SQLite has no values of this type") }
        guard let position = definition.columns.firstIndex(where: { $0.name == column }) else {
            if column == Self.rowid(of: definition) { return value }
            throw .noStatement("the table has no such column")
        }
        guard !definition.columns[position].isGenerated else { throw .noStatement("the column is computed") }
        guard !table.externalColumns.contains(position) else {
            throw .noStatement("Core Data may keep the values of this column in files of their own")
        }
        guard definition.columns[position].affinity.keeps(value) else {
            throw .noStatement("the column would make another value of it")
        }
        return value
    }

    // MARK: Keys

    /// What finds a row.
    private func condition(_ row: Row, _ key: [UInt16]) throws(Problem) -> String {
        let key = String(decoding: key, as: UTF16.self)
        let marked = "rowid "
        if definition.primaryKey.isEmpty || !definition.isWithoutRowid && key.hasPrefix(marked) {
            let number = key.hasPrefix(marked) ? String(key.dropFirst(marked.count)) : key
            guard let rowid = Self.rowid(of: definition), let number = Int64(number) else {
                throw .noStatement("nothing tells this row from others")
            }
            return "\(rowid) = \(try literal(.integer(number)))"
        }
        var conditions: [String] = []
        for position in definition.primaryKey {
            let name = definition.columns[position].name
            guard let value = row.first(where: { $0.column == name })?.value else {
                throw .noStatement("nothing tells this row from others")
            }
            try conditions.append("\(identifier(name)) = \(literal(value))")
        }
        return conditions.joined(separator: " AND ")
    }

    /// The name by which the rowid of a table is known that has no column for it.
    private static func rowid(of definition: TableDefinition) -> String? {
        guard !definition.isWithoutRowid, definition.rowidColumn == nil else { return nil }
        let taken = Set(definition.columns.map(\.name.foldedName))
        return ["rowid", "_rowid_", "oid"].first { !taken.contains($0.foldedName) }
    }

    /// The rowid of a new row, unless it is among its values or the table gives the next.
    private func rowidSetting(_ row: Row, _ key: [UInt16]) throws(Problem) -> Row {
        let column = definition.rowidColumn.map { definition.columns[$0].name }
        guard let column = column ?? (definition.primaryKey.isEmpty ? Self.rowid(of: definition) : nil),
            !row.contains(where: { $0.column == column })
        else { return [] }
        guard let number = Int64(String(decoding: key, as: UTF16.self)) else {
            throw .noStatement("the key of the row is no rowid, a whole number")
        }
        return [(column, .integer(number))]
    }

    /// Refuses a new row whose values would give it another key.
    private func checkKey(_ row: Row, _ key: [UInt16]) throws(Problem) {
        var (values, affinities): ([SQLValue], [ColumnAffinity]) = ([], [])
        for position in definition.primaryKey {
            let column = definition.columns[position]
            let value = row.first { $0.column == column.name }?.value
            if value == nil, position == definition.rowidColumn { return }
            values.append(value ?? .null)
            affinities.append(column.affinity)
        }
        guard !values.isEmpty,
            String(decoding: key, as: UTF16.self).utf8.elementsEqual(RowKey.text(of: values, affinities))
        else {
            if values.isEmpty { return }
            throw .noStatement("the values of the primary key give the row another key")
        }
    }
}

extension ColumnAffinity {
    /// Whether a column holds a value as it is, or a number that is equal.
    fileprivate func keeps(_ value: SQLValue) -> Bool {
        switch (self, value) {
        case (.text, .integer), (.text, .real): false
        case (.integer, .text(let units)), (.numeric, .text(let units)), (.real, .text(let units)):
            !SQLValue.isNumber(units)
        default: true
        }
    }
}

extension Problem {
    /// No statement makes a change.
    fileprivate static func noStatement(_ reason: String) -> Problem {
        Problem("sqlite.no-statement", "no statement does this: \(reason)")
    }
}
