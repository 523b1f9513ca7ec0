import KeyedArchives

/// An evaluator that decides whether values are valid. ``Explainer`` finds the reasons, only for values that are not.
///
/// It keeps a list of frames instead of recursing, so that neither a linked list of 100,000 objects nor any schema
/// overflows the stack. Results that may be needed again are cached: an object that is reached by 2^60 paths is
/// evaluated once.
struct Evaluator {
    let schema: Schema
    let view: ObjectView
    var scopes: DynamicScopes
    var names: NameReader
    var hasher: ValueHasher
    private var results: ResultCache
    var finder: AddressFinder
    var visits = VisitedSubjects()
    var searches: RegexSearches
    private var frames: [EvaluationFrame] = []
    /// The remaining steps: one for each application, one for each comparison, and one for every 16 elements, members
    /// or code units that are read.
    var work: Int
    /// The maximum nesting depth of applications.
    private let depthLimit: Int
    /// The maximum number of cached results.
    private let resultLimit: Int
    /// Whether a pattern took too many steps.
    var hasGivenUp = false

    /// Creates an evaluator.
    ///
    /// - Parameter work: The maximum number of steps, see ``work``.
    init(_ schema: Schema, _ view: ObjectView, work: Int) {
        self.schema = schema
        self.view = view
        self.work = work
        depthLimit = 1_000_000 + 2 * view.count
        resultLimit = 2_000_000 + 8 * view.count
        results = ResultCache(values: view.count)
        scopes = schema.scopes
        names = NameReader(schema.names, view)
        hasher = ValueHasher(view)
        finder = AddressFinder(view)
        searches = RegexSearches(steps: RegexSearches.steps(for: view))
    }

    /// Whether all steps have been used.
    var isExhausted: Bool { work <= 0 }

    /// Returns the application of a schema to a value or a name. The scope of the application is `scope` after entering
    /// the resource of the schema.
    mutating func application(_ schema: Int, _ subject: Subject, in scope: Int) -> SchemaApplication {
        let scope = scopes.entering(self.schema.nodes[schema].resource, from: scope)
        if scopes.areTooMany { work = 0 }
        return SchemaApplication(schema: schema, scope: scope, subject: subject)
    }

    /// Whether the application holds. Returns true if the work runs out.
    mutating func holds(_ application: SchemaApplication) -> Bool {
        let base = frames.count
        var lowest = Int.max
        var result = enter(application, &lowest)
        while frames.count > base {
            guard work > 0 else {
                frames.removeSubrange(base...)
                return true
            }
            result = step(result)
        }
        return result ?? true
    }

    /// Continues the application on top until it has to wait for another one.
    ///
    /// - Parameter result: The result of the application that it waited for.
    /// - Returns: The result of the application on top, or nil if it is not known yet.
    private mutating func step(_ result: Bool?) -> Bool? {
        let top = frames.count - 1
        var frame = frames[top]
        var result = result
        let applicators = schema.nodes[frame.application.schema].applicators
        while frame.applicator < applicators.count {
            switch run(applicators[frame.applicator], in: &frame, after: &result) {
            case .holds: frame.advance()
            case .fails: return leave(holds: false)
            case .waits:
                frames[top] = frame
                return nil
            }
        }
        frames[top].lowest = frame.lowest
        return leave(holds: true)
    }

    private enum Progress {
        case holds
        case fails
        case waits
    }

    /// Continues one applicator for as long as the results that it requests are known immediately.
    private mutating func run(
        _ applicator: any Applicator, in frame: inout EvaluationFrame, after result: inout Bool?
    ) -> Progress {
        while work > 0 {
            let next: SchemaApplication
            let action = applicator.nextAction(&frame, after: result, in: &self)
            result = nil
            switch action {
            case .holds: return .holds
            case .fails: return .fails
            case .apply(let schema, let subject): next = application(schema, subject, in: frame.application.scope)
            case .applyInScope(let schema, let scope, let subject): next = application(schema, subject, in: scope)
            }
            result = enter(next, &frame.lowest)
            guard result != nil else { return .waits }
        }
        return .waits
    }

    /// Begins an application.
    ///
    /// - Parameter lowest: The lowest depth on which the result of the enclosing application depends.
    /// - Returns: The result if it is known immediately, or nil.
    private mutating func enter(_ application: SchemaApplication, _ lowest: inout Int) -> Bool? {
        work -= 1
        let node = application.schema
        if let verdict = schema.nodes[node].verdict { return verdict }
        // Look up the result first: reading the value may take time in proportion to its size, and many references may
        // lead to it.
        let isCached = schema.nodes[node].isShared || view.isLarge(application.subject.id)
        if isCached, let known = known(application, &lowest) { return known }
        let value = view.json(application.subject)
        let checked = CheckedValue(subject: application.subject, value: value)
        let isContainer = value.isContainer
        work -= (schema.nodes[node].assertions.count + schema.nodes[node].applicators.count) * value.cost
        for assertion in schema.nodes[node].assertions where !assertion.holds(for: checked, in: &self) {
            if isCached { results.cache(application, holds: false) }
            return false
        }
        guard isContainer ? !schema.nodes[node].applicators.isEmpty : schema.nodes[node].appliesInPlace else {
            if isCached { results.cache(application, holds: true) }
            return true
        }
        if frames.count >= depthLimit || results.count >= resultLimit { work = 0 }
        if isCached { results.open(application, depth: frames.count) }
        frames.append(EvaluationFrame(application, value, isCached: isCached, mark: results.mark))
        return nil
    }

    private func known(_ application: SchemaApplication, _ lowest: inout Int) -> Bool? {
        switch results[application] {
        case .holds: return true
        case .fails: return false
        case .provisional(let depth), .open(let depth):
            lowest = min(lowest, depth)
            return true
        case nil: return nil
        }
    }

    /// Ends the innermost application, caches its result, and returns `holds`.
    private mutating func leave(holds: Bool) -> Bool? {
        guard let frame = frames.popLast() else { return holds }
        let depth = frames.count
        if frame.isCached {
            results.close(frame.application, holds: holds, lowest: frame.lowest, depth: depth, mark: frame.mark)
        }
        // If the result depends on an outer application, the results of the applications between the two depend on it,
        // too.
        if holds, frame.lowest < depth, depth > 0 {
            frames[depth - 1].lowest = min(frames[depth - 1].lowest, frame.lowest)
        }
        return holds
    }

    /// Returns the answer to a question other than whether a schema holds, and caches it while there is room.
    ///
    /// The question is represented by an application with a negative number in place of a schema.
    mutating func cached(_ question: SchemaApplication, _ answer: (inout Evaluator) -> Bool) -> Bool {
        if let known = results[question] { return known == .holds }
        work -= 1
        let holds = answer(&self)
        if 2 * results.count < resultLimit { results.cache(question, holds: holds) }
        return holds
    }
}

/// The state of an application that is being evaluated.
struct EvaluationFrame {
    let application: SchemaApplication
    /// The value if it is a container; otherwise null.
    let value: JSONValue
    /// Whether the result is cached. Only then can a cycle lead back here.
    let isCached: Bool
    /// The number of provisional results when the application began.
    let mark: Int
    /// The lowest depth of an open application that the result depends on.
    var lowest = Int.max
    /// The index of the current applicator.
    var applicator = 0
    /// The state of the current applicator. Each kind of applicator uses `step`, `stage` and `count` in its own way.
    var step = 0
    var stage = 0
    var count = 0
    /// The search for contents that the other applicators have not evaluated.
    var walk: EvaluatedWalk?

    init(_ application: SchemaApplication, _ value: JSONValue, isCached: Bool, mark: Int) {
        self.application = application
        self.value = value.isContainer ? value : .scalar(.null)
        self.isCached = isCached
        self.mark = mark
    }

    /// Continues with the next applicator.
    mutating func advance() {
        applicator += 1
        step = 0
        stage = 0
        count = 0
        walk = nil
    }
}
