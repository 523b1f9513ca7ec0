/// Conversions of valid UTF-8 text to the UTF-16 of documents, and the check for validity.
enum UTF8Text {
    @inline(__always)
    static func isASCII(_ bytes: Span<UInt8>) -> Bool {
        bytes.firstNonASCII(from: 0) == bytes.count
    }

    /// Returns the number of UTF-16 code units of a text: two for a sequence of four bytes, one for any other.
    static func utf16Count(of bytes: Span<UInt8>) -> Int {
        var count = 0
        for position in bytes.indices {
            let byte = bytes[position]
            if byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
        }
        return count
    }

    /// Appends the text as big-endian UTF-16.
    static func appendUTF16(of bytes: Span<UInt8>, to image: inout ImageBuffer) {
        var position = 0
        while position < bytes.count {
            let (scalar, length) = decode(bytes, at: position)
            position += length
            if scalar >= 0x10000 {
                image.append(UInt64(0xD800 | (scalar - 0x10000) >> 10), width: 2)
                image.append(UInt64(0xDC00 | scalar & 0x3FF), width: 2)
            } else {
                image.append(UInt64(scalar), width: 2)
            }
        }
    }

    /// Appends a range of the text as UTF-16.
    static func appendUTF16(_ range: Range<Int>, of bytes: Span<UInt8>, to units: inout [UInt16]) {
        var position = range.lowerBound
        while position < range.upperBound {
            let (scalar, length) = decode(bytes, at: position)
            append(scalar, to: &units)
            position += length
        }
    }

    /// Appends a scalar as one or two code units. A surrogate, which may be unpaired in real files, is one unit.
    @inline(__always)
    static func append(_ scalar: UInt32, to units: inout [UInt16]) {
        if scalar >= 0x10000 {
            units.append(0xD800 | UInt16(truncatingIfNeeded: (scalar - 0x10000) >> 10))
            units.append(0xDC00 | UInt16(truncatingIfNeeded: scalar & 0x3FF))
        } else {
            units.append(UInt16(truncatingIfNeeded: scalar))
        }
    }

    /// Returns the scalar at `position` of a valid UTF-8 text and its length in bytes.
    @inline(__always)
    static func decode(_ bytes: Span<UInt8>, at position: Int) -> (scalar: UInt32, length: Int) {
        let lead = UInt32(bytes[position])
        func tail(_ distance: Int) -> UInt32 { UInt32(bytes[position + distance]) & 0x3F }
        if lead < 0x80 { return (lead, 1) }
        if lead < 0xE0 { return ((lead & 0x1F) << 6 | tail(1), 2) }
        if lead < 0xF0 { return ((lead & 0x0F) << 12 | tail(1) << 6 | tail(2), 3) }
        return ((lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4)
    }

    /// Returns the number of bytes of a scalar value in UTF-8.
    static func length(of scalar: UInt32) -> Int {
        scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
    }

    /// Returns the offset of the first byte that is not part of a valid UTF-8 sequence, or nil if the text is valid.
    ///
    /// Overlong forms, surrogates and scalars beyond U+10FFFF are invalid.
    static func firstInvalid(in bytes: Span<UInt8>) -> Int? {
        var position = 0
        while true {
            position = bytes.firstNonASCII(from: position)
            guard position < bytes.count else { return nil }
            let length = sequenceLength(in: bytes, at: position)
            if length == 0 { return position }
            position += length
        }
    }

    /// Returns the length of the valid multibyte sequence at `position`, or 0 if it is invalid.
    static func sequenceLength(in bytes: Span<UInt8>, at position: Int) -> Int {
        let lead = bytes[position]
        let second: ClosedRange<UInt8>
        let length: Int
        switch lead {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard position + length <= bytes.count, second.contains(bytes[position + 1]) else { return 0 }
        for index in position + 2..<max(position + length, position + 2) where bytes[index] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
