/// Internet addresses as text (RFC 2673, section 3.2; RFC 4291, section 2.2).
enum InternetAddress {
    /// `127.0.0.1`
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

    /// `2001:db8::1`, `::ffff:192.0.2.1`
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

    /// How many groups of 16 bits a part has; an address of version 4 at the end is two. Nil where it is wrong.
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
