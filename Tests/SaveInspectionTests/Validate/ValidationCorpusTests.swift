import Foundation
import SaveCodec
import TestSupport
import Testing

@testable import SaveInspection

/// Real files from other programs: sound ones have no errors, and errors in the others have a location.
///
/// `Fixtures/validate-corpus.tsv` lists the first of the most severe findings of every file. `RECORD=1 swift test`
/// rewrites it.
@Suite(.enabled(if: TestFiles.folder("SAVETOOL_CORPUS") != nil))
struct ValidationCorpusTests {
    private static let table = TestFiles.fixtures.appending(path: "validate-corpus.tsv")

    /// Returns the verdicts that VERDICTS.tsv suggests, and verdicts for unlisted files that no reader accepts.
    private static func verdicts(_ corpus: URL) throws -> [String: String] {
        var verdicts = [
            // A comment in a key, and a list without a value: Core Foundation refuses both.
            "DHowett__go-plist/testdata__xml_unusual_cases__s04.plist": "reject",
            "log2timeline__plaso/test_data__plist__empty.plist": "reject",
        ]
        for row in try SeparatedTable(corpus.appending(path: "VERDICTS.tsv")).rows {
            let isBrokenArchive = !row["archive_problems", default: ""].isEmpty
            verdicts[row["file", default: ""]] = isBrokenArchive ? "reject" : row["suggested", default: ""]
        }
        // Characters outside Base64 are skipped, as by Core Foundation.
        verdicts["DHowett__go-plist/xml_test.go--invalid-08.xml"] = "reject: with a warning"
        return verdicts
    }

    private static func reports(_ corpus: URL) throws -> [(name: String, report: Report)] {
        try SeparatedTable(corpus.appending(path: "MANIFEST.tsv")).rows.map { row in
            let name = row["file", default: ""]
            return (name, Validation().report(on: try TestFiles.bytes(corpus.appending(path: name))))
        }
    }

    private static let storageKinds = [Problem.Kind("archive.field-storage"), Problem.Kind("archive.in-place-values")]

    private static func line(_ report: Report) -> String {
        report.findings.max { $0.problem.severity < $1.problem.severity }.map(ValidationTests.line) ?? ""
    }

    @Test func firstFindings() throws {
        let corpus = try #require(TestFiles.folder("SAVETOOL_CORPUS"))
        let reports = try Self.reports(corpus)
        let lines = reports.map { $0.name + "\t" + Self.line($0.report) }.sorted()
        let text = (["file\tfinding"] + lines).joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try Data(text.utf8).write(to: Self.table)
        } else {
            let recorded = try SeparatedTable(Self.table).rows.map { row in
                row["file", default: ""] + "\t" + row["finding", default: ""]
            }
            let changed = Set(lines).symmetricDifference(recorded).sorted()
            #expect(changed.isEmpty)
        }
    }

    @Test func findingsOfCorpusHaveLocations() throws {
        let corpus = try #require(TestFiles.folder("SAVETOOL_CORPUS"))
        let verdicts = try Self.verdicts(corpus)
        for (name, report) in try Self.reports(corpus) {
            // Archivers store each field in one way, and they store only references in place in lists.
            let storage = report.findings.filter { Self.storageKinds.contains($0.problem.kind) }
            #expect(storage.isEmpty, "\(name)")
            let errors = report.findings.filter { $0.problem.severity == .error }
            switch verdicts[name] {
            case nil: #expect(errors.isEmpty, "\(name)")
            case "reject"?: #expect(!errors.isEmpty, "\(name)")
            case let verdict? where verdict.hasPrefix("reject:"): #expect(!report.findings.isEmpty, "\(name)")
            default: break
            }
            for error in errors {
                #expect(error.problem.location != nil || error.problem.address != nil, "\(name): \(error.problem)")
            }
        }
    }
}
