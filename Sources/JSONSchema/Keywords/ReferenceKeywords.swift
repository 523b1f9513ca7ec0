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

    private mutating func target(
        of value: ObjectID, _ keyword: Keyword, _ source: UncompiledSchema
    ) throws(Problem) -> SchemaRegistry.ReferenceTarget {
        try registry.target(
            ofReference: registry.string(value, keyword, in: source.position), in: nodes[source.node].resource,
            at: registry.address(of: source.position, keyword))
    }

    private mutating func dynamicName(_ name: String) -> Int {
        if let known = dynamicNames[name] { return known }
        let number = dynamicNames.count
        dynamicNames[name] = number
        return number
    }
}
