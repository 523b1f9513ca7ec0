package import KeyedArchive
import SaveCodec

extension Schema {
    /// How much is done to check one view.
    package struct Limits: Sendable {
        /// How many findings are listed.
        package var findings: Int
        /// How much work is done, at most, for each value of the view, beside a million and four for each byte: one for each time that a schema
        /// is applied to a value, for sixteen contents or characters that are looked through, or the like.
        package var workPerValue: Int

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
    package func findings(in view: ObjectView, at start: ViewID? = nil, limits: Limits = Limits()) -> [SchemaFinding] {
        let (product, overflow) = view.count.multipliedReportingOverflow(by: limits.workPerValue)
        let work = (overflow ? Int.max / 4 : min(product, Int.max / 4)) + 4 * view.document.imageSize + 1_000_000
        var evaluator = Evaluator(self, Instance(view), work: work)
        let application = evaluator.application(root, .value(start ?? view.root), in: 0)
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
        id: "schema.work", address: .root, schemaAddress: .root, schemaURI: nil,
        message: "checking takes more steps than values of this size may; the rest is not checked", causes: [])

    /// A pattern took too many steps.
    fileprivate static let gaveUp = SchemaFinding(
        id: "schema.pattern-work", address: .root, schemaAddress: .root, schemaURI: nil,
        message: "matching a text with a pattern takes longer than about a second; it counts as not matching",
        causes: [])
}
