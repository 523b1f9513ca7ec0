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
