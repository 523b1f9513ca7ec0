/// Taking members out of a text and putting new ones in.
extension TextEditor {
    // MARK: Removing

    /// Takes out the members that are not kept: with the lines that they have to themselves, the blank lines below, and
    /// the comments that belong to them.
    mutating func remove(from container: ContainerText, keeping kept: Set<Int>) {
        if container.hasLeadingSeparators { return removeWithSeparators(from: container, keeping: kept) }
        var position = 0
        let removed = (0..<container.count).filter { !kept.contains($0) }
        let end = startOfEnd(of: container, keeping: kept)
        for member in removed where member >= position {
            let line = container.line(around: member)
            if line.contains(where: kept.contains) {
                removePart(of: line, of: container, keeping: kept)
            } else {
                removeLine(line, of: container, isAtEnd: line.lowerBound >= end)
            }
            position = line.upperBound + 1
        }
    }

    /// Removes the members on a line of which none is kept.
    ///
    /// - Parameter isAtEnd: whether nothing is left below them, so that no blank line must be left above.
    private mutating func removeLine(_ line: ClosedRange<Int>, of container: ContainerText, isAtEnd: Bool) {
        let (above, below) = (container.gap(line.lowerBound), container.gap(line.upperBound + 1))
        let block = keepsComments ? above.tailStart ?? above.blockStart : above.blockStart
        guard above.breaksLine else {
            // What opens the container stands on the line, which stays.
            return splices.delete(above.headCommentEnd..<below.headCommentEnd)
        }
        let start = isAtEnd && block == above.blockStart ? above.blanksStart : block
        if below.breaksLine {
            splices.delete(start..<below.blanksEnd)
        } else {
            splices.delete(endOfLine(before: start)..<below.headCommentEnd)
        }
    }

    /// The first of the members at the end of which none is kept, nor a comment between them.
    private func startOfEnd(of container: ContainerText, keeping kept: Set<Int>) -> Int {
        var start = container.count
        var below = container.gap(start).lines[...]
        while start > 0, !kept.contains(start - 1), !below.contains(where: \.hasComment) {
            start -= 1
            let gap = container.gap(start)
            below = gap.lines.dropLast(gap.blockLineCount)
        }
        return start
    }

    /// Removes some of the members on a line. Comments stay, as others are left that they may be about.
    private mutating func removePart(
        of line: ClosedRange<Int>, of container: ContainerText, keeping kept: Set<Int>
    ) {
        let lastKept = line.last(where: kept.contains) ?? line.lowerBound
        for member in line where !kept.contains(member) && member < lastKept {
            let next = container.gap(member + 1)
            splices.delete(
                container.member(member).lowerBound..<(next.headComments.first { $0.lowerBound >= next.memberEnd }?
                    .lowerBound ?? container.member(member + 1).lowerBound))
        }
        if lastKept < line.upperBound {
            splices.delete(
                container.gap(lastKept + 1).headCommentEnd..<container.gap(line.upperBound + 1).memberEnd)
        }
    }

    /// Removes members where separators stand before members, at the beginning of their lines.
    private mutating func removeWithSeparators(from container: ContainerText, keeping kept: Set<Int>) {
        let first = kept.min() ?? 0
        for member in 0..<container.count where !kept.contains(member) {
            let (gap, next) = (container.gap(member), container.gap(member + 1))
            let endsLine = next.breaksLine || member == container.count - 1
            let range = container.member(member)
            if member < first {
                if !keepsComments, let line = gap.tailStart { splices.delete(gap.blockStart..<line) }
                if next.lines.contains(where: \.hasComment) || next.hasTailComment {
                    // The comments of the next member stay.
                    let end = gap.breaksLine ? next.lines.first?.range.lowerBound ?? next.tailStart : next.headEnd
                    splices.delete((gap.tailStart ?? gap.endOfLineEnd)..<(end ?? next.range.upperBound))
                } else {
                    splices.delete(range.lowerBound..<next.range.upperBound)
                }
                if let separator = next.separator { splices.delete(separator) }
            } else {
                let line = keepsComments ? gap.tailStart : gap.tailStart.map { _ in gap.blockStart }
                let start = line.map { endOfLine(before: $0) } ?? gap.separator?.lowerBound ?? gap.range.upperBound
                splices.delete(start..<(endsLine ? next.endOfLineEnd : range.upperBound))
                if let separator = gap.separator { splices.delete(separator) }
            }
        }
    }

    /// Removes the comments that belong to a member.
    mutating func removeComments(of member: Int, in container: ContainerText) {
        let (above, below) = (container.gap(member), container.gap(member + 1))
        if let line = above.tailStart { splices.delete(above.blockStart..<line) }
        if below.breaksLine, let comment = below.headComments.last {
            splices.delete(min(below.memberEnd, comment.lowerBound)..<comment.upperBound)
        }
    }

    /// Where the line ends, before its line break, that comes before the one that begins at an offset.
    private func endOfLine(before start: Int) -> Int {
        guard start > 0 else { return start }
        let text = map.text
        return start > 1 && text[start - 1] == 0x0A && text[start - 2] == 0x0D ? start - 2 : start - 1
    }

    /// Removes all members. What is left without comments is spelled as an empty container.
    mutating func empty(_ container: ContainerText, _ number: Int) -> Bool {
        let (first, last) = (container.gap(0), container.gap(container.count))
        let isBare = container.contents == container.range
        let hasOthers =
            keepsComments && (0...container.count).contains { container.gap($0).hasComment }
            || (0...container.count).contains { hasDetachedComments(container, at: $0) }
        if hasOthers {
            remove(from: container, keeping: [])
        } else if isBare {
            // A file without a byte is none.
            splices.replace(container.range, with: lineBreak(at: container.range.lowerBound))
        } else if isOpenedInLines(first, last) {
            splices.delete(first.headEnd..<(last.tailStart.map { endOfLine(before: $0) } ?? last.range.upperBound))
        } else {
            var output = ByteWriter()
            syntax.writeEmpty(container.object.kind, in: closingStyle(container, first, last), to: &output)
            splices.replace(container.range, with: output.takeBytes())
        }
        return true
    }

    /// The line on which a container is closed, if its members have lines of their own.
    private func closingStyle(_ container: ContainerText, _ first: Gap, _ last: Gap) -> LineStyle? {
        guard first.breaksLine, last.breaksLine else { return nil }
        return LineStyle(
            lineBreak: lineBreak(at: container.member(0).lowerBound), unit: [],
            indentation: map.text.blanks(ofLineAt: last.range.upperBound))
    }

    /// Whether the brackets of a container stay on two lines when it is empty.
    private func isOpenedInLines(_ first: Gap, _ last: Gap) -> Bool {
        syntax.keepsEmptyLines && first.breaksLine && last.breaksLine
    }

    /// Whether comments stand in a gap that belong to none of the members.
    private func hasDetachedComments(_ container: ContainerText, at position: Int) -> Bool {
        let gap = container.gap(position)
        let lines = position < container.count ? Array(gap.lines.dropLast(gap.blockLineCount)) : gap.lines
        if lines.contains(where: \.hasComment) || position == container.count && gap.hasTailComment { return true }
        return position == 0 && !gap.headComments.isEmpty
    }

    // MARK: Separators

    /// Gives the last member that there was the separator that it needs, or takes it away.
    mutating func endLastMember(of container: ContainerText, _ change: ContainerChange) {
        guard container.count > 0, !container.hasLeadingSeparators,
            let last = change.origins.lastIndex(where: { $0 != nil }), let member = change.origins[last]
        else { return }
        let separator = syntax.separator(of: container.object.kind)
        guard let character = separator.character else { return }
        let present = container.gap(member + 1).separator
        let isNeeded = last < change.origins.count - 1 || endsLast(container)
        if isNeeded, present == nil {
            splices.insert([character], at: container.member(member).upperBound, .separator)
        } else if !isNeeded, let present {
            splices.delete(present)
        }
    }

    /// Whether a separator stands behind the last member.
    private func endsLast(_ container: ContainerText) -> Bool {
        if let endsLast = syntax.separator(of: container.object.kind).endsLast {
            return endsLast && (container.count == 0 || container.gap(container.count).separator != nil)
                || endsLast && container.count == 0
        }
        return container.count > 0 && container.gap(container.count).separator != nil
    }

    // MARK: Inserting

    /// Puts in the new members: each run of them before the next one that there was, or behind the last.
    mutating func insert(into container: ContainerText, _ change: ContainerChange, _ number: Int) {
        var position = 0
        var previous: Int?
        let isSpaced = change.origins.contains(nil) && separatesByBlankLines(container)
        while position < change.origins.count {
            if let origin = change.origins[position] {
                previous = origin
                position += 1
                continue
            }
            let end = change.origins[position...].firstIndex { $0 != nil } ?? change.origins.count
            let run = Run(positions: position..<end, container: container, change: change, number: number, isSpaced: isSpaced)
            if end < change.origins.count, let next = change.origins[end] {
                insert(run, before: next)
            } else if let previous {
                insert(run, after: previous)
            } else {
                insertFirst(run)
            }
            position = end
        }
    }

    /// New members that stand side by side.
    private struct Run {
        let positions: Range<Int>
        let container: ContainerText
        let change: ContainerChange
        let number: Int
        /// Whether a blank line stands between all members.
        let isSpaced: Bool
    }

    private mutating func insert(_ run: Run, before next: Int) {
        let container = run.container
        let gap = container.gap(next)
        if container.hasLeadingSeparators {
            let separator = leadingSeparator(of: container, near: next, run.number)
            for piece in pieces(run, near: next, in: nil) {
                splices.insert(piece.text + separator, at: container.member(next).lowerBound, .members)
            }
        } else if gap.breaksLine {
            let style = lineStyle(of: container, near: next, run.number)
            let blank = run.isSpaced ? style.lineBreak : []
            for piece in pieces(run, near: next, in: style) {
                splices.insert(
                    style.indentation + piece.text + separator(run) + piece.endOfLine + style.lineBreak + blank,
                    at: gap.blockStart, .members)
            }
        } else {
            let memberGap = memberGap(in: container, near: next, run.number)
            for piece in pieces(run, near: next, in: nil) {
                splices.insert(piece.text + separator(run) + memberGap, at: container.member(next).lowerBound, .members)
            }
        }
    }

    private mutating func insert(_ run: Run, after previous: Int) {
        let container = run.container
        let gap = container.gap(previous + 1)
        if container.hasLeadingSeparators {
            let separator = leadingSeparator(of: container, near: previous, run.number)
            for piece in pieces(run, near: previous, in: nil) {
                splices.insert(separator + piece.text, at: gap.endOfLineEnd, .members)
            }
        } else if container.beginsLine(previous) || gap.breaksLine && !gap.headComments.isEmpty {
            let style = lineStyle(of: container, near: previous, run.number)
            let offset = gap.breaksLine ? gap.headEnd : gap.headCommentEnd
            insertLines(run, near: previous, style, at: max(offset, gap.memberEnd))
        } else {
            let memberGap = memberGap(in: container, near: previous, run.number)
            insertRow(
                run, near: previous, memberGap, at: gap.breaksLine ? gap.memberEnd : gap.headCommentEnd)
        }
    }

    /// Puts members into a container that has comments only.
    private mutating func insertFirst(_ run: Run) {
        let container = run.container
        let gap = container.gap(0)
        if container.contents == container.range {
            insertAtEnd(run, lineStyle(of: container, near: 0, run.number))
        } else if gap.breaksLine {
            insertLines(run, near: 0, lineStyle(of: container, near: 0, run.number), at: gap.headEnd)
        } else {
            insertRow(run, near: 0, [0x20], at: gap.headCommentEnd)
        }
    }

    /// Puts members behind the comments of a strings file that has no others.
    private mutating func insertAtEnd(_ run: Run, _ style: LineStyle) {
        let text = map.text
        let endsLine = text.last.map { $0 == 0x0A || $0 == 0x0D } ?? true
        if !endsLine { splices.insert(style.lineBreak, at: text.count, .members) }
        for piece in pieces(run, near: 0, in: style) {
            splices.insert(piece.text + separator(run) + style.lineBreak, at: text.count, .members)
        }
    }

    private mutating func insertLines(_ run: Run, near position: Int, _ style: LineStyle, at offset: Int) {
        let blank = run.isSpaced ? style.lineBreak : []
        for (number, piece) in pieces(run, near: position, in: style).enumerated() {
            let separator = isEnd(run, number) ? lastSeparator(run) : separator(run)
            splices.insert(
                style.lineBreak + blank + style.indentation + piece.text + separator + piece.endOfLine, at: offset,
                .members)
        }
    }

    private mutating func insertRow(_ run: Run, near position: Int, _ memberGap: [UInt8], at offset: Int) {
        for (number, piece) in pieces(run, near: position, in: nil).enumerated() {
            let separator = isEnd(run, number) ? lastSeparator(run) : separator(run)
            splices.insert(memberGap + piece.text + separator, at: offset, .members)
        }
    }

    private func isEnd(_ run: Run, _ number: Int) -> Bool {
        run.positions.lowerBound + number == run.change.origins.count - 1
    }

    /// The text of a new member, and the comments behind its separator.
    private struct Piece {
        var text: [UInt8]
        var endOfLine: [UInt8] = []
    }

    private mutating func pieces(_ run: Run, near position: Int, in style: LineStyle?) -> [Piece] {
        let object = after.object(run.change.after)
        let kinds = Set(run.positions.map { position in
            let value =
                object.kind == .dictionary ? after.value(position, of: object) : after.reference(position, of: object)
            return after.object(value).kind
        })
        var writer = memberWriter(in: run.container, near: position, style, run.number, kinds: kinds)
        return run.positions.map { member in
            if let origin = run.change.moved[member] {
                return piece(ofMoved: origin, in: run.container, isInLines: style != nil)
            }
            return Piece(text: writer.text(ofMember: member, of: object))
        }
    }

    /// A member as it is spelled where it stood, and if it has lines of its own with the comments that belong to it.
    private mutating func piece(ofMoved origin: Int, in container: ContainerText, isInLines: Bool) -> Piece {
        let (above, below) = (container.gap(origin), container.gap(origin + 1))
        let member = container.member(origin)
        guard isInLines, above.breaksLine else { return Piece(text: Array(map.text[member])) }
        let block = above.blockStart..<member.upperBound
        let isAlone = below.breaksLine && container.line(around: origin).count == 1
        let endOfLine = below.memberEnd..<(isAlone ? below.headCommentEnd : below.memberEnd)
        moved += [block, endOfLine]
        return Piece(
            text: Array(map.text[block].drop { $0 == 0x20 || $0 == 0x09 }), endOfLine: Array(map.text[endOfLine]))
    }

    private func separator(_ run: Run) -> [UInt8] {
        syntax.separator(of: run.container.object.kind).character.map { [$0] } ?? []
    }

    /// The separator behind the last member of all.
    private func lastSeparator(_ run: Run) -> [UInt8] {
        let separator = syntax.separator(of: run.container.object.kind)
        let isWanted = separator.endsLast ?? endsLast(run.container)
        return isWanted ? separator.character.map { [$0] } ?? [] : []
    }

    /// The text between two members where separators stand before members: that of a gap nearby without comments.
    private mutating func leadingSeparator(
        of container: ContainerText, near position: Int, _ number: Int
    ) -> [UInt8] {
        let gaps = container.around(position).lazy.filter { $0 > 0 }.map(container.gap)
        if let gap = gaps.first(where: { $0.hasLeadingSeparator && !$0.hasComment }) { return Array(map.text[gap.range]) }
        let style = lineStyle(of: container, near: container.count - 1, number)
        let separator = syntax.separator(of: container.object.kind).character
        return style.lineBreak + style.indentation + (separator.map { [$0, 0x20] } ?? [])
    }

    /// Whether a blank line stands between all members.
    private func separatesByBlankLines(_ container: ContainerText) -> Bool {
        container.count > 1 && (1..<container.count).allSatisfy { container.gap($0).hasBlankLine }
    }
}
