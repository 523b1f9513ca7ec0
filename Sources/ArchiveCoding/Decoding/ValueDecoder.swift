import KeyedArchives
import SaveCodec

/// The decoder of one value.
final class ValueDecoder: Decoder {
    let session: DecodingSession
    let value: ArchivedValue
    private let depth: Int
    /// The type whose class the object must match; nil if any class is accepted.
    private var type: Any.Type?
    /// Whether the type is Foundation's `Date`, which decodes its seconds.
    private let isDate: Bool

    init(
        _ session: DecodingSession, _ value: ArchivedValue, depth: Int, type: Any.Type? = nil, isDate: Bool = false
    ) {
        self.session = session
        self.value = value
        self.depth = depth
        self.type = type
        self.isDate = isDate
    }

    /// Returns the value, and turns off the class check for a type that makes its own decision.
    fileprivate func valueOfAnyClass() -> ArchivedValue {
        type = nil
        return value
    }

    var codingPath: [any CodingKey] { value.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key: CodingKey>(keyedBy keys: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if let type { try attempt(type) { () throws(Problem) in try session.checkClass(of: value, as: type) } }
        return KeyedDecodingContainer(FieldsDecoder(decoder: self, fields: try fields(keys)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        if case .scalar(.data(let bytes)) = value.shown.variant {
            try attempt([UInt8].self) { () throws(Problem) in try session.charge(bytes.count, for: value) }
            return ElementsDecoder(decoder: self, elements: .bytes(bytes))
        }
        let elements = try contents([Any].self) { value throws(Problem) in try value.array }
        return ElementsDecoder(decoder: self, elements: .values(elements))
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        SingleValueDecoder(decoder: self)
    }

    // MARK: Parts

    func decode<Part: Decodable>(_ type: Part.Type, _ part: ArchivedValue) throws -> Part {
        try session.decode(type, part, depth: depth + 1)
    }

    /// Returns the value itself as another type.
    fileprivate func decodeSingle<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if isDate, case .scalar(.date(let seconds)) = value.shown.variant, let result = seconds as? Value {
            return result
        }
        return try decode(type, value)
    }

    func nested(_ part: ArchivedValue) -> ValueDecoder {
        ValueDecoder(session, part, depth: depth + 1)
    }

    /// Returns the contents of the value, which count against the session's allowance.
    func contents<Content>(
        _ type: Any.Type, _ read: (ArchivedValue) throws(Problem) -> [Content]
    ) throws -> [Content] {
        try attempt(type) { () throws(Problem) in
            let contents = try read(value)
            try session.charge(contents.count, for: value)
            return contents
        }
    }

    private func fields(_ type: Any.Type) throws -> [String: ArchivedValue] {
        let fields = try contents(type) { value throws(Problem) in try value.fields }
        return value.source.view.document.effective(fields.map { ($0.name, $0.value) })
    }

    private func attempt<Result>(_ type: Any.Type, _ body: () throws(Problem) -> Result) throws -> Result {
        do throws(Problem) {
            return try body()
        } catch {
            throw error.decodingError(type, codingPath)
        }
    }
}

extension Decoder {
    /// The archived value that is being decoded, for an `init(from:)` that depends on its class or address; nil in
    /// other decoders.
    ///
    ///     enum Shape: Decodable {                                       // an array of circles and boxes
    ///         case circle(Circle), box(Box)
    ///
    ///         init(from decoder: any Decoder) throws {
    ///             switch decoder.archivedValue?.className {
    ///             case "Circle": self = .circle(try Circle(from: decoder))
    ///             default: self = .box(try Box(from: decoder))
    ///             }
    ///         }
    ///     }
    ///
    /// Accessing this property turns off the class check for the type, so the object may be of any class.
    public var archivedValue: ArchivedValue? {
        (self as? ValueDecoder)?.valueOfAnyClass()
    }
}

// MARK: Containers

/// A container for the fields of an object, or the pairs of a dictionary with string keys.
private struct FieldsDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder
    let fields: [String: ArchivedValue]

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { fields.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool {
        fields[key.stringValue] != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        try field(key, Never.self).isNil
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try value(type, forKey: key)
    }

    func value<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.decode(type, try field(key, type))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.nested(try field(key, type)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.nested(try field(key, [Any].self)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        decoder.nested(try field(ArchiveCodingKey.super, Never.self))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        decoder.nested(try field(key, Never.self))
    }

    private func field(_ key: any CodingKey, _ type: Any.Type) throws -> ArchivedValue {
        guard let value = fields[key.stringValue] else {
            throw Problem.fieldMissing(key.stringValue, in: decoder.value).decodingError(
                type, codingPath, key: key)
        }
        return value
    }
}

/// A container for the elements of an array or a set, or the single bytes of data, which Foundation's `Data` requests.
private struct ElementsDecoder: UnkeyedDecodingContainer {
    enum Elements {
        case values([ArchivedValue])
        case bytes(ArraySlice<UInt8>)
    }

    let decoder: ValueDecoder
    let elements: Elements
    private(set) var currentIndex = 0

    init(decoder: ValueDecoder, elements: Elements) {
        self.decoder = decoder
        self.elements = elements
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var isAtEnd: Bool { currentIndex >= length }
    var count: Int? { length }

    private var length: Int {
        switch elements {
        case .values(let values): values.count
        case .bytes(let bytes): bytes.count
        }
    }

    mutating func decodeNil() throws -> Bool {
        guard case .values(let values) = elements, !isAtEnd, values[currentIndex].isNil else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try nextValue(type)
    }

    mutating func nextValue<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if case .bytes(let bytes) = elements, !isAtEnd,
            let byte = bytes[bytes.startIndex + currentIndex] as? Value
        {
            currentIndex += 1
            return byte
        }
        let result = try decoder.decode(type, try next(type))
        currentIndex += 1
        return result
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        try nested(type).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try nested([Any].self).unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        try nested(Never.self)
    }

    private mutating func nested(_ type: Any.Type) throws -> ValueDecoder {
        let value = try next(type)
        currentIndex += 1
        return decoder.nested(value)
    }

    private func next(_ type: Any.Type) throws -> ArchivedValue {
        let value = decoder.value
        guard !isAtEnd else {
            let found = Phrase.count(length, "element")
            throw Problem(.decodeMissing, "found \(found); expected more", address: value.address)
                .decodingError(type, codingPath)
        }
        guard case .values(let values) = elements else {
            throw Problem.kind(value, expected: "an array").decodingError(type, codingPath)
        }
        return values[currentIndex]
    }
}

private struct SingleValueDecoder: SingleValueDecodingContainer {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
        decoder.value.isNil
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoder.decodeSingle(type)
    }
}

// MARK: - 128-bit integers

// Swift's container protocols have methods for 128-bit integers that throw an error by default, and that take
// precedence over the generic methods.

extension FieldsDecoder {
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try value(type, forKey: key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(type, forKey: key) }
}

extension ElementsDecoder {
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try nextValue(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try nextValue(type) }
}

extension SingleValueDecoder {
    func decode(_ type: Int128.Type) throws -> Int128 { try decoder.decode(type, decoder.value) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.decode(type, decoder.value) }
}
