/// A point in time as in the property-list formats: a UTC date of the proleptic Gregorian calendar, to the second.
///
/// Year 0 is 1 BC. ``init(year:month:day:hour:minute:second:)`` does not check the ranges of the fields, but
/// ``isValid`` does.
package struct CalendarDate: Equatable {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int
}

extension CalendarDate {
    private static let secondsPerDay: Int64 = 86400

    /// The days in 400 years, after which the calendar repeats.
    private static let daysPerCycle: Int64 = 146_097

    /// The days from 0000-03-01, the start of a cycle, to 2001-01-01.
    private static let epoch: Int64 = 730_791

    /// Creates the date of any number of seconds since 2001-01-01T00:00:00Z.
    init(secondsSince2001 seconds: Int64) {
        let (days, secondOfDay) = CalendarDate.floorDivide(seconds, by: CalendarDate.secondsPerDay)
        // Years begin in March in this computation, so that the leap day is the last day.
        let (cycle, dayOfCycle) = CalendarDate.floorDivide(
            days + CalendarDate.epoch, by: CalendarDate.daysPerCycle)
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let isNextYear = monthFromMarch >= 10
        year = Int(400 * cycle + yearOfCycle + (isNextYear ? 1 : 0))
        month = Int(isNextYear ? monthFromMarch - 9 : monthFromMarch + 3)
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        hour = Int(secondOfDay / 3600)
        minute = Int(secondOfDay / 60 % 60)
        second = Int(secondOfDay % 60)
    }

    /// Creates the date of a number of seconds since 2001-01-01T00:00:00Z, rounded down.
    ///
    /// Returns nil if the number is not finite, or not in −2^63 ..< 2^63.
    init?(secondsSince2001 seconds: Double) {
        guard -0x1p63 <= seconds, seconds < 0x1p63 else { return nil }
        let truncated = Int64(seconds)  // `rounded(.down)` would need the C library.
        self.init(secondsSince2001: Double(truncated) > seconds ? truncated - 1 : truncated)
    }

    /// The seconds since 2001-01-01T00:00:00Z, or nil if they exceed 64 bits.
    ///
    /// Fields out of range carry into the next: month 13 is January of the next year, day 0 the last day of the
    /// previous month.
    var secondsSince2001: Int64? {
        let (monthsFromMarch, isMonthBeyond) = Int64(month).subtractingReportingOverflow(3)
        let (yearsOfMonths, monthFromMarch) = CalendarDate.floorDivide(monthsFromMarch, by: 12)
        let (years, isYearBeyond) = Int64(year).addingReportingOverflow(yearsOfMonths)
        guard !isMonthBeyond, !isYearBeyond else { return nil }
        let (cycle, yearOfCycle) = CalendarDate.floorDivide(years, by: 400)
        let dayOfYear = (153 * monthFromMarch + 2) / 5
        let dayOfCycle = 365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear

        // 128 bits hold the sum for any 64-bit fields.
        var seconds = Int128(cycle) * Int128(CalendarDate.daysPerCycle)
        seconds += Int128(dayOfCycle - CalendarDate.epoch) + Int128(day) - 1
        seconds = seconds * 24 + Int128(hour)
        seconds = seconds * 60 + Int128(minute)
        seconds = seconds * 60 + Int128(second)
        return Int64(exactly: seconds)
    }

    /// Whether all fields are in the ranges of a calendar and a clock.
    var isValid: Bool {
        guard 1...12 ~= month, 1...CalendarDate.days(inMonth: month, of: year) ~= day else { return false }
        return 0..<24 ~= hour && 0..<60 ~= minute && 0..<60 ~= second
    }

    /// Returns the number of days of a month from 1 to 12.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the quotient, rounded down, and the nonnegative remainder.
    private static func floorDivide(_ dividend: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// Writes a valid date such as `2009-09-06T12:34:56Z`, as C's `%04d-%02d-%02dT%02d:%02d:%02dZ` does.
    ///
    /// A year beyond 9999 takes more digits. The minus sign of a year before 0 counts as a digit: `-002`.
    func write(to output: inout ByteWriter) {
        writeToSeconds(to: &output)
        output.write(UInt8(ascii: "Z"))
    }

    /// Writes the date and time without a time zone, such as `2009-09-06T12:34:56`.
    func writeToSeconds(separator: UInt8 = UInt8(ascii: "T"), to output: inout ByteWriter) {
        writeYear(to: &output)
        let ascii = { (character: Unicode.Scalar) in UInt64(UInt8(ascii: character)) }
        output.writeBigEndian(
            ascii("-") << 56 | Self.digits(month) << 40 | ascii("-") << 32 | Self.digits(day) << 16
                | UInt64(separator) << 8 | Self.digits(hour) >> 8, width: 8)
        output.writeBigEndian(
            Self.digits(hour) << 48 | ascii(":") << 40 | Self.digits(minute) << 24 | ascii(":") << 16
                | Self.digits(second), width: 7)
    }

    /// Parses `[-]Y+-MM-DDTHH:MM:SSZ`, without checking the ranges of the fields.
    ///
    /// Returns nil for any other text, and for a year beyond 64 bits.
    init?(_ text: Span<UInt8>) {
        guard let (date, end) = CalendarDate.prefix(of: text), end == text.count - 1, text[end] == UInt8(ascii: "Z")
        else { return nil }
        self = date
    }

    /// Parses the date and time that a text begins with, `[-]Y+-MM-DDTHH:MM:SS`, without checking the ranges of the
    /// fields.
    ///
    /// - Returns: The date and the offset after it, or nil for any other text.
    static func prefix(
        of text: Span<UInt8>, separator: UInt8 = UInt8(ascii: "T")
    ) -> (date: CalendarDate, end: Int)? {
        let isNegative = !text.isEmpty && text[0] == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        var yearEnd = start
        while yearEnd < text.count, text[yearEnd].isDigit { yearEnd += 1 }
        let end = yearEnd + 15  // The fields after the year have a fixed length.
        guard yearEnd > start, end <= text.count, let year = number(text, start..<yearEnd),
            let date = CalendarDate(
                year: isNegative ? -year : year, monthToSecond: text.extracting(yearEnd..<end), separator: separator)
        else { return nil }
        return (date, end)
    }

    /// Parses `-MM-DDTHH:MM:SS`.
    private init?(year: Int, monthToSecond text: Span<UInt8>, separator: UInt8) {
        guard text[0] == UInt8(ascii: "-"), text[3] == UInt8(ascii: "-"), text[6] == separator,
            text[9] == UInt8(ascii: ":"), text[12] == UInt8(ascii: ":"),
            let month = CalendarDate.twoDigits(text, at: 1), let day = CalendarDate.twoDigits(text, at: 4),
            let hour = CalendarDate.twoDigits(text, at: 7), let minute = CalendarDate.twoDigits(text, at: 10),
            let second = CalendarDate.twoDigits(text, at: 13)
        else { return nil }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// Returns the value of the two digits at a position, or nil for other characters.
    private static func twoDigits(_ text: Span<UInt8>, at position: Int) -> Int? {
        let (tens, ones) = (text[position] &- 0x30, text[position + 1] &- 0x30)
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }

    /// Returns the value of the digits in a range, or nil for other characters and on overflow.
    static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var value = 0
        for position in range {
            guard text[position].isDigit else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isBeyond) = product.addingReportingOverflow(Int(text[position] &- 0x30))
            guard !isTooLarge, !isBeyond else { return nil }
            value = sum
        }
        return value
    }

    private func writeYear(to output: inout ByteWriter) {
        let magnitude = UInt64(year.magnitude)
        if year < 0 { output.write(UInt8(ascii: "-")) }
        let width = max(NumberText.digitCount(magnitude), year < 0 ? 3 : 4)
        NumberText.writeDigits(magnitude, count: width, to: &output)
    }

    /// Returns the two digits of a number below 100 as ASCII in the low two bytes.
    private static func digits(_ value: Int) -> UInt64 {
        let (tens, ones) = UInt64(truncatingIfNeeded: value).quotientAndRemainder(dividingBy: 10)
        return 0x3030 | tens << 8 | ones
    }
}
