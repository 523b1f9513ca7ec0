package import KeyedArchives
package import SaveCodec

/// Suggestions for mistyped words and addresses.
package enum Suggestion {
    /// Returns the name that is nearest to `word`, or the first of several that are equally near. A name that merely
    /// begins with `word` is suggested only if no other name does. Returns nil if no name is near.
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

    /// Adds the missing slash to the beginning of a text and returns the address; nil if the text is empty, begins with
    /// a slash, or is not an address even with the slash.
    package static func address(withSlashBefore text: String) -> JSONPointer? {
        !text.isEmpty && !text.hasPrefix("/") ? JSONPointer("/" + text) : nil
    }

    /// Returns the end of an error message about an address that does not exist: the nearest one that exists, as typed.
    ///
    /// Very long addresses get no suggestion, since they were not typed by hand.
    ///
    /// - Parameter typed: The address that does not exist.
    package static func sentence(_ nearest: JSONPointer?, for typed: JSONPointer? = nil) -> String {
        guard let nearest else { return "" }
        let text = nearest == .root ? "''" : nearest.description
        return text.utf16.count > 160 ? "" : sentence(text, for: typed?.description)
    }

    /// Returns the end of an error message about the address `/`, which many users type for the root but which names an
    /// empty key. Returns nil for any other address.
    static func rootOrEmptyKey(_ address: JSONPointer) -> String? {
        address == .emptyKey ? "; '' is the root, / is the empty key" : nil
    }

    /// Returns the end of an error message, with a suggestion if there is one. A suggestion that looks like the typed
    /// word is marked.
    package static func sentence(_ suggestion: String?, for typed: String? = nil) -> String {
        guard let suggestion else { return "" }
        // `String` compares characters, not code units.
        let mark = suggestion == typed ? ", which differs only in Unicode normalization" : ""
        return "; did you mean \(suggestion)\(mark)?"
    }
}

// MARK: Mistyped words

/// A word that may be mistyped: with wrong, missing, extra or swapped letters, in another case, or without its end.
struct MistypedWord {
    private let folded: [UInt16]
    private let word: [UInt16]
    /// The largest number of wrong letters.
    private let maxDistance: Int

    init(_ word: [UInt16]) {
        self.word = Array(word.prefix(65))
        folded = CaseFolding.folded(self.word)
        maxDistance = word.count > 1 ? max(1, word.count / 3) : 0
    }

    /// The distance of a longer word that begins with the mistyped one.
    static let missingEnd = 3

    /// Returns the distance of another word; nil if it is not near.
    ///
    /// A wrong letter counts 2, a missing end 3, and a difference only in case or in Unicode normalization 1.
    func distance(to other: some Collection<UInt16>) -> Int? {
        guard !other.elementsEqual(word) else { return 0 }
        if isEquivalent(to: other) { return 1 }
        let isLonger = word.count > 1 && other.count > word.count + maxDistance
        guard word.count <= 64, other.count < word.count + 64, isLonger || abs(other.count - word.count) <= maxDistance
        else {
            return nil
        }
        let other = CaseFolding.folded(other)
        if isLonger { return other.starts(with: folded) ? Self.missingEnd : nil }
        let distance = EditDistance.between(other, folded)
        return distance <= maxDistance ? max(1, 2 * distance) : nil
    }

    /// Whether another word looks the same, because it differs only in the code points of characters such as é.
    private func isEquivalent(to other: some Collection<UInt16>) -> Bool {
        guard word.count <= 64, other.count <= 4 * word.count, word.count <= 4 * other.count,
            word.contains(where: { $0 >= 0x80 }) || other.contains(where: { $0 >= 0x80 }),
            let typed = String(validating: word, as: UTF16.self)
        else { return false }
        // `String` compares characters, not code units.
        return typed == String(validating: Array(other), as: UTF16.self)
    }

    /// Returns the distance of a word that differs at most in case: 0 or 1. Nil for any other word.
    func distanceOfCase(to other: some Collection<UInt16>) -> Int? {
        guard word.count <= 64, other.count == word.count, CaseFolding.folded(other) == folded else { return nil }
        return other.elementsEqual(word) ? 0 : 1
    }
}

// MARK: Paths of other tools

/// A path in the syntax of another tool, typed instead of an address or one of its tokens:
///
///     a.0.b     plutil        :a:0:b     PlistBuddy        .a[0].b     jq
///
/// A key may contain the separators, with or without a backslash, so the longest key that exists is tried first:
/// `root.charList.0.position.x` leads to the field `position.x`.
package struct ForeignPath: Sendable {
    /// The parts between separators, as ranges of the text.
    private let parts: [Range<Int>]
    private let text: [UInt16]

    private static let longest = 512
    private static let maxParts = 64
    /// The largest number of keys to look up.
    private static let maxSteps = 2000
    private static let backslash = UInt16(UInt8(ascii: "\\"))

    /// Creates the path that a text represents; nil for a text without separators, or with too many code units or
    /// parts.
    package init?(_ text: [UInt16]) {
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
        guard let first = parts.first, first.count < text.count, parts.count <= Self.maxParts else { return nil }
        (self.parts, self.text) = (parts, text)
    }

    private static func isSeparator(_ unit: UInt16) -> Bool {
        unit < 0x80 && ".:[]".utf8.contains(UInt8(truncatingIfNeeded: unit))
    }

    /// The keys of the path, one for each part.
    package var keys: [[UInt16]] { parts.map(key) }

    /// Returns a part of the text as a key, without the backslashes before separators.
    private func key(_ range: Range<Int>) -> [UInt16] {
        var key: [UInt16] = []
        for position in range {
            let next = position + 1
            let isEscape = text[position] == Self.backslash && next < range.upperBound && Self.isSeparator(text[next])
            if !isEscape { key.append(text[position]) }
        }
        return key
    }

    /// Follows the path from a value.
    ///
    /// - Returns: The value at the end and the steps to it; nil if the path does not exist.
    package func follow(from start: ViewID, in view: ObjectView) -> (end: ViewID, steps: [PathStep])? {
        var pending: [(id: ViewID, part: Int, steps: [PathStep])] = [(start, 0, [])]
        var stepsLeft = Self.maxSteps
        while let (id, part, steps) = pending.popLast() {
            guard part < parts.count else { return (id, steps) }
            guard let value = view.container(id) else { continue }
            // The longest key comes last, since the last is tried first.
            for end in part..<parts.count {
                guard stepsLeft > 0 else { return nil }
                stepsLeft -= 1
                let token = AddressToken(key(parts[part].lowerBound..<parts[end].upperBound))
                guard let position = view.position(of: token, in: id) else { continue }
                let item = view.item(position, of: value.contents)
                pending.append((item.id, end + 1, steps + [PathStep(key: item.key, position: position)]))
            }
        }
        return nil
    }
}

// MARK: Keys with separators

extension ObjectView {
    /// Returns the slots of a container whose keys consist of the first of several tokens, with separators between
    /// them, and the number of tokens in each key. A slash in a key must be typed as `~1`, so `/a/b/c` may be meant for
    /// the key `a.b.c`, `a/b/c` or `/a/b/c`.
    func slots(ofJoined tokens: [[UInt16]], in container: ViewID) -> [(step: PathStep, count: Int)] {
        guard tokens.count > 1, let value = self.container(container), value.variant.isKeyed else { return [] }
        let (dot, slash) = (UInt16(UInt8(ascii: ".")), UInt16(UInt8(ascii: "/")))
        var found: [(step: PathStep, count: Int)] = []
        for count in (2...min(tokens.count, Self.maxJoined)).reversed() {
            let parts = tokens.prefix(count)
            guard parts.reduce(0, { $0 + $1.count }) <= Self.maxJoinedLength else { continue }
            let withSlashes = Array(parts.joined(separator: [slash]))
            for key in [Array(parts.joined(separator: [dot])), withSlashes, [slash] + withSlashes] {
                guard let position = position(of: AddressToken(key), in: container) else { continue }
                found.append((PathStep(key: item(position, of: value.contents).key, position: position), count))
            }
        }
        return found
    }

    /// The largest number of tokens in a key.
    static let maxJoined = 16
    private static let maxJoinedLength = 512
}
