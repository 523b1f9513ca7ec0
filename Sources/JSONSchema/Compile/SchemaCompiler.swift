import KeyedArchives
import SaveCodec

/// A compiler that turns the documents of a schema into a graph of nodes. It keeps a queue of schemas instead of
/// recursing.
///
///     {"type": "array",                          0  type array, elements ─▶ 1
///      "items": {"$ref": "#/$defs/item"},        1  ref ─▶ 2
///      "$defs": {"item": {"minimum": 1}}}        2  minimum 1
struct SchemaCompiler {
    let assertsFormats: Bool
    var registry: SchemaRegistry

    private(set) var nodes: [SchemaNode] = []
    private var nodePositions: [SchemaPosition: Int] = [:]
    private var queue: [(node: Int, position: SchemaPosition)] = []
    private var names: [[UInt16]: Int32] = [:]
    /// The names of dynamic anchors that `$dynamicRef` refers to, with their numbers.
    var dynamicNames: [String: Int] = [:]
    private(set) var warnings: [Problem] = []
    var hashers: [Int: ValueHasher] = [:]
    var patternCompiler = PatternCompiler()
    /// The number of `x-class` keywords so far.
    var classRuleCount = 0

    private static let warningLimit = 1000

    init(store: SchemaStore, assertsFormats: Bool) {
        registry = SchemaRegistry(store)
        self.assertsFormats = assertsFormats
    }

    var documents: [SchemaDocument] { registry.documents }

    /// Compiles a document and the schemas that it refers to, in this and in other documents.
    mutating func compile(_ document: Document, uri: String) throws(Problem) -> Schema {
        let position = try registry.add(document, uri: uri)
        let rootPosition = SchemaPosition(document: position, object: document.root)
        let root = node(at: rootPosition, SchemaLocation(document: position, parent: nil, tokens: []))
        var next = 0
        var scopes = DynamicScopes(names: [], bindings: [])
        repeat {
            while next < queue.count {
                try compile(queue[next].node, queue[next].position)
                next += 1
            }
            scopes = try dynamicScopes()
        } while next < queue.count
        try checkLoops()
        warnOfStorageOfNames()
        countReferences()
        return Schema(
            root: root, nodes: nodes, documents: documents, names: names, scopes: scopes,
            quick: QuickSchema(nodes, root: root, names: names, documents: documents), warnings: warnings)
    }

    // MARK: Nodes

    /// Returns the node of a schema. For a schema without a node, adds one that is compiled later.
    mutating func node(at position: SchemaPosition, _ location: SchemaLocation) -> Int {
        // The schemas `true` and `false` may be one object at several addresses.
        let isShared = if case .boolean = documents[position.document].document[position.object] { true } else { false }
        if !isShared, let known = nodePositions[position] { return known }
        let node = nodes.count
        nodes.append(SchemaNode(resource: registry.resource(of: position) ?? 0, location: location))
        if !isShared { nodePositions[position] = node }
        queue.append((node, position))
        return node
    }

    private mutating func compile(_ node: Int, _ position: SchemaPosition) throws(Problem) {
        let document = documents[position.document].document
        switch document[position.object] {
        case .boolean(let verdict): nodes[node].verdict = verdict
        case .dictionary(let pairs):
            var source = UncompiledSchema(
                node: node, position: position, dialect: registry.resources[nodes[node].resource].dialect)
            read(pairs, into: &source, document)
            do throws(Problem) {
                try compile(source)
            } catch {
                throw registry.located(error, in: position.document)
            }
        default:
            let problem = Problem(
                "schema.not-a-schema", "found \(registry.phrase(position)); expected a schema, an object or a boolean",
                address: address(of: node))
            throw registry.located(problem, in: position.document)
        }
    }

    /// Separates the keywords of a schema from its other members.
    private mutating func read(_ pairs: Pairs, into source: inout UncompiledSchema, _ document: Document) {
        for pair in pairs {
            guard let name = document.text(pair.key) else { continue }
            if let keyword = Keyword(rawValue: name.string), source.dialect.has(keyword) {
                source.values[keyword] = pair.value
            } else {
                warnOfKeyword(Array(name), at: source.node)
            }
        }
    }

    private mutating func warnOfKeyword(_ name: [UInt16], at node: Int) {
        guard warnings.count < Self.warningLimit else { return }
        let near = Keyword.allCases.first { EditDistance.between($0.rawValue.utf16, name) == 1 }
        let hint = name.count > 2 ? near.map { "; did you mean \"\($0.rawValue)\"?" } : nil
        warn(
            Problem(
                "schema.unknown-keyword", "unknown keyword \(Phrase.quoted(name)) has no effect\(hint ?? "")",
                severity: .warning, address: address(of: node).appending(key: name)),
            in: nodes[node].location.document)
    }

    mutating func warn(_ problem: Problem, in document: Int) {
        guard warnings.count < Self.warningLimit else { return }
        warnings.append(registry.located(problem, in: document))
    }

    mutating func add(_ assertion: any Assertion, to node: Int) {
        nodes[node].assertions.append(assertion)
    }

    mutating func add(_ applicator: any Applicator, to node: Int) {
        nodes[node].applicators.append(applicator)
        if applicator is DynamicRef { nodes[node].hasDynamicReference = true }
    }

    /// Returns the number of a member name. A new name gets the next number.
    mutating func name(_ units: [UInt16]) -> Int32 {
        if let known = names[units] { return known }
        let number = Int32(truncatingIfNeeded: names.count)
        names[units] = number
        return number
    }

    // MARK: Addresses

    /// Returns the address of a node in its document.
    func address(of node: Int) -> JSONPointer {
        SchemaLocation.address(of: node, in: nodes)
    }

    // MARK: The graph

    /// Creates the dynamic scopes. Each resource binds a dynamic name to its own schema with that `$dynamicAnchor`, if
    /// it has one.
    private mutating func dynamicScopes() throws(Problem) -> DynamicScopes {
        guard registry.resources.count * dynamicNames.count <= DynamicScopes.limit else {
            throw Problem(
                "schema.dynamic-names",
                "too many dynamic anchors: \(dynamicNames.count) anchors times \(registry.resources.count) schemas with an identifier "
                    + "exceed \(DynamicScopes.limit)",
                address: .root)
        }
        let names = dynamicNames.sorted { $0.value < $1.value }.map(\.key)
        var bindings: [[Int?]] = []
        for resource in registry.resources {
            var row: [Int?] = []
            for name in names {
                row.append(resource.dynamicAnchors[name].map { node(at: $0, registry.location(of: $0)) })
            }
            bindings.append(row)
        }
        return DynamicScopes(names: names, bindings: bindings)
    }

    private mutating func countReferences() {
        for node in nodes.indices {
            for schema in nodes[node].applicators.flatMap({ $0.schemas }) { nodes[schema].references += 1 }
            // Applicators that depend on the others come last, regardless of the order of the keywords.
            let applicators = nodes[node].applicators
            nodes[node].applicators = applicators.filter { !$0.isLast } + applicators.filter { $0.isLast }
            nodes[node].appliesInPlace = applicators.contains { $0.isInPlace }
        }
    }

    /// Rejects schemas that apply themselves to the same value in an endless loop.
    private func checkLoops() throws(Problem) {
        var states = [UInt8](repeating: 0, count: nodes.count)
        var path: [(node: Int, next: Int)] = []
        let inPlace = nodes.map { $0.applicators.filter { $0.isInPlace }.flatMap { $0.schemas } }
        for start in nodes.indices where states[start] == 0 {
            path.append((start, 0))
            states[start] = 1
            while let (node, next) = path.last {
                guard next < inPlace[node].count else {
                    states[node] = 2
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let schema = inPlace[node][next]
                if states[schema] == 1 { throw loop(at: schema) }
                guard states[schema] == 0 else { continue }
                states[schema] = 1
                path.append((schema, 0))
            }
        }
    }

    private func loop(at node: Int) -> Problem {
        let problem = Problem(
            "schema.reference-loop",
            "the schema refers to itself in an endless loop",
            address: address(of: node))
        return registry.located(problem, in: nodes[node].location.document)
    }
}

/// A schema that is being compiled, with the values of its keywords.
struct UncompiledSchema {
    let node: Int
    let position: SchemaPosition
    let dialect: Dialect
    var values: [Keyword: ObjectID] = [:]
}

extension SchemaLocation {
    /// Returns the address of a node in its document.
    static func address(of node: Int, in nodes: [SchemaNode]) -> JSONPointer {
        var parts: [[[UInt16]]] = []
        var next: Int? = node
        while let position = next {
            parts.append(nodes[position].location.tokens)
            next = nodes[position].location.parent
        }
        return JSONPointer(tokens: parts.reversed().flatMap(\.self))
    }
}

extension Problem {
    /// Returns the problem, with the document added to its message.
    func inDocument(_ uri: String) -> Problem {
        Problem(id, "in \(Phrase.escaped(uri)): \(message)", severity: severity, at: location, address: address)
    }
}

// MARK: The storage of names

/// Checks for `x-stored` in schemas of member names, where it has no effect because names have no storage of their own.
extension SchemaCompiler {
    /// Rejects `x-stored` in the schema of `propertyNames`.
    func refuseStorageOfNames(_ source: UncompiledSchema) throws(Problem) {
        guard let schema = source.values[.propertyNames],
            case .dictionary(let pairs) = documents[source.position.document].document[schema],
            pairs.value(for: Keyword.xStored.rawValue.utf16) != nil
        else { return }
        throw wrongValue(
            .propertyNames, source, expected: "a schema without x-stored, which does not apply to names")
    }

    /// Warns about `x-stored` in schemas that `propertyNames` applies through `$ref`, `allOf` and other keywords. These
    /// schemas may also apply to values, so this is not an error.
    private mutating func warnOfStorageOfNames() {
        var pending = nodes.indices.filter { nodes[$0].assertions.contains { $0 is StorageAssertion } }
        guard !pending.isEmpty else { return }
        var appliedBy = [[Int]](repeating: [], count: nodes.count)
        for node in nodes.indices {
            for applicator in nodes[node].applicators where applicator.isInPlace {
                for schema in applicator.schemas { appliedBy[schema].append(node) }
            }
        }
        var asksForStorage = Set(pending)
        while let node = pending.popLast() {
            for other in appliedBy[node] where asksForStorage.insert(other).inserted { pending.append(other) }
        }
        for node in nodes.indices {
            let ofNames = nodes[node].applicators.lazy.compactMap { $0 as? PropertyNames }
            guard ofNames.contains(where: { asksForStorage.contains($0.schema) }) else { continue }
            let address = address(of: node).appending(key: Keyword.propertyNames.rawValue.utf16)
            warn(
                Problem(
                    "schema.stored-names", "x-stored has no effect here; it does not apply to names",
                    severity: .warning, address: address),
                in: nodes[node].location.document)
        }
    }
}
