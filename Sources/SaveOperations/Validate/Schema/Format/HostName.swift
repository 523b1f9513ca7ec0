/// Names of hosts (RFC 1123, section 2.1), and international ones (RFC 5890 to 5893).
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

    /// Whether a name consists of labels of 1 to 63 such characters, 253 in all, with no hyphen at an end.
    static func hasLabels(_ text: ArraySlice<UInt32>, _ isAllowed: (UInt32) -> Bool) -> Bool {
        guard text.count <= 253 else { return false }
        return text.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy { label in
            1...63 ~= label.count && label.allSatisfy(isAllowed) && label.first != 0x2D && label.last != 0x2D
        }
    }

    /// Whether a label begins with `xn--`.
    private static func isEncoded(_ label: ArraySlice<UInt32>) -> Bool {
        label.count >= 4 && label.prefix(2).map { $0 | 0x20 } == [0x78, 0x6E]
            && label.dropFirst(2).prefix(2) == [0x2D, 0x2D]
    }

    /// Whether a label that begins with `xn--` stands for an international one.
    private static func isEncodedLabel(_ label: ArraySlice<UInt32>) -> Bool {
        guard label.count <= 63, label.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D }),
            let decoded = Punycode.decode(label.dropFirst(4)), decoded.contains(where: { $0 >= 0x80 })
        else { return false }
        return isLabel(decoded[...])
    }

    /// Whether a label may be registered (RFC 5891, section 4.2).
    private static func isLabel(_ label: ArraySlice<UInt32>) -> Bool {
        guard let first = label.first, first != 0x2D, label.last != 0x2D,
            label.dropFirst(2).prefix(2) != [0x2D, 0x2D],
            let scalar = Unicode.Scalar(first), !scalar.isMark
        else { return false }
        let points = Array(label)
        return points.indices.allSatisfy { HostCharacter.isAllowed(at: $0, in: points) }
    }
}

extension Unicode.Scalar {
    /// Whether it is drawn onto the character before it.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
