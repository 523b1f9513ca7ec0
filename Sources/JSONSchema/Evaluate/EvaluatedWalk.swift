/// Finds out which contents of a value the other keywords of a schema have evaluated, and applies `unevaluatedItems` or
/// `unevaluatedProperties` to the rest (core specification, section 11).
///
/// Goes through the schemas that were applied to the value in place: those that must hold are looked into, those that
/// may hold are applied again, which the memo answers as a rule.
final class EvaluatedWalk {
    private enum Task {
        /// A schema that holds: its keywords have evaluated something.
        case expand(Int, scope: Int)
        /// A schema that may hold.
        case check(Int, scope: Int)
        /// An `if`, and what depends on it.
        case condition(Int, then: Int?, else: Int?, scope: Int)
        /// `contains`: the elements that match are evaluated. The next of them.
        case matches(Int, scope: Int, next: Int)
    }

    private struct Visit: Hashable {
        let schema: Int
        let scope: Int
    }

    private let application: Application
    private let value: InstanceValue
    private let schema: Int
    private let isItems: Bool
    private var isEvaluated: [Bool]
    private var isAllEvaluated = false
    private var tasks: [Task]
    /// The schemas that were looked into: the first few, and the others.
    private var visits: [Visit] = []
    private var furtherVisits: Set<Visit> = []
    /// The task that waits for an answer.
    private var waiting: Task?
    /// The next of the contents to apply the schema to.
    private var next = 0

    init(_ frame: Frame, _ schema: Int, isItems: Bool) {
        application = frame.application
        value = frame.value
        self.schema = schema
        self.isItems = isItems
        let count =
            switch frame.value {
            case .array(let count), .object(let count): count
            default: 0
            }
        isEvaluated = [Bool](repeating: false, count: count)
        tasks = [.expand(frame.application.schema, scope: frame.application.scope)]
    }

    /// What is applied next.
    func next(_ result: Bool?, _ evaluator: inout Evaluator) -> Move {
        if let waiting, let result {
            self.waiting = nil
            take(result, for: waiting)
        } else if result == false {
            return .fails
        }
        while !isAllEvaluated, let task = tasks.popLast() {
            if let move = begin(task, &evaluator) { return move }
        }
        guard !isAllEvaluated, let position = isEvaluated[next...].firstIndex(of: false) else { return .holds }
        next = position + 1
        return .apply(schema, content(position, evaluator))
    }

    /// Whether it is known what has been evaluated.
    var isComplete: Bool { isAllEvaluated || (tasks.isEmpty && waiting == nil) }

    /// The contents that nothing has evaluated, once that is known.
    var unevaluated: [Int] { isAllEvaluated ? [] : isEvaluated.indices.filter { !isEvaluated[$0] } }

    private func content(_ position: Int, _ evaluator: Evaluator) -> InstanceID {
        switch value {
        case .array: evaluator.instance.element(position, of: application.value)
        case .object: evaluator.instance.member(position, of: application.value).value
        default: application.value
        }
    }

    private func begin(_ task: Task, _ evaluator: inout Evaluator) -> Move? {
        switch task {
        case .expand(let schema, let scope):
            expand(schema, scope, &evaluator)
            return nil
        case .check(let schema, let scope), .condition(let schema, _, _, let scope):
            waiting = task
            return .applyInScope(schema, scope: scope, application.value)
        case .matches(let schema, let scope, let next):
            guard next < isEvaluated.count else { return nil }
            waiting = task
            return .applyInScope(schema, scope: scope, content(next, evaluator))
        }
    }

    private func take(_ result: Bool, for task: Task) {
        switch task {
        case .expand: break
        case .check(let schema, let scope): if result { tasks.append(.expand(schema, scope: scope)) }
        case .condition(let condition, let then, let otherwise, let scope):
            if result { tasks.append(.expand(condition, scope: scope)) }
            if let schema = result ? then : otherwise { tasks.append(.expand(schema, scope: scope)) }
        case .matches(let schema, let scope, let next):
            if result { isEvaluated[next] = true }
            tasks.append(.matches(schema, scope: scope, next: next + 1))
        }
    }

    /// Notes what the keywords of a schema that holds have evaluated.
    private func expand(_ schema: Int, _ outer: Int, _ evaluator: inout Evaluator) {
        let node = evaluator.schema.nodes[schema]
        let scope = evaluator.scopes.entering(node.resource, from: outer)
        guard isNew(Visit(schema: schema, scope: scope)) else { return }
        evaluator.work -= 1 + node.applicators.count * (isEvaluated.count >> 2)
        for applicator in node.applicators { note(applicator, of: schema, scope, &evaluator) }
    }

    private func isNew(_ visit: Visit) -> Bool {
        if visits.contains(visit) { return false }
        guard visits.count >= 16 else {
            visits.append(visit)
            return true
        }
        return furtherVisits.insert(visit).inserted
    }

    private func note(
        _ applicator: Applicator, of schema: Int, _ scope: Int, _ evaluator: inout Evaluator
    ) {
        switch applicator {
        case .ref(let schema): tasks.append(.expand(schema, scope: scope))
        case .dynamicRef(let name, let fallback):
            tasks.append(.expand(evaluator.scopes.schema(name, in: scope) ?? fallback, scope: scope))
        case .allOf(let schemas): for schema in schemas { tasks.append(.expand(schema, scope: scope)) }
        case .anyOf(let schemas), .oneOf(let schemas):
            for schema in schemas { tasks.append(.check(schema, scope: scope)) }
        case .conditional(let condition, let then, let otherwise):
            tasks.append(.condition(condition, then: then, else: otherwise, scope: scope))
        case .dependentSchemas(let table): noteDependent(table, scope, &evaluator)
        case .not, .propertyNames: break
        case .members(let rules): if !isItems { note(rules, &evaluator) }
        case .elements(let prefix, let rest): if isItems { note(prefix: prefix, rest: rest) }
        case .contains(let schema, _, _): if isItems { tasks.append(.matches(schema, scope: scope, next: 0)) }
        case .unevaluatedItems: if isItems, schema != application.schema { isAllEvaluated = true }
        case .unevaluatedProperties: if !isItems, schema != application.schema { isAllEvaluated = true }
        }
    }

    private func note(prefix: [Int], rest: Int?) {
        if rest != nil { isAllEvaluated = true }
        for position in 0..<min(prefix.count, isEvaluated.count) { isEvaluated[position] = true }
    }

    private func note(_ rules: MemberRules, _ evaluator: inout Evaluator) {
        guard rules.additional == nil else {
            isAllEvaluated = true
            return
        }
        for position in isEvaluated.indices where !isEvaluated[position] {
            guard let name = name(position, evaluator) else { continue }
            isEvaluated[position] =
                rules.named.position(evaluator.names.number(name)) != nil
                || rules.patterns.contains { evaluator.matches(name, $0.pattern) }
        }
    }

    private func noteDependent(_ table: NameTable<Int>, _ scope: Int, _ evaluator: inout Evaluator) {
        guard !isItems || value.isObject else { return }
        for position in isEvaluated.indices {
            guard let name = name(position, evaluator),
                let schema = table.meaning(evaluator.names.number(name))
            else { continue }
            tasks.append(.expand(schema, scope: scope))
        }
    }

    private func name(_ position: Int, _ evaluator: Evaluator) -> InstanceID? {
        guard value.isObject else { return nil }
        return evaluator.instance.member(position, of: application.value).name
    }
}

extension InstanceValue {
    /// Whether it has members.
    fileprivate var isObject: Bool {
        if case .object = self { true } else { false }
    }
}
