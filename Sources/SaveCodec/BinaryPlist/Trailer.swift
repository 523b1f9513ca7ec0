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

    func write(to output: inout ByteWriter) {
        output.write(unused)
        output.write(UInt8(truncatingIfNeeded: offsetSize))
        output.write(UInt8(truncatingIfNeeded: referenceSize))
        output.writeBigEndian(objectCount, width: 8)
        output.writeBigEndian(root, width: 8)
        output.writeBigEndian(tableStart, width: 8)
    }
}
