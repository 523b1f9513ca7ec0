package import KeyedArchives
package import SaveCodec

/// A JSON Schema (draft 2020-12), compiled, to check values of the value graph with.
///
///     schema                                  graph of nodes                     value          findings
///     {"type": "object",                      0 type object, members             {"name": 5}    /name: found the number 5;
///      "required": ["name"],                      name ─▶ 1                                     expected a string
///      "properties":                          1 type string                                     (/properties/name/type)
///        {"name": {"type": "string"}}}
///
///     Document ── SchemaCompiler ──▶ Schema ── QuickCheck ──▶ yes, or not known
///                                              Evaluator ──▶ yes or no ── Explanation ──▶ [SchemaFinding]
///
/// The folders: `Keywords` has what each keyword means: how it is compiled, when it holds, and what is said where it
/// does not. `Compile` reads schemas and gives them identifiers; `Values` is what a schema sees of the value graph; `Evaluate`
/// answers yes or no; `Explain` tells why not. `Formats` and `Regex` are what `format` and `pattern` need; `Infer` makes
/// schemas of samples.
///
/// Beside the vocabularies of the standard there is ours, for what JSON has no types for:
///
///     "x-class": "Player"                                     the class, or an ancestor of it; or a list of such
///     "x-type": ["date", "data"]                              the type in the view
///     "x-stored": "object"                                    as an object, or "in-place"
///     "x-order": {"by": "/score", "direction": "descending"}  how elements follow each other
///     "x-uniqueBy": "/name"                                   where no two elements are equal
///     "x-maxBytes": 1048576                                   the bytes of all that the value consists of
package struct Schema: Sendable {
    /// The node of the schema itself.
    let root: Int
    let nodes: [SchemaNode]
    let documents: [SchemaDocument]
    /// The names that mean something, by number.
    let names: [[UInt16]: Int32]
    let scopes: DynamicScopes
    /// What of it a quick check can tell.
    let quick: QuickSchema
    /// What the schema says and nobody listens to, unknown keywords most of all.
    package let warnings: [Problem]

    /// Compiles a schema and the documents that it refers to.
    ///
    /// - Parameters:
    ///   - document: the schema, as `JSON.readPlain` has it.
    ///   - uri: where it is, which its references are relative to unless it has an `$id`.
    ///   - store: where the documents come from that it refers to.
    ///   - assertsFormats: whether `format` demands what it says. Else it only tells.
    /// - Throws: what is wrong with the schema, with the address in it.
    package static func compile(
        _ document: Document, uri: String = "savetool:/schema", store: SchemaStore = SchemaStore(),
        assertsFormats: Bool = false
    ) throws(Problem) -> Schema {
        var compiler = SchemaCompiler(store: store, assertsFormats: assertsFormats)
        return try compiler.compile(document, uri: uri)
    }
}

extension Schema {
    /// How much is done to check one view.
    package struct Limits: Sendable {
        /// How many findings are listed.
        var findings: Int
        /// How much work is done, at most, for each value of the view, beside a million and four for each byte: one for each time that a schema
        /// is applied to a value, for sixteen contents or characters that are looked through, or the like.
        var workPerValue: Int

        /// Limits; what is not named has its default.
        package init(findings: Int = 1000, workPerValue: Int = 200) {
            self.findings = findings
            self.workPerValue = workPerValue
        }
    }

    /// What in a view is not as the schema demands; nothing if it is valid.
    ///
    /// The findings are in the order of the value, as far as they are listed. If there may be more, or the work took too
    /// much, the last one says so.
    package func findings(in view: ObjectView, limits: Limits = Limits()) -> [SchemaFinding] {
        quick.holds(for: view) ? [] : evaluatedFindings(in: view, limits: limits)
    }

    /// The same, without a first look.
    func evaluatedFindings(in view: ObjectView, limits: Limits = Limits()) -> [SchemaFinding] {
        let (product, overflow) = view.count.multipliedReportingOverflow(by: limits.workPerValue)
        let work = (overflow ? Int.max / 4 : min(product, Int.max / 4)) + 4 * view.document.imageSize + 1_000_000
        var evaluator = Evaluator(self, view, work: work)
        let application = evaluator.application(root, Subject(view.root), in: 0)
        let holds = evaluator.holds(application)
        var findings: [SchemaFinding] = []
        if !holds {
            var explanation = Explanation(evaluator, limit: limits.findings)
            findings = explanation.findings(for: application)
            evaluator = explanation.evaluator
        }
        if evaluator.isExhausted { findings.append(.exhausted) }
        if evaluator.hasGivenUp { findings.append(.gaveUp) }
        return findings
    }
}

extension SchemaFinding {
    /// The work was too much.
    fileprivate static let exhausted = SchemaFinding(
        id: "schema.work", address: .root,
        message: "checking takes more steps than values of this size may; the rest is not checked")

    /// A pattern took too many steps.
    fileprivate static let gaveUp = SchemaFinding(
        id: "schema.pattern-work", address: .root,
        message: "matching a text with a pattern takes longer than about a second; it counts as not matching")
}

/// Something in a value that is not as a schema demands.
package struct SchemaFinding: Sendable, Equatable {
    /// A stable identifier: `schema.` and the keyword, such as `schema.required`.
    package let id: String
    /// Where in the value it is.
    package let address: JSONPointer
    /// The location of the demand in the schema.
    let demand: Demand
    /// What was found and what was expected, as one sentence without capital letter, full stop or place.
    package let message: String
    /// Why the alternative that came nearest does not fit; of other findings nothing.
    package internal(set) var causes: [SchemaFinding] = []
    /// How grave it is. What breaks a schema is an error.
    package let severity: Problem.Severity

    /// The location of a demand in a schema.
    struct Demand: Equatable {
        let address: JSONPointer
        /// The URI of the document that ``address`` is in; nil for the schema that was given.
        let uri: String?
    }

    /// A finding that is not about a demand of a schema.
    package init(id: String, address: JSONPointer, message: String, severity: Problem.Severity = .error) {
        self.init(
            id: id, address: address, demand: Demand(address: .root, uri: nil), message: message, severity: severity)
    }

    init(id: String, address: JSONPointer, demand: Demand, message: String, severity: Problem.Severity = .error) {
        self.id = id
        self.address = address
        self.demand = demand
        self.message = message
        self.severity = severity
    }

    /// The address of the demand in its document.
    var schemaAddress: JSONPointer { demand.address }

    /// The URI of the document of the demand; nil for the schema that was given.
    var schemaURI: String? { demand.uri }
}
