/// Paths of URLs and URIs.
package enum URIPath {
    /// Returns a path without its `.` and `..` segments (RFC 3986 §5.2.4).
    package static func withoutDotSegments(_ path: Substring) -> Substring {
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
