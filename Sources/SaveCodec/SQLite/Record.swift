/// The values of a row as stored: a header with the type and size of each value, followed by the values.
///
///     04 00 17 02              header of 4 bytes: NULL, a text of (0x17 − 13) ÷ 2 bytes, an integer of 2 bytes
///     54 72 6F 6C 6C 00 FA     "Troll", 250
struct Record {
    struct Field {
        /// The serial type:
        ///
        ///     0 NULL   1…6 integer of 1, 2, 3, 4, 6, 8 bytes   7 real   8, 9 the integers 0 and 1
        ///     12, 14, … blob of 0, 1, … bytes   13, 15, … text of 0, 1, … bytes
        let type: Int
        /// The offset of the value's first byte.
        let start: Int
        /// The byte count of the value.
        let size: Int

        var isText: Bool { type >= 13 && type % 2 == 1 }
        var isBlob: Bool { type >= 12 && type % 2 == 0 }
        var isInteger: Bool { 1...6 ~= type || type == 8 || type == 9 }
        var range: Range<Int> { start..<start + size }
    }

    /// The values. There are fewer values than columns if columns were added after the row was stored.
    private(set) var fields: [Field] = []

    /// Reads the header of a payload, up to `count` values.
    ///
    /// - Parameters:
    ///   - start: The index of the payload in `source`.
    ///   - cell: The cell with the payload, for messages.
    ///   - page: The page of the cell, for messages.
    mutating func read(
        _ source: [UInt8], from start: Int, count: Int, of cell: BTreeCell, on page: Int
    ) throws(Problem) {
        let (size, offset) = (cell.size, cell.offset)
        fields.removeAll(keepingCapacity: true)
        let end = start + size
        var position = start
        guard let header = DatabaseFile.varint(in: source, at: &position, before: end), header >= position - start,
            header <= size
        else {
            throw Problem(
                "sqlite.record-header",
                "the header of a record on page \(page) is longer than the record, \(Phrase.count(size, "byte"))",
                at: .byte(offset))
        }
        let headerEnd = start + Int(header)
        var content = headerEnd
        while position < headerEnd, fields.count < count {
            guard let type = DatabaseFile.varint(in: source, at: &position, before: headerEnd),
                let field = Field(type, at: content), field.size <= end - content
            else {
                throw Problem(
                    "sqlite.record-type",
                    "value \(fields.count) of a record on page \(page) has an unknown type or extends beyond the record",
                    at: .byte(offset))
            }
            content += field.size
            fields.append(field)
        }
        guard position < headerEnd || content == end else {
            throw Problem(
                "sqlite.record-length",
                "a record on page \(page) is \(Phrase.count(end - content, "byte")) longer than its values",
                at: .byte(offset))
        }
    }
}

extension Record.Field {
    private static let sizes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

    /// Creates a value of a serial type; nil if the type is invalid.
    @inline(__always)
    init?(_ type: Int64, at start: Int) {
        switch type {
        case 0...9: self.init(type: Int(type), start: start, size: Self.sizes[Int(type)])
        case 12...: self.init(type: Int(type), start: start, size: Int((type - 12) / 2))
        default: return nil
        }
    }

    func integer(in source: [UInt8]) -> Int64 {
        switch type {
        case 9: return 1
        case 1...6:
            let unused = UInt64(64 - 8 * size)
            return Int64(bitPattern: source.bigEndian(at: start, width: size) << unused) >> Int64(unused)
        default: return 0
        }
    }

    /// Whether the value is NULL or a NaN.
    func isNull(in source: [UInt8]) -> Bool { type == 0 || type == 7 && real(in: source) == nil }

    /// Returns the value of a real; nil for NaN, which SQLite treats as NULL.
    func real(in source: [UInt8]) -> Double? {
        let value = Double(bitPattern: source.bigEndian(at: start, width: 8))
        return value.isNaN ? nil : value
    }
}
