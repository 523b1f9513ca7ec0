package import SaveCodec

/// A text, and the parts of it that no document keeps: comments, which are compared by content, and numbers with more
/// digits than a value can hold.
package struct CommentedText {
    let text: [UInt8]
    private let comments: [Range<Int>]

    package init(_ text: [UInt8], as format: Format) {
        self.text = text
        comments = format.definition.comments(in: text) + format.definition.inexactNumbers(in: text)
    }

    fileprivate var rangesByContent: [ArraySlice<UInt8>: [Range<Int>]] {
        Dictionary(grouping: comments) { contents($0) }
    }

    /// Returns the content of a comment, without its delimiters and the white space at both ends.
    private func contents(_ range: Range<Int>) -> ArraySlice<UInt8> {
        var contents = text[range]
        for (start, end) in [("<!--", "-->"), ("/*", "*/"), ("//", "")] where contents.starts(with: start.utf8) {
            contents = contents.dropFirst(start.utf8.count)
            if contents.suffix(end.utf8.count).elementsEqual(end.utf8) { contents = contents.dropLast(end.utf8.count) }
            break
        }
        while let first = contents.first, first <= 0x20 { contents = contents.dropFirst() }
        while let last = contents.last, last <= 0x20 { contents = contents.dropLast() }
        return contents
    }
}

/// A check that a merged text keeps the comments of both sides.
package enum MergedComments {
    /// A comment or a number that is missing from the result of a merge.
    package struct LostText {
        /// Whether ``range`` is in theirs; otherwise it is in ours.
        package let isTheirs: Bool
        package let range: Range<Int>
    }

    /// Returns the missing comments: comments that a side added or changed, and comments that both sides kept.
    ///
    /// Comments with equal content are counted. A comment that both sides added is expected only once. If both sides
    /// removed some of several equal comments, as with the comment "Flag: untranslated" of two entries of a strings
    /// file, the result may lack all of them: each side may have removed others.
    package static func lost(
        base: CommentedText?, ours: CommentedText, theirs: CommentedText, in result: CommentedText
    ) -> [LostText] {
        let (was, mine, others, left) = (
            base?.rangesByContent ?? [:], ours.rangesByContent, theirs.rangesByContent, result.rangesByContent
        )
        var lost: [LostText] = []
        for contents in Set(mine.keys).union(others.keys) {
            func count(_ ranges: [ArraySlice<UInt8>: [Range<Int>]]) -> Int { ranges[contents]?.count ?? 0 }
            let (b, o, t) = (count(was), count(mine), count(others))
            let expected = o >= b && t >= b ? max(o, t) : o + t - b
            let missing = expected - count(left)
            guard missing > 0 else { continue }
            let isTheirs = t - b >= o - b
            let ranges = (isTheirs ? others : mine)[contents] ?? []
            lost += ranges.suffix(missing).map { LostText(isTheirs: isTheirs, range: $0) }
        }
        return lost.sorted { ($0.isTheirs ? 1 : 0, $0.range.lowerBound) < ($1.isTheirs ? 1 : 0, $1.range.lowerBound) }
    }
}
