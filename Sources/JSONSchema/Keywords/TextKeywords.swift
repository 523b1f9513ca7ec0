import KeyedArchives
import SaveCodec

/// `pattern`, and one pattern of `patternProperties`. A class, because a regular expression is much larger than the
/// other assertions.
final class SchemaPattern: Assertion {
    let regex: ECMARegex
    let source: [UInt16]
    /// The number of the pattern among the patterns of the schema, from zero. Tables use it as an index.
    let number: Int

    init(regex: ECMARegex, source: [UInt16], number: Int) {
        self.regex = regex
        self.source = source
        self.number = number
    }

    var keyword: Keyword { .pattern }

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        guard case .scalar(.string(let text)) = checked.value else { return true }
        return evaluator.isMatch(evaluator.searches.search(text, for: self))
    }

    func add(to keywords: inout QuickKeywords) { keywords.patterns.append(self) }

    func expectation(in schema: Schema) -> String { "a string that matches \(Phrase.quoted(source))" }
}

/// `format`.
private struct FormatAssertion: Assertion {
    let format: SchemaFormat

    var keyword: Keyword { .format }

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        guard case .scalar(.string(let text)) = checked.value else { return true }
        return format.allows(text.units)
    }

    func expectation(in schema: Schema) -> String { "the format \(format.rawValue)" }
}

extension SchemaCompiler {
    mutating func compileText(_ source: UncompiledSchema) throws(Problem) {
        try compileLimits(on: .characters, maximum: .maxLength, minimum: .minLength, of: source)
        if let value = source.values[.pattern] {
            guard let text = documents[source.position.document].document.text(value) else {
                throw wrongValue(.pattern, source, expected: "a regular expression")
            }
            add(
                try patternCompiler.compile(Array(text), at: registry.address(of: source.position, .pattern)),
                to: source.node)
        }
        guard let value = source.values[.format] else { return }
        let name = try registry.string(value, .format, in: source.position)
        guard let format = SchemaFormat(rawValue: name) else {
            return warn(
                Problem(
                    "schema.unknown-format", "unknown format \(Phrase.quoted(name)); it is not checked",
                    severity: .warning, address: registry.address(of: source.position, .format)),
                in: source.position.document)
        }
        if assertsFormats || source.dialect.assertsFormats { add(FormatAssertion(format: format), to: source.node) }
    }
}

/// A compiler for the patterns of a schema. It numbers them and limits their size.
struct PatternCompiler {
    /// The maximum of ``size``. Each unit takes about 40 bytes of memory.
    private static let sizeLimit = 1_000_000

    /// The number of patterns so far.
    private var count = 0
    /// The sum of the sizes of the patterns so far.
    private var size = 0

    /// Compiles a regular expression of the schema.
    mutating func compile(_ source: [UInt16], at address: JSONPointer) throws(Problem) -> SchemaPattern {
        let pattern: SchemaPattern
        do throws(RegexSyntaxError) {
            pattern = SchemaPattern(regex: try ECMARegex(source), source: source, number: count)
        } catch {
            throw Problem(
                "schema.pattern", "\(Phrase.quoted(source)) is not a regular expression: \(error.sentence)",
                address: address)
        }
        count += 1
        size += pattern.regex.size
        guard size <= Self.sizeLimit else {
            throw Problem(
                "schema.pattern",
                "the patterns up to this one compile to more than \(Self.sizeLimit) instructions and ranges of "
                    + "characters; use fewer or smaller patterns", address: address)
        }
        return pattern
    }
}

extension Evaluator {
    /// Whether a text matches a pattern. Returns false and sets ``hasGivenUp`` if the search took too many steps.
    fileprivate mutating func isMatch(_ verdict: ECMARegex.Verdict) -> Bool {
        switch verdict {
        case .matched: return true
        case .notMatched: return false
        case .gaveUp:
            hasGivenUp = true
            return false
        }
    }

    /// Whether the name of a key matches a pattern. The result is cached.
    mutating func matches(_ key: ViewID, _ pattern: SchemaPattern) -> Bool {
        cached(SchemaApplication(schema: -1 - pattern.number, scope: 0, subject: Subject(name: key))) { evaluator in
            evaluator.isMatch(evaluator.searches.search(nameOf: key, in: evaluator.view, for: pattern))
        }
    }
}

// MARK: Contents of strings

/// `contentSchema`: the schema of the save nested in a data value. As in the standard, it does not constrain strings.
struct ContentSchema: Applicator {
    let schema: Int

    /// Empty, because the schema applies neither to this value nor to its contents.
    var schemas: [Int] { [] }
    var isInPlace: Bool { true }

    func nextAction(_ frame: inout EvaluationFrame, after result: Bool?, in evaluator: inout Evaluator)
        -> ApplicatorAction
    {
        let subject = frame.application.subject
        guard evaluator.view.isData(subject) else { return .holds }
        guard let content = evaluator.view.content(of: subject.id) else { return .fails }
        var inner = Evaluator(evaluator.schema, content, work: evaluator.work)
        let holds = inner.holds(inner.application(schema, Subject(content.root), in: 0))
        evaluator.work = inner.work
        return holds ? .holds : .fails
    }

    func explain(_ failure: Explainer.Failure, in explainer: inout Explainer) {
        guard explainer.view.isData(failure.subject) else { return }
        guard let content = explainer.view.content(of: failure.subject.id) else {
            let found = explainer.phrase(failure.subject)
            return explainer.add(
                "found \(found); expected a nested property list", .contentSchema, at: failure)
        }
        var inner = Explainer(
            Evaluator(explainer.schema, content, work: explainer.evaluator.work), limit: explainer.limit)
        let application = inner.evaluator.application(schema, Subject(content.root), in: 0)
        guard !inner.evaluator.holds(application) else { return }
        explainer.add(inner.findings(for: application), insideOf: failure)
    }
}

extension ObjectView {
    fileprivate func isData(_ subject: Subject) -> Bool {
        !subject.isName && scalarObject(subject.id)?.kind == .data
    }
}
