// For integers of 128 bits Swift's protocols have methods that refuse them, which take precedence over the ones that
// take values of all types.

extension FieldsEncoder {
    mutating func encode(_ value: Int128, forKey key: Key) throws { try add(value, forKey: key) }
    mutating func encode(_ value: UInt128, forKey key: Key) throws { try add(value, forKey: key) }
}

extension ElementsEncoder {
    mutating func encode(_ value: Int128) throws { try append(value) }
    mutating func encode(_ value: UInt128) throws { try append(value) }
}

extension SingleValueEncoder {
    mutating func encode(_ value: Int128) throws { try encoder.encodeSingle(value) }
    mutating func encode(_ value: UInt128) throws { try encoder.encodeSingle(value) }
}

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
