/// The leaf pages of a damaged database that belong to a table, although no intact page leads to them:
///
///     page 5    interior page of monsters, overwritten      its children are unknown
///     page 9    leaf page, in use nowhere else              rows of 4 values that fit the columns of monsters
///
/// Only tables that have rowids and a damaged page can have stray pages. A page whose rows fit several of these tables
/// is left out, and free pages are, too, because they hold deleted rows. The time is linear.
struct StrayPages {
    /// A table, and the location of the number of its root page.
    struct Table {
        let definition: TableDefinition
        let root: Int
        let offset: Int
    }

    /// The page numbers, by the index of the table.
    private(set) var pages: [Int: [Int]] = [:]

    private let file: DatabaseFile
    private var visited: VisitedPages

    init(in file: DatabaseFile, of tables: [Table]) {
        self.file = file
        visited = VisitedPages(file)
        visited.takeFreePages(of: file)
        var schema = BTreeWalk(.table, from: 1, at: 0, of: "")
        _ = take(&schema)
        var damaged: [Int] = []
        for (position, table) in tables.enumerated() {
            let isIndex = table.definition.isWithoutRowid
            var walk = BTreeWalk(isIndex ? .index : .table, from: table.root, at: table.offset, of: "")
            if !take(&walk), !isIndex { damaged.append(position) }
        }
        guard !damaged.isEmpty, file.pageCount > 1 else { return }
        let mostValues = damaged.reduce(0) { max($0, tables[$1].definition.storedCount) }
        // If many tables are damaged, comparing every row with every table would take too long.
        var checksLeft = 4 * file.bytes.count
        for number in 2...file.pageCount where file.bytes[file.start(ofPage: number)] == 13 {
            guard !visited.contains(number), let rows = rows(ofPage: number, atMost: mostValues + 1) else { continue }
            var fitting: [Int] = []
            for position in damaged where fitting.count < 2 {
                let fits = rows.allSatisfy { row in
                    checksLeft -= 1
                    return tables[position].definition.fits(row)
                }
                if fits { fitting.append(position) }
                guard checksLeft > 0 else { return }
            }
            if fitting.count == 1 { pages[fitting[0], default: []].append(number) }
        }
    }

    /// Adds the pages of a b-tree to the visited ones. Returns whether all of them are intact.
    private mutating func take(_ walk: inout BTreeWalk) -> Bool {
        var isIntact = true
        while true {
            do throws(Problem) {
                guard try walk.next(in: file, &visited) != nil else { return isIntact }
            } catch {
                isIntact = false
            }
        }
    }

    /// Returns the values of each row of a leaf page; nil if the page is damaged or empty.
    private mutating func rows(ofPage number: Int, atMost count: Int) -> [[Record.Field]]? {
        var walk = BTreeWalk(.table, from: number, at: file.start(ofPage: number), of: "")
        var rows: [[Record.Field]] = []
        var record = Record()
        while true {
            do throws(Problem) {
                guard let cell = try walk.next(in: file, &visited) else { return rows.isEmpty ? nil : rows }
                let (source, start) = cell.payload(in: file)
                try record.read(source, from: start, count: count, of: cell, on: number)
                rows.append(record.fields)
            } catch {
                return nil
            }
        }
    }
}

extension TableDefinition {
    /// Whether a row may belong to the table: it has a value of a fitting type for each column.
    fileprivate func fits(_ fields: [Record.Field]) -> Bool {
        guard fields.count == storedCount else { return false }
        return columns.indices.allSatisfy { column in
            guard let stored = storedPositions[column] else { return true }
            let field = fields[stored]
            if column == rowidColumn { return field.type == 0 }
            switch columns[column].affinity {
            // Numbers become text in such a column, and most texts become numbers in the others.
            case .text: return field.type == 0 || field.type >= 12
            case .integer, .real: return !field.isText
            case .numeric, .blob: return true
            }
        }
    }
}
