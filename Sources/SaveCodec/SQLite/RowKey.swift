/// The key of a row in the dictionary of its table:
///
///     3                       the rowid, if the table has no primary key or the rowid is the key
///     Ada   1.5   x'0aff'     the value of a primary key of one column
///     [1,"Ada"]               the values of a primary key of several columns
///     rowid 7                 the rowid, if a key value is NULL, which many rows may have
///     "1.5"                   text that would be mistaken for another value of the column
///     text x'ff'              text that is invalid in the encoding of the database
///
/// Text is quoted as in JSON if it would be mistaken for another kind of key: if it is `null`, begins with `"`, `x'`,
/// `text x'` or `rowid `, or is a number in a column without text affinity.
///
/// Different rows therefore have different keys, and a row keeps its key as long as its primary key or rowid does not
/// change.
package enum RowKey {
    /// Sets `text` to the key of a row that only its rowid identifies.
    ///
    /// - Parameter isMarked: Whether the table has a primary key that does not identify the row.
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

    /// Returns the key of a row from the values of its primary key. In a table with rowids, no value may be NULL.
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
        case .blob(let bytes): write(bytes, prefix: "x'", to: &output)
        case .invalidText(let bytes): write(bytes, prefix: "text x'", to: &output)
        }
    }

    private static func write(_ bytes: [UInt8], prefix: String, to output: inout ByteWriter) {
        output.write(prefix)
        for byte in bytes { Hexadecimal.write(UInt64(byte), count: 2, to: &output) }
        output.write("'")
    }

    /// Whether text can be a whole key without quotation marks, because it resembles no other kind of key.
    static func isPlain(_ units: [UInt16], _ affinity: ColumnAffinity) -> Bool {
        guard String(validating: units, as: UTF16.self) != nil else { return false }
        // Very long text that begins like a number is quoted too.
        let beginning = Array(String(decoding: units.prefix(400), as: UTF16.self).utf8)
        return isPlain(beginning.span, affinity)
    }

    /// Whether UTF-8 text can be a whole key without quotation marks.
    static func isPlain(_ text: Span<UInt8>, _ affinity: ColumnAffinity) -> Bool {
        for mark in marks where begins(text, with: mark) { return false }
        if text.count == 4, begins(text, with: "null") { return false }
        guard affinity != .text else { return true }
        let isInfinite = text.count == 3 && begins(text, with: "inf") || text.count == 4 && begins(text, with: "-inf")
        return DecimalLiteral(text) == nil && !isInfinite
    }

    /// The prefixes of quoted text, blobs and marked rowids.
    private static let marks = ["\"", "x'", "text x'", rowidMark]

    /// The prefix of the rowid in the key of a row that its primary key does not identify.
    package static let rowidMark = "rowid "

    private static func begins(_ text: Span<UInt8>, with mark: String) -> Bool {
        guard text.count >= mark.utf8.count else { return false }
        for (position, byte) in mark.utf8.enumerated() where text[position] != byte { return false }
        return true
    }
}

extension DatabaseEncoding {
    /// Whether bytes are valid text. UTF-16 text may contain unpaired surrogates, which a document can store.
    func isValid(_ text: Span<UInt8>) -> Bool {
        switch self {
        case .utf8: UTF8Text.firstInvalid(in: text) == nil
        case .utf16LittleEndian, .utf16BigEndian: text.count.isMultiple(of: 2)
        }
    }
}
