import SaveCodec

/// `$ref`.
struct Ref: Applicator {
    let schema: Int

    var schemas: [Int] { [schema] }
    var isInPlace: Bool { true }

    func nextAction(_ frame: inout EvaluationFrame, after result: Bool?, in evaluator: inout Evaluator)
        -> ApplicatorAction
    {
        let subject = frame.application.subject
        return .all(&frame, after: result, count: 1) { _ in (schema, subject) }
    }

    func explain(_ failure: Explainer.Failure, in explainer: inout Explainer) {
        explainer.queueIfFailing(schema, in: failure)
    }

    func markEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator) {
        walk.add(.expand(schema, scope: scope))
    }

    func add(to keywords: inout QuickKeywords) { keywords.inPlace.append(schema) }
}

/// `$dynamicRef`: a reference to the dynamic anchor in the outermost schema resource that defines it, or else to
/// `fallback`.
struct DynamicRef: Applicator {
    let name: Int
    let fallback: Int

    var schemas: [Int] { [fallback] }
    var isInPlace: Bool { true }

    func nextAction(_ frame: inout EvaluationFrame, after result: Bool?, in evaluator: inout Evaluator)
        -> ApplicatorAction
    {
        Ref(schema: schema(in: frame.application.scope, evaluator)).nextAction(&frame, after: result, in: &evaluator)
    }

    func explain(_ failure: Explainer.Failure, in explainer: inout Explainer) {
        explainer.queueIfFailing(schema(in: failure.application.scope, explainer.evaluator), in: failure)
    }

    func markEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator) {
        walk.add(.expand(schema(in: scope, evaluator), scope: scope))
    }

    private func schema(in scope: Int, _ evaluator: Evaluator) -> Int {
        evaluator.scopes.schema(name, in: scope) ?? fallback
    }
}

/// References (core specification, sections 8.2.3 and 9).
extension SchemaCompiler {
    /// The target of a reference.
    private struct ReferenceTarget {
        let position: SchemaPosition
        let location: SchemaLocation
        /// The anchor in the fragment, if `$dynamicAnchor` defines it.
        let dynamicName: String?
    }

    mutating func compileReferences(_ source: UncompiledSchema) throws(Problem) {
        if let value = source.values[.ref] {
            let target = try target(of: value, .ref, source)
            add(Ref(schema: node(at: target.position, target.location)), to: source.node)
        }
        if let value = source.values[.dynamicRef] {
            let target = try target(of: value, .dynamicRef, source)
            let fallback = node(at: target.position, target.location)
            if let name = target.dynamicName {
                add(DynamicRef(name: dynamicName(name), fallback: fallback), to: source.node)
            } else {
                add(Ref(schema: fallback), to: source.node)
            }
        }
    }

    /// Returns the location of a registered schema.
    func location(of position: SchemaPosition) -> SchemaLocation {
        SchemaLocation(document: position.document, parent: nil, tokens: address(of: position).tokens)
    }

    private mutating func dynamicName(_ name: String) -> Int {
        if let known = dynamicNames[name] { return known }
        let number = dynamicNames.count
        dynamicNames[name] = number
        return number
    }

    private mutating func target(
        of value: ObjectID, _ keyword: Keyword, _ source: UncompiledSchema
    ) throws(Problem) -> ReferenceTarget {
        let text = try string(value, keyword, in: source.position)
        let address = address(of: source.position, keyword)
        let base = URIReference(resources[nodes[source.node].resource].uri)
        let uri = URIReference(text).resolved(against: base)
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
}

extension Problem {
    fileprivate static func unresolvedReference(_ uri: String, _ reason: String, at address: JSONPointer) -> Problem {
        Problem(
            "schema.reference", "the reference to \(Phrase.quoted(uri)) cannot be resolved: \(reason)", address: address
        )
    }
}
