/// A container as it is spelled: its members, and the gaps around them.
struct ContainerText {
    let object: StoredObject
    let id: ObjectID
    /// The whole text of the container.
    let range: Range<Int>
    /// Where its members stand.
    let contents: Range<Int>
    private let map: SourceMap
    private let syntax: any TextSyntax
    /// Whether the first member begins a line without a bracket before it, as in a strings file.
    private let isBare: Bool

    /// The text of a container; nil if it is spelled without a place for members.
    init?(_ id: ObjectID, of document: Document, at range: Range<Int>, in map: SourceMap, _ syntax: any TextSyntax) {
        object = document.object(id)
        guard let contents = syntax.contents(of: range, object.kind, in: map.text) else { return nil }
        if object.kind == .dictionary, object.count > 0 {
            // The pairs of a tagged value stand in brackets of their own.
            let start = contents.lowerBound..<map.key(0, of: id).lowerBound
            guard !map.text[start].contains(UInt8(ascii: "[")) || !syntax.hasTags else { return nil }
        }
        self.id = id
        self.range = range
        self.contents = contents
        self.map = map
        self.syntax = syntax
        isBare = contents == range
        hasLeadingSeparators =
            count > 1 && syntax.separator(of: object.kind).endsLast != true && gap(count - 1).hasLeadingSeparator
    }

    var text: [UInt8] { map.text }
    var count: Int { object.count }
    var isDictionary: Bool { object.kind == .dictionary }

    /// The key of a pair.
    func key(_ position: Int) -> Range<Int> { map.key(position, of: id) }

    /// An element, or the value of a pair.
    func value(_ position: Int) -> Range<Int> { map.value(position, of: id) }

    /// An element, or a pair from its key to its value.
    func member(_ position: Int) -> Range<Int> {
        isDictionary ? key(position).lowerBound..<value(position).upperBound : value(position)
    }

    /// Whether a pair is a key that stands for its value, too.
    func isShorthand(_ position: Int) -> Bool { isDictionary && key(position) == value(position) }

    /// The gap before a member; the last one is that behind all.
    func gap(_ position: Int) -> Gap {
        let start = position == 0 ? contents.lowerBound : member(position - 1).upperBound
        let end = position < count ? member(position).lowerBound : contents.upperBound
        return Gap(start..<max(start, end), of: text, syntax, beginsLine: isBare && position == 0)
    }

    /// Whether a member begins a line.
    func beginsLine(_ position: Int) -> Bool { gap(position).breaksLine }

    /// Whether there is nothing in it but blanks.
    var isBlank: Bool { count == 0 && !gap(0).hasComment }

    /// Whether separators stand before members, at the beginning of their lines.
    private(set) var hasLeadingSeparators = false

    /// The positions of the members that end on the line on which one begins: those around it without a line break
    /// between.
    func line(around position: Int) -> ClosedRange<Int> {
        var (first, last) = (position, position)
        while first > 0, !beginsLine(first) { first -= 1 }
        while last + 1 < count, !beginsLine(last + 1) { last += 1 }
        return first...last
    }

    // MARK: Style

    /// The blanks before a member that begins a line: the nearest one before a position, or else behind it.
    func indentation(near position: Int) -> [UInt8]? {
        for candidate in stride(from: min(position, count - 1), through: 0, by: -1) where beginsLine(candidate) {
            return text.blanks(ofLineAt: member(candidate).lowerBound)
        }
        for candidate in position + 1..<max(count, position + 1) where beginsLine(candidate) {
            return text.blanks(ofLineAt: member(candidate).lowerBound)
        }
        return nil
    }

    /// How much deeper its members stand than its opening.
    var indentationStep: [UInt8]? {
        guard contents != range, let inner = indentation(near: 0) else { return nil }
        let outer = text.blanks(ofLineAt: range.lowerBound)
        guard inner.count > outer.count, inner.starts(with: outer) else { return nil }
        return Array(inner.dropFirst(outer.count))
    }

    /// What stands between a key and its value: of the nearest pair before a position, or else behind it, that has no
    /// comment there.
    func keyGap(near position: Int) -> KeyGap? {
        guard isDictionary else { return nil }
        return around(position).lazy.compactMap { keyGap(at: $0) }.first
    }

    private func keyGap(at position: Int) -> KeyGap? {
        guard !isShorthand(position) else { return nil }
        let range = key(position).upperBound..<value(position).lowerBound
        let gap = Gap(range, of: text, syntax)
        guard !gap.hasComment else { return nil }
        guard gap.breaksLine else { return .text(Array(text[range])) }
        // Where a sign stands between them, a line break beside it is that of one pair.
        return text[range].allSatisfy(XMLCursor.isWhitespace) ? .line : nil
    }

    /// What stands between two members on one line, behind the separator.
    func memberGap(near position: Int) -> [UInt8]? {
        around(position).lazy.filter { $0 > 0 }.map(gap).first { !$0.breaksLine && !$0.hasComment }
            .map { Array(text[$0.memberEnd..<$0.range.upperBound]) }
    }

    /// What stands between the opening bracket and the first member on its line.
    var padding: [UInt8] {
        let gap = gap(0)
        return gap.breaksLine || gap.hasComment ? [] : Array(text[gap.range])
    }

    /// The positions of some members, the nearest first, those before a position before those behind it.
    func around(_ position: Int) -> [Int] {
        guard count > 0 else { return [] }
        let position = min(max(position, 0), count - 1)
        return (max(0, position - 8)...position).reversed()
            + (position + 1..<max(min(count, position + 8), position + 1))
    }

    /// How the values and keys near a position are spelled.
    func sample(near position: Int, replacing value: Range<Int>? = nil) -> TextSample {
        let around = around(position).filter { value == nil || $0 != position }
        return TextSample(
            text: text, value: value, keys: isDictionary ? around.map(key) : [], neighbours: around.map(self.value))
    }
}

extension [UInt8] {
    /// Where the line begins on which an offset is.
    func startOfLine(at offset: Int) -> Int {
        self[..<offset].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
    }

    /// The text with another indentation of the lines behind the first.
    func indented(by indentation: [UInt8], insteadOf old: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        while let end = self[position...].firstIndex(of: 0x0A) {
            result += self[position...end]
            position = end + 1
            if self[position...].starts(with: old) {
                result += indentation
                position += old.count
            }
        }
        return result + self[position...]
    }

    /// The blanks at the beginning of the line on which an offset is.
    func blanks(ofLineAt offset: Int) -> [UInt8] {
        Array(self[startOfLine(at: offset)..<offset].prefix { $0 == 0x20 || $0 == 0x09 })
    }
}
