import KeyedArchives
import SaveCodec

/// `unevaluatedItems` and `unevaluatedProperties`.
struct UnevaluatedContents: Applicator {
    let schema: Int
    let isItems: Bool

    var schemas: [Int] { [schema] }
    var isLast: Bool { true }

    func nextAction(_ frame: inout EvaluationFrame, after result: Bool?, in evaluator: inout Evaluator)
        -> ApplicatorAction
    {
        switch (frame.value, isItems) {
        case (.array, true), (.object, false): break
        default: return .holds
        }
        let walk = frame.walk ?? EvaluatedWalk(frame, schema, isItems: isItems)
        frame.walk = walk
        return walk.next(result, &evaluator)
    }

    func explain(_ failure: Explainer.Failure, in explainer: inout Explainer) {
        switch (failure.value, isItems) {
        case (.array(let contents), true): explainElements(contents, failure, in: &explainer)
        case (.object(let members), false):
            for position in unevaluated(failure, in: &explainer) {
                explainer.explainLeftOver(schema, member: position, of: members, .unevaluatedProperties, in: failure)
            }
        default: break
        }
    }

    private func explainElements(
        _ contents: ViewContents, _ failure: Explainer.Failure, in explainer: inout Explainer
    ) {
        for position in unevaluated(failure, in: &explainer) {
            guard explainer.schema.nodes[schema].verdict == false else {
                explainer.queueIfFailing(schema, element: position, of: contents, in: failure)
                continue
            }
            guard explainer.mayList() else { return }
            let message = "found the element \(position), which the schema does not allow"
            let path = explainer.path(to: nil, position, in: failure)
            explainer.add(message, .unevaluatedItems, at: failure, path: path)
        }
    }

    /// Returns the positions of the contents that no other keyword has evaluated.
    private func unevaluated(_ failure: Explainer.Failure, in explainer: inout Explainer) -> [Int] {
        let frame = EvaluationFrame(failure.application, failure.value, isCached: false, mark: 0)
        let walk = EvaluatedWalk(frame, schema, isItems: isItems)
        var result: Bool?
        while !walk.isComplete, !explainer.evaluator.isExhausted {
            guard case .applyInScope(let schema, let scope, let subject) = walk.next(result, &explainer.evaluator)
            else { break }
            let application = explainer.evaluator.application(schema, subject, in: scope)
            result = explainer.evaluator.holds(application)
        }
        return walk.unevaluated
    }

    /// Marks all contents as evaluated, unless this is the keyword that the walk is for.
    func markEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator) {
        if walk.isItems == isItems, walk.isWithinOther { walk.markAll() }
    }
}

extension Explainer {
    /// Explains a member to which only `additionalProperties` or `unevaluatedProperties` applies.
    ///
    /// If the schema is `false`, the finding names the member.
    mutating func explainLeftOver(
        _ schema: Int, member position: Int, of members: JSONMembers, _ keyword: Keyword, in failure: Failure
    ) {
        guard self.schema.nodes[schema].verdict == false else {
            return queueIfFailing(schema, member: position, of: members, in: failure)
        }
        guard mayList() else { return }
        let key = view.key(position, of: members)
        let message = "found the member \(Phrase.quoted(view.name(of: key).units))"
        add(
            "\(message), which the schema does not allow", keyword, at: failure,
            path: path(to: key, position, in: failure))
    }
}

/// A walk that finds the contents of a value that other keywords have evaluated, and applies `unevaluatedItems` or
/// `unevaluatedProperties` to the rest (core specification, section 11).
///
/// It visits the schemas that were applied to the value in place. A schema that must hold is expanded directly: the
/// contents that its keywords have evaluated are recorded. A schema that may hold is evaluated again first; the cache
/// usually has the result.
final class EvaluatedWalk {
    enum Task {
        /// Records the contents that the keywords of a schema have evaluated. The schema is known to hold.
        case expand(Int, scope: Int)
        /// Checks whether a schema holds, and expands it if it does.
        case check(Int, scope: Int)
        /// Checks an `if`. Expands it and `then` if it holds, and `else` otherwise.
        case condition(Int, then: Int?, else: Int?, scope: Int)
        /// Checks the elements from `next` on against the schema of `contains`. Records the matching elements as
        /// evaluated.
        case matches(Int, scope: Int, next: Int)
    }

    private struct Visit: Hashable {
        let schema: Int
        let scope: Int
    }

    private let application: SchemaApplication
    private let value: JSONValue
    private let schema: Int
    let isItems: Bool
    /// Whether the walk is expanding a schema other than its own.
    private(set) var isWithinOther = false
    private var isEvaluated: [Bool]
    private var isAllEvaluated = false
    private var tasks: [Task]
    /// The schemas that were expanded. The first 16 are in an array, the others in a set.
    private var visits: [Visit] = []
    private var furtherVisits: Set<Visit> = []
    /// The task that waits for a result.
    private var waiting: Task?
    /// The position at which the search for the next unevaluated content begins.
    private var next = 0

    init(_ frame: EvaluationFrame, _ schema: Int, isItems: Bool) {
        application = frame.application
        value = frame.value
        self.schema = schema
        self.isItems = isItems
        let count =
            switch frame.value {
            case .array(let contents): contents.count
            case .object(let members): members.count
            default: 0
            }
        isEvaluated = [Bool](repeating: false, count: count)
        tasks = [.expand(frame.application.schema, scope: frame.application.scope)]
    }

    /// Returns the next action; `result` is the result of the application requested last.
    func next(_ result: Bool?, _ evaluator: inout Evaluator) -> ApplicatorAction {
        if let waiting, let result {
            self.waiting = nil
            take(result, for: waiting)
        } else if result == false {
            return .fails
        }
        while !isAllEvaluated, let task = tasks.popLast() {
            if let action = begin(task, &evaluator) { return action }
        }
        guard !isAllEvaluated, let position = isEvaluated[next...].firstIndex(of: false) else { return .holds }
        next = position + 1
        return .apply(schema, content(position, evaluator))
    }

    /// Whether all evaluated contents are known.
    var isComplete: Bool { isAllEvaluated || (tasks.isEmpty && waiting == nil) }

    /// The positions of the contents that no keyword has evaluated, once ``isComplete`` is true.
    var unevaluated: [Int] { isAllEvaluated ? [] : isEvaluated.indices.filter { !isEvaluated[$0] } }

    private func content(_ position: Int, _ evaluator: Evaluator) -> Subject {
        switch value {
        case .array(let contents): Subject(evaluator.view.element(position, of: contents))
        case .object(let members): evaluator.view.member(position, of: members).value
        default: application.subject
        }
    }

    private func begin(_ task: Task, _ evaluator: inout Evaluator) -> ApplicatorAction? {
        switch task {
        case .expand(let schema, let scope):
            expand(schema, in: scope, &evaluator)
            return nil
        case .check(let schema, let scope), .condition(let schema, _, _, let scope):
            waiting = task
            return .applyInScope(schema, scope: scope, application.subject)
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

    /// Records the contents that the keywords of a schema have evaluated. The schema is known to hold, or the result
    /// matters only if it holds.
    private func expand(_ schema: Int, in outer: Int, _ evaluator: inout Evaluator) {
        let node = evaluator.schema.nodes[schema]
        let scope = evaluator.scopes.entering(node.resource, from: outer)
        guard isNew(Visit(schema: schema, scope: scope)) else { return }
        evaluator.work -= 1 + node.applicators.count * (isEvaluated.count >> 2)
        isWithinOther = schema != application.schema
        for applicator in node.applicators { applicator.markEvaluated(in: self, scope: scope, &evaluator) }
    }

    private func isNew(_ visit: Visit) -> Bool {
        if visits.contains(visit) { return false }
        guard visits.count >= 16 else {
            visits.append(visit)
            return true
        }
        return furtherVisits.insert(visit).inserted
    }

    // MARK: Called by applicators

    func add(_ task: Task) {
        tasks.append(task)
    }

    /// Marks all contents as evaluated.
    func markAll() {
        isAllEvaluated = true
    }

    /// Marks contents as evaluated. Positions beyond the contents are ignored.
    func mark(_ positions: Range<Int>) {
        for position in positions.clamped(to: isEvaluated.indices) { isEvaluated[position] = true }
    }

    /// Marks the members whose keys satisfy a condition.
    func noteMembers(of view: ObjectView, where isEvaluatedKey: (ViewID) -> Bool) {
        guard case .object(let members) = value else { return }
        for position in isEvaluated.indices where !isEvaluated[position] {
            isEvaluated[position] = isEvaluatedKey(view.key(position, of: members))
        }
    }

    /// Returns the keys of the members; empty for an array.
    func memberKeys(of view: ObjectView) -> [ViewID] {
        guard case .object(let members) = value else { return [] }
        return isEvaluated.indices.map { view.key($0, of: members) }
    }
}
