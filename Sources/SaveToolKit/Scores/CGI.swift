import SaveCodec

/// A request from a web server to a script (RFC 3875 §4). It consists of environment variables and a body on standard
/// input. The body may end before the input does.
struct CGIRequest {
    private let method: String
    private let invocation: Invocation

    static let variables = ["REQUEST_METHOD", "CONTENT_LENGTH", "CONTENT_TYPE"]

    private init(_ invocation: Invocation) throws(UsageError) {
        guard let method = invocation.environment["REQUEST_METHOD"] else {
            throw UsageError("\(Option.cgi.shown) needs REQUEST_METHOD in the environment, where web servers set it")
        }
        self.method = method
        self.invocation = invocation
    }

    /// Answers the request. Errors go to the server's log and not into the response.
    static func answer(
        _ invocation: Invocation, allowing methods: [String], _ respond: (CGIRequest) throws -> CGIResponse
    ) throws -> ExitStatus {
        let request = try CGIRequest(invocation)
        let response = request.response(allowing: methods, respond)
        try invocation.writeOutput { response.write(to: &$0, isHeaderOnly: request.method == "HEAD") }
        return .done
    }

    private func response(
        allowing methods: [String], _ respond: (CGIRequest) throws -> CGIResponse
    ) -> CGIResponse {
        guard methods.contains(method) else {
            return CGIResponse(
                .methodNotAllowed, "expected the method \(UsageError.list(methods))", allowed: methods)
        }
        do {
            return try respond(self)
        } catch let refusal as CGIResponse {
            return refusal
        } catch {
            invocation.printError(error)
            return .internalTrouble
        }
    }

    // MARK: Body

    /// Returns the body of a form.
    ///
    /// - Throws: A response if the type or the length of the body is wrong.
    func form(atMost limit: Int) throws -> [UInt8] {
        try checkType()
        let length = try length()
        guard let length, length <= limit else {
            throw CGIResponse(.contentTooLarge, "the body is too long; expected at most \(Phrase.count(limit, "byte"))")
        }
        let body = try invocation.input.readStart(length)
        guard body.count == length else {
            throw CGIResponse(.badRequest, "the body ends after \(body.count) of \(length) bytes")
        }
        return body
    }

    /// Checks the type of the body. A body without a type is treated as a form.
    private func checkType() throws(CGIResponse) {
        let expected = "application/x-www-form-urlencoded"
        guard let type = invocation.environment["CONTENT_TYPE"], !type.isEmpty else { return }
        // Parameters follow a semicolon, with optional spaces before it (RFC 9110 §8.3.1).
        let essence = type.utf8.prefix { !"; \t".utf8.contains($0) }
        guard String(Substring(essence)).lowercased() == expected else {
            throw CGIResponse(.unsupportedMediaType, "expected a body of the type \(expected)")
        }
    }

    /// Returns the byte count of the body as given by the server; nil if it does not fit in an `Int`.
    private func length() throws(CGIResponse) -> Int? {
        guard let text = invocation.environment["CONTENT_LENGTH"], !text.isEmpty else {
            throw CGIResponse(.lengthRequired, "the request does not state the length of the body")
        }
        guard text.utf8.allSatisfy(\.isDigit) else {
            throw CGIResponse(.badRequest, "the length of the body is not a number")
        }
        return Int(text)
    }

    /// Answers a GET or HEAD request with printed output.
    ///
    /// - Parameter print: Prints the output and returns its type; nil after reporting an error.
    static func answer(_ invocation: Invocation, _ print: (Invocation) throws -> MediaType?) throws -> ExitStatus {
        try answer(invocation, allowing: ["GET", "HEAD"]) { _ in
            let buffer = OutputBuffer()
            let type = try print(invocation.printing(on: buffer.channel))
            return type.map { CGIResponse(.ok, buffer.bytes, type: $0) } ?? .internalTrouble
        }
    }

    private final class OutputBuffer {
        private(set) var bytes: [UInt8] = []

        var channel: OutputChannel {
            OutputChannel { piece in
                for position in piece.indices { self.bytes.append(piece[position]) }
            }
        }
    }
}

extension Invocation {
    fileprivate func printing(on output: OutputChannel) -> Invocation {
        Invocation(
            arguments: arguments, environment: environment, folder: folder, input: input, output: output,
            standardError: standardError)
    }
}

extension Option {
    static let cgi = Option(
        "cgi",
        for: .input, help: "answer a web server's request (CGI)")
}

// MARK: Responses

/// The response of a script to a web server (RFC 3875 §6). Refusals are thrown.
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
    /// The allowed methods, for a request with another method; otherwise empty.
    let allowed: [String]

    init(_ status: HTTPStatus, _ body: [UInt8], type: MediaType) {
        self.status = status
        self.type = type
        self.body = body
        allowed = []
    }

    init(_ status: HTTPStatus, _ line: String, allowed: [String] = []) {
        self.status = status
        self.allowed = allowed
        type = .text
        body = Array((line + "\n").utf8)
    }

    /// The response to an internal error, whose cause is in the server's log.
    static let internalTrouble = CGIResponse(.internalServerError, "the leaderboard is temporarily unavailable")

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

/// The status of a response (RFC 9110 §15).
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

// MARK: Media types

/// The media type of a response (RFC 9110 §8.3).
struct MediaType {
    /// The type, with the character set of a text.
    let rawValue: String

    static let text = MediaType("text/plain; charset=utf-8")
    static let csv = MediaType("text/csv; charset=utf-8")
    static let html = MediaType("text/html; charset=utf-8")
    static let markdown = MediaType("text/markdown; charset=utf-8")
    static let json = MediaType(.json)

    private init(_ name: String) {
        rawValue = name
    }

    init(_ format: Format) {
        rawValue = format.definition.mediaType
    }
}
