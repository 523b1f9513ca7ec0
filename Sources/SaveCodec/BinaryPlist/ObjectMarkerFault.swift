/// Why there is no object at a place where ``ObjectMarker/object(in:at:table:)`` found none.
enum ObjectMarkerFault {
    /// The marker means nothing in `bplist00`.
    case unknownMarker(UInt8)
    /// The marker is one of the later stream formats, which share the header.
    case streamMarker(UInt8, String)
    /// The marker says that a count follows, and no count does.
    case noCount
    /// The number of a UID has more than 32 bits.
    case largeUID
    /// The count, or the size that follows from it, is beyond the end of the objects.
    case tooLong(kind: String, count: UInt64, left: Int)

    init(in image: [UInt8], at offset: Int, table: OffsetTable) {
        let marker = image[offset]
        if let name = Self.streamMarkers[marker] ?? Self.streamMarkers[marker | 0x0F] {
            self = .streamMarker(marker, name)
        } else if let kind = Self.kinds[marker >> 4], Self.isKnown(marker) {
            self = Self.extent(of: kind, in: image, at: offset, table: table)
        } else {
            self = .unknownMarker(marker)
        }
    }

    private static let kinds: [UInt8: String] = [
        0x1: "integer", 0x2: "real", 0x3: "date", 0x4: "data", 0x5: "string", 0x6: "UTF-16 string", 0x8: "UID",
        0xA: "array", 0xC: "set", 0xD: "dictionary",
    ]

    private static let streamMarkers: [UInt8: String] = [
        0x0C: "URL", 0x0D: "URL with base", 0x0E: "UUID", 0x7F: "UTF-8 string", 0xBF: "ordered set",
    ]

    private static func isKnown(_ marker: UInt8) -> Bool {
        switch marker >> 4 {
        case 0x1: marker & 0x0F <= 4
        case 0x2: marker == ObjectMarker.real32 || marker == ObjectMarker.real64
        case 0x3: marker == ObjectMarker.date
        default: true
        }
    }

    private static func extent(
        of kind: String, in image: [UInt8], at offset: Int, table: OffsetTable
    ) -> ObjectMarkerFault {
        let marker = image[offset]
        let isCounted = marker >> 4 >= 0x4 && marker >> 4 != 0x8
        guard isCounted else {
            let size = marker >> 4 == 0x8 ? Int(marker & 0x0F) + 1 : 1 << Int(marker & 0x0F)
            if offset + 1 + size <= table.start { return .largeUID }
            return .tooLong(kind: kind, count: UInt64(size), left: table.start - offset - 1)
        }
        guard marker & 0x0F == ObjectMarker.countFollows else {
            return .tooLong(kind: kind, count: UInt64(marker & 0x0F), left: table.start - offset - 1)
        }
        guard offset + 1 < table.start, image[offset + 1] & 0xF0 == ObjectMarker.integer, image[offset + 1] & 0x0F <= 4
        else { return .noCount }
        let width = 1 << Int(image[offset + 1] & 0x0F)
        guard width <= table.start - offset - 2 else { return .noCount }
        let count = image.bigEndian(at: offset + 2, width: width)
        return .tooLong(kind: kind, count: count, left: table.start - offset - 2 - width)
    }
}

extension ObjectMarkerFault: CustomStringConvertible {
    /// What was found, as the end of a sentence about the object.
    var description: String {
        switch self {
        case .unknownMarker(let marker):
            "has the marker 0x\(Hexadecimal.text(UInt64(marker))), which means nothing in bplist00"
        case .streamMarker(let marker, let name):
            "has the marker 0x\(Hexadecimal.text(UInt64(marker))) (\(name)), which bplist00 does not have"
        case .largeUID:
            "is a UID beyond 2^32 - 1"
        case .noCount:
            "should be followed by an integer with its count"
        case .tooLong(let kind, let count, let left):
            "is of kind \(kind) and size \(count), but only \(max(left, 0)) bytes are left before the offset table"
        }
    }
}
