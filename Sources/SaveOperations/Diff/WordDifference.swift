import SaveCodec

/// The words and numbers in which two texts differ:
///
///     Player {health: 100, x: 1.5}     Player {health: 64, x: 1.5}
///                     ^^^                              ^^
///
/// A number such as `-1.5e-7` is one word.
package struct WordDifference {
    /// A part of a text, and whether the other text lacks it.
    package struct Piece: Equatable {
        package let text: String
        package let isChanged: Bool
    }

    /// The parts of both texts, in order.
    package let pieces: Sides<[Piece]>

    /// The number of UTF-8 bytes above which a text counts as one word.
    private static let longest = 2_000

    package init(_ before: String, _ after: String) {
        let texts = Sides { $0 == .before ? before : after }
        guard max(before.utf8.count, after.utf8.count) <= Self.longest else {
            pieces = Sides { [Piece(text: texts[$0], isChanged: true)] }
            return
        }
        let words = Sides { Self.words(of: texts[$0]) }
        var numbers: [[UInt8]: Int32] = [:]
        let ids = Sides { side in
            words[side].map { word in
                let id = numbers[word, default: Int32(truncatingIfNeeded: numbers.count)]
                numbers[word] = id
                return id
            }
        }
        var isChanged = Sides { [Bool](repeating: false, count: words[$0].count) }
        for change in LineDifference(ids.before, ids.after).changes {
            for position in change.x { isChanged.before[position] = true }
            for position in change.y { isChanged.after[position] = true }
        }
        pieces = Sides { Self.pieces(words[$0], isChanged[$0]) }
    }

    /// Whether the texts have a word in common, so that the words in which they differ stand out.
    package var haveCommonWords: Bool {
        pieces.before.contains { !$0.isChanged && $0.text.utf8.contains(where: WordKind.isOfWord) }
    }

    private static func pieces(_ words: [[UInt8]], _ isChanged: [Bool]) -> [Piece] {
        var pieces: [Piece] = []
        var text: [UInt8] = []
        for (position, word) in words.enumerated() {
            text += word
            if position + 1 < words.count, isChanged[position + 1] == isChanged[position] { continue }
            pieces.append(Piece(text: String(decoding: text, as: UTF8.self), isChanged: isChanged[position]))
            text = []
        }
        return pieces
    }

    /// Returns the words, numbers, escape sequences and other characters of a text.
    private static func words(of text: String) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        var words: [[UInt8]] = []
        var escape = 0..<0
        for (position, byte) in bytes.enumerated() {
            if !escape.contains(position), byte == UInt8(ascii: "\\") {
                escape = WordKind.escape(at: position, in: bytes)
            }
            let isJoined =
                escape.contains(position)
                ? position > escape.lowerBound
                : position > escape.upperBound && WordKind.joins(position, in: bytes)
            if isJoined { words[words.count - 1].append(byte) } else { words.append([byte]) }
        }
        return words
    }
}

private enum WordKind {
    /// Whether a byte is a letter, a digit, an underscore or a part of a character outside ASCII.
    static func isOfWord(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    /// Returns the range of an escape sequence such as `\n` or `\u00E9`.
    static func escape(at position: Int, in bytes: [UInt8]) -> Range<Int> {
        let isUnicode = position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "u")
        return position..<min(position + (isUnicode ? 6 : 2), bytes.count)
    }

    private static func isDigit(_ bytes: [UInt8], _ position: Int) -> Bool {
        bytes.indices.contains(position) && bytes[position].isDigit
    }

    /// Whether a byte continues the word before it.
    static func joins(_ position: Int, in bytes: [UInt8]) -> Bool {
        let (last, byte) = (bytes[position - 1], bytes[position])
        switch (last, byte) {
        case (UInt8(ascii: "."), _) where isDigit(bytes, position): return isDigit(bytes, position - 2)
        case (_, UInt8(ascii: ".")): return isDigit(bytes, position - 1) && isDigit(bytes, position + 1)
        // A sign belongs to a number unless a word precedes it.
        case (UInt8(ascii: "-"), _), (UInt8(ascii: "+"), _):
            guard isDigit(bytes, position) else { return false }
            return position < 2 || !isOfWord(bytes[position - 2]) || isExponent(position - 2, in: bytes)
        case (_, UInt8(ascii: "-")), (_, UInt8(ascii: "+")):
            return isExponent(position - 1, in: bytes) && isDigit(bytes, position + 1)
        default: return isOfWord(last) && isOfWord(byte)
        }
    }

    /// Whether a byte is the `e` of a number.
    private static func isExponent(_ position: Int, in bytes: [UInt8]) -> Bool {
        (bytes[position] | 0x20) == UInt8(ascii: "e") && isDigit(bytes, position - 1)
    }
}
