/// A collection of changes to a text, which are added in any order and applied in one pass.
///
///     a = 1; b = 2;        delete 0..<7, insert "c = 3; " at 7        c = 3; b = 2;
struct Splices {
    /// The order of texts inserted at the same offset.
    enum Rank: Int {
        /// The separator after a member.
        case separator
        case members
        /// The replacement of the text that begins at the offset.
        case replacement
    }

    private struct Insertion {
        let offset: Int
        /// The range of the text in ``texts``. Texts with the same offset and rank stay in the order of this range.
        let start: Int
        let count: UInt32
        let rank: Rank

        static func < (a: Insertion, b: Insertion) -> Bool {
            (a.offset, a.rank.rawValue, a.start) < (b.offset, b.rank.rawValue, b.start)
        }
    }

    private var deletions: [SourceRange] = []
    private var insertions: [Insertion] = []
    /// The inserted texts, one after the other.
    private var texts: [UInt8] = []

    /// Reserves memory for replacements.
    mutating func reserve(replacements count: Int) {
        deletions.reserveCapacity(count)
        insertions.reserveCapacity(count)
    }

    /// Removes a range. Ranges may overlap.
    mutating func delete(_ range: Range<Int>) {
        if !range.isEmpty { deletions.append(SourceRange(range)) }
    }

    /// Inserts text before the byte at an offset. The byte may itself be removed.
    mutating func insert(_ text: [UInt8], at offset: Int, _ rank: Rank) {
        let count = UInt32(clamping: text.count)
        insertions.append(Insertion(offset: offset, start: texts.count, count: count, rank: rank))
        texts += text
    }

    mutating func replace(_ range: Range<Int>, with text: [UInt8]) {
        delete(range)
        insert(text, at: range.lowerBound, .replacement)
    }

    fileprivate var deleted: MergedRanges { MergedRanges(deletions.map(\.range)) }

    /// Returns these changes with character references for characters that an encoding lacks; nil if the syntax has no
    /// references.
    func escaped(_ syntax: any TextSyntax, for encoding: StoredEncoding) -> Splices? {
        var result = Splices()
        result.deletions = deletions
        for insertion in insertions {
            let text = syntax.escaping(Array(text(of: insertion)), unless: { encoding.encode($0) != nil })
            guard let text else { return nil }
            result.insert(text, at: insertion.offset, insertion.rank)
        }
        return result
    }

    private func text(of insertion: Insertion) -> ArraySlice<UInt8> {
        texts[insertion.start..<insertion.start + Int(insertion.count)]
    }

    func applied(to text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count + texts.count)
        var position = 0
        var gaps = deletions.inOrder { $0.range.lowerBound < $1.range.lowerBound }[...]
        func copy(to end: Int) {
            while position < end {
                guard let gap = gaps.first?.range, gap.lowerBound < end else {
                    result += text[position..<end]
                    position = end
                    return
                }
                if gap.lowerBound > position { result += text[position..<gap.lowerBound] }
                position = max(position, min(gap.upperBound, end))
                if gap.upperBound <= end { gaps.removeFirst() } else { return }
            }
        }
        for insertion in insertions.inOrder(by: <) {
            copy(to: insertion.offset)
            result += self.text(of: insertion)
        }
        copy(to: text.count)
        return result
    }
}

extension Array {
    /// Returns the elements in order. Most edits are made from the beginning of a text to its end.
    fileprivate func inOrder(by precedes: (Element, Element) -> Bool) -> [Element] {
        zip(self, dropFirst()).contains { precedes($1, $0) } ? sorted(by: precedes) : self
    }
}

/// A set of ranges that can be searched for one that contains a given range.
private struct MergedRanges {
    /// The ranges in ascending order, with gaps between them.
    private(set) var ranges: [Range<Int>] = []

    init(_ ranges: [Range<Int>]) {
        for range in ranges.inOrder(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = self.ranges.last, range.lowerBound <= last.upperBound {
                self.ranges[self.ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    /// Whether one of the ranges contains `range`.
    func contains(_ range: Range<Int>) -> Bool {
        let next = ranges.partitioningIndex { $0.lowerBound > range.lowerBound }
        return next > 0 && ranges[next - 1].upperBound >= range.upperBound
    }
}

// MARK: Editing a text

extension SourceMap {
    /// Edits the text so that it represents another document.
    ///
    /// - Parameter keepsComments: Whether the comments above removed members stay.
    /// - Returns: The bytes of the edited file and the removed comments; nil if the document can only be represented by
    ///   rewriting the whole file.
    package func edited(
        by change: consuming DocumentChange, as format: Format, taking sources: TextSources, keepsComments: Bool
    ) -> (bytes: [UInt8], removedComments: [RemovedComment])? {
        guard let syntax = format.writing?.syntax(of: self) else { return nil }
        let editor = TextEditor(change, at: self, syntax, taking: sources, keepsComments: keepsComments)
        guard let edit = editor.edited() else { return nil }
        let splices = edit.splices
        let bytes =
            fileBytes(of: splices.applied(to: text))
            ?? splices.escaped(syntax, for: stored).flatMap { fileBytes(of: $0.applied(to: text)) }
        guard let bytes else { return nil }
        // Most edits remove no comment. Only the others need a search for all comments of the text.
        guard syntax.mayHaveComments,
            splices.deleted.ranges.contains(where: { !format.definition.comments(in: Array(text[$0])).isEmpty })
        else {
            return (bytes, [])
        }
        let (deleted, moved) = (splices.deleted, MergedRanges(edit.moved))
        let kept = keptComments(of: edit.respelled, as: format)
        let comments = format.definition.comments(in: text).filter {
            deleted.contains($0) && !moved.contains($0) && !kept.contains($0)
        }
        let lines = LineTable(text)
        return (
            bytes, comments.map { RemovedComment(location: lines.location(of: $0.lowerBound), text: Array(text[$0])) }
        )
    }

    /// Returns the ranges of the comments in replaced values that also occur in the new texts of these values.
    private func keptComments(
        of values: [(range: Range<Int>, text: [UInt8])], as format: Format
    ) -> Set<Range<Int>> {
        var kept: Set<Range<Int>> = []
        for (range, new) in values {
            let comments = format.definition.comments(in: Array(text[range]))
            guard !comments.isEmpty else { continue }
            var counts: [ArraySlice<UInt8>: Int] = [:]
            for comment in format.definition.comments(in: new) { counts[new[comment], default: 0] += 1 }
            for comment in comments {
                let commentRange = range.lowerBound + comment.lowerBound..<range.lowerBound + comment.upperBound
                guard let count = counts[text[commentRange]], count > 0 else { continue }
                counts[text[commentRange]] = count - 1
                kept.insert(commentRange)
            }
        }
        return kept
    }
}

/// A comment that an edit removed from a text.
package struct RemovedComment: Sendable {
    /// The location before the edit.
    package let location: SourceLocation
    /// The comment in UTF-8.
    package let text: [UInt8]
}
