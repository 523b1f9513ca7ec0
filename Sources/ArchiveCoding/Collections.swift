/// A dictionary, which is archived as an `NSDictionary` with keys of any type. Swift itself encodes most dictionaries
/// as arrays.
protocol EncodableDictionary {
    /// Whether Swift encodes the keys as names.
    var keysAreNames: Bool { get }
    var encodablePairs: [(key: any Encodable, value: any Encodable)] { get }
}

/// A dictionary that can be read from an `NSDictionary`.
protocol DecodableDictionary {
    static func decode(_ pairs: [(key: ArchivedValue, value: ArchivedValue)], with decoder: ValueDecoder) throws -> Self
}

/// A set, which is archived as an `NSSet`. Swift itself encodes a set like an array.
protocol EncodableSet {
    var encodableElements: [any Encodable] { get }
}

extension Set: EncodableSet where Element: Encodable {
    /// The elements in an order that is stable between runs, so that equal values have equal archives.
    var encodableElements: [any Encodable] {
        if let texts = self as? Set<String> { return texts.sorted() }
        if let numbers = self as? Set<Int> { return numbers.sorted() }
        return sortedByText(Array(self)) { $0 }
    }
}

/// Returns values sorted by their debug description, because the order of hash tables differs between runs.
private func sortedByText<Value, Key>(_ values: [Value], by key: (Value) -> Key) -> [Value] {
    values.map { (text: String(reflecting: key($0)), value: $0) }.sorted { $0.text < $1.text }.map(\.value)
}

extension Dictionary: EncodableDictionary where Key: Encodable, Value: Encodable {
    var keysAreNames: Bool { Key.self is any CodingKeyRepresentable.Type }

    /// The pairs in an order of their keys that is stable between runs, so that equal values have equal archives.
    var encodablePairs: [(key: any Encodable, value: any Encodable)] {
        if let texts = self as? [String: Value] { return texts.sorted { $0.key < $1.key }.map { ($0, $1) } }
        if let numbers = self as? [Int: Value] { return numbers.sorted { $0.key < $1.key }.map { ($0, $1) } }
        return sortedByText(Array(self)) { $0.key }.map { ($0.key, $0.value) }
    }
}

extension Dictionary: DecodableDictionary where Key: Decodable, Value: Decodable {
    static func decode(_ pairs: [(key: ArchivedValue, value: ArchivedValue)], with decoder: ValueDecoder) throws -> Self
    {
        var result: Self = [:]
        for pair in pairs {
            let key = try decoder.decode(Key.self, pair.key)
            result[key] = try decoder.decode(Value.self, pair.value)
        }
        return result
    }
}
