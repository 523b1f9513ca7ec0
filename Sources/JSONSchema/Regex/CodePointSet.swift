/// A set of code points, lone surrogates among them: ranges that rise and neither touch nor overlap.
struct CodePointSet: Hashable, Sendable {
    let ranges: [ClosedRange<UInt32>]

    /// The last code point there is.
    static let last: UInt32 = 0x10FFFF
    /// Every code point.
    static let all = CodePointSet([0...last])

    /// The set of all code points in the ranges, which may come in any order and overlap.
    init(_ ranges: [ClosedRange<UInt32>]) {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let end = merged.last, range.lowerBound <= end.upperBound + 1 {
                merged[merged.count - 1] = end.lowerBound...max(end.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
    }

    /// The set of one code point.
    init(_ point: UInt32) {
        ranges = [point...point]
    }

    /// Whether the code point is in the set.
    func contains(_ point: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < point { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= point
    }

    /// All code points that are not in the set.
    var inverted: CodePointSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= Self.last { gaps.append(next...Self.last) }
        return CodePointSet(gaps)
    }

    /// The code points that are in either set.
    func union(_ other: CodePointSet) -> CodePointSet {
        CodePointSet(ranges + other.ranges)
    }

    /// The code points that are not in the other set.
    func subtracting(_ other: CodePointSet) -> CodePointSet {
        inverted.union(other).inverted
    }
}

extension CodePointSet {
    /// `\d`.
    static let digits = CodePointSet([0x30...0x39])
    /// `\w`.
    static let word = CodePointSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    /// `\s`: WhiteSpace and LineTerminator of ECMA-262, sections 12.2 and 12.3.
    static let space = CodePointSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
    /// What `.` does not match.
    static let lineTerminators = CodePointSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])
}
