/// The lines to remove from one list and to insert from another, to turn the first list into the second. The script is
/// as short as possible (Myers 1986, section 4b), except for lists that have little in common.
///
/// Paths are followed from both corners of a box of the edit graph until they meet; there the box is split. Memory is
/// linear in the number of lines. If the paths have not met after `costLimit` steps, the box is split where a path got
/// farthest, so that time is linear, too.
struct ShortestLineScript {
    private struct Box {
        var x: Range<Int>
        var y: Range<Int>
        /// Whether the paths are known to meet early, so that `costLimit` does not apply.
        let isMinimal: Bool
    }

    private struct Split {
        let i: Int
        let j: Int
        let isMinimalBefore: Bool
        let isMinimalAfter: Bool
    }

    private static let costLimit = 256

    private let x: [Int32]
    private let y: [Int32]
    private(set) var isRemoved: [Bool]
    private(set) var isInserted: [Bool]
    /// The farthest position in `x` on each diagonal, for paths from the start and from the end. Diagonal d, whose
    /// points have `i - j == d`, is at index d + y.count + 1.
    private var forward: [Int]
    private var backward: [Int]

    init(_ x: [Int32], _ y: [Int32]) {
        self.x = x
        self.y = y
        isRemoved = [Bool](repeating: false, count: x.count)
        isInserted = [Bool](repeating: false, count: y.count)
        forward = [Int](repeating: 0, count: x.count + y.count + 3)
        backward = forward
    }

    mutating func run() {
        var boxes = [Box(x: 0..<x.count, y: 0..<y.count, isMinimal: false)]
        while let box = boxes.popLast() {
            let (a, b) = trimmed(box)
            if a.isEmpty {
                for j in b { isInserted[j] = true }
            } else if b.isEmpty {
                for i in a { isRemoved[i] = true }
            } else {
                let split = split(Box(x: a, y: b, isMinimal: box.isMinimal))
                boxes.append(
                    Box(x: split.i..<a.upperBound, y: split.j..<b.upperBound, isMinimal: split.isMinimalAfter))
                boxes.append(
                    Box(x: a.lowerBound..<split.i, y: b.lowerBound..<split.j, isMinimal: split.isMinimalBefore))
            }
        }
    }

    /// Returns a box without the equal lines at its start and end.
    private func trimmed(_ box: Box) -> (Range<Int>, Range<Int>) {
        var (a, b) = (box.x, box.y)
        while let i = a.first, let j = b.first, x[i] == y[j] { (a, b) = (a.dropFirst(), b.dropFirst()) }
        while let i = a.last, let j = b.last, x[i] == y[j] { (a, b) = (a.dropLast(), b.dropLast()) }
        return (a, b)
    }

    /// Returns the point where paths from both corners of a box meet.
    private mutating func split(_ box: Box) -> Split {
        let (first, last) = (box.x.lowerBound - box.y.lowerBound, box.x.upperBound - box.y.upperBound)
        var forwards = Diagonals(from: first, x: box.x, y: box.y)
        var backwards = Diagonals(from: last, x: box.x, y: box.y)
        let isOdd = (first - last) & 1 != 0
        self[forward: first] = box.x.lowerBound
        self[backward: last] = box.x.upperBound
        var cost = 1
        while true {
            for edge in forwards.widen() { self[forward: edge] = -1 }
            for diagonal in forwards.downwards {
                let i = followForward(diagonal, box)
                if isOdd, backwards.contains(diagonal), self[backward: diagonal] <= i {
                    return Split(i: i, j: i - diagonal, isMinimalBefore: true, isMinimalAfter: true)
                }
            }
            for edge in backwards.widen() { self[backward: edge] = .max }
            for diagonal in backwards.downwards {
                let i = followBackward(diagonal, box)
                if !isOdd, forwards.contains(diagonal), i <= self[forward: diagonal] {
                    return Split(i: i, j: i - diagonal, isMinimalBefore: true, isMinimalAfter: true)
                }
            }
            if !box.isMinimal, cost >= Self.costLimit {
                return farthest(in: box, forwards: forwards.downwards, backwards: backwards.downwards)
            }
            cost += 1
        }
    }

    private subscript(forward diagonal: Int) -> Int {
        get { forward[diagonal + y.count + 1] }
        set { forward[diagonal + y.count + 1] = newValue }
    }

    private subscript(backward diagonal: Int) -> Int {
        get { backward[diagonal + y.count + 1] }
        set { backward[diagonal + y.count + 1] = newValue }
    }

    private mutating func followForward(_ diagonal: Int, _ box: Box) -> Int {
        let (left, right) = (self[forward: diagonal - 1], self[forward: diagonal + 1])
        var i = left >= right ? left + 1 : right
        while i < box.x.upperBound, i - diagonal < box.y.upperBound, x[i] == y[i - diagonal] { i += 1 }
        self[forward: diagonal] = i
        return i
    }

    private mutating func followBackward(_ diagonal: Int, _ box: Box) -> Int {
        let (left, right) = (self[backward: diagonal - 1], self[backward: diagonal + 1])
        var i = left < right ? left : right - 1
        while i > box.x.lowerBound, i - diagonal > box.y.lowerBound, x[i - 1] == y[i - 1 - diagonal] { i -= 1 }
        self[backward: diagonal] = i
        return i
    }

    /// Returns the end of the path that got farthest.
    private func farthest(
        in box: Box, forwards: some Sequence<Int>, backwards: some Sequence<Int>
    ) -> Split {
        var (sum, i) = (-1, -1)
        for diagonal in forwards {
            let end = min(self[forward: diagonal], box.x.upperBound, box.y.upperBound + diagonal)
            if 2 * end - diagonal > sum { (sum, i) = (2 * end - diagonal, end) }
        }
        var (otherSum, otherI) = (Int.max, Int.max)
        for diagonal in backwards {
            let end = max(self[backward: diagonal], box.x.lowerBound, box.y.lowerBound + diagonal)
            if 2 * end - diagonal < otherSum { (otherSum, otherI) = (2 * end - diagonal, end) }
        }
        if box.x.upperBound + box.y.upperBound - otherSum < sum - box.x.lowerBound - box.y.lowerBound {
            return Split(i: i, j: sum - i, isMinimalBefore: true, isMinimalAfter: false)
        }
        return Split(i: otherI, j: otherSum - otherI, isMinimalBefore: false, isMinimalAfter: true)
    }
}

/// The range of the diagonals that paths have reached in a box. Each step uses every second diagonal.
private struct Diagonals {
    private(set) var first: Int
    private var last: Int
    /// The lowest and the highest diagonal that crosses the box.
    private let least: Int
    private let greatest: Int

    init(from start: Int, x: Range<Int>, y: Range<Int>) {
        (first, last) = (start, start)
        (least, greatest) = (x.lowerBound - y.upperBound, x.upperBound - y.lowerBound)
    }

    func contains(_ diagonal: Int) -> Bool { first <= diagonal && diagonal <= last }

    /// The diagonals of the current step, from the highest to the lowest.
    var downwards: StrideThrough<Int> { stride(from: last, through: first, by: -2) }

    /// Extends the range by one diagonal at each end, or shrinks it by one at an end where the box has no further
    /// diagonal.
    ///
    /// - Returns: The diagonals that are now next to the range.
    mutating func widen() -> [Int] {
        var neighbours: [Int] = []
        if first > least {
            first -= 1
            neighbours.append(first - 1)
        } else {
            first += 1
        }
        if last < greatest {
            last += 1
            neighbours.append(last + 1)
        } else {
            last -= 1
        }
        return neighbours
    }
}
