/// The search for the token at which a damaged text continues. The brackets up to the end of the text show how many
/// containers the damaged stretch closed or opened: members of containers that the stretch opened are skipped with it,
/// and containers that it closed are closed.
extension TextSalvage {
    /// A token at which the text continues after damage.
    struct Resumption {
        enum Role {
            /// The beginning of a member, or the end of a container.
            case member
            /// The value of the current member.
            case value
            /// The value of a pair whose key is lost, or the mark before that value.
            case valueOfLostKey
        }

        let token: SalvageToken
        /// The number of containers around the token.
        let depth: Int
        let isDictionary: Bool
        var role = Role.member
    }

    // MARK: Roots

    /// Returns the beginning of a root after damage; nil if a part of the root may precede it.
    mutating func root(after damage: Int) -> SalvageToken? {
        var token = syntax.token(from: damage)
        while work.maySearch(token) {
            switch token.kind {
            case .open: return token
            case .junk, .word: break
            default: return nil
            }
            let next = syntax.token(from: token.range.upperBound)
            if token.kind == .word, next.kind == .mark || next.kind == .separator { return nil }
            token = next
        }
        return nil
    }

    // MARK: Strings that may not be closed

    /// Finds a token to resume at inside the string before the damage, which may have lost one of its quotation marks.
    /// The key or value is taken back.
    ///
    /// - Returns: The token and the beginning of the string.
    mutating func resumeInString() -> (next: Resumption, start: Int)? {
        guard syntax.hasPunctuation, let last = frames.indices.last else { return nil }
        if frames[last].state == .mark, let key = frames[last].key, key.kind == .scalar,
            key.range.lowerBound >= output.copied
        {
            guard let next = candidate(in: key) else { return nil }
            frames[last].state = frames[last].count > 0 ? .next : .first
            return (next, key.range.lowerBound)
        }
        guard frames[last].state == .separator, let string = frames[last].scalar, string.kind == .scalar,
            string.range.lowerBound >= output.copied, string.range.count > 1,
            syntax.isBlank(string.range.upperBound..<damage)
        else { return nil }
        // The closing quotation mark may be the opening one of the next string.
        let token = syntax.token(from: string.range.upperBound - 1)
        let after = syntax.token(from: token.range.upperBound)
        let isDictionary = frames[last].isDictionary
        guard token.kind == .scalar,
            syntax.container(of: token, before: after, isWhole: false).isDictionary == isDictionary
        else {
            if damage < text.count {
                let path = frames.dropLast().map(\.count) + [frames[last].count - 1]
                losses.add(
                    TextLosses.Loss(
                        kind: .doubtful, range: string.range, path: path,
                        message: "the end of the string may be wrong, because the text after it is damaged"))
            }
            return nil
        }
        frames[last].removeMember()
        return (Resumption(token: token, depth: frames.count, isDictionary: isDictionary), string.range.lowerBound)
    }

    /// Finds the first token in a key at which the dictionary can continue.
    private mutating func candidate(in key: SalvageToken) -> Resumption? {
        var position = key.range.lowerBound + 1
        while work.stepsLeft > 0 {
            let token = syntax.token(from: position)
            guard token.range.lowerBound < key.range.upperBound, token.kind != .end else { return nil }
            let next = syntax.token(from: token.range.upperBound)
            if syntax.beginsValue(token, before: next, isNear: true) {
                return Resumption(token: token, depth: frames.count, isDictionary: true, role: .valueOfLostKey)
            }
            if token.kind == .scalar, syntax.container(of: token, before: next, isWhole: false) == .dictionary {
                return Resumption(token: token, depth: frames.count, isDictionary: true)
            }
            work.spend(steps: next.range.upperBound - token.range.lowerBound)
            let isWhole = token.kind == .junk || token.kind == .word
            position = isWhole ? token.range.upperBound : token.range.lowerBound + 1
        }
        return nil
    }

    // MARK: Search

    /// Finds the next token at which a container can continue, from the damage on.
    mutating func resume() -> Resumption? {
        var token: SalvageToken
        var first = syntax.token(from: damage)
        if damage == lastResumption {
            // The last search ended at this token, which did not fit. The text cannot continue there.
            brackets.pass(first)
            first = syntax.token(from: first.range.upperBound)
        }
        let start = first.range.lowerBound
        if start < brackets.end {
            token = first
        } else {
            guard let candidate = firstCandidate(from: start) else {
                brackets.stop(atEnd: text.count)
                return nil
            }
            token = candidate
            scan(from: candidate)
        }
        var depth = brackets.depth ?? max(frames.count, 1)
        let isKnown = brackets.depth != nil
        while token.kind != .end, work.maySearch(token) {
            let next = syntax.token(from: token.range.upperBound)
            if depth > 0,
                let found = resumption(
                    at: token, before: next, depth: depth, isFirst: token.range == first.range, isKnown: isKnown)
            {
                return found
            }
            if token.range.upperBound > brackets.end, token.kind == .junk {
                guard let candidate = firstCandidate(from: token.range.upperBound) else { return nil }
                token = candidate
                continue
            }
            if !isKnown, token.kind == .scalar || token.kind == .word, work.stepsLeft > 0 {
                // The text between two strings may have been taken for a string.
                work.spend(steps: token.range.count)
                let start = token.kind == .word ? token.range.upperBound : token.range.lowerBound + 1
                guard let candidate = firstCandidate(from: start) else { return nil }
                token = candidate
                continue
            }
            brackets.pass(token)
            // Brackets of other bytes close nothing.
            depth = max(depth + token.depthChange, isKnown ? .min : 1)
            token = next
        }
        return nil
    }

    /// Returns the resumption at a token inside a number of containers, or nil if none of them can continue there.
    private mutating func resumption(
        at token: SalvageToken, before next: SalvageToken, depth: Int, isFirst: Bool, isKnown: Bool
    ) -> Resumption? {
        if depth == frames.count, isValue(token, before: next) {
            return Resumption(
                token: token, depth: depth, isDictionary: frames[depth - 1].isDictionary, role: .value)
        }
        // More of the root may follow an end that is part of the damage.
        if depth == 1, isClose(token), syntax.hasPunctuation, next.kind != .end { return nil }
        let isWholeKey = token.range.lowerBound == keyAfterDamage
        if let isDictionary = isWholeKey
            ? true : syntax.container(of: token, before: next, isWhole: isFirst).isDictionary
        {
            let depth = isKnown || isClose(token) ? depth : indentedDepth(of: token, isDictionary) ?? depth
            let isOpen = depth <= frames.count && frames[depth - 1].isDictionary == isDictionary
            // If a pair follows in an array, the damage hides the beginning of a dictionary.
            let isElement =
                !isKnown && isDictionary && depth == frames.count && !frames[depth - 1].isDictionary
                || isKnown && depth == frames.count + 1 && canReopen
            let isRoot =
                frames.isEmpty && depth == 1 && !isClose(token)
                && isDictionary == (brackets.isLastDictionary ?? isDictionary)
            if isOpen || isElement && !isClose(token) || isRoot {
                return Resumption(
                    token: token, depth: isElement && !isOpen ? frames.count + 1 : depth, isDictionary: isDictionary)
            }
        }
        guard depth <= frames.count, frames[depth - 1].isDictionary else { return nil }
        let isNear = depth == frames.count && frames[depth - 1].state != .value
        guard syntax.beginsValue(token, before: next, isNear: isNear) else { return nil }
        return Resumption(token: token, depth: depth, isDictionary: true, role: .valueOfLostKey)
    }

    /// Returns the number of containers around a member that begins a line, if only one open container has members of
    /// the same indentation.
    private func indentedDepth(of token: SalvageToken, _ isDictionary: Bool) -> Int? {
        guard let indentation = indentation(of: token),
            let index = frames.lastIndex(where: { $0.indentation == indentation }),
            frames[index].isDictionary == isDictionary,
            frames.firstIndex(where: { $0.indentation == indentation }) == index
        else { return nil }
        return index + 1
    }

    /// Whether a token is the value of the damaged member: only a few bytes precede it, and they cannot be the value.
    private mutating func isValue(_ token: SalvageToken, before next: SalvageToken) -> Bool {
        guard let frame = frames.last, token.range.lowerBound - damage <= 16, token.range.lowerBound > damage,
            frame.isDictionary
                ? frame.state == .value || frame.state == .mark : frame.state == .first || frame.state == .next
        else { return false }
        let gap = text[damage..<token.range.lowerBound].filter { $0 > 0x20 || $0 < 0x09 }
        guard gap.count <= (syntax.hasPunctuation ? frame.isDictionary ? 4 : 1 : 6),
            !gap.contains(where: { "<>\"'{}[]():,;=".utf8.contains($0) || isOfWord($0) })
        else { return false }
        if case .open = token.kind { return true }
        guard token.kind == .scalar, !syntax.beginsWithPunctuation(token) else { return false }
        switch next.kind {
        case .separator: return isSeparator(next, frame)
        case .close(frame.isDictionary): return !frame.isDictionary || !syntax.needsLastSeparator
        case .key: return frame.isDictionary
        case .scalar, .open: return !syntax.hasPunctuation && !frame.isDictionary
        default: return false
        }
    }

    func isOfWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    /// Whether a container can be inserted at the current member.
    private var canReopen: Bool {
        guard let frame = frames.last else { return false }
        return !frame.isDictionary || frame.state == .value || frame.state == .mark
    }

    func isClose(_ token: SalvageToken) -> Bool {
        if case .close = token.kind { true } else { false }
    }

    /// Returns the first token from an offset on at which a container can continue, or nil.
    mutating func firstCandidate(from start: Int) -> SalvageToken? {
        var position = start
        let isNear = frames.last.map { $0.isDictionary && $0.state != .value } ?? false
        var hasQuote = !isNear || start != damage
        while true {
            let token = syntax.token(from: position)
            guard token.kind != .end, work.maySearch(token) else { return nil }
            if token.kind != .junk {
                let next = syntax.token(from: token.range.upperBound)
                if token.kind == .scalar, next.kind == .mark, !hasQuote, isKeyAfterDamage(token) {
                    keyAfterDamage = token.range.lowerBound
                    return token
                }
                if syntax.container(of: token, before: next, isWhole: position == start) != .neither
                    || syntax.beginsValue(token, before: next, isNear: isNear) || isValue(token, before: next)
                {
                    return token
                }
                if token.range.count > 1 || token.kind == .mark {
                    work.spend(steps: next.range.upperBound - token.range.lowerBound)
                }
            }
            hasQuote = hasQuote || "\"'".utf8.contains(text[token.range.lowerBound])
            let isWhole = token.kind == .junk || token.kind == .word || work.stepsLeft < 0
            position = isWhole ? token.range.upperBound : token.range.lowerBound + 1
        }
    }

    /// Whether a string before a mark is a key, if no quotation mark is between it and the damage.
    private func isKeyAfterDamage(_ key: SalvageToken) -> Bool {
        let isSeparate = key.range.lowerBound == 0 || text[key.range.lowerBound - 1] <= 0x20
        return isSeparate && syntax.isKey(key) && !syntax.beginsWithPunctuation(key)
    }

    /// Scans the brackets from a token on. Returns whether the text opens and closes the same number of containers.
    @discardableResult
    mutating func scan(from first: SalvageToken) -> Bool {
        brackets.scan(from: first, in: &syntax, within: &work, isBare: frames.first?.isBare == true)
    }
}
