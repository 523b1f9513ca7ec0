/// The write-ahead log of a database, a file with the suffix `-wal`: changed pages that are not yet in the database
/// (<doc:SQLiteFormat>).
///
///     37 7F 06 82 00 2D E2 18  page size  number  salt  salt  checksum  checksum     header, 32 bytes
///     page 5 │ 0 │ salt  salt │ checksum  checksum │ …the page…                      frame
///     page 2 │ 7 │ salt  salt │ checksum  checksum │ …the page…                      frame, which commits: 7 pages now
///
/// A frame is valid if it has the salts of the header and a correct checksum, which covers all frames up to it. The
/// first invalid frame ends the log: it is left over from an earlier log. Frames after the last commit are ignored.
struct WriteAheadLog {
    private let log: [UInt8]
    private let pageSize: Int

    private static let headerSize = 32
    private static let frameHeaderSize = 24

    init(_ log: [UInt8]) {
        self.log = log
        pageSize = log.count >= Self.headerSize ? Int(log.bigEndian(at: 8, width: 4)) : 0
    }

    /// A checksum over 32-bit words.
    private struct Checksum: Equatable {
        var first: UInt32 = 0
        var second: UInt32 = 0
        let isBigEndian: Bool

        mutating func add(_ bytes: Span<UInt8>) {
            for position in stride(from: 0, to: bytes.count - 7, by: 8) {
                first = first &+ word(bytes, position) &+ second
                second = second &+ word(bytes, position + 4) &+ first
            }
        }

        private func word(_ bytes: Span<UInt8>, _ position: Int) -> UInt32 {
            let word: UInt32 = bytes.load(at: position)
            return isBigEndian ? word.byteSwapped : word
        }

        func isStored(in log: [UInt8], at offset: Int) -> Bool {
            log.bigEndian(at: offset, width: 4) == UInt64(first)
                && log.bigEndian(at: offset + 4, width: 4) == UInt64(second)
        }
    }

    /// The checksum of a valid header, which the frames continue; nil for an invalid log.
    private var headerChecksum: Checksum? {
        guard log.count >= Self.headerSize, log.bigEndian(at: 0, width: 4) & ~1 == 0x377F_0682,
            log.bigEndian(at: 4, width: 4) == 3_007_000, (512...65536).contains(pageSize), pageSize.nonzeroBitCount == 1
        else { return nil }
        var checksum = Checksum(isBigEndian: log[3] & 1 == 1)
        checksum.add(log.span.extracting(0..<24))
        return checksum.isStored(in: log, at: 24) ? checksum : nil
    }

    /// Writes the committed pages into the database.
    func apply(to database: inout [UInt8]) throws(Problem) {
        guard var checksum = headerChecksum else { return }
        let size = Self.frameHeaderSize + pageSize
        var end = Self.headerSize
        var committed: (end: Int, pageCount: Int)?
        while log.count - end >= size, isFrame(at: end, &checksum) {
            end += size
            let count = Int(log.bigEndian(at: end - size + 4, width: 4))
            if count > 0 { committed = (end, count) }
        }
        guard let committed else { return }
        try checkPageSize(of: database, committed.end)
        // The page count is limited to the pages in the two files. A missing page is reported when it is read.
        let most = database.count / pageSize + (committed.end - Self.headerSize) / size
        let pageCount = min(committed.pageCount, most)
        resize(&database, to: pageCount * pageSize)
        for frame in stride(from: Self.headerSize, to: committed.end, by: size) {
            let page = Int(log.bigEndian(at: frame, width: 4))
            guard page >= 1, page <= pageCount else { continue }
            let content = frame + Self.frameHeaderSize
            database.replaceSubrange((page - 1) * pageSize..<page * pageSize, with: log[content..<content + pageSize])
        }
    }

    /// Whether a frame is valid. Its bytes are added to the checksum.
    private func isFrame(at offset: Int, _ checksum: inout Checksum) -> Bool {
        guard log[offset + 8..<offset + 16] == log[16..<24] else { return false }
        checksum.add(log.span.extracting(offset..<offset + 8))
        let content = offset + Self.frameHeaderSize
        checksum.add(log.span.extracting(content..<content + pageSize))
        return checksum.isStored(in: log, at: offset + 16)
    }

    /// Throws a problem if the page size differs from the page size of the database, unless the log contains the first
    /// page, which defines the page size.
    private func checkPageSize(of database: [UInt8], _ end: Int) throws(Problem) {
        guard database.count >= DatabaseFile.headerSize else { return }
        let stored = Int(database.bigEndian(at: 16, width: 2))
        let size = stored == 1 ? 65536 : stored
        let frames = stride(from: Self.headerSize, to: end, by: Self.frameHeaderSize + pageSize)
        guard size != pageSize, !frames.contains(where: { log.bigEndian(at: $0, width: 4) == 1 }) else { return }
        throw Problem(
            "sqlite.log", "the log has a page size of \(pageSize) bytes; the database has \(size)")
    }

    private func resize(_ database: inout [UInt8], to size: Int) {
        if database.count > size {
            database.removeLast(database.count - size)
        } else {
            database.append(contentsOf: repeatElement(0, count: size - database.count))
        }
    }
}
