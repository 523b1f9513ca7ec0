/// The last 32 bytes of a binary property list (see <doc:BinaryFormat>).
struct Trailer: Equatable {
    static let size = 32

    /// Five unused bytes and the sort version, all zero in files written by Core Foundation.
    var unused: [UInt8] = [0, 0, 0, 0, 0, 0]
    var offsetSize: Int
    var referenceSize: Int
    var objectCount: UInt64
    var root: UInt64
    var tableStart: UInt64
}

extension Trailer {
    /// Reads the trailer of a file of at least ``size`` bytes.
    init(of file: [UInt8]) {
        self.init(of: file, startingAt: file.count - Self.size)
    }

    /// Reads the trailer at an offset that is at least ``size`` bytes before the end.
    private init(of file: [UInt8], startingAt start: Int) {
        unused = Array(file[start..<start + 6])
        offsetSize = Int(file[start + 6])
        referenceSize = Int(file[start + 7])
        objectCount = file.bigEndian(at: start + 8, width: 8)
        root = file.bigEndian(at: start + 16, width: 8)
        tableStart = file.bigEndian(at: start + 24, width: 8)
    }

    /// Whether these bytes are probably a trailer, valid or not.
    ///
    /// At least two of three tests have to pass: the unused bytes are zero, the sizes are in range, and the numbers fit
    /// the file.
    func isLikely(in file: [UInt8]) -> Bool {
        let sizes = 1...8
        let signs = [
            unused.prefix(5).allSatisfy { $0 == 0 }, sizes.contains(offsetSize) && sizes.contains(referenceSize),
            root < objectCount && objectCount <= file.count && tableStart < file.count,
        ]
        return signs.count { $0 } >= 2
    }

    /// Whether a file that ended at `end` would have a trailer that fits the bytes before it.
    ///
    /// The offset table has to end where the trailer starts, and the root has to be one of the objects.
    static func fits(_ file: [UInt8], endingAt end: Int) -> Bool {
        guard end <= file.count, end >= size + 10 else { return false }
        let tableStart = file.bigEndian(at: end - 8, width: 8)
        guard tableStart >= 9, tableStart < UInt64(end - size) else { return false }
        return Trailer(of: file, startingAt: end - size).missingSize(in: end) == 0
    }

    /// Returns the number of bytes that a file lacks at its beginning if it ends in this trailer; nil if the offset
    /// table is incomplete, or the numbers fit no file.
    ///
    /// - Parameter size: The size of the file in bytes.
    func missingSize(in size: Int) -> Int? {
        let sizes = 1...8
        let (length, overflow) = objectCount.multipliedReportingOverflow(by: UInt64(offsetSize))
        guard root < objectCount, sizes.contains(offsetSize), sizes.contains(referenceSize), !overflow,
            size > Self.size, length < UInt64(size - Self.size), tableStart > 8, tableStart < UInt64(UInt32.max)
        else { return nil }
        let start = UInt64(size - Self.size) - length
        return tableStart >= start ? Int(tableStart - start) : nil
    }

    /// Returns the offset after the last trailer that fits the bytes before it, or nil.
    static func end(in file: [UInt8]) -> Int? {
        stride(from: file.count, to: size, by: -1).first { fits(file, endingAt: $0) }
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
