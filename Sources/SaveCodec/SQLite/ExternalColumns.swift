/// A Core Data value that may be in an external file, in the notation of its column.
///
///     01 62 70 6C 69 73 74 …       the value itself, after one byte
///     02 42 35 33 …  2D … 00       the name of a file in the folder _EXTERNAL_DATA, a UUID of 36 characters
enum ExternalValue {
    case data(ArraySlice<UInt8>)
    case file(ArraySlice<UInt8>)

    /// Creates a value from a blob; nil if the blob does not have this notation.
    init?(_ blob: ArraySlice<UInt8>) {
        switch blob.first {
        case 1: self = .data(blob.dropFirst())
        case 2 where Self.isName(blob.dropFirst()): self = .file(blob.dropFirst().dropLast())
        default: return nil
        }
    }

    /// Whether bytes are a UUID such as `B53A1C0E-…-9F21` and a zero.
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == 37, bytes.last == 0 else { return false }
        return bytes.dropLast().enumerated().allSatisfy { position, byte in
            [8, 13, 18, 23].contains(position) ? byte == UInt8(ascii: "-") : HexDigit.value(byte) != nil
        }
    }
}

/// A search for the columns of a table whose values may be in external files.
///
/// The schema does not identify these columns. A column qualifies if all its blobs have the notation of
/// ``ExternalValue`` and at least one names a file or has a property list after its first byte. Data of other columns,
/// which may begin with 01 by chance, is therefore unchanged.
struct ExternalColumns {
    /// The candidate columns and the indices of their values in the record.
    private var candidates: [(column: Int, stored: Int)]
    private var proven: Set<Int> = []
    let valueCount: Int

    init(_ table: TableDefinition) {
        valueCount = table.storedCount
        candidates = table.columns.indices.compactMap { column in
            guard table.columns[column].type.foldedName.elementsEqual("blob".utf8) else { return nil }
            return table.storedPositions[column].map { (column, $0) }
        }
    }

    /// Whether any candidate is left.
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
        case .data(let bytes): BinaryPlist.begins(bytes) || bytes.starts(with: "<?xml".utf8)
        }
    }

    var columns: Set<Int> { proven.intersection(candidates.map(\.column)) }
}
