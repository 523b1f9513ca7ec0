/// A cursor over the bytes of a typedstream. Numbers may have either byte order, and most take one byte.
///
///     05          5                  the byte itself, −110 to 127
///     81 E8 03    1000               two bytes follow
///     82 …        100,000            four follow
///     87 …        2⁴⁰                eight follow
///     83 …        0.5                the four or eight bytes of a real follow
///
/// In place of a number, `84` means something new, `85` means nil, and `86` means the end of an object.
struct StreamCursor {
    /// The bytes that are not numbers by themselves.
    enum Tag {
        static let int16: UInt8 = 0x81
        static let int32: UInt8 = 0x82
        static let real: UInt8 = 0x83
        static let new: UInt8 = 0x84
        static let null: UInt8 = 0x85
        static let end: UInt8 = 0x86
        static let int64: UInt8 = 0x87
        /// The first and last byte of the range that contains no numbers.
        static let first: UInt8 = 0x80
        static let last: UInt8 = 0x91
    }

    /// The reference number of the first string or object: the smallest number that fits in one byte.
    static let firstReference: Int64 = -110

    let bytes: [UInt8]
    private(set) var position = 0
    var isBigEndian = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var left: Int { bytes.count - position }

    /// The next byte, which is not consumed; nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skip(_ count: Int) {
        position += count
    }

    /// Reads the next byte.
    ///
    /// - Parameter expected: A description of the expected byte, for the message at the end of the stream.
    mutating func byte(_ expected: String) throws(Problem) -> UInt8 {
        guard let byte = next else { throw .streamEnds(expected: expected, at: position) }
        position += 1
        return byte
    }

    /// Skips the next byte if it equals `byte`.
    ///
    /// - Returns: Whether it was skipped.
    mutating func skip(ifNext byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Skips bytes and returns their range.
    ///
    /// - Parameters:
    ///   - what: A description of the bytes, for messages.
    ///   - start: The offset for messages.
    mutating func bytes(_ count: Int, _ what: String, from start: Int) throws(Problem) -> Range<Int> {
        guard count <= left else { throw .cutOff(what, count: count, left: left, at: start) }
        position += count
        return position - count..<position
    }

    /// Reads the bits of a number of `width` bytes in the stream's byte order.
    private mutating func bits(_ width: Int, from start: Int) throws(Problem) -> UInt64 {
        let range = try bytes(width, "a number", from: start)
        var bits: UInt64 = 0
        for offset in 0..<width {
            bits = bits << 8 | UInt64(bytes[isBigEndian ? range.lowerBound + offset : range.upperBound - 1 - offset])
        }
        return bits
    }

    mutating func integer(_ expected: String) throws(Problem) -> Int64 {
        let start = position
        let head = try byte(expected)
        switch head {
        case Tag.int16: return Int64(Int16(truncatingIfNeeded: try bits(2, from: start)))
        case Tag.int32: return Int64(Int32(truncatingIfNeeded: try bits(4, from: start)))
        case Tag.int64: return Int64(bitPattern: try bits(8, from: start))
        case Tag.first...Tag.last: throw .wrongTag(head, expected: expected, at: start)
        default: return Int64(Int8(bitPattern: head))
        }
    }

    mutating func real32() throws(Problem) -> Float {
        guard next == Tag.real else { return Float(try integer("a real")) }
        skip(1)
        return Float(bitPattern: UInt32(truncatingIfNeeded: try bits(4, from: position - 1)))
    }

    mutating func real64() throws(Problem) -> Double {
        guard next == Tag.real else { return Double(try integer("a real")) }
        skip(1)
        return Double(bitPattern: try bits(8, from: position - 1))
    }

    /// Reads a byte count and that many bytes. A count of two or four bytes is unsigned, because no count is negative.
    mutating func text(_ what: String) throws(Problem) -> Range<Int> {
        let start = position
        let width = next == Tag.int16 ? 16 : next == Tag.int32 ? 32 : 64
        let length = try integer("the length of \(what)")
        let count = length < 0 && width < 64 ? length + 1 << Int64(width) : length
        guard count >= 0 else {
            throw Problem(
                "typedstream.length", "the length of \(what) is \(count); expected 0 or more", at: .byte(start))
        }
        return try bytes(Int(clamping: count), what, from: start)
    }

    /// Reads a reference and returns its index, which must be below `count`.
    mutating func reference(_ expected: String, count: Int) throws(Problem) -> Int {
        let start = position
        let number = try integer(expected)
        let (index, overflow) = number.subtractingReportingOverflow(Self.firstReference)
        guard !overflow, index >= 0, index < count else {
            throw .referenceRange(overflow ? number : index, expected, count: count, at: start)
        }
        return Int(index)
    }
}

extension Problem {
    static func streamEnds(expected: String, at offset: Int) -> Problem {
        Problem("typedstream.truncated", "truncated: the stream ends; expected \(expected)", at: .byte(offset))
    }

    static func cutOff(_ what: String, count: Int, left: Int, at offset: Int) -> Problem {
        Problem(
            "typedstream.truncated",
            "truncated: the stream ends inside \(what): \(Phrase.count(count, "byte", "is")) needed, "
                + "\(CountText.of(left)) \(Phrase.verb("is", for: left)) left",
            at: .byte(offset))
    }

    fileprivate static func wrongTag(_ tag: UInt8, expected: String, at offset: Int) -> Problem {
        let meaning =
            switch tag {
            case StreamCursor.Tag.real: "a real"
            case StreamCursor.Tag.new: "a new object"
            case StreamCursor.Tag.null: "nil"
            case StreamCursor.Tag.end: "the end of an object"
            default: "an unknown tag"
            }
        return Problem(
            "typedstream.tag", "found \(Hexadecimal.prefixed(tag)), \(meaning); expected \(expected)",
            at: .byte(offset))
    }

    fileprivate static func referenceRange(_ number: Int64, _ expected: String, count: Int, at offset: Int) -> Problem {
        let numbers =
            switch count {
            case 0: "but none exists so far"
            case 1: "but only number 0 exists so far"
            default: "but only numbers 0 to \(count - 1) exist so far"
            }
        return Problem(
            "typedstream.reference", "found a reference to number \(number); expected \(expected), \(numbers)",
            at: .byte(offset))
    }

    /// Returns one warning for all occurrences of a kind, at the first one.
    static func streamWarning(_ kind: String, _ message: String, at found: Occurrences) -> Problem {
        Problem(kind, message + Phrase.others(of: found.count), severity: .warning, at: .byte(found.first))
    }
}
