import KeyedArchives
import SaveCodec
import SaveOperations
import TestSupport
import Testing

/// Operations on hostile score tables take at most O(*n* log *n*) time.
@Suite struct HostileScoreTests {
    private static let size = TestScale.count(1_000, long: 2_000)

    /// Adds a score and merges the table with itself.
    ///
    /// - Returns: The number of records afterwards.
    private static func work(on document: Document, of size: Int) throws -> Int {
        let view = KeyedArchive.isArchive(document) ? ObjectView(try KeyedArchive(document)) : ObjectView(document)
        let table = try ScoreSearch().table(in: view)
        _ = table.conversionLosses()
        guard case .entered(let entry) = try table.adding(ScoreRecord("new", .integer(Int128(size / 2))), keep: 0)
        else {
            return 0
        }
        return try max(entry.count, table.merging([table], keep: 0).count)
    }

    @Test(arguments: ["falling", "rising", "equal"]) func manyRecords(_ order: String) throws {
        for form in ScoreTableFormat.allCases {
            let isLinear = try Growth.isLinear(to: Self.size) { size in
                let records = (0..<size).map { number in
                    let score = order == "equal" ? 1 : order == "rising" ? number : size - number
                    return ScoreRecord("p\(number)", .integer(Int128(score)), Double(number))
                }
                let document = try ScoreTable.document(of: records, form: form)
                return {
                    let count = try Self.work(on: document, of: size)
                    #expect(count == size + 1)
                }
            }
            #expect(isLinear, "\(form)")
        }
    }

    @Test func manyUnreadableRecords() throws {
        let records =
            [#"{"playerName":"Ada","score":5}"#]
            + [String](repeating: #"{"playerName":"Bob","score":true}"#, count: 1012)
        let document = try JSON.readTyped(Array("[\(records.joined(separator: ","))]".utf8))
        let table = try ScoreSearch().readableTable(in: ObjectView(document))
        #expect(table.records.count == 1 && table.unreadable.count == 1001)
        #expect(table.unreadable.last.map(\.description) == "(root): 12 more records cannot be read")
    }

    /// A single dictionary with a long name is referred to many times.
    @Test func oneRecordManyTimes() throws {
        let isLinear = try Growth.isLinear(to: Self.size) { size in
            let document = try Self.oneRecord(times: size)
            // Both tables of the merge consist of the same record.
            return {
                let count = try Self.work(on: document, of: size)
                #expect(count == size + 1)
            }
        }
        #expect(isLinear)
    }

    private static func oneRecord(times size: Int) throws -> Document {
        var builder = DocumentBuilder()
        builder.open(.array)
        builder.open(.dictionary)
        for text in ["playerName", String(repeating: "x", count: ScoreRecord.longestName), "score"] {
            builder.add(string: text)
        }
        builder.add(integer: 5)
        let record = builder.close()
        for _ in 1..<size { builder.add(record) }
        builder.close()
        return try builder.finish()
    }
}
