import SaveCodec

/// What a script answers to a web server (RFC 3875 §6). A refusal is thrown.
///
///     Status: 403 Forbidden
///     Content-Type: text/plain; charset=utf-8
///     Content-Length: 55
///
///     the token is not the one of this score and this device
struct CGIResponse: Error {
    let status: HTTPStatus
    let type: MediaType
    let body: [UInt8]
    /// The methods that there are, for who used another.
    let allowed: [String]

    init(_ status: HTTPStatus, _ body: [UInt8], type: MediaType) {
        self.status = status
        self.type = type
        self.body = body
        allowed = []
    }

    /// A response of one line of text.
    init(_ status: HTTPStatus, _ line: String, allowed: [String] = []) {
        self.status = status
        self.allowed = allowed
        type = .text
        body = Array((line + "\n").utf8)
    }

    /// What concerns nobody outside: the reason is in the server's log.
    static let internalTrouble = CGIResponse(.internalServerError, "the leaderboard cannot be used at present")

    /// Writes the response; to a request for the header without the body.
    func write(to output: inout ByteWriter, isHeaderOnly: Bool) {
        writeField("Status", status.rawValue, to: &output)
        writeField("Content-Type", type.rawValue, to: &output)
        writeField("Content-Length", String(body.count), to: &output)
        if !allowed.isEmpty { writeField("Allow", allowed.joined(separator: ", "), to: &output) }
        output.write("\r\n")
        if !isHeaderOnly { output.write(body) }
    }

    private func writeField(_ name: String, _ value: String, to output: inout ByteWriter) {
        output.write(name + ": " + value + "\r\n")
    }
}

/// How a request was answered (RFC 9110 §15).
enum HTTPStatus: String {
    case ok = "200 OK"
    case badRequest = "400 Bad Request"
    case forbidden = "403 Forbidden"
    case methodNotAllowed = "405 Method Not Allowed"
    case conflict = "409 Conflict"
    case lengthRequired = "411 Length Required"
    case contentTooLarge = "413 Content Too Large"
    case unsupportedMediaType = "415 Unsupported Media Type"
    case unprocessableContent = "422 Unprocessable Content"
    case internalServerError = "500 Internal Server Error"
}
