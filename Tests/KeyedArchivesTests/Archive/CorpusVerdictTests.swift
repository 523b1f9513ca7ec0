import Foundation
@testable import KeyedArchives
import SaveCodec
import TestSupport
import Testing

/// Files of the corpus that are sound property lists and broken archives get the verdict of VERDICTS.tsv.
@Suite(.enabled(if: TestFiles.folder("SAVETOOL_CORPUS") != nil))
struct CorpusVerdictTests {
    /// The name of each file and the first problem of its archive.
    private static let files: [(name: String, problem: String?)] = [
        ("missing_archiver", "/$archiver: $archiver is missing; every archive needs it"),
        ("missing_objects", "/$objects: $objects is missing; every archive needs it"),
        ("missing_top", "/$top: $top is missing; every archive needs it"),
        ("missing_version", "/$version: $version is missing; every archive needs it"),
        // Only the name of the archiver is unusual.
        ("wrong_archiver", nil),
        ("wrong_version", "/$version: $version is 18; expected 100000"),
    ]

    @Test(arguments: files) func archiveProblem(name: String, problem: String?) throws {
        let corpus = try #require(TestFiles.folder("SAVETOOL_CORPUS"))
        let file = "danielpaulus__go-ios/ios__nskeyedarchiver__fixtures__\(name).xml"
        let document = try ArchiveFile.document(corpus.appending(path: file))
        #expect(KeyedArchive.examine(document).problems.first?.description == problem)
        let row = try #require(
            SeparatedTable(corpus.appending(path: "VERDICTS.tsv")).rows.first { $0["file"] == file })
        #expect(row["archive_problems", default: ""].isEmpty == (problem == nil))
    }
}
