extension TextEditor {
    /// Removes the members that are not kept, including their own lines, the blank lines below them and their comments.
    mutating func remove(from container: ContainerText, keeping kept: Bitmap) {
        if container.hasLeadingSeparators { return removeWithSeparators(from: container, keeping: kept) }
        var position = 0
        var startOfEnd: Int?
        for member in 0..<container.count where member >= position && !kept.contains(member) {
            let line = container.line(around: member)
            if line.contains(where: kept.contains) {
                removePart(of: line, of: container, keeping: kept)
            } else {
                let end = startOfEnd ?? self.startOfEnd(of: container, keeping: kept)
                startOfEnd = end
                removeLine(
                    line, of: container, isAtEnd: line.lowerBound >= end, keepsEnd: container.isBare && end > 0)
            }
            position = line.upperBound + 1
        }
    }

    /// Removes all members on a line.
    ///
    /// - Parameters:
    ///   - isAtEnd: Whether no member is left below them, so that blank lines above can be removed too.
    ///   - keepsEnd: Whether the blank lines at the end stay, because they are the end of the file.
    private mutating func removeLine(
        _ line: ClosedRange<Int>, of container: ContainerText, isAtEnd: Bool, keepsEnd: Bool
    ) {
        let (above, below) = (container.gap(line.lowerBound), container.gap(line.upperBound + 1))
        let block = keepsComments ? above.tailStart ?? above.blockStart : above.blockStart
        if above.hasLeadingSeparator, let separator = above.separator {
            // The separator of the previous member stays.
            return result.splices.delete(separator.upperBound..<below.headCommentEnd)
        }
        guard above.breaksLine else {
            // The opening bracket is on this line, which stays.
            return result.splices.delete(above.headCommentEnd..<below.headCommentEnd)
        }
        let start = isAtEnd && block == above.blockStart ? above.blanksStart : block
        if below.breaksLine {
            result.splices.delete(start..<(isAtEnd && keepsEnd ? below.blanksBegin : below.blanksEnd))
            if let separator = below.separator { result.splices.delete(separator) }
        } else {
            result.splices.delete(endOfText(before: start, in: above)..<below.headCommentEnd)
        }
    }

    /// Returns the end of the line above an offset. Returns the offset itself if that line ends with a comment, to
    /// which the following text would be added.
    private func endOfText(before start: Int, in gap: Gap) -> Int {
        let end = endOfLine(before: start)
        return gap.comments.contains { $0.upperBound == end } ? start : end
    }

    /// Returns the start of the run of removed members at the end of a container. A comment between members that
    /// belongs to neither interrupts the run.
    private func startOfEnd(of container: ContainerText, keeping kept: Bitmap) -> Int {
        var start = container.count
        var below = container.gap(start).lines[...]
        while start > 0, !kept.contains(start - 1), !below.contains(where: \.hasComment) {
            start -= 1
            let gap = container.gap(start)
            below = gap.lines.dropLast(gap.blockLineCount)
        }
        return start
    }

    /// Removes some of the members on a line. Comments stay, because they may refer to the members that are kept.
    private mutating func removePart(
        of line: ClosedRange<Int>, of container: ContainerText, keeping kept: Bitmap
    ) {
        let lastKept = line.last(where: kept.contains) ?? line.lowerBound
        for member in line where !kept.contains(member) && member < lastKept {
            let next = container.gap(member + 1)
            result.splices.delete(
                container.member(member)
                    .lowerBound..<(next.headComments.first { $0.lowerBound >= next.memberEnd }?
                    .lowerBound ?? container.member(member + 1).lowerBound))
        }
        if lastKept < line.upperBound {
            result.splices.delete(
                container.gap(lastKept + 1).headCommentEnd..<container.gap(line.upperBound + 1).memberEnd)
        }
    }

    /// Removes members from a container with separators at the beginning of lines.
    private mutating func removeWithSeparators(from container: ContainerText, keeping kept: Bitmap) {
        let first = kept.first { _ in true } ?? 0
        for member in 0..<container.count where !kept.contains(member) {
            let (gap, next) = (container.gap(member), container.gap(member + 1))
            let endsLine = next.breaksLine || member == container.count - 1
            let range = container.member(member)
            if member < first {
                if !keepsComments, let line = gap.tailStart { result.splices.delete(gap.blockStart..<line) }
                if next.lines.contains(where: \.hasComment) || next.hasTailComment {
                    // The comments of the next member stay.
                    let end = gap.breaksLine ? next.lines.first?.range.lowerBound ?? next.tailStart : next.headEnd
                    result.splices.delete((gap.tailStart ?? gap.endOfLineEnd)..<(end ?? next.range.upperBound))
                } else {
                    result.splices.delete(range.lowerBound..<next.range.upperBound)
                }
                if let separator = next.separator { result.splices.delete(separator) }
            } else {
                let line = keepsComments ? gap.tailStart : gap.tailStart.map { _ in gap.blockStart }
                let start =
                    line.map { next.breaksLine ? endOfLine(before: $0) : endOfText(before: $0, in: gap) } ?? gap
                    .separator?.lowerBound ?? gap.range.upperBound
                result.splices.delete(start..<(endsLine ? next.endOfLineEnd : range.upperBound))
                if let separator = gap.separator { result.splices.delete(separator) }
            }
        }
    }

    mutating func removeComments(of member: Int, in container: ContainerText) {
        let (above, below) = (container.gap(member), container.gap(member + 1))
        if let line = above.tailStart { result.splices.delete(above.blockStart..<line) }
        result.splices.delete(below.range.lowerBound..<below.innerEnd)
        if below.breaksLine, let first = below.headComments.first, let last = below.headComments.last {
            result.splices.delete(min(below.memberEnd, first.lowerBound)..<last.upperBound)
        }
    }

    /// Returns the end of the previous line, before its line break. The next line begins at `start`.
    private func endOfLine(before start: Int) -> Int {
        guard start > 0 else { return start }
        let text = map.text
        return start > 1 && text[start - 1] == 0x0A && text[start - 2] == 0x0D ? start - 2 : start - 1
    }

    /// Removes all members. If no comment remains, the container gets the notation of an empty one. Always returns
    /// true.
    mutating func empty(_ container: ContainerText, _ number: Int) -> Bool {
        let (first, last) = (container.gap(0), container.gap(container.count))
        let isBare = container.contents == container.range
        let hasOthers =
            keepsComments && (0...container.count).contains { container.gap($0).hasComment }
            || (0...container.count).contains { hasDetachedComments(container, at: $0) }
        if hasOthers {
            remove(from: container, keeping: Bitmap(count: container.count))
        } else if isBare {
            // An empty file is not valid.
            result.splices.replace(container.range, with: containers.lineBreak(at: container.range.lowerBound))
        } else if isOpenedInLines(first, last) {
            result.splices.delete(
                first.headEnd..<(last.tailStart.map { endOfLine(before: $0) } ?? last.range.upperBound))
        } else {
            var output = ByteWriter()
            syntax.writeEmpty(
                container.object.kind, in: closingStyle(of: container, from: first, to: last), to: &output)
            result.splices.replace(container.range, with: output.takeBytes())
        }
        return true
    }

    /// Returns the style of the line on which a container is closed, if its members have lines of their own.
    private func closingStyle(of container: ContainerText, from first: Gap, to last: Gap) -> LineStyle? {
        guard first.breaksLine, last.breaksLine else { return nil }
        return LineStyle(
            lineBreak: containers.lineBreak(at: container.member(0).lowerBound), unit: [], joinsTabs: false,
            indentation: map.text.blanks(ofLineAt: last.range.upperBound))
    }

    /// Whether the brackets of an emptied container stay on two lines.
    private func isOpenedInLines(_ first: Gap, _ last: Gap) -> Bool {
        syntax.keepsEmptyLines && first.breaksLine && last.breaksLine
    }

    private func hasDetachedComments(_ container: ContainerText, at position: Int) -> Bool {
        let gap = container.gap(position)
        let lines = position < container.count ? Array(gap.lines.dropLast(gap.blockLineCount)) : gap.lines
        if lines.contains(where: \.hasComment) || position == container.count && gap.hasTailComment { return true }
        return position == 0 && !gap.headComments.isEmpty
    }
}
