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
        encoder.add(.part(try encoder.encode(value, encoder.key(key.stringValue))), named: key.stringValue)
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
        let nested = encoder.nested(encoder.key(key.stringValue))
        encoder.add(.nested(nested), named: key.stringValue)
        return nested
    }
}

/// Takes the elements of an array or a set.
struct ElementsEncoder: UnkeyedEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.elementCount }

    mutating func encodeNil() throws {
        encoder.append(.part(.null))
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try encoder.append(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        nested().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        nested()
    }

    private func nested() -> ValueEncoder {
        let nested = encoder.nested(ArchiveKey(intValue: count))
        encoder.append(.nested(nested))
        return nested
    }
}

/// Takes the single value that a value is.
struct SingleValueEncoder: SingleValueEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws {
        encoder.set(.null)
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try encoder.encodeSingle(value)
    }
}

// MARK: - Integers of 128 bits

// For integers of 128 bits Swift's protocols have methods that refuse them, which take precedence over the ones that
// take values of all types.

extension FieldsEncoder {
    mutating func encode(_ value: Int128, forKey key: Key) throws { try add(value, forKey: key) }
    mutating func encode(_ value: UInt128, forKey key: Key) throws { try add(value, forKey: key) }
}

extension ElementsEncoder {
    mutating func encode(_ value: Int128) throws { try encoder.append(value) }
    mutating func encode(_ value: UInt128) throws { try encoder.append(value) }
}

extension SingleValueEncoder {
    mutating func encode(_ value: Int128) throws { try encoder.encodeSingle(value) }
    mutating func encode(_ value: UInt128) throws { try encoder.encodeSingle(value) }
}
