import KeyedArchives
import SaveCodec
import SaveOperations
import Testing

/// A new score changes a table by the rules of the games, and its record takes the storage of the others.
@Suite struct ScoreAddingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let json: String
        let record: ScoreRecord
        var keep = 10
        var search = ScoreSearch()
        /// The reported outcome, or the problem.
        let told: String
        /// The table as JSON.
        var result: String?
        var testDescription: String { name }
    }

    private static func outcome(_ row: Case) throws -> (told: String, json: String?) {
        let table = try row.search.table(in: DiffText.view(row.json))
        do throws(Problem) {
            switch try table.adding(row.record, keep: row.keep) {
            case .refused(let last): return ("refused, last \(last.score)", nil)
            case .entered(let entry):
                let more =
                    (entry.isAppended ? ", appended" : "") + (entry.dropped > 0 ? ", \(entry.dropped) dropped" : "")
                return ("rank \(entry.rank) of \(entry.count)" + more, try? ScoreText.json(entry.edited.document))
            }
        } catch {
            return ("\(error)", nil)
        }
    }

    @Test(arguments: rules + types + archives) func added(_ row: Case) throws {
        let (told, json) = try Self.outcome(row)
        #expect(told == row.told)
        if let result = row.result { #expect(json == result, "\(json ?? "")") }
    }

    // MARK: The rule

    private static func table(_ scores: [String]) -> String {
        "[" + scores.map { #"{"playerName":"p","score":\#($0)}"# }.joined(separator: ",") + "]"
    }

    private static func new(_ score: String) -> String { #"{"playerName":"new","score":\#(score)}"# }

    private static let ten = table((1...10).reversed().map { "\($0)" })

    static let rules = [
        Case(
            name: "the first", json: "[]", record: ScoreRecord("new", .integer(5)), told: "rank 1 of 1",
            result: #"[{"name":"new","score":5}]"#),
        Case(
            name: "the eleventh, lower than the tenth", json: ten, record: ScoreRecord("new", .integer(0)),
            told: "refused, last 1"),
        Case(
            name: "the eleventh, equal to the tenth", json: ten, record: ScoreRecord("new", .integer(1)),
            told: "refused, last 1"),
        Case(
            name: "the eleventh, higher", json: ten, record: ScoreRecord("new", .integer(20)),
            told: "rank 1 of 10, 1 dropped"),
        Case(
            name: "equal to another", json: ten, record: ScoreRecord("new", .integer(9)),
            told: "rank 2 of 10, 1 dropped"),
        Case(name: "any number", json: ten, record: ScoreRecord("new", .integer(0)), keep: 0, told: "rank 11 of 11"),
        Case(
            name: "room for one more", json: ten, record: ScoreRecord("new", .integer(0)), keep: 11,
            told: "rank 11 of 11"),
        Case(
            name: "fewer than there are", json: ten, record: ScoreRecord("new", .integer(9)), keep: 3,
            told: "rank 2 of 3, 8 dropped",
            result: "[\(table(["10"]).dropFirst().dropLast()),\(table(["9"]).dropFirst().dropLast()),\(new("9"))]"),
        Case(
            name: "not among the fewer", json: ten, record: ScoreRecord("new", .integer(8)), keep: 3,
            told: "refused, last 8"),
        Case(
            name: "behind its equals", json: table(["7", "5", "5", "2"]), record: ScoreRecord("new", .integer(5)),
            told: "rank 2 of 5",
            result: #"[{"playerName":"p","score":7},{"playerName":"p","score":5},{"playerName":"p","score":5},"#
                + #"{"playerName":"new","score":5},{"playerName":"p","score":2}]"#),
        Case(
            name: "not in order",
            json: #"[{"playerName":"a","score":1},{"playerName":"b","score":5},{"playerName":"c","score":1}]"#,
            record: ScoreRecord("new", .integer(3)), told: "rank 2 of 4, appended",
            result: #"[{"playerName":"a","score":1},{"playerName":"b","score":5},{"playerName":"c","score":1},"#
                + #"{"playerName":"new","score":3}]"#),
        Case(
            name: "not in order, and refused",
            json: #"[{"playerName":"a","score":1},{"playerName":"b","score":5}]"#,
            record: ScoreRecord("new", .integer(1)), keep: 2,
            told: "(root): the table is full, and its first score is the lowest; use --order lowest if that is the "
                + "best, or else --order highest"),
        Case(
            name: "beyond what reals hold", json: table(["9007199254740993", "9007199254740992.0"]),
            record: ScoreRecord("new", .integer(9_007_199_254_740_992)), told: "rank 2 of 3"),
    ]

    // MARK: Types

    static let types = [
        Case(
            name: "a whole score among reals", json: table(["2.5", "0.5"]), record: ScoreRecord("new", .integer(1)),
            told: "rank 2 of 3",
            result: #"[{"playerName":"p","score":2.5},{"playerName":"new","score":1.0},{"playerName":"p","score":0.5}]"#
        ),
        Case(
            name: "a real score among whole ones", json: table(["2"]), record: ScoreRecord("new", .real(1.5)),
            told: "/0/score: the score 1.5 cannot be stored as an integer, the type of the other scores"),
        Case(
            name: "numbers as other writers of JSON have them", json: table(["12.5", "11"]),
            record: ScoreRecord("new", .real(11.5)), told: "rank 2 of 3",
            result:
                #"[{"playerName":"p","score":12.5},{"playerName":"new","score":11.5},{"playerName":"p","score":11}]"#),
        Case(
            name: "reals of four bytes", json: table([#"{"$real32":0.1}"#]), record: ScoreRecord("new", .real(0.1)),
            told: "rank 1 of 2",
            result: #"[{"playerName":"p","score":{"$real32":0.1}},{"playerName":"new","score":{"$real32":0.1}}]"#),
        Case(
            name: "more digits than four bytes hold", json: table([#"{"$real32":0.1}"#]),
            record: ScoreRecord("new", .real(0.123456789)),
            told: "/0/score: the score 0.123456789 cannot be stored as a 32-bit real, "
                + "the type of the other scores"),
        Case(
            name: "order of the fields",
            json: #"[{"date":{"$date":"2009-09-06T12:34:56Z"},"level":3,"score":5,"playerName":"p"}]"#,
            record: ScoreRecord("new", .integer(1), 1), told: "rank 2 of 2",
            result: #"[{"date":{"$date":"2009-09-06T12:34:56Z"},"level":3,"score":5,"playerName":"p"},"#
                + #"{"date":{"$date":"2001-01-01T00:00:01Z"},"score":1,"playerName":"new"}]"#),
        Case(
            name: "a date that is a string",
            json: #"[{"date":"2009-09-06T14:34:56+02:00","score":5,"playerName":"p"}]"#,
            record: ScoreRecord("new", .integer(1), 1), told: "rank 2 of 2",
            result: #"[{"date":"2009-09-06T14:34:56+02:00","score":5,"playerName":"p"},"#
                + #"{"date":"2001-01-01T02:00:01+02:00","score":1,"playerName":"new"}]"#),
        Case(
            name: "a date where JSON has none", json: table(["5"]), record: ScoreRecord("new", .integer(1), 1),
            told: "rank 2 of 2",
            result: #"[{"playerName":"p","score":5},{"playerName":"new","score":1,"date":"2001-01-01T00:00:01Z"}]"#),
        Case(
            name: "a date that one record has",
            json:
                #"[{"playerName":"p","score":9},{"playerName":"q","score":5,"date":{"$date":"2009-09-06T12:34:56Z"}}]"#,
            record: ScoreRecord("new", .integer(7), 1), told: "rank 2 of 3",
            result:
                #"[{"playerName":"p","score":9},{"playerName":"new","score":7,"date":{"$date":"2001-01-01T00:00:01Z"}},"#
                + #"{"playerName":"q","score":5,"date":{"$date":"2009-09-06T12:34:56Z"}}]"#),
        Case(
            name: "no date", json: #"[{"playerName":"q","date":{"$date":"2009-09-06T12:34:56Z"},"score":5}]"#,
            record: ScoreRecord("new", .integer(7)), told: "rank 1 of 2",
            result:
                #"[{"playerName":"new","score":7},{"playerName":"q","date":{"$date":"2009-09-06T12:34:56Z"},"score":5}]"#
        ),
        Case(
            name: "no field for dates", json: #"[{"who":"q","points":5}]"#, record: ScoreRecord("new", .integer(7), 5),
            search: ScoreSearch(fields: ScoreFields(name: "who", score: "points", date: nil)), told: "rank 1 of 2",
            result: #"[{"who":"new","points":7},{"who":"q","points":5}]"#),
        Case(
            name: "a deep table", json: #"{"a":[{"b":[{"score":5,"playerName":"p"}]}],"c":[1]}"#,
            record: ScoreRecord("new", .integer(7)), search: ScoreSearch(address: JSONPointer("/a/0/b")),
            told: "rank 1 of 2",
            result: #"{"a":[{"b":[{"score":7,"playerName":"new"},{"score":5,"playerName":"p"}]}],"c":[1]}"#),
        // An empty table takes the form of the one beside it.
        Case(
            name: "empty beside records",
            json: #"{"easy":[{"player":"p","points":"5","date":"2009-09-06T12:34:56Z"}],"hard":[]}"#,
            record: ScoreRecord("new", .integer(7), 0), search: ScoreSearch(address: JSONPointer("/hard")),
            told: "rank 1 of 1",
            result: #"{"easy":[{"player":"p","points":"5","date":"2009-09-06T12:34:56Z"}],"#
                + #""hard":[{"player":"new","points":"7","date":"2001-01-01T00:00:00Z"}]}"#),
        Case(
            name: "empty beside pairs", json: #"{"hard":[],"easy":[["p",5],["q",4]]}"#,
            record: ScoreRecord("new", .integer(7)), search: ScoreSearch(address: JSONPointer("/hard")),
            told: "rank 1 of 1", result: #"{"hard":[["new",7]],"easy":[["p",5],["q",4]]}"#),
        Case(
            name: "empty beside other arrays", json: #"{"hard":[],"names":["p"],"more":[1,2]}"#,
            record: ScoreRecord("new", .integer(7)), search: ScoreSearch(address: JSONPointer("/hard")),
            told: "rank 1 of 1", result: #"{"hard":[{"name":"new","score":7}],"names":["p"],"more":[1,2]}"#),
    ]

    // MARK: Archives

    private static func archive(_ elements: String, class name: String = "NSArray") -> String {
        ScoreText.archive(#"{"HighScores":{"$class":"\#(name)","$elements":[\#(elements)]}}"#)
    }

    static let archives = [
        Case(
            name: "an empty table", json: archive("", class: "NSMutableArray"),
            record: ScoreRecord("new", .integer(7), 0.5), told: "rank 1 of 1",
            result: #"{"HighScores":{"$class":"NSMutableArray","$elements":[{"$class":"HighScoreRecord","Name":"new","#
                + #""TotalScore":{"$object":7},"DateRecorded":{"$date":"2001-01-01T00:00:00.5Z"}}]}}"#),
        Case(
            name: "numbers in place", json: archive(#"{"$class":"HighScoreRecord","TotalScore":5,"Name":"A"}"#),
            record: ScoreRecord("new", .integer(7)), told: "rank 1 of 2",
            result: #"{"HighScores":[{"$class":"HighScoreRecord","TotalScore":7,"Name":"new"},"#
                + #"{"$class":"HighScoreRecord","TotalScore":5,"Name":"A"}]}"#),
        Case(
            name: "reals that are objects",
            json: archive(#"{"$class":"HighScoreRecord","Name":"A","TotalScore":{"$object":5.5}}"#),
            record: ScoreRecord("new", .integer(7)), told: "rank 1 of 2",
            result: #"{"HighScores":[{"$class":"HighScoreRecord","Name":"new","TotalScore":{"$object":7.0}},"#
                + #"{"$class":"HighScoreRecord","Name":"A","TotalScore":{"$object":5.5}}]}"#),
        Case(
            name: "records that are dictionaries",
            json: archive(
                #"{"$class":"NSMutableDictionary","$entries":{"Name":{"$class":"NSMutableString","NS.string":{"$inline":"A"}},"#
                    + #""TotalScore":5}}"#,
                class: "NSMutableArray"),
            record: ScoreRecord("new", .integer(3), 1), told: "rank 2 of 2",
            result:
                #"{"HighScores":{"$class":"NSMutableArray","$elements":[{"$class":"NSMutableDictionary","$entries":"#
                + #"{"Name":{"$class":"NSMutableString","NS.string":{"$inline":"A"}},"TotalScore":5}},"#
                + #"{"$class":"NSMutableDictionary","$entries":{"Name":{"$class":"NSMutableString","NS.string":{"$inline":"new"}},"#
                + #""TotalScore":3,"DateRecorded":{"$date":"2001-01-01T00:00:01Z"}}}]}}"#),
        Case(
            name: "a class of another name",
            json: archive(
                #"{"$class":"Entry","Name":"A","TotalScore":5,"DateRecorded":null,"level":{"$class":"Level"}}"#),
            record: ScoreRecord("new", .integer(3), 1), told: "rank 2 of 2",
            result:
                #"{"HighScores":[{"$class":"Entry","Name":"A","TotalScore":5,"DateRecorded":null,"level":{"$class":"Level"}},"#
                + #"{"$class":"Entry","Name":"new","TotalScore":3,"DateRecorded":{"$date":"2001-01-01T00:00:01Z"}}]}"#),
        Case(
            name: "records that stand in place",
            json: ScoreText.archive(
                #"{"HighScores":{"$inline":[{"$inline":{"Name":{"$inline":"A"},"TotalScore":5}}]}}"#),
            record: ScoreRecord("new", .integer(7), 1), told: "rank 1 of 2",
            result: #"{"HighScores":{"$inline":[{"$inline":{"Name":{"$inline":"new"},"TotalScore":7,"#
                + #""DateRecorded":{"$inline":{"$date":"2001-01-01T00:00:01Z"}}}},"#
                + #"{"$inline":{"Name":{"$inline":"A"},"TotalScore":5}}]}}"#),
        Case(
            name: "records without a class",
            json: ScoreText.archive(#"{"HighScores":{"$raw":[{"Name":"A","TotalScore":5}]}}"#),
            record: ScoreRecord("new", .integer(7), 1), told: "rank 1 of 2",
            result:
                #"{"HighScores":{"$raw":[{"Name":"new","TotalScore":7,"DateRecorded":{"$date":"2001-01-01T00:00:01Z"}},"#
                + #"{"Name":"A","TotalScore":5}]}}"#),
    ]
}
