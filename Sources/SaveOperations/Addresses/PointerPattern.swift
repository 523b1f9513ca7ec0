package import SaveCodec

/// A pattern of addresses: a JSON Pointer in which a segment may be `*` (one token) or `**` (any number of tokens).
///
///     /root/charList/*/health     the health of every player
///     /**/DateRecorded            every value under this name
///
/// A key that is itself an asterisk is written `~*`.
package struct PointerPattern: Sendable, Hashable {
    enum Segment: Sendable, Hashable {
        case literal(AddressToken)
        case one
        case any
        /// `~^`, the root of a nested save.
        case nestedRoot

        init(_ token: AddressToken) {
            switch token {
            case AddressToken("*".utf16, isExtension: true): self = .one
            case AddressToken("**".utf16, isExtension: true): self = .any
            case _ where token.entersSave: self = .nestedRoot
            default: self = .literal(token)
            }
        }

        /// Returns the positions in a pattern that are reached at the segment without a token: its own, and after `**`,
        /// which may match none, the next one.
        func closure(from position: Int) -> ClosedRange<Int> { position...(self == .any ? position + 1 : position) }
    }

    let segments: [Segment]
    /// The pattern as an address, in which the wildcards are not keys but extension tokens.
    package let address: JSONPointer

    /// Parses a pattern.
    ///
    /// - Throws: `pattern.start` or `pattern.escape` if the text is not a pattern.
    package init(_ text: String) throws(Problem) {
        guard text.isEmpty || text.hasPrefix("/") else { throw .patternStart(text) }
        guard let address = JSONPointer(units: text.utf16, isPattern: true) else { throw .patternEscape(text) }
        self.init(address)
    }

    /// Creates a pattern from an address whose wildcards are extension tokens. Several `**` in succession become one,
    /// which matches the same addresses.
    package init(_ address: JSONPointer) {
        var segments: [Segment] = []
        var shortened = JSONPointer.root
        for index in address.tokens.indices {
            let token = address.token(at: index)
            let segment = Segment(token)
            guard segment != .any || segments.last != .any else { continue }
            segments.append(segment)
            shortened.append(token)
        }
        self.segments = segments
        self.address = shortened
    }

    /// Whether the pattern has wildcards, so that it may match several addresses.
    package var hasWildcards: Bool { lastWildcard != nil }

    /// Returns the positions that are reached at a position without a token.
    func closure(from position: Int) -> ClosedRange<Int> {
        position < segments.count ? segments[position].closure(from: position) : position...position
    }

    var lastWildcard: Int? { segments.lastIndex { $0 == .one || $0 == .any } }

    /// Creates the pattern of the elements of each array that a pattern matches, `pattern/*`, or of the values in these
    /// elements under a key, `pattern/*/key`.
    package init(elementsOf pattern: PointerPattern, key: String? = nil) {
        var address = pattern.address
        address.append(extensionToken: "*")
        if let key { address.append(key: key.utf16) }
        self.init(address)
    }

    /// Creates the pattern of names at any depth: `/**/position/x`.
    package init(anywhere names: [[UInt16]]) {
        var address = JSONPointer.root
        address.append(extensionToken: "**")
        for name in names { address.append(key: name) }
        self.init(address)
    }

    /// The last segment other than a wildcard or `~^`, if it is a name.
    var lastName: [UInt16]? {
        for case .literal(let token) in segments.reversed() { return token.isExtension ? nil : token.units }
        return nil
    }
}

extension Problem {
    fileprivate static func patternStart(_ text: String) -> Problem {
        Problem(
            "pattern.start",
            "the pattern \(quoted(text)) does not begin with a slash; expected one such as /root/*/name")
    }

    fileprivate static func patternEscape(_ text: String) -> Problem {
        Problem("pattern.escape", "the pattern \(quoted(text)) has a ~ that begins no escape; write ~0 for a ~")
    }

    private static func quoted(_ text: String) -> String {
        "\"" + Phrase.name(text.utf16) + "\""
    }
}
