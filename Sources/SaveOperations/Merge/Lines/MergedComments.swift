package import SaveCodec

/// A text, and the parts of it that no document keeps: comments, which are compared by content, numbers with more digits
/// than a value can hold, and the text that the reader ignores.
package struct CommentedText {
    package let text: [UInt8]
    private let comments: [Range<Int>]
    /// The range of the ignored text without white space at its end. It is empty, at the end of the text, if there is
    /// none.
    private let ignored: Range<Int>
    private let format: Format

    package init(_ text: [UInt8], as format: Format, ignoredFrom start: Int? = nil) {
        (self.text, self.format) = (text, format)
        let end = text.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
        ignored = min(start ?? end, end)..<end
        let comments = format.definition.comments(in: text).filter { $0.lowerBound < start ?? text.count }
        self.comments = comments + format.definition.inexactNumbers(in: text)
    }

    package init(_ save: Save) {
        self.init(
            save.map?.text ?? save.decoded.text, as: save.format, ignoredFrom: save.source.ignoredTextStart)
    }

    /// The lines of the ignored text; nil if readers of the format ignore no text. Two texts with different line ends
    /// can have the same lines.
    fileprivate var ignoredLines: [UInt8]? {
        guard format.has(.text), !format.has(.typedJSON) else { return nil }
        return ignored.isEmpty ? [] : text[ignored].filter { $0 != 0x0D } + [0x0A]
    }

    /// Returns the ignored text from the first line that differs from another text; an empty range, at the end of the
    /// text, if it only lacks lines of the other text.
    fileprivate func ignoredText(differingFrom other: CommentedText?) -> Range<Int> {
        var end = ignored.lowerBound
        for (byte, same) in zip(text[ignored], other.map { $0.text[$0.ignored] } ?? []) {
            guard byte == same else { break }
            end += 1
        }
        guard end < ignored.upperBound else { return end..<end }
        let start = text[ignored.lowerBound..<end].lastIndex(of: 0x0A).map { $0 + 1 } ?? ignored.lowerBound
        return start..<ignored.upperBound
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

/// A check that a merged text keeps the comments of both sides, and the changes of ignored text.
package enum MergedComments {
    /// A comment, a number or ignored text that is missing from the result of a merge.
    package struct LostText {
        /// Whether ``range`` is in theirs; otherwise it is in ours.
        package let isTheirs: Bool
        /// The range on that side. It is empty if the side removed ignored text.
        package let range: Range<Int>
        package var isIgnoredText = false
    }

    /// Returns the ignored text that a side changed, and whose change is missing from the result, or nil.
    ///
    /// Changes of both sides are merged by lines. If they are in conflict, the change of theirs counts as missing. A side
    /// in a format without ignored text did not change it.
    package static func lostIgnoredText(
        base: CommentedText?, ours: CommentedText, theirs: CommentedText, in result: CommentedText
    ) -> LostText? {
        let was = base?.ignoredLines ?? []
        let (mine, others, left) = (
            ours.ignoredLines ?? was, theirs.ignoredLines ?? was, result.ignoredLines ?? was
        )
        var expected: [UInt8]? = others == was ? mine : others
        if others != was, mine != was, mine != others {
            let merge = LineMerge(base: was, ours: mine, theirs: others)
            expected = merge.conflicts.isEmpty ? merge.text : nil
        }
        guard left != expected else { return nil }
        let isTheirs = expected != mine && left != others
        let side = isTheirs ? theirs : ours
        let range = side.ignoredText(differingFrom: side.ignoredLines == was ? nil : base)
        return LostText(isTheirs: isTheirs, range: range, isIgnoredText: true)
    }

    /// Returns the missing text: comments that a side added or changed, comments that both sides kept, and changes of
    /// ignored text.
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
        if let text = lostIgnoredText(base: base, ours: ours, theirs: theirs, in: result) { lost.append(text) }
        return lost.sorted { ($0.isTheirs ? 1 : 0, $0.range.lowerBound) < ($1.isTheirs ? 1 : 0, $1.range.lowerBound) }
    }

    /// Whether the result has a comment that ours removed and theirs did not add.
    package static func restores(
        base: CommentedText, ours: CommentedText, theirs: CommentedText, in result: CommentedText
    ) -> Bool {
        let (was, mine, others, left) = (
            base.rangesByContent, ours.rangesByContent, theirs.rangesByContent, result.rangesByContent
        )
        return was.contains { contents, ranges in
            let (kept, added) = (mine[contents]?.count ?? 0, (others[contents]?.count ?? 0) - ranges.count)
            return kept < ranges.count && left[contents]?.count ?? 0 > kept + max(added, 0)
        }
    }
}
