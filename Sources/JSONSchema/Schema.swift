package import KeyedArchives
package import SaveCodec

/// A compiled JSON Schema (draft 2020-12) that checks values of the value graph.
///
///     schema                                  graph of nodes                     value          findings
///     {"type": "object",                      0 type object, members             {"name": 5}    /name: found the number 5;
///      "required": ["name"],                      name ─▶ 1                                     expected a string
///      "properties":                          1 type string                                     (/properties/name/type)
///        {"name": {"type": "string"}}}
///
///     Document ── SchemaCompiler ──▶ Schema ── QuickCheck ──▶ valid, or unknown
///                                              Evaluator ──▶ valid or not ── Explainer ──▶ [SchemaFinding]
///
/// The folders of this module:
///
/// - `Keywords` defines each keyword: how it is compiled, when it holds, and the message of its finding.
/// - `Compile` reads schemas and assigns their identifiers.
/// - `Values` maps the value graph to the values of JSON.
/// - `Evaluate` decides whether a value is valid, and `Explain` finds the reasons why it is not.
/// - `Formats` and `Regex` implement `format` and `pattern`.
/// - `Infer` derives a schema from samples.
///
/// In addition to the standard vocabularies, savetool has its own for properties that JSON has no types for:
///
///     "x-class": "Player"                                     the class or an ancestor of it, or a list of such names
///     "x-type": ["date", "data"]                              the kind in the value graph
///     "x-stored": "object"                                    stored as an object, or "in-place"
///     "x-order": {"by": "/score", "direction": "descending"}  the order of the elements
///     "x-uniqueBy": "/name"                                   the address at which no two elements are equal
///     "x-maxBytes": 1048576                                   the size in bytes of the whole value
package struct Schema: Sendable {
    /// The index of the root schema's node.
    let root: Int
    let nodes: [SchemaNode]
    let documents: [SchemaDocument]
    /// The numbers of the member names that the schema mentions.
    let names: [[UInt16]: Int32]
    let scopes: DynamicScopes
    /// The part of the schema that `QuickCheck` can check.
    let quick: QuickSchema
    /// Parts of the schema that have no effect, such as unknown keywords.
    package let warnings: [Problem]

    /// Compiles a schema and the documents that it refers to.
    ///
    /// - Parameters:
    ///   - document: The schema as read by `JSON.readPlain`.
    ///   - uri: The base URI of the schema's references, unless its `$id` sets another.
    ///   - store: The source of the documents that the schema refers to.
    ///   - assertsFormats: Whether `format` is checked even if the schema's dialect treats it as an annotation.
    /// - Throws: The first error in the schema, with its address.
    package static func compile(
        _ document: Document, uri: String = "savetool:/schema", store: SchemaStore = SchemaStore(),
        assertsFormats: Bool = false
    ) throws(Problem) -> Schema {
        var compiler = SchemaCompiler(store: store, assertsFormats: assertsFormats)
        return try compiler.compile(document, uri: uri)
    }

    /// The limits of one check.
    package struct Limits: Sendable {
        /// The maximum number of findings.
        var findings: Int
        /// The units of work that a check may take for each value of the graph, in addition to 1,000,000 units for the
        /// whole check and 4 for each byte of the document.
        ///
        /// Applying a schema to a value takes one unit of work, and so does reading 16 elements, members or code units.
        var workPerValue: Int

        package init(findings: Int = 1000, workPerValue: Int = 200) {
            self.findings = findings
            self.workPerValue = workPerValue
        }
    }

    /// Returns the findings of a value graph; none if it is valid.
    ///
    /// The findings follow the order of the values. If the list is incomplete because a limit was reached, the last
    /// findings say so.
    package func findings(in view: ObjectView, limits: Limits = Limits()) -> [SchemaFinding] {
        quick.holds(for: view) ? [] : evaluatedFindings(in: view, limits: limits)
    }

    /// Returns the findings without trying `QuickCheck` first.
    func evaluatedFindings(in view: ObjectView, limits: Limits = Limits()) -> [SchemaFinding] {
        let (product, overflow) = view.count.multipliedReportingOverflow(by: limits.workPerValue)
        let work = (overflow ? Int.max / 4 : min(product, Int.max / 4)) + 4 * view.document.imageSize + 1_000_000
        var evaluator = Evaluator(self, view, work: work)
        let application = evaluator.application(root, Subject(view.root), in: 0)
        let holds = evaluator.holds(application)
        var findings: [SchemaFinding] = []
        if !holds {
            var explainer = Explainer(evaluator, limit: limits.findings)
            findings = explainer.findings(for: application)
            evaluator = explainer.evaluator
        }
        if evaluator.isExhausted { findings.append(.exhausted) }
        if evaluator.hasGivenUp { findings.append(.gaveUp) }
        return findings
    }
}

extension SchemaFinding {
    fileprivate static let exhausted = SchemaFinding(
        id: "schema.work", address: .root,
        message: "checking takes too many steps for values of this size; the remaining values are not checked")

    fileprivate static let gaveUp = SchemaFinding(
        id: "schema.pattern-work", address: .root,
        message: "matching a string with a pattern takes more than about a second; the string counts as not matching")
}

/// A difference between a value and the schema.
package struct SchemaFinding: Sendable, Equatable {
    /// A stable identifier: `schema.` and the keyword, such as `schema.required`.
    package let id: String
    /// The address in the value graph.
    package let address: JSONPointer
    /// The part of the schema that the value violates.
    let demand: KeywordLocation
    /// The found and the expected value, in one sentence without an initial capital, a final period or the address.
    package let message: String
    /// The findings of the closest alternative of `anyOf` or `oneOf`, or of a refused name; otherwise empty.
    package internal(set) var causes: [SchemaFinding] = []
    /// The severity. A violation of a schema is an error.
    package let severity: Problem.Severity

    /// The location of a keyword or a Boolean schema.
    struct KeywordLocation: Equatable {
        let address: JSONPointer
        /// The URI of the document that contains ``address``; nil for the document of the root schema.
        let uri: String?
    }

    /// Creates a finding that is not about a keyword of a schema.
    package init(id: String, address: JSONPointer, message: String, severity: Problem.Severity = .error) {
        self.init(
            id: id, address: address, demand: KeywordLocation(address: .root, uri: nil), message: message,
            severity: severity)
    }

    init(
        id: String, address: JSONPointer, demand: KeywordLocation, message: String, severity: Problem.Severity = .error
    ) {
        self.id = id
        self.address = address
        self.demand = demand
        self.message = message
        self.severity = severity
    }
}
