/// A keyword that applies other schemas to a value or to its contents.
protocol Applicator: Sendable {
    /// The nodes of the schemas that the keyword applies.
    var schemas: [Int] { get }
    /// Whether the schemas are applied to the value itself.
    var isInPlace: Bool { get }
    /// Whether the result depends on the other keywords of the schema, so that they are evaluated first.
    var isLast: Bool { get }
    /// Returns the next action of the evaluation; `result` is the result of the application requested last.
    func nextAction(_ frame: inout EvaluationFrame, after result: Bool?, in evaluator: inout Evaluator)
        -> ApplicatorAction
    /// Adds findings about a value that violates the keyword, usually by explaining the schemas in turn.
    func explain(_ failure: Explainer.Failure, in explainer: inout Explainer)
    /// Adds to `walk` the contents that the keyword has evaluated, or the schemas that may have evaluated contents.
    /// Called if the keyword holds.
    func markEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator)
    /// Adds the keyword to the keywords of a quick check. The default marks them as incomplete.
    func add(to keywords: inout QuickKeywords)
}

extension Applicator {
    var isInPlace: Bool { false }
    var isLast: Bool { false }

    func markEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator) {}

    func add(to keywords: inout QuickKeywords) { keywords.isComplete = false }
}

/// The next action of an applicator.
enum ApplicatorAction {
    /// Applies another schema to a value or a name, in the current scope.
    case apply(Int, Subject)
    /// Applies another schema in the given scope.
    case applyInScope(Int, scope: Int, Subject)
    case holds
    case fails

    /// Applies `count` schemas in turn. All of them must hold.
    static func all(
        _ frame: inout EvaluationFrame, after result: Bool?, count: Int,
        _ next: (Int) -> (schema: Int, subject: Subject)
    ) -> ApplicatorAction {
        if result == false { return .fails }
        guard frame.step < count else { return .holds }
        let (schema, subject) = next(frame.step)
        frame.step += 1
        return .apply(schema, subject)
    }
}
