import KeyedArchives
@testable import SaveCodec
import Testing

@testable import JSONSchema

/// A schema and a value as JSON, and the expected findings.
struct SchemaCase: Sendable, CustomTestStringConvertible {
    let schema: String
    let value: String
    let lines: [String]

    init(_ schema: String, _ value: String, _ lines: String...) {
        self.schema = schema
        self.value = value
        self.lines = lines
    }

    var testDescription: String { "\(schema) on \(value)" }

    /// Returns one line per finding: identifier, address, address in the schema, message. Causes are indented.
    func found() throws -> [String] {
        try Self.lines(of: Self.schema(schema).findings(in: JSON.read(Array(value.utf8))))
    }

    static func schema(_ text: String, assertsFormats: Bool = true) throws -> Schema {
        try Schema.compile(JSON.readPlain(Array(text.utf8)), assertsFormats: assertsFormats)
    }

    static func lines(of findings: [SchemaFinding], indentation: String = "") -> [String] {
        findings.flatMap { finding in
            ["\(indentation)\(finding.id) \(finding.address) \(finding.demand.address) \(finding.message)"]
                + lines(of: finding.causes, indentation: indentation + "  ")
        }
    }
}

extension Schema {
    /// Returns the findings of a document.
    func findings(in document: Document, limits: Limits = Limits()) -> [SchemaFinding] {
        findings(in: ObjectView(document), limits: limits)
    }
}
