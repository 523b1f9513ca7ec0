import SaveCodec

/// What an answer to a web server consists of (RFC 9110 §8.3).
struct MediaType {
    /// The name of the type, and the encoding of a text.
    let rawValue: String

    static let text = MediaType("text/plain; charset=utf-8")
    static let csv = MediaType("text/csv; charset=utf-8")
    static let html = MediaType("text/html; charset=utf-8")
    static let markdown = MediaType("text/markdown; charset=utf-8")
    static let json = MediaType(.json)

    private init(_ name: String) {
        rawValue = name
    }

    /// What a save in a format is.
    init(_ format: Format) {
        rawValue = format.definition.mediaType
    }
}
