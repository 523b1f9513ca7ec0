/// A value of the keyword `format` (validation specification, section 7.3).
enum SchemaFormat: String, Sendable {
    case dateTime = "date-time"
    case date, time, duration
    case email
    case idnEmail = "idn-email"
    case hostname
    case idnHostname = "idn-hostname"
    case ipv4, ipv6
    case uri
    case uriReference = "uri-reference"
    case iri
    case iriReference = "iri-reference"
    case uuid
    case uriTemplate = "uri-template"
    case jsonPointer = "json-pointer"
    case relativeJSONPointer = "relative-json-pointer"
    case regex

    /// Whether a text has the format.
    func allows(_ units: [UInt16]) -> Bool {
        var text = FormatScanner(units)
        return switch self {
        case .dateTime: text.skipDateTime() && text.isAtEnd
        case .date: text.skipDate() && text.isAtEnd
        case .time: text.skipTime() && text.isAtEnd
        case .duration: text.skipDuration() && text.isAtEnd
        case .email: text.isMailbox(isInternational: false)
        case .idnEmail: text.isMailbox(isInternational: true)
        case .hostname: HostName.isValid(text.points)
        case .idnHostname: HostName.isValidInternational(text.points)
        case .ipv4: IPAddress.isVersion4(text.points[...])
        case .ipv6: IPAddress.isVersion6(text.points[...])
        case .uri: URISyntax(isInternational: false).allows(text.points, isReference: false)
        case .uriReference: URISyntax(isInternational: false).allows(text.points, isReference: true)
        case .iri: URISyntax(isInternational: true).allows(text.points, isReference: false)
        case .iriReference: URISyntax(isInternational: true).allows(text.points, isReference: true)
        case .uuid: text.skipUUID() && text.isAtEnd
        case .uriTemplate: text.skipURITemplate() && text.isAtEnd
        case .jsonPointer: text.skipPointer() && text.isAtEnd
        case .relativeJSONPointer: text.skipRelativePointer() && text.isAtEnd
        case .regex: (try? ECMARegex(units)) != nil
        }
    }
}
