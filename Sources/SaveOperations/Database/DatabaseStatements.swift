import KeyedArchives
package import SaveCodec

/// The statements of SQL that do to a database what was done to the document of it.
///
///     ~ /monsters/3/hitpoints: 250 → 30     UPDATE "monsters" SET "hitpoints" = 30 WHERE "monsters"."id" = 3
///     + /monsters/4: {"name": "Slime"}      INSERT INTO "monsters" ("id", "name") VALUES (4, 'Slime')
///     - /monsters/7: {"id": 7, …}           DELETE FROM "monsters" WHERE "monsters"."id" = 7
///
/// A statement finds a row by what its key is made of. Where a column would make another value of the one that was given, or
/// Core Data keeps accounts of what it has stored, there is no statement; then there are none for other changes either, as
/// half of a change may lose what the other half keeps.
package struct DatabaseStatements {
    /// The statements, without the semicolon behind each.
    private var statements: [(order: Order, text: String)] = []
    /// Why there is none for some changes, with their addresses.
    package private(set) var problems: [Problem] = []

    /// What is removed makes room for what is changed and added.
    private enum Order: CaseIterable { case removing, changing, adding }

    /// The row that the last statement is for, if that changes values in it.
    private var lastRow: JSONPointer?
    private let schema: DatabaseSchema
    private let difference: Difference

    /// - Parameter before: the document of a database, with what is known of its tables.
    package init?(from before: Document, to after: Document) {
        guard let schema = before.databaseSchema else { return nil }
        self.schema = schema
        // What data holds is changed with the data.
        difference = Difference(ObjectView(before, nil), ObjectView(after, nil))
        guard difference.changes.count <= Self.mostChanges else {
            problems.append(.noStatement("there are \(difference.changes.count) changes"))
            return
        }
        for change in difference.changes { add(change) }
    }

    /// Nobody copies more statements than so many.
    private static let mostChanges = 100

    /// The statement that makes all of the changes, or several, which do all or nothing; nil where there is none.
    package var text: String? {
        guard problems.isEmpty, let first = statements.first else { return nil }
        guard statements.count > 1 else { return first.text }
        let ordered = Order.allCases.flatMap { order in statements.filter { $0.order == order } }
        return "BEGIN; " + ordered.map { $0.text + "; " }.joined() + "COMMIT"
    }

    /// The statement that adds a high score to a table.
    package static func insertion(of record: ScoreRecord, into scores: ScoreTable) throws(Problem) -> String {
        let name = scores.address.tokens.last
        guard let schema = scores.view.document.databaseSchema, let table = name.flatMap(schema.table)
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
            table.definition.columns.contains(where: { $0.name.utf8.elementsEqual(date.utf8) })
        {
            row.append((date, scores.dateText(seconds).map { .text($0) }))
        }
        return try RowStatements(table, isCoreData: schema.isCoreData).insert(row, nil)
    }

    private mutating func add(_ change: Change) {
        let side: Side = change.after == nil ? .before : .after
        guard let address = difference.address(of: change, side) else { return }
        // What has changed in a row is one statement, as the next would no longer find it by a key that has changed.
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
        guard address.tokens.count >= 1, !(0..<address.tokens.count).contains(where: address.isForm) else {
            throw .noStatement("a database consists of tables")
        }
        guard let table = schema.table(named: address.tokens[0]) else {
            throw .noStatement("there is no such table, and a document does not tell the types of its columns")
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
        default: throw .noStatement("a table consists of rows, and a row of values")
        }
    }

    // MARK: Rows

    private func row(at address: JSONPointer, _ side: Side) throws(Problem) -> RowStatements.Row {
        guard case .found(let id, _) = difference.view(side).find(address), let row = try row(id, side) else {
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
