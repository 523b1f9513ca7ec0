import KeyedArchives
import SaveCodec

/// A value that Foundation archives as an object of a class of its own, such as an `NSURL`.
///
/// The library does not use Foundation. It recognizes a type such as `URL` by name, and converts its values to and from
/// a type of its own that encodes itself in the same way (``CodableConversion``).
protocol FoundationValue: Codable {
    /// Returns the value that an object of the class represents, or nil for any other value.
    static func read(_ value: ArchivedValue) throws(Problem) -> Self?
    /// Returns the encoded form of the value in an archive.
    func encoded(in output: ArchiveOutput, _ storage: ValueEncoder.Storage) -> EncodedValue
    /// The number of values that this value counts for in a decoder's allowance.
    var size: Int { get }
}

extension FoundationValue {
    var size: Int { 1 }
}

enum FoundationValueTypes {
    /// Returns the conforming type that stands for a type of this library or of Foundation, or nil if the type is
    /// archived as it encodes itself.
    static func valueType(of type: Any.Type) -> (any FoundationValue.Type)? {
        if let valueType = type as? any FoundationValue.Type { return valueType }
        switch foundationName(of: type) {
        case "URL": return URLValue.self
        case "UUID": return UUIDValue.self
        case "Decimal", "NSDecimal": return DecimalValue.self
        case "IndexSet": return IndexSetValue.self
        case "CGPoint": return ArchivedPoint.self
        case "CGSize": return ArchivedSize.self
        case "CGRect": return ArchivedRectangle.self
        case "_NSRange": return ArchivedRange.self
        default: return nil
        }
    }

    /// Returns the name of a Foundation type without its module, which differs between systems; nil for other types.
    static func foundationName(of type: Any.Type) -> Substring? {
        let parts = String(reflecting: type).split(separator: ".", maxSplits: 1)
        guard parts.count == 2, modules.contains(parts[0]) else { return nil }
        return parts[1]
    }

    /// Returns the name of a Foundation type that is not imported from C; nil for other types.
    ///
    /// A struct of C, such as `timespec`, encodes itself as the program defines.
    static func swiftName(of type: Any.Type) -> Substring? {
        String(reflecting: type).hasPrefix("__C.") ? nil : foundationName(of: type)
    }

    private static let modules: Set<Substring> = [
        "Foundation", "FoundationEssentials", "CoreFoundation", "CoreGraphics", "__C",
    ]
}

/// A type of Foundation that decodes itself, and the values that it may be read from.
///
/// A number is a date only where ``ArchivedValueSource/readsNumbersAsDates`` says so.
enum FoundationForm {
    case date, data, url, uuid

    init?(_ type: Any.Type) {
        switch FoundationValueTypes.swiftName(of: type) {
        case "Date": self = .date
        case "Data": self = .data
        case "URL": self = .url
        case "UUID": self = .uuid
        default: return nil
        }
    }

    func check(_ value: ArchivedValue) throws(Problem) {
        let isReadable =
            switch (self, value.shown.variant) {
            case (.date, .scalar(.date)), (.data, .scalar(.data)), (.uuid, .scalar(.string)): !value.isNil
            case (.date, .scalar(.integer)), (.date, .scalar(.real32)), (.date, .scalar(.real64)):
                value.source.readsNumbersAsDates
            case (.url, .dictionary), (.url, .object): !value.isNil
            default: false
            }
        guard isReadable else { throw .kind(value, expected: noun) }
    }

    private var noun: String {
        switch self {
        case .date: "a date"
        case .data: "data"
        case .url: "a URL"
        case .uuid: "a UUID"
        }
    }
}

/// Converts a value to another type that encodes itself in the same way.
enum CodableConversion {
    static func convert<Value: Decodable>(_ value: some Encodable, to type: Value.Type) throws -> Value {
        let session = EncodingSession(PlainOutput())
        try session.encodeRoot(value, forKey: nil, storage: .plain)
        return try DecodingSession(ArchivedValueSource(session.finish().document)).decodeRoot(type, forKey: nil)
    }
}

extension ArchivedValue {
    /// Returns the fields of an object of a Foundation class or of one of its subclasses, or nil for any other value.
    func fields(ofClass name: String) -> ObjectFields? {
        guard let archive = source.archive, let uid = source.view.uid(id),
            classRecord?.foundation?.chain.contains(name) ?? false
        else { return nil }
        return ObjectFields(uid, of: archive)
    }
}

extension Problem {
    static func brokenFields(_ value: ArchivedValue) -> Problem {
        Problem(
            "decode.fields", "the fields of the \(cut(value.className ?? "object")) do not match its class",
            address: value.address)
    }
}

// MARK: The types

// These types encode the same contents under the same names as Foundation's types.

/// A `URL`, archived as an `NSURL`.
private final class URLValue: FoundationValue {
    let base: URLValue?
    let relative: String

    init(_ relative: String, base: URLValue?) {
        (self.relative, self.base) = (relative, base)
    }

    /// The maximum number of nested bases. In a damaged archive, bases may form a cycle.
    private static let limit = 16

    static func read(_ value: ArchivedValue) throws(Problem) -> URLValue? {
        guard let fields = value.fields(ofClass: "NSURL") else { return nil }
        var parts: [String] = []
        var next: ObjectFields? = fields
        while let fields = next {
            guard let relative = fields.text("NS.relative"), parts.count < limit else { throw .brokenFields(value) }
            parts.append(relative.string)
            next = fields.fields("NS.base")
        }
        return parts.reversed().reduce(nil) { URLValue($1, base: $0) }
    }

    func encoded(in output: ArchiveOutput, _ storage: ValueEncoder.Storage) -> EncodedValue {
        let base = base?.encoded(in: output, storage) ?? .null
        return output.object(
            "NSURL", [("NS.base", base), ("NS.relative", .reference(output.add(string: relative)))])
    }
}

/// A `UUID`, archived as an `NSUUID`.
private struct UUIDValue: FoundationValue {
    let text: String

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    private init(_ text: String) {
        self.text = text
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    static func read(_ value: ArchivedValue) throws(Problem) -> UUIDValue? {
        guard let fields = value.fields(ofClass: "NSUUID") else { return nil }
        guard let text = fields.uuid else { throw .brokenFields(value) }
        return UUIDValue(text)
    }

    func encoded(in output: ArchiveOutput, _ storage: ValueEncoder.Storage) -> EncodedValue {
        output.object("NSUUID", [("NS.uuidbytes", .scalar(.data(Hexadecimal.uuid(text) ?? [])))])
    }
}

/// A `Decimal`, archived as an `NSDecimalNumber`.
private struct DecimalValue: FoundationValue {
    let exponent: Int
    let length: Int
    let isNegative: Bool
    let isCompact: Bool
    let mantissa: [UInt16]

    /// The number of words in a mantissa.
    private static let capacity = 8

    private init(_ stored: StoredDecimal) {
        exponent = stored.exponent
        length = stored.words.count
        isNegative = stored.isNegative
        isCompact = stored.isCompact
        mantissa = stored.words + Array(repeating: 0, count: Self.capacity - stored.words.count)
    }

    /// Creates the decimal number of an integer. Foundation also accepts an integer where it expects a decimal number.
    private init(_ integer: Int128) {
        var words: [UInt16] = []
        var rest = integer.magnitude
        while rest > 0 {
            words.append(UInt16(truncatingIfNeeded: rest))
            rest >>= 16
        }
        self.init(StoredDecimal(words: words, exponent: 0, isNegative: integer < 0, isCompact: false))
    }

    static func read(_ value: ArchivedValue) throws(Problem) -> DecimalValue? {
        if case .scalar(.integer(let integer)) = value.shown.variant { return DecimalValue(integer.value) }
        guard let fields = value.fields(ofClass: "NSDecimalNumber") else { return nil }
        guard let stored = fields.storedDecimal else { throw .brokenFields(value) }
        return DecimalValue(stored)
    }

    func encoded(in output: ArchiveOutput, _ storage: ValueEncoder.Storage) -> EncodedValue {
        let bytes = mantissa.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        // Instances of NSDecimalNumber are archived with this class name.
        return output.object(
            "NSDecimalNumberPlaceholder",
            [
                ("NS.exponent", .number(.integer(Int128(exponent)))), ("NS.length", .number(.integer(Int128(length)))),
                ("NS.negative", .number(.boolean(isNegative))), ("NS.compact", .number(.boolean(isCompact))),
                ("NS.mantissa.bo", .number(.integer(1))), ("NS.mantissa", .scalar(.data(bytes))),
            ])
    }
}

/// An `IndexSet`, archived as an `NSIndexSet`.
private struct IndexSetValue: FoundationValue {
    let indexes: [Indexes]

    struct Indexes: Codable {
        let location: Int
        let length: Int
    }

    static func read(_ value: ArchivedValue) throws(Problem) -> IndexSetValue? {
        guard let fields = value.fields(ofClass: "NSIndexSet") else { return nil }
        // The ranges must be sorted, as NSIndexSet stores them, because Foundation takes too long to sort others.
        guard let ranges = fields.indexRanges(atMost: .max)?.ranges,
            zip(ranges, ranges.dropFirst()).allSatisfy({ $0.upperBound <= $1.lowerBound })
        else { throw .brokenFields(value) }
        return IndexSetValue(indexes: ranges.map { Indexes(location: $0.lowerBound, length: $0.count) })
    }

    var size: Int { indexes.count + 1 }

    func encoded(in output: ArchiveOutput, _ storage: ValueEncoder.Storage) -> EncodedValue {
        let className = storage.className("IndexSet")
        let count = EncodedValue.number(.integer(Int128(indexes.count)))
        guard indexes.count > 1 else {
            let range = indexes.flatMap {
                [
                    ("NSLocation", EncodedValue.number(.integer(Int128($0.location)))),
                    ("NSLength", EncodedValue.number(.integer(Int128($0.length)))),
                ]
            }
            return output.object(className, [("NSRangeCount", count)] + range)
        }
        var bytes: [UInt8] = []
        for range in indexes {
            LEB128.append(range.location, to: &bytes)
            LEB128.append(range.length, to: &bytes)
        }
        return output.object(
            className, [("NSRangeCount", count), ("NSRangeData", .reference(output.add(data: bytes)))])
    }
}
