/// How a request was answered (RFC 9110 §15).
enum HTTPStatus: Int {
    case ok = 200
    case badRequest = 400
    case forbidden = 403
    case methodNotAllowed = 405
    case conflict = 409
    case lengthRequired = 411
    case contentTooLarge = 413
    case unsupportedMediaType = 415
    case unprocessableContent = 422
    case internalServerError = 500

    /// The number and the words behind it.
    var line: String { "\(rawValue) \(phrase)" }

    private var phrase: String {
        switch self {
        case .ok: "OK"
        case .badRequest: "Bad Request"
        case .forbidden: "Forbidden"
        case .methodNotAllowed: "Method Not Allowed"
        case .conflict: "Conflict"
        case .lengthRequired: "Length Required"
        case .contentTooLarge: "Content Too Large"
        case .unsupportedMediaType: "Unsupported Media Type"
        case .unprocessableContent: "Unprocessable Content"
        case .internalServerError: "Internal Server Error"
        }
    }
}
