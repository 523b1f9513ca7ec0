/// The rows of a table in primary key order, for tables that are not stored in that order.
///
/// Values are ordered as in SQLite: NULL, numbers by value, texts by their bytes, and blobs by their bytes. Most rows
/// already differ in the beginning of their first value, which is kept in memory. The records of two rows are read and
/// compared only if these beginnings are equal.
struct SortedRows {
    private struct Row {
        /// The beginning of the first value as a number, which sorts as the values do.
        let beginning: UInt64
        let offset: Int
    }

    /// The key values and the rowid of a row. The key of a damaged record has no values.
    fileprivate struct Key {
        var fields: [Record.Field?] = []
        var source: [UInt8] = []
        var rowid: Int64 = 0
    }

    private var rows: [Row] = []
    /// The keys of rows that have overflow pages, by the offsets of their cells. They are kept so that comparisons do
    /// not reassemble them.
    private var scattered: [Int: Key] = [:]
    private let file: DatabaseFile
    /// The indices of the key's values in a record.
    private let positions: [Int]

    init(of file: DatabaseFile, by positions: [Int]) {
        self.file = file
        self.positions = positions
    }

    mutating func add(_ cell: BTreeCell) {
        let key = readKey(of: cell)
        if !cell.isWhole { scattered[cell.offset] = key.alone }
        rows.append(Row(beginning: Self.beginning(of: key.fields.first ?? nil, in: key.source), offset: cell.offset))
    }

    /// Returns the offsets of all cells in key order.
    func offsets() -> [Int] {
        rows.sorted { a, b in
            a.beginning == b.beginning ? isOrdered(a.offset, b.offset) : a.beginning < b.beginning
        }.map(\.offset)
    }

    private func key(at offset: Int) -> Key {
        scattered[offset] ?? BTreeCell(rowAt: offset, in: file).map(readKey) ?? Key()
    }

    private func readKey(of cell: BTreeCell) -> Key {
        let (source, start) = cell.payload(in: file)
        var record = Record()
        let count = (positions.max() ?? 0) + 1
        guard (try? record.read(source, from: start, count: count, of: cell, on: file.page(at: cell.offset))) != nil
        else { return Key(fields: positions.map { _ in nil }, rowid: cell.rowid) }
        let fields = positions.map { $0 < record.fields.count ? record.fields[$0] : nil }
        return Key(fields: fields, source: source, rowid: cell.rowid)
    }

    private func isOrdered(_ a: Int, _ b: Int) -> Bool {
        let (first, second) = (key(at: a), key(at: b))
        for (mine, others) in zip(first.fields, second.fields) {
            let order = Self.compare(mine, in: first.source, with: others, in: second.source)
            if order != 0 { return order < 0 }
        }
        return first.rowid < second.rowid
    }

    // MARK: Values

    private static func rank(_ field: Record.Field?, in source: [UInt8]) -> UInt64 {
        guard let field else { return 0 }
        return field.isText ? 2 : field.isBlob ? 3 : field.isNull(in: source) ? 0 : 1
    }

    /// Returns a number that sorts as the values do: two bits for the rank of the value's type (NULL, number, text,
    /// blob), followed by the first 62 bits of the value itself.
    private static func beginning(of field: Record.Field?, in source: [UInt8]) -> UInt64 {
        guard let field else { return 0 }
        let rank = rank(field, in: source)
        var bits: UInt64 = 0
        if rank == 1 {
            let number = field.isInteger ? Double(field.integer(in: source)) : field.real(in: source) ?? 0
            // 0 and −0.0 are equal.
            let pattern = (number + 0).bitPattern
            bits = pattern >> 63 == 0 ? pattern | 1 << 63 : ~pattern
        } else if rank > 1 {
            let bytes = source.span.extracting(field.range)
            bits = EightBytes(bytes, at: 0).word.byteSwapped
        }
        return rank << 62 | bits >> 2
    }

    /// Returns a negative number if the first value comes before the second, zero if they are equal, otherwise a
    /// positive number.
    private static func compare(
        _ a: Record.Field?, in first: [UInt8], with b: Record.Field?, in second: [UInt8]
    ) -> Int {
        let ranks = (rank(a, in: first), rank(b, in: second))
        guard ranks.0 == ranks.1, let a, let b else { return ranks.0 < ranks.1 ? -1 : ranks.0 == ranks.1 ? 0 : 1 }
        switch ranks.0 {
        case 0: return 0
        case 1: return compare(number: a, in: first, with: b, in: second)
        default:
            let (mine, others) = (first[a.range], second[b.range])
            if mine.elementsEqual(others) { return 0 }
            return mine.lexicographicallyPrecedes(others) ? -1 : 1
        }
    }

    private static func compare(
        number a: Record.Field, in first: [UInt8], with b: Record.Field, in second: [UInt8]
    ) -> Int {
        let mine = a.isInteger ? Double(a.integer(in: first)) : a.real(in: first) ?? 0
        let others = b.isInteger ? Double(b.integer(in: second)) : b.real(in: second) ?? 0
        guard mine == others, a.isInteger || b.isInteger else { return mine < others ? -1 : mine == others ? 0 : 1 }
        // Different integers may have the same nearest real.
        let exact = a.isInteger ? Int128(a.integer(in: first)) : Int128(mine)
        let otherExact = b.isInteger ? Int128(b.integer(in: second)) : Int128(others)
        return exact < otherExact ? -1 : exact == otherExact ? 0 : 1
    }
}

extension SortedRows.Key {
    /// A copy of the key that contains only the bytes of its values.
    fileprivate var alone: Self {
        var key = Self(rowid: rowid)
        for field in fields {
            key.fields.append(field.map { Record.Field(type: $0.type, start: key.source.count, size: $0.size) })
            if let field { key.source += source[field.range] }
        }
        return key
    }
}

extension BTreeCell {
    /// Reads the cell of a row again, at the offset that an earlier walk returned.
    init?(rowAt offset: Int, in file: DatabaseFile) {
        let end = offset / file.pageSize * file.pageSize + file.usableSize
        self.init(at: offset, .table, isLeaf: true, before: end, in: file)
    }
}
