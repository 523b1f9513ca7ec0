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
