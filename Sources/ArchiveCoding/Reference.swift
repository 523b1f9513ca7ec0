/// A weak reference that may form a cycle, such as a reference to a parent.
///
///     final class Node: Codable {
///         var children: [Node]
///         @Reference var parent: Node?
///     }
///
/// An object is not available while its initializer runs. The decoder therefore sets references last, after everything
/// else has been decoded; until then they are nil. Since the reference is weak, another reference must keep the object
/// alive. Other coders encode the object as a nested value.
@propertyWrapper
public struct Reference<Target: AnyObject & Codable>: Codable {
    private var storage: Storage

    /// A container for the object, so that the reference can be set after the structure around it was copied.
    private final class Storage {
        weak var target: Target?

        init(_ target: Target?) {
            self.target = target
        }
    }

    /// The object, or nil.
    public var wrappedValue: Target? {
        get { storage.target }
        set { storage = Storage(newValue) }
    }

    /// Creates a reference.
    public init(wrappedValue: Target?) {
        storage = Storage(wrappedValue)
    }

    /// Decodes a reference. A reference in an archive is set after everything else has been decoded.
    public init(from decoder: any Decoder) throws {
        self.init(wrappedValue: nil)
        guard let decoder = decoder as? ValueDecoder else {
            storage.target = try decoder.singleValueContainer().decode(Target?.self)
            return
        }
        guard !decoder.value.isNil else { return }
        let storage = storage
        decoder.session.later(decoder.value) { storage.target = try $0.decode(Target.self, $0.value) }
    }

    /// Encodes the object, or nil.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a reference; nil if the field is missing.
    public func decode<Target>(_ type: Reference<Target>.Type, forKey key: Key) throws -> Reference<Target> {
        try decodeIfPresent(type, forKey: key) ?? Reference(wrappedValue: nil)
    }
}

/// A weak reference that does not by itself put the object into the archive, like a reference encoded with
/// `encodeConditionalObject:forKey:`.
///
/// It is nil in the archive unless something else encodes the object, before or after.
///
///     final class Missile: Codable {
///         @ConditionalReference var target: Enemy?        // saved if the level still has it
///     }
///
/// It may form a cycle, and is decoded like a ``Reference``. Other coders encode nil.
@propertyWrapper
public struct ConditionalReference<Target: AnyObject & Codable>: Codable {
    private var reference: Reference<Target>

    /// The object, or nil.
    public var wrappedValue: Target? {
        get { reference.wrappedValue }
        set { reference.wrappedValue = newValue }
    }

    /// Creates a reference.
    public init(wrappedValue: Target?) {
        reference = Reference(wrappedValue: wrappedValue)
    }

    /// Decodes a reference. A reference in an archive is set after everything else has been decoded.
    public init(from decoder: any Decoder) throws {
        reference = try Reference(from: decoder)
    }

    /// Encodes a reference if something else encodes the object, and nil otherwise.
    public func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? ValueEncoder, let target = wrappedValue else {
            var container = encoder.singleValueContainer()
            return try container.encodeNil()
        }
        encoder.set(encoder.session.conditionalReference(to: target))
    }
}

extension KeyedDecodingContainer {
    /// Decodes a reference; nil if the field is missing.
    public func decode<Target>(
        _ type: ConditionalReference<Target>.Type, forKey key: Key
    ) throws -> ConditionalReference<Target> {
        try decodeIfPresent(type, forKey: key) ?? ConditionalReference(wrappedValue: nil)
    }
}
