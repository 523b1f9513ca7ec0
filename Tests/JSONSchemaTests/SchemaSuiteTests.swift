import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import JSONSchema

/// The JSON-Schema-Test-Suite, file by file. Prints the number of passing tests of each file.
@Suite(.enabled(if: SchemaSuite.folder != nil)) struct SchemaSuiteTests {
    struct Outcome {
        var passed = 0
        var total = 0
        var failures: [String] = []
    }

    static func run(_ file: String, assertsFormats: Bool) throws -> Outcome {
        var outcome = Outcome()
        for test in try SchemaSuite.cases(in: file) {
            outcome.total += 1
            do throws(Problem) {
                let schema = try Schema.compile(
                    try JSON.read(test.schema), store: SchemaSuite.store, assertsFormats: assertsFormats)
                let view = ObjectView(try JSON.read(test.value))
                let findings = schema.evaluatedFindings(in: view)
                if findings.isEmpty == test.isValid, test.isValid || !schema.quick.holds(for: view) {
                    outcome.passed += 1
                } else {
                    outcome.failures.append("\(test.name): \(findings.map(\.message))")
                }
            } catch {
                outcome.failures.append("\(test.name): \(error)")
            }
        }
        TestScale.report("\(file)  \(outcome.passed)/\(outcome.total)")
        return outcome
    }

    @Test(arguments: try SchemaSuite.files(in: "draft2020-12"))
    func required(_ file: String) throws {
        let outcome = try Self.run(file, assertsFormats: false)
        #expect(outcome.failures == [])
        #expect(outcome.passed == outcome.total)
    }

    /// The number of failing tests in an optional file. The compiler rejects schemas of earlier drafts.
    static let knownFailures = ["draft2020-12/optional/cross-draft.json": 1]

    @Test(arguments: try SchemaSuite.files(in: "draft2020-12/optional"))
    func optional(_ file: String) throws {
        let failures = try Self.run(file, assertsFormats: false).failures
        #expect(failures.count == Self.knownFailures[file, default: 0], "\(failures)")
    }

    @Test(arguments: try SchemaSuite.files(in: "draft2020-12/optional/format"))
    func formats(_ file: String) throws {
        #expect(try Self.run(file, assertsFormats: true).failures == [])
    }
}
