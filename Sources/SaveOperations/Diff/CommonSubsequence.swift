import SaveCodec

/// A long common subsequence of two lists of hashes.
///
///     x  A B C D E        equal ends         A ‥ A, E ‥ E
///     y  A C X D E        unique on both     C, D
///
/// The number of removals, additions and changes is minimal if the lists are short, if the parts between unique equal
/// elements are short, or if all elements are unique. Any input takes O(*n* log *n*) time.
struct CommonSubsequence {
    private struct Region {
        var x: Range<Int>
        var y: Range<Int>
        let level: Int
    }

    private let x: [UInt64]
    private let y: [UInt64]
    private var regions: [Region]
    /// For each position in the first list, the matching position in the second; negative for none.
    private(set) var partners: [Int]

    init(_ x: [UInt64], _ y: [UInt64]) {
        self.x = x
        self.y = y
        partners = [Int](repeating: -1, count: x.count)
        regions = [Region(x: 0..<x.count, y: 0..<y.count, level: 0)]
        while let region = regions.popLast() { align(region) }
    }

    /// Matches the first of equal neighbors instead of a later one, where elements were only removed or added. The last
    /// ones then count as removed or added in every comparison of the list.
    ///
    ///     x  A 4 4 B          x  4 4
    ///     y  A 4 B            y  5 4
    ///        the first 4         still the last 4, because the first one changed
    ///
    /// - Parameter areInterchangeable: Whether an element of the first list can take the place of an equal one.
    mutating func matchFirstOfEqualNeighbors(where areInterchangeable: (Int) -> Bool) {
        var (nextX, nextY) = (0, 0)
        // The start of the run of equal elements around each position, so that no run is walked twice.
        var (runX, runY, j) = (0, 0, 0)
        for i in partners.indices {
            if i > 0, x[i - 1] != x[i] { runX = i }
            guard partners[i] >= 0 else { continue }
            while j < partners[i] {
                j += 1
                if y[j - 1] != y[j] { runY = j }
            }
            var (a, b) = (i, j)
            if areInterchangeable(i) {
                // The elements in front that have no counterpart, if each one in one list replaces one in the other.
                let surplus = (i - nextX) - (j - nextY)
                a -= min(i - runX, max(0, surplus))
                b -= min(j - runY, max(0, -surplus))
            }
            partners[i] = -1
            partners[a] = b
            (nextX, nextY) = (a + 1, b + 1)
        }
    }

    private mutating func align(_ region: Region) {
        let region = trimmed(region)
        let (n, m) = (region.x.count, region.y.count)
        guard n > 0, m > 0 else { return }
        if WagnerFischerTable.isFitting(n, m) { return alignShort(region) }
        let anchors = region.level < 8 ? uniqueElements(region) : []
        if !anchors.isEmpty { return split(region, at: anchors) }
        alignRepeating(region)
    }

    /// Matches equal elements at both ends of a region, and returns the rest of the region.
    private mutating func trimmed(_ region: Region) -> Region {
        var (a, b) = (region.x, region.y)
        while let i = a.first, let j = b.first, x[i] == y[j] {
            partners[i] = j
            (a, b) = (a.dropFirst(), b.dropFirst())
        }
        while let i = a.last, let j = b.last, x[i] == y[j] {
            partners[i] = j
            (a, b) = (a.dropLast(), b.dropLast())
        }
        return Region(x: a, y: b, level: region.level)
    }

    private mutating func alignShort(_ region: Region) {
        let (a, b) = (region.x.lowerBound, region.y.lowerBound)
        // A change costs slightly more than a removal. Of several equally short alignments, this selects one that keeps
        // more elements.
        for (i, j) in WagnerFischerTable.align(
            region.x.count, region.y.count, cost: { x[a + $0] == y[b + $1] ? 0 : 1001 })
        where x[a + i] == y[b + j] {
            partners[a + i] = b + j
        }
    }

    /// Matches elements that are unique in both lists. Returns the largest subset of the matches in which the elements
    /// keep their order.
    private func uniqueElements(_ region: Region) -> [(Int, Int)] {
        var places = UniquePositions(capacity: region.x.count)
        for i in region.x { places.addFirst(x[i], at: i) }
        for j in region.y { places.addSecond(y[j], at: j) }
        let unique = region.x.compactMap { i in places.partner(of: x[i]).map { (i, $0) } }
        return LongestIncreasingSubsequence.positions(in: unique.map(\.1)).map { unique[$0] }
    }

    private mutating func split(_ region: Region, at anchors: [(Int, Int)]) {
        var (i, j) = (region.x.lowerBound, region.y.lowerBound)
        for (a, b) in anchors {
            partners[a] = b
            regions.append(Region(x: i..<a, y: j..<b, level: region.level + 1))
            (i, j) = (a + 1, b + 1)
        }
        regions.append(Region(x: i..<region.x.upperBound, y: j..<region.y.upperBound, level: region.level + 1))
    }

    /// Matches elements that are in both lists and may occur several times.
    private mutating func alignRepeating(_ region: Region) {
        let (inX, inY) = (Set(x[region.x]), Set(y[region.y]))
        let a = region.x.filter { inY.contains(x[$0]) }
        let b = region.y.filter { inX.contains(y[$0]) }
        let script = ShortestEditScript.align(
            a.map { x[$0] }, b.map { y[$0] }, most: min(1024, 64 + (a.count + b.count) / 8))
        for (i, j) in script ?? nthWithNth(a, b) { partners[a[i]] = b[j] }
    }

    /// Matches the first occurrence of an element with the first, the second with the second, and so on. Returns the
    /// largest subset of the matches in which the elements keep their order.
    private func nthWithNth(_ a: [Int], _ b: [Int]) -> [(Int, Int)] {
        let hashes = b.map { y[$0] }
        var places = HashPositions(hashes, at: hashes.indices)
        let pairs = a.enumerated().compactMap { i, position in places.take(x[position]).map { (i, $0) } }
        return LongestIncreasingSubsequence.positions(in: pairs.map(\.1)).map { pairs[$0] }
    }
}

/// The positions of elements that occur once in each of two lists.
///
/// An open-addressing hash table in three arrays. A random seed protects against inputs that are made to collide.
private struct UniquePositions {
    private static let none: Int32 = -1
    private static let several: Int32 = -2

    private let seed = UInt64.random(in: 0...UInt64.max)
    private let mask: Int
    private var keys: [UInt64]
    /// The position in each list, by index in the table.
    private var xs: [Int32]
    private var ys: [Int32]

    init(capacity: Int) {
        var size = 16
        while size < 2 * capacity { size *= 2 }
        mask = size - 1
        keys = [UInt64](repeating: 0, count: size)
        xs = [Int32](repeating: Self.none, count: size)
        ys = xs
    }

    /// Adds an element of the first list.
    mutating func addFirst(_ key: UInt64, at position: Int) {
        let slot = slot(of: key)
        xs[slot] = xs[slot] == Self.none ? Int32(truncatingIfNeeded: position) : Self.several
        keys[slot] = key
    }

    /// Adds an element of the second list. All elements of the first list must be added before.
    mutating func addSecond(_ key: UInt64, at position: Int) {
        let slot = slot(of: key)
        guard xs[slot] >= 0 else { return }
        ys[slot] = ys[slot] == Self.none ? Int32(truncatingIfNeeded: position) : Self.several
    }

    /// Returns the position in the second list of an element that both lists contain once.
    func partner(of key: UInt64) -> Int? {
        let slot = slot(of: key)
        return xs[slot] >= 0 && ys[slot] >= 0 ? Int(ys[slot]) : nil
    }

    /// Returns the index of a key in the table, or the free index at which to add it.
    private func slot(of key: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: ScalarHash.mix(seed, key)) & mask
        while xs[slot] != Self.none, keys[slot] != key { slot = (slot + 1) & mask }
        return slot
    }
}

/// A shortest script of removals and additions that turns one list into another, if it is short (Myers 1986).
private enum ShortestEditScript {
    /// Returns the pairs of equal elements to keep, in ascending order; nil if more than `most` removals and additions
    /// are needed.
    ///
    /// - Complexity: O(*n* × `most`) time and O(`most`²) memory.
    static func align(_ x: [UInt64], _ y: [UInt64], most: Int) -> [(Int, Int)]? {
        let (n, m) = (x.count, y.count)
        guard (n - m).magnitude <= most else { return nil }
        // For each round, the farthest position on every second diagonal, from -round to round.
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
                if i == n, i - diagonal == m { return pairs(rounds, last: round, index: index, end: n) }
            }
            rounds.append(ends)
        }
        return nil
    }

    /// Returns the start of a diagonal in a round: the farther of the ends below it and to the left of it.
    private static func start(_ index: Int, _ previous: [Int32]?) -> Int {
        guard let previous else { return 0 }
        let left = index > 0 ? Int(previous[index - 1]) + 1 : Int(Int32.min)
        let below = index < previous.count ? Int(previous[index]) : Int(Int32.min)
        return max(left, below)
    }

    private static func pairs(_ rounds: [[Int32]], last: Int, index: Int, end: Int) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var (round, index, i) = (last, index, end)
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

// MARK: Equal hashes

/// The positions of hashes in a list. Each position of a hash is taken once, in order.
struct HashPositions {
    private var first: [UInt64: Int32]
    private var next: [Int32]

    init(_ hashes: [UInt64], at places: some BidirectionalCollection<Int>) {
        first = Dictionary(minimumCapacity: places.count)
        next = [Int32](repeating: -1, count: hashes.count)
        for place in places.reversed() {
            let number = Int32(truncatingIfNeeded: place)
            if let old = first.updateValue(number, forKey: hashes[place]) { next[place] = old }
        }
    }

    /// Returns the first position of a hash that has not been taken; nil if all have been taken.
    mutating func take(_ hash: UInt64) -> Int? {
        guard let place = first[hash], place >= 0 else { return nil }
        first[hash] = next[Int(place)]
        return Int(place)
    }
}

// MARK: Edit distance

/// The cheapest alignment of two short lists.
///
///         [ B  C ]         removing or adding one costs 1000,
///     [ A   1  1 ]         changing one costs what the caller says,
///     [ C   1  0 ]         keeping one costs nothing
///
/// The classic dynamic-programming table (Wagner and Fischer 1974), for lists with a small product of lengths.
enum WagnerFischerTable {
    private enum Step: UInt8 {
        case remove, add, pair
    }

    /// Returns the paired positions, in ascending order.
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

    /// Whether a table of this size is worth its memory, because it is small or linear in the lengths.
    static func isFitting(_ n: Int, _ m: Int) -> Bool {
        let (size, overflow) = n.multipliedReportingOverflow(by: m)
        return !overflow && (min(n, m) <= 16 || size <= 1 << 14)
    }
}
