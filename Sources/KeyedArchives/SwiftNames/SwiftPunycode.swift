/// Punycode (RFC 3492) with `_` as the delimiter and the digits `a` to `z` and `A` to `J`.
enum SwiftPunycode {
    /// Returns the text in UTF-8, or nil if it is invalid.
    static func decode(_ bytes: [UInt8]) -> [UInt8]? {
        var scalars: [Unicode.Scalar] = []
        var position = 0
        if let delimiter = bytes.lastIndex(of: UInt8(ascii: "_")) {
            guard bytes[..<delimiter].allSatisfy({ $0 < 0x80 }) else { return nil }
            scalars = bytes[..<delimiter].map { Unicode.Scalar($0) }
            position = delimiter + 1
        }
        var (point, index, bias) = (128, 0, 72)
        while position < bytes.count {
            let start = index
            var (weight, base) = (1, 36)
            while true {
                guard position < bytes.count, let digit = digit(bytes[position]) else { return nil }
                position += 1
                index += digit * weight
                let threshold = min(max(base - bias, 1), 26)
                if digit < threshold { break }
                weight *= 36 - threshold
                base += 36
                guard index < limit, weight < limit else { return nil }
            }
            let count = scalars.count + 1
            bias = adapted(index - start, count, isFirst: start == 0)
            point += index / count
            guard let value = UInt32(exactly: point), let scalar = Unicode.Scalar(value) else { return nil }
            scalars.insert(scalar, at: index % count)
            index = index % count + 1
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return Array(String(text).utf8)
    }

    /// No index of a name is as large as this.
    private static let limit = 1 << 40

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "A")...UInt8(ascii: "J"): Int(byte - UInt8(ascii: "A")) + 26
        default: nil
        }
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var bias = 0
        while delta > 455 {
            delta /= 35
            bias += 36
        }
        return bias + 36 * delta / (delta + 38)
    }
}
