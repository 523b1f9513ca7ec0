/// The key under which a row stands in the dictionary of its table:
///
///     3                       its rowid, if the table has no primary key, or that is the rowid
///     Ada   1.5   x'0aff'     the value of a primary key of one column
///     [1,"Ada"]               the values of a primary key of several columns
///     rowid 7                 the rowid, if one of the values is NULL, which may be that of many rows
///     "1.5"                   a text that would read like something else that the column may hold
///
/// So different rows have different keys, and the key of a row stays the same as long as it is that row.
struct RowKey {
    private(set) var text: [UInt8] = []

    /// The key of a row that has no better one than its rowid.
    mutating func set(rowid: Int64, isMarked: Bool = false) {
        text.removeAll(keepingCapacity: true)
        if isMarked { text += "rowid ".utf8 }
        if rowid < 0 { text.append(UInt8(ascii: "-")) }
        let start = text.count
        var rest = rowid.magnitude
        repeat {
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        text[start...].reverse()
    }

    /// The key of a row whose primary key has these values.
    mutating func set(
        _ fields: [Record.Field?], of source: [UInt8], _ affinities: [ColumnAffinity], in encoding: DatabaseEncoding
    ) {
        var output = ByteWriter()
        if fields.count > 1 { output.write("[") }
        for position in fields.indices {
            if position > 0 { output.write(",") }
            if let field = fields[position] {
                Self.write(field, of: source, affinities[position], in: encoding, to: &output)
            } else {
                output.write("null")
            }
        }
        if fields.count > 1 { output.write("]") }
        text = output.takeBytes()
    }

    private static func write(
        _ field: Record.Field, of source: [UInt8], _ affinity: ColumnAffinity, in encoding: DatabaseEncoding,
        to output: inout ByteWriter
    ) {
        if field.isInteger, affinity != .real {
            NumberText.write(Int128(field.integer(in: source)), to: &output)
        } else if field.isInteger {
            output.write(ScalarText.real(Double(field.integer(in: source))))
        } else if field.isText {
            writeText(source.span.extracting(field.range), in: encoding, to: &output)
        } else if field.isBlob {
            writeBlob(source.span.extracting(field.range), to: &output)
        } else {
            output.write(field.type == 7 ? field.real(in: source).map(ScalarText.real) ?? "null" : "null")
        }
    }

    private static func writeText(_ text: Span<UInt8>, in encoding: DatabaseEncoding, to output: inout ByteWriter) {
        guard encoding.isValid(text) else {
            output.write("text ")
            return writeBlob(text, to: &output)
        }
        switch encoding {
        case .utf8: JSONString.write(String(decoding: encoding.utf8(of: text), as: UTF8.self), to: &output)
        case .utf16LittleEndian, .utf16BigEndian: JSONString.write(encoding.units(of: text), to: &output)
        }
    }

    private static func writeBlob(_ bytes: Span<UInt8>, to output: inout ByteWriter) {
        output.write("x'")
        for position in bytes.indices { Hexadecimal.write(UInt64(bytes[position]), count: 2, to: &output) }
        output.write("'")
    }

    /// Whether a text may stand for itself where it is all of a key: it reads like nothing else.
    static func isPlain(_ text: Span<UInt8>, _ affinity: ColumnAffinity, in encoding: DatabaseEncoding) -> Bool {
        guard encoding.isValid(text) else { return false }
        // What is longer and begins like one of them is in quotation marks, too.
        let beginning = encoding.utf8(of: text.extracting(first: min(text.count, 800)))
        let marks = ["\"", "x'", "text x'", "rowid ", "null"]
        if marks.contains(where: { beginning.starts(with: $0.utf8) }) { return false }
        return affinity == .text || DecimalLiteral(beginning.span) == nil && !isInfinity(beginning)
    }

    private static func isInfinity(_ text: [UInt8]) -> Bool {
        text.elementsEqual("inf".utf8) || text.elementsEqual("-inf".utf8)
    }
}

extension DatabaseEncoding {
    /// Whether bytes are a text. In UTF-16 any units are, as those of a surrogate without its other half can be kept.
    func isValid(_ text: Span<UInt8>) -> Bool {
        switch self {
        case .utf8: UTF8Text.firstInvalid(in: text) == nil
        case .utf16LittleEndian, .utf16BigEndian: text.count.isMultiple(of: 2)
        }
    }
}
