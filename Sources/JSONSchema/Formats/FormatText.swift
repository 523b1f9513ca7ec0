/// A text that is checked for a format, as code points, and how far it has been read.
struct FormatText {
    let points: [UInt32]
    var position = 0

    init(_ units: [UInt16]) {
        var points: [UInt32] = []
        points.reserveCapacity(units.count)
        for unit in units {
            if UTF16.isTrailSurrogate(unit), let lead = points.last, 0xD800..<0xDC00 ~= lead {
                points[points.count - 1] = 0x10000 + ((lead & 0x3FF) << 10 | UInt32(unit & 0x3FF))
            } else {
                points.append(UInt32(unit))
            }
        }
        self.points = points
    }

    /// Whether all has been read.
    var isAtEnd: Bool { position == points.count }

    /// The next code point; nil at the end.
    var next: UInt32? { position < points.count ? points[position] : nil }

    /// Reads one of some characters.
    mutating func skip(_ characters: StaticString) -> Bool {
        guard let next, next < 0x80, characters.withUTF8Buffer({ unsafe $0.contains(UInt8(next)) }) else {
            return false
        }
        position += 1
        return true
    }

    /// Reads so many decimal digits, as a number.
    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let next, next.isDigit else { return nil }
            value = value * 10 + Int(next - 0x30)
            position += 1
        }
        return value
    }

    /// Reads as many decimal digits as there are; returns how many.
    mutating func skipDigits() -> Int {
        let start = position
        while let next, next.isDigit { position += 1 }
        return position - start
    }
}

extension UInt32 {
    var isDigit: Bool { 0x30...0x39 ~= self }
    var isLetter: Bool { 0x61...0x7A ~= self | 0x20 && self < 0x80 }
    var isHexDigit: Bool { isDigit || (0x61...0x66 ~= self | 0x20 && self < 0x80) }

    /// Whether it is one of some ASCII characters.
    func isOne(of characters: StaticString) -> Bool {
        self < 0x80 && characters.withUTF8Buffer { unsafe $0.contains(UInt8(self)) }
    }
}

/// JSON Pointers (RFC 6901), relative ones, and UUIDs (RFC 4122).
extension FormatText {
    mutating func skipPointer() -> Bool {
        guard !isAtEnd else { return true }
        guard next == 0x2F else { return false }
        while let next {
            position += 1
            if next == 0x7E, !skip("01") { return false }
        }
        return true
    }

    /// `0`, `1#`, `2/name`: how far up, and where from there.
    mutating func skipRelativePointer() -> Bool {
        let isZero = next == 0x30
        let count = skipDigits()
        guard count == 1 || (count > 1 && !isZero) else { return false }
        return skip("#") || skipPointer()
    }

    mutating func skipUUID() -> Bool {
        for (position, count) in [8, 4, 4, 4, 12].enumerated() {
            if position > 0, !skip("-") { return false }
            for _ in 0..<count where !skip("0123456789ABCDEFabcdef") { return false }
        }
        return true
    }
}
