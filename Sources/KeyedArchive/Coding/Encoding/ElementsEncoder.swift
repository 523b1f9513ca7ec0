/// Takes the elements of an array or a set.
struct ElementsEncoder: UnkeyedEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.elementCount }

    mutating func encodeNil() throws {
        encoder.append(.part(.null))
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try append(value)
    }

    func append(_ value: some Encodable) throws {
        encoder.append(.part(try encoder.encode(value, .index(count))))
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
        let nested = encoder.nested(.index(count))
        encoder.append(.nested(nested))
        return nested
    }
}
