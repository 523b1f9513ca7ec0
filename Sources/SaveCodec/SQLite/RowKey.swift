/// The key under which a row stands in the dictionary of its table:
///
///     3                       its rowid, if the table has no primary key, or that is the rowid
///     Ada   1.5   x'0aff'     the value of a primary key of one column
///     [1,"Ada"]               the values of a primary key of several columns
///     rowid 7                 the rowid, if one of the values is NULL, which may be that of many rows
///     "1.5"                   a text that would read like something else that the column may hold
///     text x'ff'              a text that is none in the encoding of the database
///
/// Text is in quotation marks, as JSON writes it, where it reads like `null` or begins like the other rows, and in a column
/// that is not of text where it is a number.
///
/// So different rows have different keys, and the key of a row stays the same as long as it is that row.
package enum RowKey {
    /// The key of a row that has no better one than its rowid.
    ///
    /// - Parameter isMarked: whether the table has a primary key, which does not tell the row.
    static func set(_ text: inout [UInt8], to rowid: Int64, isMarked: Bool) {
        text.removeAll(keepingCapacity: true)
        if isMarked { text += rowidMark.utf8 }
        if rowid < 0 { text.append(UInt8(ascii: "-")) }
        let start = text.count
        var rest = rowid.magnitude
        repeat {
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        text[start...].reverse()
    }

    /// The key of a row whose primary key has these values, none of which is NULL in a table with rowid.
    package static func text(of values: [SQLValue], _ affinities: [ColumnAffinity]) -> [UInt8] {
        var output = ByteWriter()
        if values.count == 1, case .text(let units) = values[0], isPlain(units, affinities[0]) {
            output.write(String(decoding: units, as: UTF16.self))
            return output.takeBytes()
        }
        if values.count > 1 { output.write("[") }
        for (position, value) in values.enumerated() {
            if position > 0 { output.write(",") }
            write(value, to: &output)
        }
        if values.count > 1 { output.write("]") }
        return output.takeBytes()
    }

    private static func write(_ value: SQLValue, to output: inout ByteWriter) {
        switch value {
        case .null: output.write("null")
        case .integer(let value): NumberText.write(Int128(value), to: &output)
        case .real(let value): output.write(ScalarText.real(value))
        case .text(let units): JSONString.write(units, to: &output)
        case .blob(let bytes): write(bytes, behind: "x'", to: &output)
        case .invalidText(let bytes): write(bytes, behind: "text x'", to: &output)
        }
    }

    private static func write(_ bytes: [UInt8], behind mark: String, to output: inout ByteWriter) {
        output.write(mark)
        for byte in bytes { Hexadecimal.write(UInt64(byte), count: 2, to: &output) }
        output.write("'")
    }

    /// Whether a text may stand for itself where it is all of a key: it reads like nothing else that the column may hold.
    static func isPlain(_ units: [UInt16], _ affinity: ColumnAffinity) -> Bool {
        guard String(validating: units, as: UTF16.self) != nil else { return false }
        // What reads like a number in its beginning and is very long is in quotation marks, too.
        let beginning = Array(String(decoding: units.prefix(400), as: UTF16.self).utf8)
        return isPlain(beginning.span, affinity)
    }

    /// The same of a text in UTF-8.
    static func isPlain(_ text: Span<UInt8>, _ affinity: ColumnAffinity) -> Bool {
        for mark in marks where begins(text, with: mark) { return false }
        if text.count == 4, begins(text, with: "null") { return false }
        guard affinity != .text else { return true }
        let isInfinite = text.count == 3 && begins(text, with: "inf") || text.count == 4 && begins(text, with: "-inf")
        return DecimalLiteral(text) == nil && !isInfinite
    }

    /// What texts, blobs and rowids begin with where they do not stand for themselves.
    private static let marks = ["\"", "x'", "text x'", rowidMark]

    /// What the rowid begins with in a table whose primary key does not tell the row.
    package static let rowidMark = "rowid "

    private static func begins(_ text: Span<UInt8>, with mark: String) -> Bool {
        guard text.count >= mark.utf8.count else { return false }
        for (position, byte) in mark.utf8.enumerated() where text[position] != byte { return false }
        return true
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
