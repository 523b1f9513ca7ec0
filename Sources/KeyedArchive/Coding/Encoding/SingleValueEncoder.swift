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
