import SaveCodec

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

/// A cursor over the code points of a text whose format is checked.
struct FormatScanner {
    let points: [UInt32]
    var position = 0

    init(_ units: [UInt16]) {
        points = RegexText.points(of: units)
    }

    var isAtEnd: Bool { position == points.count }

    var next: UInt32? { position < points.count ? points[position] : nil }

    /// Skips the next code point if it is one of the characters. Returns whether it was.
    mutating func skip(_ characters: StaticString) -> Bool {
        // Sound: a literal is never freed, and the search stays within its buffer.
        guard let next, next < 0x80, characters.withUTF8Buffer({ unsafe $0.contains(UInt8(next)) }) else {
            return false
        }
        position += 1
        return true
    }

    /// Reads a number of exactly `digits` decimal digits, or returns nil.
    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let next, next.isDigit else { return nil }
            value = value * 10 + Int(next - 0x30)
            position += 1
        }
        return value
    }

    /// Skips decimal digits, and returns how many were skipped.
    mutating func skipDigits() -> Int {
        let start = position
        while let next, next.isDigit { position += 1 }
        return position - start
    }
}

extension UInt32 {
    /// Whether the code point is one of the ASCII characters.
    func isOne(of characters: StaticString) -> Bool {
        // Sound: a literal is never freed, and the search stays within its buffer.
        self < 0x80 && characters.withUTF8Buffer { unsafe $0.contains(UInt8(self)) }
    }
}

/// JSON Pointers (RFC 6901), relative JSON Pointers, and UUIDs (RFC 4122).
extension FormatScanner {
    mutating func skipPointer() -> Bool {
        guard !isAtEnd else { return true }
        guard next == 0x2F else { return false }
        while let next {
            position += 1
            if next == 0x7E, !skip("01") { return false }
        }
        return true
    }

    /// Skips a relative pointer such as `0`, `1#` or `2/name`: the levels to go up, and the path from there.
    mutating func skipRelativePointer() -> Bool {
        let isZero = next == 0x30
        let count = skipDigits()
        guard count == 1 || (count > 1 && !isZero) else { return false }
        return skip("#") || skipPointer()
    }

    mutating func skipUUID() -> Bool {
        for (position, count) in [8, 4, 4, 4, 12].enumerated() {
            if position > 0, !skip("-") { return false }
            for _ in 0..<count where !skip("0123456789ABCDEFabcdef") { return false }
        }
        return true
    }
}

/// Dates and times (RFC 3339, section 5.6 and appendix A).
extension FormatScanner {
    mutating func skipDateTime() -> Bool {
        skipDate() && skip("Tt") && skipTime()
    }

    /// Skips a date such as `2009-09-06`.
    mutating func skipDate() -> Bool {
        guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), 1...12 ~= month, skip("-"),
            let day = number(digits: 2)
        else { return false }
        return 1...CalendarDate.days(inMonth: month, of: year) ~= day
    }

    /// Skips a time such as `12:34:56.789+02:00`. A leap second is valid only at the end of a day in UTC.
    mutating func skipTime() -> Bool {
        guard let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2), minute < 60,
            skip(":"), let second = number(digits: 2), second <= 60
        else { return false }
        if skip("."), skipDigits() == 0 { return false }
        guard let offset = offset() else { return false }
        let minutes = (hour * 60 + minute - offset + 2880) % 1440
        return second < 60 || minutes == 1439
    }

    /// Reads an offset such as `Z` or `+02:00`, and returns the minutes ahead of UTC.
    private mutating func offset() -> Int? {
        if skip("Zz") { return 0 }
        let isNegative = next == 0x2D
        guard skip("+-"), let hours = number(digits: 2), hours < 24, skip(":"), let minutes = number(digits: 2),
            minutes < 60
        else { return nil }
        return isNegative ? -(hours * 60 + minutes) : hours * 60 + minutes
    }

    /// Skips a duration such as `P3W` or `P1Y2M10DT2H30M`. No unit between two others may be left out: `P1Y10D` is
    /// invalid.
    mutating func skipDuration() -> Bool {
        guard skip("P") else { return false }
        let start = position
        if skipDigits() > 0, skip("W") { return true }
        position = start
        let dateCount = skipUnits(["Y", "M", "D"])
        guard let dateCount else { return false }
        guard skip("T") else { return dateCount > 0 }
        return (skipUnits(["H", "M", "S"]) ?? 0) > 0
    }

    /// Skips numbers with units, and returns their count. Returns nil if a unit is left out between two others, or if a
    /// number has no unit.
    private mutating func skipUnits(_ units: [StaticString]) -> Int? {
        var count = 0
        var last: Int?
        while let next, next.isDigit {
            _ = skipDigits()
            let start = last.map { $0 + 1 } ?? 0
            guard let unit = units.indices.dropFirst(start).first(where: { skip(units[$0]) }),
                last == nil || unit == start
            else { return nil }
            last = unit
            count += 1
        }
        return count
    }
}
