struct DatabaseFindings {
    /// The damaged parts that were left out.
    var damage = LossList()
    /// The texts that are invalid in the encoding of the database.
    var invalidTexts = Occurrences()
    /// The columns whose default is not known (see ``ColumnDefault/unknown``).
    var unknownDefaults: [String] = []

    func warnings(_ schema: DatabaseSchema) -> [Problem] {
        var warnings = damage.listed.map { problem in
            Problem(problem.kind, "left out: \(problem.message)", severity: .warning, at: problem.location)
        }
        if damage.rest > 0 { warnings.append(.moreDamage(damage.rest)) }
        if invalidTexts.count > 0 {
            let rest = Phrase.others(of: invalidTexts.count)
            warnings.append(
                Problem(
                    "sqlite.text",
                    "the row has a text that is invalid in the database encoding; it is read as data\(rest)",
                    severity: .warning, at: .byte(invalidTexts.first)))
        }
        for name in unknownDefaults {
            warnings.append(
                Problem(
                    "sqlite.default",
                    "the default of the column \(Phrase.quoted(name)) is not known; rows older than the column have null instead",
                    severity: .warning))
        }
        return warnings + notices(schema)
    }

    /// Returns notices about tables and columns without stored values.
    private func notices(_ schema: DatabaseSchema) -> [Problem] {
        let tables = schema.virtualTables.map { name, module in
            Problem(
                "sqlite.virtual-table",
                "the virtual table \(Phrase.quoted(name)) is left out: \(Phrase.quoted(module)) keeps its rows in other tables",
                severity: .info)
        }
        let columns = schema.tables.flatMap { table in
            table.definition.columns.filter(\.isVirtual).map { column in
                Problem(
                    "sqlite.virtual-column",
                    "the column \(Phrase.quoted(column.name)) of \(Phrase.quoted(table.name)) is left out: it is computed, not stored",
                    severity: .info)
            }
        }
        return tables + columns
    }
}

extension Problem.Kind {
    /// Whether the problem is damage of one page, row or table, so that others can still be read.
    package var isDatabaseDamage: Bool {
        [
            "sqlite.length", "sqlite.page-range", "sqlite.page-shared", "sqlite.page-kind", "sqlite.cell-count",
            "sqlite.cell-range", "sqlite.cell-length", "sqlite.cell-overlap", "sqlite.order", "sqlite.payload-size",
            "sqlite.record-header", "sqlite.record-type", "sqlite.record-length", "sqlite.schema",
        ].contains(id)
    }
}

extension Problem {
    /// Returns the finding for a page that no page of the table refers to, although its rows fit the table.
    static func strayPage(_ number: Int, at offset: Int) -> Problem {
        Problem(
            "sqlite.stray-page",
            "the rows of page \(number) are likely from this table: no other page refers to it, but they fit the table's columns",
            at: .byte(offset))
    }

    fileprivate static func moreDamage(_ count: Int) -> Problem {
        Problem(
            "sqlite.more", "\(count) more \(count == 1 ? "page or row is" : "pages or rows are") left out",
            severity: .warning)
    }
}
