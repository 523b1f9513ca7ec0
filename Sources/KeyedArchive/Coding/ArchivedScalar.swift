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
