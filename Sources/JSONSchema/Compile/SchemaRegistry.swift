import SaveCodec

/// The schemas in the documents of a schema, by their identifiers: URIs and anchors (core specification, section 8.2).
///
/// A document is registered whole when it is added. Each of its schemas then belongs to a resource: the innermost
/// enclosing schema with an `$id`, or the root of the document.
struct SchemaRegistry {
    private let store: SchemaStore
    private(set) var documents: [SchemaDocument] = []
    private var documentPositions: [String: Int] = [:]
    private(set) var resources: [SchemaResource] = []
    private var resourcePositions: [String: Int] = [:]
    /// The resource of each registered schema.
    private var memberships: [SchemaPosition: Int] = [:]
    /// The relative address of each registered schema.
    private var relativeAddresses: [SchemaPosition: RelativeSchemaAddress] = [:]
    /// The dialects of the metaschemas read so far.
    private var dialects: [String: Dialect] = [:]
    /// The members by name of each large object that a reference has passed through.
    private var memberTables: [SchemaPosition: [[UInt16]: ObjectID]] = [:]

    private struct Visit {
        let position: SchemaPosition
        let resource: Int
        let parent: SchemaPosition?
        let tokens: [[UInt16]]
    }

    init(_ store: SchemaStore) {
        self.store = store
    }

    // MARK: Documents

    /// Returns the index of the document with the given URI, or nil if it does not exist. Each document is read only
    /// once.
    private mutating func document(_ uri: String) throws(Problem) -> Int? {
        if let position = documentPositions[uri] { return position }
        guard let document = try store.document(uri) else { return nil }
        return try add(document, uri: uri)
    }

    /// Adds a document, and registers its schemas.
    ///
    /// - Returns: The index of the document.
    mutating func add(_ document: Document, uri: String) throws(Problem) -> Int {
        documents.append(SchemaDocument(uri: uri, document: document))
        let position = documents.count - 1
        documentPositions[uri] = position
        try register(SchemaPosition(document: position, object: document.root), base: uri, in: nil)
        return position
    }

    /// Returns a problem in a document, with the name of the document unless it is the first one.
    func located(_ problem: Problem, in document: Int) -> Problem {
        document == 0 ? problem : problem.inDocument(documents[document].uri)
    }

    // MARK: Resources

    /// Returns the resource of a schema; nil if the schema is not registered.
    func resource(of position: SchemaPosition) -> Int? { memberships[position] }

    /// Registers a schema and all schemas nested in it, with their identifiers.
    ///
    /// - Parameter resource: The enclosing resource; nil for the root of a document.
    private mutating func register(
        _ root: SchemaPosition, base: String, in resource: Int?, tokens: [[UInt16]] = []
    ) throws(Problem) {
        var pending: [Visit] = []
        let start: Int
        if let resource { start = resource } else { start = try addResource(base, root, dialect: nil, at: .root) }
        pending.append(Visit(position: root, resource: start, parent: nil, tokens: tokens))
        while let visit = pending.popLast() {
            let (position, document) = (visit.position, documents[visit.position.document].document)
            guard memberships[position] == nil else { continue }
            relativeAddresses[position] = RelativeSchemaAddress(parent: visit.parent, tokens: visit.tokens)
            let members = schemaMembers(of: position)
            do throws(Problem) {
                memberships[position] = try self.resource(of: position, members, around: visit.resource)
            } catch {
                throw located(error, in: position.document)
            }
            let inner = memberships[position] ?? visit.resource
            var children: [Visit] = []
            for keyword in Keyword.allCases {
                guard let value = members[keyword] else { continue }
                for (object, tokens) in document.subschemas(keyword, value) {
                    let child = SchemaPosition(document: position.document, object: object)
                    children.append(Visit(position: child, resource: inner, parent: position, tokens: tokens))
                }
            }
            pending += children.reversed()
        }
    }

    /// Returns the keywords of a schema and their values. The last of several duplicate keys is effective.
    private func schemaMembers(of position: SchemaPosition) -> [Keyword: ObjectID] {
        let document = documents[position.document].document
        guard case .dictionary(let pairs) = document[position.object] else { return [:] }
        var members: [Keyword: ObjectID] = [:]
        for pair in pairs {
            guard let name = document.text(pair.key), name.count <= 32, let keyword = Keyword(rawValue: name.string)
            else { continue }
            members[keyword] = pair.value
        }
        return members
    }

    /// Returns the resource of a schema, and records the anchors of the schema. An `$id` begins a new resource.
    private mutating func resource(
        of position: SchemaPosition, _ members: [Keyword: ObjectID], around outer: Int
    ) throws(Problem) -> Int {
        var resource = outer
        let isRoot = resources[outer].root == position
        if let id = members[.id] {
            resource = try identifiedResource(id, at: position, members, around: outer)
        } else if isRoot, let dialect = members[.schema] {
            try setDialect(of: outer, to: try dialectNamed(dialect, position))
        }
        for keyword in [Keyword.anchor, .dynamicAnchor] {
            guard let value = members[keyword] else { continue }
            let name = try anchorName(value, keyword, in: position)
            if let other = resources[resource].anchors[name], other != position {
                throw .duplicateIdentifier("#" + name, at: address(of: position))
            }
            resources[resource].anchors[name] = position
            if keyword == .dynamicAnchor { resources[resource].dynamicAnchors[name] = position }
        }
        return resource
    }

    private mutating func identifiedResource(
        _ id: ObjectID, at position: SchemaPosition, _ members: [Keyword: ObjectID], around outer: Int
    ) throws(Problem) -> Int {
        let text = try string(id, .id, in: position)
        // The length is limited because nested identifiers are resolved against this one, and each result may repeat
        // most of its text.
        guard text.utf8.count <= 4096 else {
            throw .keywordValue(
                "\"$id\"", found: "a URI of \(Phrase.count(text.utf8.count, "byte"))", expected: "at most 4,096",
                at: address(of: position, .id))
        }
        let reference = URIReference(text)
        guard reference.fragment?.isEmpty ?? true else {
            throw .keywordValue(
                "\"$id\"", found: Phrase.quoted(text), expected: "a URI without a fragment",
                at: address(of: position, .id))
        }
        let uri = reference.resolved(against: URIReference(resources[outer].uri)).withoutFragment
        let dialect: Dialect? =
            if let name = members[.schema] { try dialectNamed(name, position) } else { resources[outer].dialect }
        if uri == resources[outer].uri, resources[outer].root == position {
            if let dialect { try setDialect(of: outer, to: dialect) }
            return outer
        }
        return try addResource(uri, position, dialect: dialect, at: address(of: position))
    }

    private mutating func addResource(
        _ uri: String, _ position: SchemaPosition, dialect: Dialect?, at address: JSONPointer
    ) throws(Problem) -> Int {
        if let known = resourcePositions[uri] {
            guard resources[known].root == position else { throw .duplicateIdentifier(uri, at: address) }
            return known
        }
        resources.append(SchemaResource(uri: uri, root: position, dialect: dialect ?? .standard))
        resourcePositions[uri] = resources.count - 1
        return resources.count - 1
    }

    private mutating func setDialect(of resource: Int, to dialect: Dialect) throws(Problem) {
        let old = resources[resource]
        resources[resource] = SchemaResource(
            uri: old.uri, root: old.root, dialect: dialect, anchors: old.anchors, dynamicAnchors: old.dynamicAnchors)
    }

    private func anchorName(_ value: ObjectID, _ keyword: Keyword, in position: SchemaPosition) throws(Problem)
        -> String
    {
        let name = try string(value, keyword, in: position)
        let isName = name.utf8.enumerated().allSatisfy { position, byte in
            byte.isLetter || byte == UInt8(ascii: "_") || position > 0 && (byte.isDigit || "-.".utf8.contains(byte))
        }
        guard isName, !name.isEmpty else {
            throw .keywordValue(
                "\"\(keyword.rawValue)\"", found: Phrase.quoted(name),
                expected: "a name of letters, digits, \"-\", \"_\" and \".\" that begins with a letter or \"_\"",
                at: address(of: position, keyword))
        }
        return name
    }

    // MARK: Dialects

    private mutating func dialectNamed(_ value: ObjectID, _ position: SchemaPosition) throws(Problem) -> Dialect {
        let uri = try string(value, .schema, in: position)
        let name = uri.hasSuffix("#") ? String(uri.dropLast()) : uri
        if name == Metaschema.base + "schema" || name.hasPrefix(Metaschema.base + "meta/") { return .standard }
        if let known = dialects[name] { return known }
        guard let metaschema = try store.document(name), case .dictionary(let pairs) = metaschema[metaschema.root]
        else {
            throw Problem(
                "schema.dialect",
                "unknown dialect \(Phrase.quoted(uri)); expected \"\(Metaschema.base)schema\" or a metaschema that can be found",
                address: address(of: position, .schema))
        }
        var dialect = Dialect.standard
        if let value = pairs.value(for: Keyword.vocabulary.rawValue.utf16),
            case .dictionary(let vocabularies) = metaschema[value]
        {
            dialect = try self.dialect(vocabularies, metaschema, at: address(of: position, .schema))
        }
        dialects[name] = dialect
        return dialect
    }

    private func dialect(_ pairs: Pairs, _ metaschema: Document, at address: JSONPointer) throws(Problem) -> Dialect {
        var vocabularies: Set<Vocabulary> = []
        for pair in pairs {
            guard let uri = metaschema.text(pair.key)?.string else { continue }
            if let vocabulary = Vocabulary(rawValue: uri) {
                vocabularies.insert(vocabulary)
            } else if case .boolean(true) = metaschema[pair.value] {
                throw Problem(
                    "schema.vocabulary",
                    "the metaschema requires the unknown vocabulary \(Phrase.quoted(uri))",
                    address: address)
            }
        }
        return Dialect(vocabularies: vocabularies)
    }

    // MARK: References

    /// The target of a reference.
    struct ReferenceTarget {
        let position: SchemaPosition
        let location: SchemaLocation
        /// The anchor in the fragment, if `$dynamicAnchor` defines it.
        let dynamicName: String?
    }

    /// Returns the target of a reference, after reading its document if necessary.
    ///
    /// - Parameters:
    ///   - base: The resource that contains the reference.
    ///   - address: The address of the reference, for errors.
    mutating func target(
        ofReference text: String, in base: Int, at address: JSONPointer
    ) throws(Problem) -> ReferenceTarget {
        let uri = URIReference(text).resolved(against: URIReference(resources[base].uri))
        let resource = try resource(uri.withoutFragment, text, at: address)
        guard let fragment = uri.decodedFragment else {
            throw .unresolvedReference(text, "its fragment is not percent-encoded UTF-8", at: address)
        }
        if fragment.isEmpty || fragment.hasPrefix("/") {
            return try target(fragment, in: resource, text, at: address)
        }
        guard let position = resources[resource].anchors[fragment] else {
            throw .unresolvedReference(
                text, "the schema has no anchor \(Phrase.quoted(fragment))", at: address)
        }
        return ReferenceTarget(
            position: position, location: location(of: position),
            dynamicName: resources[resource].dynamicAnchors[fragment] == nil ? nil : fragment)
    }

    private mutating func resource(_ uri: String, _ text: String, at address: JSONPointer) throws(Problem) -> Int {
        if let known = resourcePositions[uri] { return known }
        guard let document = try document(uri) else {
            throw .unresolvedReference(text, "no document \(Phrase.quoted(uri))", at: address)
        }
        let root = SchemaPosition(document: document, object: documents[document].document.root)
        return resourcePositions[uri] ?? memberships[root] ?? 0
    }

    /// Returns the schema at a JSON Pointer from the root of a resource.
    private mutating func target(
        _ pointer: String, in resource: Int, _ text: String, at address: JSONPointer
    ) throws(Problem) -> ReferenceTarget {
        let root = resources[resource].root
        guard let tokens = JSONPointer(pointer)?.tokens else {
            throw .unresolvedReference(text, "\(Phrase.quoted(pointer)) is not a JSON Pointer", at: address)
        }
        var position = root
        var around = resource
        for (depth, token) in tokens.enumerated() {
            guard let object = step(token, from: position) else {
                let beginning = JSONPointer(tokens: Array(tokens.prefix(depth + 1)))
                throw .unresolvedReference(text, "no value at \(beginning)", at: address)
            }
            position = SchemaPosition(document: position.document, object: object)
            around = memberships[position] ?? around
        }
        let path = self.address(of: root).tokens + tokens
        if memberships[position] == nil {
            // The pointer leads into a keyword that is not known to contain schemas.
            try register(position, base: resources[around].uri, in: around, tokens: path)
        }
        let location = SchemaLocation(document: position.document, parent: nil, tokens: path)
        return ReferenceTarget(position: position, location: location, dynamicName: nil)
    }

    /// Returns the members of an object by name. The table is kept, because thousands of references may lead to
    /// `$defs`.
    private mutating func members(of position: SchemaPosition, _ pairs: Pairs) -> [[UInt16]: ObjectID] {
        if let known = memberTables[position] { return known }
        let document = documents[position.document].document
        let members = document.effective(
            pairs.lazy.compactMap { pair in document.text(pair.key).map { (Array($0), pair.value) } })
        memberTables[position] = members
        return members
    }

    private mutating func step(_ token: [UInt16], from position: SchemaPosition) -> ObjectID? {
        let document = documents[position.document].document
        switch document[position.object] {
        case .dictionary(let pairs):
            guard pairs.count > 16 else { return pairs.value(for: token) }
            return members(of: position, pairs)[token]
        case .array(let elements):
            return AddressToken(token).position(below: elements.count).map { elements[$0] }
        default: return nil
        }
    }

    // MARK: Addresses

    /// Returns the address of a schema, or of one of its keywords, in its document.
    func address(of position: SchemaPosition, _ keyword: Keyword? = nil) -> JSONPointer {
        var parts: [[[UInt16]]] = []
        var next: SchemaPosition? = position
        while let current = next, let relativeAddress = relativeAddresses[current] {
            parts.append(relativeAddress.tokens)
            next = relativeAddress.parent
        }
        var address = JSONPointer(tokens: parts.reversed().flatMap(\.self))
        if let keyword { address.append(key: keyword.rawValue.utf16) }
        return address
    }

    /// Returns the location of a registered schema.
    func location(of position: SchemaPosition) -> SchemaLocation {
        SchemaLocation(document: position.document, parent: nil, tokens: address(of: position).tokens)
    }

    /// Returns a description of a value for a message.
    func phrase(_ position: SchemaPosition) -> String {
        let document = documents[position.document]
        return Phrase.value(Subject(document.id(position.object)), in: document.view)
    }

    /// Returns the text of a keyword's value.
    func string(_ value: ObjectID, _ keyword: Keyword, in position: SchemaPosition) throws(Problem) -> String {
        guard let text = documents[position.document].document.text(value) else {
            throw .keywordValue(
                "\"\(keyword.rawValue)\"", found: phrase(SchemaPosition(document: position.document, object: value)),
                expected: "a string", at: address(of: position, keyword))
        }
        return text.string
    }
}

/// The steps that lead to a schema from the enclosing one.
private struct RelativeSchemaAddress {
    /// The enclosing schema; nil if the steps start at the root of the document.
    let parent: SchemaPosition?
    let tokens: [[UInt16]]
}

extension Document {
    /// Returns the schemas in a keyword's value, each with the steps that lead to it.
    func subschemas(_ keyword: Keyword, _ value: ObjectID) -> [(ObjectID, [[UInt16]])] {
        let name = Array(keyword.rawValue.utf16)
        switch (keyword.subschemas, self[value]) {
        case (.one, .dictionary), (.one, .boolean): return [(value, [name])]
        case (.list, .array(let elements)):
            return elements.enumerated().map { ($1, [name, Array(String($0).utf16)]) }
        case (.map, .dictionary(let pairs)):
            return pairs.compactMap { pair in text(pair.key).map { (pair.value, [name, Array($0)]) } }
        default: return []
        }
    }
}

extension Problem {
    fileprivate static func duplicateIdentifier(_ uri: String, at address: JSONPointer) -> Problem {
        Problem("schema.identifier", "\(Phrase.quoted(uri)) identifies two schemas", address: address)
    }

    fileprivate static func unresolvedReference(_ uri: String, _ reason: String, at address: JSONPointer) -> Problem {
        Problem(
            "schema.reference", "the reference to \(Phrase.quoted(uri)) cannot be resolved: \(reason)", address: address
        )
    }
}
