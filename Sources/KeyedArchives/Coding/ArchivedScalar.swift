import SaveCodec

/// A type whose values are plain values of an archive.
protocol ArchivedScalar: Codable {
    /// Reads a value by hand.
    static func read(_ value: ArchivedValue) throws(Problem) -> Self
    /// The value as it is stored; nil for a number that no archive can hold.
    var scalar: Scalar? { get }
}

/// A plain value to be stored.
enum Scalar {
    case number(Number)
    case string(String)
    case data([UInt8])
    case date(Double)

    /// What is stored in place unless something asks for an object.
    enum Number {
        case boolean(Bool)
        case integer(Int128)
        case real32(Float)
        case real64(Double)
    }
}

extension Bool: ArchivedScalar {
    static func read(_ value: ArchivedValue) throws(Problem) -> Bool { try value.bool }
    var scalar: Scalar? { .number(.boolean(self)) }
}

extension Float: ArchivedScalar {
    static func read(_ value: ArchivedValue) throws(Problem) -> Float { try value.float }
    var scalar: Scalar? { .number(.real32(self)) }
}

extension Double: ArchivedScalar {
    /// A date is its seconds, which is how Foundation's `Date` asks for one.
    static func read(_ value: ArchivedValue) throws(Problem) -> Double {
        if case .scalar(.date(let seconds)) = value.shown.form { return seconds }
        return try value.double
    }

    var scalar: Scalar? { .number(.real64(self)) }
}

extension String: ArchivedScalar {
    static func read(_ value: ArchivedValue) throws(Problem) -> String { try value.string }
    var scalar: Scalar? { .string(self) }
}

extension ArchivedDate: ArchivedScalar {
    static func read(_ value: ArchivedValue) throws(Problem) -> ArchivedDate { try value.date }
    var scalar: Scalar? { .date(secondsSince2001) }
}

extension ArchivedData: ArchivedScalar {
    static func read(_ value: ArchivedValue) throws(Problem) -> ArchivedData { ArchivedData(try value.data) }
    var scalar: Scalar? { .data(bytes) }
}

extension ArchivedScalar where Self: FixedWidthInteger {
    static func read(_ value: ArchivedValue) throws(Problem) -> Self { try value.integer(as: Self.self) }
    var scalar: Scalar? { Int128(exactly: self).map { .number(.integer($0)) } }
}

extension Int: ArchivedScalar {}
extension Int8: ArchivedScalar {}
extension Int16: ArchivedScalar {}
extension Int32: ArchivedScalar {}
extension Int64: ArchivedScalar {}
extension Int128: ArchivedScalar {}
extension UInt: ArchivedScalar {}
extension UInt8: ArchivedScalar {}
extension UInt16: ArchivedScalar {}
extension UInt32: ArchivedScalar {}
extension UInt64: ArchivedScalar {}
extension UInt128: ArchivedScalar {}

/// Bytes, as an `NSData` in an archive; `[UInt8]` alone would become an array of numbers.
///
/// Foundation's `Data`, where a program has it, is archived in the same way and needs no ``ArchivedData``. Other coders
/// than the archive's see an array of numbers.
public struct ArchivedData: Sendable, Hashable, Codable {
    /// The bytes.
    public var bytes: [UInt8]

    /// Creates data.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads the bytes.
    public init(from decoder: any Decoder) throws {
        bytes = try decoder.singleValueContainer().decode([UInt8].self)
    }

    /// Writes the bytes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }
}

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
