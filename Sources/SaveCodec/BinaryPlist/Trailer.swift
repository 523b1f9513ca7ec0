/// The last 32 bytes of a binary property list (see <doc:BinaryFormat>).
struct Trailer: Equatable {
    static let size = 32

    /// Five bytes of no meaning and the sort version; zero in what Core Foundation writes.
    var unused: [UInt8] = [0, 0, 0, 0, 0, 0]
    var offsetSize: Int
    var referenceSize: Int
    var objectCount: UInt64
    var root: UInt64
    var tableStart: UInt64
}

extension Trailer {
    /// Reads the trailer of a file that is at least as long as one.
    init(of file: [UInt8]) {
        let start = file.count - Self.size
        unused = Array(file[start..<start + 6])
        offsetSize = Int(file[start + 6])
        referenceSize = Int(file[start + 7])
        objectCount = file.bigEndian(at: start + 8, width: 8)
        root = file.bigEndian(at: start + 16, width: 8)
        tableStart = file.bigEndian(at: start + 24, width: 8)
    }

    /// Reads the trailer of the file that ends at an offset.
    private init(of file: [UInt8], endingAt end: Int) {
        self.init(of: Array(file[end - Self.size..<end]))
    }

    /// Whether this is meant as a trailer, sound or not: two of three things are as a file has them, what has no meaning,
    /// the sizes, and the numbers.
    func isLikely(in file: [UInt8]) -> Bool {
        let sizes = 1...8
        let signs = [
            unused.prefix(5).allSatisfy { $0 == 0 }, sizes.contains(offsetSize) && sizes.contains(referenceSize),
            root < objectCount && objectCount <= file.count && tableStart < file.count,
        ]
        return signs.count { $0 } >= 2
    }

    /// Where a trailer ends that fits what is before it, at most 4 KiB before the end of the file; nil if there is none.
    static func end(in file: [UInt8]) -> Int? {
        let first = max(size + 10, file.count - 4096)
        return stride(from: file.count - 1, through: first, by: -1).first { end in
            let trailer = Trailer(of: file, endingAt: end)
            let (table, overflow) = trailer.objectCount.multipliedReportingOverflow(by: UInt64(trailer.offsetSize))
            return trailer.root < trailer.objectCount && trailer.tableStart >= 9 && !overflow
                && trailer.tableStart <= UInt64(end) && table == UInt64(end - size) &- trailer.tableStart
        }
    }

    func write(to output: inout ByteWriter) {
        output.write(unused)
        output.write(UInt8(truncatingIfNeeded: offsetSize))
        output.write(UInt8(truncatingIfNeeded: referenceSize))
        output.writeBigEndian(objectCount, width: 8)
        output.writeBigEndian(root, width: 8)
        output.writeBigEndian(tableStart, width: 8)
    }
}
