import SaveCodec

/// The identifiers of schemas: URIs and anchors (core specification, section 8.2).
extension SchemaCompiler {
    private struct Visit {
        let position: SchemaPosition
        let resource: Int
        let parent: SchemaPosition?
        let tokens: [[UInt16]]
    }

    /// Registers a schema and all schemas nested in it, with their identifiers.
    ///
    /// - Parameter resource: The enclosing resource; nil for the root of a document.
    mutating func register(
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
                throw position.document == 0 ? error : error.inDocument(documents[position.document].uri)
            }
            let inner = memberships[position] ?? visit.resource
            var children: [Visit] = []
            for keyword in Keyword.allCases {
                guard let value = members[keyword] else { continue }
                for (object, tokens) in subschemas(keyword, value, in: document) {
                    let child = SchemaPosition(document: position.document, object: object)
                    children.append(Visit(position: child, resource: inner, parent: position, tokens: tokens))
                }
            }
            pending += children.reversed()
        }
    }

    /// Returns the keywords of a schema and their values. The last of several duplicate keys is effective.
    func schemaMembers(of position: SchemaPosition) -> [Keyword: ObjectID] {
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

    /// Returns the schemas in a keyword's value, each with the steps that lead to it.
    func subschemas(_ keyword: Keyword, _ value: ObjectID, in document: Document) -> [(ObjectID, [[UInt16]])] {
        let name = Array(keyword.rawValue.utf16)
        switch (keyword.subschemas, document[value]) {
        case (.one, .dictionary), (.one, .boolean): return [(value, [name])]
        case (.list, .array(let elements)):
            return elements.enumerated().map { ($1, [name, Array(String($0).utf16)]) }
        case (.map, .dictionary(let pairs)):
            return pairs.compactMap { pair in document.text(pair.key).map { (pair.value, [name, Array($0)]) } }
        default: return []
        }
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
struct RelativeSchemaAddress: Sendable {
    /// The enclosing schema; nil if the steps start at the root of the document.
    let parent: SchemaPosition?
    let tokens: [[UInt16]]
}

extension Problem {
    fileprivate static func duplicateIdentifier(_ uri: String, at address: JSONPointer) -> Problem {
        Problem("schema.identifier", "\(Phrase.quoted(uri)) identifies two schemas", address: address)
    }
}
