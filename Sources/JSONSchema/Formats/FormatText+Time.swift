/// Dates and times (RFC 3339, section 5.6 and appendix A).
extension FormatText {
    mutating func skipDateTime() -> Bool {
        skipDate() && skip("Tt") && skipTime()
    }

    /// `2009-09-06`
    mutating func skipDate() -> Bool {
        guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), 1...12 ~= month, skip("-"),
            let day = number(digits: 2)
        else { return false }
        return 1...Self.dayCount(month, year) ~= day
    }

    private static func dayCount(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// `12:34:56.789+02:00`; a leap second ends a day in UTC.
    mutating func skipTime() -> Bool {
        guard let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2), minute < 60,
            skip(":"), let second = number(digits: 2), second <= 60
        else { return false }
        if skip("."), skipDigits() == 0 { return false }
        guard let offset = offset() else { return false }
        let minutes = (hour * 60 + minute - offset + 2880) % 1440
        return second < 60 || minutes == 1439
    }

    /// The minutes that a time is ahead of UTC: `Z`, `+02:00`.
    private mutating func offset() -> Int? {
        if skip("Zz") { return 0 }
        let isNegative = next == 0x2D
        guard skip("+-"), let hours = number(digits: 2), hours < 24, skip(":"), let minutes = number(digits: 2),
            minutes < 60
        else { return nil }
        return isNegative ? -(hours * 60 + minutes) : hours * 60 + minutes
    }

    /// `P3W`, `P1Y2M10DT2H30M`: units follow each other without a gap.
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

    /// Reads numbers with units; nil where one is missing between others or a number has none.
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
