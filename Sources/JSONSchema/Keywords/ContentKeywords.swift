import KeyedArchives
import SaveCodec

/// `contentSchema`: what the save is like that data holds. It demands nothing of strings, as JSON Schema has it.
struct ContentSchema: Applicator {
    let schema: Int

    /// None that is applied to this value or its contents.
    var schemas: [Int] { [] }
    var isInPlace: Bool { true }

    func move(_ frame: inout Frame, after result: Bool?, in evaluator: inout Evaluator) -> Move {
        let subject = frame.application.subject
        guard evaluator.view.isData(subject) else { return .holds }
        guard let content = evaluator.view.content(of: subject.id) else { return .fails }
        var inner = Evaluator(evaluator.schema, content, work: evaluator.work)
        let holds = inner.holds(inner.application(schema, Subject(content.root), in: 0))
        evaluator.work = inner.work
        return holds ? .holds : .fails
    }

    func explain(_ failure: Explanation.Failure, in explanation: inout Explanation) {
        guard explanation.view.isData(failure.subject) else { return }
        guard let content = explanation.view.content(of: failure.subject.id) else {
            let found = explanation.phrase(failure.subject)
            return explanation.add(
                "found \(found), which holds no property list; expected one", .contentSchema, at: failure)
        }
        var inner = Explanation(
            Evaluator(explanation.schema, content, work: explanation.evaluator.work), limit: explanation.limit)
        let application = inner.evaluator.application(schema, Subject(content.root), in: 0)
        guard !inner.evaluator.holds(application) else { return }
        explanation.add(inner.findings(for: application), insideOf: failure)
    }
}

extension ObjectView {
    /// Whether a value is data.
    fileprivate func isData(_ subject: Subject) -> Bool {
        !subject.isName && scalarObject(subject.id)?.kind == .data
    }
}
