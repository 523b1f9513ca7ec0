import KeyedArchives
import SaveCodec
@testable import SaveOperations
import Testing

/// Arrays of high scores are recognized as tables, and other files get a helpful error.
@Suite struct ScoreSearchTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let json: String
        var search = ScoreSearch()
        /// The form, the address and the records, or the problem.
        let result: String
        var testDescription: String { String(json.prefix(200)) }
    }

    private static let ada = #"{"score":5,"playerName":"Ada"}"#
    private static let custom = ScoreFields(name: "who", score: "points", date: nil)

    static let found = [
        Case(json: "[\(ada)]", result: "plist (root): Ada 5"),
        Case(
            json: #"{"b":1,"scores":[\#(ada),{"playerName":"Bob","score":2.5,"date":null,"level":3}]}"#,
            result: "plist /scores: Ada 5, Bob 2.5"),
        Case(json: #"[{"player_name":"Ada","total_score":-5}]"#, result: "feed (root): Ada -5"),
        Case(
            json: #"[{"playerName":"Ada","score":1,"date":"2009-09-06T14:34:56+02:00"}]"#,
            result: "plist (root): Ada 1 2009-09-06T14:34:56+02:00"),
        Case(
            json: #"[{"playerName":"Ada","score":{"$real32":0.1},"date":{"$date":"2009-09-06T12:34:56.5Z"}}]"#,
            result: "plist (root): Ada 0.1 2009-09-06T12:34:56.5Z"),
        Case(
            json: #"[{"playerName":"A","score":170141183460469231731687303715884105727}]"#,
            result: "plist (root): A 170141183460469231731687303715884105727"),
        Case(json: #"[{"name":"Ada","score":5}]"#, result: "plist (root): Ada 5"),
        Case(
            json: #"{"t":[{"initials":"ADA","score":5,"date":"2009-09-06T12:34:56Z"}]}"#,
            result: "plist /t: ADA 5 2009-09-06T12:34:56Z"),
        // Likelier names are preferred.
        Case(json: #"{"a":[{"name":"x","score":1}],"b":[\#(ada)]}"#, result: "plist /b: Ada 5"),
        Case(json: #"[{"playerName":"Ada","name":"x","score":5}]"#, result: "plist (root): Ada 5"),
        // The table need not be sorted, and its first elements identify it.
        Case(json: "[\(ada),{\"playerName\":\"Bob\",\"score\":7}]", result: "plist (root): Ada 5, Bob 7"),
        // An empty array can be a table.
        Case(json: "[]", result: "plist (root): "),
        Case(json: #"{"HighScores":[],"b":[1],"c":[]}"#, result: "plist /HighScores: "),
        Case(json: #"{"a":[],"b":[1]}"#, search: ScoreSearch(address: JSONPointer("/a")), result: "plist /a: "),
        Case(json: "[]", search: ScoreSearch(form: .feed), result: "feed (root): "),
        Case(json: #"{"a":[],"b":[\#(ada)]}"#, result: "plist /b: Ada 5"),
        Case(
            json: #"{"a":[\#(ada)],"b":[\#(ada)]}"#, search: ScoreSearch(address: JSONPointer("/b")),
            result: "plist /b: Ada 5"),
        Case(
            json: #"{"a":{"b":[[\#(ada)]]}}"#, search: ScoreSearch(address: JSONPointer("/a/b/0")),
            result: "plist /a/b/0: Ada 5"),
        Case(
            json: #"[{"who":"Ada","points":5,"score":7}]"#, search: ScoreSearch(fields: custom),
            result: "plist (root): Ada 5"),
        Case(
            json: #"[{"who":"Ada","points":5}]"#, search: ScoreSearch(form: .feed, fields: custom),
            result: "plist (root): Ada 5"),
        Case(
            json: #"[{"player_name":"Ada","total_score":5}]"#,
            search: ScoreSearch(form: .plist, fields: ScoreTableFormat.feed.fields), result: "feed (root): Ada 5"),
        Case(
            json: ScoreText.archive(#"{"Best":[\#(ScoreText.record("Ada", "5"))],"version":1}"#),
            result: "archive /Best: Ada 5"),
        Case(
            json: ScoreText.archive(
                #"{"HighScores":{"$class":"NSMutableArray","$elements":[{"$class":"Entry","Name":"A","TotalScore":1,"DateRecorded":null}]}}"#
            ),
            result: "archive /HighScores: A 1"),
        Case(
            json: ScoreText.archive(#"{"HighScores":[{"playerName":"A","score":1}]}"#),
            result: "archive /HighScores: A 1"),
        Case(json: ScoreText.archive(#"{"HighScores":[]}"#), result: "archive /HighScores: "),
        // One array under two keys is one table.
        Case(
            json: ScoreText.archive(
                #"{"a":{"$id":1,"$class":"NSArray","$elements":[\#(ScoreText.record("A", "1"))]},"b":{"$ref":1}}"#),
            result: "archive /a: A 1"),
        // A record that occurs twice counts twice.
        Case(
            json: ScoreText.archive(
                #"{"a":[{"$id":1,"$class":"HighScoreRecord","Name":"A","TotalScore":1},{"$ref":1}]}"#),
            result: "archive /a: A 1, A 1"),
    ]

    private static let expected =
        "expected an array of records with a name and a score, of pairs, or one score for each name"

    static let refused = [
        Case(json: "5", result: "found no high scores; \(expected)"),
        Case(json: "{}", result: "found no high scores; \(expected)"),
        Case(json: "[1]", result: "found no high scores; \(expected); --at '' would read 1 record"),
        Case(
            json: #"{"a":{"b":[\#(ada)],"c":[true]}}"#,
            result: "found no high scores; \(expected); "
                + "--at /a/b --fields name=playerName,score=score would read 1 record"),
        Case(
            json: "[\(ada)]", search: ScoreSearch(fields: custom),
            result: "found no high scores; expected an array of records with who and points; "
                + "--fields name=playerName,score=score would read 1 record"),
        // Likelier names win over the nearer array, and a date is included if there is one.
        Case(
            json:
                #"{"pets":[{"kind":"cat","age":3}],"t":{"l s":[{"lvl":1,"Who":"A","Points":1,"at":{"$date":0}},{}],"u":[true]}}"#,
            result: "found no high scores; \(expected); "
                + "--at '/t/l s' --fields name=Who,score=Points,date=at would read 2 records"),
        // A date may be a text or a number. A time that is a number may be the score.
        Case(
            json: #"{"a":{"b":{"c":{"d":[{"hero":"A","when":"soon","best":1}]}}}}"#,
            result: "found no high scores; \(expected); "
                + "--at /a/b/c/d --fields name=hero,score=best,date=when would read 1 record"),
        Case(
            json: #"{"a":{"b":{"c":{"d":[{"hero":"A","timestamp":1252240496,"best":1,"time":3}]}}}}"#,
            result: "found no high scores; \(expected); "
                + "--at /a/b/c/d --fields name=hero,score=best,date=timestamp would read 1 record"),
        Case(
            json: #"{"a":[{"p":"x","n":1}],"b":[{"name":"x","total":1}]}"#,
            search: ScoreSearch(address: JSONPointer("/a")),
            result: "/a: found no high scores; \(expected); --at /a --fields name=p,score=n would read 1 record"),
        // The words are quoted for a shell, and names that need escaping are not suggested.
        Case(
            json: #"{"a'; echo hi #":[{"who":"A","pt":1}]}"#,
            result:
                "found no high scores; \(expected); --at '/a'\\''; echo hi #' --fields name=who,score=pt would read 1 "
                + "record"),
        Case(json: #"{"a\u001b":[{"who":"A","pt":1}]}"#, result: "found no high scores; \(expected)"),
        Case(
            json: "{\"\(String(repeating: "a", count: 180))\":[{\"who\":\"A\",\"pt\":1}]}",
            result: "found no high scores; \(expected)"),
        Case(
            json: #"[{"name":"A","score":"none"}]"#,
            result: "/0: found no high scores; this record cannot be read: found a string; expected a number"),
        Case(
            json: #"{"a":[{"name":"A","score":1}],"b":[{"initials":"A","score":1}]}"#,
            result: "found several tables: /a (1 record), /b (1 record); choose one with --at /a"),
        Case(
            json: #"{"a":[\#(ada)],"b":[\#(ada)]}"#,
            result: "found several tables: /a (1 record), /b (1 record); choose one with --at /a"),
        Case(json: #"{"gems":340,"unlockedLevels":[]}"#, result: "found no high scores; \(expected)"),
        Case(json: ScoreText.archive(#"{"a":[]}"#), result: "found no high scores; \(expected)"),
        Case(
            json: "[\(ada)]", search: ScoreSearch(address: JSONPointer("/a")),
            result: "/a: no such value; expected an array of high scores"),
        Case(
            json: "[\(ada)]", search: ScoreSearch(address: JSONPointer("/0")),
            result: "/0: found no high scores; \(expected)"),
        Case(
            json: "[\(ada)]", search: ScoreSearch(form: .feed),
            result: "found high scores in the form plist; expected feed"),
        Case(
            json: #"[{"who":"Ada","points":5}]"#, search: ScoreSearch(form: .archive, fields: custom),
            result: "found high scores in the form plist; expected archive"),
        Case(
            json: ScoreText.archive(#"{"HighScores":[]}"#), search: ScoreSearch(form: .plist),
            result: "found high scores in the form archive; expected plist"),
        Case(json: "[\(ada),7]", result: "/1: found an integer; expected a record with playerName and score"),
        Case(
            json: #"{"a/b":[\#(ada),[]]}"#,
            result: "/a~1b/1: found an array; expected a record with playerName and score"),
        Case(json: #"[\#(ada),{"playerName":"Bob"}]"#, result: "/1: the record has no score"),
        Case(json: #"[\#(ada),{"score":1}]"#, result: "plist (root): Ada 5,  1"),
        Case(
            json: #"[\#(ada),{"playerName":7,"score":1}]"#, result: "/1/playerName: found an integer; expected a string"
        ),
        Case(json: #"[{"playerName":"A","score":"12abc"}]"#, result: "/0/score: found a string; expected a number"),
        Case(json: #"[{"playerName":"A","score":true}]"#, result: "/0/score: found a boolean; expected a number"),
        Case(
            json: #"[{"playerName":"A","score":{"$real":"nan"}}]"#,
            result: "/0/score: found nan; expected a finite number"),
        Case(json: #"[{"playerName":"A","score":1,"date":5}]"#, result: "plist (root): A 1 5"),
        Case(json: #"[{"playerName":"A","score":1,"date":true}]"#, result: "/0/date: found a boolean; expected a date"),
        Case(
            json: #"[{"playerName":"A","score":1,"date":"yesterday"}]"#,
            result: "plist (root): A 1 yesterday"),
        Case(
            json: #"[{"playerName":"\#(String(repeating: "x", count: 1001))","score":1}]"#,
            result: "/0/playerName: a name of 1,001 UTF-16 code units; expected at most 1,000"),
        Case(
            json: ScoreText.archive(#"{"a":[\#(ScoreText.record("A", "1")),{"$class":"Entry","Name":"B"}]}"#),
            result: "/a/1: the record has no TotalScore"),
        // An array that contains itself.
        Case(
            json: ScoreText.archive(
                #"{"a":{"$id":1,"$class":"NSArray","$elements":[\#(ScoreText.record("A", "1")),{"$ref":1}]}}"#),
            result: "/a/1: found an array; expected a record with Name and TotalScore"),
        Case(
            json: ScoreText.archive(
                #"{"a":[{"$id":1,"$class":"HighScoreRecord","Name":"A","TotalScore":{"$ref":1}}]}"#),
            result: "/a/0/TotalScore: found an object of class HighScoreRecord; expected a number"),
    ]

    @Test(arguments: found + refused) func result(_ row: Case) throws {
        let view = try DiffText.view(row.json)
        let text: String
        do throws(Problem) {
            let table = try row.search.table(in: view)
            text = "\(table.form.rawValue) \(table.address): " + ScoreText.lines(table.records).joined(separator: ", ")
        } catch {
            text = "\(error)"
        }
        #expect(text == row.result, "\(text)")
    }

    @Test func usesEffectiveDuplicateKey() throws {
        var builder = DocumentBuilder()
        builder.open(.array)
        builder.open(.dictionary)
        builder.add(string: "playerName")
        builder.add(string: "Ada")
        for score in [5, 7] as [Int128] {
            builder.add(string: "score")
            builder.add(integer: score)
        }
        builder.close()
        builder.close()
        // Foundation uses the first of several duplicate keys in a binary file.
        let table = try ScoreSearch().table(in: ObjectView(builder.finish()))
        #expect(ScoreText.lines(table.records) == ["Ada 5"])
    }
}
