@testable import JSONSchema
import SaveCodec

/// Compiles schemas from JSON and prints findings as lines.
enum SchemaCase {
    static func schema(_ text: String) throws -> Schema {
        try Schema.compile(JSON.readPlain(Array(text.utf8)), assertsFormats: true)
    }

    /// Returns lines with the identifier, address, address in the schema and message of each finding, with indented
    /// causes.
    static func lines(of findings: [SchemaFinding], indentation: String = "") -> [String] {
        findings.flatMap { finding in
            ["\(indentation)\(finding.id) \(finding.address) \(finding.demand.address) \(finding.message)"]
                + lines(of: finding.causes, indentation: indentation + "  ")
        }
    }
}
