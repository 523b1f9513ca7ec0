import Foundation
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

@testable import SaveInspection

/// Every damaged file gets a report, and the report agrees with the readers.
///
/// `SAVETOOL_FUZZ_ITERATIONS` sets the number of rounds. `SAVETOOL_FUZZ_KEEP` names a folder that receives the current
/// file.
@Suite struct ValidationFuzzTests {
    /// Returns small files of all formats, because damage to large ones seldom has an effect.
    private static func seeds() throws -> [[UInt8]] {
        let folders = ["games", "archives-tricky", "tricky", "bad"].map { TestFiles.fixtures.appending(path: $0) }
        return try folders.flatMap(TestFiles.files).map { try TestFiles.bytes($0.url) }.filter { $0.count <= 2_048 }
    }

    @Test func damagedFiles() throws {
        let validation = Validation(classes: [ClassPolicy(allowing: ["Foundation", "Player"])])
        var opaque = validation
        opaque.nesting = nil
        var mutator = Mutator(seeds: try Self.seeds(), seed: 0x5A1D, keepsLength: true)
        var validCount = 0
        for _ in 0..<TestScale.fuzzIterations {
            let bytes = mutator.next()
            if let folder = TestFiles.folder("SAVETOOL_FUZZ_KEEP") {
                try Data(bytes).write(to: folder.appending(path: "fuzz.validate"))
            }
            let report = opaque.report(on: bytes)
            let errors = report.findings.map(\.problem).filter { $0.severity == .error }
            if errors.isEmpty { validCount += 1 }
            #expect(Self.isSound(bytes) == errors.allSatisfy { Self.isBesideReading($0) })
            #expect(report.isArchive || errors.count < 2)
            #expect(Set(report.findings.map(ValidationTests.line)).count == report.findings.count)
            // Findings in nested saves come last.
            let findings = validation.report(on: bytes).findings
            #expect(Array(findings.prefix(report.findings.count)) == report.findings)
        }
        #expect(validCount > 0 && validCount < TestScale.fuzzIterations)
    }

    /// Whether an error does not prevent reading: errors in objects of Foundation classes, and violations of the class
    /// policy.
    private static func isBesideReading(_ problem: Problem) -> Bool {
        [
            "class.unexpected", "archive.field-missing", "archive.field-kind", "archive.element-kind",
            "archive.element-nil", "archive.pair-count",
        ].contains(problem.id)
    }

    private static func isSound(_ bytes: [UInt8]) -> Bool {
        guard let format = try? Format.recognize(bytes), let document = try? Document.read(bytes, as: format) else {
            return false
        }
        if GraphJSON.isPresent(in: document) {
            guard let stored = try? GraphJSON.archive(from: document) else { return false }
            return (try? KeyedArchive(stored)) != nil
        }
        return !KeyedArchive.isArchive(document) || (try? KeyedArchive(document)) != nil
    }
}
