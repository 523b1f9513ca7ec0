import SaveCodec
import Testing

@testable import SaveToolKit

/// Tests that a score is refused if its type differs from that of the other scores in the table, unless `--change-type`
/// is given.
@Suite struct ScoreTypeTests {
    private static let fit =
        "cannot be stored as an integer, the type of the other scores; use --change-type to allow it\n"

    private static func workspace(_ format: String = "binary") throws -> Workspace {
        let workspace = try Workspace()
        try workspace.write(
            #"{"$archiver":"NSKeyedArchiver","$classes":{"HighScoreRecord":["HighScoreRecord","NSObject"]},"$top":"#
                + #"{"HighScores":[{"$class":"HighScoreRecord","Name":{"$class":"NSMutableString","NS.string":"#
                + #"{"$inline":"Ada"}},"TotalScore":{"$object":98}}]}}"#, to: "graph.json")
        let result = workspace.run(["convert", "--to", format, "-o", "scores.plist", "graph.json"])
        #expect(result.status == 0, "\(result.talk)")
        return workspace
    }

    @Test(arguments: ["binary", "xml"]) func addsScoreWithTypesOfTable(_ format: String) throws {
        let workspace = try Self.workspace(format)
        let before = try workspace.bytes(of: "scores.plist")
        var add = ["scores", "add", "scores.plist", "--name", "Eve", "--score", "12.5", "--date", "none"]
        let refused = workspace.run(add)
        #expect(refused.status == 2)
        #expect(refused.talk == "scores.plist: /HighScores/0/TotalScore: the score 12.5 " + Self.fit)
        #expect(try workspace.bytes(of: "scores.plist") == before)
        add.append("--change-type")
        #expect(workspace.run(add).output == "rank 2 of 2\n")
        // The new record copies the classes and the storage of its neighbor. The number is stored as given.
        let new = workspace.run(["get", "-f", "typed", "--compact", "scores.plist", "/HighScores/1"])
        #expect(
            new.output
                == #"{"$class":"HighScoreRecord","Name":{"$class":"NSMutableString","NS.string":{"$inline":"Eve"}},"#
                + #""TotalScore":{"$object":12.5}}"# + "\n", "\(new.output)\(new.talk)")
    }

    /// A whole number is accepted in every notation.
    @Test(arguments: ["99.0", "9.9e1"]) func acceptsIntegersInEveryNotation(_ score: String) throws {
        let workspace = try Self.workspace()
        let add = ["scores", "add", "scores.plist", "--name", "Eve", "--score", score, "--date", "none"]
        #expect(workspace.run(add).output == "rank 1 of 2\n")
        let new = workspace.run(["get", "-f", "typed", "--compact", "scores.plist", "/HighScores/0"])
        #expect(new.output.hasSuffix("\"TotalScore\":{\"$object\":99}}\n"), "\(new.output)\(new.talk)")
    }

    /// A score is not rounded to fit the table.
    @Test(arguments: ["9007199254740993.0", "12345.0000000000000000001", "1e-400"])
    func rejectsScoresThatLoseDigits(_ score: String) throws {
        let result = try Self.workspace().run(["scores", "add", "scores.plist", "--name", "Eve", "--score", score])
        #expect(result.status == 2)
        #expect(result.talk.hasSuffix("expected a number that fits in 64 bits without rounding\n"), "\(result.talk)")
    }

    @Test func mergesScoresWithTypesOfTable() throws {
        let workspace = try Self.workspace()
        try workspace.write(#"[{"playerName":"Eve","score":12.5}]"#, to: "other.json")
        var merge = ["scores", "merge", "-i", "scores.plist", "other.json"]
        let refused = workspace.run(merge)
        #expect(refused.status == 2)
        #expect(refused.talk == "other.json: /0/score: the score 12.5 " + Self.fit)
        merge.append("--change-type")
        #expect(workspace.run(merge).status == 0)
        let table = workspace.run(["get", "-f", "typed", "--compact", "scores.plist", "/HighScores"])
        #expect(table.output.contains(#""TotalScore":{"$object":12.5}"#), "\(table.output)\(table.talk)")
    }

    /// In OpenStep text, scores have no type, because all scalars are strings.
    @Test(arguments: [[], ["--change-type"]]) func openStep(_ options: [String]) throws {
        let workspace = try Workspace()
        try workspace.write(#"({playerName = Ada; score = 98;})"#, to: "scores.strings")
        let add = ["scores", "add", "scores.strings", "--name", "Eve", "--score", "12", "--date", "none"]
        let result = workspace.run(add + options)
        #expect(result.output == "rank 2 of 2\n", "\(result.talk)")
        #expect(workspace.run(["get", "scores.strings", "/1/score"]).output == "12\n")
    }
}
