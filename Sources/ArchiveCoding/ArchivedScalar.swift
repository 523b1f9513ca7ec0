import KeyedArchives
public import SaveCodec

/// A type whose values are plain values of an archive.
protocol ArchivedScalar: Codable {
    /// Returns the value of this type that an archived value represents.
    static func read(_ value: ArchivedValue) throws(Problem) -> Self
    /// The value to store; nil for a number that no archive can represent.
    var scalar: Scalar? { get }
}

enum Scalar {
    case number(Number)
    case string(String)
    case data([UInt8])
    case date(Double)

    /// A number or a Boolean. It is stored in place unless an object is requested.
    enum Number {
        case boolean(Bool)
        case integer(Int128)
        case real32(Float)
        case real64(Double)
    }
}

extension Bool: ArchivedScalar {
    static func read(_ value: ArchivedValue) throws(Problem) -> Bool {
        try value.check(isBoolean: true, expected: "a boolean")
        return try value.bool
    }
    var scalar: Scalar? { .number(.boolean(self)) }
}

extension Float: ArchivedScalar {
    static func read(_ value: ArchivedValue) throws(Problem) -> Float {
        try value.check(isBoolean: false, expected: "a number")
        return try value.float
    }
    var scalar: Scalar? { .number(.real32(self)) }
}

extension Double: ArchivedScalar {
    static func read(_ value: ArchivedValue) throws(Problem) -> Double {
        try value.check(isBoolean: false, expected: "a number")
        return try value.double
    }

    var scalar: Scalar? { .number(.real64(self)) }
}

extension String: ArchivedScalar {
    static func read(_ value: ArchivedValue) throws(Problem) -> String { try value.string }
    var scalar: Scalar? { .string(self) }
}

extension ArchivedDate: ArchivedScalar {
    static func read(_ value: ArchivedValue) throws(Problem) -> ArchivedDate {
        try FoundationForm.date.check(value)
        if case .scalar(.date) = value.shown.variant { return try value.date }
        return ArchivedDate(secondsSince2001: try value.double)
    }
    var scalar: Scalar? { .date(secondsSince2001) }
}

extension ArchivedData: ArchivedScalar {
    static func read(_ value: ArchivedValue) throws(Problem) -> ArchivedData { ArchivedData(try value.data) }
    var scalar: Scalar? { .data(bytes) }
}

extension ArchivedScalar where Self: FixedWidthInteger {
    static func read(_ value: ArchivedValue) throws(Problem) -> Self {
        try value.check(isBoolean: false, expected: "an integer")
        return try value.integer(as: Self.self)
    }
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

/// Bytes that are archived as an `NSData`. A `[UInt8]` would become an array of numbers.
///
/// Foundation's `Data` is archived the same way and does not need ``ArchivedData``. Other coders encode it as an array
/// of numbers.
public struct ArchivedData: Sendable, Hashable, Codable {
    /// The bytes.
    public var bytes: [UInt8]

    /// Creates data from bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Decodes the bytes.
    public init(from decoder: any Decoder) throws {
        bytes = try decoder.singleValueContainer().decode([UInt8].self)
    }

    /// Encodes the bytes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }
}

/// A point in time that is archived as an `NSDate`.
///
/// Foundation's `Date` is archived the same way and does not need ``ArchivedDate``. Other coders encode it as the
/// number of seconds.
public struct ArchivedDate: Sendable, Hashable, Comparable, Codable {
    /// Seconds since 2001-01-01T00:00:00Z, Foundation's `timeIntervalSinceReferenceDate`.
    public var secondsSince2001: Double

    /// Creates a date from seconds since 2001-01-01T00:00:00Z.
    public init(secondsSince2001: Double) {
        self.secondsSince2001 = secondsSince2001
    }

    /// Decodes the seconds.
    public init(from decoder: any Decoder) throws {
        secondsSince2001 = try decoder.singleValueContainer().decode(Double.self)
    }

    /// Encodes the seconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(secondsSince2001)
    }

    /// Orders dates by time.
    public static func < (a: ArchivedDate, b: ArchivedDate) -> Bool {
        a.secondsSince2001 < b.secondsSince2001
    }
}

// MARK: Plain values

/// Access to plain values.
///
/// Numbers of other kinds are converted, because writers store equal numbers in different ways. The conversion to an
/// integer must be exact; the conversion to a real rounds.
extension ArchivedValue {
    /// The text of a string. A lone surrogate, which a `String` cannot hold, becomes U+FFFD.
    ///
    /// - Throws: A problem if the value is not a string.
    public var string: String {
        get throws(Problem) {
            guard case .scalar(.string(let text)) = shown.variant else { throw .kind(self, expected: "a string") }
            return text.string
        }
    }

    /// A Boolean value: a Boolean, or one of the numbers 0 and 1.
    ///
    /// - Throws: A problem if the value is neither.
    public var bool: Bool {
        get throws(Problem) {
            switch shown.variant {
            case .scalar(.boolean(let value)): return value
            case .scalar(.integer(let integer)) where integer.value == 0 || integer.value == 1:
                return integer.value == 1
            default: throw .kind(self, expected: "a boolean")
            }
        }
    }

    /// An integer. A real without a fraction is converted, and a Boolean becomes 0 or 1.
    ///
    /// - Throws: A problem if the value is not such a number, or not in the range of `Int`.
    public var integer: Int {
        get throws(Problem) { try integer(as: Int.self) }
    }

    /// Returns an integer of a chosen type. A real without a fraction is converted, and a Boolean becomes 0 or 1.
    ///
    /// - Throws: A problem if the value is not such a number, or not in the range of the type.
    public func integer<Number: FixedWidthInteger>(as type: Number.Type) throws(Problem) -> Number {
        let found: Number?
        switch shown.variant {
        case .scalar(.integer(let integer)): found = Number(exactly: integer.value)
        case .scalar(.boolean(let value)): found = value ? 1 : 0
        case .scalar(.real32(let value)): found = Number(exactly: value)
        case .scalar(.real64(let value)): found = Number(exactly: value)
        default: throw .kind(self, expected: "an integer")
        }
        guard let found else {
            throw Problem(
                "decode.range", "found \(foundNumber); expected an integer from \(Number.min) to \(Number.max)",
                address: address)
        }
        return found
    }

    /// A real. An integer is converted, and a Boolean becomes 0 or 1.
    ///
    /// - Throws: A problem if the value is not a number.
    public var double: Double {
        get throws(Problem) {
            switch shown.variant {
            case .scalar(.real64(let value)): return value
            case .scalar(.real32(let value)): return Double(value)
            case .scalar(.integer(let integer)): return Double(integer.value)
            case .scalar(.boolean(let value)): return value ? 1 : 0
            default: throw .kind(self, expected: "a number")
            }
        }
    }

    /// A real in single precision, converted like ``double``.
    ///
    /// - Throws: A problem if the value is not a number, or is finite and beyond the range of `Float`.
    public var float: Float {
        get throws(Problem) {
            if case .scalar(.real32(let value)) = shown.variant { return value }
            let value = try double
            let result = Float(value)
            guard result.isFinite || !value.isFinite else {
                let largest = Float.greatestFiniteMagnitude
                throw Problem(
                    "decode.range", "found \(foundNumber); expected a number from -\(largest) to \(largest)",
                    address: address)
            }
            return result
        }
    }

    /// The bytes of data.
    ///
    /// - Throws: A problem if the value is not data.
    public var data: [UInt8] {
        get throws(Problem) {
            guard case .scalar(.data(let bytes)) = shown.variant else { throw .kind(self, expected: "data") }
            return Array(bytes)
        }
    }

    /// A point in time.
    ///
    /// - Throws: A problem if the value is not a date.
    public var date: ArchivedDate {
        get throws(Problem) {
            guard case .scalar(.date(let seconds)) = shown.variant else { throw .kind(self, expected: "a date") }
            return ArchivedDate(secondsSince2001: seconds)
        }
    }

    /// Throws an error if the value is a Boolean but a number is requested, or the other way round, and the format
    /// distinguishes them.
    fileprivate func check(isBoolean: Bool, expected: String) throws(Problem) {
        guard source.distinguishesBooleans, case .scalar(let node) = shown.variant else { return }
        let found = if case .boolean = node { true } else { false }
        guard found == isBoolean else { throw .kind(self, expected: expected) }
    }

    /// The kind of the value, with an article.
    var found: String {
        switch shown.variant {
        case .array, .set, .dictionary: shown.variant.kind.withArticle
        case .object: "an object of class \(SafeText.escaping((className ?? "").utf16.prefix(80)))"
        case .scalar(let node): isNil ? "nil" : node.kind.withArticle
        }
    }

    /// The number in decimal, or the kind of any other value.
    private var foundNumber: String {
        switch shown.variant {
        case .scalar(.integer(let integer)): integer.value.description
        case .scalar(.real32(let value)): value.description
        case .scalar(.real64(let value)): value.description
        default: found
        }
    }
}
