import SaveCodec

/// The changes from one text to another: ranges of the old text, each with the length of the text that replaces it.
///
/// The texts are compared word by word, and the changed words then by their first and last characters.
struct TextDifference {
    private struct Change {
        /// The replaced range, in UTF-16 code units.
        let removed: Range<Int>
        /// The length of the replacement.
        let inserted: Int
    }

    private var changes: [Change] = []

    /// Compares two texts. Fails if they are equal.
    init?(from old: StoredString, to new: StoredString) {
        let (x, y) = (Words(old), Words(new))
        var (i, j) = (0, 0)
        for (word, partner) in CommonSubsequence(x.hashes, y.hashes).partners.enumerated()
        where partner >= 0 && old[x.range(word)].elementsEqual(new[y.range(partner)]) {
            add(old[x.starts[i]..<x.starts[word]], new[y.starts[j]..<y.starts[partner]])
            (i, j) = (word + 1, partner + 1)
        }
        add(old[x.starts[i]...], new[y.starts[j]...])
        if changes.isEmpty { return nil }
    }

    /// Adds the change from one part of a text to another. Equal characters at both ends are not part of the change.
    private mutating func add(_ old: Slice<StoredString>, _ new: Slice<StoredString>) {
        var prefix = zip(old, new).prefix { $0 == $1 }.count
        // A surrogate pair is replaced as a whole.
        if prefix > 0, UTF16.isLeadSurrogate(old[old.startIndex + prefix - 1]) { prefix -= 1 }
        let (restOfOld, restOfNew) = (old.dropFirst(prefix), new.dropFirst(prefix))
        var suffix = zip(restOfOld.reversed(), restOfNew.reversed()).prefix { $0 == $1 }.count
        if suffix > 0, UTF16.isTrailSurrogate(old[old.endIndex - suffix]) { suffix -= 1 }
        let removed = restOfOld.dropLast(suffix)
        let inserted = restOfNew.count - suffix
        guard !removed.isEmpty || inserted > 0 else { return }
        changes.append(Change(removed: removed.startIndex..<removed.endIndex, inserted: inserted))
    }

    /// Returns the new lengths of runs; 0 for a run whose characters are all removed.
    ///
    /// New characters belong to the run of the first character that they replace, or else of the one before them.
    func adapted(_ lengths: [Int]) -> [Int] {
        guard !lengths.isEmpty else { return [] }
        var adapted = lengths
        var (run, end) = (0, lengths[0])
        for change in changes {
            let heir = change.removed.isEmpty ? max(change.removed.lowerBound - 1, 0) : change.removed.lowerBound
            while end <= heir, run + 1 < lengths.count {
                run += 1
                end += lengths[run]
            }
            adapted[run] += change.inserted
            var removed = change.removed
            while !removed.isEmpty {
                let part = removed.clamped(to: end - lengths[run]..<end)
                adapted[run] -= part.count
                removed = part.upperBound..<removed.upperBound
                guard !removed.isEmpty, run + 1 < lengths.count else { break }
                run += 1
                end += lengths[run]
            }
        }
        return adapted
    }

    func sentence(lengths: [Int]) -> String {
        let adapted = adapted(lengths)
        let gone = adapted.indices.filter { adapted[$0] == 0 }
        guard let first = gone.first else { return "the runs follow the new text" }
        return "the runs follow the new text; "
            + (gone.count == 1
                ? "run \(first) is removed with its characters"
                : "\(gone.count) runs are removed with their characters")
    }
}

/// The words of a text, and the characters between them.
private struct Words {
    /// The start of each word, and the end of the text.
    private(set) var starts: [Int] = []
    private(set) var hashes: [UInt64] = []

    /// The maximum length of a text that is divided into words.
    private static let limit = 1 << 20

    init(_ text: StoredString) {
        var position = 0
        while position < text.count {
            let end = text.count > Self.limit ? text.count : Self.end(ofWordAt: position, in: text)
            var hasher = Hasher()
            for unit in text[position..<end] { hasher.combine(unit) }
            starts.append(position)
            hashes.append(UInt64(bitPattern: Int64(hasher.finalize())))
            position = end
        }
        starts.append(position)
    }

    func range(_ word: Int) -> Range<Int> { starts[word]..<starts[word + 1] }

    private static func end(ofWordAt start: Int, in text: StoredString) -> Int {
        var end = start + 1
        if isLetter(text[start]) {
            while end < text.count, isLetter(text[end]) { end += 1 }
        } else if UTF16.isLeadSurrogate(text[start]), end < text.count, UTF16.isTrailSurrogate(text[end]) {
            end += 1
        }
        return end
    }

    /// Whether a code unit is part of a word: an ASCII letter or digit, or any character above ASCII except surrogates.
    private static func isLetter(_ unit: UInt16) -> Bool {
        unit.isLetterOrDigit || unit >= 0x80 && !(0xD800...0xDFFF).contains(unit)
    }
}
