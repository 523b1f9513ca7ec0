/// A value of Core Data that may be in a file of its own, as columns hold it whose attribute allows that.
///
///     01 62 70 6C 69 73 74 …       the value itself, behind a byte
///     02 42 35 33 …  2D … 00       the name of a file in the folder _EXTERNAL_DATA, a UUID of 36 characters
enum ExternalValue {
    case data(ArraySlice<UInt8>)
    case file(ArraySlice<UInt8>)

    /// The value that a blob holds; nil if it holds none in this way.
    init?(_ blob: ArraySlice<UInt8>) {
        switch blob.first {
        case 1: self = .data(blob.dropFirst())
        case 2 where Self.isName(blob.dropFirst()): self = .file(blob.dropFirst().dropLast())
        default: return nil
        }
    }

    /// Whether bytes are `B53A1C0E-…-9F21` and a zero.
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == 37, bytes.last == 0 else { return false }
        return bytes.dropLast().enumerated().allSatisfy { position, byte in
            [8, 13, 18, 23].contains(position) ? byte == UInt8(ascii: "-") : HexDigit.value(byte) != nil
        }
    }
}

/// Finds the columns of a table whose values may be in files of their own. No table says which those are: they are the
/// columns in which every blob is such a value, and one of them names a file or is a property list behind the byte. Data of
/// another attribute could begin with 01 by chance, and loses nothing therefore.
struct ExternalColumns {
    /// Where the candidates are in the record.
    private var candidates: [(column: Int, stored: Int)]
    private var proven: Set<Int> = []
    /// How many values a record has.
    let valueCount: Int

    init(_ table: TableDefinition) {
        valueCount = table.storedCount
        candidates = table.columns.indices.compactMap { column in
            guard table.columns[column].type.foldedName.elementsEqual("blob".utf8) else { return nil }
            return table.storedPositions[column].map { (column, $0) }
        }
    }

    /// Whether there is a column that may be one.
    var isPossible: Bool { !candidates.isEmpty }

    mutating func look(at record: Record, in source: [UInt8]) {
        candidates.removeAll { column, stored in
            guard stored < record.fields.count, case let field = record.fields[stored], field.type != 0 else {
                return false
            }
            guard field.isBlob, let value = ExternalValue(source[field.range]) else { return true }
            if Self.isProof(value) { proven.insert(column) }
            return false
        }
    }

    private static func isProof(_ value: ExternalValue) -> Bool {
        switch value {
        case .file: true
        case .data(let bytes): bytes.starts(with: "bplist".utf8) || bytes.starts(with: "<?xml".utf8)
        }
    }

    /// The columns that have been found.
    var columns: Set<Int> { proven.intersection(candidates.map(\.column)) }
}
