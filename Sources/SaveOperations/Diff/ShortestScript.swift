/// A shortest way to make one list of another by removing and adding, if few of either are needed (Myers 1986).
enum ShortestScript {
    /// The pairs of equal elements that are kept, in rising order; nil where more than `most` would have to go or come.
    ///
    /// Takes time in the length times `most`, and memory in its square.
    static func align(_ x: [UInt64], _ y: [UInt64], most: Int) -> [(Int, Int)]? {
        let (n, m) = (x.count, y.count)
        guard (n - m).magnitude <= most else { return nil }
        // Of each round the farthest position on every second diagonal, from -round to round.
        var rounds: [[Int32]] = []
        for round in 0...most {
            var ends = [Int32](repeating: 0, count: round + 1)
            for index in 0...round {
                let diagonal = 2 * index - round
                var i = Self.start(index, rounds.last)
                guard i <= n, i - diagonal <= m, i - diagonal >= 0 else {
                    ends[index] = Int32.min / 2
                    continue
                }
                while i < n, i - diagonal < m, x[i] == y[i - diagonal] { i += 1 }
                ends[index] = Int32(truncatingIfNeeded: i)
                if i == n, i - diagonal == m { return pairs(rounds, last: round, index: index, n, m) }
            }
            rounds.append(ends)
        }
        return nil
    }

    /// Where a diagonal starts in a round: from below or from the left, whichever got farther.
    private static func start(_ index: Int, _ previous: [Int32]?) -> Int {
        guard let previous else { return 0 }
        let left = index > 0 ? Int(previous[index - 1]) + 1 : Int(Int32.min)
        let below = index < previous.count ? Int(previous[index]) : Int(Int32.min)
        return max(left, below)
    }

    private static func pairs(_ rounds: [[Int32]], last: Int, index: Int, _ n: Int, _ m: Int) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var (round, index, i) = (last, index, n)
        while round >= 0 {
            let diagonal = 2 * index - round
            let previous = round > 0 ? rounds[round - 1] : nil
            let start = Self.start(index, previous)
            while i > start {
                i -= 1
                pairs.append((i, i - diagonal))
            }
            guard let previous else { break }
            let cameFromLeft = index > 0 && Int(previous[index - 1]) + 1 == start
            if cameFromLeft {
                index -= 1
                i = start - 1
            } else {
                i = start
            }
            round -= 1
        }
        return pairs.reversed()
    }
}
