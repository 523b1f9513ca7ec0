/// The cheapest way to make one short list of another: which elements stand for each other, in order.
///
///         [ B  C ]         removing or adding one costs 1000,
///     [ A   1  1 ]         changing one what the caller says,
///     [ C   1  0 ]         keeping one nothing
///
/// The table of the textbooks (Wagner and Fischer 1974), for lists whose lengths multiply to little.
enum WagnerFischerTable {
    private enum Step: UInt8 {
        case remove, add, pair
    }

    /// The pairs, in rising order.
    static func align(_ n: Int, _ m: Int, cost: (Int, Int) -> Int) -> [(Int, Int)] {
        guard n > 0, m > 0 else { return [] }
        var steps = [Step](repeating: .add, count: (n + 1) * (m + 1))
        var row = (0...m).map { $0 * 1000 }
        for i in 1...n {
            var diagonal = row[0]
            row[0] = i * 1000
            steps[i * (m + 1)] = .remove
            for j in 1...m {
                let paired = diagonal + cost(i - 1, j - 1)
                diagonal = row[j]
                let other = min(row[j], row[j - 1]) + 1000
                steps[i * (m + 1) + j] = paired <= other ? .pair : row[j] < row[j - 1] ? .remove : .add
                row[j] = min(paired, other)
            }
        }
        return pairs(steps, to: (n, m))
    }

    private static func pairs(_ steps: [Step], to end: (n: Int, m: Int)) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var (i, j) = end
        while i > 0 || j > 0 {
            switch steps[i * (end.m + 1) + j] {
            case .remove: i -= 1
            case .add: j -= 1
            case .pair:
                (i, j) = (i - 1, j - 1)
                pairs.append((i, j))
            }
        }
        return pairs.reversed()
    }

    /// Whether a table of that size is worth its memory: linear in the lengths, or small.
    static func isFitting(_ n: Int, _ m: Int) -> Bool {
        let (size, overflow) = n.multipliedReportingOverflow(by: m)
        return !overflow && (min(n, m) <= 16 || size <= 1 << 14)
    }
}
