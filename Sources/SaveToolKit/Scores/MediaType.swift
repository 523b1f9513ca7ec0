import SaveCodec

/// What an answer to a web server consists of (RFC 9110 §8.3).
enum MediaType: String {
    case text = "text/plain; charset=utf-8"
    case csv = "text/csv; charset=utf-8"
    case markdown = "text/markdown; charset=utf-8"
    case json = "application/json"
    case xml = "application/xml"
    case binary = "application/octet-stream"

    /// What a save in a format is.
    init(_ format: Format) {
        self =
            switch format {
            case .json: .json
            case .xml: .xml
            case .openStep, .gnustep: .text
            case .binary: .binary
            }
    }
}
