/// The kind of container in which a token can begin a member, or which it can end.
enum SalvageContainer {
    case dictionary, array, neither

    fileprivate init(isDictionary: Bool) { self = isDictionary ? .dictionary : .array }

    /// Whether the container is a dictionary; nil for ``neither``.
    var isDictionary: Bool? {
        switch self {
        case .dictionary: true
        case .array: false
        case .neither: nil
        }
    }
}

/// The tokens at which a container can continue after damage.
extension SalvageSyntax {
    func isKey(_ token: SalvageToken) -> Bool {
        guard !source.hasReplacement(in: token.range) else { return false }
        guard hasPunctuation else { return token.kind == .key }
        return token.kind == .scalar || token.kind == .word && allowsWordsAsKeys
    }

    /// Returns the kind of container in which a token can begin a member, or which it can end.
    ///
    /// - Parameter isWhole: Whether everything before the token was read, so that the token cannot be the rest of
    ///   another one.
    func container(of token: SalvageToken, before next: SalvageToken, isWhole: Bool) -> SalvageContainer {
        switch token.kind {
        case .close(let isDictionary):
            switch next.kind {
            case .separator, .close, .end: return SalvageContainer(isDictionary: isDictionary)
            case .key, .open, .scalar:
                return hasPunctuation ? .neither : SalvageContainer(isDictionary: isDictionary)
            default: return .neither
            }
        case .key:
            guard isKey(token) else { return .neither }
            switch next.kind {
            case .open, .scalar: return .dictionary
            default: return .neither
            }
        case .scalar, .word, .open:
            guard hasPunctuation else { return .array }
            if next.kind == .mark, isKey(token) { return isWhole || mayBeKey(token) ? .dictionary : .neither }
            if case .open = token.kind { return isAfter(",[(", token) || isAfterDamage(token) ? .array : .neither }
            guard isAfter(",[(", token) else { return .neither }
            switch next.kind {
            case .separator: return text[next.range.lowerBound] == separator(isDictionary: false) ? .array : .neither
            case .close(let isDictionary): return isDictionary ? .neither : .array
            default: return .neither
            }
        default: return .neither
        }
    }

    /// Whether a text before a mark is a whole key, and not a part of a key or the text between two strings.
    private func mayBeKey(_ token: SalvageToken) -> Bool {
        if token.kind == .word, let before = text[..<token.range.lowerBound].last, !before.isSpace,
            !",;{[(".utf8.contains(before)
        {
            return false
        }
        if beginsWithPunctuation(token) { return false }
        // The separator may be damaged, too.
        return isAfter(",;{", token) || isAfterDamage(token)
    }

    /// Whether a string begins like the text between two others.
    func beginsWithPunctuation(_ token: SalvageToken) -> Bool {
        let contents = text[token.range].dropFirst().drop { $0 <= 0x20 }
        return token.kind == .scalar && contents.first.map(",:;=]})".utf8.contains) ?? false
    }

    /// Whether a range contains only blanks and comments.
    mutating func isBlank(_ range: Range<Int>) -> Bool {
        range.isEmpty || token(from: range.lowerBound).range.lowerBound >= range.upperBound
    }

    /// Whether the value of a pair begins at a token: at the mark before it or, in XML, at the value itself.
    ///
    /// - Parameter isNear: Whether the damage is in the key of the pair. Otherwise a quotation mark has to precede the
    ///   mark, so that the text of a value is not taken for a pair.
    mutating func beginsValue(_ token: SalvageToken, before next: SalvageToken, isNear: Bool) -> Bool {
        guard hasPunctuation else { return beginsElement(token, before: next) }
        return token.kind == .mark && (isNear || isAfterQuote(token.range.lowerBound)) && isValueOfPair(next)
    }

    /// Whether a token begins a container, or is a scalar after which a dictionary continues or ends.
    mutating func isValueOfPair(_ token: SalvageToken) -> Bool {
        switch token.kind {
        case .open: return true
        case .scalar, .word: break
        default: return false
        }
        let after = self.token(from: token.range.upperBound)
        switch after.kind {
        case .separator: return text[after.range.lowerBound] == separator(isDictionary: true)
        case .close(let isDictionary): return isDictionary && !needsLastSeparator
        default: return false
        }
    }

    /// Whether an XML element can be the value of a pair, judged by the token after it or, for a container, after its
    /// start tag.
    private func beginsElement(_ token: SalvageToken, before next: SalvageToken) -> Bool {
        switch (token.kind, next.kind) {
        case (.scalar, .key), (.scalar, .close(isDictionary: true)): true
        case (.open(let isDictionary), .key): isDictionary
        case (.open(let isDictionary), .open), (.open(let isDictionary), .scalar): !isDictionary
        case (.open(let isDictionary), .close(let other)): isDictionary == other
        default: false
        }
    }

    /// Whether the last character before an offset, apart from blanks, is a quotation mark that is not escaped.
    private func isAfterQuote(_ offset: Int) -> Bool {
        guard let last = text[..<offset].lastIndex(where: { !$0.isSpace }), "\"'".utf8.contains(text[last]) else {
            return false
        }
        return last == 0 || text[last - 1] != UInt8(ascii: "\\")
    }

    /// Whether the last byte before a token, apart from blanks, is damage: a control character, or not ASCII.
    private func isAfterDamage(_ token: SalvageToken) -> Bool {
        let before = text[..<token.range.lowerBound].last { !$0.isSpace }
        return before.map { $0 < 0x20 || $0 > 0x7E } ?? false
    }

    /// Whether the last character before a token, apart from blanks, is one of `characters`.
    private func isAfter(_ characters: String, _ token: SalvageToken) -> Bool {
        let before = text[..<token.range.lowerBound].last { !$0.isSpace }
        return before.map(characters.utf8.contains) ?? false
    }
}
