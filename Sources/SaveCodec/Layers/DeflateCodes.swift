/// The Huffman codes of a block of deflate data (RFC 1951 §3.2.5 to §3.2.7).
struct DeflateCodes {
    /// The code of a symbol with its bits in output order, and the range of values that it represents.
    struct Code {
        let bits: Int
        let length: Int
        var range = DeflateSymbols.Range(base: 0, extraBits: 0)
    }

    /// The number of times that a block uses each symbol.
    struct Uses {
        var literals = [Int](repeating: 0, count: 286)
        var distances = [Int](repeating: 0, count: 30)
    }

    let literals: [Code]
    let distances: [Code]
    /// The description of the codes at the start of the block; nil for the fixed codes.
    let header: Header?

    static let fixed = DeflateCodes(DeflateSymbols.fixedLengths, DeflateSymbols.fixedDistances, header: nil)

    /// Creates the shortest codes for a block.
    init(for uses: Uses) {
        let literals = HuffmanLengths.of(uses.literals, limit: HuffmanTable.longest)
        // Some decoders expect at least two codes of distances.
        var distanceUses = uses.distances
        for symbol in 0..<2 where distanceUses.count(where: { $0 > 0 }) < 2 { distanceUses[symbol] += 1 }
        let distances = HuffmanLengths.of(distanceUses, limit: HuffmanTable.longest)
        self.init(literals, distances, header: Header(literals, distances))
    }

    private init(_ literals: [UInt8], _ distances: [UInt8], header: Header?) {
        self.literals = Self.codes(literals, DeflateSymbols.lengths, from: 257)
        self.distances = Self.codes(distances, DeflateSymbols.distances, from: 0)
        self.header = header
    }

    /// Returns the size of a block in bits without its type and the extra bits of lengths and distances.
    func size(of uses: Uses) -> Int {
        var size = header?.size ?? 0
        for (count, code) in zip(uses.literals, literals) { size += count * code.length }
        for (count, code) in zip(uses.distances, distances) { size += count * code.length }
        return size
    }

    /// Returns the codes of symbols with these lengths (RFC 1951 §3.2.2). Symbols from `first` on represent ranges.
    fileprivate static func codes(
        _ lengths: [UInt8], _ ranges: [DeflateSymbols.Range] = [], from first: Int = 0
    ) -> [Code] {
        var next = 0
        var codes = lengths.map { Code(bits: 0, length: Int($0)) }
        for length in 1...HuffmanTable.longest {
            next <<= 1
            for symbol in lengths.indices where Int(lengths[symbol]) == length {
                let range = ranges.indices.contains(symbol - first) ? ranges[symbol - first] : codes[symbol].range
                codes[symbol] = Code(bits: HuffmanTable.reversed(next, length), length: length, range: range)
                next += 1
            }
        }
        return codes
    }

    // MARK: Header

    /// The lengths of the codes as a block states them (RFC 1951 §3.2.7). The lengths have a code of their own, in which
    /// some symbols are runs of equal lengths.
    struct Header {
        /// A symbol, and the length of its run in extra bits.
        struct Step {
            let symbol: Int
            var run = 0
            var runBits = 0
        }

        let literalCount: Int
        let distanceCount: Int
        let steps: [Step]
        /// The codes of the symbols of ``steps``.
        let codes: [Code]
        /// The number of lengths of ``codes`` that are stored.
        let codeCount: Int

        init(_ literals: [UInt8], _ distances: [UInt8]) {
            literalCount = literals.lastIndex { $0 > 0 }.map { $0 + 1 } ?? 0
            distanceCount = distances.lastIndex { $0 > 0 }.map { $0 + 1 } ?? 0
            steps = Self.steps(literals.prefix(literalCount) + distances.prefix(distanceCount))
            let order = DeflateSymbols.codeLengthOrder
            var uses = [Int](repeating: 0, count: order.count)
            for step in steps { uses[step.symbol] += 1 }
            let codes = DeflateCodes.codes(HuffmanLengths.of(uses, limit: 7))
            self.codes = codes
            codeCount = max(4, order.lastIndex { codes[$0].length > 0 }.map { $0 + 1 } ?? 0)
        }

        /// The size in bits.
        var size: Int { steps.reduce(14 + 3 * codeCount) { $0 + codes[$1.symbol].length + $1.runBits } }

        private static func steps(_ lengths: ArraySlice<UInt8>) -> [Step] {
            var steps: [Step] = []
            var position = lengths.startIndex
            while position < lengths.endIndex {
                let length = lengths[position]
                let end = lengths[position...].firstIndex { $0 != length } ?? lengths.endIndex
                if length > 0 {
                    steps.append(Step(symbol: Int(length)))
                    position += 1
                }
                while end - position >= 3 {
                    let run = min(end - position, length > 0 ? 6 : 138)
                    steps.append(
                        length > 0
                            ? Step(symbol: 16, run: run - 3, runBits: 2)
                            : run <= 10
                                ? Step(symbol: 17, run: run - 3, runBits: 3)
                                : Step(symbol: 18, run: run - 11, runBits: 7))
                    position += run
                }
                while position < end {
                    steps.append(Step(symbol: Int(length)))
                    position += 1
                }
            }
            return steps
        }
    }
}

/// The lengths of the codes in a Huffman code.
private enum HuffmanLengths {
    /// Returns the length of each symbol's code; 0 for symbols without uses. If the shortest code has lengths above the
    /// limit, other codes become longer.
    static func of(_ uses: [Int], limit: Int) -> [UInt8] {
        let symbols = uses.indices.filter { uses[$0] > 0 }.sorted { (uses[$0], $0) < (uses[$1], $1) }
        var lengths = [UInt8](repeating: 0, count: uses.count)
        // A single symbol has a code of one bit, too.
        guard symbols.count > 1 else {
            for symbol in symbols { lengths[symbol] = 1 }
            return lengths
        }
        var rest = symbols[...]
        let counts = limited(depths(symbols.map { uses[$0] }), to: limit)
        for length in stride(from: limit, to: 0, by: -1) {
            for symbol in rest.prefix(counts[length]) { lengths[symbol] = UInt8(truncatingIfNeeded: length) }
            rest = rest.dropFirst(counts[length])
        }
        return lengths
    }

    /// Returns the depths of the leaves in the Huffman tree of at least two weights in ascending order.
    private static func depths(_ weights: [Int]) -> [Int] {
        // The inner nodes follow the leaves, and their weights ascend, too.
        let count = weights.count
        var weights = weights
        var parents = [Int](repeating: 0, count: 2 * count - 1)
        var (leaf, inner) = (0, count)
        for node in count..<parents.count {
            var weight = 0
            for _ in 0..<2 {
                let takesLeaf = leaf < count && (inner == node || weights[leaf] <= weights[inner])
                let child = takesLeaf ? leaf : inner
                if takesLeaf { leaf += 1 } else { inner += 1 }
                parents[child] = node
                weight += weights[child]
            }
            weights.append(weight)
        }
        var depths = [Int](repeating: 0, count: parents.count)
        for node in parents.indices.dropLast().reversed() { depths[node] = depths[parents[node]] + 1 }
        return Array(depths.prefix(count))
    }

    /// Returns the number of codes of each length, at most `limit`, for leaves at these depths.
    private static func limited(_ depths: [Int], to limit: Int) -> [Int] {
        var counts = [Int](repeating: 0, count: limit + 1)
        for depth in depths { counts[min(depth, limit)] += 1 }
        // Codes that were cut to the limit take too much room. Making a shorter code longer frees one code of the limit.
        var excess = (1...limit).reduce(-(1 << limit)) { $0 + counts[$1] << (limit - $1) }
        while excess > 0, let shorter = (1..<limit).last(where: { counts[$0] > 0 }) {
            counts[limit] -= 1
            counts[shorter] -= 1
            counts[shorter + 1] += 2
            excess -= 1
        }
        return counts
    }
}
