/// A dictionary, which becomes an `NSDictionary` whatever its keys are; Swift's own coding has arrays for most keys.
protocol EncodableDictionary {
    var encodablePairs: [(key: any Encodable, value: any Encodable)] { get }
}

/// A dictionary that can be read from an `NSDictionary`.
protocol DecodableDictionary {
    static func decode(_ pairs: [(key: ArchivedValue, value: ArchivedValue)], with decoder: ValueDecoder) throws -> Self
}

/// A set, which becomes an `NSSet`; Swift's own coding cannot tell it from an array.
protocol EncodableSet {}

extension Set: EncodableSet {}

extension Dictionary: EncodableDictionary where Key: Encodable, Value: Encodable {
    /// The pairs, in the order of the keys if those are text or whole numbers, so that equal archives have equal bytes.
    var encodablePairs: [(key: any Encodable, value: any Encodable)] {
        if let texts = self as? [String: Value] { return texts.sorted { $0.key < $1.key }.map { ($0, $1) } }
        if let numbers = self as? [Int: Value] { return numbers.sorted { $0.key < $1.key }.map { ($0, $1) } }
        return map { ($0, $1) }
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
