import KeyedArchives
import SaveCodec
import Testing

/// Everything that can be wrong with an archive (the article ArchiveFindings): the problem, its address and how grave
/// it is.
@Suite struct IntegrityTests {
    @Test(arguments: IntegrityCase.all) func problems(_ row: IntegrityCase) throws {
        let document = try JSON.read(Array(row.json.utf8))
        let problems = KeyedArchive.problems(in: document)
        #expect(problems.map { "\($0.severity) \($0)" } == row.problems)
        if row.isRefused {
            #expect(throws: try #require(problems.first)) { try KeyedArchive(document) }
        } else {
            #expect(try KeyedArchive(document).remarks == problems)
        }
    }
}
