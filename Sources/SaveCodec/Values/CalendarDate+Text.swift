extension CalendarDate {
    /// Writes `2009-09-06T12:34:56Z` as C's `%04d-%02d-%02dT%02d:%02d:%02dZ` does; the date is valid.
    ///
    /// A year beyond 9999 takes more digits, one before year 0 has a minus sign that counts as a digit: `-002`.
    func write(to output: inout ByteWriter) {
        writeToSeconds(to: &output)
        output.write(UInt8(ascii: "Z"))
    }

    /// Writes `2009-09-06T12:34:56`.
    func writeToSeconds(to output: inout ByteWriter) {
        writeYear(to: &output)
        output.write(UInt8(ascii: "-"))
        writeTwoDigits(month, to: &output)
        output.write(UInt8(ascii: "-"))
        writeTwoDigits(day, to: &output)
        output.write(UInt8(ascii: "T"))
        writeTwoDigits(hour, to: &output)
        output.write(UInt8(ascii: ":"))
        writeTwoDigits(minute, to: &output)
        output.write(UInt8(ascii: ":"))
        writeTwoDigits(second, to: &output)
    }

    /// Takes `[-]Y+-MM-DDTHH:MM:SSZ` apart; nil for any other text, and for a year that does not fit. The ranges of the
    /// fields are not checked.
    init?(_ text: Span<UInt8>) {
        let isNegative = !text.isEmpty && text[0] == UInt8(ascii: "-")
        let yearStart = isNegative ? 1 : 0
        let yearEnd = text.count - 16  // What follows the year has one length.
        guard yearEnd > yearStart, text[text.count - 1] == UInt8(ascii: "Z"),
            let year = CalendarDate.number(text, yearStart..<yearEnd)
        else { return nil }
        self.init(year: isNegative ? -year : year, monthToSecond: text.extracting(yearEnd..<text.count - 1))
    }

    /// Takes `-MM-DDTHH:MM:SS` apart.
    init?(year: Int, monthToSecond text: Span<UInt8>) {
        guard text.count == 15, text[0] == UInt8(ascii: "-"), text[3] == UInt8(ascii: "-"),
            text[6] == UInt8(ascii: "T"), text[9] == UInt8(ascii: ":"), text[12] == UInt8(ascii: ":"),
            let month = CalendarDate.number(text, 1..<3), let day = CalendarDate.number(text, 4..<6),
            let hour = CalendarDate.number(text, 7..<9), let minute = CalendarDate.number(text, 10..<12),
            let second = CalendarDate.number(text, 13..<15)
        else { return nil }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// The number that the digits in a range stand for; nil if there is anything else, or if it does not fit.
    @inline(__always)
    static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var value = 0
        for position in range {
            guard DecimalLiteral.isDigit(text[position]) else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isBeyond) = product.addingReportingOverflow(Int(text[position] &- 0x30))
            guard !isTooLarge, !isBeyond else { return nil }
            value = sum
        }
        return value
    }

    @inline(__always)
    private func writeYear(to output: inout ByteWriter) {
        let magnitude = UInt64(year.magnitude)
        if year < 0 { output.write(UInt8(ascii: "-")) }
        let width = max(NumberText.digitCount(magnitude), year < 0 ? 3 : 4)
        NumberText.writeDigits(magnitude, count: width, to: &output)
    }

    @inline(__always)
    private func writeTwoDigits(_ value: Int, to output: inout ByteWriter) {
        output.write(0x30 &+ UInt8(truncatingIfNeeded: value / 10))
        output.write(0x30 &+ UInt8(truncatingIfNeeded: value % 10))
    }
}
