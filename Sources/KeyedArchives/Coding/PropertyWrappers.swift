/// A number that is archived as an object of its own, as `encodeObject:` stores an `NSNumber`.
///
///     struct Player: Codable {
///         @Boxed var type: Int        // [coder encodeObject:type forKey:@"type"]
///         var health: Int             // [coder encodeInt:health forKey:@"health"]
///     }
///
/// Both are read the same way. Other values than numbers are objects anyway.
@propertyWrapper
public struct Boxed<Value: Codable>: Codable {
    /// The value.
    public var wrappedValue: Value

    /// Creates a box.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Value.self)
    }

    /// Writes the value, to an archive as an object.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(wrappedValue, style: .boxed)
    }
}

extension Boxed: Sendable where Value: Sendable {}
extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}

extension KeyedDecodingContainer {
    /// Reads an optional value in a box; nil where there is none.
    public func decode<Value>(_ type: Boxed<Value?>.Type, forKey key: Key) throws -> Boxed<Value?> {
        try decodeIfPresent(type, forKey: key) ?? Boxed(wrappedValue: nil)
    }
}

/// A value that is archived as an object of the mutable class: `NSMutableArray`, `NSMutableDictionary`, `NSMutableSet`,
/// `NSMutableString` or `NSMutableData`, for games that change what they unarchived.
///
///     struct Bar: Codable {
///         @Mutable var foos: [Foo]
///     }
///
/// Both forms are read the same way.
@propertyWrapper
public struct Mutable<Value: Codable>: Codable {
    /// The value.
    public var wrappedValue: Value

    /// Creates the wrapper.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Value.self)
    }

    /// Writes the value, to an archive as an object of the mutable class.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(wrappedValue, style: .mutable)
    }
}

extension Mutable: Sendable where Value: Sendable {}
extension Mutable: Equatable where Value: Equatable {}
extension Mutable: Hashable where Value: Hashable {}

extension KeyedDecodingContainer {
    /// Reads an optional value; nil where there is none.
    public func decode<Value>(_ type: Mutable<Value?>.Type, forKey key: Key) throws -> Mutable<Value?> {
        try decodeIfPresent(type, forKey: key) ?? Mutable(wrappedValue: nil)
    }
}
