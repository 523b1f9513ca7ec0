/// A repaired text: the parts of the damaged text that are kept, and what is written in place of the others.
struct RepairedText {
    private let source: [UInt8]
    private(set) var bytes: [UInt8] = []
    /// The offset in the damaged text up to which it was copied or replaced.
    private(set) var copied = 0
    /// The offsets of separators before the end of a container. Many readers refuse them.
    private var lastSeparators: [Int] = []
    private var lostKeys = LostKeys()

    init(of source: [UInt8]) {
        self.source = source
        bytes.reserveCapacity(source.count + 64)
    }

    /// Copies the damaged text from ``copied`` on.
    mutating func copy(upTo end: Int) {
        guard end > copied else { return }
        bytes += source[copied..<end]
        copied = end
    }

    /// Leaves out the damaged text from ``copied`` on.
    mutating func skip(upTo end: Int) { copied = max(copied, end) }

    mutating func write(_ text: String) { bytes += text.utf8 }

    /// Copies the damaged text before a range, and writes other text in place of the range.
    mutating func replace(_ range: Range<Int>, with text: String) {
        copy(upTo: range.lowerBound)
        write(text)
        skip(upTo: range.upperBound)
    }

    mutating func writeSeparator(_ separator: UInt8) { bytes += [separator, 0x20] }

    /// Returns a key in place of a lost one. The damaged text does not have it.
    mutating func newKey() -> String { SalvageLoss.keyPrefix + String(lostKeys.next(in: source)) }

    // MARK: Separators before ends

    /// Copies the text before a separator, after which a container ends.
    mutating func noteLastSeparator(at start: Int) {
        copy(upTo: start)
        lastSeparators.append(bytes.count)
    }

    /// Replaces the commas before the ends of containers by spaces.
    mutating func removeLastSeparators() {
        for offset in lastSeparators where bytes[offset] == UInt8(ascii: ",") { bytes[offset] = 0x20 }
    }
}

/// The numbers of keys that replace lost ones.
private struct LostKeys {
    private var number = 0
    /// The numbers that keys of the text have, once they are known.
    private var taken: Set<Int>?

    /// Returns the next number that no key of a text has.
    mutating func next(in text: [UInt8]) -> Int {
        let taken = taken ?? Self.numbers(in: text)
        self.taken = taken
        repeat { number += 1 } while taken.contains(number)
        return number
    }

    private static func numbers(in text: [UInt8]) -> Set<Int> {
        var numbers: Set<Int> = []
        var rest = text[...]
        let prefix = Array(SalvageLoss.keyPrefix.utf8)
        while let start = rest.firstIndex(of: prefix[0]) {
            rest = rest[start...]
            guard rest.starts(with: prefix) else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(prefix.count)
            let digits = rest.prefix(18).prefix { (0x30...0x39).contains($0) }
            if let number = Int(String(decoding: digits, as: UTF8.self)) { numbers.insert(number) }
        }
        return numbers
    }
}
