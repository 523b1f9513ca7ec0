/// Which elements of two lists stand for each other, in order: a long common subsequence of their hashes.
///
///     x  A B C D E        equal ends         A ‥ A, E ‥ E
///     y  A C X D E        unique on both     C, D
///
/// Exactly as few removals, additions and changes as can be where the lists, or what is left between equal elements that
/// are unique, are short; and where all are unique. No list takes more than n log n, whatever is in it.
struct SequenceAlignment {
    private struct Region {
        var x: Range<Int>
        var y: Range<Int>
        let level: Int
    }

    private let x: [UInt64]
    private let y: [UInt64]
    private var regions: [Region]
    /// For every position of the one list that in the other; negative for none.
    private(set) var partners: [Int]

    init(_ x: [UInt64], _ y: [UInt64]) {
        self.x = x
        self.y = y
        partners = [Int](repeating: -1, count: x.count)
        regions = [Region(x: 0..<x.count, y: 0..<y.count, level: 0)]
        while let region = regions.popLast() { align(region) }
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

    /// Pairs equal elements at the ends.
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
        // Of two ways that take as many changes the one that keeps more.
        for (i, j) in WagnerFischerTable.align(
            region.x.count, region.y.count, cost: { x[a + $0] == y[b + $1] ? 0 : 1001 })
        where x[a + i] == y[b + j] {
            partners[a + i] = b + j
        }
    }

    /// Elements that stand once in each list, as many as keep their order.
    private func uniqueElements(_ region: Region) -> [(Int, Int)] {
        var places = UniquePlaces(capacity: region.x.count)
        for i in region.x { places.addFirst(x[i], at: i) }
        for j in region.y { places.addSecond(y[j], at: j) }
        let unique = region.x.compactMap { i in places.partner(of: x[i]).map { (i, $0) } }
        return RisingSequence.positions(in: unique.map(\.1)).map { unique[$0] }
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

    /// Elements that stand in both lists, and more than once in one of them.
    private mutating func alignRepeating(_ region: Region) {
        let (inX, inY) = (Set(x[region.x]), Set(y[region.y]))
        let a = region.x.filter { inY.contains(x[$0]) }
        let b = region.y.filter { inX.contains(y[$0]) }
        let script = ShortestScript.align(
            a.map { x[$0] }, b.map { y[$0] }, most: min(1024, 64 + (a.count + b.count) / 8))
        for (i, j) in script ?? nthWithNth(a, b) { partners[a[i]] = b[j] }
    }

    /// The first of equal elements with the first, the second with the second, as many as keep their order.
    private func nthWithNth(_ a: [Int], _ b: [Int]) -> [(Int, Int)] {
        let hashes = b.map { y[$0] }
        var places = HashedPlaces(hashes, at: hashes.indices)
        let pairs = a.enumerated().compactMap { i, position in places.take(x[position]).map { (i, $0) } }
        return RisingSequence.positions(in: pairs.map(\.1)).map { pairs[$0] }
    }
}
