import SaveCodec

/// Host names (RFC 1123, section 2.1) and internationalized host names (RFC 5890 to 5893).
enum HostName {
    static func isValid(_ text: [UInt32]) -> Bool {
        hasLabels(text[...]) { $0.isLetter || $0.isDigit || $0 == 0x2D }
            && text.split(separator: 0x2E).allSatisfy { !isEncoded($0) || isEncodedLabel($0) }
    }

    static func isValidInternational(_ text: [UInt32]) -> Bool {
        let labels = text.split(omittingEmptySubsequences: false) { [0x2E, 0x3002, 0xFF0E, 0xFF61].contains($0) }
        var size = 0
        for label in labels {
            if isEncoded(label) {
                guard isEncodedLabel(label) else { return false }
                size += label.count + 1
            } else {
                guard let encoded = Punycode.encodedSize(label), isLabel(label) else { return false }
                let length = label.contains { $0 >= 0x80 } ? encoded + 4 : label.count
                guard 1...63 ~= length else { return false }
                size += length + 1
            }
        }
        return size <= 254
    }

    /// Whether a name consists of labels of 1 to 63 allowed characters without a hyphen at either end, and has at most
    /// 253 characters.
    static func hasLabels(_ text: ArraySlice<UInt32>, _ isAllowed: (UInt32) -> Bool) -> Bool {
        guard text.count <= 253 else { return false }
        return text.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy { label in
            1...63 ~= label.count && label.allSatisfy(isAllowed) && label.first != 0x2D && label.last != 0x2D
        }
    }

    private static func isEncoded(_ label: ArraySlice<UInt32>) -> Bool {
        label.count >= 4 && label.prefix(2).map { $0 | 0x20 } == [0x78, 0x6E]
            && label.dropFirst(2).prefix(2) == [0x2D, 0x2D]
    }

    /// Whether a label that begins with `xn--` encodes a valid international label.
    private static func isEncodedLabel(_ label: ArraySlice<UInt32>) -> Bool {
        let encoded = label.dropFirst(4)
        guard label.count <= 63, label.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D }),
            !encoded.isEmpty, encoded.last != 0x2D, encoded.lastIndex(of: 0x2D) != encoded.startIndex,
            let decoded = Punycode.hostNames.decode(encoded), decoded.contains(where: { $0 >= 0x80 })
        else { return false }
        return isLabel(decoded[...])
    }

    /// Whether a label is a valid U-label or ASCII label (RFC 5891, section 4.2).
    private static func isLabel(_ label: ArraySlice<UInt32>) -> Bool {
        guard let first = label.first, first != 0x2D, label.last != 0x2D,
            label.dropFirst(2).prefix(2) != [0x2D, 0x2D],
            let scalar = Unicode.Scalar(first), !scalar.isMark
        else { return false }
        let points = Array(label)
        return points.indices.allSatisfy { IDNACharacter.isAllowed(at: $0, in: points) }
    }
}

extension Unicode.Scalar {
    /// Whether the character combines with the one before it.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}

/// The rules for the characters of international labels (RFC 5892).
///
/// The derived property is computed from the general category and case mapping instead of a table. Characters that only
/// compatibility normalization would change are therefore accepted.
enum IDNACharacter {
    static func isAllowed(at position: Int, in label: [UInt32]) -> Bool {
        let point = label[position]
        if point < 0x80 { return point.isDigit || point == 0x2D || point.isLetter }
        switch point {
        case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: return true
        case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
        case 0xB7: return neighbour(position - 1, label) == 0x6C && neighbour(position + 1, label) == 0x6C
        case 0x375: return neighbour(position + 1, label).map { isScript($0, 0x370...0x3FF, 0x1F00...0x1FFF) } ?? false
        case 0x5F3, 0x5F4: return neighbour(position - 1, label).map { 0x590...0x5FF ~= $0 } ?? false
        case 0x30FB: return label.contains(where: isJapanese)
        case 0x660...0x669: return !label.contains { 0x6F0...0x6F9 ~= $0 }
        case 0x6F0...0x6F9: return !label.contains { 0x660...0x669 ~= $0 }
        case 0x200C, 0x200D: return follows(virama: position, label)
        // Conjoining Hangul jamo are not allowed.
        case 0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF: return false
        default: return isLetterOrDigit(point)
        }
    }

    private static func neighbour(_ position: Int, _ label: [UInt32]) -> UInt32? {
        label.indices.contains(position) ? label[position] : nil
    }

    private static func isScript(_ point: UInt32, _ ranges: ClosedRange<UInt32>...) -> Bool {
        ranges.contains { $0.contains(point) }
    }

    /// Whether a character is Hiragana, Katakana or Han. The middle dot U+30FB does not count.
    private static func isJapanese(_ point: UInt32) -> Bool {
        point != 0x30FB
            && isScript(
                point, 0x3041...0x309F, 0x30A1...0x30FF, 0x31F0...0x31FF, 0x2E80...0x2FD5, 0x3005...0x3007,
                0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF)
    }

    /// Whether the character before the joiner is a virama.
    private static func follows(virama position: Int, _ label: [UInt32]) -> Bool {
        guard let before = neighbour(position - 1, label).flatMap(Unicode.Scalar.init) else { return false }
        return before.properties.canonicalCombiningClass == .virama
    }

    private static func isLetterOrDigit(_ point: UInt32) -> Bool {
        guard let scalar = Unicode.Scalar(point) else { return false }
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .nonspacingMark, .spacingMark:
            return scalar.properties.lowercaseMapping.unicodeScalars.elementsEqual([scalar])
                && !scalar.properties.isDefaultIgnorableCodePoint
        default: return false
        }
    }
}

/// IP addresses as text (RFC 2673, section 3.2; RFC 4291, section 2.2).
enum IPAddress {
    /// Whether a text is an IPv4 address such as `127.0.0.1`.
    static func isVersion4(_ text: ArraySlice<UInt32>) -> Bool {
        let parts = text.split(separator: 0x2E, omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard 1...3 ~= part.count, part.allSatisfy(\.isDigit), part.count == 1 || part.first != 0x30 else {
                    return false
                }
                return part.reduce(0) { $0 * 10 + $1 - 0x30 } <= 255
            }
    }

    /// Whether a text is an IPv6 address such as `2001:db8::1` or `::ffff:192.0.2.1`.
    static func isVersion6(_ text: ArraySlice<UInt32>) -> Bool {
        guard text.count <= 45 else { return false }
        if let gap = text.indices.dropLast().first(where: { text[$0] == 0x3A && text[$0 + 1] == 0x3A }) {
            guard let before = groupCount(text[..<gap], isEnd: false),
                let after = groupCount(text[(gap + 2)...], isEnd: true)
            else { return false }
            return before + after <= 7
        }
        return groupCount(text, isEnd: true) == 8
    }

    /// Returns the number of 16-bit groups in a part of an address, or nil if it is invalid. An IPv4 address at the end
    /// counts as two.
    private static func groupCount(_ text: ArraySlice<UInt32>, isEnd: Bool) -> Int? {
        guard !text.isEmpty else { return 0 }
        let groups = text.split(separator: 0x3A, omittingEmptySubsequences: false)
        var count = groups.count
        for (position, group) in groups.enumerated() {
            if isEnd, position == groups.count - 1, group.contains(0x2E) {
                guard isVersion4(group) else { return nil }
                count += 1
            } else {
                guard 1...4 ~= group.count, group.allSatisfy(\.isHexDigit) else { return nil }
            }
        }
        return count
    }
}

/// Mail addresses (RFC 5321, section 4.1.2), and international ones (RFC 6531).
extension FormatScanner {
    mutating func isMailbox(isInternational: Bool) -> Bool {
        guard next == 0x22 ? skipQuoted(isInternational) : skipAtoms(isInternational), localSize <= 64, skip("@") else {
            return false
        }
        let domain = points[position...]
        if domain.first == 0x5B { return Self.isLiteral(domain) }
        guard isInternational, domain.contains(where: { $0 >= 0x80 }) else { return HostName.isValid(Array(domain)) }
        return HostName.hasLabels(domain) { $0.isLetter || $0.isDigit || $0 == 0x2D || Self.isInternational($0) }
    }

    /// The length of the text read so far, in bytes of UTF-8.
    private var localSize: Int {
        points[..<position].reduce(0) { $0 + ($1 < 0x80 ? 1 : $1 < 0x800 ? 2 : $1 < 0x10000 ? 3 : 4) }
    }

    private static func isInternational(_ point: UInt32) -> Bool {
        point >= 0x80 && !(0xD800..<0xE000 ~= point)
    }

    /// Skips an unquoted local part such as `joe.bloggs`.
    private mutating func skipAtoms(_ isInternational: Bool) -> Bool {
        repeat {
            let start = position
            while let next, Self.isAtomic(next) || (isInternational && Self.isInternational(next)) { position += 1 }
            guard position > start else { return false }
        } while skip(".")
        return true
    }

    private static func isAtomic(_ point: UInt32) -> Bool {
        point.isLetter || point.isDigit || point.isOne(of: "!#$%&'*+-/=?^_`{|}~")
    }

    /// Skips a quoted local part such as `"joe bloggs"`.
    private mutating func skipQuoted(_ isInternational: Bool) -> Bool {
        guard skip("\"") else { return false }
        while let next, next != 0x22 {
            if next == 0x5C { position += 1 }
            guard let character = self.next,
                0x20..<0x7F ~= character || (isInternational && Self.isInternational(character))
            else { return false }
            position += 1
        }
        return skip("\"")
    }

    /// Whether a domain is an address literal such as `[127.0.0.1]` or `[IPv6:::1]`.
    private static func isLiteral(_ domain: ArraySlice<UInt32>) -> Bool {
        guard domain.last == 0x5D, domain.count > 2 else { return false }
        let address = domain.dropFirst().dropLast()
        let prefix = Array("ipv6:".unicodeScalars.map(\.value))
        if address.prefix(5).map({ $0 | 0x20 }).elementsEqual(prefix.map { $0 | 0x20 }) {
            return IPAddress.isVersion6(address.dropFirst(5))
        }
        return IPAddress.isVersion4(address)
    }
}
