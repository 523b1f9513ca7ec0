/// The repairs of a damaged stretch of a text.
extension TextSalvage {
    /// Continues after a token that does not fit.
    ///
    /// - Returns: False if no root was found.
    mutating func recover(at damage: Int) -> Bool {
        self.damage = damage
        let isInComment = syntax.isUnclosedComment(at: damage)
        if frames.isEmpty {
            guard !isInComment, root(after: damage) == nil, let first = openLostContainers() else {
                return recoverRoot(isInComment: isInComment)
            }
            if first.range.lowerBound == damage { return true }
        }
        if addMissingSeparator() || addMissingMark() { return true }
        var start = min(damage, retractWord())
        if start == damage { doubtWord() }
        start = min(start, retractTag())
        var next: Resumption?
        if !isInComment, let (found, beginning) = resumeInString() {
            (next, start) = (found, beginning)
        } else {
            next = resume()
            // The text may be cut off in a comment, which has no values.
            if isInComment, !closesContainers { next = nil }
            start = min(start, retractKey(before: next))
            if next == nil { start = min(start, retractCutTag()) }
        }
        lastResumption = next?.token.range.lowerBound ?? text.count
        let end = next?.token.range.lowerBound ?? syntax.contentEnd
        let target = max(min(next?.depth ?? 0, frames.count), next == nil ? 0 : 1)
        bridge(min(start, end)..<end, to: target, next)
        position = end
        return true
    }

    /// Whether the rest of the text, as far as it was scanned, closes containers that were opened before. If it follows
    /// an unclosed comment, only the end of the comment is damaged, and the text is not cut off in the comment.
    private var closesContainers: Bool { brackets.depth.map { $0 > (frames.first?.isBare == true ? 1 : 0) } ?? false }

    /// Continues at the root, or in a root whose beginning is lost.
    ///
    /// - Parameter isInComment: Whether the damage begins with an unclosed comment. It may contain a root only if the
    ///   root is complete.
    private mutating func recoverRoot(isInComment: Bool) -> Bool {
        if let root = root(after: damage) {
            let isBalanced = scan(from: root)
            guard isBalanced || !isInComment else { return false }
            let before = damage..<root.range.lowerBound
            output.replace(before, with: syntax.lostStart(after: damage))
            (position, hasNewMarkup) = (before.upperBound, true)
            if !isBalanced { lose(before, .doubtful, inMember: false, "the text before the root is damaged") }
            if syntax.hasPunctuation { loseRest(of: before) }
            return true
        }
        guard !isInComment else { return false }
        let found = resume()
        // A text that closes no container may be a scalar.
        if brackets.depth == nil, acceptScalarRoot(at: damage) { return true }
        guard let next = found, next.role == .member else { return acceptScalarRoot(at: damage) }
        let end = next.token.range.lowerBound
        lastResumption = end
        position = end
        output.skip(upTo: end)
        output.write(syntax.lostStart(after: 0) + syntax.opening(isDictionary: next.isDictionary))
        hasNewMarkup = true
        lose(damage..<end, .doubtful, inMember: false, "the beginning of the file is damaged")
        loseRest(of: damage..<end)
        open(next.isDictionary, at: nil)
        return true
    }

    /// Opens the containers whose beginnings are lost, if the rest of the text ends more of them than the root.
    ///
    /// - Returns: The first token at which they can continue; nil if nothing was opened.
    private mutating func openLostContainers() -> SalvageToken? {
        guard let first = firstCandidate(from: damage) else { return nil }
        scan(from: first)
        let (containers, isKnown) = (brackets.lostContainers, brackets.depth != nil && brackets.hasValues)
        brackets = BracketScan()
        guard isKnown, containers.count > 1, containers.count <= work.limits.maxDepth else { return nil }
        let beginning = damage..<first.range.lowerBound
        output.skip(upTo: damage)
        output.write(syntax.lostStart(after: 0))
        hasNewMarkup = true
        for isDictionary in containers.reversed() {
            if let last = frames.indices.last, frames[last].isDictionary {
                output.write(syntax.key(output.newKey()) + (syntax.hasPunctuation ? syntax.mark() : ""))
                lose(beginning, .key, inMember: true, "the key is before the beginning of the file")
                frames[last].state = .value
            }
            output.write(syntax.opening(isDictionary: isDictionary))
            open(isDictionary, at: nil)
            lose(beginning, .doubtful, inMember: false, "the beginning of the file is damaged")
        }
        position = damage
        return first
    }

    // MARK: Separators and marks

    /// Writes a separator between two elements of an array that only blanks and comments separate.
    ///
    /// - Returns: Whether the text continues with an element. It fits now.
    private mutating func addMissingSeparator() -> Bool {
        guard let frame = frames.last, !frame.isDictionary, frame.state == .separator, beginsElement() else {
            return false
        }
        let element = syntax.token(from: damage)
        guard continuesContainer(from: element) else { return false }
        output.copy(upTo: frame.scalar?.range.upperBound ?? damage)
        output.write(String(UnicodeScalar(syntax.separator(isDictionary: false))))
        lose(element.range, .doubtful, inMember: true, "the separator before it is missing")
        if !frame.lacksSeparators { doubtContainers(around: damage..<damage) }
        frames[frames.count - 1].state = .next
        frames[frames.count - 1].lacksSeparators = true
        lastResumption = damage
        return true
    }

    /// Writes the mark between a key in quotation marks and its value that only blanks and comments separate.
    ///
    /// - Returns: Whether the text continues with the value. It fits now.
    private mutating func addMissingMark() -> Bool {
        guard let frame = frames.last, frame.state == .mark, let key = frame.key, key.kind == .scalar,
            key.range.upperBound >= output.copied, !syntax.beginsWithPunctuation(key)
        else { return false }
        let value = syntax.token(from: damage)
        guard !syntax.beginsWithPunctuation(value), syntax.isValueOfPair(value), continuesContainer(from: value) else {
            return false
        }
        output.copy(upTo: key.range.upperBound)
        output.write(syntax.mark())
        if text[key.range.upperBound..<damage].allSatisfy(\.isSpace) { output.skip(upTo: damage) }
        lose(value.range, .doubtful, inMember: true, "the mark between it and its key is missing")
        doubtContainers(around: damage..<damage)
        frames[frames.count - 1].state = .value
        lastResumption = damage
        return true
    }

    /// Whether the brackets from a token on close the open containers. Otherwise brackets are missing, too.
    private mutating func continuesContainer(from token: SalvageToken) -> Bool {
        if token.range.lowerBound >= brackets.end { scan(from: token) }
        return brackets.depth == nil || brackets.depth == frames.count
    }

    /// Whether the damage is a whole element after a blank. Words of OpenStep may be parts of a text without quotation
    /// marks.
    private mutating func beginsElement() -> Bool {
        guard syntax.hasPunctuation, damage > 0, text[damage - 1].isSpace else { return false }
        let token = syntax.token(from: damage)
        switch token.kind {
        case .open: return true
        case .scalar: if syntax.beginsWithPunctuation(token) { return false }
        case .word: if syntax.allowsWordsAsKeys { return false }
        default: return false
        }
        let next = syntax.token(from: token.range.upperBound)
        switch next.kind {
        case .separator: return text[next.range.lowerBound] == syntax.separator(isDictionary: false)
        case .close(let isDictionary): return !isDictionary
        case .scalar, .word, .open: return text[next.range.lowerBound - 1].isSpace
        default: return false
        }
    }

    // MARK: Tokens before the damage

    /// Takes back a word that the damage may have shortened. Returns its start, or the end of the text without such a
    /// word.
    private mutating func retractWord() -> Int {
        guard let last = frames.indices.last else { return text.count }
        if frames[last].state == .mark, let key = frames[last].key, key.kind == .word, key.range.upperBound == damage {
            frames[last].state = frames[last].count > 0 ? .next : .first
            return key.range.lowerBound
        }
        guard frames[last].state == .separator || !syntax.hasPunctuation,
            let word = frames[last].scalar, word.kind == .word, word.range.upperBound == damage,
            word.range.lowerBound >= output.copied
        else { return text.count }
        frames[last].removeMember()
        return word.range.lowerBound
    }

    /// Reports a word as doubtful if the damage may have split it by a blank or a separator: `1 345` or `1,345`.
    private mutating func doubtWord() {
        guard syntax.hasPunctuation, damage < text.count, !"\"'{}[]()<>:=".utf8.contains(text[damage]),
            let frame = frames.last, let word = frame.scalar, word.kind == .word, word.range.upperBound < damage
        else { return }
        let isRest = frame.state == .next && frame.isDictionary && (0x30...0x39).contains(text[damage])
        guard frame.state == .separator || isRest else { return }
        let path = frames.dropLast().map(\.count) + [frame.count - 1]
        losses.add(
            TextLosses.Loss(
                kind: .doubtful, range: word.range, path: path,
                message: "a part of the value may be missing, because the text after it is damaged"))
    }

    /// Takes back a dictionary that stands for a single value, such as `{"$date": …}`, because it needs its value.
    /// Returns its start, or the end of the text without such a dictionary.
    private mutating func retractTag() -> Int {
        var retracted = text.count
        // A tag may be the value of another one: {"$date": {"$real": "nan"}}.
        while let frame = frames.last, isTagged(frame), frame.state == .value || frame.state == .mark,
            let start = frame.start, frames.count > 1, start >= output.copied
        {
            frames.removeLast()
            retracted = start
        }
        return retracted
    }

    /// Takes back a dictionary in which the text is cut off before its first key, if it may stand for a single value.
    /// Returns its start, or the end of the text without such a dictionary.
    private mutating func retractCutTag() -> Int {
        guard let frame = frames.last, mayBeTagged(frame), let start = frame.start, frames.count > 1,
            start >= output.copied
        else { return text.count }
        frames.removeLast()
        return min(start, retractTag())
    }

    /// Takes back a string that precedes a mark but is only the beginning of a damaged key: `"na"me": 1`. Returns the
    /// start of the string. If there is no such string, returns the end of the text.
    private mutating func retractKey(before next: Resumption?) -> Int {
        guard let next, next.role == .valueOfLostKey, next.depth == frames.count, let last = frames.indices.last,
            frames[last].state == .mark, let key = frames[last].key, key.range.lowerBound >= output.copied,
            next.token.range.lowerBound >= key.range.upperBound,
            !text[key.range.upperBound..<next.token.range.lowerBound].contains(where: { ",;\n\r".utf8.contains($0) })
        else { return text.count }
        frames[last].state = frames[last].count > 0 ? .next : .first
        return key.range.lowerBound
    }

    // MARK: Stretches

    /// Replaces a damaged range and continues in the container at a depth, or at the end of the root for depth 0.
    private mutating func bridge(_ range: Range<Int>, to depth: Int, _ next: Resumption?) {
        if next?.role == .value { return continueMember(after: range) }
        var start = range.lowerBound
        let closes = depth < frames.count || next.map { isClose($0.token) } ?? true
        if closes, let frame = frames.last, frame.state == .next, let separator = frame.separator,
            frame.isDictionary ? !syntax.needsLastSeparator : range.isEmpty, separator.upperBound <= start,
            separator.lowerBound >= output.copied
        {
            start = separator.lowerBound
        }
        output.copy(upTo: start)
        output.skip(upTo: range.upperBound)
        let reopens = next.map { $0.depth > frames.count } ?? false
        let isShown = fillMember(range, closes: closes, isCut: next == nil, reopens ? next : nil)
        while !reopens, frames.count > depth {
            closeFrame()
            if !frames.isEmpty, depth == 0 { lose(range, .doubtful, inMember: false, TextLosses.Loss.cutMessage) }
        }
        if !isShown, next?.role != .valueOfLostKey { loseRest(of: range) }
        guard let next, !frames.isEmpty else {
            if frames.isEmpty { rootEnd = range.upperBound }
            return
        }
        doubtContainers(around: range)
        separate(from: next)
        guard next.role == .valueOfLostKey else { return }
        output.write(syntax.key(output.newKey()))
        let last = frames.count - 1
        lose(range, .key, inMember: true, "the key is damaged")
        frames[last].key = nil
        frames[last].state = syntax.hasPunctuation ? .mark : .value
    }

    /// Continues with the value of the current member.
    private mutating func continueMember(after range: Range<Int>) {
        let last = frames.count - 1
        output.copy(upTo: range.lowerBound)
        output.skip(upTo: range.upperBound)
        if frames[last].state == .mark {
            output.write(syntax.mark())
            frames[last].state = .value
        }
        lose(range, .doubtful, inMember: true, "the text before the value is damaged")
        doubtContainers(around: range)
    }

    /// Writes a separator after the last member if the token at which the text continues requires one.
    private mutating func separate(from next: Resumption) {
        let last = frames.count - 1
        guard frames[last].state == .separator else { return }
        if isClose(next.token), !frames[last].isDictionary || !syntax.needsLastSeparator { return }
        writeSeparator(frames[last])
        frames[last].state = .next
    }

    /// Completes the current member of the innermost container with a placeholder. Returns whether a value is reported
    /// as lost.
    private mutating func fillMember(
        _ range: Range<Int>, closes: Bool, isCut: Bool, _ next: Resumption?
    ) -> Bool {
        guard let last = frames.indices.last else { return false }
        let message = isCut ? "the text ends here" : "the text is damaged here"
        let frame = frames[last]
        let isElement = !frame.isDictionary && (frame.state == .first || frame.state == .next)
        if frame.state == .mark { output.write(syntax.mark()) }
        if let next {
            if !frame.isDictionary, frame.state == .separator { writeSeparator(frame) }
            lose(range, .doubtful, inMember: true, message)
            output.write(syntax.opening(isDictionary: next.isDictionary))
            open(next.isDictionary, at: nil)
        } else if frame.state == .mark || frame.state == .value
            || isElement && !(closes && range.isEmpty)
        {
            output.write(syntax.placeholder)
            lose(range, isCut ? .missing : .value, inMember: true, message)
            endValue(at: range.lowerBound)
            return true
        } else if isCut {
            lose(range, .doubtful, inMember: false, TextLosses.Loss.cutMessage)
        }
        return false
    }

    /// Reports a damaged range that the result leaves out, unless it contains only blanks and comments.
    private mutating func loseRest(of range: Range<Int>) {
        guard !range.isEmpty, !syntax.isBlank(range) else { return }
        if range.upperBound == syntax.contentEnd, syntax.isUnclosedComment(at: range.lowerBound) {
            let message = "the comment that begins here is not closed; it is left out"
            return losses.add(TextLosses.Loss(kind: .doubtful, range: range, path: [], message: message))
        }
        let (size, verb) = (Phrase.count(range.count, "byte"), Phrase.verb("is", for: range.count))
        losses.add(
            TextLosses.Loss(
                kind: .value, range: range, path: nil, message: "\(size) between other values \(verb) left out"))
    }

    /// Reports the innermost container as doubtful, because it may have lost members, and the root as well.
    mutating func doubtContainers(around range: Range<Int>) {
        if frames.count > 1 || losses.isRootDoubted {
            lose(range, .doubtful, inMember: false, "members may be missing because of the damage")
        }
        losses.doubtRoot(around: range)
    }

    private mutating func writeSeparator(_ frame: Frame) {
        guard syntax.hasPunctuation else { return }
        output.writeSeparator(syntax.separator(isDictionary: frame.isDictionary))
    }

    /// Closes the innermost container in the output.
    private mutating func closeFrame() {
        let frame = frames.removeLast()
        if frame.isDictionary, frame.state == .separator, syntax.needsLastSeparator {
            writeSeparator(frame)
        }
        if !frame.isBare { output.write(syntax.closing(isDictionary: frame.isDictionary, from: frame.start)) }
        endValue(at: text.count)
    }
}
