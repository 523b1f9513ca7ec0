import SaveCodec

/// The grammar of URIs (RFC 3986, appendix A) and IRIs (RFC 3987, section 2.2).
struct URISyntax {
    /// Whether characters beyond ASCII are allowed.
    let isInternational: Bool

    /// Whether a text is a URI or, if `isReference` is true, a URI reference.
    func allows(_ text: [UInt32], isReference: Bool) -> Bool {
        var rest = text[...]
        if let hash = rest.firstIndex(of: 0x23) {
            guard isRow(rest[(hash + 1)...], extra: ":@/?") else { return false }
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: 0x3F) {
            guard isRow(rest[(mark + 1)...], extra: ":@/?", isQuery: true) else { return false }
            rest = rest[..<mark]
        }
        let colon = rest.firstIndex { $0 == 0x3A || $0 == 0x2F }
        if let colon, rest[colon] == 0x3A {
            guard isScheme(rest[..<colon]) else { return false }
            rest = rest[(colon + 1)...]
        } else if !isReference {
            return false
        }
        guard rest.starts(with: [0x2F, 0x2F]) else { return isRow(rest, extra: ":@/") }
        rest = rest.dropFirst(2)
        let path = rest.firstIndex(of: 0x2F) ?? rest.endIndex
        return isAuthority(rest[..<path]) && isRow(rest[path...], extra: ":@/")
    }

    private func isScheme(_ text: ArraySlice<UInt32>) -> Bool {
        guard let first = text.first, first.isLetter else { return false }
        return text.allSatisfy { $0.isLetter || $0.isDigit || $0.isOne(of: "+-.") }
    }

    /// Whether a text is an authority such as `user@host:port`.
    private func isAuthority(_ text: ArraySlice<UInt32>) -> Bool {
        var host = text
        if let at = host.lastIndex(of: 0x40) {
            guard isRow(host[..<at], extra: ":") else { return false }
            host = host[(at + 1)...]
        }
        if host.first == 0x5B {
            guard let end = host.firstIndex(of: 0x5D) else { return false }
            let port = host[(end + 1)...]
            return isLiteral(host[(host.startIndex + 1)..<end])
                && (port.isEmpty || (port.first == 0x3A && port.dropFirst().allSatisfy(\.isDigit)))
        }
        if let colon = host.lastIndex(of: 0x3A) {
            guard host[(colon + 1)...].allSatisfy(\.isDigit) else { return false }
            host = host[..<colon]
        }
        return isRow(host, extra: "")
    }

    /// Whether the text between brackets is an IPv6 address or a future address such as `v1.a`.
    private func isLiteral(_ text: ArraySlice<UInt32>) -> Bool {
        guard text.first.map({ $0 | 0x20 }) == 0x76 else { return IPAddress.isVersion6(text) }
        let parts = text.dropFirst().split(separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].allSatisfy(\.isHexDigit), !parts[1].isEmpty else {
            return false
        }
        return parts[1].allSatisfy { $0.isLetter || $0.isDigit || $0.isOne(of: "-._~!$&'()*+,;=:") }
    }

    /// Whether all characters are unreserved, sub-delimiters, escapes such as `%20`, or in `extra`.
    private func isRow(_ text: ArraySlice<UInt32>, extra: StaticString, isQuery: Bool = false) -> Bool {
        var position = text.startIndex
        while position < text.endIndex {
            let point = text[position]
            position += 1
            if point == 0x25 {
                guard position + 2 <= text.endIndex, text[position].isHexDigit, text[position + 1].isHexDigit else {
                    return false
                }
                position += 2
                continue
            }
            let isPlain = point.isLetter || point.isDigit || point.isOne(of: "-._~!$&'()*+,;=")
            guard isPlain || point.isOne(of: extra) || isBeyond(point, isQuery: isQuery) else { return false }
        }
        return true
    }

    /// Whether a code point is one of the additional characters of IRIs: `ucschar` or, in a query, `iprivate`.
    private func isBeyond(_ point: UInt32, isQuery: Bool) -> Bool {
        guard isInternational else { return false }
        switch point {
        case 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: return true
        case 0xE000...0xF8FF, 0xF0000...0xFFFFD, 0x100000...0x10FFFD: return isQuery
        case 0x10000...0xEFFFD: return point & 0xFFFF <= 0xFFFD && !(0xE0000..<0xE1000 ~= point)
        default: return false
        }
    }
}

/// URI templates (RFC 6570).
extension FormatScanner {
    mutating func skipURITemplate() -> Bool {
        while let next {
            switch next {
            case 0x7B: if !skipExpression() { return false }
            case 0x25: if !skipEscape() { return false }
            case 0...0x20, 0x7F..<0xA0, 0xD800..<0xE000: return false
            default:
                if next.isOne(of: "\"<>\\^`|}") { return false }
                position += 1
            }
        }
        return true
    }

    /// Skips an escape such as `%20`.
    private mutating func skipEscape() -> Bool {
        skip("%") && skip("0123456789ABCDEFabcdef") && skip("0123456789ABCDEFabcdef")
    }

    /// Skips an expression such as `{+path,name:3,list*}`.
    private mutating func skipExpression() -> Bool {
        guard skip("{") else { return false }
        _ = skip("+#./;?&=,!@|")
        repeat {
            guard skipVariable() else { return false }
        } while skip(",")
        return skip("}")
    }

    private mutating func skipVariable() -> Bool {
        repeat {
            guard skipVariableCharacter() else { return false }
            while skipVariableCharacter() {}
        } while skip(".")
        if skip("*") { return true }
        guard skip(":") else { return true }
        guard skip("123456789") else { return false }
        return skipDigits() <= 3
    }

    private mutating func skipVariableCharacter() -> Bool {
        guard let next else { return false }
        if next == 0x25 { return skipEscape() }
        guard next.isLetter || next.isDigit || next == 0x5F else { return false }
        position += 1
        return true
    }
}
