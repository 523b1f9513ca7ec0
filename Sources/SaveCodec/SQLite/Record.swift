/// The values of a row as they are stored: a header that says of each what it is and how long, and then the values.
///
///     04 00 17 02              header of 4 bytes: NULL, a text of (0x17 − 13) ÷ 2 bytes, an integer of 2 bytes
///     54 72 6F 6C 6C 00 FA     "Troll", 250
struct Record {
    /// One value.
    struct Field {
        /// What it is, by number:
        ///
        ///     0 NULL   1…6 integer of 1, 2, 3, 4, 6, 8 bytes   7 real   8, 9 the integers 0 and 1
        ///     12, 14, … blob of 0, 1, … bytes   13, 15, … text of 0, 1, … bytes
        let type: Int
        /// Where its bytes start, and how many there are.
        let start: Int
        let size: Int

        var isText: Bool { type >= 13 && type % 2 == 1 }
        var isBlob: Bool { type >= 12 && type % 2 == 0 }
        var isInteger: Bool { 1...6 ~= type || type == 8 || type == 9 }
        var range: Range<Int> { start..<start + size }
    }

    /// The values, as many as there are columns, or fewer, if columns were added later.
    private(set) var fields: [Field] = []

    /// Reads the header of a payload. What is behind as many values as are wanted is not looked at.
    ///
    /// - Parameters:
    ///   - start: where the payload starts in `source`.
    ///   - cell: the cell whose payload it is, and the page that this is on, for messages.
    mutating func read(
        _ source: [UInt8], from start: Int, count: Int, of cell: BTreeCell, on page: Int
    ) throws(Problem) {
        let (size, place) = (cell.size, cell.offset)
        fields.removeAll(keepingCapacity: true)
        let end = start + size
        var position = start
        guard let header = DatabaseFile.varint(in: source, at: &position, before: end), header >= position - start,
            header <= size
        else {
            throw Problem(
                "sqlite.record-header",
                "the header of a record on page \(page) is longer than its \(Phrase.count(size, "byte"))",
                at: .byte(place))
        }
        let headerEnd = start + Int(header)
        var content = headerEnd
        while position < headerEnd, fields.count < count {
            guard let type = DatabaseFile.varint(in: source, at: &position, before: headerEnd),
                let field = Field(type, at: content), field.size <= end - content
            else {
                throw Problem(
                    "sqlite.record-type",
                    "value \(fields.count) of a record on page \(page) is none, or reaches beyond the record",
                    at: .byte(place))
            }
            content += field.size
            fields.append(field)
        }
        guard position < headerEnd || content == end else {
            throw Problem(
                "sqlite.record-length",
                "a record on page \(page) has \(Phrase.count(end - content, "byte")) more than its values",
                at: .byte(place))
        }
    }
}

extension Record.Field {
    private static let sizes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

    /// A value of a type; nil if there is no such type.
    @inline(__always)
    init?(_ type: Int64, at start: Int) {
        switch type {
        case 0...9: self.init(type: Int(type), start: start, size: Self.sizes[Int(type)])
        case 12...: self.init(type: Int(type), start: start, size: Int((type - 12) / 2))
        default: return nil
        }
    }

    /// The number that an integer is.
    func integer(in source: [UInt8]) -> Int64 {
        switch type {
        case 9: return 1
        case 1...6:
            let unused = UInt64(64 - 8 * size)
            return Int64(bitPattern: source.bigEndian(at: start, width: size) << unused) >> Int64(unused)
        default: return 0
        }
    }

    /// Whether the value is NULL, or a real that is none.
    func isNull(in source: [UInt8]) -> Bool { type == 0 || type == 7 && real(in: source) == nil }

    /// The number that a real is. SQLite takes what is none for NULL.
    func real(in source: [UInt8]) -> Double? {
        let value = Double(bitPattern: source.bigEndian(at: start, width: 8))
        return value.isNaN ? nil : value
    }
}
