/// A line-by-line merge of three texts, as in git: a change that only one side made is in the result.
///
///     base    ours    theirs      result
///     a       a       a           a
///     b       x       b           x
///     c       c       c           c
///     d       d       y           y
///
/// Changes that overlap or touch each other are in conflict, unless both sides made the same change. At a conflict, the
/// result has the lines from ours. If all three texts have the same number of lines there, lines that only theirs
/// changed come from theirs. A ``Choice`` overrides both. If no text mixes line ends, the line ends are merged
/// separately from the lines.
package struct LineMerge {
    /// The lines to take at a conflict instead of the lines from ours.
    package enum Choice: Sendable {
        case theirs
        /// The lines from ours, then the lines from theirs.
        case both
    }

    /// A range of lines, counted from 0, that the two sides changed differently.
    package struct Conflict: Sendable {
        package let ours: Range<Int>
        package let theirs: Range<Int>
    }

    package private(set) var text: [UInt8] = []
    /// The conflicts, in line order, including the ones settled by a ``Choice``.
    package private(set) var conflicts: [Conflict] = []

    private var lines: LineNumbers
    private let base: [Int32]
    private let ours: [Int32]
    private let theirs: [Int32]

    /// - Parameter choices: The lines to take at conflicts, by position in ``conflicts``.
    package init(base: [UInt8], ours: [UInt8], theirs: [UInt8], taking choices: [Int: Choice] = [:]) {
        let ends = [base, ours, theirs].map(LineEnds.init)
        let isEven = ends.allSatisfy { $0 != .mixed }
        lines = LineNumbers(dropsReturns: isEven)
        self.base = lines.numbers(of: base)
        self.ours = lines.numbers(of: ours)
        self.theirs = lines.numbers(of: theirs)
        merge(taking: choices)
        if isEven, LineEnds.merged(base: ends[0], ours: ends[1], theirs: ends[2]) == .crlf { addReturns() }
    }

    // MARK: Changes

    /// A range of lines of the base that at least one side changed, and the matching ranges in ours and theirs.
    private struct Region {
        var base: Range<Int>
        var ours: Range<Int>
        var theirs: Range<Int>
        /// Whether only theirs changed the range.
        var isTheirs: Bool
        var isConflict = false

        /// Extends the region by another region that overlaps or touches it.
        mutating func join(_ other: Region) {
            isConflict = isConflict || other.isConflict || isTheirs != other.isTheirs
            base = base.lowerBound..<other.base.upperBound
            ours = ours.lowerBound..<other.ours.upperBound
            theirs = theirs.lowerBound..<other.theirs.upperBound
        }
    }

    private mutating func merge(taking choices: [Int: Choice]) {
        var position = 0
        for region in regions() {
            append(ours[position..<region.ours.lowerBound])
            position = region.ours.upperBound
            let isSame = region.isConflict && ours[region.ours].elementsEqual(theirs[region.theirs])
            var takesTheirs = region.isTheirs && !region.isConflict
            var takesOurs = !takesTheirs
            if region.isConflict, !isSame {
                if let choice = choices[conflicts.count] { (takesOurs, takesTheirs) = (choice == .both, true) }
                conflicts.append(Conflict(ours: region.ours, theirs: region.theirs))
            }
            if takesOurs { append(takesTheirs ? ours[region.ours] : ownLines(of: region)[...]) }
            if takesTheirs { append(theirs[region.theirs]) }
        }
        append(ours[position...])
    }

    /// Returns the lines from ours. If all three texts have the same number of lines, lines that only theirs changed
    /// come from theirs.
    private func ownLines(of region: Region) -> [Int32] {
        let mine = ours[region.ours]
        guard region.isConflict, mine.count == region.base.count, mine.count == region.theirs.count else {
            return Array(mine)
        }
        return zip(mine, zip(base[region.base], theirs[region.theirs])).map { $0 == $1.0 ? $1.1 : $0 }
    }

    /// Returns the regions in order. Ranges that both sides changed in the same way are left out.
    private func regions() -> [Region] {
        var regions: [Region] = []
        func add(_ region: Region) {
            if let last = regions.last,
                region.ours.lowerBound <= last.ours.upperBound || region.theirs.lowerBound <= last.theirs.upperBound
            {
                regions[regions.count - 1].join(region)
            } else {
                regions.append(region)
            }
        }
        var mine = LineDifference(base, ours).changes[...]
        var others = LineDifference(base, theirs).changes[...]
        // The difference between the line numbers of each side and of the base, before the next change.
        var shift = (ours: 0, theirs: 0)
        while !mine.isEmpty || !others.isEmpty {
            let (x, y) = (mine.first, others.first)
            if let x, y.map({ x.x.upperBound < $0.x.lowerBound }) ?? true {
                add(Region(base: x.x, ours: x.y, theirs: x.x.shifted(by: shift.theirs), isTheirs: false))
                shift.ours = x.y.upperBound - x.x.upperBound
                mine.removeFirst()
            } else if let y, x.map({ y.x.upperBound < $0.x.lowerBound }) ?? true {
                add(Region(base: y.x, ours: y.x.shifted(by: shift.ours), theirs: y.y, isTheirs: true))
                shift.theirs = y.y.upperBound - y.x.upperBound
                others.removeFirst()
            } else if let x, let y {
                if x.x != y.x || !ours[x.y].elementsEqual(theirs[y.y]) { add(Self.conflict(x, y)) }
                if x.x.upperBound >= y.x.upperBound {
                    shift.theirs = y.y.upperBound - y.x.upperBound
                    others.removeFirst()
                }
                if y.x.upperBound >= x.x.upperBound {
                    shift.ours = x.y.upperBound - x.x.upperBound
                    mine.removeFirst()
                }
            }
        }
        return regions
    }

    /// Returns the region that covers two overlapping changes.
    private static func conflict(_ x: LineDifference.Change, _ y: LineDifference.Change) -> Region {
        let base = min(x.x.lowerBound, y.x.lowerBound)..<max(x.x.upperBound, y.x.upperBound)
        func widened(_ change: LineDifference.Change) -> Range<Int> {
            let start = change.y.lowerBound - (change.x.lowerBound - base.lowerBound)
            return start..<change.y.upperBound + (base.upperBound - change.x.upperBound)
        }
        return Region(base: base, ours: widened(x), theirs: widened(y), isTheirs: false, isConflict: true)
    }

    // MARK: Text

    private mutating func append(_ numbers: ArraySlice<Int32>) {
        for number in numbers { text += lines[number] }
    }

    private mutating func addReturns() {
        var result: [UInt8] = []
        result.reserveCapacity(text.count + text.count / 16)
        for byte in text {
            if byte == 0x0A { result.append(0x0D) }
            result.append(byte)
        }
        text = result
    }
}

extension Range<Int> {
    fileprivate func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}

extension LineMerge {
    /// Returns two texts as one. The lines in which they differ are enclosed in git's conflict markers.
    package static func marked(ours: [UInt8], theirs: [UInt8]) -> [UInt8] {
        var lines = LineNumbers(dropsReturns: false)
        let (x, y) = (lines.numbers(of: ours), lines.numbers(of: theirs))
        var result: [UInt8] = []
        func add(_ numbers: ArraySlice<Int32>) {
            for number in numbers { result += lines[number] }
        }
        func mark(_ marker: StaticString) {
            if let last = result.last, last != 0x0A { result.append(0x0A) }
            result += "\(marker)\n".utf8
        }
        var position = 0
        for change in LineDifference(x, y).changes {
            add(x[position..<change.x.lowerBound])
            mark("<<<<<<< ours")
            add(x[change.x])
            mark("=======")
            add(y[change.y])
            mark(">>>>>>> theirs")
            position = change.x.upperBound
        }
        add(x[position...])
        return result
    }
}

/// The distinct lines of several texts, numbered from 0.
private struct LineNumbers {
    private let dropsReturns: Bool
    private var numbers: [ArraySlice<UInt8>: Int32] = [:]
    private var lines: [ArraySlice<UInt8>] = []

    /// - Parameter dropsReturns: Whether carriage returns are removed from the lines.
    init(dropsReturns: Bool) {
        self.dropsReturns = dropsReturns
    }

    subscript(number: Int32) -> ArraySlice<UInt8> { lines[Int(number)] }

    /// Returns the numbers of the lines of a text. A line includes its line feed.
    mutating func numbers(of text: [UInt8]) -> [Int32] {
        let text = dropsReturns ? LineEnds.withoutReturns(text) : text
        var result: [Int32] = []
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.count
            result.append(number(text[start..<end]))
            start = end
        }
        return result
    }

    private mutating func number(_ line: ArraySlice<UInt8>) -> Int32 {
        if let number = numbers[line] { return number }
        let number = Int32(truncatingIfNeeded: lines.count)
        numbers[line] = number
        lines.append(line)
        return number
    }
}

private enum LineEnds {
    case none, lf, crlf, mixed

    init(_ text: [UInt8]) {
        self = .none
        for offset in text.indices where text[offset] == 0x0A || text[offset] == 0x0D {
            let isFeed = text[offset] == 0x0A
            let isPair = !isFeed && offset + 1 < text.count && text[offset + 1] == 0x0A
            if isPair { continue }
            let end = isFeed ? offset > 0 && text[offset - 1] == 0x0D ? LineEnds.crlf : .lf : .mixed
            if self == .none { self = end } else if self != end { self = .mixed }
        }
    }

    /// Returns the line ends of the result: theirs if ours has none or kept the line ends of the base, and otherwise
    /// ours.
    static func merged(base: LineEnds, ours: LineEnds, theirs: LineEnds) -> LineEnds {
        if ours == .none { return theirs }
        return theirs != .none && ours == base ? theirs : ours
    }

    static func withoutReturns(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(0x0D) else { return text }
        return text.indices.filter { text[$0] != 0x0D }.map { text[$0] }
    }
}
