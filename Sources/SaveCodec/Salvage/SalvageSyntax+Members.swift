/// The tokens at which a container can continue after damage.
extension SalvageSyntax {
    func isKey(_ token: SalvageToken) -> Bool {
        guard hasPunctuation else { return token.kind == .key }
        return token.kind == .scalar || token.kind == .word && allowsWordsAsKeys
    }

    /// Returns the kind of the container in which a token can be the beginning of a member or the end; nil if it cannot.
    ///
    /// - Parameter isWhole: Whether everything before the token was read, so that the token cannot be a part of another.
    func container(of token: SalvageToken, before next: SalvageToken, isWhole: Bool) -> Bool? {
        switch token.kind {
        case .close(let isDictionary):
            switch next.kind {
            case .separator, .close, .end: return isDictionary
            case .key, .open, .scalar: return hasPunctuation ? nil : isDictionary
            default: return nil
            }
        case .key:
            switch next.kind {
            case .open, .scalar: return true
            default: return nil
            }
        case .scalar, .word, .open:
            guard hasPunctuation else { return false }
            if next.kind == .mark, isKey(token) { return isWhole || mayBeKey(token) ? true : nil }
            if case .open = token.kind { return isAfter(",[(", token) || isAfterDamage(token) ? false : nil }
            guard isAfter(",[(", token) else { return nil }
            switch next.kind {
            case .separator: return text[next.range.lowerBound] == separator(isDictionary: false) ? false : nil
            case .close(let isDictionary): return isDictionary ? nil : false
            default: return nil
            }
        default: return nil
        }
    }

    /// Whether a text before a mark is a whole key, and not a part of a key or the text between two strings.
    private func mayBeKey(_ token: SalvageToken) -> Bool {
        if token.kind == .word, let before = text[..<token.range.lowerBound].last, !Self.isBlank(before),
            !",;{[(".utf8.contains(before)
        {
            return false
        }
        let contents = text[token.range].dropFirst().drop { $0 <= 0x20 }
        if token.kind == .scalar, let first = contents.first, ",:;=]})".utf8.contains(first) { return false }
        // The separator may be damaged, too.
        return isAfter(",;{", token) || isAfterDamage(token)
    }

    /// Whether a byte that is not a character of the markup precedes a token, apart from blanks.
    private func isAfterDamage(_ token: SalvageToken) -> Bool {
        let before = text[..<token.range.lowerBound].last { !Self.isBlank($0) }
        return before.map { $0 < 0x20 || $0 > 0x7E } ?? false
    }

    /// Whether one of some characters precedes a token, apart from blanks.
    private func isAfter(_ characters: String, _ token: SalvageToken) -> Bool {
        let before = text[..<token.range.lowerBound].last { !Self.isBlank($0) }
        return before.map(characters.utf8.contains) ?? false
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
