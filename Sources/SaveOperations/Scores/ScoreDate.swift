package import SaveCodec

/// The date of a high score, as the file stores it.
package struct ScoreDate: Sendable {
    /// The stored value.
    package enum Stored: Sendable {
        case date
        /// A text in any spelling, in UTF-16 code units.
        case text([UInt16])
        /// A number, such as the seconds or milliseconds since 1970.
        case number(Number)
    }

    /// The seconds since 2001-01-01T00:00:00Z; nil if the spelling is unknown. A text without a time zone is read as
    /// UTC.
    package let seconds: Double?
    package let stored: Stored

    /// Creates a date of the seconds since 2001.
    package init(_ seconds: Double) {
        (self.seconds, stored) = (seconds, .date)
    }

    /// Creates a date of a text, which may have any spelling.
    package init(_ text: [UInt16]) {
        seconds = DateSpelling.read(text)?.seconds
        stored = .text(text)
    }

    init(_ number: Number) {
        stored = .number(number)
        seconds = Epoch(number).map { $0.seconds(number) }
    }

    /// A key that is equal for dates at the same point in time. Dates at an unknown time have equal keys if their texts
    /// are equal.
    enum Key: Hashable {
        case seconds(Double)
        case text([UInt16])
    }

    var key: Key {
        if let seconds { return .seconds(seconds) }
        switch stored {
        case .date: return .text([])
        case .text(let text): return .text(text)
        case .number(let number): return .text(Array("\(number)".utf16))
        }
    }
}

/// The unit of a number of seconds or milliseconds since 1970.
enum Epoch {
    case seconds, milliseconds

    /// The seconds from 1970 to 2001.
    private static let start = 978_307_200.0

    /// Determines the unit from the size of the number, which must represent a date from 1973 to 5138. Fails for any
    /// other number.
    init?(_ number: Number) {
        switch number.rounded {
        case 1e8..<1e11: self = .seconds
        case 1e11..<1e14: self = .milliseconds
        default: return nil
        }
    }

    func seconds(_ number: Number) -> Double {
        (self == .seconds ? number.rounded : number.rounded / 1000) - Self.start
    }

    /// Returns a date as a number, in the type of another one; nil for a date that is too far away.
    func number(_ seconds: Double, like other: Number) -> Number? {
        let value = (seconds + Self.start) * (self == .seconds ? 1 : 1000)
        guard value.magnitude < 0x1p53 else { return nil }
        guard case .integer = other else { return .real(value) }
        return .integer(Int128(Int64(value)))
    }
}

/// The spelling of a date:
///
///     2009-09-06T12:34:56Z    2025-03-19 20:49    2025-03-14T13:36:15.7641994+01:00    30.07.2025 17:52    2025/01/11
struct DateSpelling {
    /// Whether the day comes first.
    private var isDayFirst = false
    /// The separator in the date.
    private var dot: UInt8 = 0x2D
    /// The text between the date and the time; nil for a date without a time.
    private var joint: [UInt8]?
    private var hasSeconds = false
    private var fractionDigits = 0
    /// The text of the zone, and its offset in seconds.
    private var zone: (text: [UInt8], offset: Double) = ([], 0)

    private static let longest = 40

    /// Returns the spelling of a date and its seconds since 2001; nil for a text in any other spelling.
    static func read(_ text: [UInt16]) -> (spelling: DateSpelling, seconds: Double)? {
        guard text.count <= longest, text.allSatisfy({ $0 < 0x80 }) else { return nil }
        var rest = text.map { UInt8($0) }[...]
        var spelling = DateSpelling()
        guard let date = spelling.readDate(&rest) else { return nil }
        let time = spelling.readTime(&rest)
        guard let time, spelling.readZone(rest),
            let seconds = ScalarText.seconds(ofDate: (date + "T" + time + "Z").utf16)
        else { return nil }
        return (spelling, seconds - spelling.zone.offset)
    }

    /// Reads `2025-03-14` or `30.07.2025` and returns it as `2025-03-14`.
    private mutating func readDate(_ rest: inout ArraySlice<UInt8>) -> String? {
        var parts: [String] = []
        for number in 0..<3 {
            let digits = rest.prefix(while: \.isDigit)
            rest = rest.dropFirst(digits.count)
            parts.append(String(decoding: digits, as: UTF8.self))
            guard number < 2 else { break }
            guard let separator = rest.popFirst(), number == 0 || separator == dot,
                separator == 0x2D || separator == 0x2E || separator == 0x2F
            else { return nil }
            dot = separator
        }
        isDayFirst = parts[0].utf8.count == 2
        // The order of 03/04/2025 is unknown.
        guard !isDayFirst || dot == 0x2E else { return nil }
        if isDayFirst { parts.reverse() }
        return parts.map(\.utf8.count) == [4, 2, 2] ? parts.joined(separator: "-") : nil
    }

    /// Reads a time and returns it as `12:34:56.7`; nil if there is something else.
    private mutating func readTime(_ rest: inout ArraySlice<UInt8>) -> String? {
        let joint = rest.prefix { !$0.isDigit }
        guard !rest.isEmpty else { return "00:00:00" }
        guard joint.elementsEqual("T".utf8) || joint.elementsEqual(" ".utf8) || joint.elementsEqual(", ".utf8) else {
            return nil
        }
        self.joint = Array(joint)
        rest = rest.dropFirst(joint.count)
        let clock = rest.prefix { 0x30...0x3A ~= $0 }
        rest = rest.dropFirst(clock.count)
        guard clock.count == 5 || clock.count == 8 else { return nil }
        hasSeconds = clock.count == 8
        var time = String(decoding: clock, as: UTF8.self) + (hasSeconds ? "" : ":00")
        if hasSeconds, rest.first == 0x2E {
            let digits = rest.dropFirst().prefix(while: \.isDigit)
            rest = rest.dropFirst(digits.count + 1)
            fractionDigits = digits.count
            guard 1...9 ~= fractionDigits else { return nil }
            time += "." + String(decoding: digits, as: UTF8.self)
        }
        return time
    }

    private mutating func readZone(_ rest: ArraySlice<UInt8>) -> Bool {
        zone.text = Array(rest)
        let text = rest.first == 0x20 ? rest.dropFirst() : rest
        if ["", "Z", "UTC", "GMT"].contains(where: { $0.utf8.elementsEqual(text) }) {
            return joint != nil || rest.isEmpty
        }
        let digits = text.dropFirst().filter { $0 != 0x3A }
        guard joint != nil, let sign = text.first, sign == 0x2B || sign == 0x2D, digits.count == 4,
            digits.allSatisfy(\.isDigit), text.count == 5 || text.dropFirst(3).first == 0x3A
        else { return false }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard value / 100 < 24, value % 100 < 60 else { return false }
        zone.offset = Double((value / 100 * 60 + value % 100) * 60) * (sign == 0x2D ? -1 : 1)
        return true
    }

    /// Returns a date in this spelling; nil for a date that the spelling cannot represent. A fraction of a second is
    /// rounded to the digits of the spelling. If the spelling has none, the fraction is cut off, except in RFC 3339.
    func write(_ seconds: Double) -> [UInt16]? {
        if !isDayFirst, dot == 0x2D, joint == [0x54], zone.text == [0x5A], hasSeconds, fractionDigits == 0 {
            return ScalarText.date(seconds).map { Array($0.utf16) }
        }
        let local = seconds + zone.offset
        guard local.magnitude < 0x1p53 else { return nil }
        let truncated = Double(Int64(local))
        let whole = truncated > local ? truncated - 1 : truncated
        guard let text = ScalarText.date(whole).map({ Array($0.utf8) }), text.count == 20 else { return nil }
        var date = [Array(text[0..<4]), Array(text[5..<7]), Array(text[8..<10])]
        if isDayFirst { date.reverse() }
        var result = Array(date.joined(separator: [dot]))
        if let joint { result += joint + text[11..<(hasSeconds ? 19 : 16)] }
        if fractionDigits > 0 {
            var scale = 1
            for _ in 0..<fractionDigits { scale *= 10 }
            let digits = String(min(Int((local - whole) * Double(scale) + 0.5), scale - 1))
            result += Array(("." + String(repeating: "0", count: fractionDigits - digits.utf8.count) + digits).utf8)
        }
        return (result + zone.text).map { UInt16($0) }
    }
}
