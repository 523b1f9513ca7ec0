import SaveCodec

/// A word that may be mistyped: letters wrong, left out, put in or swapped, another case, or the end missing.
struct MistypedWord {
    private let folded: [UInt16]
    private let word: [UInt16]
    /// How many letters may be wrong.
    private let most: Int

    init(_ word: [UInt16]) {
        self.word = Array(word.prefix(65))
        folded = CaseFolding.folded(self.word)
        most = word.count > 1 ? max(1, word.count / 3) : 0
    }

    /// How far off a word is that goes on behind the end.
    static let missingEnd = 3

    /// How far off another word is; nil if that is not near. A letter counts 2, a missing end 3, and the case of all 1.
    func distance(to other: some Collection<UInt16>) -> Int? {
        guard !other.elementsEqual(word) else { return 0 }
        let isLonger = word.count > 1 && other.count > word.count + most
        guard word.count <= 64, other.count < word.count + 64, isLonger || abs(other.count - word.count) <= most else {
            return nil
        }
        let other = CaseFolding.folded(other)
        if isLonger { return other.starts(with: folded) ? Self.missingEnd : nil }
        let distance = EditDistance.between(other, folded)
        return distance <= most ? max(1, 2 * distance) : nil
    }

    /// How far off another word is that has the same letters, maybe in another case; nil if it has not.
    func distanceOfCase(to other: some Collection<UInt16>) -> Int? {
        guard word.count <= 64, other.count == word.count, CaseFolding.folded(other) == folded else { return nil }
        return other.elementsEqual(word) ? 0 : 1
    }
}
