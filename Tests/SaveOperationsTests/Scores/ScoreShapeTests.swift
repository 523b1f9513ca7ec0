import KeyedArchives
import SaveCodec
@testable import SaveOperations
import Testing

/// The tables that games write are recognized by their shape and their words, and other data is not.
@Suite struct ScoreShapeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let json: String
        var at: String?
        /// The address and the records, or the problem.
        let result: String
        var testDescription: String { String(json.prefix(200)) }
    }

    static let found = [
        Case(json: #"[["Ada",62032],["Bob",5]]"#, result: "(root): Ada 62032, Bob 5"),
        Case(json: #"[[62032,"Ada"],[5,"Bob"]]"#, result: "(root): Ada 62032, Bob 5"),
        Case(json: #"[["Ada",5,3],["Bob",4,9]]"#, result: "(root): Ada 5, Bob 4"),
        Case(json: #"[["Ada",5,"2025-03-19"]]"#, result: "(root): Ada 5 2025-03-19"),
        Case(json: #"[["Ada","2025-03-19",5]]"#, result: "(root): Ada 5 2025-03-19"),
        Case(json: #"[["Ada",5,"August 07, 2025"]]"#, result: "(root): Ada 5 August 07, 2025"),
        Case(json: #"[["Ada",1741958175,5]]"#, result: "(root): Ada 5 1741958175"),
        Case(json: #"[["2025-03-19",5]]"#, result: "(root):  5 2025-03-19"),
        Case(json: #"[["Ada","120"],["7","90"]]"#, result: "(root): Ada 120, 7 90"),
        Case(json: #"[[null,5],["Bob",4]]"#, result: "(root):  5, Bob 4"),
        Case(json: #"{"leaderboard":[["Ada",5]],"v":[[1,2]]}"#, result: "/leaderboard: Ada 5"),
        Case(json: #"{"Ada":62032,"Bob":null,"Eve":1.5}"#, result: "(root): Ada 62032, Eve 1.5"),
        Case(json: #"{"last":"Ada","SCORES":{"Ada":5}}"#, result: "/SCORES: Ada 5"),
        Case(
            json: #"{"first":{"score":5,"name":"Ada"},"second":{"score":4,"name":"Bob"}}"#,
            result: "(root): Ada 5, Bob 4"),
        Case(json: #"{"Ada":{"score":5,"level":2},"Bob":{"score":4,"level":1}}"#, result: "(root): Ada 5, Bob 4"),
        Case(json: #"[{"Name":"Ada","Score":5,"Date":"x"}]"#, result: "(root): Ada 5 x"),
        Case(json: #"[{"user":null,"points":"25"},{"user":"Bob","points":"9"}]"#, result: "(root):  25, Bob 9"),
        Case(json: #"[{"name":"Ada","value":5,"teamSize":2}]"#, result: "(root): Ada 5"),
        Case(json: #"[{"name":"Ada","score":5,"wpm":9}]"#, result: "(root): Ada 5"),
        Case(json: #"[{"name":"Ada","time":350}]"#, result: "(root): Ada 350"),
        Case(json: #"[{"score":5},{"score":4,"name":"Bob"}]"#, result: "(root):  5, Bob 4"),
        Case(json: #"{"scores":[{"score":5,"wave":3,"kills":{"far":1}}]}"#, result: "/scores:  5"),
        Case(json: #"{"scores":[5,3]}"#, result: "/scores:  5,  3"),
        Case(json: "[5,3,1]", result: "(root):  5,  3,  1"),
        Case(json: "[5,3]", at: "", result: "(root):  5,  3"),
        Case(json: #"{"gems":5,"gold":3}"#, at: "", result: "(root): gems 5, gold 3"),
        Case(
            json: #"{"boards":[{"mode":"hard","scores":[]},{"mode":"easy","scores":[{"name":"Ada","time":3}]}]}"#,
            result: "/boards/1/scores: Ada 3"),
        Case(
            json: #"{"classic":[{"name":"Ada","score":5}],"action":[{"name":"Bob","score":4}]}"#, at: "/action",
            result: "/action: Bob 4"),
        Case(json: "[]", result: "(root): "),
        Case(json: #"{"leaderboard":[]}"#, result: "/leaderboard: "),
    ]

    private static let none =
        "found no high scores; expected an array of records with a name and a score, of pairs, or one score for each name"

    static let refused = [
        Case(
            json: #"{"classic":[{"name":"Ada","score":5}],"action":[{"name":"Bob","score":4}]}"#,
            result: "found several tables: /classic (1 record), /action (1 record); choose one with --at /classic"),
        Case(
            json: #"{"a b":{"Ada":5},"c":{"Ada":4,"Bob":3}}"#,
            result: "found several tables: /a b (1 record), /c (2 records); choose one with --at '/a b'"),
        Case(
            json: #"[{"name":"Ada","points":5,"value":4}]"#,
            result: "(root): points and value could both be the score; choose with --fields name=name,score=points or "
                + "--fields name=name,score=value"),
        Case(
            json: #"[[3,62032,"Ada"]]"#,
            result: "(root): 0 and 1 could both be the score; choose with --fields name=2,score=0 or "
                + "--fields name=2,score=1"),
        Case(
            json: #"[["Ada",3,9],["Bob",7,5]]"#,
            result: "(root): 1 and 2 could both be the score; choose with --fields name=0,score=1 or "
                + "--fields name=0,score=2"),
        Case(json: #"{"gems":340,"gold":12}"#, result: none + "; --at '' would read 2 records"),
        Case(json: #"{"games_won":1,"totalGames":2}"#, result: none + "; --at '' would read 2 records"),
        Case(
            json: #"{"highscore":{"score":0},"coins":{"points":0},"skins":{"id":"1"}}"#,
            result: none + "; --at /highscore would read 1 record"),
        Case(json: "[[1,2],[3,4]]", result: none),
        Case(json: "[5,3]", result: none + "; --at '' would read 2 records"),
        Case(
            json: #"{"path":[["a",1]],"name":"x","more":{"a":"b"}}"#, result: none + "; --at /path would read 1 record"),
        Case(
            json: #"{"inventory":[{"name":"sword","value":10}],"pos":{"u":"v"}}"#,
            result: none + "; --at /inventory "
                + "--fields name=name,score=value would read 1 record"),
    ]

    @Test(arguments: found + refused) func result(_ row: Case) throws {
        let view = try DiffText.view(row.json)
        let search = try ScoreSearch(address: row.at.map { try #require(JSONPointer($0)) })
        let text: String
        do throws(Problem) {
            let table = try search.table(in: view)
            text = "\(table.address): " + ScoreText.lines(table.records).joined(separator: ", ")
        } catch {
            text = "\(error)"
        }
        #expect(text == row.result, "\(text)")
    }

    // MARK: Dates

    static let dates = [
        "2009-09-06T12:34:56Z", "2025-03-19 20:49", "2025-03-19", "2025-03-14T13:36:15.7641994+01:00",
        "30.07.2025 17:52", "04.07.2023, 17:08", "2025-09-22 12:26:30 UTC", "2025/01/11 01:02:03",
        "2025-01-11T01:02:03",
        "2025-01-11T01:02:03.500-0330",
    ]

    /// A date is written in the spelling in which it was read.
    @Test(arguments: dates) func spelling(_ text: String) throws {
        let (spelling, seconds) = try #require(DateSpelling.read(Array(text.utf16)))
        #expect(spelling.write(seconds).map { String(decoding: $0, as: UTF16.self) } == text)
    }

    @Test func zonesAndUnits() {
        func seconds(_ text: String) -> Double? { ScoreDate(Array(text.utf16)).seconds }
        #expect(seconds("2025-03-14T13:00:00+01:00") == seconds("14.03.2025 12:00"))
        #expect(ScoreDate(.integer(1_741_953_600)).seconds == seconds("2025-03-14 12:00"))
        #expect(ScoreDate(.integer(1_741_953_600_000)).seconds == seconds("2025-03-14 12:00"))
        #expect(ScoreDate(.integer(12)).seconds == nil)
        for text in ["yesterday", "", "2025-13-01", "03/04/2025", "2025-03-14 25:00", "2025-03-14 12:00 CEST", "5"] {
            #expect(seconds(text) == nil, "\(text)")
        }
    }

    // MARK: Order

    @Test func olderFirstAmongEquals() {
        let records = [
            ScoreRecord("c", .integer(5)), ScoreRecord("b", .integer(5), 9), ScoreRecord("a", .integer(5), 3),
            ScoreRecord("d", .integer(7)),
        ]
        #expect(ScoreRanking(records).order == [3, 2, 1, 0])
        #expect(ScoreRanking(records, .lowest).order == [2, 1, 0, 3])
        #expect(ScoreRanking(records, .lowest).ranks == [1, 1, 1, 4])
    }

    // MARK: Adding and removing

    struct Addition: Sendable, CustomTestStringConvertible {
        let json: String
        var order = ScoreOrder.highest
        var date: Double?
        /// The table with a score of 7 for Zed, or the problem.
        let result: String
        var testDescription: String { json }
    }

    static let additions = [
        Addition(
            json: #"[{"name":"A","value":9},{"name":"B","value":3}]"#,
            result:
                #"[{"name":"A","value":9},{"name":"Zed","value":7},{"name":"B","value":3}]"#),
        Addition(
            json: #"[{"name":"A","value":3},{"name":"B","value":9}]"#,
            result:
                #"[{"name":"A","value":3},{"name":"Zed","value":7},{"name":"B","value":9}]"#),
        Addition(json: #"[["A",3],["B",9],["C",5]]"#, result: #"[["A",3],["B",9],["C",5],["Zed",7]]"#),
        Addition(json: #"[["A",3],["B",9]]"#, order: .lowest, result: #"[["A",3],["Zed",7],["B",9]]"#),
        Addition(json: #"[["A",9,4]]"#, result: #"[["A",9,4],["Zed",7,null]]"#),
        Addition(json: #"[[9,"A"]]"#, result: #"[[9,"A"],[7,"Zed"]]"#),
        Addition(json: #"[["A","9"]]"#, result: #"[["A","9"],["Zed","7"]]"#),
        Addition(
            json: #"[{"name":"A","score":"9"}]"#, result: #"[{"name":"A","score":"9"},{"name":"Zed","score":"7"}]"#),
        Addition(json: #"{"A":9,"B":null,"C":3}"#, result: #"{"A":9,"Zed":7,"B":null,"C":3}"#),
        Addition(json: #"{"A":9,"Zed":5}"#, result: #"{"A":9,"Zed":7}"#),
        Addition(json: #"{"A":9,"Zed":8}"#, result: "refused"),
        Addition(json: #"{"scores":[9,3]}"#, result: #"{"scores":[9,7,3]}"#),
        Addition(json: #"[{"score":9}]"#, result: #"[{"score":9},{"score":7}]"#),
        Addition(
            json: #"[{"name":"A","score":9,"date":"30.07.2025 17:52"}]"#, date: 61,
            result:
                #"[{"name":"A","score":9,"date":"30.07.2025 17:52"},{"name":"Zed","score":7,"date":"01.01.2001 00:01"}]"#
        ),
        Addition(
            json: #"[{"name":"A","score":9,"at":1741953600000}]"#, date: 61,
            result: #"[{"name":"A","score":9,"at":1741953600000},{"name":"Zed","score":7,"at":978307261000}]"#),
        Addition(
            json: #"[{"name":"A","score":9,"date":"August 07, 2025"}]"#, date: 61,
            result:
                "the date cannot be written like August 07, 2025; give it as text with --date TEXT, or leave it out with --date none"
        ),
        Addition(
            json: #"{"first":{"name":"A","score":9}}"#,
            result:
                "(root): the table is a dictionary whose keys are not names; use savetool set for its records"),
        Addition(json: "[]", date: 61, result: #"[{"name":"Zed","score":7}]"#),
    ]

    @Test(arguments: additions) func addition(_ row: Addition) throws {
        let document = try JSON.readTyped(Array(row.json.utf8))
        let search = ScoreSearch(order: row.order)
        let date = ScoreDate(row.date ?? 61)
        let record = ScoreRecord(name: Array("Zed".utf16), score: .integer(7), date: date, isDateImplied: true)
        var text = ""
        do {
            let table = try search.table(in: ObjectView(document))
            switch try table.adding(record, keep: 10) {
            case .refused: text = "refused"
            case .entered(let entry):
                text = try ScoreText.json(entry.edited.document)
                // Removing the record restores the table.
                let added = try search.table(in: entry.edited)
                let position = try #require(added.records.firstIndex { $0.score == .integer(7) })
                let restored = try ScoreText.json(added.removing([position]).document)
                #expect(restored == row.json || row.json.contains("Zed"), "\(restored)")
            }
        } catch let problem as Problem {
            text = "\(problem)"
        }
        #expect(text == row.result, "\(text)")
    }
}
