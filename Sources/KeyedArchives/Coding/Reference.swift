/// A reference that may lead back to an object that contains it, such as the one to a parent.
///
///     final class Node: Codable {
///         var children: [Node]
///         @Reference var parent: Node?
///     }
///
/// An initialiser cannot see an object that is still being made, so a decoder fills references in last, when all
/// else has been decoded; until then they are nil. Like every reference that leads back, it is weak: something else must
/// hold the object. Other coders than the archive's copy it as a part.
@propertyWrapper
public struct Reference<Target: AnyObject & Codable>: Codable {
    private var storage: Storage

    /// Holds the object, so that it can be filled in after the structure around it was copied.
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

    /// Reads a reference, from an archive to be filled in when all else has been decoded.
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

    /// Writes the object, or nil.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension KeyedDecodingContainer {
    /// Reads a reference; nil where there is none.
    public func decode<Target>(_ type: Reference<Target>.Type, forKey key: Key) throws -> Reference<Target> {
        try decodeIfPresent(type, forKey: key) ?? Reference(wrappedValue: nil)
    }
}

/// A reference that does not by itself put the object into the archive, as `encodeConditionalObject:forKey:` makes it: it
/// is nil there unless something else encodes the object, before or after.
///
///     final class Missile: Codable {
///         @ConditionalReference var target: Enemy?        // saved if the level still has it
///     }
///
/// It is weak, may lead back, and is read like a ``Reference``. Other coders than the archive's write nil.
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

    /// Reads a reference, from an archive to be filled in when all else has been decoded.
    public init(from decoder: any Decoder) throws {
        reference = try Reference(from: decoder)
    }

    /// Writes a reference if something else writes the object, or else nil.
    public func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? ValueEncoder, let target = wrappedValue else {
            var container = encoder.singleValueContainer()
            return try container.encodeNil()
        }
        encoder.set(encoder.session.conditionalReference(to: target))
    }
}

extension KeyedDecodingContainer {
    /// Reads a reference; nil where there is none.
    public func decode<Target>(
        _ type: ConditionalReference<Target>.Type, forKey key: Key
    ) throws -> ConditionalReference<Target> {
        try decodeIfPresent(type, forKey: key) ?? ConditionalReference(wrappedValue: nil)
    }
}
