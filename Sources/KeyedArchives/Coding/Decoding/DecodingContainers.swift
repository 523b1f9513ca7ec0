import SaveCodec

/// Gives the fields of an object, or the pairs of a dictionary with strings as keys.
struct FieldsDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
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
        decoder.nested(try field(ArchiveKey.super, Never.self))
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

/// Gives the elements of an array or a set, or the bytes of data one by one, as Foundation's `Data` asks for them.
struct ElementsDecoder: UnkeyedDecodingContainer {
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
            throw Problem(.decodeMissing, "there are \(length) elements; expected more", address: value.address)
                .decodingError(type, codingPath)
        }
        guard case .values(let values) = elements else {
            throw Problem.kind(value, expected: "an array").decodingError(type, codingPath)
        }
        return values[currentIndex]
    }
}

/// Gives the value itself.
struct SingleValueDecoder: SingleValueDecodingContainer {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
        decoder.value.isNil
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoder.decode(type, decoder.value)
    }
}

// MARK: - Integers of 128 bits

// For integers of 128 bits Swift's protocols have methods that refuse them, which take precedence over the ones that
// take values of all types.

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
