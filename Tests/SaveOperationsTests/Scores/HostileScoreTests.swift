import KeyedArchive
import SaveCodec
import SaveOperations
import Testing

/// Saves that are made to take long, or memory: nothing takes more than n log n.
///
/// The bounds are those of an unoptimized build on a busy machine; what they rule out takes hours.
@Suite(.serialized) struct HostileScoreTests {
    private static let size = 5_000

    /// Adds a score and merges the table with itself, and says how many records there are then.
    private static func work(on document: Document) throws -> Int {
        let view = KeyedArchive.isArchive(document) ? ObjectView(try KeyedArchive(document)) : ObjectView(document)
        let table = try ScoreSearch().table(in: view)
        _ = table.leftOut()
        guard case .entered(let entry) = try table.adding(ScoreRecord("new", .integer(Int128(size / 2))), keep: 0)
        else {
            return 0
        }
        return try max(entry.count, table.merging([table], keep: 0).count)
    }

    @Test(arguments: ["falling", "rising", "equal"]) func manyRecords(_ order: String) throws {
        for form in ScoreForm.allCases {
            let records = (0..<Self.size).map { number in
                let score = order == "equal" ? 1 : order == "rising" ? number : Self.size - number
                return ScoreRecord("p\(number)", .integer(Int128(score)), Double(number))
            }
            let document = try ScoreTable.document(of: records, form: form)
            var count = 0
            let time = try ContinuousClock().measure { count = try Self.work(on: document) }
            #expect(count == Self.size + 1)
            #expect(time < .seconds(60), "\(form)")
        }
    }

    /// One dictionary with a long name, as often as there are references.
    @Test func oneRecordManyTimes() throws {
        var builder = DocumentBuilder()
        builder.open(.array)
        builder.open(.dictionary)
        for text in ["playerName", String(repeating: "x", count: ScoreRecord.longestName), "score"] {
            builder.add(string: text)
        }
        builder.add(integer: 5)
        let record = builder.close()
        for _ in 1..<Self.size { builder.add(record) }
        builder.close()
        let document = try builder.finish()
        var count = 0
        let time = try ContinuousClock().measure { count = try Self.work(on: document) }
        // The two tables of a merge have one record.
        #expect(count == Self.size + 1)
        #expect(time < .seconds(60))
    }
}
