import Foundation
import SaveCodec
import TestSupport
import Testing

/// Every file of `Fixtures/bad` and `Fixtures/tricky` gets the exact verdict and message of `Fixtures/hostile.tsv`.
///
/// Set `RECORD=1` to write the readers' messages to the table, and review them before you commit.
@Suite struct HostileInputTests {
    @Test func listsEveryFile() throws {
        let listed = try SeparatedTable(HostileInput.table).rows.map { $0["file", default: ""] }
        let found = try ["bad", "tricky"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: TestFiles.fixtures.appending(path: folder).path)
                .map { "\(folder)/\($0)" }
        }
        #expect(listed.sorted() == found.sorted())
    }

    @Test(.disabled(if: HostileInput.isRecording), arguments: try HostileInput.all())
    func verdict(_ input: HostileInput) throws {
        let judgement = try input.judge()
        #expect(judgement == input.judgement)
    }

    /// Rewrites the table when `RECORD=1`; it tests nothing. Review the result before you commit.
    @Test(.enabled(if: HostileInput.isRecording))
    func record() throws {
        var table = try SeparatedTable(HostileInput.table)
        for (row, input) in zip(table.rows.indices, try HostileInput.all()) {
            let judgement = try input.judge()
            table.rows[row]["verdict"] = judgement.verdict.rawValue
            table.rows[row]["message"] = judgement.message
        }
        try table.write(to: HostileInput.table)
    }

    /// These files are sound property lists, apart from names that are not strings; only the archives in them are
    /// broken.
    @Test(arguments: try FileManager.default.contentsOfDirectory(atPath: HostileInput.archives.path))
    func hostileArchivesAreValidPropertyLists(_ file: String) throws {
        let bytes = try TestFiles.bytes(HostileInput.archives.appending(path: file))
        let warnings = try Document.read(bytes, as: Format.recognize(bytes)).warnings
        #expect(warnings.map(\.id) == (file.hasPrefix("56-name-") ? ["binary.key-kind"] : []))
    }
}
