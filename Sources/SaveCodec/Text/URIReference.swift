/// A URI, or a reference relative to one, in its five parts (RFC 3986).
package struct URIReference: Sendable, Hashable {
    package var scheme: String?
    package var authority: String?
    package var path: String
    package var query: String?
    package var fragment: String?

    /// Parses a text as in RFC 3986, appendix B, which accepts every text.
    package init(_ text: String) {
        var rest = Substring(text)
        fragment = Self.cut(&rest, after: "#")
        query = Self.cut(&rest, after: "?")
        if let colon = rest.firstIndex(where: { ":/".contains($0) }), rest[colon] == ":", colon > rest.startIndex {
            scheme = String(rest[..<colon])
            rest = rest[rest.index(after: colon)...]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = String(rest)
    }

    private static func cut(_ text: inout Substring, after mark: Character) -> String? {
        guard let position = text.firstIndex(of: mark) else { return nil }
        defer { text = text[..<position] }
        return String(text[text.index(after: position)...])
    }

    /// Returns the URI that this reference denotes relative to a base URI (section 5.2.2).
    package func resolved(against base: URIReference) -> URIReference {
        var target = self
        guard scheme == nil else {
            target.path = Self.withoutDots(path)
            return target
        }
        target.scheme = base.scheme
        guard authority == nil else {
            target.path = Self.withoutDots(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else {
            target.path = Self.withoutDots(path.hasPrefix("/") ? path : merged(with: base))
        }
        return target
    }

    /// Returns the path appended to the base's path up to its last slash (section 5.2.3).
    private func merged(with base: URIReference) -> String {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        guard let slash = base.path.lastIndex(of: "/") else { return path }
        return base.path[...slash] + path
    }

    /// Returns a path without its `.` and `..` segments (section 5.2.4).
    private static func withoutDots(_ path: String) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        for (position, segment) in segments.enumerated() {
            let isLast = position == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                if kept.count > 1 || kept.first.map({ !$0.isEmpty }) == true { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return kept.joined(separator: "/")
    }

    /// The reference as text (section 5.3).
    package var text: String { withoutFragment + (fragment.map { "#" + $0 } ?? "") }

    /// The URI without its fragment.
    package var withoutFragment: String {
        var text = scheme.map { $0 + ":" } ?? ""
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        return text
    }

    /// The fragment with percent-encoding decoded; nil if an escape is invalid or the bytes are not UTF-8.
    package var decodedFragment: String? {
        guard let fragment else { return "" }
        var bytes: [UInt8] = []
        var rest = fragment.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(HexDigit.value),
                let low = rest.popFirst().flatMap(HexDigit.value)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
