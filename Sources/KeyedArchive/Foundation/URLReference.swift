/// The parts of a URL or of a reference relative to one (RFC 3986 §3).
struct URLReference {
    /// With its colon.
    var scheme: Substring = ""
    /// With its two slashes.
    var authority: Substring = ""
    var path: Substring = ""
    /// Query and fragment, with their marks.
    var query: Substring = ""

    init(_ text: String) {
        var rest = Substring(text)
        if let end = rest.firstIndex(where: { ":/?#".contains($0) }), rest[end] == ":", end > rest.startIndex {
            scheme = rest[...end]
            rest = rest[rest.index(after: end)...]
        }
        if rest.hasPrefix("//") {
            let end = rest.dropFirst(2).firstIndex(where: { "/?#".contains($0) }) ?? rest.endIndex
            authority = rest[..<end]
            rest = rest[end...]
        }
        let end = rest.firstIndex(where: { "?#".contains($0) }) ?? rest.endIndex
        path = rest[..<end]
        query = rest[end...]
    }

    var text: String { "\(scheme)\(authority)\(path)\(query)" }

    /// The reference as seen from a base (RFC 3986 §5.2.2).
    func resolved(against base: URLReference) -> URLReference {
        guard scheme.isEmpty else { return self }
        var result = self
        result.scheme = base.scheme
        guard authority.isEmpty else { return result }
        result.authority = base.authority
        if path.isEmpty {
            result.path = base.path
            if query.isEmpty || query.hasPrefix("#") {
                result.query = base.query.prefix { $0 != "#" } + query
            }
        } else {
            result.path = Self.removingDots(path.hasPrefix("/") ? path : base.merged(path))
        }
        return result
    }

    /// A relative path beside the last segment of this one (RFC 3986 §5.2.3).
    private func merged(_ other: Substring) -> Substring {
        if path.isEmpty, !authority.isEmpty { return "/" + other }
        guard let slash = path.lastIndex(of: "/") else { return other }
        return path[...slash] + other
    }

    /// The path without `.` and `..` (RFC 3986 §5.2.4).
    private static func removingDots(_ path: Substring) -> Substring {
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
        return Substring(kept.joined(separator: "/"))
    }
}
