import SaveCodec

/// `allOf`.
struct AllOf: Applicator {
    let schemas: [Int]

    var isInPlace: Bool { true }

    func nextAction(_ frame: inout EvaluationFrame, after result: Bool?, in evaluator: inout Evaluator)
        -> ApplicatorAction
    {
        let subject = frame.application.subject
        return .all(&frame, after: result, count: schemas.count) { (schemas[$0], subject) }
    }

    func explain(_ failure: Explainer.Failure, in explainer: inout Explainer) {
        for schema in schemas { explainer.queueIfFailing(schema, in: failure) }
    }

    func markEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator) {
        for schema in schemas { walk.add(.expand(schema, scope: scope)) }
    }

    func add(to keywords: inout QuickKeywords) { keywords.inPlace += schemas }
}

/// `anyOf` and `oneOf`.
struct Alternatives: Applicator {
    let keyword: Keyword
    let schemas: [Int]

    var isInPlace: Bool { true }

    func nextAction(_ frame: inout EvaluationFrame, after result: Bool?, in evaluator: inout Evaluator)
        -> ApplicatorAction
    {
        if result == true { frame.count += 1 }
        if frame.count > 0, keyword == .anyOf { return .holds }
        if frame.count > 1 { return .fails }
        guard frame.step < schemas.count else { return frame.count == 1 ? .holds : .fails }
        frame.step += 1
        return .apply(schemas[frame.step - 1], frame.application.subject)
    }

    func explain(_ failure: Explainer.Failure, in explainer: inout Explainer) {
        let fitting = schemas.indices.filter { explainer.holds(schemas[$0], failure.subject, in: failure) }
        if fitting.isEmpty { return explainNearest(failure, in: &explainer) }
        guard keyword == .oneOf, fitting.count > 1 else { return }
        let numbers = fitting.prefix(10).map { String($0) }.joined(separator: ", ")
        let found = "\(explainer.phrase(failure.subject)) matches \(fitting.count) of \(schemas.count) alternatives"
        explainer.add("\(found) (\(numbers)); expected exactly one", .oneOf, at: failure)
    }

    /// Adds one finding, with the causes of the closest of the first 50 alternatives.
    private func explainNearest(_ failure: Explainer.Failure, in explainer: inout Explainer) {
        var nearest: (position: Int, causes: [SchemaFinding])?
        for (position, schema) in schemas.enumerated().prefix(50) {
            let causes = explainer.alternative(schema, failure.subject, in: failure)
            guard !causes.isEmpty else { continue }
            let known = nearest.map { Self.distance($0.causes) } ?? (Int.max, 0, 0)
            if Self.distance(causes) < known { nearest = (position, causes) }
        }
        let found = explainer.phrase(failure.subject)
        var message = "found \(found), which matches none of \(Phrase.count(schemas.count, "alternative"))"
        if let nearest, schemas.count > 1 { message += "; the closest is alternative \(nearest.position)" }
        explainer.add(message, keyword, at: failure, causes: nearest?.causes ?? [])
    }

    /// Returns the distance of an alternative from matching, for comparison.
    ///
    /// An alternative for another type of value is farthest, followed by one in which a constant differs. Among
    /// alternatives of the same rank, the one with fewer findings is closer, and then the one with deeper findings.
    private static func distance(_ causes: [SchemaFinding]) -> (Int, Int, Int) {
        let kinds: Set<String> = ["schema.type", "schema.x-type", "schema.x-class", "schema.false"]
        let constants: Set<String> = ["schema.const", "schema.enum"]
        let depth = causes.map(\.address.tokens.count).min() ?? 0
        var rank = 0
        for cause in causes {
            if cause.address.tokens.count == depth, kinds.contains(cause.id), cause.causes.isEmpty {
                rank = max(rank, 2)
            }
            if constants.contains(cause.id) { rank = max(rank, 1) }
        }
        return (rank, causes.count, -depth)
    }

    /// Queues the alternatives, which are evaluated again. The cache usually has the results.
    func markEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator) {
        for schema in schemas { walk.add(.check(schema, scope: scope)) }
    }
}

/// `not`.
struct Not: Applicator {
    let schema: Int

    var schemas: [Int] { [schema] }
    var isInPlace: Bool { true }

    func nextAction(_ frame: inout EvaluationFrame, after result: Bool?, in evaluator: inout Evaluator)
        -> ApplicatorAction
    {
        result.map { $0 ? .fails : .holds } ?? .apply(schema, frame.application.subject)
    }

    func explain(_ failure: Explainer.Failure, in explainer: inout Explainer) {
        guard explainer.holds(schema, failure.subject, in: failure) else { return }
        let found = explainer.phrase(failure.subject)
        explainer.add("found \(found); expected a value that the schema under \"not\" rejects", .not, at: failure)
    }
}

/// `if`, `then` and `else`.
struct Conditional: Applicator {
    let condition: Int
    let then: Int?
    let otherwise: Int?

    var schemas: [Int] { [condition] + [then, otherwise].compactMap(\.self) }
    var isInPlace: Bool { true }

    func nextAction(_ frame: inout EvaluationFrame, after result: Bool?, in evaluator: inout Evaluator)
        -> ApplicatorAction
    {
        frame.step += 1
        switch (frame.step, result) {
        case (1, _): return .apply(condition, frame.application.subject)
        case (2, let met?):
            return (met ? then : otherwise).map { .apply($0, frame.application.subject) } ?? .holds
        default: return result == false ? .fails : .holds
        }
    }

    func explain(_ failure: Explainer.Failure, in explainer: inout Explainer) {
        let schema = explainer.holds(condition, failure.subject, in: failure) ? then : otherwise
        if let schema { explainer.queueIfFailing(schema, in: failure) }
    }

    func markEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator) {
        walk.add(.condition(condition, then: then, else: otherwise, scope: scope))
    }
}

extension SchemaCompiler {
    mutating func compileLogic(_ source: UncompiledSchema) throws(Problem) {
        if let schemas = try schemaList(.allOf, source) { add(AllOf(schemas: schemas), to: source.node) }
        for keyword in [Keyword.anyOf, .oneOf] {
            guard let schemas = try schemaList(keyword, source) else { continue }
            add(Alternatives(keyword: keyword, schemas: schemas), to: source.node)
        }
        if let schema = try schema(.not, source) { add(Not(schema: schema), to: source.node) }
        let then = try schema(.then, source)
        let otherwise = try schema(.else, source)
        if let condition = try schema(.if, source) {
            add(Conditional(condition: condition, then: then, otherwise: otherwise), to: source.node)
        }
    }
}
