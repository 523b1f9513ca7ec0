/// Dates as XML property lists hold them: `2009-09-06T12:34:56Z`, in UTC and to the second; a year may have more digits,
/// or a minus.
enum XMLDate {
    /// A date that was read, in seconds since 2001-01-01T00:00:00Z.
    struct Reading: Equatable {
        let seconds: Double
        /// Whether every field was in its range.
        let isExact: Bool
    }

    /// Reads a date. Fields are not range checked: what is too much is carried on.
    static func read(_ text: Span<UInt8>) -> Reading? {
        guard let date = CalendarDate(text) else { return nil }
        var normal = date
        // Core Foundation's table of months goes to 13; any other number is taken for January.
        if !(1...13).contains(date.month) { normal.month = 1 }
        guard let seconds = normal.secondsSince2001, fits(Double(seconds)) else { return nil }
        return Reading(seconds: Double(seconds), isExact: date.isValid)
    }

    /// Writes a point in time that fits, cut down to the second.
    static func write(_ seconds: Double, to output: inout ByteWriter) {
        CalendarDate(secondsSince2001: seconds)?.write(to: &output)
    }

    /// Whether a point in time, cut down to the second, can be written: its year must be one of 32 bits, as it is in
    /// Core Foundation.
    static func fits(_ seconds: Double) -> Bool {
        abs(seconds) < 6.7e16
    }

    /// Whether a point in time that fits is a whole second.
    static func isWhole(_ seconds: Double) -> Bool {
        Double(Int64(seconds)) == seconds
    }
}
