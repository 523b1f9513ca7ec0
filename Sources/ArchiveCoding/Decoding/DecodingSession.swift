import KeyedArchives
import SaveCodec

/// The settings of a decoder.
struct DecodingRules {
    /// The names of the classes whose objects may be read; nil for all.
    var allowedClasses: Set<String>?
    var checksClasses = true
    /// The registered types, by class name.
    var types: [String: any Decodable.Type] = [:]
    var typeForUnknownClass: ((_ className: String, _ chain: [String]) -> (any Decodable.Type)?)?
    var maxDepth = 128
    var limits = Limits()
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
}

/// The state of decoding an archive or a property list: the instances made so far, and the references to set at the
/// end.
final class DecodingSession {
    let source: ArchivedValueSource
    private let rules: DecodingRules
    private var instances: [Identity: AnyObject] = [:]
    private var active: Set<Identity> = []
    /// The cached facts for decoding the objects of each class, by class position.
    private var rulesByClass: [Int: ClassDecodingRules] = [:]
    private var readings: [ObjectIdentifier: TypeReading] = [:]
    private var references: [(value: ArchivedValue, fill: (ValueDecoder) throws -> Void)] = []
    /// The number of values that may still be made. It limits the number of copies of shared objects.
    private var allowance: Int

    /// Facts for reading the values of a type.
    private struct TypeReading {
        /// The ``FoundationValue`` that reads the type; nil for a type that decodes itself, as every type does in a
        /// property list.
        let valueType: (any FoundationValue.Type)?
        let form: FoundationForm?
    }

    private struct Identity: Hashable {
        let id: ViewID
        let type: ObjectIdentifier
    }

    /// Facts for decoding the objects of a class: whether they may be read, and as which types.
    private struct ClassDecodingRules {
        let isAllowed: Bool
        /// The types registered for the class and its ancestors, starting with the class.
        var types: [any Decodable.Type]
        /// The types that ``checkClass(of:as:)`` has accepted for the class.
        var acceptedTypes: Set<ObjectIdentifier> = []
    }

    init(_ source: ArchivedValueSource, _ rules: DecodingRules = DecodingRules()) {
        self.source = source
        self.rules = rules
        let (most, isOver) = source.view.document.count.multipliedReportingOverflow(by: rules.limits.expansionFactor)
        allowance = isOver ? .max : max(most, rules.limits.expansionFloor)
    }

    var userInfo: [CodingUserInfoKey: any Sendable] { rules.userInfo }

    // MARK: Values

    /// Returns a root, and sets all references in it.
    ///
    /// - Parameter key: The key of a root; nil for the root of a property list.
    func decodeRoot<Value: Decodable>(_ type: Value.Type, forKey key: String?) throws -> Value {
        try decodeAll(type, try key.map { key throws(Problem) in try source.root(key) } ?? source.top)
    }

    /// Returns a value, and sets all references in it.
    func decodeAll<Value: Decodable>(_ type: Value.Type, _ value: ArchivedValue) throws -> Value {
        active = []
        references = []
        let result = try decode(type, value, depth: 1)
        while let (value, fill) = references.popLast() { try fill(ValueDecoder(self, value, depth: 0)) }
        return result
    }

    /// Registers a reference to be set after everything else has been decoded.
    func later(_ value: ArchivedValue, fill: @escaping (ValueDecoder) throws -> Void) {
        references.append((value, fill))
    }

    /// Returns a value of a type. Recursive, as Swift's coding is, so its depth is limited.
    func decode<Value: Decodable>(_ type: Value.Type, _ value: ArchivedValue, depth: Int) throws -> Value {
        let chosen: Value.Type
        let reading: TypeReading
        do {
            try charge(1, for: value)
            if let scalar = type as? any ArchivedScalar.Type, let result = try scalar.read(value) as? Value {
                return result
            }
            guard depth <= rules.maxDepth else {
                throw Problem(
                    "decode.depth", "values are nested more than \(rules.maxDepth) levels deep", address: value.address)
            }
            reading = self.reading(of: type)
            if let read = try reading.valueType?.read(value) {
                try charge(read.size, for: value)
                return try converted(read, to: type, value)
            }
            try checkAllowed(value)
            try reading.form?.check(value)
            chosen = try self.type(for: value, type)
        } catch let error as Problem {
            throw error.decodingError(type, value.codingPath)
        }
        if source.archive != nil, let dictionary = type as? any DecodableDictionary.Type {
            let decoder = ValueDecoder(self, value, depth: depth)
            let pairs = try decoder.contents(type) { value throws(Problem) in try value.pairs }
            if let result = try dictionary.decode(pairs, with: decoder) as? Value { return result }
        }
        return try decodeObject(
            chosen, ValueDecoder(self, value, depth: depth, type: chosen, isDate: reading.form == .date))
    }

    private func converted<Value: Decodable>(
        _ foundationValue: some FoundationValue, to type: Value.Type, _ value: ArchivedValue
    ) throws(Problem) -> Value {
        if let result = foundationValue as? Value { return result }
        do {
            return try CodableConversion.convert(foundationValue, to: type)
        } catch {
            throw Problem("decode.value", Problem(coding: error).message, address: value.address)
        }
    }

    private func decodeObject<Value: Decodable>(_ type: Value.Type, _ decoder: ValueDecoder) throws -> Value {
        let value = decoder.value
        guard !value.isPlain else { return try type.init(from: decoder) }
        let identity = Identity(id: value.id, type: ObjectIdentifier(type))
        // The lookup and the cast are separate, because a missing instance would be cast to an optional type as nil.
        if let instance = instances[identity], let value = instance as? Value { return value }
        guard active.insert(identity).inserted else {
            throw Problem(
                "decode.cycle", "the object contains itself; declare the property that refers back with @Reference",
                address: value.address
            ).decodingError(type, value.codingPath)
        }
        defer { active.remove(identity) }
        let result = try type.init(from: decoder)
        if type is AnyClass { instances[identity] = result as AnyObject }
        return result
    }

    /// Returns the type to decode an object as: a subclass that is registered or supplied for its class, or the
    /// requested type.
    private func type<Value: Decodable>(
        for value: ArchivedValue, _ type: Value.Type
    ) throws(Problem) -> Value.Type {
        guard !rules.types.isEmpty || rules.typeForUnknownClass != nil, type is AnyClass,
            let classRules = try classRules(of: value)
        else { return type }
        return classRules.types.lazy.compactMap { $0 as? Value.Type }.first ?? type
    }

    private func reading(of type: Any.Type) -> TypeReading {
        if let known = readings[ObjectIdentifier(type)] { return known }
        let valueType = source.archive == nil ? nil : FoundationValueTypes.valueType(of: type)
        let reading = TypeReading(valueType: valueType, form: FoundationForm(type))
        readings[ObjectIdentifier(type)] = reading
        return reading
    }

    // MARK: Checks

    func charge(_ count: Int, for value: ArchivedValue) throws(Problem) {
        guard count <= allowance else {
            throw Problem(
                "decode.expansion", "copying the shared objects would make too many values",
                address: value.address)
        }
        allowance -= count
    }

    private func checkAllowed(_ value: ArchivedValue) throws(Problem) {
        guard let allowedClasses = rules.allowedClasses, let classRules = try classRules(of: value),
            !classRules.isAllowed
        else { return }
        let allowed = allowedClasses.sorted().map { Problem.cut($0) }.joined(separator: ", ")
        let found = Problem.cut(value.className ?? "")
        throw Problem(
            "decode.class", "found an object of class \(found); allowed classes: \(allowed.isEmpty ? "none" : allowed)",
            address: value.address)
    }

    /// Throws an error if the class of an object does not match a type.
    ///
    /// A class matches if a name in its chain is registered for the type or is the type's own name, see
    /// ``ClassRecordNames/contains(_:in:)``. Plain values and objects of Foundation's basic classes are not checked.
    func checkClass(of value: ArchivedValue, as type: Any.Type) throws(Problem) {
        guard rules.checksClasses, let position = value.classPosition, let classRules = try classRules(of: value) else {
            return
        }
        let identity = ObjectIdentifier(type)
        guard !classRules.acceptedTypes.contains(identity), let record = value.classRecord, !record.isOfPropertyLists
        else { return }
        try charge(record.nameCount, for: value)
        let expected = ClassRecordNames(of: type).name
        guard
            classRules.types.contains(where: { $0 == type })
                || ClassRecordNames.contains(expected, in: record.allNames)
        else { throw .kind(value, expected: "one of class \(Problem.cut(expected))") }
        rulesByClass[position]?.acceptedTypes.insert(identity)
    }

    /// Returns the facts for decoding a value's class, computed once per class.
    ///
    /// A class chain may be as long as the file, and any number of classes may share one, so each chain counts against
    /// the allowance.
    private func classRules(of value: ArchivedValue) throws(Problem) -> ClassDecodingRules? {
        guard let archive = source.archive, let position = value.classPosition else { return nil }
        if let known = rulesByClass[position] { return known }
        let record = archive.classes[position]
        try charge(record.nameCount, for: value)
        let names = record.allNames
        let isAllowed =
            rules.allowedClasses.map { record.isOfPropertyLists || names.contains(where: $0.contains) } ?? true
        var types = names.compactMap { rules.types[$0] }
        if types.isEmpty, isAllowed, !record.isOfPropertyLists,
            let type = rules.typeForUnknownClass?(record.name.string, record.names)
        {
            types = [type]
        }
        let classRules = ClassDecodingRules(isAllowed: isAllowed, types: types)
        rulesByClass[position] = classRules
        return classRules
    }
}

extension ClassRecord {
    var allNames: [String] { [name.string] + names }
    var nameCount: Int { 1 + (chain?.count ?? 0) }

    fileprivate var isOfPropertyLists: Bool { foundation?.isOfPropertyLists ?? false }
}

extension ArchivedValue {
    /// Whether the value is not an object of a class and therefore cannot contain itself.
    fileprivate var isPlain: Bool { classPosition == nil }
}
