/// The text before, between or after the members of a container: blanks, line breaks, comments and separators.
///
///     a = 1 /* in a */; // …   an inner comment of a, and the head: the rest of its line
///                              a line without comments
///     /* about b */            a line with a comment: the block of b
///     b = 2;                   the tail: the blanks before b
///
/// A line with comments directly above a member belongs to the member. If a blank line separates the two, the comments
/// belong to no member.
package struct Gap {
    /// The kind of a token in a gap.
    package enum Token {
        case blank, lineBreak, comment, separator
    }

    struct Line {
        let range: Range<Int>
        let hasComment: Bool
    }

    let range: Range<Int>
    /// The separator after the previous member, or nil.
    private(set) var separator: Range<Int>?
    /// The comments of the previous member before its separator.
    private(set) var innerComments: [Range<Int>] = []
    /// The other comments on the line of the previous member.
    private(set) var headComments: [Range<Int>] = []
    /// The end of the previous member's line, before its line break. If there is no line break, the end of the gap.
    private(set) var headEnd: Int
    /// The lines between the line of the previous member and the line of the next one.
    private(set) var lines: [Line] = []
    /// The start of the next member's line; nil if it is the line of the previous member.
    private(set) var tailStart: Int?
    /// Whether a comment precedes the next member on its line.
    private(set) var hasTailComment = false
    private(set) var comments: [Range<Int>] = []

    /// - Parameter beginsLine: Whether the gap begins a line, as at the start of a file.
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
        case .separator:
            guard separator == nil else { break }
            separator = range
            if tailStart == nil { assignComments(around: range) }
        case .comment:
            comments.append(range)
            if tailStart == nil { headComments.append(range) } else { hasTailComment = true }
        case .lineBreak:
            if let separator, let start = tailStart, separator.lowerBound >= start {
                // The separator follows a comment on a line of its own.
                assignComments(around: separator)
                lines = []
                headEnd = range.lowerBound
            } else if let start = tailStart {
                lines.append(Line(range: start..<range.upperBound, hasComment: hasTailComment))
            } else {
                headEnd = range.lowerBound
            }
            tailStart = range.upperBound
            hasTailComment = false
        }
    }

    /// Assigns the comments before a separator to ``innerComments``, and those after it to ``headComments``.
    private mutating func assignComments(around separator: Range<Int>) {
        innerComments = comments.filter { $0.upperBound <= separator.lowerBound }
        headComments = comments.filter { $0.lowerBound >= separator.upperBound }
    }

    /// Moves the first comments after the previous member, which has no separator, to ``innerComments``.
    ///
    /// - Parameter isInner: Whether a separator can follow the comment on its line.
    mutating func assignInnerComments(while isInner: (Range<Int>) -> Bool) {
        innerComments = Array(headComments.prefix(while: isInner))
        headComments.removeFirst(innerComments.count)
    }

    var hasComment: Bool { !comments.isEmpty }

    /// The end of the previous member and its inner comments.
    var innerEnd: Int { innerComments.last?.upperBound ?? range.lowerBound }

    /// The end of the previous member, including its inner comments and its separator.
    var memberEnd: Int { separator?.upperBound ?? innerEnd }

    /// The end of the comments after the previous member and its separator, on the same line.
    var headCommentEnd: Int { max(headComments.last?.upperBound ?? memberEnd, memberEnd) }

    /// The end of the last comment or separator on the line of the previous member.
    var endOfLineEnd: Int { max(headComments.last?.upperBound ?? innerEnd, separatorOfLine?.upperBound ?? 0) }

    /// The separator, if it is on the line of the previous member.
    private var separatorOfLine: Range<Int>? { hasLeadingSeparator ? nil : separator }

    /// Whether the next member begins a line.
    var breaksLine: Bool { tailStart != nil }

    /// Whether the separator is on the line of the next member.
    var hasLeadingSeparator: Bool {
        guard let separator, let tailStart else { return false }
        return separator.lowerBound >= tailStart
    }

    /// The start of the next member's comment block, or of the member's line if it has no block.
    var blockStart: Int {
        lines.reversed().prefix(while: \.hasComment).last?.range.lowerBound ?? tailStart ?? range.upperBound
    }

    /// The number of lines in the next member's comment block.
    var blockLineCount: Int { lines.reversed().prefix(while: \.hasComment).count }

    /// The start of the blank lines above the block.
    var blanksStart: Int {
        lines.dropLast(blockLineCount).reversed().prefix { !$0.hasComment }.last?.range.lowerBound ?? blockStart
    }

    /// The end of the blank lines after the line of the previous member.
    var blanksEnd: Int {
        lines.prefix { !$0.hasComment }.last?.range.upperBound ?? blanksBegin
    }

    /// The end of the line of the previous member.
    var blanksBegin: Int { lines.first?.range.lowerBound ?? tailStart ?? headEnd }

    /// Whether the gap contains a blank line.
    var hasBlankLine: Bool { lines.contains { !$0.hasComment } }
}
