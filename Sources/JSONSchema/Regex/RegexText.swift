import SaveCodec

/// A text as code points, and the positions at which each lookaround holds.
struct RegexText {
    /// The code points. A surrogate pair is one code point, and so is a lone surrogate.
    private(set) var points: [UInt32] = []
    /// The positions at which each lookaround holds.
    private var lookarounds: [Bitmap] = []

    /// Replaces the text.
    ///
    /// - Parameters:
    ///   - units: The UTF-16 code units of the text.
    ///   - foldsCase: Whether to map letters that differ only in case to the same code point.
    mutating func read(_ units: some Collection<UInt16>, foldsCase: Bool = false) {
        removeLookarounds()
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

    /// Removes the positions at which lookarounds hold.
    mutating func removeLookarounds() {
        lookarounds.removeAll(keepingCapacity: true)
    }

    /// Adds the positions at which the next lookaround holds.
    mutating func addLookaround(_ positions: Bitmap) {
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
