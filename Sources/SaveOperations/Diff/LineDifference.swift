/// The lines of two texts that have no partner in the other text.
///
///     x   a  b  c  d          removed  b
///     y   a  c  x  d          inserted x
///
/// Equal lines have the same number. The algorithm follows git step by step, so that the result is the same as git's.
/// First, Myers's algorithm in linear space (Myers 1986) compares the lines that are in both texts and not too
/// frequent. Then each group of changed lines slides to a change of the other text, or else as far down as possible.
struct LineDifference {
    /// A group of changed lines: the range of `x` that the range of `y` replaces.
    struct Change: Equatable {
        let x: Range<Int>
        let y: Range<Int>
    }

    private var x: ChangedLines
    private var y: ChangedLines

    init(_ x: [Int32], _ y: [Int32]) {
        self.x = ChangedLines(x)
        self.y = ChangedLines(y)
        compare()
        LineGroups.slide(&self.x, &self.y)
        LineGroups.slide(&self.y, &self.x)
    }

    var changes: [Change] {
        var changes: [Change] = []
        var (i, j) = (0, 0)
        while i < x.count || j < y.count {
            let (endOfX, endOfY) = (x.endOfGroup(from: i), y.endOfGroup(from: j))
            if endOfX > i || endOfY > j { changes.append(Change(x: i..<endOfX, y: j..<endOfY)) }
            (i, j) = (min(endOfX + 1, x.count), min(endOfY + 1, y.count))
        }
        return changes
    }

    /// Marks the changed lines. Lines without a partner, and lines that are too frequent, are marked before the
    /// comparison.
    private mutating func compare() {
        let ends = x.commonEnds(y)
        let (middleX, middleY) = (ends.start..<x.count - ends.end, ends.start..<y.count - ends.end)
        let (inX, inY) = (x.occurrences, y.occurrences)
        let telling = (x.takeInformative(middleX, partners: inY), y.takeInformative(middleY, partners: inX))
        var script = ShortestLineScript(telling.0.map { x.lines[$0] }, telling.1.map { y.lines[$0] })
        script.run()
        for (position, line) in telling.0.enumerated() where script.isRemoved[position] { x.isChanged[line] = true }
        for (position, line) in telling.1.enumerated() where script.isInserted[position] { y.isChanged[line] = true }
    }
}

/// The lines of a text, each with a mark if it is changed.
struct ChangedLines {
    let lines: [Int32]
    var isChanged: [Bool]

    var count: Int { lines.count }

    init(_ lines: [Int32]) {
        self.lines = lines
        isChanged = [Bool](repeating: false, count: lines.count)
    }

    /// Returns the end of the group of changed lines that begins at `start`; `start` itself if that line is unchanged.
    func endOfGroup(from start: Int) -> Int {
        var end = start
        while end < count, isChanged[end] { end += 1 }
        return min(end, count)
    }

    fileprivate var occurrences: [Int32: Int] {
        var occurrences: [Int32: Int] = [:]
        for line in lines { occurrences[line, default: 0] += 1 }
        return occurrences
    }

    /// Returns the number of lines that two texts share at the start and at the end.
    fileprivate func commonEnds(_ other: ChangedLines) -> (start: Int, end: Int) {
        let most = min(count, other.count)
        var (start, end) = (0, 0)
        while start < most, lines[start] == other.lines[start] { start += 1 }
        while end < most - start, lines[count - 1 - end] == other.lines[other.count - 1 - end] { end += 1 }
        return (start, end)
    }

    /// Returns the positions of the lines of a range that are worth comparing, and marks all others as changed.
    ///
    /// - Parameter partners: The number of occurrences of each line in the other text.
    fileprivate mutating func takeInformative(_ range: Range<Int>, partners: [Int32: Int]) -> [Int] {
        let many = min(Self.roughRoot(count), 1024)
        let rarities = lines[range].map { line -> Rarity in
            let count = partners[line] ?? 0
            return count == 0 ? .alone : count >= many ? .frequent : .telling
        }
        var telling: [Int] = []
        for (position, line) in range.enumerated() {
            let rarity = rarities[position]
            let isKept = rarity == .telling || rarity == .frequent && !Self.isAmongUnmatched(position, rarities)
            if isKept { telling.append(line) } else { isChanged[line] = true }
        }
        return telling
    }

    private enum Rarity { case alone, telling, frequent }

    /// Whether a frequent line is surrounded by lines without a partner, so that a match would only split a change.
    private static func isAmongUnmatched(_ position: Int, _ rarities: [Rarity]) -> Bool {
        let window = 100
        func counts(_ range: some Sequence<Int>) -> (alone: Int, frequent: Int) {
            var counts = (alone: 0, frequent: 1)
            for other in range {
                switch rarities[other] {
                case .alone: counts.alone += 1
                case .frequent: counts.frequent += 1
                case .telling: return counts
                }
            }
            return counts
        }
        let before = counts((max(0, position - window)..<position).reversed())
        guard before.alone > 0 else { return false }
        let following = counts(position + 1..<min(rarities.count, position + window + 1))
        guard following.alone > 0 else { return false }
        let (alone, frequent) = (before.alone + following.alone, before.frequent + following.frequent)
        return 4 * frequent < alone + frequent
    }

    /// Returns a power of two near the square root of a number.
    private static func roughRoot(_ number: Int) -> Int {
        var (root, rest) = (1, number)
        while rest > 0 {
            root <<= 1
            rest >>= 2
        }
        return root
    }
}

/// A pass that slides groups of changed lines. A group can slide down if the line after it equals its first line, and
/// up if the line before it equals its last line.
private struct LineGroups {
    private struct Group {
        var start = 0
        var end = 0
        var isEmpty: Bool { start == end }
    }

    private var text: ChangedLines
    private var group = Group()
    private let other: ChangedLines
    private var otherGroup = Group()
    /// The number of remaining steps. The limit keeps the time linear for hostile texts.
    private var steps: Int

    /// Slides the groups of one text. The groups of the other text stay.
    static func slide(_ text: inout ChangedLines, _ other: inout ChangedLines) {
        var groups = LineGroups(text, other)
        groups.run()
        text = groups.text
    }

    private init(_ text: ChangedLines, _ other: ChangedLines) {
        self.text = text
        self.other = other
        steps = 64 * (text.count + other.count + 16)
        group.end = text.endOfGroup(from: 0)
        otherGroup.end = other.endOfGroup(from: 0)
    }

    private mutating func run() {
        repeat {
            if !group.isEmpty { slideGroup() }
        } while Self.goOn(&group, text) && Self.goOn(&otherGroup, other)
    }

    private mutating func slideGroup() {
        var size = 0
        var highest = 0
        var hasMatch = false
        // A group that touches another one joins it, and may then slide farther.
        repeat {
            size = group.end - group.start
            while slideUp() { Self.retreat(&otherGroup, other) }
            highest = group.end
            hasMatch = !otherGroup.isEmpty
            while slideDown() {
                _ = Self.goOn(&otherGroup, other)
                hasMatch = hasMatch || !otherGroup.isEmpty
            }
        } while size != group.end - group.start
        guard group.end != highest, hasMatch else { return }
        while otherGroup.isEmpty, slideUp() { Self.retreat(&otherGroup, other) }
    }

    private mutating func slideUp() -> Bool {
        guard group.start > 0, text.lines[group.start - 1] == text.lines[group.end - 1], steps > 0 else { return false }
        steps -= 1
        group.start -= 1
        text.isChanged[group.start] = true
        group.end -= 1
        text.isChanged[group.end] = false
        while group.start > 0, text.isChanged[group.start - 1] { group.start -= 1 }
        return true
    }

    private mutating func slideDown() -> Bool {
        guard group.end < text.count, text.lines[group.start] == text.lines[group.end], steps > 0 else { return false }
        steps -= 1
        text.isChanged[group.start] = false
        group.start += 1
        text.isChanged[group.end] = true
        group.end = text.endOfGroup(from: group.end)
        return true
    }

    /// Advances to the next group, which may be empty.
    ///
    /// - Returns: False after the last group.
    private static func goOn(_ group: inout Group, _ text: ChangedLines) -> Bool {
        guard group.end < text.count else { return false }
        group.start = group.end + 1
        group.end = text.endOfGroup(from: group.start)
        return true
    }

    private static func retreat(_ group: inout Group, _ text: ChangedLines) {
        guard group.start > 0 else { return }
        group.end = group.start - 1
        group.start = group.end
        while group.start > 0, text.isChanged[group.start - 1] { group.start -= 1 }
    }
}
