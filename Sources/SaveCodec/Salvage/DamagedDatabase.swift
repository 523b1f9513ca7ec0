/// A database whose header is damaged. Its pages show what the header said:
///
///     0       00 00 00 … 00             the header and perhaps more of page 1, overwritten
///     4096    0D 00 00 00 06 0E 8C …    leaf page of a table with 6 cells; the last one begins at 0xE8C
///     8192    05 00 00 00 01 0F FB …    interior page
///             … CREATE TABLE monsters   the text of a schema
///
/// The size at whose multiples most pages begin is the page size. The time is linear.
struct DamagedDatabase {
    let pageSize: Int
    /// The number of bytes that are missing at the beginning, at most the header. Zeros are in their place.
    let missingCount: Int
    private let encoding: DatabaseEncoding
    private let bytes: [UInt8]

    /// Finds the pages of a database in a file that does not begin like one; nil if there are too few, or no schema.
    init?(in bytes: [UInt8]) {
        guard bytes.count >= 1024, !SQLite.begins(bytes) else { return nil }
        self.init(bytes)
    }

    private init?(_ bytes: [UInt8]) {
        let file = bytes
        let sizes = (9...16).map { 1 << $0 }.filter { $0 <= bytes.count + DatabaseFile.headerSize }
        var (bytes, counts, missingCount) = (file, sizes.map { Self.pageCount(in: file, ofSize: $0) }, 0)
        for size in sizes {
            let count = size - file.count % size
            guard count <= DatabaseFile.headerSize else { continue }
            let whole = [UInt8](repeating: 0, count: count) + file
            let found = sizes.map { $0 == size ? Self.pageCount(in: whole, ofSize: size) : 0 }
            if found.max() ?? 0 > counts.max() ?? 0 { (bytes, counts, missingCount) = (whole, found, count) }
        }
        guard let most = counts.max(), let index = counts.firstIndex(of: most),
            most > 1 || most == 1 && bytes.count % sizes[index] == 0
        else { return nil }
        // A whole database after other bytes is not damaged.
        guard !stride(from: sizes[0], to: bytes.count, by: sizes[0]).contains(where: { SQLite.begins(bytes[$0...]) })
        else { return nil }
        let encodings: [DatabaseEncoding] = [.utf8, .utf16LittleEndian, .utf16BigEndian]
        guard let encoding = encodings.first(where: { Self.hasSchema(bytes, in: $0) }) else { return nil }
        (pageSize, self.encoding, self.bytes, self.missingCount) = (sizes[index], encoding, bytes, missingCount)
    }

    private static func hasSchema(_ bytes: [UInt8], in encoding: DatabaseEncoding) -> Bool {
        let text = "CREATE TABLE "
        let sign = encoding == .utf8 ? Array(text.utf8) : encoding.bytes(of: Array(text.utf16))
        return bytes.indices.contains { bytes[$0] == sign[0] && bytes[$0...].starts(with: sign) }
    }

    private static func pageCount(in bytes: [UInt8], ofSize size: Int) -> Int {
        stride(from: 0, through: bytes.count - size, by: size).count { start in
            isPage(bytes, start, ofSize: size, header: start == 0 ? DatabaseFile.headerSize : 0)
        }
    }

    /// Whether a page of a b-tree begins at an offset: its kind, and the number and offsets of its cells fit.
    private static func isPage(_ bytes: [UInt8], _ start: Int, ofSize size: Int, header: Int) -> Bool {
        let position = start + header
        guard [2, 5, 10, 13].contains(bytes[position]) else { return false }
        func number(_ offset: Int) -> Int { Int(bytes.bigEndian(at: position + offset, width: 2)) }
        let pointers = bytes[position] < 8 ? 12 : 8
        let (free, count) = (number(1), number(3))
        let content = number(5) == 0 ? 65536 : number(5)
        guard content <= size, header + pointers + 2 * count <= content, bytes[position + 7] <= 60,
            free == 0 || free >= content && free <= size - 4
        else { return false }
        return (0..<count).allSatisfy { cell in
            let offset = number(pointers + 2 * cell)
            return offset >= content && offset <= size - 4
        }
    }

    // MARK: Repair

    /// The file with its name of the format, if only that was damaged; otherwise nil.
    func restoringName(_ limits: Limits) -> [UInt8]? {
        let restored = SQLite.magic + bytes[SQLite.magic.count...]
        guard let file = try? DatabaseFile(restored, isWhole: true), file.pageSize == pageSize,
            (try? SQLite.read(restored, limits: limits)) != nil
        else { return nil }
        return restored
    }

    /// The file with a header as SQLite writes it for a database with these pages.
    var withNewHeader: [UInt8] {
        var output = ByteWriter()
        output.write(SQLite.magic)
        output.writeBigEndian(UInt64(pageSize == 65536 ? 1 : pageSize), width: 2)
        // The versions for writing and reading, the reserved bytes, and three constants.
        for byte in [1, 1, 0, 64, 32, 32] as [UInt8] { output.write(byte) }
        let (changeCounter, schemaFormat) = (UInt64(1), UInt64(4))
        let numbers = [
            changeCounter, UInt64(bytes.count / pageSize), 0, 0, 1, schemaFormat, 0, 0, encoding.rawValue, 0, 0, 0, 0,
            0, 0, 0, 0, changeCounter, 3_000_000,
        ]
        for number in numbers { output.writeBigEndian(number, width: 4) }
        output.write(bytes, in: DatabaseFile.headerSize..<bytes.count)
        return output.takeBytes()
    }

    /// The evidence of the damage.
    var problem: Problem {
        let zeros = bytes.prefix { $0 == 0 }.count
        let pages = "pages of \(CountText.of(pageSize)) bytes, as in an SQLite database"
        if missingCount > 0 { return RestoredBeginning.problem(missingCount, of: "an SQLite database") }
        return zeros > 3
            ? Problem(
                "damage.zeros", "the first \(CountText.of(zeros)) bytes are zero; they precede \(pages)", at: .byte(0))
            : Problem("damage.beginning", "the header of the file is damaged; it precedes \(pages)", at: .byte(0))
    }
}
