/// What holds at each position of a text, as bits numbered by ``Fact``.
struct PositionFacts {
    let text: [UInt16]
    /// For each lookaround found so far, a bit for each position.
    private var looks: [[UInt64]] = []

    init(_ text: [UInt16]) {
        self.text = text
    }

    /// The facts at a position.
    func at(_ position: Int) -> UInt64 {
        var facts: UInt64 = 0
        if position == 0 { facts |= Self.mask(.start) }
        if position == text.count { facts |= Self.mask(.end) }
        if isWord(position - 1) != isWord(position) { facts |= Self.mask(.boundary) }
        for (number, bits) in looks.enumerated() where bits[position >> 6] >> UInt64(position & 63) & 1 == 1 {
            facts |= Self.mask(.look(number))
        }
        return facts
    }

    /// Adds where the next lookaround holds, a bit for each position.
    mutating func add(_ bits: [UInt64]) {
        looks.append(bits)
    }

    /// Whether a fact is among facts.
    static func mask(_ fact: Fact) -> UInt64 {
        1 << UInt64(fact.bit)
    }

    private func isWord(_ position: Int) -> Bool {
        guard text.indices.contains(position) else { return false }
        switch UInt8(exactly: text[position]) {
        case .some(0x30...0x39), .some(0x41...0x5A), .some(0x5F), .some(0x61...0x7A): return true
        default: return false
        }
    }
}
