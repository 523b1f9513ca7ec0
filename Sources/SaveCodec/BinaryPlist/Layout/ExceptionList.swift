/// A list of whole numbers that are nearly all as expected, held as the exceptions: pairs of how many are as expected
/// before, and the number that is not, both in LEB128.
struct ExceptionList {
    private(set) var bytes: [UInt8] = []
    private var gap = 0

    /// Adds the next number.
    mutating func add(_ number: Int, expected: Int) {
        if number == expected {
            gap += 1
        } else {
            append(gap)
            append(number)
            gap = 0
        }
    }

    private mutating func append(_ number: Int) {
        var rest = UInt64(number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// Reads an ``ExceptionList`` back. Bytes that are damaged give other numbers, which the caller has to check.
struct ExceptionReader {
    private let bytes: [UInt8]
    private var position = 0
    /// How many numbers are as expected before the next exception; nil if there is none.
    private var gap: UInt64?
    private var exception: UInt64 = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        readPair()
    }

    /// The next number. Never negative.
    mutating func next(expected: Int) -> Int {
        guard let left = gap else { return expected }
        guard left == 0 else {
            gap = left - 1
            return expected
        }
        let number = Int(truncatingIfNeeded: exception & UInt64(Int.max))
        readPair()
        return number
    }

    private mutating func readPair() {
        gap = readNumber()
        exception = readNumber() ?? 0
    }

    private mutating func readNumber() -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if shift < 64 { number |= UInt64(byte & 0x7F) << shift }
            shift += 7
            if byte < 0x80 { return number }
        }
        return nil
    }
}
