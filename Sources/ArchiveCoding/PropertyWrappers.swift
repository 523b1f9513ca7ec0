/// A number that is archived as an object of its own, as `encodeObject:` stores an `NSNumber`.
///
///     struct Player: Codable {
///         @Boxed var type: Int        // [coder encodeObject:type forKey:@"type"]
///         var health: Int             // [coder encodeInt:health forKey:@"health"]
///     }
///
/// Both storages are read the same way. A boxed point, size or rectangle becomes an `NSValue` instead of text. All
/// other values are objects anyway.
@propertyWrapper
public struct Boxed<Value: Codable>: Codable {
    /// The wrapped value.
    public var wrappedValue: Value

    /// Creates a box for a value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Decodes the value.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Value.self)
    }

    /// Encodes the value, as an object in an archive.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(wrappedValue, storage: .boxed)
    }
}

extension Boxed: Sendable where Value: Sendable {}
extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}

extension KeyedDecodingContainer {
    /// Decodes an optional value in a box; nil if the field is missing.
    public func decode<Value>(_ type: Boxed<Value?>.Type, forKey key: Key) throws -> Boxed<Value?> {
        try decodeIfPresent(type, forKey: key) ?? Boxed(wrappedValue: nil)
    }
}

/// A value that is archived as an object of the mutable class, for games that modify what they unarchive.
///
/// The classes are `NSMutableArray`, `NSMutableDictionary`, `NSMutableSet`, `NSMutableString`, `NSMutableData` and
/// `NSMutableIndexSet`.
///
///     struct Bar: Codable {
///         @Mutable var foos: [Foo]
///     }
///
/// Mutable and immutable objects are read the same way.
@propertyWrapper
public struct Mutable<Value: Codable>: Codable {
    /// The wrapped value.
    public var wrappedValue: Value

    /// Creates a wrapper for a value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Decodes the value.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Value.self)
    }

    /// Encodes the value, as an object of the mutable class in an archive.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(wrappedValue, storage: .mutable)
    }
}

extension Mutable: Sendable where Value: Sendable {}
extension Mutable: Equatable where Value: Equatable {}
extension Mutable: Hashable where Value: Hashable {}

extension KeyedDecodingContainer {
    /// Decodes an optional value; nil if the field is missing.
    public func decode<Value>(_ type: Mutable<Value?>.Type, forKey key: Key) throws -> Mutable<Value?> {
        try decodeIfPresent(type, forKey: key) ?? Mutable(wrappedValue: nil)
    }
}
