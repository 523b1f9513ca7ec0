import KeyedArchives
import SaveCodec

/// The encoder of one value, which collects its fields, its elements or its single value.
final class ValueEncoder: Encoder {
    /// The requested storage of a value.
    enum Storage {
        /// The usual storage of the type.
        case plain
        /// An object, even for a number.
        case boxed
        /// An object of the mutable class.
        case mutable

        func className(_ collection: String) -> String {
            self == .mutable ? "NSMutable\(collection)" : "NS\(collection)"
        }
    }

    let session: EncodingSession
    let path: CodingSteps
    let depth: Int
    private let kind: ArchivedRepresentation
    private let storage: Storage
    private var contents = Contents.none
    private var positions: [String: Int] = [:]
    private var uid: UID?
    private var metadata = EncodedObjectMetadata()

    private enum Contents {
        case none
        case fields([(name: String, value: PendingValue)])
        case elements([PendingValue])
        case single(EncodedValue)
    }

    /// A field or an element, complete or still being collected.
    enum PendingValue {
        case encoded(EncodedValue)
        case nested(ValueEncoder)
    }

    init(
        _ session: EncodingSession, _ path: CodingSteps, depth: Int, kind: ArchivedRepresentation,
        storage: Storage = .plain
    ) {
        self.session = session
        self.path = path
        self.depth = depth
        self.kind = kind
        self.storage = storage
    }

    var codingPath: [any CodingKey] { path.steps }
    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    // MARK: Containers

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        switch contents {
        case .none: contents = .fields([])
        case .fields: break
        default: refuseMixture()
        }
        metadata.keys.append { Key(stringValue: $0) }
        return KeyedEncodingContainer(FieldsEncoder(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        switch contents {
        case .none: contents = .elements([])
        case .elements: break
        default: refuseMixture()
        }
        return ElementsEncoder(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueEncoder(encoder: self)
    }

    /// Returns an encoder for a nested container, which has no type of its own.
    func nested(_ step: ArchiveCodingKey) -> ValueEncoder {
        ValueEncoder(session, path.appending(step), depth: depth + 1, kind: .dictionary)
    }

    /// The encoder of the nested container in a field; nil if the field has none.
    fileprivate func nestedEncoder(named name: String) -> ValueEncoder? {
        guard case .fields(let fields) = contents, let position = positions[name],
            case .nested(let encoder) = fields[position].value
        else { return nil }
        return encoder
    }

    private func refuseMixture() {
        session.refuse(
            Problem(
                "encode.container", "the value is encoded in two ways; expected fields, elements or a single value",
                address: path.address))
    }

    /// Returns the key of a field. Objects store a name that begins with `$` with an additional `$`.
    func key(_ name: String) -> ArchiveCodingKey {
        kind.className == nil ? ArchiveCodingKey(stringValue: name) : .field(name)
    }

    // MARK: Contents

    fileprivate var elementCount: Int {
        if case .elements(let elements) = contents { return elements.count }
        return 0
    }

    func encode(_ value: some Encodable, _ step: ArchiveCodingKey, storage: Storage = .plain) throws -> EncodedValue {
        try session.encode(value, at: path.appending(step), depth: depth + 1, storage: storage)
    }

    /// Appends an element, which is an object in an archive unless it is a byte of data.
    func append(_ value: some Encodable) throws {
        var storage = Storage.boxed
        if case .data = kind { storage = .plain }
        append(.encoded(try encode(value, ArchiveCodingKey(intValue: elementCount), storage: storage)))
    }

    /// Adds a field, replacing an earlier one with the same name.
    func add(_ value: PendingValue, named name: String) {
        guard case .fields(var fields) = contents, isWithinDepth(value) else { return }
        contents = .none
        if let position = positions[name] {
            fields[position].value = value
        } else {
            positions[name] = fields.count
            fields.append((name, value))
        }
        contents = .fields(fields)
    }

    func append(_ value: PendingValue) {
        guard case .elements(var elements) = contents, isWithinDepth(value) else { return }
        contents = .none
        elements.append(value)
        contents = .elements(elements)
    }

    /// Whether content is within the depth limit. Refuses content that is not. The check is needed here because
    /// containers can be nested without encoding a value.
    private func isWithinDepth(_ content: PendingValue) -> Bool {
        guard case .nested(let nested) = content, nested.depth > session.maxDepth else { return true }
        session.refuse(.encodingDepth(session.maxDepth, at: nested.path))
        return false
    }

    func set(_ encoded: EncodedValue) {
        if case .none = contents { contents = .single(encoded) } else { refuseMixture() }
    }

    /// Encodes another value as the whole content of this one, as `singleValueContainer()` does.
    fileprivate func encodeSingle(_ value: some Encodable, storage: Storage? = nil) throws {
        let storage = storage ?? self.storage
        if case .date = kind, let seconds = value as? Double {
            return set(session.output.encoded(.date(seconds), storage))
        }
        set(try session.encode(value, at: path, depth: depth + 1, storage: storage))
    }

    // MARK: Completion

    /// Returns the number of the object, which may be requested before its contents are complete; nil if the output
    /// does not number objects.
    func reserve() -> UID? {
        uid = uid ?? session.output.reserve()
        return uid
    }

    /// Marks the object as an instance of a class. If something has already referred to it, `uid` is the number that it
    /// adopts.
    func markAsInstance(adopting uid: UID?) {
        self.uid = uid
        metadata.isInstance = true
    }

    /// Returns the encoded form of the value.
    func complete() throws -> EncodedValue {
        switch contents {
        case .none: return try completeFields([])
        case .fields(let fields): return try completeFields(fields)
        case .elements(let elements): return try completeElements(elements)
        case .single(let encoded):
            guard uid == nil else { throw Problem.encodingCycle(at: path) }
            return encoded
        }
    }

    private func completeFields(_ fields: [(name: String, value: PendingValue)]) throws -> EncodedValue {
        if case .unknown(let names) = kind, let archive = session.output.archive {
            guard archive.hasTemplate else { throw Problem.unknownClass(names.name, at: path.address) }
            (metadata.isOfUnknownClass, metadata.hasImpliedClass) = (true, true)
        }
        let encoded = try fields.map { ($0.name, try self.encoded($0.value)) }
        let result = session.output.fields(encoded, of: kind.className, as: uid, storage)
        if case .object(_, let isImplied) = kind { metadata.hasImpliedClass = isImplied }
        session.output.note(metadata, of: result)
        return result
    }

    private func completeElements(_ elements: [PendingValue]) throws -> EncodedValue {
        let encoded = try elements.map(self.encoded)
        if case .data = kind, uid == nil { return session.output.encoded(.data(encoded.compactMap(\.byte)), storage) }
        let result = session.output.elements(encoded, isSet: false, as: uid, storage)
        if metadata.isInstance { session.output.note(metadata, of: result) }
        return result
    }

    private func encoded(_ content: PendingValue) throws -> EncodedValue {
        switch content {
        case .encoded(let encoded): return encoded
        case .nested(let encoder): return try encoder.complete()
        }
    }
}

extension EncodedValue {
    fileprivate var byte: UInt8? {
        guard case .number(.integer(let value)) = self else { return nil }
        return UInt8(exactly: value)
    }
}

extension Encoder {
    /// Encodes a value as the single value of the encoder. The storage applies only in an archive.
    func encode(_ value: some Encodable, storage: ValueEncoder.Storage) throws {
        if let encoder = self as? ValueEncoder { return try encoder.encodeSingle(value, storage: storage) }
        var container = singleValueContainer()
        try container.encode(value)
    }
}

// MARK: Containers

/// A container for the fields of an object.
///
/// One generic method takes values of all types, because the session distinguishes them.
private struct FieldsEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) throws {
        encoder.add(.encoded(.null), named: key.stringValue)
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try add(value, forKey: key)
    }

    func add(_ value: some Encodable, forKey key: Key) throws {
        encoder.add(.encoded(try encoder.encode(value, encoder.key(key.stringValue))), named: key.stringValue)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        continued(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        continued(key).unkeyedContainer()
    }

    /// Returns the encoder of the nested container in a field, which may have been requested before.
    private func continued(_ key: Key) -> ValueEncoder {
        encoder.nestedEncoder(named: key.stringValue) ?? nested(key)
    }

    mutating func superEncoder() -> any Encoder {
        nested(ArchiveCodingKey.super)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        nested(key)
    }

    private func nested(_ key: any CodingKey) -> ValueEncoder {
        let nested = encoder.nested(encoder.key(key.stringValue))
        encoder.add(.nested(nested), named: key.stringValue)
        return nested
    }
}

private struct ElementsEncoder: UnkeyedEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.elementCount }

    mutating func encodeNil() throws {
        encoder.append(.encoded(.null))
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try encoder.append(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        nested().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        nested()
    }

    private func nested() -> ValueEncoder {
        let nested = encoder.nested(ArchiveCodingKey(intValue: count))
        encoder.append(.nested(nested))
        return nested
    }
}

private struct SingleValueEncoder: SingleValueEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws {
        encoder.set(.null)
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try encoder.encodeSingle(value)
    }
}

// MARK: - 128-bit integers

// Swift's container protocols have methods for 128-bit integers that throw an error by default, and that take
// precedence over the generic methods.

extension FieldsEncoder {
    mutating func encode(_ value: Int128, forKey key: Key) throws { try add(value, forKey: key) }
    mutating func encode(_ value: UInt128, forKey key: Key) throws { try add(value, forKey: key) }
}

extension ElementsEncoder {
    mutating func encode(_ value: Int128) throws { try encoder.append(value) }
    mutating func encode(_ value: UInt128) throws { try encoder.append(value) }
}

extension SingleValueEncoder {
    mutating func encode(_ value: Int128) throws { try encoder.encodeSingle(value) }
    mutating func encode(_ value: UInt128) throws { try encoder.encodeSingle(value) }
}
