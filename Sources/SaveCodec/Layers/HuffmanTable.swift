/// A lookup table for a Huffman code (RFC 1951 §3.2.2), which decodes several bits at once.
///
/// A code with more bits than the first lookup takes leads to a second table:
///
///     bits … 0 1 1 0 1 ─▶ first table, 2^root entries ─▶ the code's entry, if it has no more bits
///                                                    └─▶ a second table for the remaining bits
///
/// See ``HuffmanEntry`` for the contents of an entry.
struct HuffmanTable {
    private(set) var entries: [UInt32]
    /// The number of bits in the first lookup.
    let root: Int

    /// The symbols that codes represent.
    enum Alphabet {
        /// The code lengths of the other two alphabets.
        case codeLengths
        /// Literals, the lengths of matches, and the end of a block.
        case literals
        case distances
    }

    /// The reason why lengths do not form a code.
    enum Fault: Error {
        case oversubscribed, incomplete
    }

    /// Creates the table of a code from the lengths of its symbols' codes; 0 for unused symbols.
    ///
    /// The code must be complete. As an exception, literals and distances may have a single code of one bit or none at
    /// all. Bits without a code are then an invalid symbol. Encoders write such codes for blocks without matches.
    init(_ lengths: ArraySlice<UInt8>, of alphabet: Alphabet) throws(Fault) {
        var counts = [Int](repeating: 0, count: Self.longest + 1)
        for length in lengths { counts[Int(length)] += 1 }
        let longest = (1...Self.longest).last { counts[$0] > 0 } ?? 1
        counts[0] = 0
        let left = try Self.unused(counts)
        if left > 0, alphabet == .codeLengths || longest > 1 { throw .incomplete }
        root = min(alphabet == .literals ? 11 : alphabet == .distances ? 9 : 7, longest)
        entries = [UInt32](repeating: HuffmanEntry.invalid, count: 1 << root)
        fill(lengths, counts: counts, longest: longest, alphabet)
    }

    /// The maximum code length in bits.
    static let longest = 15

    /// Returns the number of unused codes of the maximum length.
    private static func unused(_ counts: [Int]) throws(Fault) -> Int {
        var left = 1
        for length in 1...longest {
            left = left << 1 - counts[length]
            guard left >= 0 else { throw .oversubscribed }
        }
        return left
    }

    /// Adds the codes in ascending order of length, then of symbol (RFC 1951 §3.2.2).
    private mutating func fill(
        _ lengths: ArraySlice<UInt8>, counts: [Int], longest: Int, _ alphabet: Alphabet
    ) {
        var firsts = [Int](repeating: 0, count: counts.count + 1)
        for length in 1...Self.longest { firsts[length + 1] = firsts[length] + counts[length] }
        var symbols = [UInt16](repeating: 0, count: firsts[Self.longest + 1])
        var next = firsts
        for (symbol, length) in lengths.enumerated() where length > 0 {
            symbols[next[Int(length)]] = UInt16(truncatingIfNeeded: symbol)
            next[Int(length)] += 1
        }
        var code = 0
        for length in 1...longest {
            code <<= 1
            for index in 0..<counts[length] {
                let entry = HuffmanEntry.make(Int(symbols[firsts[length] + index]), of: alphabet)
                enter(entry, code: code, length: length, longest: longest)
                code += 1
            }
        }
    }

    private mutating func enter(_ entry: UInt32, code: Int, length: Int, longest: Int) {
        let reversed = Self.reversed(code, length)
        guard length > root else {
            for index in stride(from: reversed, to: 1 << root, by: 1 << length) {
                entries[index] = entry | UInt32(length)
            }
            return
        }
        // All second tables have the size that the longest code needs. A code has at most 286 of them.
        let rest = longest - root
        let index = reversed & (1 << root - 1)
        if entries[index] == HuffmanEntry.invalid {
            entries[index] = HuffmanEntry.link(to: entries.count, bits: rest) | UInt32(root)
            entries.append(contentsOf: repeatElement(HuffmanEntry.invalid, count: 1 << rest))
        }
        let start = HuffmanEntry.value(entries[index])
        for inner in stride(from: reversed >> root, to: 1 << rest, by: 1 << (length - root)) {
            entries[start + inner] = entry | UInt32(length - root)
        }
    }

    /// Returns a code with its `length` bits reversed, because the highest bit of a code comes first in the input.
    static func reversed(_ code: Int, _ length: Int) -> Int {
        Int(truncatingIfNeeded: UInt16(truncatingIfNeeded: code).bitReversed >> UInt16(16 - length))
    }
}

extension UInt16 {
    fileprivate var bitReversed: UInt16 {
        var bits = self
        bits = bits >> 1 & 0x5555 | (bits & 0x5555) << 1
        bits = bits >> 2 & 0x3333 | (bits & 0x3333) << 2
        bits = bits >> 4 & 0x0F0F | (bits & 0x0F0F) << 4
        return bits.byteSwapped
    }
}

/// The entries of a lookup table, stored in 32 bits:
///
///     31      30    29    28        27…24   23…8                        7…5   4…0
///     literal link  end   invalid   extra   the literal, the base of    –     bit count of
///                                   bits    a length or a distance, or        the code
///                                           the index of the next table
enum HuffmanEntry {
    static let literal: UInt32 = 1 << 31
    static let link: UInt32 = 1 << 30
    static let end: UInt32 = 1 << 29
    static let invalid: UInt32 = 1 << 28

    /// The flags of entries other than literals, lengths and distances.
    static let special = link | end | invalid

    @inline(__always)
    static func value(_ entry: UInt32) -> Int { Int(truncatingIfNeeded: entry &>> 8 & 0xFFFF) }

    @inline(__always)
    static func extraBits(_ entry: UInt32) -> Int { Int(truncatingIfNeeded: entry &>> 24 & 0xF) }

    @inline(__always)
    static func length(_ entry: UInt32) -> Int { Int(truncatingIfNeeded: entry & 0x1F) }

    fileprivate static func link(to index: Int, bits: Int) -> UInt32 {
        link | UInt32(bits) << 24 | UInt32(index) << 8
    }

    fileprivate static func make(_ symbol: Int, of alphabet: HuffmanTable.Alphabet) -> UInt32 {
        switch alphabet {
        case .codeLengths: UInt32(symbol) << 8
        case .literals where symbol < 256: literal | UInt32(symbol) << 8
        case .literals where symbol == 256: end
        case .literals: make(symbol - 257, in: DeflateSymbols.lengths)
        case .distances: make(symbol, in: DeflateSymbols.distances)
        }
    }

    private static func make(_ index: Int, in ranges: [DeflateSymbols.Range]) -> UInt32 {
        guard index < ranges.count else { return invalid }
        return UInt32(ranges[index].extraBits) << 24 | UInt32(ranges[index].base) << 8
    }
}

/// The values of the symbols for lengths and distances (RFC 1951 §3.2.5): a base and a number of extra bits.
enum DeflateSymbols {
    struct Range {
        let base: Int
        let extraBits: Int
    }

    /// The lengths of the symbols from 257 on. The last symbol represents only the longest match.
    static let lengths = ranges(count: 28, from: 3, plain: 8, step: 4) + [Range(base: 258, extraBits: 0)]
    static let distances = ranges(count: 30, from: 1, plain: 4, step: 2)

    /// - Parameters:
    ///   - plain: The number of ranges without extra bits.
    ///   - step: The number of ranges between increases of the extra bits.
    private static func ranges(count: Int, from first: Int, plain: Int, step: Int) -> [Range] {
        var base = first
        return (0..<count).map { index in
            let range = Range(base: base, extraBits: index < plain ? 0 : (index - plain) / step + 1)
            base += 1 << range.extraBits
            return range
        }
    }

    /// The storage order of the lengths of code length codes (RFC 1951 §3.2.7).
    static let codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The lengths of the fixed codes (RFC 1951 §3.2.6).
    static let fixedLengths: [UInt8] =
        [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112) + [UInt8](repeating: 7, count: 24)
        + [UInt8](repeating: 8, count: 8)
    static let fixedDistances = [UInt8](repeating: 5, count: 32)
}
