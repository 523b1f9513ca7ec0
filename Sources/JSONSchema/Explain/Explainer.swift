import KeyedArchives
import SaveCodec

/// A search for the reasons why a value is invalid, after the ``Evaluator`` has found that it is.
///
/// It follows failing applications only, with a list instead of recursion. Each application is explained once, where it
/// is reached first.
struct Explainer {
    /// An application that fails. The path to its subject is given by the index in ``steps`` of the last step; -1 at
    /// the root.
    struct Failure {
        let application: SchemaApplication
        let path: Int
        let value: JSONValue

        var subject: Subject { application.subject }
    }

    /// A step from a value to one of its contents.
    private struct Step {
        let previous: Int
        let key: ViewID?
        let index: Int
    }

    var evaluator: Evaluator
    /// The maximum number of findings.
    let limit: Int
    /// The number of applications that may still be explained, including those in alternatives.
    private var budget: Int
    /// The nesting depth of the current alternative.
    private var nesting = 0
    private var steps: [Step] = []
    private var pending: [Failure] = []
    private var explained: Set<SchemaApplication> = []
    private var found: [SchemaFinding] = []
    /// The total number of code units that the addresses of further findings may take.
    private var addressRoom = 4_000_000
    /// Whether some findings are not listed.
    private var hasUnlisted = false

    static let maxNesting = 3

    init(_ evaluator: Evaluator, limit: Int) {
        self.evaluator = evaluator
        self.limit = max(limit, 1)
        budget = 100 * self.limit + 10_000
    }

    var view: ObjectView { evaluator.view }
    var schema: Schema { evaluator.schema }

    /// Returns the reasons why an application fails.
    mutating func findings(for application: SchemaApplication) -> [SchemaFinding] {
        let findings = explain(failure(of: application, at: -1), limit: limit)
        if !findings.isEmpty { return findings }
        return [finding("schema.invalid", "the value does not match the schema", at: -1, node: application.schema)]
    }

    // MARK: The list

    /// Returns the findings of an application, up to a limit.
    mutating func explain(_ failure: Failure, limit: Int) -> [SchemaFinding] {
        let (outerPending, outerFound, outerExplained) = (pending, found, explained)
        (pending, found) = ([failure], [])
        if nesting > 0 { explained = [] }
        while let next = pending.popLast(), found.count < limit, budget > 0, !evaluator.isExhausted {
            guard explained.insert(next.application).inserted else { continue }
            budget -= 1
            // The list is a stack; reverse the new failures, so that the first is explained first.
            let start = pending.count
            explain(next)
            pending[start...].reverse()
        }
        var result = found
        if nesting == 0, hasUnlisted || result.count >= limit && !pending.isEmpty || result.count > limit {
            result = Array(result.prefix(limit))
            result.append(more(than: result.count))
        }
        (pending, found) = (outerPending, outerFound)
        if nesting > 0 { explained = outerExplained }
        return result
    }

    /// Returns the findings of an alternative, or none if alternatives are too deeply nested.
    mutating func alternative(_ schema: Int, _ subject: Subject, in failure: Failure) -> [SchemaFinding] {
        guard nesting < Self.maxNesting, budget > 0 else { return [] }
        nesting += 1
        defer { nesting -= 1 }
        let application = application(schema, subject, in: failure)
        return explain(self.failure(of: application, at: failure.path), limit: 8)
    }

    private mutating func explain(_ failure: Failure) {
        let node = schema.nodes[failure.application.schema]
        if node.verdict == false { return addForbidden(failure) }
        evaluator.work -= (node.assertions.count + node.applicators.count) * failure.value.cost
        let checked = CheckedValue(subject: failure.subject, value: failure.value)
        for assertion in node.assertions where !assertion.holds(for: checked, in: &evaluator) {
            add(assertion.message(for: checked, in: &self), assertion.keyword, at: failure)
        }
        for applicator in node.applicators { applicator.explain(failure, in: &self) }
    }

    // MARK: Failures

    private func failure(of application: SchemaApplication, at path: Int) -> Failure {
        Failure(application: application, path: path, value: view.json(application.subject))
    }

    /// Returns the application of a schema in the scope of the failure.
    private mutating func application(_ schema: Int, _ subject: Subject, in failure: Failure) -> SchemaApplication {
        evaluator.application(schema, subject, in: failure.application.scope)
    }

    /// Whether a schema holds for a value in the scope of the failure.
    mutating func holds(_ schema: Int, _ subject: Subject, in failure: Failure) -> Bool {
        evaluator.holds(application(schema, subject, in: failure))
    }

    /// Queues a schema for explanation if it fails for the same value.
    mutating func queueIfFailing(_ schema: Int, in failure: Failure) {
        let application = application(schema, failure.subject, in: failure)
        if !evaluator.holds(application) { pending.append(self.failure(of: application, at: failure.path)) }
    }

    /// Queues a schema for explanation if it fails for an element.
    mutating func queueIfFailing(_ schema: Int, element position: Int, of contents: ViewContents, in failure: Failure) {
        queueIfFailing(schema, Subject(view.element(position, of: contents)), key: nil, index: position, in: failure)
    }

    /// Queues a schema for explanation if it fails for a member.
    mutating func queueIfFailing(_ schema: Int, member position: Int, of members: JSONMembers, in failure: Failure) {
        let member = view.member(position, of: members)
        queueIfFailing(schema, member.value, key: member.key, index: position, in: failure)
    }

    private mutating func queueIfFailing(
        _ schema: Int, _ subject: Subject, key: ViewID?, index: Int, in failure: Failure
    ) {
        // Do not queue more failures than can be listed.
        guard pending.count < 2 * limit else { return }
        let application = application(schema, subject, in: failure)
        guard !evaluator.holds(application) else { return }
        pending.append(self.failure(of: application, at: path(to: key, index, in: failure)))
    }

    /// Adds a step to a member or an element, and returns the path that ends with it.
    mutating func path(to key: ViewID?, _ index: Int, in failure: Failure) -> Int {
        steps.append(Step(previous: failure.path, key: key, index: index))
        return steps.count - 1
    }

    // MARK: Findings

    /// Whether another finding may be listed. Callers ask before they prepare one. If the answer is false, the list is
    /// recorded as incomplete.
    mutating func mayList() -> Bool {
        let mayList = found.count < limit && budget > 0
        if !mayList, nesting == 0 { hasUnlisted = true }
        return mayList
    }

    /// Adds a finding about a keyword.
    ///
    /// - Parameter path: The path to the member or element that the finding is about; nil for the value itself.
    mutating func add(
        _ message: String, _ keyword: Keyword, at failure: Failure, path: Int? = nil, causes: [SchemaFinding] = []
    ) {
        guard mayList() else { return }
        var finding = finding(
            "schema.\(keyword.rawValue)", message, at: path ?? failure.path, node: failure.application.schema,
            keyword: keyword)
        finding.causes = causes
        add(finding)
    }

    /// Adds the findings of the save nested in a value.
    mutating func add(_ findings: [SchemaFinding], insideOf failure: Failure) {
        let address = address(failure.path)
        for finding in findings {
            var outer = SchemaFinding(
                id: finding.id, address: address.appending(nested: finding.address), demand: finding.demand,
                message: finding.message, severity: finding.severity)
            outer.causes = finding.causes
            add(outer)
        }
    }

    private mutating func add(_ finding: SchemaFinding) {
        addressRoom -= finding.address.tokens.reduce(0) { $0 + 1 + $1.count }
        if addressRoom < 0 { budget = 0 }
        found.append(finding)
    }

    /// Creates a finding about a keyword, or about the schema as a whole if `keyword` is nil.
    private func finding(
        _ id: String, _ message: String, at path: Int, node: Int, keyword: Keyword? = nil
    ) -> SchemaFinding {
        var address = SchemaLocation.address(of: node, in: schema.nodes)
        if let keyword { address.append(key: keyword.rawValue.utf16) }
        let document = schema.nodes[node].location.document
        return SchemaFinding(
            id: id, address: self.address(path),
            demand: SchemaFinding.KeywordLocation(
                address: address, uri: document == 0 ? nil : schema.documents[document].uri),
            message: message)
    }

    private mutating func addForbidden(_ failure: Failure) {
        let message = "found \(phrase(failure.subject)); the schema allows no value here"
        add(finding("schema.false", message, at: failure.path, node: failure.application.schema))
    }

    private func more(than limit: Int) -> SchemaFinding {
        let listed = "\(CountText.of(limit)) \(Phrase.verb("is", for: limit)) listed"
        return SchemaFinding(id: "schema.more", address: .root, message: "further findings are omitted; " + listed)
    }

    /// Returns a description of a value for a message.
    func phrase(_ subject: Subject) -> String {
        Phrase.value(subject, in: view)
    }

    /// Returns the address of the value at the end of a path.
    private func address(_ path: Int) -> JSONPointer {
        var tokens: [[UInt16]] = []
        var next = path
        while next >= 0 {
            let step = steps[next]
            tokens.append(step.key.map { view.name(of: $0).units } ?? Array(String(step.index).utf16))
            next = step.previous
        }
        return JSONPointer(tokens: tokens.reversed())
    }
}
