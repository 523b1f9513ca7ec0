import KeyedArchives

/// Tells whether values are as schemas demand: yes or no, nothing else. What is wrong is found out by ``Explanation``,
/// for the values that fail only.
///
/// A list of frames instead of recursion, so that neither a list of a hundred thousand objects nor any schema overflows
/// the stack. Answers that may be asked for again are kept: an object that is reached by 2^60 paths is looked at once.
struct Evaluator {
    let schema: Schema
    let view: ObjectView
    var scopes: DynamicScopes
    var names: NameReader
    var hasher: ValueHasher
    private var memo: Memo
    var finder: AddressFinder
    var visits = VisitMarks()
    var searches: RegexSearches
    private var frames: [Frame] = []
    /// How much work is left: applications, comparisons, and sixteenths of the contents and texts that are looked through.
    var work: Int
    /// How many applications may be within each other.
    private let depthLimit: Int
    /// How many answers may be kept.
    private let memoLimit: Int
    /// Whether a pattern took too many steps.
    var hasGivenUp = false

    /// - Parameter work: how many applications and comparisons are made at most.
    init(_ schema: Schema, _ view: ObjectView, work: Int) {
        self.schema = schema
        self.view = view
        self.work = work
        depthLimit = 1_000_000 + 2 * view.count
        memoLimit = 2_000_000 + 8 * view.count
        memo = Memo(values: view.count)
        scopes = schema.scopes
        names = NameReader(schema.names, view)
        hasher = ValueHasher(view)
        finder = AddressFinder(view)
        searches = RegexSearches(steps: RegexSearches.steps(for: view))
    }

    /// Whether all work has been done that may be.
    var isExhausted: Bool { work <= 0 }

    /// The application of a schema to a value or a name within a scope.
    mutating func application(_ schema: Int, _ subject: Subject, in scope: Int) -> Application {
        let scope = scopes.entering(self.schema.nodes[schema].resource, from: scope)
        if scopes.areTooMany { work = 0 }
        return Application(schema: schema, scope: scope, subject: subject)
    }

    /// Whether a value is as a schema demands. Without work left, it is.
    mutating func holds(_ application: Application) -> Bool {
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

    /// Goes on with the application on top, up to one that it has to wait for. `result` is the answer of the one that it
    /// waited for.
    ///
    /// Returns the answer of what was on top if that is known now.
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

    /// Goes on with one applicator, as long as the answers that it asks for can be told at once.
    private mutating func run(
        _ applicator: any Applicator, in frame: inout Frame, after result: inout Bool?
    ) -> Progress {
        while work > 0 {
            let next: Application
            let move = applicator.move(&frame, after: result, in: &self)
            result = nil
            switch move {
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

    /// Begins an application; returns its answer if that can be told at once. `lowest` is the least depth that the
    /// answers of the one around rest on.
    private mutating func enter(_ application: Application, _ lowest: inout Int) -> Bool? {
        work -= 1
        let node = application.schema
        if let verdict = schema.nodes[node].verdict { return verdict }
        // Before the value is looked at, which may take as long as it is large: many references may lead to it.
        let isNoted = schema.nodes[node].isShared || view.isLarge(application.subject.id)
        if isNoted, let known = known(application, &lowest) { return known }
        let value = view.json(application.subject)
        let checked = CheckedValue(subject: application.subject, value: value)
        let isContainer = value.isContainer
        work -= (schema.nodes[node].assertions.count + schema.nodes[node].applicators.count) * value.cost
        for assertion in schema.nodes[node].assertions where !assertion.holds(for: checked, in: &self) {
            if isNoted { memo.note(application, holds: false) }
            return false
        }
        guard isContainer ? !schema.nodes[node].applicators.isEmpty : schema.nodes[node].appliesInPlace else {
            if isNoted { memo.note(application, holds: true) }
            return true
        }
        if frames.count >= depthLimit || memo.count >= memoLimit { work = 0 }
        if isNoted { memo.open(application, depth: frames.count) }
        frames.append(Frame(application, value, isNoted: isNoted, mark: memo.mark))
        return nil
    }

    private func known(_ application: Application, _ lowest: inout Int) -> Bool? {
        switch memo[application] {
        case .holds: return true
        case .fails: return false
        case .provisional(let depth), .open(let depth):
            lowest = min(lowest, depth)
            return true
        case nil: return nil
        }
    }

    /// Ends the application on top.
    private mutating func leave(holds: Bool) -> Bool? {
        guard let frame = frames.popLast() else { return holds }
        let depth = frames.count
        if frame.isNoted {
            memo.close(frame.application, holds: holds, lowest: frame.lowest, depth: depth, mark: frame.mark)
        }
        // An answer that rests on something below makes those around rest on it too.
        if holds, frame.lowest < depth, depth > 0 {
            frames[depth - 1].lowest = min(frames[depth - 1].lowest, frame.lowest)
        }
        return holds
    }
}

extension Evaluator {
    /// The answer to a question that is no application of a schema; asked once, as long as there is room for answers.
    /// A number below zero stands for the schema.
    mutating func noted(_ question: Application, _ answer: (inout Evaluator) -> Bool) -> Bool {
        if let known = memo[question] { return known == .holds }
        work -= 1
        let holds = answer(&self)
        if 2 * memo.count < memoLimit { memo.note(question, holds: holds) }
        return holds
    }
}

/// An application that is being worked out: how far it is.
struct Frame {
    let application: Application
    /// The value if others are in it, else null.
    let value: JSONValue
    /// Whether the answer is noted, and so whether a cycle could lead back here.
    let isNoted: Bool
    /// How many provisional answers there were before.
    let mark: Int
    /// The least depth of an open application that the answer rests on.
    var lowest = Int.max
    /// The applicator that is at work.
    var applicator = 0
    /// How far it is, and what it has counted.
    var step = 0
    var stage = 0
    var count = 0
    /// What the other applicators left over, while that is found out.
    var walk: EvaluatedWalk?

    init(_ application: Application, _ value: JSONValue, isNoted: Bool, mark: Int) {
        self.application = application
        self.value = value.isContainer ? value : .scalar(.null)
        self.isNoted = isNoted
        self.mark = mark
    }

    /// Goes on to the next applicator.
    mutating func advance() {
        applicator += 1
        step = 0
        stage = 0
        count = 0
        walk = nil
    }
}
