/// The text of a container: its members and the gaps around them.
struct ContainerText {
    let object: StoredObject
    let id: ObjectID
    let range: Range<Int>
    /// The range of its members.
    let contents: Range<Int>
    private let map: SourceMap
    private let syntax: any TextSyntax
    /// Whether the first member begins a line without an opening bracket before it, as in a strings file.
    private let isBare: Bool

    /// Creates the text of a container; nil if its notation has no room for members.
    init?(_ id: ObjectID, of document: Document, at range: Range<Int>, in map: SourceMap, _ syntax: any TextSyntax) {
        object = document.object(id)
        guard let contents = syntax.contents(of: range, object.kind, in: map.text) else { return nil }
        if object.kind == .dictionary, object.count > 0 {
            // The pairs of a tagged value have brackets of their own.
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

    func key(_ position: Int) -> Range<Int> { map.key(position, of: id) }

    /// Returns the range of an element or of a pair's value.
    func value(_ position: Int) -> Range<Int> { map.value(position, of: id) }

    /// Returns the range of an element, or of a pair from its key to its value.
    func member(_ position: Int) -> Range<Int> {
        isDictionary ? key(position).lowerBound..<value(position).upperBound : value(position)
    }

    /// Whether a pair consists of a key that is also its value.
    func isShorthand(_ position: Int) -> Bool { isDictionary && key(position) == value(position) }

    /// Returns the gap before a member. The last gap follows all members.
    func gap(_ position: Int) -> Gap {
        let start = position == 0 ? contents.lowerBound : member(position - 1).upperBound
        let end = position < count ? member(position).lowerBound : contents.upperBound
        return Gap(start..<max(start, end), of: text, syntax, beginsLine: isBare && position == 0)
    }

    func beginsLine(_ position: Int) -> Bool { gap(position).breaksLine }

    /// Whether the container has neither members nor comments.
    var isBlank: Bool { count == 0 && !gap(0).hasComment }

    /// Whether separators are at the beginning of lines, before members.
    private(set) var hasLeadingSeparators = false

    /// Returns the positions of the members that have no line break between them and the given one.
    func line(around position: Int) -> ClosedRange<Int> {
        var (first, last) = (position, position)
        while first > 0, !beginsLine(first) { first -= 1 }
        while last + 1 < count, !beginsLine(last + 1) { last += 1 }
        return first...last
    }

    // MARK: Style

    /// Returns the indentation of the nearest member that begins a line, searching up to the position first and then
    /// after it.
    func indentation(near position: Int) -> [UInt8]? {
        for candidate in stride(from: min(position, count - 1), through: 0, by: -1) where beginsLine(candidate) {
            return text.blanks(ofLineAt: member(candidate).lowerBound)
        }
        for candidate in position + 1..<max(count, position + 1) where beginsLine(candidate) {
            return text.blanks(ofLineAt: member(candidate).lowerBound)
        }
        return nil
    }

    /// The indentation of members relative to the line of the opening bracket.
    var indentationStep: [UInt8]? {
        guard contents != range, let inner = indentation(near: 0) else { return nil }
        let outer = text.blanks(ofLineAt: range.lowerBound)
        guard inner.count > outer.count, inner.starts(with: outer) else { return nil }
        return Array(inner.dropFirst(outer.count))
    }

    /// Returns the text between key and value of the nearest pair without a comment there, searching up to the position
    /// first.
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
        // If there is more than white space, such as `=`, the line break is peculiar to this pair.
        return text[range].allSatisfy(XMLCursor.isWhitespace) ? .line : nil
    }

    /// Returns the text after the separator between two members on one line.
    func memberGap(near position: Int) -> [UInt8]? {
        around(position).lazy.filter { $0 > 0 }.map(gap).first { !$0.breaksLine && !$0.hasComment }
            .map { Array(text[$0.memberEnd..<$0.range.upperBound]) }
    }

    /// The text between the opening bracket and a first member on the same line.
    var padding: [UInt8] {
        let gap = gap(0)
        return gap.breaksLine || gap.hasComment ? [] : Array(text[gap.range])
    }

    /// Returns the positions of nearby members: first those up to the position, then those after it, the nearest first.
    func around(_ position: Int) -> [Int] {
        guard count > 0 else { return [] }
        let position = min(max(position, 0), count - 1)
        return (max(0, position - 8)...position).reversed()
            + (position + 1..<max(min(count, position + 8), position + 1))
    }

    func sample(near position: Int, replacing value: Range<Int>? = nil) -> TextSample {
        let around = around(position).filter { value == nil || $0 != position }
        return TextSample(
            text: text, value: value, keys: isDictionary ? around.map(key) : [], neighbours: around.map(self.value))
    }
}

extension [UInt8] {
    func startOfLine(at offset: Int) -> Int {
        self[..<offset].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
    }

    /// Returns the text with the indentation of all lines after the first replaced.
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

    func blanks(ofLineAt offset: Int) -> [UInt8] {
        Array(self[startOfLine(at: offset)..<offset].prefix { $0 == 0x20 || $0 == 0x09 })
    }
}
