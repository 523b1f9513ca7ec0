/// The classes of code points that no set of a pattern tells apart: an automaton reads classes instead of code points.
///
/// For `[a-f]x` they are: a…f, x, and all others.
struct Alphabet: Sendable {
    /// The class of each ASCII character.
    let ascii: [Int32]
    /// A code point of each class.
    let examples: [UInt32]

    /// Where runs of one class begin, in rising order from zero, and the class of each run.
    private let starts: [UInt32]
    private let classes: [Int32]

    /// The coarsest classes that the sets allow.
    init(_ sets: [CodePointSet]) {
        var subset = SubsetTree(count: sets.count)
        var root: Int32 = 0
        var numbers: [Int32: Int32] = [:]
        var starts: [UInt32] = []
        var classes: [Int32] = []
        var examples: [UInt32] = []
        let edges = Self.edges(of: sets)
        var next = 0
        var start: UInt32 = 0
        while start <= CodePointSet.last {
            while next < edges.count, edges[next].point == start {
                root = subset.toggling(edges[next].set, in: root)
                next += 1
            }
            let number = numbers[root] ?? Int32(examples.count)
            if number == examples.count {
                numbers[root] = number
                examples.append(start)
            }
            starts.append(start)
            classes.append(number)
            start = next < edges.count ? edges[next].point : .max
        }
        (self.starts, self.classes, self.examples) = (starts, classes, examples)
        ascii = (0..<128).map { classes[Self.run(of: $0, in: starts)] }
    }

    /// How many classes there are.
    var count: Int { examples.count }

    /// The class of a code point.
    func number(of point: UInt32) -> Int32 {
        point < 128 ? ascii[Int(point)] : classes[Self.run(of: point, in: starts)]
    }

    /// Every code point at which a set begins or has ended.
    private static func edges(of sets: [CodePointSet]) -> [(point: UInt32, set: Int)] {
        var edges: [(point: UInt32, set: Int)] = []
        for (index, set) in sets.enumerated() {
            for range in set.ranges {
                edges.append((range.lowerBound, index))
                edges.append((range.upperBound + 1, index))
            }
        }
        return edges.sorted { $0.point < $1.point }
    }

    private static func run(of point: UInt32, in starts: [UInt32]) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= point { low = middle } else { high = middle }
        }
        return low
    }
}
