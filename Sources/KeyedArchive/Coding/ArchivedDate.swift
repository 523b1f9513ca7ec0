/// A point in time, as an `NSDate` in an archive.
///
/// Foundation's `Date`, where a program has it, is archived in the same way and needs no ``ArchivedDate``. Other coders
/// than the archive's see the number of seconds.
public struct ArchivedDate: Sendable, Hashable, Comparable, Codable {
    /// Seconds since 2001-01-01T00:00:00Z, Foundation's `timeIntervalSinceReferenceDate`.
    public var secondsSince2001: Double

    /// Creates a date.
    public init(secondsSince2001: Double) {
        self.secondsSince2001 = secondsSince2001
    }

    /// Reads the seconds.
    public init(from decoder: any Decoder) throws {
        secondsSince2001 = try decoder.singleValueContainer().decode(Double.self)
    }

    /// Writes the seconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(secondsSince2001)
    }

    /// Dates are ordered in time.
    public static func < (a: ArchivedDate, b: ArchivedDate) -> Bool {
        a.secondsSince2001 < b.secondsSince2001
    }
}
