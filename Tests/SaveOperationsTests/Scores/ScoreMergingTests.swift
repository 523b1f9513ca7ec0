import KeyedArchives
import SaveCodec
@testable import SaveOperations
import TestSupport
import Testing

@Suite struct ScoreMergingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let tables: [String]
        var keep = 10
        /// The count, the losses, and the table as JSON; `unchanged` if it equals the first one.
        let result: String
        var testDescription: String { name }
    }

    private static func plist(_ records: (String, String)...) -> String {
        "[" + records.map { #"{"playerName":"\#($0.0)","score":\#($0.1)}"# }.joined(separator: ",") + "]"
    }

    static let rows = [
        Case(
            name: "with itself", tables: [plist(("a", "5"), ("b", "3")), plist(("a", "5"), ("b", "3"))],
            result: "2 of 2 unchanged"),
        Case(
            name: "equal scores stand in the order of the tables",
            tables: [plist(("a", "5"), ("b", "3")), plist(("c", "5"), ("d", "3")), plist(("e", "5"))],
            result: "5 of 5 " + plist(("a", "5"), ("c", "5"), ("e", "5"), ("b", "3"), ("d", "3"))),
        Case(
            name: "the same record in one table", tables: [plist(("a", "5"), ("a", "5")), plist(("b", "6"))],
            result: "2 of 2 " + plist(("b", "6"), ("a", "5"))),
        Case(
            name: "the best", tables: [plist(("a", "5"), ("b", "3")), plist(("c", "4"), ("d", "1"))], keep: 2,
            result: "2 of 4 " + plist(("a", "5"), ("c", "4"))),
        Case(
            name: "one out of order", tables: [plist(("a", "1"), ("b", "3")), plist(("a", "1"))],
            result: "2 of 2 " + plist(("b", "3"), ("a", "1"))),
        Case(
            name: "an empty one", tables: ["[]", plist(("a", "1"))], result: #"1 of 1 [{"name":"a","score":1}]"#),
        Case(
            name: "a number is what it is, whatever its type",
            tables: [plist(("a", "5.5"), ("b", "3.0")), plist(("b", "3"))], result: "2 of 2 unchanged"),
        Case(
            name: "types of the first", tables: [plist(("a", "5.5")), plist(("b", "3"))],
            result: "2 of 2 " + plist(("a", "5.5"), ("b", "3.0"))),
        Case(
            name: "a type that the first does not have", tables: [plist(("a", "5")), plist(("c", "1"), ("b", "2.5"))],
            result: "1: /1/score: the score 2.5 cannot be stored as an integer, the type of the other scores"),
        Case(
            name: "further fields of the same form",
            tables: [plist(("a", "5")), #"[{"score":2,"level":[1],"playerName":"b"}]"#],
            result: #"2 of 2 [{"playerName":"a","score":5},{"score":2,"level":[1],"playerName":"b"}]"#),
        Case(
            name: "further fields of another form",
            tables: [plist(("a", "5")), #"[{"total_score":2,"level":[1],"player_name":"b"}]"#],
            result: #"2 of 2 1: the result cannot hold the field level of 1 record "#
                + plist(("a", "5"), ("b", "2"))),
        Case(
            name: "dates of the first",
            tables: [
                #"[{"playerName":"a","score":5,"date":"2009-09-06T12:34:56Z"}]"#,
                #"[{"playerName":"b","score":4,"date":{"$date":"2009-09-06T12:34:56Z"}}]"#,
            ],
            result: #"2 of 2 [{"playerName":"a","score":5,"date":"2009-09-06T12:34:56Z"},"#
                + #"{"playerName":"b","score":4,"date":"2009-09-06T12:34:56Z"}]"#),
        Case(
            name: "archives",
            tables: [
                ScoreText.archive(#"{"HighScores":[\#(ScoreText.record("a", "5"))]}"#),
                ScoreText.archive(
                    #"{"x":[{"$class":"HighScoreRecord","Name":"b","TotalScore":{"$object":7},"Level":{"$class":"Level"}}]}"#
                ),
            ],
            result: #"2 of 2 {"HighScores":[{"$class":"HighScoreRecord","Name":"b","TotalScore":{"$object":7},"#
                + #""Level":{"$class":"Level"}},\#(ScoreText.record("a", "5"))]}"#),
        Case(
            name: "an archive and a property list",
            tables: [ScoreText.archive(#"{"HighScores":[\#(ScoreText.record("a", "5"))]}"#), plist(("b", "7"))],
            result: #"2 of 2 {"HighScores":[\#(ScoreText.record("b", "7")),\#(ScoreText.record("a", "5"))]}"#),
        Case(
            name: "a property list and an archive",
            tables: [plist(("b", "7")), ScoreText.archive(#"{"HighScores":[\#(ScoreText.record("a", "5"))]}"#)],
            result: "2 of 2 " + plist(("b", "7"), ("a", "5"))),
    ]

    @Test(arguments: rows) func merged(_ row: Case) throws {
        let tables = try row.tables.map { try ScoreSearch().table(in: DiffText.view($0)) }
        let text: String
        do throws(ScoreMergeFault) {
            let merge = try tables[0].merging(Array(tables.dropFirst()), keep: row.keep)
            let losses = merge.losses.enumerated().flatMap { number, losses in losses.map { "\(number + 1): \($0) " } }
            let json = (merge.edited?.document).flatMap { try? ScoreText.json($0) } ?? "unchanged"
            text = "\(merge.count) of \(merge.total) \(losses.joined())\(json)"
        } catch {
            text = "\(error.table): \(error.problem)"
        }
        #expect(text == row.result, "\(text)")
    }

    /// Merging tables of any form neither loses nor invents records.
    @Test(arguments: 0..<50) func mergesRandomTables(seed: Int) throws {
        var dice = SeededGenerator(seed: UInt64(seed))
        let tables = try (0..<3).map { _ in
            let records = (0..<dice.roll(6)).map { _ in
                ScoreRecord(
                    "p\(dice.roll(3))", .integer(Int128(dice.roll(4))), dice.roll(2) == 0 ? nil : Double(dice.roll(2)))
            }
            let form = ScoreTableFormat.allCases[dice.roll(3)]
            let document = try ScoreTable.document(of: records, form: form)
            let view = form == .archive ? ObjectView(try KeyedArchive(document)) : ObjectView(document)
            return try ScoreSearch(form: form == .feed ? .feed : nil).table(in: view)
        }
        let merged = try tables[0].merging(Array(tables.dropFirst()), keep: 0)
        let view = merged.edited
        let table = try ScoreSearch(form: tables[0].form == .feed ? .feed : nil).table(in: view ?? tables[0].view)
        let lines = ScoreText.lines(table.records)
        #expect(Set(lines) == Set(tables.flatMap { ScoreText.lines($0.records) }))
        #expect(Set(lines).count == lines.count)
        #expect(ScoreRanking(table.records).order == Array(table.records.indices))
        #expect(try table.merging(tables, keep: 0).edited == nil)
    }
}
