import SaveCodec

/// The sentences about keywords that need no other schema.
extension Explanation {
    mutating func add(_ assertion: Assertion, _ value: InstanceValue, _ failure: Failure) {
        let message = message(assertion, value, failure)
        let keyword = assertion.keyword
        add(finding("schema.\(keyword.rawValue)", message, at: failure.path, failure.application.schema, keyword))
    }

    private mutating func message(_ assertion: Assertion, _ value: InstanceValue, _ failure: Failure) -> String {
        switch (assertion, value) {
        case (.required(let names), .object):
            return missing(names, failure).map { "\($0), and required" } ?? ""
        case (.dependentRequired(let rules), .object):
            return dependent(rules, failure)
        case (.uniqueItems, .array):
            return repeated(failure, by: [.root], "different elements")
        case (.xUniqueBy(let addresses), .array):
            let places = Phrase.alternatives(addresses.prefix(5).map(\.description))
            return repeated(failure, by: addresses, "elements that differ at \(places)")
        case (.xOrder(let rule), .array): return disorder(failure, rule)
        case (.xType, _): return "found \(viewPhrase(failure)); expected \(expectation(assertion))"
        case (.maxLength, .string(let text)), (.minLength, .string(let text)):
            let length = Phrase.count(text.length, "character")
            return "found \(phrase(failure)) of \(length); expected \(expectation(assertion))"
        default: return "found \(phrase(failure)); expected \(expectation(assertion))"
        }
    }

    // MARK: What is expected

    private func expectation(_ assertion: Assertion) -> String {
        switch assertion {
        case .type(let types):
            Phrase.alternatives(JSONTypes.names.filter { types.contains($0.type) }.map { Self.article($0.name) })
        case .const(let values): expectation(values)
        case .enumeration(let values):
            values.ids.count == 1 ? expectation(values) : "one of \(expectation(values))"
        case .multipleOf(let number, _): "a multiple of \(number)"
        case .maximum(let number): "at most \(number)"
        case .exclusiveMaximum(let number): "less than \(number)"
        case .minimum(let number): "at least \(number)"
        case .exclusiveMinimum(let number): "more than \(number)"
        case .maxLength(let limit): "at most \(limit)"
        case .minLength(let limit): "at least \(limit)"
        case .pattern(let pattern): "a text that matches \(Phrase.quoted(pattern.source))"
        case .maxItems(let limit), .maxProperties(let limit): "at most \(limit)"
        case .minItems(let limit), .minProperties(let limit): "at least \(limit)"
        case .format(let format): "the format \(format.rawValue)"
        case .xClass(let names):
            "an object of class " + Phrase.alternatives(names.list.prefix(10).map { Phrase.quoted($0) })
        case .xType(let types): Phrase.alternatives(types.names.map(Self.article))
        case .xMaxBytes(let limit): "at most \(Phrase.count(limit, "byte"))"
        case .required, .dependentRequired, .uniqueItems, .xOrder, .xUniqueBy: "what the schema demands"
        }
    }

    private func expectation(_ values: SchemaValues) -> String {
        let instance = schema.documents[values.document].instance
        let shown = values.ids.prefix(10).map { Phrase.value($0, in: instance) }
        return Phrase.alternatives(shown + (values.ids.count > 10 ? ["\(values.ids.count - 10) others"] : []))
    }

    private static func article(_ type: String) -> String {
        switch type {
        case "null", "data": type
        case "integer", "object", "array": "an \(type)"
        default: "a \(type)"
        }
    }

    // MARK: What is found

    /// The value as what it is in the view.
    private func viewPhrase(_ failure: Failure) -> String {
        let phrase = phrase(failure)
        guard let type = evaluator.viewType(failure.application.value)?.names.first else { return phrase }
        switch type {
        case "date", "data", "uid", "real", "real32", "integer", "set", "dictionary":
            return phrase == "null" ? type : "\(phrase) (\(type))"
        default: return phrase
        }
    }

    /// Which names are missing, up to five: `the members "a" and "b" are missing`.
    private mutating func missing(_ names: NameTable<Void>, _ failure: Failure) -> String? {
        let missing = evaluator.missingNames(names, in: failure.application.value)
        var words = missing.prefix(5).map { number in
            Phrase.quoted(schema.names.first { $0.value == number }?.key ?? [])
        }
        if missing.count > 5 { words.append("\(missing.count - 5) more") }
        guard let last = words.popLast() else { return nil }
        guard !words.isEmpty else { return "the member \(last) is missing" }
        return "the members \(words.joined(separator: ", ")) and \(last) are missing"
    }

    private mutating func dependent(
        _ rules: [(name: Int32, required: NameTable<Void>)], _ failure: Failure
    ) -> String {
        guard let rule = evaluator.unmetDependency(rules, in: failure.application.value),
            let missing = missing(rule.required, failure)
        else { return "" }
        let other = Phrase.quoted(schema.names.first { $0.value == rule.name }?.key ?? [])
        return "\(missing), and required beside \(other)"
    }

    private mutating func repeated(_ failure: Failure, by addresses: [Address], _ expected: String) -> String {
        guard let (first, second) = evaluator.repeatedElement(of: failure.application.value, by: addresses) else {
            return ""
        }
        return "the elements \(first) and \(second) are equal; expected \(expected)"
    }

    private mutating func disorder(_ failure: Failure, _ rule: OrderRule) -> String {
        guard let position = evaluator.disorder(of: failure.application.value, rule) else { return "" }
        let place = rule.by == .root ? "" : " by \(rule.by)"
        let before = position > 0 ? ", after \(shown(position - 1, failure, at: rule.by))" : ""
        let found = shown(position, failure, at: rule.by)
        let order = rule.isDescending ? "descending" : "ascending"
        return "the element \(position) has \(found)\(before); expected \(order) order\(place)"
    }

    /// What is at an address in an element.
    private mutating func shown(_ position: Int, _ failure: Failure, at address: Address) -> String {
        let value = evaluator.finder.find(
            address, from: instance.element(position, of: failure.application.value))
        return value.map { Phrase.value($0, in: instance) } ?? "nothing"
    }
}
