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
