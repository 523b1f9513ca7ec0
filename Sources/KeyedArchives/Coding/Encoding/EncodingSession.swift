import SaveCodec

/// An archive that is being encoded: its roots, and the instances and classes that it has so far.
final class EncodingSession {
    let userInfo: [CodingUserInfoKey: any Sendable]
    private let names: [ObjectIdentifier: ArchivedClassName]
    let maxDepth: Int
    private var builder = KeyedArchiveBuilder()
    private var roots: [(key: String, part: Part)] = []
    private var rootKeys: Set<String> = []
    private var classRecords: [ArchivedClassName: UID] = [:]
    private var kinds: [ObjectIdentifier: TypeKind] = [:]
    private var instances: [ObjectIdentifier: Instance] = [:]
    /// The instances that were met first in the root that is being encoded.
    private var newInstances: [ObjectIdentifier] = []
    private var null: UID?
    private var refusal: Problem?
    /// Whether a root has failed, of which objects may be left that nothing refers to.
    private var hasFailed = false

    /// An instance of a class, kept alive so that no other has its identity.
    private struct Instance {
        let object: AnyObject
        var state: State

        enum State {
            case encoding(ValueEncoder)
            case encoded(Part)
        }
    }

    init(
        names: [ObjectIdentifier: ArchivedClassName], maxDepth: Int, userInfo: [CodingUserInfoKey: any Sendable]
    ) {
        self.names = names
        self.maxDepth = maxDepth
        self.userInfo = userInfo
    }

    // MARK: Values

    func encodeRoot(_ value: some Encodable, forKey key: String, style: ValueEncoder.Style) throws {
        guard !rootKeys.contains(key) else {
            throw Problem("encode.root", "there is a root \(Problem.quoted(key)) already", address: .root)
        }
        (newInstances, refusal) = ([], nil)
        do {
            let part = try encode(value, at: ArchivePath.top.appending(.name(key)), depth: 1, style: style)
            if let refusal { throw refusal }
            roots.append((key, part))
            rootKeys.insert(key)
        } catch {
            // They may be incomplete; a root that follows encodes them again.
            for identity in newInstances { instances[identity] = nil }
            hasFailed = true
            throw error
        }
    }

    /// Notes why the root that is being encoded cannot be archived, where Swift's coding has no way to throw it.
    func refuse(_ problem: Problem) {
        refusal = refusal ?? problem
    }

    /// What a value becomes. Recursive as Swift's coding is, so its depth is bounded.
    func encode<Value: Encodable>(
        _ value: Value, at path: ArchivePath, depth: Int, style: ValueEncoder.Style = .plain
    ) throws -> Part {
        if let scalar = value as? any ArchivedScalar { return try part(of: scalar.scalar, at: path, style) }
        guard depth <= maxDepth else { throw Problem.encodingDepth(maxDepth, at: path) }
        if let dictionary = value as? any EncodableDictionary {
            return try encode(dictionary.encodablePairs, at: path, depth: depth, style)
        }
        if let set = value as? any EncodableSet {
            return try encode(elements: set.encodableElements, at: path, depth: depth, style)
        }
        let type = type(of: value as Any)
        let encoder = ValueEncoder(self, path, depth: depth, kind: kind(of: type), style: style)
        guard type is AnyClass else {
            try value.encode(to: encoder)
            return try encoder.complete()
        }
        return try encodeInstance(value, value as AnyObject, with: encoder)
    }

    private func encodeInstance(
        _ value: some Encodable, _ object: AnyObject, with encoder: ValueEncoder
    ) throws -> Part {
        let identity = ObjectIdentifier(object)
        switch instances[identity]?.state {
        case .encoded(let part): return part
        case .encoding(let outer): return .reference(outer.reserve())
        case nil: break
        }
        instances[identity] = Instance(object: object, state: .encoding(encoder))
        newInstances.append(identity)
        try value.encode(to: encoder)
        let part = try encoder.complete()
        instances[identity]?.state = .encoded(part)
        return part
    }

    private func encode(
        _ pairs: [(key: any Encodable, value: any Encodable)], at path: ArchivePath, depth: Int,
        _ style: ValueEncoder.Style
    ) throws -> Part {
        var keys: [UID] = []
        var values: [UID] = []
        for (position, pair) in pairs.enumerated() {
            let step = ArchivePath.Step(key: pair.key, otherwise: position)
            keys.append(object(try encode(pair.key, at: path.appending(.index(position)), depth: depth + 1)))
            values.append(object(try encode(pair.value, at: path.appending(step), depth: depth + 1)))
        }
        return .reference(addDictionary(keys, values, as: reserve(), style: style))
    }

    private func encode(
        elements: [any Encodable], at path: ArchivePath, depth: Int, _ style: ValueEncoder.Style
    ) throws -> Part {
        let objects = try elements.enumerated().map { position, element in
            object(try encode(element, at: path.appending(.index(position)), depth: depth + 1))
        }
        return .reference(addElements(objects, as: reserve(), isSet: true, style))
    }

    private func kind(of type: Any.Type) -> TypeKind {
        let identity = ObjectIdentifier(type)
        if let known = kinds[identity] { return known }
        let kind = TypeKind(type, name: names[identity])
        kinds[identity] = kind
        return kind
    }

    // MARK: Plain values

    private func part(of scalar: Scalar?, at path: ArchivePath, _ style: ValueEncoder.Style) throws -> Part {
        switch scalar {
        case nil:
            throw Problem(
                "encode.range", "the integer is too large for an archive; the largest is 2^127-1", address: path.address
            )
        case .number(let number): return style == .boxed ? .reference(object(number)) : .number(number)
        case .date(let seconds): return .reference(addDate(seconds))
        case .string(let text): return .reference(addString(text, style))
        case .data(let bytes): return .reference(addData(bytes, style))
        }
    }

    func addDate(_ seconds: Double) -> UID {
        addObject("NSDate", field: "NS.time") { $0.add(real64: seconds) }
    }

    func addData(_ bytes: [UInt8], _ style: ValueEncoder.Style) -> UID {
        if style == .mutable { return addObject("NSMutableData", field: "NS.data") { $0.add(data: bytes.span) } }
        return builder.add { $0.add(data: bytes.span) }
    }

    /// The object that is a number.
    func object(_ number: Scalar.Number) -> UID {
        builder.add { $0.add(number) }
    }

    /// The object that an element is: unlike a field it cannot be in place, nor nil.
    func object(_ part: Part) -> UID {
        switch part {
        case .reference(let uid): return uid
        case .number(let number): return object(number)
        case .null:
            let uid = null ?? addFields([], as: reserve(), ArchivedClassName("NSNull"))
            null = uid
            return uid
        }
    }

    // MARK: Objects

    func reserve() -> UID {
        builder.reserve()
    }

    func addFields(_ fields: [(name: String, part: Part)], as uid: UID, _ name: ArchivedClassName) -> UID {
        builder.begin(uid, of: record(name))
        for field in fields {
            builder.contents.add(string: FieldName.stored(field.name))
            add(field.part)
        }
        builder.end()
        return uid
    }

    func addElements(_ elements: [UID], as uid: UID, isSet: Bool, _ style: ValueEncoder.Style) -> UID {
        builder.begin(uid, of: record(ArchivedClassName(style.className(isSet ? "Set" : "Array"))))
        add(elements, under: "NS.objects")
        builder.end()
        return uid
    }

    func addDictionary(_ keys: [UID], _ values: [UID], as uid: UID, style: ValueEncoder.Style) -> UID {
        builder.begin(uid, of: record(ArchivedClassName(style.className("Dictionary"))))
        add(keys, under: "NS.keys")
        add(values, under: "NS.objects")
        builder.end()
        return uid
    }

    /// Adds a string: as it is, unless it is to be mutable, or is the one that alone would be read as nil.
    func addString(_ text: String, _ style: ValueEncoder.Style = .plain) -> UID {
        guard style == .mutable || text == "$null" else { return builder.add(string: text) }
        return addObject("NSMutableString", field: "NS.string") { $0.add(string: text) }
    }

    /// Adds an object of a class of Foundation's that consists of one value in place.
    private func addObject(_ name: String, field: String, _ add: (inout DocumentBuilder) -> Void) -> UID {
        let uid = reserve()
        builder.begin(uid, of: record(ArchivedClassName(name)))
        builder.contents.add(string: field)
        add(&builder.contents)
        builder.end()
        return uid
    }

    private func add(_ part: Part) {
        switch part {
        case .null: builder.refer(to: .null)
        case .reference(let uid): builder.refer(to: uid)
        case .number(let number): builder.contents.add(number)
        }
    }

    private func add(_ references: [UID], under field: String) {
        builder.contents.add(string: field)
        builder.contents.open(.array)
        for uid in references { builder.refer(to: uid) }
        builder.contents.close()
    }

    /// The record of a class. It is added before the object that needs it is begun.
    private func record(_ name: ArchivedClassName) -> UID {
        if let known = classRecords[name] { return known }
        let uid = builder.addClass(name.name, chain: name.chain)
        classRecords[name] = uid
        return uid
    }

    // MARK: The archive

    func finish() throws(Problem) -> Document {
        builder.beginTop()
        for root in roots {
            builder.contents.add(string: FieldName.stored(root.key))
            add(root.part)
        }
        builder.end()
        var finished = KeyedArchiveBuilder()
        swap(&finished, &builder)
        return try finished.finish(keepingUnreachable: !hasFailed)
    }
}

/// What a value becomes as a field.
enum Part {
    /// nil.
    case null
    /// A value in place.
    case number(Scalar.Number)
    /// A reference to an object.
    case reference(UID)
}

extension DocumentBuilder {
    fileprivate mutating func add(_ number: Scalar.Number) {
        switch number {
        case .boolean(let value): add(boolean: value)
        case .integer(let value): add(integer: value)
        case .real32(let value): add(real32: value)
        case .real64(let value): add(real64: value)
        }
    }
}

extension ArchivePath.Step {
    /// The step to the value of a key, where the key can be one.
    fileprivate init(key: any Encodable, otherwise position: Int) {
        switch key {
        case let text as String: self = .name(text)
        case let number as any BinaryInteger: self = .name(number.description)
        default: self = .index(position)
        }
    }
}
