import SaveCodec

/// The applicator and unevaluated vocabularies.
extension SchemaCompiler {
    mutating func compileLogic(_ source: SchemaSource) throws(Problem) {
        if let schemas = try schemaList(.allOf, source) { add(.allOf(schemas), to: source.node) }
        if let schemas = try schemaList(.anyOf, source) { add(.anyOf(schemas), to: source.node) }
        if let schemas = try schemaList(.oneOf, source) { add(.oneOf(schemas), to: source.node) }
        if let schema = try schema(.not, source) { add(.not(schema), to: source.node) }
        let then = try schema(.then, source)
        let otherwise = try schema(.else, source)
        if let condition = try schema(.if, source) {
            add(.conditional(if: condition, then: then, else: otherwise), to: source.node)
        }
        if let schemas = try schemaMap(.dependentSchemas, source) {
            add(.dependentSchemas(NameTable(schemas.map { (name($0.name), $0.schema) })), to: source.node)
        }
        try compileDependencies(source)
    }

    /// `dependencies` of earlier drafts: names that a member demands, or a schema.
    private mutating func compileDependencies(_ source: SchemaSource) throws(Problem) {
        let document = documents[source.place.document].document
        guard let value = source.values[.dependencies] else { return }
        guard case .dictionary(let pairs) = document[value] else {
            throw wrongValue(.dependencies, source, "an object of schemas or arrays of strings")
        }
        var rules: [(name: Int32, required: NameTable<Void>)] = []
        var schemas: [(name: Int32, meaning: Int)] = []
        for pair in pairs {
            guard let key = document.text(pair.key).map({ Array($0) }) else { continue }
            if let names = strings(pair.value, source) {
                rules.append((name(key), nameTable(names)))
            } else {
                let keyword = Array(Keyword.dependencies.rawValue.utf16)
                schemas.append((name(key), child(pair.value, source, [keyword, key])))
            }
        }
        add(.dependentRequired(rules), to: source.node)
        add(.dependentSchemas(NameTable(schemas)), to: source.node)
    }

    mutating func compileMembers(_ source: SchemaSource) throws(Problem) {
        let named = try schemaMap(.properties, source)
        let patterns = try schemaMap(.patternProperties, source)
        let additional = try schema(.additionalProperties, source)
        if named != nil || patterns != nil || additional != nil {
            var rules: [(pattern: SchemaPattern, schema: Int)] = []
            for (text, schema) in patterns ?? [] {
                var address = address(of: source.place, .patternProperties)
                address.append(key: text)
                rules.append((try pattern(text, at: address), schema))
            }
            let table = NameTable((named ?? []).map { (name($0.name), $0.schema) })
            add(.members(MemberRules(named: table, patterns: rules, additional: additional)), to: source.node)
        }
        if let schema = try schema(.propertyNames, source) { add(.propertyNames(schema), to: source.node) }
        if let schema = try schema(.unevaluatedProperties, source) {
            add(.unevaluatedProperties(schema), to: source.node)
        }
    }

    mutating func compileElements(_ source: SchemaSource) throws(Problem) {
        let prefix = try schemaList(.prefixItems, source)
        let rest = try schema(.items, source)
        if prefix != nil || rest != nil { add(.elements(prefix: prefix ?? [], rest: rest), to: source.node) }
        let least = try count(.minContains, source)
        let most = try count(.maxContains, source)
        if let schema = try schema(.contains, source) {
            add(.contains(schema, atLeast: least ?? 1, atMost: most), to: source.node)
        }
        if let schema = try schema(.unevaluatedItems, source) { add(.unevaluatedItems(schema), to: source.node) }
    }
}
