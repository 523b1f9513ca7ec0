/// A keyword that applies other schemas to a value or to its contents.
protocol Applicator: Sendable {
    /// The nodes of the schemas that the keyword applies.
    var schemas: [Int] { get }
    /// Whether the schemas are applied to the value itself.
    var isInPlace: Bool { get }
    /// Whether the result depends on the other keywords of the schema, so that they are evaluated first.
    var isLast: Bool { get }
    /// Returns the next move of the evaluation; `result` is the result of the application requested last.
    func move(_ frame: inout Frame, after result: Bool?, in evaluator: inout Evaluator) -> Move
    /// Adds findings about a value that violates the keyword, usually by explaining the schemas in turn.
    func explain(_ failure: Explanation.Failure, in explanation: inout Explanation)
    /// Adds to `walk` the contents that the keyword has evaluated, or the schemas that may have evaluated contents.
    /// Called if the keyword holds.
    func markEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator)
    /// Adds the keyword to the draft of a quick check. The default marks the draft as incomplete.
    func add(to draft: inout QuickDraft)
}

extension Applicator {
    var isInPlace: Bool { false }
    var isLast: Bool { false }

    func markEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator) {}

    func add(to draft: inout QuickDraft) { draft.isComplete = false }
}

/// The next action of an applicator.
enum Move {
    /// Applies another schema to a value or a name, in the current scope.
    case apply(Int, Subject)
    /// Applies another schema in the given scope.
    case applyInScope(Int, scope: Int, Subject)
    case holds
    case fails

    /// Applies `count` schemas in turn. All of them must hold.
    static func all(
        _ frame: inout Frame, after result: Bool?, count: Int, _ next: (Int) -> (schema: Int, subject: Subject)
    ) -> Move {
        if result == false { return .fails }
        guard frame.step < count else { return .holds }
        let (schema, subject) = next(frame.step)
        frame.step += 1
        return .apply(schema, subject)
    }
}
