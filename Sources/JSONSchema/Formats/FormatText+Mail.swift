/// Mail addresses (RFC 5321, section 4.1.2; RFC 6531 for international ones).
extension FormatText {
    mutating func isMailbox(isInternational: Bool) -> Bool {
        guard next == 0x22 ? skipQuoted(isInternational) : skipAtoms(isInternational), localSize <= 64, skip("@") else {
            return false
        }
        let domain = points[position...]
        if domain.first == 0x5B { return Self.isLiteral(domain) }
        guard isInternational, domain.contains(where: { $0 >= 0x80 }) else { return HostName.isValid(Array(domain)) }
        return HostName.hasLabels(domain) { $0.isLetter || $0.isDigit || $0 == 0x2D || Self.isInternational($0) }
    }

    /// How many bytes of UTF-8 have been read.
    private var localSize: Int {
        points[..<position].reduce(0) { $0 + ($1 < 0x80 ? 1 : $1 < 0x800 ? 2 : $1 < 0x10000 ? 3 : 4) }
    }

    private static func isInternational(_ point: UInt32) -> Bool {
        point >= 0x80 && !(0xD800..<0xE000 ~= point)
    }

    /// `joe.bloggs`
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

    /// `"joe bloggs"`
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

    /// `[127.0.0.1]`, `[IPv6:::1]`
    private static func isLiteral(_ domain: ArraySlice<UInt32>) -> Bool {
        guard domain.last == 0x5D, domain.count > 2 else { return false }
        let address = domain.dropFirst().dropLast()
        let prefix = Array("ipv6:".unicodeScalars.map(\.value))
        if address.prefix(5).map({ $0 | 0x20 }).elementsEqual(prefix.map { $0 | 0x20 }) {
            return InternetAddress.isVersion6(address.dropFirst(5))
        }
        return InternetAddress.isVersion4(address)
    }
}
