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
