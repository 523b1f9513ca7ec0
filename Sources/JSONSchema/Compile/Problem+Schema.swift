import SaveCodec

/// What can be wrong with a schema.
extension Problem {
    static func keywordValue(_ keyword: String, found: String, expected: String, at address: Address) -> Problem {
        Problem("schema.keyword-value", "\(keyword) is \(found); expected \(expected)", address: address)
    }

    static func notASchema(_ found: String, at address: Address) -> Problem {
        Problem("schema.not-a-schema", "found \(found); expected a schema, an object or a boolean", address: address)
    }

    static func unresolvedReference(_ uri: String, _ reason: String, at address: Address) -> Problem {
        Problem(
            "schema.reference", "the reference to \(Phrase.quoted(uri)) leads nowhere: \(reason)", address: address)
    }

    static func referenceLoop(at address: Address) -> Problem {
        Problem(
            "schema.reference-loop",
            "the schema applies itself to the same value again, through references without an end", address: address)
    }

    static func tooManyDynamicNames(_ names: Int, resources: Int) -> Problem {
        Problem(
            "schema.dynamic-names",
            "the schema refers to \(names) dynamic anchors and has \(resources) schemas with an identifier; expected at most \(DynamicScopes.limit) if multiplied",
            address: .root)
    }

    static func repeatedIdentifier(_ uri: String, at address: Address) -> Problem {
        Problem("schema.identifier", "\(Phrase.quoted(uri)) identifies two schemas", address: address)
    }

    static func unknownDialect(_ uri: String, at address: Address) -> Problem {
        Problem(
            "schema.dialect",
            "the schema is written in \(Phrase.quoted(uri)), which is not known; expected \"\(Metaschema.base)schema\" or a metaschema that can be found",
            address: address)
    }

    static func unknownVocabulary(_ uri: String, at address: Address) -> Problem {
        Problem(
            "schema.vocabulary",
            "the metaschema demands the vocabulary \(Phrase.quoted(uri)), which is not known", address: address)
    }

    static func badPattern(_ source: some Sequence<UInt16>, _ fault: RegexFault, at address: Address) -> Problem {
        Problem(
            "schema.pattern", "\(Phrase.quoted(source)) is no regular expression: \(fault.sentence)",
            address: address)
    }

    static func unknownKeyword(_ name: [UInt16], near keyword: Keyword?, at address: Address) -> Problem {
        let hint = keyword.map { "; did you mean \"\($0.rawValue)\"?" } ?? ""
        return Problem(
            "schema.unknown-keyword", "\(Phrase.quoted(name)) is no keyword and demands nothing\(hint)",
            severity: .warning, address: address)
    }

    static func unknownFormat(_ name: [UInt16], at address: Address) -> Problem {
        Problem(
            "schema.unknown-format", "the format \(Phrase.quoted(name)) is not known and is not checked",
            severity: .warning, address: address)
    }

    /// The problem as one of another document than the schema that was given.
    func inDocument(_ uri: String) -> Problem {
        Problem(id, "in \(Phrase.escaped(uri)): \(message)", severity: severity, at: place, address: address)
    }
}
