/// Takes the fields of an object. One method takes values of all types: what they are is looked up where they are
/// encoded.
struct FieldsEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) throws {
        encoder.add(.part(.null), named: key.stringValue)
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try add(value, forKey: key)
    }

    func add(_ value: some Encodable, forKey key: Key) throws {
        encoder.add(.part(try encoder.encode(value, .name(key.stringValue))), named: key.stringValue)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        nested(ArchiveKey.super)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        nested(key)
    }

    private func nested(_ key: any CodingKey) -> ValueEncoder {
        let nested = encoder.nested(.name(key.stringValue))
        encoder.add(.nested(nested), named: key.stringValue)
        return nested
    }
}
