/// Changes of a text, collected in any order and applied in one pass.
///
///     a = 1; b = 2;        delete 0..<7, insert "c = 3; " at 7        c = 3; b = 2;
struct Splices {
    /// What stands first where several pieces are inserted at one offset.
    enum Rank: Int {
        /// The separator behind a member.
        case separator
        /// New members.
        case members
        /// What replaces the text that begins there.
        case replacement
    }

    private struct Insertion {
        let offset: Int
        let rank: Rank
        let number: Int
        let text: [UInt8]
    }

    private var deletions: [Range<Int>] = []
    private var insertions: [Insertion] = []

    /// Removes a range. Ranges may overlap.
    mutating func delete(_ range: Range<Int>) {
        if !range.isEmpty { deletions.append(range) }
    }

    /// Inserts text before what stands at an offset, whether or not that is removed.
    mutating func insert(_ text: [UInt8], at offset: Int, _ rank: Rank) {
        insertions.append(Insertion(offset: offset, rank: rank, number: insertions.count, text: text))
    }

    /// Replaces a range.
    mutating func replace(_ range: Range<Int>, with text: [UInt8]) {
        delete(range)
        insert(text, at: range.lowerBound, .replacement)
    }

    /// What is removed.
    fileprivate var deleted: MergedRanges { MergedRanges(deletions) }

    /// The same with references, where the syntax has them, in place of characters that an encoding lacks; nil if the
    /// syntax has none.
    func escaped(_ syntax: any TextSyntax, for encoding: StoredEncoding) -> Splices? {
        var result = self
        for (number, insertion) in insertions.enumerated() {
            guard let text = syntax.escaping(insertion.text, unless: { encoding.encode($0) != nil }) else { return nil }
            result.insertions[number] = Insertion(
                offset: insertion.offset, rank: insertion.rank, number: insertion.number, text: text)
        }
        return result
    }

    /// The text with all changes.
    func applied(to text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count + insertions.reduce(0) { $0 + $1.text.count })
        var position = 0
        var gaps = deletions.sorted { $0.lowerBound < $1.lowerBound }[...]
        func copy(to end: Int) {
            while position < end {
                guard let gap = gaps.first, gap.lowerBound < end else {
                    result += text[position..<end]
                    position = end
                    return
                }
                if gap.lowerBound > position { result += text[position..<gap.lowerBound] }
                position = max(position, min(gap.upperBound, end))
                if gap.upperBound <= end { gaps.removeFirst() } else { return }
            }
        }
        for insertion in insertions.sorted(by: {
            ($0.offset, $0.rank.rawValue, $0.number) < ($1.offset, $1.rank.rawValue, $1.number)
        }) {
            copy(to: insertion.offset)
            result += insertion.text
        }
        copy(to: text.count)
        return result
    }
}

/// Ranges of which it is asked which others lie in them.
private struct MergedRanges {
    /// In rising order, with something between any two.
    private(set) var ranges: [Range<Int>] = []

    init(_ ranges: [Range<Int>]) {
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = self.ranges.last, range.lowerBound <= last.upperBound {
                self.ranges[self.ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    /// Whether a range lies in one of these.
    func contains(_ range: Range<Int>) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].lowerBound <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low > 0 && ranges[low - 1].upperBound >= range.upperBound
    }
}

// MARK: Locations after an edit

extension SourceMap {
    /// Edits the text so that it reads as another document.
    ///
    /// - Parameter keepsComments: whether the comments above members stay that are removed.
    /// - Returns: the bytes of the file; nil if only a file that is written anew can hold the document.
    package func edited(
        by change: DocumentChange, as format: Format, taking sources: TextSources, keepsComments: Bool
    ) -> (bytes: [UInt8], removedComments: [RemovedComment])? {
        guard let syntax = format.writing?.syntax(of: self) else { return nil }
        var editor = TextEditor(change, at: self, syntax, taking: sources, keepsComments: keepsComments)
        guard let splices = editor.edited() else { return nil }
        let bytes =
            fileBytes(of: splices.applied(to: text))
            ?? splices.escaped(syntax, for: stored).flatMap { fileBytes(of: $0.applied(to: text)) }
        guard let bytes else { return nil }
        // Most edits remove no comment: then there is no need to look for those of the whole text.
        guard splices.deleted.ranges.contains(where: { !format.definition.comments(in: Array(text[$0])).isEmpty })
        else {
            return (bytes, [])
        }
        let (deleted, moved) = (splices.deleted, MergedRanges(editor.moved))
        let comments = format.definition.comments(in: text).filter { deleted.contains($0) && !moved.contains($0) }
        let lines = LineTable(text)
        return (
            bytes, comments.map { RemovedComment(location: lines.location(of: $0.lowerBound), text: Array(text[$0])) }
        )
    }
}

/// A comment that an edit took out of a text, with what it belongs to.
package struct RemovedComment: Sendable {
    /// Where it stood.
    package let location: SourceLocation
    /// The comment in UTF-8, as it stood there.
    package let text: [UInt8]
}
