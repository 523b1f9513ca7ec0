import SaveCodec

/// Why applicators fail: as a rule because of the schemas that they apply, which are explained in turn.
extension Explanation {
    mutating func explain(_ applicator: Applicator, _ value: InstanceValue, _ failure: Failure) {
        switch applicator {
        case .ref(let schema): follow(schema, in: failure)
        case .dynamicRef(let name, let fallback):
            follow(evaluator.scopes.schema(name, in: failure.application.scope) ?? fallback, in: failure)
        case .allOf(let schemas): for schema in schemas { follow(schema, in: failure) }
        case .anyOf(let schemas): explainAny(schemas, failure)
        case .oneOf(let schemas): explainOne(schemas, failure)
        case .not(let schema):
            guard holds(schema, in: failure) else { return }
            add("found \(phrase(failure)); expected a value that the schema under \"not\" refuses", .not, failure)
        case .conditional(let condition, let then, let otherwise):
            if let schema = holds(condition, in: failure) ? then : otherwise { follow(schema, in: failure) }
        case .dependentSchemas(let table): explainDependent(table, value, failure)
        case .members(let rules): explainMembers(rules, value, failure)
        case .propertyNames(let schema): explainNames(schema, value, failure)
        case .elements(let prefix, let rest): explainElements(prefix, rest, value, failure)
        case .contains(let schema, let least, let most): explainContains(schema, least, most, value, failure)
        case .unevaluatedItems(let schema): explainUnevaluated(schema, value, failure, isItems: true)
        case .unevaluatedProperties(let schema): explainUnevaluated(schema, value, failure, isItems: false)
        }
    }

    private mutating func add(
        _ message: String, _ keyword: Keyword, _ failure: Failure, at path: Int? = nil, causes: [SchemaFinding] = []
    ) {
        add(
            finding(
                "schema.\(keyword.rawValue)", message, at: path ?? failure.path, failure.application.schema, keyword,
                causes: causes))
    }

    // MARK: Alternatives

    private mutating func explainAny(_ schemas: [Int], _ failure: Failure) {
        guard !schemas.contains(where: { holds($0, in: failure) }) else { return }
        addNearest(schemas, .anyOf, failure)
    }

    private mutating func explainOne(_ schemas: [Int], _ failure: Failure) {
        let fitting = schemas.indices.filter { holds(schemas[$0], in: failure) }
        switch fitting.count {
        case 0: addNearest(schemas, .oneOf, failure)
        case 1: break
        default:
            let numbers = fitting.prefix(10).map { String($0) }.joined(separator: ", ")
            add(
                "\(phrase(failure)) fits \(fitting.count) of \(schemas.count) alternatives (\(numbers)); expected one",
                .oneOf, failure)
        }
    }

    /// Tells of the alternative that comes nearest only.
    private mutating func addNearest(_ schemas: [Int], _ keyword: Keyword, _ failure: Failure) {
        var nearest: (position: Int, causes: [SchemaFinding])?
        for (position, schema) in schemas.enumerated().prefix(50) {
            let application = application(schema, failure.application.value, in: failure)
            let causes = alternative(Failure(application: application, path: failure.path))
            guard !causes.isEmpty else { continue }
            let known = nearest.map { distance($0.causes, failure) } ?? (Int.max, 0, 0)
            if distance(causes, failure) < known { nearest = (position, causes) }
        }
        var message = "found \(phrase(failure)), which fits none of \(Phrase.count(schemas.count, "alternative"))"
        if let nearest, schemas.count > 1 { message += "; the nearest is alternative \(nearest.position)" }
        add(message, keyword, failure, causes: nearest?.causes ?? [])
    }

    /// How far an alternative is from fitting: one for another kind of value, told by its type or a constant that
    /// members have, farther than one of this kind; then the one with fewer findings is nearer, and deeper ones.
    private func distance(_ causes: [SchemaFinding], _ failure: Failure) -> (Int, Int, Int) {
        let kinds: Set<String> = ["schema.type", "schema.x-type", "schema.x-class", "schema.false"]
        let constants: Set<String> = ["schema.const", "schema.enum"]
        let depth = causes.map(\.address.tokens.count).min() ?? 0
        var rank = 0
        for cause in causes {
            if cause.address.tokens.count == depth, kinds.contains(cause.id), cause.causes.isEmpty {
                rank = max(rank, 2)
            }
            if constants.contains(cause.id) { rank = max(rank, 1) }
        }
        return (rank, causes.count, -depth)
    }

    // MARK: Members

    private mutating func explainDependent(_ table: NameTable<Int>, _ value: InstanceValue, _ failure: Failure) {
        guard case .object(let count) = value else { return }
        for position in 0..<count {
            let name = instance.member(position, of: failure.application.value).name
            if let schema = table.meaning(evaluator.names.number(name)) { follow(schema, in: failure) }
        }
    }

    private mutating func explainMembers(_ rules: MemberRules, _ value: InstanceValue, _ failure: Failure) {
        guard case .object(let count) = value else { return }
        for position in 0..<count {
            let member = instance.member(position, of: failure.application.value)
            var schemas: [Int] = []
            if let schema = rules.named.meaning(evaluator.names.number(member.name)) { schemas.append(schema) }
            for rule in rules.patterns where evaluator.matches(member.name, rule.pattern) {
                schemas.append(rule.schema)
            }
            if schemas.isEmpty, let additional = rules.additional {
                explainLeftOver(additional, member, position, .additionalProperties, failure)
            }
            for schema in schemas { follow(schema, member.value, name: member.name, index: position, in: failure) }
        }
    }

    /// A member that no other rule is for; where there may be none, the name tells.
    private mutating func explainLeftOver(
        _ schema: Int, _ member: InstanceMember, _ position: Int, _ keyword: Keyword,
        _ failure: Failure
    ) {
        guard self.schema.nodes[schema].verdict == false else {
            return follow(schema, member.value, name: member.name, index: position, in: failure)
        }
        let name = Phrase.quoted(instance.units(ofName: member.name))
        let path = path(to: member.name, position, in: failure)
        add("found the member \(name); expected none but those that the schema names", keyword, failure, at: path)
    }

    private mutating func explainNames(_ schema: Int, _ value: InstanceValue, _ failure: Failure) {
        guard case .object(let count) = value else { return }
        for position in 0..<count {
            let name = instance.member(position, of: failure.application.value).name
            let application = application(schema, name, in: failure)
            guard !evaluator.holds(application) else { continue }
            let causes = alternative(Failure(application: application, path: failure.path))
            let shown = Phrase.quoted(instance.units(ofName: name))
            add("found a member with the name \(shown), which no name may be", .propertyNames, failure, causes: causes)
        }
    }

    // MARK: Elements

    private mutating func explainElements(_ prefix: [Int], _ rest: Int?, _ value: InstanceValue, _ failure: Failure) {
        guard case .array(let count) = value else { return }
        for position in 0..<count {
            guard let schema = position < prefix.count ? prefix[position] : rest else { return }
            if position >= prefix.count, self.schema.nodes[schema].verdict == false {
                let most = Phrase.count(prefix.count, "element")
                return add("found \(phrase(failure)); expected at most \(most)", .items, failure)
            }
            let element = instance.element(position, of: failure.application.value)
            follow(schema, element, name: nil, index: position, in: failure)
        }
    }

    private mutating func explainContains(
        _ schema: Int, _ least: Int, _ most: Int?, _ value: InstanceValue, _ failure: Failure
    ) {
        guard case .array(let count) = value else { return }
        var matchCount = 0
        for position in 0..<count {
            let application = application(
                schema, instance.element(position, of: failure.application.value), in: failure)
            if evaluator.holds(application) { matchCount += 1 }
        }
        let found = "found \(Phrase.count(matchCount, "element")) as \"contains\" demands"
        if matchCount < least {
            add("\(found); expected at least \(least)", least == 1 ? .contains : .minContains, failure)
        } else if let most, matchCount > most {
            add("\(found); expected at most \(most)", .maxContains, failure)
        }
    }

    // MARK: What is left over

    private mutating func explainUnevaluated(
        _ schema: Int, _ value: InstanceValue, _ failure: Failure, isItems: Bool
    ) {
        switch (value, isItems) {
        case (.array, true):
            for position in unevaluated(schema, value, failure, isItems: true) {
                let element = instance.element(position, of: failure.application.value)
                guard self.schema.nodes[schema].verdict == false else {
                    follow(schema, element, name: nil, index: position, in: failure)
                    continue
                }
                let path = path(to: nil, position, in: failure)
                let message = "found the element \(position); expected none but those that the schema describes"
                add(message, .unevaluatedItems, failure, at: path)
            }
        case (.object, false):
            for position in unevaluated(schema, value, failure, isItems: false) {
                let member = instance.member(position, of: failure.application.value)
                explainLeftOver(schema, member, position, .unevaluatedProperties, failure)
            }
        default: break
        }
    }

    /// The positions of the contents that nothing else has evaluated.
    private mutating func unevaluated(
        _ schema: Int, _ value: InstanceValue, _ failure: Failure, isItems: Bool
    ) -> [Int] {
        let frame = Frame(failure.application, value, isNoted: false, mark: 0)
        let walk = EvaluatedWalk(frame, schema, isItems: isItems)
        var result: Bool?
        while !walk.isComplete, !evaluator.isExhausted {
            guard case .applyInScope(let schema, let scope, let value) = walk.next(result, &evaluator) else { break }
            result = evaluator.holds(evaluator.application(schema, value, in: scope))
        }
        return walk.unevaluated
    }
}
