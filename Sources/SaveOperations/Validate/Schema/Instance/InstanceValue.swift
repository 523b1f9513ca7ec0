import KeyedArchive
import SaveCodec

/// What a schema sees of a value: one of the six kinds of JSON.
enum InstanceValue: Sendable {
    case null
    case boolean(Bool)
    case number(Number)
    case string(InstanceText)
    case array(ViewContents)
    /// Pairs; of an object of an archive its fields, and its class.
    case object(ViewContents, classPosition: Int?)

    /// What it costs to look at the value once, beside the application itself: one for each sixteen contents or units.
    var cost: Int {
        switch self {
        case .null, .boolean, .number: 0
        case .string(.text(let text)): text.count >> 4
        case .string(.units(let units)): units.count >> 4
        case .string(.data(let bytes)): bytes.count >> 4
        case .array(let contents), .object(let contents, _): contents.count >> 4
        }
    }
}

/// Text of a string, of what plain JSON writes as one, or of a name.
enum InstanceText: Sendable {
    case text(Text)
    case units([UInt16])
    /// Bytes, as base64.
    case data(ArraySlice<UInt8>)

    /// The code units.
    var units: [UInt16] {
        switch self {
        case .text(let text): Array(text)
        case .units(let units): units
        case .data(let bytes): Self.base64(bytes)
        }
    }

    /// How many characters there are: Unicode code points, where half a surrogate pair is one too.
    var length: Int {
        switch self {
        case .text(let text) where text.isOneByte: return text.count
        case .data(let bytes): return (bytes.count + 2) / 3 * 4
        default: break
        }
        var length = 0
        var last: UInt16 = 0
        for unit in units {
            let isSecondHalf = UTF16.isTrailSurrogate(unit) && UTF16.isLeadSurrogate(last)
            length += isSecondHalf ? 0 : 1
            last = isSecondHalf ? 0 : unit
        }
        return length
    }

    private static func base64(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf16)
        var units: [UInt16] = []
        units.reserveCapacity((bytes.count + 2) / 3 * 4)
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let group = bytes[position..<min(position + 3, bytes.endIndex)]
            var bits: UInt32 = 0
            for offset in 0..<3 {
                bits = bits << 8 | (offset < group.count ? UInt32(group[group.startIndex + offset]) : 0)
            }
            for digit in 0..<4 {
                units.append(digit <= group.count ? digits[Int(bits >> UInt32(18 - 6 * digit) & 0x3F)] : 0x3D)
            }
            position += 3
        }
        return units
    }
}
