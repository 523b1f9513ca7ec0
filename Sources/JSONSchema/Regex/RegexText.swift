import SaveCodec

/// A text as code points, and what is known of its positions.
struct RegexText {
    /// The code points; a surrogate pair is one, a lone surrogate is one of its own.
    private(set) var points: [UInt32] = []
    /// For each lookaround, where it holds.
    private var lookarounds: [PositionSet] = []

    /// Takes another text.
    ///
    /// - Parameter foldsCase: whether letters that differ in case only become the same.
    mutating func read(_ units: some Collection<UInt16>, foldsCase: Bool = false) {
        lookarounds.removeAll(keepingCapacity: true)
        points.removeAll(keepingCapacity: true)
        points.reserveCapacity(units.count)
        for unit in units {
            if UTF16.isTrailSurrogate(unit), let lead = points.last, 0xD800..<0xDC00 ~= lead {
                points[points.count - 1] = 0x10000 + ((lead & 0x3FF) << 10 | UInt32(unit & 0x3FF))
            } else {
                points.append(UInt32(unit))
            }
        }
        if foldsCase { for index in points.indices { points[index] = CaseFolding.folded(points[index]) } }
    }

    static func points(of units: some Collection<UInt16>) -> [UInt32] {
        var text = RegexText()
        text.read(units)
        return text.points
    }

    /// Notes where the next lookaround holds.
    mutating func addLookaround(_ positions: PositionSet) {
        lookarounds.append(positions)
    }

    /// Whether an assertion holds at a position.
    func satisfies(_ assertion: RegexAssertion, at position: Int) -> Bool {
        switch assertion {
        case .start: position == 0
        case .end: position == points.count
        case .boundary(let holds): (isWord(position - 1) != isWord(position)) == holds
        case .lookaround(let number, let holds): lookarounds[number].contains(position) == holds
        }
    }

    private func isWord(_ position: Int) -> Bool {
        points.indices.contains(position) && CodePointSet.word.contains(points[position])
    }
}

/// A set of positions in a text, a bit for each.
struct PositionSet {
    private var words: [UInt64]

    /// The empty set, for positions below `count`.
    init(count: Int) {
        words = Array(repeating: 0, count: (count + 63) / 64)
    }

    mutating func insert(_ position: Int) {
        words[position >> 6] |= 1 << UInt64(position & 63)
    }

    func contains(_ position: Int) -> Bool {
        words[position >> 6] >> UInt64(position & 63) & 1 == 1
    }
}
