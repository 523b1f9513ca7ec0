/// A keyword whose demand on a value other schemas make: of the value itself, or of its contents.
protocol Applicator: Sendable {
    /// The schemas that are applied.
    var schemas: [Int] { get }
    /// Whether they are applied to the value itself.
    var isInPlace: Bool { get }
    /// Whether the outcome depends on the other keywords of the schema.
    var isLast: Bool { get }
    /// What is done next; `result` is the answer of the application that was asked for last.
    func move(_ frame: inout Frame, after result: Bool?, in evaluator: inout Evaluator) -> Move
    /// Says why a value is not as it should be: as a rule because of the schemas, which are explained in turn.
    func explain(_ failure: Explanation.Failure, in explanation: inout Explanation)
    /// Notes which contents of a value have been evaluated where the applicator holds.
    func noteEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator)
    /// Adds the demand to a draft, if a quick check can make it; by default it cannot.
    func add(to draft: inout QuickDraft)
}

extension Applicator {
    var isInPlace: Bool { false }
    var isLast: Bool { false }

    func noteEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator) {}

    func add(to draft: inout QuickDraft) { draft.isComplete = false }
}

/// What an applicator does next.
enum Move {
    /// Another schema is applied to a value or a name.
    case apply(Int, Subject)
    /// Another schema is applied in a scope of its own.
    case applyInScope(Int, scope: Int, Subject)
    case holds
    case fails

    /// Applications that all must hold, one after the other.
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
