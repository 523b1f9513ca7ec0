@testable import JSONSchema
import SaveCodec

/// A schema as JSON, and findings as lines.
enum SchemaCase {
    static func schema(_ text: String) throws -> Schema {
        try Schema.compile(JSON.readPlain(Array(text.utf8)), assertsFormats: true)
    }

    /// Identifier, address, address in the schema, sentence; causes indented.
    static func lines(of findings: [SchemaFinding], indentation: String = "") -> [String] {
        findings.flatMap { finding in
            ["\(indentation)\(finding.id) \(finding.address) \(finding.schemaAddress) \(finding.message)"]
                + lines(of: finding.causes, indentation: indentation + "  ")
        }
    }
}
