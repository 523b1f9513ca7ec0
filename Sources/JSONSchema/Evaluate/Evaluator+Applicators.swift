/// What each applicator does next. `result` is the answer of the application that it asked for last.
extension Evaluator {
    mutating func move(_ applicator: Applicator, _ frame: inout Frame, _ result: Bool?) -> Move {
        let value = frame.application.value
        switch applicator {
        case .ref(let schema): return Self.all(&frame, result, count: 1) { _ in (schema, value) }
        case .dynamicRef(let name, let fallback):
            let schema = scopes.schema(name, in: frame.application.scope) ?? fallback
            return Self.all(&frame, result, count: 1) { _ in (schema, value) }
        case .allOf(let schemas): return Self.all(&frame, result, count: schemas.count) { (schemas[$0], value) }
        case .anyOf(let schemas): return Self.any(&frame, result, schemas)
        case .oneOf(let schemas): return Self.one(&frame, result, schemas)
        case .not(let schema): return result.map { $0 ? .fails : .holds } ?? .apply(schema, value)
        case .conditional(let condition, let then, let otherwise):
            return Self.conditional(&frame, result, condition, then, otherwise)
        case .dependentSchemas(let table): return dependent(&frame, result, table)
        case .members(let rules): return members(&frame, result, rules)
        case .propertyNames(let schema): return propertyNames(&frame, result, schema)
        case .elements(let prefix, let rest): return elements(&frame, result, prefix, rest)
        case .contains(let schema, let least, let most): return contains(&frame, result, schema, least, most)
        case .unevaluatedItems(let schema): return unevaluated(&frame, result, schema, isItems: true)
        case .unevaluatedProperties(let schema): return unevaluated(&frame, result, schema, isItems: false)
        }
    }

    /// Applications that all must hold.
    private static func all(_ frame: inout Frame, _ result: Bool?, count: Int, _ next: (Int) -> (Int, InstanceID))
        -> Move
    {
        if result == false { return .fails }
        guard frame.step < count else { return .holds }
        let (schema, value) = next(frame.step)
        frame.step += 1
        return .apply(schema, value)
    }

    private static func any(_ frame: inout Frame, _ result: Bool?, _ schemas: [Int]) -> Move {
        if result == true { return .holds }
        guard frame.step < schemas.count else { return .fails }
        frame.step += 1
        return .apply(schemas[frame.step - 1], frame.application.value)
    }

    private static func one(_ frame: inout Frame, _ result: Bool?, _ schemas: [Int]) -> Move {
        if result == true { frame.count += 1 }
        if frame.count > 1 { return .fails }
        guard frame.step < schemas.count else { return frame.count == 1 ? .holds : .fails }
        frame.step += 1
        return .apply(schemas[frame.step - 1], frame.application.value)
    }

    private static func conditional(
        _ frame: inout Frame, _ result: Bool?, _ condition: Int, _ then: Int?, _ otherwise: Int?
    ) -> Move {
        frame.step += 1
        switch (frame.step, result) {
        case (1, _): return .apply(condition, frame.application.value)
        case (2, let met?):
            return (met ? then : otherwise).map { .apply($0, frame.application.value) } ?? .holds
        default: return result == false ? .fails : .holds
        }
    }

    private mutating func dependent(_ frame: inout Frame, _ result: Bool?, _ table: NameTable<Int>) -> Move {
        if result == false { return .fails }
        guard case .object(let count) = frame.value else { return .holds }
        while frame.step < count {
            let name = instance.member(frame.step, of: frame.application.value).name
            frame.step += 1
            if let schema = table.meaning(names.number(name)) { return .apply(schema, frame.application.value) }
        }
        return .holds
    }

    // MARK: Members

    /// Member by member: the schema of its name, those of the patterns that it matches, or the additional one.
    private mutating func members(_ frame: inout Frame, _ result: Bool?, _ rules: MemberRules) -> Move {
        if result == false { return .fails }
        guard case .object(let count) = frame.value else { return .holds }
        while frame.step < count {
            let member = instance.member(frame.step, of: frame.application.value)
            if let schema = nextSchema(of: member.name, &frame, rules) { return .apply(schema, member.value) }
            frame.step += 1
            frame.stage = 0
            frame.count = 0
        }
        return .holds
    }

    /// The next schema that applies to a member. `stage` tells which rules have been looked at, `count` is how many
    /// applied.
    private mutating func nextSchema(of name: InstanceID, _ frame: inout Frame, _ rules: MemberRules) -> Int? {
        while frame.stage <= rules.patterns.count + 1 {
            let stage = frame.stage
            frame.stage += 1
            let schema: Int? =
                switch stage {
                case 0: rules.named.count == 0 ? nil : rules.named.meaning(names.number(name))
                case rules.patterns.count + 1: frame.count == 0 ? rules.additional : nil
                default: matches(name, rules.patterns[stage - 1].pattern) ? rules.patterns[stage - 1].schema : nil
                }
            guard let schema else { continue }
            frame.count += 1
            return schema
        }
        return nil
    }

    private mutating func propertyNames(_ frame: inout Frame, _ result: Bool?, _ schema: Int) -> Move {
        guard case .object(let count) = frame.value else { return .holds }
        let (instance, object) = (instance, frame.application.value)
        return Self.all(&frame, result, count: count) { (schema, instance.member($0, of: object).name) }
    }

    // MARK: Elements

    private mutating func elements(_ frame: inout Frame, _ result: Bool?, _ prefix: [Int], _ rest: Int?) -> Move {
        guard case .array(let count) = frame.value else { return .holds }
        let (instance, array) = (instance, frame.application.value)
        return Self.all(&frame, result, count: rest == nil ? min(prefix.count, count) : count) {
            ($0 < prefix.count ? prefix[$0] : rest ?? 0, instance.element($0, of: array))
        }
    }

    private mutating func contains(_ frame: inout Frame, _ result: Bool?, _ schema: Int, _ least: Int, _ most: Int?)
        -> Move
    {
        guard case .array(let count) = frame.value else { return .holds }
        if result == true { frame.count += 1 }
        if let most, frame.count > most { return .fails }
        if most == nil, frame.count >= least { return .holds }
        guard frame.step < count else { return frame.count >= least ? .holds : .fails }
        frame.step += 1
        return .apply(schema, instance.element(frame.step - 1, of: frame.application.value))
    }

    // MARK: What is left over

    private mutating func unevaluated(_ frame: inout Frame, _ result: Bool?, _ schema: Int, isItems: Bool) -> Move {
        switch (frame.value, isItems) {
        case (.array, true), (.object, false): break
        default: return .holds
        }
        let walk = frame.walk ?? EvaluatedWalk(frame, schema, isItems: isItems)
        frame.walk = walk
        return walk.next(result, &self)
    }
}
