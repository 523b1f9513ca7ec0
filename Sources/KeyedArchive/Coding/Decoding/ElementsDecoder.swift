import SaveCodec

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
