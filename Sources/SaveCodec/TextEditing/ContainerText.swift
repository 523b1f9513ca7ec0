/// The text of a container: its members and the gaps around them.
struct ContainerText {
    let object: StoredObject
    let id: ObjectID
    let range: Range<Int>
    /// The range between the brackets or tags, which contains the members.
    let contents: Range<Int>
    private let map: SourceMap
    private let syntax: any TextSyntax
    /// Whether the first member begins a line without an opening bracket before it, as in a strings file.
    let isBare: Bool

    /// Creates the text of a container; nil if members cannot be inserted into it, as in `<dict/>`.
    init?(_ id: ObjectID, of document: Document, at range: Range<Int>, in map: SourceMap, _ syntax: any TextSyntax) {
        object = document.object(id)
        guard let contents = syntax.contents(of: range, object.kind, in: map.text) else { return nil }
        if object.kind == .dictionary, object.count > 0 {
            // Each pair of a tagged dictionary, `{"$dict": [[…], …]}`, has brackets of its own.
            let start = contents.lowerBound..<map.key(0, of: id).lowerBound
            guard !syntax.hasTags || !Self.hasBracket(in: start, of: map.text, syntax) else { return nil }
        }
        self.id = id
        self.range = range
        self.contents = contents
        self.map = map
        self.syntax = syntax
        isBare = contents == range
        let separator = syntax.separator(of: object.kind)
        hasLeadingSeparators =
            count > 1 && separator.character != nil && !separator.endsLast
            && beginsLine(count - 1) && gap(count - 1).hasLeadingSeparator
        closesOnItsOwnLine = hasLeadingSeparators && gap(count).breaksLine
    }

    /// Whether a bracket is in a range, outside of comments.
    private static func hasBracket(in range: Range<Int>, of text: [UInt8], _ syntax: any TextSyntax) -> Bool {
        var position = range.lowerBound
        while position < range.upperBound {
            if text[position] == UInt8(ascii: "[") { return true }
            position = max(syntax.token(at: position, of: text).end, position + 1)
        }
        return false
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

    /// Whether a pair consists of a key that is also its value, such as `name;` in OpenStep text.
    func isShorthand(_ position: Int) -> Bool { isDictionary && key(position) == value(position) }

    /// Returns the gap before a member. The last gap follows all members.
    func gap(_ position: Int) -> Gap {
        let start = position == 0 ? contents.lowerBound : member(position - 1).upperBound
        let end = position < count ? member(position).lowerBound : contents.upperBound
        var gap = Gap(start..<max(start, end), of: text, syntax, beginsLine: isBare && position == 0)
        if position == count, !gap.headComments.isEmpty, gap.separator == nil, hasInnerComments(last: gap) {
            gap.assignInnerComments { !endsLine($0) }
        }
        return gap
    }

    /// Whether the comments on the line of the last member count as inner comments, as if a separator followed them.
    ///
    /// They do if the container ends on that line, or else if the nearest member with comments has them before its
    /// separator.
    private func hasInnerComments(last gap: Gap) -> Bool {
        guard count > 0, !hasLeadingSeparators, syntax.separator(of: object.kind).character != nil else { return false }
        guard gap.breaksLine else { return true }
        for position in around(count - 1) where position > 0 {
            let gap = self.gap(position)
            if !gap.innerComments.isEmpty { return true }
            if gap.breaksLine, !gap.headComments.isEmpty { return false }
        }
        return false
    }

    /// Whether a comment extends to the end of its line.
    private func endsLine(_ comment: Range<Int>) -> Bool { syntax.isLineComment(at: comment.lowerBound, of: text) }

    /// Returns the range of a member and its inner comments. If the last of them extends to the end of its line, the
    /// range extends to the separator, to include the line break.
    func memberWithComments(_ position: Int) -> Range<Int> {
        let (member, gap) = (member(position), gap(position + 1))
        guard let last = gap.innerComments.last else { return member }
        return member.lowerBound..<(endsLine(last) ? gap.separator?.lowerBound ?? last.upperBound : last.upperBound)
    }

    /// The comments of a member, as they are written at another location.
    struct MemberComments {
        /// The lines above it, and the comments before it on its line.
        var above: [UInt8] = []
        /// The comments before its separator.
        var inner: [UInt8] = []
        /// The comments after its separator.
        var endOfLine: [UInt8] = []

        var isEmpty: Bool { above.isEmpty && inner.isEmpty && endOfLine.isEmpty }
    }

    /// Returns the comments of a member.
    ///
    /// - Parameters:
    ///   - style: The style of the lines at the new location, which determines the indentation of the comments. Nil if
    ///     the new location is within a line, which has room only for inner comments.
    ///   - takes: A function that decides whether to return the comments in a range.
    func comments(of position: Int, in style: LineStyle?, taking takes: (Range<Int>) -> Bool) -> MemberComments {
        var comments = MemberComments()
        let inner = member(position).upperBound..<memberWithComments(position).upperBound
        if !inner.isEmpty, takes(inner) { comments.inner = Array(text[inner]) }
        let (gap, below) = (gap(position), gap(position + 1))
        guard let style, gap.breaksLine, let tail = gap.tailStart else { return comments }
        for line in gap.lines.suffix(gap.blockLineCount) where takes(line.range) {
            let text = text[line.range].drop { $0.isBlank }
            comments.above +=
                (comments.above.isEmpty ? [] : style.indentation) + Self.withoutLineBreak(text) + style.lineBreak
        }
        let before = tail..<member(position).lowerBound
        let start = gap.hasTailComment && takes(before) ? text[before].drop { $0.isBlank } : []
        if !comments.above.isEmpty { comments.above += style.indentation }
        comments.above += start
        let remainder = below.memberEnd..<below.headCommentEnd
        if below.breaksLine, !remainder.isEmpty, takes(remainder) { comments.endOfLine = Array(text[remainder]) }
        return comments
    }

    private static func withoutLineBreak(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        while line.last == 0x0A || line.last == 0x0D { line.removeLast() }
        return line
    }

    func beginsLine(_ position: Int) -> Bool {
        guard position > 0, position < count else { return gap(position).breaksLine }
        // Most members on one line have nothing but a comma between them.
        let start = member(position - 1).upperBound
        return text[start..<max(start, member(position).lowerBound)].contains { $0 == 0x0A || $0 == 0x0D }
            && gap(position).breaksLine
    }

    /// Whether the container has neither members nor comments.
    var isBlank: Bool { count == 0 && !gap(0).hasComment }

    /// Whether separators are at the beginning of lines, before members.
    private(set) var hasLeadingSeparators = false
    /// Whether a container with leading separators has its closing bracket on a line of its own.
    private(set) var closesOnItsOwnLine = false

    /// Returns the positions of the members that have no line break between them and the given one.
    func line(around position: Int) -> ClosedRange<Int> {
        var (first, last) = (position, position)
        while first > 0, !beginsLine(first) { first -= 1 }
        while last + 1 < count, !beginsLine(last + 1) { last += 1 }
        return first...last
    }

    /// Whether a member is alone on its lines, apart from the closing bracket.
    func isAlone(_ position: Int) -> Bool {
        beginsLine(position) && (position == count - 1 || beginsLine(position + 1))
    }

    // MARK: Style

    /// Returns the indentation of the nearest member that begins a line, searching backward from the position first and
    /// then forward.
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

    /// Returns the text between the key and the value of the nearest pair that has no comment between them, searching
    /// backward from the position first.
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
        // With more than white space, such as `=`, the line break is an exception and no example for other pairs.
        return text[range].allSatisfy(\.isXMLSpace) ? .line : nil
    }

    /// Returns the text between a separator and the next member, such as the space in `[1, 2]`. Uses the members on one
    /// line that are nearest to a position; nil if no members near it are on one line.
    func memberGap(near position: Int) -> [UInt8]? {
        around(position).lazy.filter { $0 > 0 }.map(gap).first { !$0.breaksLine && $0.headComments.isEmpty }
            .map { Array(text[$0.memberEnd..<$0.range.upperBound]) }
    }

    /// The text between each bracket and the member beside it; empty if it contains a comment or a line break.
    var padding: (start: [UInt8], end: [UInt8]) {
        let (first, last) = (gap(0), gap(count))
        return (
            first.breaksLine || first.hasComment ? [] : Array(text[first.range]),
            last.breaksLine || !last.headComments.isEmpty ? [] : Array(text[last.memberEnd..<last.range.upperBound])
        )
    }

    /// Returns the positions of up to 16 nearby members: first the given one and those before it, then those after it,
    /// the nearest first.
    func around(_ position: Int) -> [Int] {
        guard count > 0 else { return [] }
        let position = min(max(position, 0), count - 1)
        return (max(0, position - 8)...position).reversed()
            + (position + 1..<max(min(count, position + 8), position + 1))
    }

    func sample(near position: Int, replacing value: Range<Int>? = nil) -> TextSample {
        guard syntax.usesSamples else { return TextSample(text: text, value: value) }
        let around = around(position).filter { value == nil || $0 != position }
        return TextSample(
            text: text, value: value, keys: isDictionary ? around.map(key) : [], neighbours: around.map(self.value))
    }
}

extension [UInt8] {
    func startOfLine(at offset: Int) -> Int {
        self[..<offset].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
    }

    /// Returns the text with `old` replaced by `indentation` at the start of every line except the first.
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
        Array(self[startOfLine(at: offset)..<offset].prefix { $0.isBlank })
    }
}
