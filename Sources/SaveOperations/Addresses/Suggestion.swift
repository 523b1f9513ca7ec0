import KeyedArchives
package import SaveCodec

/// What somebody may have meant.
package enum Suggestion {
    /// The one of `names` that is nearest to `word`, the first of equals; one that merely begins with it only if no other
    /// does. Nil if none is near.
    package static func nearest(to word: String, in names: [String]) -> String? {
        let mistyped = MistypedWord(Array(word.utf16))
        var best: (name: String, distance: Int)?
        var count = 0
        for name in names {
            guard let distance = mistyped.distance(to: name.utf16), distance <= best?.distance ?? .max else { continue }
            count = distance == best?.distance ? count + 1 : 1
            if count == 1 { best = (name, distance) }
        }
        guard let best, count == 1 || best.distance != MistypedWord.missingEnd else { return nil }
        return best.name
    }

    /// The address that a text is if only the slash is missing that it should begin with.
    package static func address(withSlashBefore text: String) -> JSONPointer? {
        !text.isEmpty && !text.hasPrefix("/") ? JSONPointer("/" + text) : nil
    }

    /// The end of a sentence about an address that does not exist: the nearest one that does, as typed. Very long
    /// addresses get no suggestion: they were not typed by hand.
    package static func sentence(_ nearest: JSONPointer?) -> String {
        guard let nearest else { return "" }
        let text = nearest == .root ? "''" : nearest.description
        return text.utf16.count > 160 ? "" : sentence(text)
    }

    /// The end of a sentence about `/` where no key is empty, as many who type it mean the root; nil for another address.
    static func rootOrEmptyKey(_ address: JSONPointer) -> String? {
        address == .emptyKey ? "; '' is the root, / is the empty key" : nil
    }

    /// The end of a sentence about what means nothing; nothing where there is no suggestion.
    package static func sentence(_ suggestion: String?) -> String {
        suggestion.map { "; did you mean \($0)?" } ?? ""
    }
}

// MARK: Mistyped words

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

// MARK: Paths of other tools

/// A path as other tools write it, which someone typed in place of an address or of one of its steps:
///
///     a.0.b     plutil        :a:0:b     PlistBuddy        .a[0].b     jq
///
/// A key may contain the separators, with or without a backslash, so the longest key that exists is followed first:
/// `root.charList.0.position.x` leads to the field `position.x`.
struct ForeignPath {
    /// The parts between separators, as ranges of the text.
    private let parts: [Range<Int>]
    private let text: [UInt16]

    private static let longest = 512
    private static let mostParts = 64
    /// The number of keys that are looked up at most.
    private static let mostSteps = 2000
    private static let backslash = UInt16(UInt8(ascii: "\\"))

    /// The path that a text is; nil for a text without separators.
    init?(_ text: [UInt16]) {
        guard text.count <= Self.longest else { return nil }
        var parts: [Range<Int>] = []
        var (start, position) = (0, 0)
        while position <= text.count {
            if position == text.count || Self.isSeparator(text[position]) {
                if position > start { parts.append(start..<position) }
                start = position + 1
            } else if text[position] == Self.backslash {
                position += 1
            }
            position += 1
        }
        guard let first = parts.first, first.count < text.count, parts.count <= Self.mostParts else { return nil }
        (self.parts, self.text) = (parts, text)
    }

    private static func isSeparator(_ unit: UInt16) -> Bool {
        unit < 0x80 && ".:[]".utf8.contains(UInt8(truncatingIfNeeded: unit))
    }

    /// The keys of the path, each part one.
    var keys: [[UInt16]] { parts.map(key) }

    /// A part of the text as a key: without the backslashes before separators.
    private func key(_ range: Range<Int>) -> [UInt16] {
        var key: [UInt16] = []
        for position in range {
            let next = position + 1
            let isEscape = text[position] == Self.backslash && next < range.upperBound && Self.isSeparator(text[next])
            if !isEscape { key.append(text[position]) }
        }
        return key
    }

    /// Follows the path down from a value. Returns where it leads and the steps; nil if it leads nowhere.
    func follow(from start: ViewID, in view: ObjectView) -> (end: ViewID, steps: [Outline.PathStep])? {
        var pending: [(id: ViewID, part: Int, steps: [Outline.PathStep])] = [(start, 0, [])]
        var stepsLeft = Self.mostSteps
        while let (id, part, steps) = pending.popLast() {
            guard part < parts.count else { return (id, steps) }
            guard let value = view.container(id) else { continue }
            // The longest key comes last, as the last is followed first.
            for end in part..<parts.count {
                guard stepsLeft > 0 else { return nil }
                stepsLeft -= 1
                let token = AddressToken(key(parts[part].lowerBound..<parts[end].upperBound))
                guard let position = view.position(of: token, in: id) else { continue }
                let item = view.item(position, of: value.contents)
                pending.append((item.id, end + 1, steps + [Outline.PathStep(key: item.key, position: position)]))
            }
        }
        return nil
    }
}
