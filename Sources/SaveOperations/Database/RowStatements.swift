import SaveCodec

/// The statements for rows of one table.
struct RowStatements {
    /// The columns of a row that are given; a value that SQLite does not have is nil.
    typealias Row = [(column: String, value: SQLValue?)]

    private let table: DatabaseSchema.Table
    private let isCoreData: Bool
    /// The positions of the columns by their names as a document has them, in UTF-8.
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
        guard let identifier = name.sqlIdentifier else { throw .noStatement("the name cannot be shown") }
        return identifier
    }

    private func literal(_ value: SQLValue) throws(Problem) -> String {
        guard let literal = value.literal else { throw .noStatement("the text is not valid Unicode") }
        return literal
    }

    private func checkAccounts(_ reason: String) throws(Problem) {
        if isCoreData { throw .noStatement("Core Data keeps this table: \(reason)") }
    }

    // MARK: Statements

    /// The statement for the table itself to be removed.
    func drop() throws(Problem) -> String {
        try checkAccounts("its model has the entity")
        if table.name.foldedName.starts(with: "sqlite_".utf8) { throw .noStatement("SQLite needs this table") }
        return try "DROP TABLE \(identifier(table.name))"
    }

    /// The statement for a row that was added, removed or changed.
    func statement(from before: Row?, to after: Row?, _ key: [UInt16]) throws(Problem) -> String? {
        switch (before, after) {
        case (let before?, let after?):
            let old = Dictionary(before.map { ($0.column.foldedName, $0.value) }) { first, _ in first }
            let changed = after.filter { old[$0.column.foldedName] != .some($0.value) }
            let kept = Set(after.map(\.column.foldedName))
            let removed = before.filter { !kept.contains($0.column.foldedName) }.map {
                ($0.column, SQLValue?.some(.null))
            }
            return try update(before, key, changed + removed)
        case (nil, let after?): return try insert(after, key)
        case (let before?, nil):
            try checkAccounts("it counts the objects of each entity, and others may refer to this one")
            return try "DELETE FROM \(identifier(table.name)) WHERE \(condition(before, key))"
        case (nil, nil): return nil
        }
    }

    private func update(_ row: Row, _ key: [UInt16], _ changes: Row) throws(Problem) -> String? {
        var settings: [String] = []
        for (column, value) in changes {
            try checkColumn(column, value)
            try settings.append("\(identifier(column)) = \(literal(stored(value, in: column)))")
        }
        guard !settings.isEmpty else { return nil }
        return try
            "UPDATE \(conflictClause)\(identifier(table.name)) SET \(settings.joined(separator: ", ")) WHERE \(condition(row, key))"
    }

    /// Refuses to change what a row has to keep.
    private func checkColumn(_ column: String, _ value: SQLValue?) throws(Problem) {
        if TableDefinition.coreDataColumns.contains(where: { $0.utf8.elementsEqual(column.utf8) }) {
            try checkAccounts("it finds its objects by this column")
        }
        if value == .null, let rowid = definition.rowidColumn, position(of: column) == rowid {
            throw .noStatement("the column is the rowid, which every row has")
        }
    }

    /// - Parameter key: the key that the row is to have; nil for the next that is free.
    func insert(_ row: Row, _ key: [UInt16]?) throws(Problem) -> String {
        try checkAccounts("it counts the objects of each entity")
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

    /// The value that a column will hold.
    private func stored(_ value: SQLValue?, in column: String) throws(Problem) -> SQLValue {
        guard let value else { throw .noStatement("SQLite has no values of this type") }
        guard let position = position(of: column) else {
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

    /// What prevails over what the constraints of the table say of rows that they do not allow: nothing is done.
    private var conflictClause: String { definition.hasConflictClauses ? "OR ABORT " : "" }

    /// What finds a row. Its columns are named with their table: SQLite takes a name by itself for a text if there is no such
    /// column.
    private func condition(_ row: Row, _ key: [UInt16]) throws(Problem) -> String {
        let text = String(decoding: key, as: UTF16.self)
        if definition.primaryKey.isEmpty || !definition.isWithoutRowid && text.hasPrefix(RowKey.rowidMark) {
            let number = definition.primaryKey.isEmpty ? text : String(text.dropFirst(RowKey.rowidMark.count))
            guard let name = try rowidName(), let rowid = Self.rowid(number) else {
                throw .noStatement("nothing tells this row from others")
            }
            return try "\(identifier(table.name)).\(name) = \(literal(.integer(rowid)))"
        }
        let values = keyValues(of: row)
        let areKept = zip(definition.primaryKey, values).allSatisfy { definition.columns[$0].affinity.keeps($1) }
        guard areKept, self.key(of: values).elementsEqual(text.utf8) else {
            throw .noStatement("nothing tells this row from others")
        }
        let conditions = try zip(definition.primaryKey, values).map { position, value throws(Problem) in
            let column = definition.columns[position]
            let comparison = column.collation.foldedName.elementsEqual("binary".utf8) ? "" : " COLLATE BINARY"
            return try "\(identifier(table.name)).\(identifier(column.name)) = \(literal(value))" + comparison
        }
        return conditions.joined(separator: " AND ")
    }

    /// The values of the primary key of a row; NULL for one that is not among its columns.
    private func keyValues(of row: Row) -> [SQLValue] {
        let values = Dictionary(row.map { (position(of: $0.column), $0.value) }) { first, _ in first }
        return definition.primaryKey.map { values[$0].flatMap(\.self) ?? .null }
    }

    /// The key that the values of a primary key make.
    private func key(of values: [SQLValue]) -> [UInt8] {
        RowKey.text(of: values, definition.primaryKey.map { definition.columns[$0].affinity })
    }

    /// How SQL calls the rowid: as the column that it is, or by a name that no column has.
    private func rowidName() throws(Problem) -> String? {
        if definition.isWithoutRowid { return nil }
        if let column = definition.rowidColumn { return try identifier(definition.columns[column].name) }
        let taken = Set(definition.columns.map(\.name.foldedName))
        return ["rowid", "_rowid_", "oid"].first { !taken.contains($0.foldedName) }
    }

    /// The number that a key is as the key of a row by its rowid.
    private static func rowid(_ key: String) -> Int64? {
        Int64(key).flatMap { String($0).utf8.elementsEqual(key.utf8) ? $0 : nil }
    }

    /// The rowid of a new row, and how it is called, unless it is among its values or the table gives the next.
    private func rowidSetting(_ row: Row, _ key: [UInt16]) throws(Problem) -> (column: String, rowid: Int64)? {
        guard definition.rowidColumn != nil || definition.primaryKey.isEmpty, let name = try rowidName(),
            definition.rowidColumn == nil || keyValues(of: row) == [.null]
        else { return nil }
        guard let rowid = Self.rowid(String(decoding: key, as: UTF16.self)) else {
            throw .noStatement("the key of the row is no rowid, a whole number")
        }
        return (name, rowid)
    }

    /// Refuses a new row whose values would give it another key.
    private func checkKey(_ row: Row, _ key: [UInt16]) throws(Problem) {
        let values = keyValues(of: row)
        if values.isEmpty || definition.rowidColumn != nil && values == [.null] { return }
        // In place of NULL a column may have a default, and many rows may have NULL.
        guard !values.contains(.null), self.key(of: values).elementsEqual(String(decoding: key, as: UTF16.self).utf8)
        else {
            throw .noStatement("the values of the primary key give the row another key")
        }
    }
}

extension ColumnAffinity {
    /// Whether a column holds a value as it is, or a number that is equal.
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
    static func noStatement(_ reason: String) -> Problem {
        Problem("sqlite.no-statement", "no statement does this: \(reason)")
    }
}
