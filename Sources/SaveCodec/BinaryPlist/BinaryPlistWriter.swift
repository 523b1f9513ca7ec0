/// A writer of binary property lists with the objects in a given order (see <doc:BinaryFormat>).
struct BinaryPlistWriter {
    /// The choices that a writer is free to make, besides the order of objects.
    struct Choices: Equatable {
        /// The bytes per reference, or nil for the smallest of 1, 2, 4 and 8 that holds the object count.
        var referenceSize: Int?
        /// The bytes per offset, or nil for the smallest of 1, 2, 4 and 8 that holds the offset of the table.
        var offsetSize: Int?
        /// The last byte of the header.
        var version = UInt8(ascii: "0")
        /// The first six bytes of the trailer.
        var unused: [UInt8] = [0, 0, 0, 0, 0, 0]
    }

    private let document: Document
    private let order: ObjectOrder
    private let choices: Choices
    private let referenceSize: Int

    init(_ document: Document, in order: ObjectOrder, choices: Choices = Choices()) {
        self.document = document
        self.order = order
        self.choices = choices
        referenceSize = choices.referenceSize ?? Self.size(for: order.entries.count)
    }

    /// Returns the smallest of 1, 2, 4 and 8 bytes that holds `value`.
    static func size(for value: Int) -> Int {
        value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFF_FFFF ? 4 : 8
    }

    func write(to output: inout ByteWriter) {
        let start = output.count
        output.write("bplist0")
        output.write(choices.version)
        var offsets: [Int] = []
        offsets.reserveCapacity(order.entries.count)
        for id in order.entries {
            offsets.append(output.count - start)
            write(document.object(id), to: &output)
        }
        writeTable(offsets, at: output.count - start, to: &output)
    }

    private func writeTable(_ offsets: [Int], at tableStart: Int, to output: inout ByteWriter) {
        let offsetSize = choices.offsetSize ?? Self.size(for: tableStart)
        output.writeBigEndian(offsets.count, width: offsetSize) { offsets[$0] }
        Trailer(
            unused: choices.unused, offsetSize: offsetSize, referenceSize: referenceSize,
            objectCount: UInt64(offsets.count), root: UInt64(order.number(of: document.root)),
            tableStart: UInt64(tableStart)
        ).write(to: &output)
    }

    private func write(_ object: StoredObject, to output: inout ByteWriter) {
        switch object.kind {
        case .null: output.write(ObjectMarker.null)
        case .false: output.write(ObjectMarker.false)
        case .true: output.write(ObjectMarker.true)
        case .integer, .real, .date, .uid:
            // These are stored the same way in the image: the marker, then the bytes.
            output.write(document.image, in: object.start - 1..<document.end(of: object))
        case .data: writeCounted(ObjectMarker.data, object, to: &output)
        case .oneByteString: writeCounted(ObjectMarker.oneByteString, object, to: &output)
        case .utf16String: writeCounted(ObjectMarker.utf16String, object, to: &output)
        case .array: writeContainer(ObjectMarker.array, object, to: &output)
        case .set: writeContainer(ObjectMarker.set, object, to: &output)
        case .dictionary: writeContainer(ObjectMarker.dictionary, object, to: &output)
        }
    }

    private func writeCounted(_ marker: UInt8, _ object: StoredObject, to output: inout ByteWriter) {
        Self.writeMarker(marker, count: object.count, &output)
        output.write(document.image, in: object.start..<document.end(of: object))
    }

    private func writeContainer(_ marker: UInt8, _ object: StoredObject, to output: inout ByteWriter) {
        Self.writeMarker(marker, count: object.count, &output)
        output.writeBigEndian(object.referenceCount, width: referenceSize) { position in
            order.number(of: document.reference(position, of: object))
        }
    }

    /// Writes the marker of an object and, if it has one, its count.
    static func writeMarker(of object: StoredObject, _ output: inout ByteWriter) {
        let kind = ObjectMarker.kindBits(of: object.kind)
        switch object.kind {
        case .null: output.write(ObjectMarker.null)
        case .false: output.write(ObjectMarker.false)
        case .true: output.write(ObjectMarker.true)
        case .integer, .real, .date: output.write(kind | UInt8(object.count.trailingZeroBitCount))
        case .uid: output.write(kind | UInt8(object.count - 1))
        case .data, .oneByteString, .utf16String, .array, .set, .dictionary:
            writeMarker(kind, count: object.count, &output)
        }
    }

    static func writeMarker(_ marker: UInt8, count: Int, _ output: inout ByteWriter) {
        if count < Int(ObjectMarker.countFollows) {
            output.write(marker | UInt8(count))
        } else {
            let width = size(for: count)
            output.write(marker | ObjectMarker.countFollows)
            output.write(ObjectMarker.integer | UInt8(width.trailingZeroBitCount))
            output.writeBigEndian(UInt64(count), width: width)
        }
    }
}
