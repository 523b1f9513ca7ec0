import SaveCodec

/// `contentSchema`: what the save is like that data holds. It demands nothing of strings, as JSON Schema has it.
struct ContentSchema: Applicator {
    let schema: Int

    /// None that is applied to this value or its contents.
    var schemas: [Int] { [] }
    var isInPlace: Bool { true }

    func move(_ frame: inout Frame, after result: Bool?, in evaluator: inout Evaluator) -> Move {
        let id = frame.application.value
        guard evaluator.instance.isData(id) else { return .holds }
        guard let content = evaluator.instance.content(of: id) else { return .fails }
        var inner = Evaluator(evaluator.schema, content, work: evaluator.work)
        let holds = inner.holds(inner.application(schema, content.root, in: 0))
        evaluator.work = inner.work
        return holds ? .holds : .fails
    }

    func explain(_ failure: Explanation.Failure, in explanation: inout Explanation) {
        guard explanation.instance.isData(failure.id) else { return }
        guard let content = explanation.instance.content(of: failure.id) else {
            let found = explanation.phrase(failure.id)
            return explanation.add(
                "found \(found), which holds no property list; expected one", .contentSchema, at: failure)
        }
        var inner = Explanation(
            Evaluator(explanation.schema, content, work: explanation.evaluator.work), limit: explanation.limit)
        let application = inner.evaluator.application(schema, content.root, in: 0)
        guard !inner.evaluator.holds(application) else { return }
        explanation.add(inner.findings(for: application), insideOf: failure)
    }
}

extension Instance {
    /// Whether a value is data.
    fileprivate func isData(_ id: InstanceID) -> Bool {
        if case .string(.data) = value(id) { true } else { false }
    }
}
