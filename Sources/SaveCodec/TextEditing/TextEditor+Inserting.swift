extension TextEditor {
    // MARK: Separators

    /// Adds or removes the separator after the last existing member, as the change requires.
    mutating func endLastMember(of container: ContainerText, _ change: ContainerChange) {
        guard container.count > 0, !container.hasLeadingSeparators,
            let last = change.origins.lastIndex(where: { $0 != nil }), let member = change.origins[last]
        else { return }
        // The last member keeps its separator if it stays the last one.
        let staysLast = last == change.origins.count - 1
        guard !staysLast || member < container.count - 1,
            let character = syntax.separator(of: container.object.kind).character
        else { return }
        let gap = container.gap(member + 1)
        let present = gap.separator
        let isNeeded = !staysLast || endsLast(container)
        if isNeeded, present == nil {
            result.splices.insert([character], at: gap.innerEnd, .separator)
        } else if !isNeeded, let present {
            result.splices.delete(container.memberWithComments(member).upperBound..<present.upperBound)
        }
    }

    /// Whether a separator has to follow the last member.
    private func endsLast(_ container: ContainerText) -> Bool {
        container.count > 0
            ? container.gap(container.count).separator != nil : syntax.separator(of: container.object.kind).endsLast
    }

    // MARK: Inserting

    /// Inserts the new members. Each run is inserted before the next existing member or, at the end, after the last
    /// one.
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
            var run = Run(
                positions: position..<end, container: container, change: change, number: number, isSpaced: isSpaced)
            if end < change.origins.count, let next = change.origins[end] {
                if let previous, let donor, !container.gap(next).lines.isEmpty {
                    let head = run.positions.prefix { donor.isNextToPrevious($0, of: change.after) }
                    run.positions = head
                    if !head.isEmpty { insert(run, after: previous) }
                    run.positions = head.upperBound..<end
                }
                if !run.positions.isEmpty { insert(run, before: next) }
            } else if let previous {
                insert(run, after: previous)
            } else {
                insertFirst(run)
            }
            position = end
        }
    }

    /// A run of adjacent new members.
    private struct Run {
        var positions: Range<Int>
        let container: ContainerText
        let change: ContainerChange
        let number: Int
        /// Whether blank lines separate the members of the container.
        let isSpaced: Bool
    }

    private mutating func insert(_ run: Run, before next: Int) {
        let container = run.container
        let gap = container.gap(next)
        if container.hasLeadingSeparators {
            let separator = leadingSeparator(of: container, near: next, run.number)
            for piece in pieces(run, near: next, in: nil) {
                result.splices.insert(piece.text + separator, at: container.member(next).lowerBound, .members)
            }
        } else if gap.breaksLine, !gap.hasLeadingSeparator {
            let style = containers.lineStyle(of: container, near: next, run.number)
            let blank = run.isSpaced ? style.lineBreak : []
            for piece in pieces(run, near: next, in: style) {
                result.splices.insert(
                    style.indentation + piece.text + separator(run) + piece.endOfLine + style.lineBreak + blank,
                    at: gap.blockStart, .members)
            }
        } else {
            let memberGap = containers.memberGap(in: container, near: next, run.number)
            for piece in pieces(run, near: next, in: nil) {
                result.splices.insert(
                    piece.text + separator(run) + memberGap, at: container.member(next).lowerBound, .members)
            }
        }
    }

    private mutating func insert(_ run: Run, after previous: Int) {
        let container = run.container
        let gap = container.gap(previous + 1)
        if container.hasLeadingSeparators {
            let separator = leadingSeparator(of: container, near: previous, run.number)
            for piece in pieces(run, near: previous, in: nil) {
                result.splices.insert(separator + piece.text, at: gap.endOfLineEnd, .members)
            }
        } else if container.beginsLine(previous) || gap.breaksLine && !gap.headComments.isEmpty {
            let style = containers.lineStyle(of: container, near: previous, run.number)
            let offset = gap.breaksLine ? gap.headEnd : gap.headCommentEnd
            insertLines(run, near: previous, style, at: max(offset, gap.memberEnd))
        } else {
            let memberGap = containers.memberGap(in: container, near: previous, run.number)
            insertRow(
                run, near: previous, memberGap, at: gap.breaksLine ? gap.memberEnd : gap.headCommentEnd)
        }
    }

    /// Inserts members into a container that has no members yet, but may contain comments.
    private mutating func insertFirst(_ run: Run) {
        let container = run.container
        let gap = container.gap(0)
        if container.contents == container.range {
            insertAtEnd(run, containers.lineStyle(of: container, near: 0, run.number))
        } else if gap.breaksLine {
            insertLines(run, near: 0, containers.lineStyle(of: container, near: 0, run.number), at: gap.headEnd)
        } else {
            insertRow(run, near: 0, [0x20], at: gap.headCommentEnd)
        }
    }

    /// Inserts members after the comments of a strings file without pairs.
    private mutating func insertAtEnd(_ run: Run, _ style: LineStyle) {
        let text = map.text
        let endsLine = text.last.map { $0 == 0x0A || $0 == 0x0D } ?? true
        if !endsLine { result.splices.insert(style.lineBreak, at: text.count, .members) }
        for piece in pieces(run, near: 0, in: style) {
            result.splices.insert(
                piece.text + separator(run) + piece.endOfLine + style.lineBreak, at: text.count, .members)
        }
    }

    private mutating func insertLines(_ run: Run, near position: Int, _ style: LineStyle, at offset: Int) {
        let blank = run.isSpaced ? style.lineBreak : []
        for (number, piece) in pieces(run, near: position, in: style).enumerated() {
            let separator = isEnd(run, number) ? lastSeparator(run) : separator(run)
            result.splices.insert(
                style.lineBreak + blank + style.indentation + piece.text + separator + piece.endOfLine, at: offset,
                .members)
        }
    }

    private mutating func insertRow(_ run: Run, near position: Int, _ memberGap: [UInt8], at offset: Int) {
        for (number, piece) in pieces(run, near: position, in: nil).enumerated() {
            let separator = isEnd(run, number) ? lastSeparator(run) : separator(run)
            result.splices.insert(memberGap + piece.text + separator, at: offset, .members)
        }
    }

    private func isEnd(_ run: Run, _ number: Int) -> Bool {
        run.positions.lowerBound + number == run.change.origins.count - 1
    }

    /// The text of a new member, and the comments after its separator.
    private struct Piece {
        var text: [UInt8]
        var endOfLine: [UInt8] = []
    }

    private mutating func pieces(_ run: Run, near position: Int, in style: LineStyle?) -> [Piece] {
        let object = after.object(run.change.after)
        let kinds = Set(
            run.positions.map { position in
                let value = after.member(position, of: object)
                return after.object(value).kind
            })
        var writer = memberWriter(
            near: Neighbour(container: run.container, position: position, change: run.number), in: style, kinds: kinds)
        return run.positions.map { member in
            if let slot = run.change.moved[member], slot.change == run.number {
                return piece(ofMoved: slot.position, in: run.container, isInLines: style != nil)
            }
            let text = text(ofMember: member, of: run.change.after, &writer)
            let comments = comments(of: member, run.change, in: style)
            return Piece(
                text: comments.above + Self.joined(text, comments.inner), endOfLine: comments.endOfLine)
        }
    }

    /// Returns the text of a new member: from the donor if possible, otherwise in the style of nearby members.
    func text(ofMember position: Int, of container: ObjectID, _ writer: inout MemberWriter) -> [UInt8] {
        let object = after.object(container)
        let value = after.member(position, of: object)
        return writer.text(
            ofMember: position, of: object, key: donor?.key(position, of: container),
            value: prefersDonor(for: value) ? donor?.value(position, of: container, in: writer.style) : nil)
    }

    /// Returns the comments of a new member, copied from the donor or from the container that contained the member
    /// before.
    private mutating func comments(
        of member: Int, _ change: ContainerChange, in style: LineStyle?
    ) -> ContainerText.MemberComments {
        if let comments = donor?.comments(of: member, of: change.after, in: style), !comments.isEmpty {
            return comments
        }
        guard let slot = change.moved[member], let container = containers.text(slot.change) else {
            return ContainerText.MemberComments()
        }
        // Comments above or after several members on one line stay there.
        return container.comments(of: slot.position, in: container.isAlone(slot.position) ? style : nil) { range in
            result.moved.append(range)
            return true
        }
    }

    /// Returns the text of a moved member, including its own comments if it has its own lines.
    private mutating func piece(ofMoved origin: Int, in container: ContainerText, isInLines: Bool) -> Piece {
        let (above, below) = (container.gap(origin), container.gap(origin + 1))
        let member = container.memberWithComments(origin)
        guard isInLines, container.isAlone(origin) else {
            // With separators at the beginning of lines, the comment at the end of the line is before the next
            // separator.
            let endsLine =
                container.closesOnItsOwnLine && below.breaksLine && container.line(around: origin).count == 1
            let range = member.lowerBound..<(endsLine ? below.endOfLineEnd : member.upperBound)
            result.moved.append(range)
            return Piece(text: Array(map.text[range]))
        }
        let block = above.blockStart..<member.upperBound
        let endOfLine = below.memberEnd..<(below.breaksLine ? below.headCommentEnd : below.memberEnd)
        result.moved += [block, endOfLine]
        return Piece(
            text: Array(map.text[block].drop { $0.isBlank }), endOfLine: Array(map.text[endOfLine]))
    }

    private func separator(_ run: Run) -> [UInt8] {
        syntax.separator(of: run.container.object.kind).character.map { [$0] } ?? []
    }

    /// Returns the separator after the last member of the container.
    private func lastSeparator(_ run: Run) -> [UInt8] {
        let separator = syntax.separator(of: run.container.object.kind)
        let isWanted = separator.endsLast || endsLast(run.container)
        return isWanted ? separator.character.map { [$0] } ?? [] : []
    }

    /// Returns the text between two members in a container with leading separators, taken from a nearby gap without
    /// comments.
    private mutating func leadingSeparator(
        of container: ContainerText, near position: Int, _ number: Int
    ) -> [UInt8] {
        let gaps = container.around(position).lazy.filter { $0 > 0 }.map(container.gap)
        if let gap = gaps.first(where: { $0.hasLeadingSeparator && !$0.hasComment }) {
            return Array(map.text[gap.range])
        }
        let style = containers.lineStyle(of: container, near: container.count - 1, number)
        let separator = syntax.separator(of: container.object.kind).character
        return style.lineBreak + style.indentation + (separator.map { [$0, 0x20] } ?? [])
    }

    private func separatesByBlankLines(_ container: ContainerText) -> Bool {
        container.count > 1 && (1..<container.count).allSatisfy { container.gap($0).hasBlankLine }
    }
}
