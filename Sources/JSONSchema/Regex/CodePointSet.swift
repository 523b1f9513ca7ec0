import SaveCodec

/// A set of code points, including surrogates, as sorted ranges that neither overlap nor touch.
struct CodePointSet: Hashable, Sendable {
    let ranges: [ClosedRange<UInt32>]

    static let last: UInt32 = 0x10FFFF
    static let all = CodePointSet([0...last])

    /// Creates the union of the ranges, which may overlap and be in any order.
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

    init(_ point: UInt32) {
        ranges = [point...point]
    }

    func contains(_ point: UInt32) -> Bool {
        let index = ranges.partitioningIndex { $0.upperBound >= point }
        return index < ranges.count && ranges[index].lowerBound <= point
    }

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

    func union(_ other: CodePointSet) -> CodePointSet {
        CodePointSet(ranges + other.ranges)
    }

    func subtracting(_ other: CodePointSet) -> CodePointSet {
        inverted.union(other).inverted
    }

    /// The characters that `\d` matches.
    static let digits = CodePointSet([0x30...0x39])
    /// The characters that `\w` matches.
    static let word = CodePointSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    /// The characters that `\s` matches: WhiteSpace and LineTerminator of ECMA-262, sections 12.2 and 12.3.
    static let space = CodePointSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
    /// The characters that `.` does not match.
    static let lineTerminators = CodePointSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])
}
