import KeyedArchives
import SaveCodec

/// An archive or a property list that is being encoded: its roots, and the instances encoded so far.
final class EncodingSession {
    let userInfo: [CodingUserInfoKey: any Sendable]
    let maxDepth: Int
    let output: any EncodingOutput
    private let names: [ObjectIdentifier: ClassRecordNames]
    private var roots: [(key: String?, encoded: EncodedValue)] = []
    private var rootKeys: Set<String?> = []
    private var kinds: [ObjectIdentifier: ArchivedRepresentation] = [:]
    private var instances: [ObjectIdentifier: Instance] = [:]
    /// The instances that were first encoded in the current root.
    private var newInstances: [ObjectIdentifier] = []
    /// The instances that are only conditionally referred to so far, and their reserved numbers.
    private var awaited: [ObjectIdentifier: (object: AnyObject, uid: UID)] = [:]
    private var refusal: Problem?
    /// Whether encoding a root has failed, which may leave objects that nothing refers to.
    private var hasFailed = false

    /// An instance of a class, retained so that no other instance can get its identity.
    private struct Instance {
        let object: AnyObject
        var state: State

        enum State {
            case encoding(ValueEncoder)
            case encoded(EncodedValue)
        }
    }

    init(
        _ output: any EncodingOutput, names: [ObjectIdentifier: ClassRecordNames] = [:], maxDepth: Int = 128,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.output = output
        self.names = names
        self.maxDepth = maxDepth
        self.userInfo = userInfo
    }

    // MARK: Values

    /// Encodes a value as a root.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key of the root; nil for the root of a property list.
    ///   - storage: The storage of the value.
    ///   - path: The steps to the value, for the address in errors; nil for the root with this key.
    func encodeRoot(
        _ value: some Encodable, forKey key: String?, storage: ValueEncoder.Storage, at path: CodingSteps? = nil
    ) throws {
        guard !rootKeys.contains(key) else {
            throw Problem("encode.root", "the archive already has a root \(Problem.quoted(key ?? ""))", address: .root)
        }
        (newInstances, refusal) = ([], nil)
        let path = path ?? key.map { CodingSteps.empty.appending(.field($0)) } ?? .empty
        do {
            let encoded = try encode(value, at: path, depth: 1, storage: storage)
            if let refusal { throw refusal }
            roots.append((key, encoded))
            rootKeys.insert(key)
        } catch {
            // The instances may be incomplete, so a later root must encode them again.
            for identity in newInstances { instances[identity] = nil }
            hasFailed = true
            throw error
        }
    }

    /// Records why the current root cannot be encoded, where Swift's coding cannot throw an error.
    func refuse(_ problem: Problem) {
        refusal = refusal ?? problem
    }

    /// Returns the encoded form of a value. Recursive, as Swift's coding is, so its depth is limited.
    func encode<Value: Encodable>(
        _ value: Value, at path: CodingSteps, depth: Int, storage: ValueEncoder.Storage = .plain
    ) throws -> EncodedValue {
        if let value = value as? any ArchivedScalar {
            guard let scalar = value.scalar else { throw Problem.integerRange(at: path) }
            return output.encoded(scalar, storage)
        }
        guard depth <= maxDepth else { throw Problem.encodingDepth(maxDepth, at: path) }
        if let encoded = try encodeCollection(value, at: path, depth: depth, storage) { return encoded }
        let type = type(of: value as Any)
        let kind = kind(of: type)
        if case .foundation(let form) = kind, let encoded = try encode(value, as: form, storage) { return encoded }
        let encoder = ValueEncoder(self, path, depth: depth, kind: kind, storage: storage)
        guard type is AnyClass else {
            try value.encode(to: encoder)
            return try encoder.complete()
        }
        return try encodeInstance(value, value as AnyObject, with: encoder)
    }

    private func encode<Form: FoundationValue>(
        _ value: some Encodable, as form: Form.Type, _ storage: ValueEncoder.Storage
    ) throws -> EncodedValue? {
        guard let archive = output.archive else { return nil }
        return try (value as? Form ?? CodableConversion.convert(value, to: form)).encoded(in: archive, storage)
    }

    private func encodeInstance(
        _ value: some Encodable, _ object: AnyObject, with encoder: ValueEncoder
    ) throws -> EncodedValue {
        let identity = ObjectIdentifier(object)
        switch instances[identity]?.state {
        case .encoded(let encoded): return encoded
        case .encoding(let outer):
            guard let uid = outer.reserve() else { throw Problem.encodingCycle(at: encoder.path) }
            return .reference(uid)
        case nil: break
        }
        instances[identity] = Instance(object: object, state: .encoding(encoder))
        newInstances.append(identity)
        encoder.markAsInstance(adopting: awaited[identity]?.uid)
        try value.encode(to: encoder)
        let encoded = try encoder.complete()
        instances[identity]?.state = .encoded(encoded)
        return encoded
    }

    /// Returns a reference to an instance. The reference becomes nil unless the instance is also encoded elsewhere.
    func conditionalReference(to object: AnyObject) -> EncodedValue {
        let identity = ObjectIdentifier(object)
        switch instances[identity]?.state {
        case .encoded(let encoded): return encoded
        case .encoding(let outer): return outer.reserve().map { .reference($0) } ?? .null
        case nil: break
        }
        guard let uid = awaited[identity]?.uid ?? output.reserve() else { return .null }
        awaited[identity] = (object, uid)
        return .reference(uid)
    }

    // MARK: Collections

    private func encodeCollection(
        _ value: some Encodable, at path: CodingSteps, depth: Int, _ storage: ValueEncoder.Storage
    ) throws -> EncodedValue? {
        if let dictionary = value as? any EncodableDictionary {
            let pairs = dictionary.encodablePairs
            return try output.pairs({ try encode(pairs, at: path, depth: depth) }, storage)
                ?? encodeNamed(pairs, isNamed: dictionary.keysAreNames, at: path, depth: depth, storage)
        }
        guard let set = value as? any EncodableSet else { return nil }
        let elements = try set.encodableElements.enumerated().map { position, element in
            try encode(
                element, at: path.appending(ArchiveCodingKey(intValue: position)), depth: depth + 1, storage: .boxed)
        }
        return output.elements(elements, isSet: true, as: nil, storage)
    }

    private typealias Pairs = [(key: any Encodable, value: any Encodable)]

    private func encode(_ pairs: Pairs, at path: CodingSteps, depth: Int) throws -> [(
        key: EncodedValue, value: EncodedValue
    )] {
        try pairs.enumerated().map { position, pair in
            let step = ArchiveCodingKey.pair(key: pair.key, at: position)
            return (
                try encode(pair.key, at: path.appending(step), depth: depth + 1, storage: .boxed),
                try encode(pair.value, at: path.appending(step), depth: depth + 1, storage: .boxed)
            )
        }
    }

    /// Encodes a dictionary as Swift encodes it: as named members, or as an array in which keys and values alternate.
    private func encodeNamed(
        _ pairs: Pairs, isNamed: Bool, at path: CodingSteps, depth: Int, _ storage: ValueEncoder.Storage
    ) throws -> EncodedValue {
        guard isNamed else {
            let encodedPairs = try encode(pairs, at: path, depth: depth)
            return output.elements(encodedPairs.flatMap { [$0.key, $0.value] }, isSet: false, as: nil, storage)
        }
        let fields = try pairs.compactMap { pair -> (name: String, encoded: EncodedValue)? in
            guard let name = (pair.key as? any CodingKeyRepresentable)?.codingKey.stringValue else { return nil }
            return (
                name, try encode(pair.value, at: path.appending(ArchiveCodingKey(stringValue: name)), depth: depth + 1)
            )
        }
        return output.fields(fields, of: nil, as: nil, storage)
    }

    // MARK: Types

    private func kind(of type: Any.Type) -> ArchivedRepresentation {
        let identity = ObjectIdentifier(type)
        if let known = kinds[identity] { return known }
        let kind = ArchivedRepresentation(type, names: names)
        kinds[identity] = kind
        return kind
    }

    // MARK: The document

    func finish() throws(Problem) -> EncodedDocument {
        try output.finish(roots, keepingUnreachable: !hasFailed && awaited.isEmpty)
    }
}
