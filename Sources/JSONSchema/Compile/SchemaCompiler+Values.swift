import SaveCodec

/// The compilation of keywords, one group at a time.
extension SchemaCompiler {
    mutating func compile(_ source: UncompiledSchema) throws(Problem) {
        try checkAnnotations(source)
        try compileReferences(source)
        try compileTypes(source)
        try compileNumbers(source)
        try compileText(source)
        try compileElementCounts(source)
        try compileMemberCounts(source)
        try compileViewKeywords(source)
        try compileLogic(source)
        try compileDependentSchemas(source)
        try compileMembers(source)
        try compileElements(source)
    }

    /// Checks that keywords without an effect have values of the right type.
    private mutating func checkAnnotations(_ source: UncompiledSchema) throws(Problem) {
        for keyword in [Keyword.comment, .title, .description, .contentEncoding, .contentMediaType] {
            if let value = source.values[keyword] { _ = try registry.string(value, keyword, in: source.position) }
        }
        for keyword in [Keyword.deprecated, .readOnly, .writeOnly] {
            _ = try boolean(keyword, source)
        }
        for keyword in [Keyword.defs, .definitions] { _ = try schemaMap(keyword, source) }
        if let schema = try schema(.contentSchema, source) { add(ContentSchema(schema: schema), to: source.node) }
        if let value = source.values[.examples], case let node = node(value, source), node.elements == nil {
            throw wrongValue(.examples, source, expected: "an array")
        }
    }

    private func node(_ value: ObjectID, _ source: UncompiledSchema) -> Node {
        documents[source.position.document].document[value]
    }

    // MARK: Values

    /// Returns the error for a keyword with an invalid value.
    func wrongValue(_ keyword: Keyword, _ source: UncompiledSchema, expected: String) -> Problem {
        let value = source.values[keyword] ?? source.position.object
        return .keywordValue(
            "\"\(keyword.rawValue)\"",
            found: registry.phrase(SchemaPosition(document: source.position.document, object: value)),
            expected: expected, at: registry.address(of: source.position, keyword))
    }

    /// Returns the value of a keyword, or nil if the schema does not have the keyword.
    func value(_ keyword: Keyword, _ source: UncompiledSchema) -> JSONValue? {
        let document = documents[source.position.document]
        return source.values[keyword].map { document.view.json(document.id($0)) }
    }

    func boolean(_ keyword: Keyword, _ source: UncompiledSchema) throws(Problem) -> Bool? {
        switch value(keyword, source) {
        case nil: return nil
        case .scalar(.boolean(let value)): return value
        default: throw wrongValue(keyword, source, expected: "true or false")
        }
    }

    func number(_ keyword: Keyword, _ source: UncompiledSchema) throws(Problem) -> Number? {
        switch value(keyword, source) {
        case nil: return nil
        case .scalar(.number(let value)): return value
        default: throw wrongValue(keyword, source, expected: "a number")
        }
    }

    /// Returns the value of a keyword as a nonnegative integer, or `Int.max` if it exceeds an `Int`.
    func count(_ keyword: Keyword, _ source: UncompiledSchema) throws(Problem) -> Int? {
        guard let value = value(keyword, source) else { return nil }
        guard case .scalar(.number(let number)) = value, number.isWhole, !(number < .integer(0)) else {
            throw wrongValue(keyword, source, expected: "an integer, 0 or more")
        }
        if case .integer(let integer) = number.normal { return Int(exactly: integer) ?? .max }
        return .max
    }

    /// Returns the strings of a keyword's value, which must be an array of different strings. Returns nil if the schema
    /// does not have the keyword.
    func strings(_ keyword: Keyword, _ source: UncompiledSchema) throws(Problem) -> [[UInt16]]? {
        guard let value = source.values[keyword] else { return nil }
        guard let strings = strings(value, source) else {
            throw wrongValue(keyword, source, expected: "an array of different strings")
        }
        return strings
    }

    /// Returns the strings of an array, or nil if the value is not an array of different strings.
    func strings(_ value: ObjectID, _ source: UncompiledSchema) -> [[UInt16]]? {
        let document = documents[source.position.document].document
        guard case .array(let elements) = document[value] else { return nil }
        let strings = elements.compactMap { document.text($0).map { Array($0) } }
        return strings.count == elements.count && Set(strings).count == strings.count ? strings : nil
    }

    /// Returns the strings of a keyword's value, which must be a string or an array of different strings. Returns nil
    /// if the schema does not have the keyword.
    func oneOrMoreStrings(
        _ keyword: Keyword, _ source: UncompiledSchema, expected: String
    ) throws(Problem) -> [[UInt16]]? {
        guard let value = source.values[keyword] else { return nil }
        if let text = documents[source.position.document].document.text(value) { return [Array(text)] }
        guard let strings = strings(value, source), !strings.isEmpty else {
            throw wrongValue(keyword, source, expected: expected)
        }
        return strings
    }

    /// Returns the types that a keyword's value names, which must be a name or an array of different names. Returns nil
    /// if the schema does not have the keyword.
    func types<Types: SetAlgebra>(
        _ keyword: Keyword, _ source: UncompiledSchema, among known: [(name: String, type: Types)]
    ) throws(Problem) -> Types? {
        let expected = "a type or an array of types: " + Phrase.alternatives(known.map(\.name))
        guard let names = try oneOrMoreStrings(keyword, source, expected: expected) else { return nil }
        var types = Types()
        for name in names {
            guard let type = known.first(where: { $0.name.utf16.elementsEqual(name) })?.type else {
                throw wrongValue(keyword, source, expected: expected)
            }
            types.formUnion(type)
        }
        return types
    }

    // MARK: Schemas

    /// Returns the node of the schema that is a keyword's value.
    mutating func schema(_ keyword: Keyword, _ source: UncompiledSchema) throws(Problem) -> Int? {
        guard let value = source.values[keyword] else { return nil }
        switch documents[source.position.document].document[value] {
        case .dictionary, .boolean: return child(value, of: source, at: [Array(keyword.rawValue.utf16)])
        default: throw wrongValue(keyword, source, expected: "a schema")
        }
    }

    /// Returns the nodes of the schemas in an array that is a keyword's value.
    mutating func schemaList(_ keyword: Keyword, _ source: UncompiledSchema) throws(Problem) -> [Int]? {
        guard let value = source.values[keyword] else { return nil }
        let document = documents[source.position.document].document
        guard case .array(let elements) = document[value], !elements.isEmpty else {
            throw wrongValue(keyword, source, expected: "a nonempty array of schemas")
        }
        return document.subschemas(keyword, value).map { child($0.0, of: source, at: $0.1) }
    }

    /// Returns the nodes of the schemas in an object that is a keyword's value, with their names.
    mutating func schemaMap(
        _ keyword: Keyword, _ source: UncompiledSchema
    ) throws(Problem) -> [(name: [UInt16], schema: Int)]? {
        guard let value = source.values[keyword] else { return nil }
        let document = documents[source.position.document].document
        guard case .dictionary = document[value] else {
            throw wrongValue(keyword, source, expected: "an object of schemas")
        }
        return document.subschemas(keyword, value).map { ($0.1.last ?? [], child($0.0, of: source, at: $0.1)) }
    }

    /// Returns the node of a schema within another one.
    mutating func child(_ object: ObjectID, of source: UncompiledSchema, at tokens: [[UInt16]]) -> Int {
        let position = SchemaPosition(document: source.position.document, object: object)
        return node(at: position, SchemaLocation(document: position.document, parent: source.node, tokens: tokens))
    }

    /// Creates a set of member names.
    mutating func nameTable(_ strings: [[UInt16]]) -> NameTable<Void> {
        NameTable(strings.map { (name($0), ()) })
    }
}

extension Node {
    fileprivate var elements: Elements? {
        if case .array(let elements) = self { elements } else { nil }
    }
}

extension Problem {
    static func keywordValue(_ keyword: String, found: String, expected: String, at address: JSONPointer) -> Problem {
        Problem("schema.keyword-value", "\(keyword) is \(found); expected \(expected)", address: address)
    }
}
