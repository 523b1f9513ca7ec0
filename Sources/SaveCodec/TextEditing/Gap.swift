/// What stands before, between and behind the members of a container: blanks, line breaks, comments and separators.
///
///     a = 1; // about a        the head: what ends the line of the member before
///                              a line without comments
///     /* about b */            a line with a comment: the block of b
///     b = 2;                   the tail: the blanks before b
///
/// A line with comments directly above a member belongs to it; one that a blank line sets apart belongs to nobody.
package struct Gap {
    /// A piece of a gap.
    package enum Token {
        case blank, lineBreak, comment, separator
    }

    /// A whole line of the gap.
    struct Line {
        let range: Range<Int>
        let hasComment: Bool
    }

    let range: Range<Int>
    /// The separator behind the member before; nil if there is none.
    private(set) var separator: Range<Int>?
    /// The comments on the line of the member before.
    private(set) var headComments: [Range<Int>] = []
    /// Where the line of the member before ends: before its line break, or where the gap ends.
    private(set) var headEnd: Int
    private(set) var lines: [Line] = []
    /// Where the line begins on which the next member stands; nil if that is the line of the member before.
    private(set) var tailStart: Int?
    /// Whether a comment stands before the next member, on its line.
    private(set) var hasTailComment = false
    /// Whether a comment stands anywhere in the gap.
    private(set) var hasComment = false

    /// - Parameter beginsLine: whether a line begins where the gap does, as at the start of a file.
    init(_ range: Range<Int>, of text: [UInt8], _ syntax: any TextSyntax, beginsLine: Bool = false) {
        self.range = range
        headEnd = range.upperBound
        if beginsLine {
            headEnd = range.lowerBound
            tailStart = range.lowerBound
        }
        var position = range.lowerBound
        while position < range.upperBound {
            let (token, end) = syntax.token(at: position, of: text)
            add(token, position..<min(max(end, position + 1), range.upperBound))
            position = min(max(end, position + 1), range.upperBound)
        }
    }

    private mutating func add(_ token: Token, _ range: Range<Int>) {
        switch token {
        case .blank: break
        case .separator: if separator == nil { separator = range }
        case .comment:
            hasComment = true
            if tailStart == nil { headComments.append(range) } else { hasTailComment = true }
        case .lineBreak:
            if let start = tailStart {
                lines.append(Line(range: start..<range.upperBound, hasComment: hasTailComment))
            } else {
                headEnd = range.lowerBound
            }
            tailStart = range.upperBound
            hasTailComment = false
        }
    }

    /// Where the member before ends, its separator included.
    var memberEnd: Int { separator?.upperBound ?? range.lowerBound }

    /// Where the comments end that stand behind the member before, on its line.
    var headCommentEnd: Int { max(headComments.last?.upperBound ?? memberEnd, memberEnd) }

    /// Where the comments end that stand behind the member before, on its line, whether or not a separator does.
    var endOfLineEnd: Int { max(headComments.last?.upperBound ?? range.lowerBound, separatorOfLine?.upperBound ?? 0) }

    /// The separator, if it stands on the line of the member before.
    private var separatorOfLine: Range<Int>? { hasLeadingSeparator ? nil : separator }

    /// Whether the next member begins a line.
    var breaksLine: Bool { tailStart != nil }

    /// Whether the separator stands on the line of the next member.
    var hasLeadingSeparator: Bool {
        guard let separator, let tailStart else { return false }
        return separator.lowerBound >= tailStart
    }

    /// Where the block of comments begins that belongs to the next member: its own line, if it has none.
    var blockStart: Int {
        lines.reversed().prefix(while: \.hasComment).last?.range.lowerBound ?? tailStart ?? range.upperBound
    }

    /// The lines at the end of the gap that are the block of the next member.
    var blockLineCount: Int { lines.reversed().prefix(while: \.hasComment).count }

    /// Where the blank lines above the block begin.
    var blanksStart: Int {
        lines.dropLast(blockLineCount).reversed().prefix { !$0.hasComment }.last?.range.lowerBound ?? blockStart
    }

    /// Where the blank lines end that follow the line of the member before.
    var blanksEnd: Int {
        lines.prefix { !$0.hasComment }.last?.range.upperBound ?? lines.first?.range.lowerBound ?? tailStart ?? headEnd
    }

    /// Whether a blank line stands in the gap.
    var hasBlankLine: Bool { lines.contains { !$0.hasComment } }
}
