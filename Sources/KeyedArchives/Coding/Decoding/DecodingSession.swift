import SaveCodec

/// An archive that is being decoded: the instances made so far, and the references to be filled in last.
final class DecodingSession {
    let userInfo: [CodingUserInfoKey: any Sendable]
    private let source: ArchiveSource
    private let allowedClasses: Set<String>?
    private let types: [String: any Decodable.Type]
    private let maxDepth: Int
    private var instances: [Identity: AnyObject] = [:]
    private var active: Set<Identity> = []
    /// By position of the class.
    private var treatments: [Int: Treatment] = [:]
    private var references: [(value: ArchivedValue, fill: (ValueDecoder) throws -> Void)] = []
    /// How many more values may be made. Objects that share others may stand for any number of copies.
    private var allowance: Int

    /// An object, and the type that it is decoded to.
    private struct Identity: Hashable {
        let id: ViewID
        let type: ObjectIdentifier
    }

    /// What a class comes to.
    private struct Treatment {
        let isAllowed: Bool
        /// The types that are registered for the class and its ancestors, the nearest first.
        let types: [any Decodable.Type]
    }

    init(
        _ archive: KeyedArchive, allowedClasses: Set<String>?, types: [String: any Decodable.Type],
        maxDepth: Int, limits: Limits,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) {
        source = ArchiveSource(archive)
        self.allowedClasses = allowedClasses
        self.types = types
        self.userInfo = userInfo
        self.maxDepth = maxDepth
        let (most, isOver) = archive.document.count.multipliedReportingOverflow(by: limits.expansionFactor)
        allowance = isOver ? .max : max(most, limits.expansionFloor)
    }

    // MARK: Values

    func decodeRoot<Value: Decodable>(_ type: Value.Type, forKey key: String) throws -> Value {
        active = []
        references = []
        let value = try decode(type, try source.root(key), depth: 1)
        while let (value, fill) = references.popLast() { try fill(ValueDecoder(self, value, depth: 0)) }
        return value
    }

    /// Has a reference filled in when all else has been decoded.
    func later(_ value: ArchivedValue, fill: @escaping (ValueDecoder) throws -> Void) {
        references.append((value, fill))
    }

    /// A value of a type. Recursive as Swift's coding is, so its depth is bounded.
    func decode<Value: Decodable>(_ type: Value.Type, _ value: ArchivedValue, depth: Int) throws -> Value {
        do throws(Problem) {
            try charge(1, for: value)
            if let scalar = type as? any ArchivedScalar.Type, let result = try scalar.read(value) as? Value {
                return result
            }
            guard depth <= maxDepth else {
                throw Problem("decode.depth", "values are nested more than \(maxDepth) deep", address: value.address)
            }
            try checkClass(of: value)
        } catch {
            throw error.decodingError(type, value.path.codingPath)
        }
        let decoder = ValueDecoder(self, value, depth: depth)
        if let dictionary = type as? any DecodableDictionary.Type {
            let pairs = try decoder.contents(type) { value throws(Problem) in try value.pairs }
            if let result = try dictionary.decode(pairs, with: decoder) as? Value { return result }
        }
        return try decodeObject(self.type(for: value, type), decoder)
    }

    private func decodeObject<Value: Decodable>(_ type: Value.Type, _ decoder: ValueDecoder) throws -> Value {
        let value = decoder.value
        guard !value.isPlain else { return try type.init(from: decoder) }
        let identity = Identity(id: value.id, type: ObjectIdentifier(type))
        if let instance = instances[identity] as? Value { return instance }
        guard active.insert(identity).inserted else {
            throw Problem(
                "decode.cycle", "the object contains itself; a field that leads back must be a reference",
                address: value.address
            ).decodingError(type, value.path.codingPath)
        }
        defer { active.remove(identity) }
        let result = try type.init(from: decoder)
        if type is AnyClass { instances[identity] = result as AnyObject }
        return result
    }

    /// The type that an object is decoded to where one is asked for: a subclass, if one is registered for its class.
    private func type<Value: Decodable>(for value: ArchivedValue, _ type: Value.Type) -> Value.Type {
        guard !types.isEmpty, type is AnyClass, let treatment = treatment(of: value) else { return type }
        return treatment.types.lazy.compactMap { $0 as? Value.Type }.first ?? type
    }

    // MARK: Checks

    func charge(_ count: Int, for value: ArchivedValue) throws(Problem) {
        guard count <= allowance else {
            throw Problem(
                "decode.expansion", "shared objects would become too many values when they are copied",
                address: value.address)
        }
        allowance -= count
    }

    private func checkClass(of value: ArchivedValue) throws(Problem) {
        guard let allowedClasses, let treatment = treatment(of: value), !treatment.isAllowed else { return }
        let allowed = allowedClasses.sorted().map { Problem.cut($0) }.joined(separator: ", ")
        let found = Problem.cut(value.className ?? "")
        throw Problem(
            "decode.class", "found an object of class \(found); allowed are \(allowed.isEmpty ? "none" : allowed)",
            address: value.address)
    }

    /// What the class of a value comes to, found out once: a chain of ancestors may be as long as the file.
    private func treatment(of value: ArchivedValue) -> Treatment? {
        guard let position = value.classPosition else { return nil }
        if let known = treatments[position] { return known }
        let record = source.archive.classes[position]
        let names = [record.name.string] + record.names
        let isAllowed =
            allowedClasses.map { record.isOfPropertyLists || names.contains(where: $0.contains) } ?? true
        let treatment = Treatment(isAllowed: isAllowed, types: names.compactMap { types[$0] })
        treatments[position] = treatment
        return treatment
    }
}

extension ClassRecord {
    /// Whether the class is one of Foundation's that values of property lists have.
    fileprivate var isOfPropertyLists: Bool {
        switch foundation?.layout {
        case nil, .fields: false
        default: true
        }
    }
}

extension ArchivedValue {
    /// Whether the value contains no others, and so cannot contain itself.
    fileprivate var isPlain: Bool { classPosition == nil }
}
