import KeyedArchives
import SaveCodec

/// `required`.
struct Required: Assertion {
    let names: NameTable<Void>

    var keyword: Keyword { .required }

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        guard case .object(let members) = checked.value else { return true }
        guard names.count <= 64 else { return evaluator.missingNames(names, in: members).isEmpty }
        var missing = names.count == 64 ? UInt64.max : 1 << UInt64(names.count) - 1
        for position in 0..<members.count where missing != 0 {
            let key = evaluator.view.key(position, of: members)
            if let found = names.position(evaluator.names.number(key)) { missing &= ~(1 << UInt64(found)) }
        }
        return missing == 0
    }

    func add(to keywords: inout QuickKeywords) { keywords.required += names.names }

    func expectation(in schema: Schema) -> String { "required" }

    func message(for checked: CheckedValue, in explainer: inout Explainer) -> String {
        explainer.missing(names, in: checked.value, adjective: "required ") ?? ""
    }
}

/// `dependentRequired`: members that require others.
struct DependentRequired: Assertion {
    typealias Rule = (name: Int32, required: NameTable<Void>)

    let rules: [Rule]

    var keyword: Keyword { .dependentRequired }

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        unmetRule(for: checked, in: &evaluator) == nil
    }

    func expectation(in schema: Schema) -> String { "required" }

    func message(for checked: CheckedValue, in explainer: inout Explainer) -> String {
        guard let rule = unmetRule(for: checked, in: &explainer.evaluator),
            let missing = explainer.missing(rule.required, in: checked.value)
        else { return "" }
        return "\(missing), but required with \(explainer.quoted(rule.name))"
    }

    /// Returns the first broken rule: its member exists, but a member that it requires is missing. Reads the members
    /// once for all rules.
    private func unmetRule(for checked: CheckedValue, in evaluator: inout Evaluator) -> Rule? {
        guard case .object(let members) = checked.value else { return nil }
        var present: Set<Int32> = []
        for position in 0..<members.count {
            let number = evaluator.names.number(evaluator.view.key(position, of: members))
            if number >= 0 { present.insert(number) }
        }
        guard !present.isEmpty else { return nil }
        return rules.first { present.contains($0.name) && !present.isSuperset(of: $0.required.names) }
    }
}

extension Evaluator {
    /// Returns the names that no member has.
    fileprivate mutating func missingNames(_ table: NameTable<Void>, in members: JSONMembers) -> [Int32] {
        var isThere = [Bool](repeating: false, count: table.count)
        var left = table.count
        for position in 0..<members.count where left > 0 {
            let key = view.key(position, of: members)
            guard let found = table.position(names.number(key)), !isThere[found] else { continue }
            isThere[found] = true
            left -= 1
        }
        return left == 0 ? [] : table.names.indices.filter { !isThere[$0] }.map { table.names[$0] }
    }
}

extension Explainer {
    /// Returns a clause about the missing names, at most five of them: `the members "a" and "b" are missing`.
    fileprivate mutating func missing(
        _ names: NameTable<Void>, in value: JSONValue, adjective: String = ""
    ) -> String? {
        guard case .object(let members) = value else { return nil }
        let missing = evaluator.missingNames(names, in: members)
        var words = missing.prefix(5).map(quoted)
        if missing.count > 5 { words.append(CountText.of(missing.count - 5) + " more") }
        guard !words.isEmpty else { return nil }
        let (noun, verb) = (Phrase.noun("member", for: words.count), Phrase.verb("is", for: words.count))
        return "the \(adjective)\(noun) \(Phrase.series(words)) \(verb) missing"
    }

    fileprivate func quoted(_ name: Int32) -> String {
        Phrase.quoted(schema.names.first { $0.value == name }?.key ?? [])
    }
}

/// `properties`, `patternProperties` and `additionalProperties`. A class, because copies are then cheap.
final class PropertySchemas: Applicator {
    let named: NameTable<Int>
    let patterns: [(pattern: SchemaPattern, schema: Int)]
    /// The schema of members that neither a name nor a pattern matches.
    let additional: Int?

    init(named: NameTable<Int>, patterns: [(pattern: SchemaPattern, schema: Int)], additional: Int?) {
        self.named = named
        self.patterns = patterns
        self.additional = additional
    }

    var schemas: [Int] {
        (0..<named.count).map { named[$0] } + patterns.map(\.schema) + [additional].compactMap(\.self)
    }

    /// Applies to each member the schemas of its name and of the matching patterns, or else the additional schema.
    func nextAction(_ frame: inout EvaluationFrame, after result: Bool?, in evaluator: inout Evaluator)
        -> ApplicatorAction
    {
        if result == false { return .fails }
        guard case .object(let members) = frame.value else { return .holds }
        while frame.step < members.count {
            let member = evaluator.view.member(frame.step, of: members)
            if let schema = nextSchema(of: member.key, &frame, in: &evaluator) { return .apply(schema, member.value) }
            frame.step += 1
            frame.stage = 0
            frame.count = 0
        }
        return .holds
    }

    /// Returns the next schema that applies to a member. In the frame, `stage` counts the rules tried and `count` the
    /// schemas found.
    private func nextSchema(of key: ViewID, _ frame: inout EvaluationFrame, in evaluator: inout Evaluator) -> Int? {
        while frame.stage <= patterns.count + 1 {
            let stage = frame.stage
            frame.stage += 1
            let schema: Int? =
                switch stage {
                case 0: named.count == 0 ? nil : named.meaning(evaluator.names.number(key))
                case patterns.count + 1: frame.count == 0 ? additional : nil
                default: evaluator.matches(key, patterns[stage - 1].pattern) ? patterns[stage - 1].schema : nil
                }
            guard let schema else { continue }
            frame.count += 1
            return schema
        }
        return nil
    }

    func explain(_ failure: Explainer.Failure, in explainer: inout Explainer) {
        guard case .object(let members) = failure.value else { return }
        for position in 0..<members.count {
            let key = explainer.view.key(position, of: members)
            var schemas: [Int] = []
            if let schema = named.meaning(explainer.evaluator.names.number(key)) { schemas.append(schema) }
            for rule in patterns where explainer.evaluator.matches(key, rule.pattern) {
                schemas.append(rule.schema)
            }
            if schemas.isEmpty, let additional {
                explainer.explainLeftOver(
                    additional, member: position, of: members, .additionalProperties, in: failure)
            }
            for schema in schemas { explainer.queueIfFailing(schema, member: position, of: members, in: failure) }
        }
    }

    func add(to keywords: inout QuickKeywords) {
        keywords.members = (0..<named.count).map { (named.names[$0], named[$0]) }
        keywords.additional = additional
        if !patterns.isEmpty { keywords.isComplete = false }
    }

    func markEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator) {
        guard !walk.isItems else { return }
        guard additional == nil else { return walk.markAll() }
        walk.noteMembers(of: evaluator.view) { key in
            named.position(evaluator.names.number(key)) != nil
                || patterns.contains { evaluator.matches(key, $0.pattern) }
        }
    }
}

/// `propertyNames`.
struct PropertyNames: Applicator {
    let schema: Int

    var schemas: [Int] { [schema] }

    func nextAction(_ frame: inout EvaluationFrame, after result: Bool?, in evaluator: inout Evaluator)
        -> ApplicatorAction
    {
        guard case .object(let members) = frame.value else { return .holds }
        let view = evaluator.view
        return .all(&frame, after: result, count: members.count) { (schema, Subject(name: view.key($0, of: members))) }
    }

    func explain(_ failure: Explainer.Failure, in explainer: inout Explainer) {
        guard case .object(let members) = failure.value else { return }
        for position in 0..<members.count {
            let key = explainer.view.key(position, of: members)
            guard !explainer.holds(schema, Subject(name: key), in: failure) else { continue }
            guard explainer.mayList() else { return }
            let path = explainer.path(to: key, position, in: failure)
            let ofName = Explainer.Failure(application: failure.application, path: path, value: failure.value)
            let causes = explainer.alternative(schema, Subject(name: key), in: ofName)
            let shown = Phrase.quoted(explainer.view.name(of: key).units)
            explainer.add(
                "found a member named \(shown), which the schema does not allow", .propertyNames, at: failure,
                path: path, causes: causes)
        }
    }
}

/// `dependentSchemas`.
struct DependentSchemas: Applicator {
    let table: NameTable<Int>

    var schemas: [Int] { (0..<table.count).map { table[$0] } }
    var isInPlace: Bool { true }

    func nextAction(_ frame: inout EvaluationFrame, after result: Bool?, in evaluator: inout Evaluator)
        -> ApplicatorAction
    {
        if result == false { return .fails }
        guard case .object(let members) = frame.value else { return .holds }
        while frame.step < members.count {
            let key = evaluator.view.key(frame.step, of: members)
            frame.step += 1
            if let schema = table.meaning(evaluator.names.number(key)) {
                return .apply(schema, frame.application.subject)
            }
        }
        return .holds
    }

    func explain(_ failure: Explainer.Failure, in explainer: inout Explainer) {
        guard case .object(let members) = failure.value else { return }
        for position in 0..<members.count {
            let key = explainer.view.key(position, of: members)
            if let schema = table.meaning(explainer.evaluator.names.number(key)) {
                explainer.queueIfFailing(schema, in: failure)
            }
        }
    }

    func markEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator) {
        for key in walk.memberKeys(of: evaluator.view) {
            if let schema = table.meaning(evaluator.names.number(key)) { walk.add(.expand(schema, scope: scope)) }
        }
    }
}

extension SchemaCompiler {
    mutating func compileMemberCounts(_ source: UncompiledSchema) throws(Problem) {
        try compileLimits(on: .members, maximum: .maxProperties, minimum: .minProperties, of: source)
        if let names = try strings(.required, source) { add(Required(names: nameTable(names)), to: source.node) }
        if source.values[.dependentRequired] != nil { try compileDependentRequired(source) }
    }

    private mutating func compileDependentRequired(_ source: UncompiledSchema) throws(Problem) {
        let document = documents[source.position.document].document
        let expected = "an object of arrays of different strings"
        guard let value = source.values[.dependentRequired], case .dictionary(let pairs) = document[value] else {
            throw wrongValue(.dependentRequired, source, expected: expected)
        }
        var rules: [DependentRequired.Rule] = []
        for pair in pairs {
            guard let key = document.text(pair.key), let names = strings(pair.value, source) else {
                throw wrongValue(.dependentRequired, source, expected: expected)
            }
            rules.append((name(Array(key)), nameTable(names)))
        }
        add(DependentRequired(rules: rules), to: source.node)
    }

    mutating func compileDependentSchemas(_ source: UncompiledSchema) throws(Problem) {
        if let schemas = try schemaMap(.dependentSchemas, source) {
            let table = NameTable(schemas.map { (name($0.name), $0.schema) })
            add(DependentSchemas(table: table), to: source.node)
        }
        try compileDependencies(source)
    }

    /// Compiles `dependencies` of earlier drafts, which maps a member to required names or to a schema.
    private mutating func compileDependencies(_ source: UncompiledSchema) throws(Problem) {
        let document = documents[source.position.document].document
        guard let value = source.values[.dependencies] else { return }
        guard case .dictionary(let pairs) = document[value] else {
            throw wrongValue(.dependencies, source, expected: "an object whose values are schemas or arrays of strings")
        }
        var rules: [DependentRequired.Rule] = []
        var schemas: [(name: Int32, meaning: Int)] = []
        for pair in pairs {
            guard let key = document.text(pair.key).map({ Array($0) }) else { continue }
            if let names = strings(pair.value, source) {
                rules.append((name(key), nameTable(names)))
            } else {
                let keyword = Array(Keyword.dependencies.rawValue.utf16)
                schemas.append((name(key), child(pair.value, of: source, at: [keyword, key])))
            }
        }
        add(DependentRequired(rules: rules), to: source.node)
        add(DependentSchemas(table: NameTable(schemas)), to: source.node)
    }

    mutating func compileMembers(_ source: UncompiledSchema) throws(Problem) {
        let named = try schemaMap(.properties, source)
        let patterns = try schemaMap(.patternProperties, source)
        let additional = try schema(.additionalProperties, source)
        if named != nil || patterns != nil || additional != nil {
            var rules: [(pattern: SchemaPattern, schema: Int)] = []
            for (text, schema) in patterns ?? [] {
                let address = registry.address(of: source.position, .patternProperties).appending(key: text)
                rules.append((try patternCompiler.compile(text, at: address), schema))
            }
            let table = NameTable((named ?? []).map { (name($0.name), $0.schema) })
            add(PropertySchemas(named: table, patterns: rules, additional: additional), to: source.node)
        }
        try refuseStorageOfNames(source)
        if let schema = try schema(.propertyNames, source) { add(PropertyNames(schema: schema), to: source.node) }
        if let schema = try schema(.unevaluatedProperties, source) {
            add(UnevaluatedContents(schema: schema, isItems: false), to: source.node)
        }
    }
}
