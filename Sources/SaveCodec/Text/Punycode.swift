/// Punycode (RFC 3492), which encodes Unicode text in letters, digits and a delimiter.
package struct Punycode {
    /// The variant of host names: `bcher-kva` is `bücher`.
    package static let hostNames = Punycode(delimiter: 0x2D) { character in
        switch character {
        case 0x30...0x39: Int(character) - 0x30 + 26
        case 0x41...0x5A: Int(character) - 0x41
        case 0x61...0x7A: Int(character) - 0x61
        default: nil
        }
    }

    /// The variant of Swift's names, with the digits `a` to `z` and `A` to `J`: `Gre_vsaB` is `Größe`.
    package static let swift = Punycode(delimiter: 0x5F) { character in
        switch character {
        case 0x61...0x7A: Int(character) - 0x61
        case 0x41...0x4A: Int(character) - 0x41 + 26
        default: nil
        }
    }

    private let delimiter: UInt32
    private let digit: @Sendable (UInt32) -> Int?

    private init(delimiter: UInt32, digit: @escaping @Sendable (UInt32) -> Int?) {
        (self.delimiter, self.digit) = (delimiter, digit)
    }

    private static let (base, tMin, tMax, skew, damp) = (36, 1, 26, 38, 700)
    /// A limit on intermediate values. No text of a few thousand characters comes near it.
    private static let limit = 1 << 40

    /// Returns the code points that a text encodes, or nil if the text is invalid. The time is quadratic in the length,
    /// which callers limit.
    package func decode(_ text: ArraySlice<UInt32>) -> [UInt32]? {
        let end = text.lastIndex(of: delimiter)
        var output = end.map { Array(text[..<$0]) } ?? []
        var rest = text[(end.map { $0 + 1 } ?? text.startIndex)...]
        guard output.allSatisfy({ $0 < 0x80 }) else { return nil }
        var (point, index, bias) = (128, 0, 72)
        while !rest.isEmpty {
            let start = index
            var (weight, k) = (1, Self.base)
            while true {
                guard let digit = rest.popFirst().flatMap(digit) else { return nil }
                index += digit * weight
                guard index < Self.limit else { return nil }
                let threshold = Self.threshold(k, bias)
                if digit < threshold { break }
                weight *= Self.base - threshold
                guard weight < Self.limit else { return nil }
                k += Self.base
            }
            let count = output.count + 1
            bias = Self.adapt(index - start, count, isFirst: start == 0)
            point += index / count
            guard point <= 0x10FFFF else { return nil }
            output.insert(UInt32(point), at: index % count)
            index = index % count + 1
        }
        return output
    }

    /// Returns the length of a label's encoding without `xn--`, or nil if the label has more than 63 code points.
    package static func encodedSize(_ label: ArraySlice<UInt32>) -> Int? {
        guard label.count <= 63 else { return nil }
        let basicCount = label.count { $0 < 0x80 }
        var size = basicCount > 0 ? basicCount + 1 : 0
        var (point, delta, bias, handled) = (128, 0, 72, basicCount)
        while handled < label.count {
            guard let next = label.filter({ $0 >= UInt32(point) }).min() else { return nil }
            delta += (Int(next) - point) * (handled + 1)
            point = Int(next)
            for other in label {
                if other < next { delta += 1 }
                guard other == next else { continue }
                size += digitCount(delta, bias)
                bias = adapt(delta, handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            point += 1
        }
        return size
    }

    private static func digitCount(_ delta: Int, _ bias: Int) -> Int {
        var (rest, k, count) = (delta, base, 1)
        while rest >= threshold(k, bias) {
            let threshold = threshold(k, bias)
            rest = (rest - threshold) / (base - threshold)
            k += base
            count += 1
        }
        return count
    }

    private static func threshold(_ k: Int, _ bias: Int) -> Int {
        min(max(k - bias, tMin), tMax)
    }

    private static func adapt(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var k = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            k += base
        }
        return k + (base - tMin + 1) * delta / (delta + skew)
    }
}
