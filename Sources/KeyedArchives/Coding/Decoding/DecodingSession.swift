import SaveCodec

/// What a decoder does, beyond the types that are asked for.
struct DecodingRules {
    /// The classes whose objects are read; nil for all.
    var allowedClasses: Set<String>?
    /// Whether the class of an object must be that of the type.
    var checksClasses = true
    /// The types that were registered, by the names of their classes.
    var types: [String: any Decodable.Type] = [:]
    var typeForUnknownClass: ((_ className: String, _ chain: [String]) -> (any Decodable.Type)?)?
    var maxDepth = 128
    var limits = Limits()
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
}

/// An archive or a property list that is being decoded: the instances made so far, and the references to be filled in
/// last.
final class DecodingSession {
    let source: ArchiveSource
    private let rules: DecodingRules
    private var instances: [Identity: AnyObject] = [:]
    private var active: Set<Identity> = []
    /// By position of the class.
    private var treatments: [Int: Treatment] = [:]
    /// Foundation's forms of types; nil for those that have none.
    private var forms: [ObjectIdentifier: (any FoundationForm.Type)?] = [:]
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
        var types: [any Decodable.Type]
        /// The types as which its objects are known to be read.
        var acceptedTypes: Set<ObjectIdentifier> = []
    }

    init(_ source: ArchiveSource, _ rules: DecodingRules = DecodingRules()) {
        self.source = source
        self.rules = rules
        let (most, isOver) = source.view.document.count.multipliedReportingOverflow(by: rules.limits.expansionFactor)
        allowance = isOver ? .max : max(most, rules.limits.expansionFloor)
    }

    var userInfo: [CodingUserInfoKey: any Sendable] { rules.userInfo }

    // MARK: Values

    /// - Parameter key: the name of a root; nil for what a property list is.
    func decodeRoot<Value: Decodable>(_ type: Value.Type, forKey key: String?) throws -> Value {
        try decodeAll(type, try key.map { key throws(Problem) in try source.root(key) } ?? source.top)
    }

    /// A value, and all that its references lead to.
    func decodeAll<Value: Decodable>(_ type: Value.Type, _ value: ArchivedValue) throws -> Value {
        active = []
        references = []
        let result = try decode(type, value, depth: 1)
        while let (value, fill) = references.popLast() { try fill(ValueDecoder(self, value, depth: 0)) }
        return result
    }

    /// Has a reference filled in when all else has been decoded.
    func later(_ value: ArchivedValue, fill: @escaping (ValueDecoder) throws -> Void) {
        references.append((value, fill))
    }

    /// A value of a type. Recursive as Swift's coding is, so its depth is bounded.
    func decode<Value: Decodable>(_ type: Value.Type, _ value: ArchivedValue, depth: Int) throws -> Value {
        let chosen: Value.Type
        do {
            try charge(1, for: value)
            if let scalar = type as? any ArchivedScalar.Type, let result = try scalar.read(value) as? Value {
                return result
            }
            guard depth <= rules.maxDepth else {
                throw Problem(
                    "decode.depth", "values are nested more than \(rules.maxDepth) deep", address: value.address)
            }
            if let form = form(of: type), let read = try form.read(value) {
                try charge(read.size, for: value)
                return try converted(read, to: type, value)
            }
            try checkAllowed(value)
            chosen = try self.type(for: value, type)
        } catch let error as Problem {
            throw error.decodingError(type, value.codingPath)
        }
        if source.archive != nil, let dictionary = type as? any DecodableDictionary.Type {
            let decoder = ValueDecoder(self, value, depth: depth)
            let pairs = try decoder.contents(type) { value throws(Problem) in try value.pairs }
            if let result = try dictionary.decode(pairs, with: decoder) as? Value { return result }
        }
        return try decodeObject(chosen, ValueDecoder(self, value, depth: depth, type: chosen))
    }

    private func converted<Value: Decodable>(
        _ form: some FoundationForm, to type: Value.Type, _ value: ArchivedValue
    ) throws(Problem) -> Value {
        if let result = form as? Value { return result }
        do {
            return try PlainTransfer.convert(form, to: type)
        } catch {
            throw Problem("decode.value", Problem(coding: error).message, address: value.address)
        }
    }

    private func decodeObject<Value: Decodable>(_ type: Value.Type, _ decoder: ValueDecoder) throws -> Value {
        let value = decoder.value
        guard !value.isPlain else { return try type.init(from: decoder) }
        let identity = Identity(id: value.id, type: ObjectIdentifier(type))
        // In two steps: what is not there would be an optional type's nil.
        if let instance = instances[identity], let value = instance as? Value { return value }
        guard active.insert(identity).inserted else {
            throw Problem(
                "decode.cycle", "the object contains itself; a field that leads back must be a reference",
                address: value.address
            ).decodingError(type, value.codingPath)
        }
        defer { active.remove(identity) }
        let result = try type.init(from: decoder)
        if type is AnyClass { instances[identity] = result as AnyObject }
        return result
    }

    /// The type that an object is decoded to where one is asked for: a subclass, if one is registered for its class, or
    /// what the program knows of a class that is not registered.
    private func type<Value: Decodable>(
        for value: ArchivedValue, _ type: Value.Type
    ) throws(Problem) -> Value.Type {
        guard !rules.types.isEmpty || rules.typeForUnknownClass != nil, type is AnyClass,
            let treatment = try treatment(of: value)
        else { return type }
        return treatment.types.lazy.compactMap { $0 as? Value.Type }.first ?? type
    }

    /// Foundation's form of a type; nil in a property list, where every value is what it encodes.
    private func form(of type: Any.Type) -> (any FoundationForm.Type)? {
        guard source.archive != nil else { return nil }
        if let known = forms[ObjectIdentifier(type)] { return known }
        let form = FoundationForms.form(of: type)
        forms[ObjectIdentifier(type)] = .some(form)
        return form
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

    private func checkAllowed(_ value: ArchivedValue) throws(Problem) {
        guard let allowedClasses = rules.allowedClasses, let treatment = try treatment(of: value), !treatment.isAllowed
        else { return }
        let allowed = allowedClasses.sorted().map { Problem.cut($0) }.joined(separator: ", ")
        let found = Problem.cut(value.className ?? "")
        throw Problem(
            "decode.class", "found an object of class \(found); allowed are \(allowed.isEmpty ? "none" : allowed)",
            address: value.address)
    }

    /// Whether an object is of the class that the type stands for: one of the names in its chain is registered for the
    /// type or is its own, but for modules. Collections and plain values have no such class.
    func checkClass(of value: ArchivedValue, as type: Any.Type) throws(Problem) {
        guard rules.checksClasses, let position = value.classPosition, let treatment = try treatment(of: value) else {
            return
        }
        let identity = ObjectIdentifier(type)
        guard !treatment.acceptedTypes.contains(identity), let record = value.classRecord, !record.isOfPropertyLists
        else { return }
        try charge(record.nameCount, for: value)
        let expected = ArchivedClassName(of: type).name
        let name = Self.withoutModule(expected)
        guard
            treatment.types.contains(where: { $0 == type })
                || record.allNames.contains(where: { $0 == name || $0.hasSuffix("." + name) })
        else { throw .kind(value, expected: "one of class \(Problem.cut(expected))") }
        treatments[position]?.acceptedTypes.insert(identity)
    }

    /// `Player` for `Game.Player`.
    private static func withoutModule(_ name: String) -> String {
        guard !name.contains("<"), let dot = name.lastIndex(of: ".") else { return name }
        return String(name[name.index(after: dot)...])
    }

    /// What the class of a value comes to, found out once: a chain of ancestors may be as long as the file. Any number of
    /// classes may share one, so it counts against what a decoder may make.
    private func treatment(of value: ArchivedValue) throws(Problem) -> Treatment? {
        guard let archive = source.archive, let position = value.classPosition else { return nil }
        if let known = treatments[position] { return known }
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
        let treatment = Treatment(isAllowed: isAllowed, types: types)
        treatments[position] = treatment
        return treatment
    }
}

extension ClassRecord {
    /// The name of the class and those in its chain.
    fileprivate var allNames: [String] { [name.string] + names }
    fileprivate var nameCount: Int { 1 + (chain?.count ?? 0) }

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
