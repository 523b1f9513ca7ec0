/// Punycode (RFC 3492): international labels in letters, digits and hyphens.
enum Punycode {
    private static let (base, tMin, tMax, skew, damp) = (36, 1, 26, 38, 700)

    /// The label that a text stands for; nil if it stands for none.
    static func decode(_ text: ArraySlice<UInt32>) -> [UInt32]? {
        let hyphen = text.lastIndex(of: 0x2D)
        var output = hyphen.map { Array(text[..<$0]) } ?? []
        var rest = text[(hyphen.map { $0 + 1 } ?? text.startIndex)...]
        var (point, index, bias) = (128, 0, 72)
        guard hyphen == nil || !output.isEmpty, !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let start = index
            var (weight, k) = (1, base)
            while true {
                guard let digit = rest.popFirst().flatMap(value(of:)) else { return nil }
                index += digit * weight
                guard index < 1 << 32 else { return nil }
                let threshold = threshold(k, bias)
                if digit < threshold { break }
                weight *= base - threshold
                guard weight < 1 << 32 else { return nil }
                k += base
            }
            bias = adapt(index - start, output.count + 1, isFirst: start == 0)
            point += index / (output.count + 1)
            index %= output.count + 1
            guard point <= 0x10FFFF else { return nil }
            output.insert(UInt32(point), at: index)
            index += 1
        }
        return output
    }

    /// How long the text of a label is; nil if that is longer than labels may be.
    static func encodedSize(_ label: ArraySlice<UInt32>) -> Int? {
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

    private static func value(of character: UInt32) -> Int? {
        if character.isDigit { return Int(character) - 0x30 + 26 }
        return character.isLetter ? Int(character | 0x20) - 0x61 : nil
    }
}
