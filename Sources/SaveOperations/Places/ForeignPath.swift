import KeyedArchives
import SaveCodec

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
