import Testing

@testable import SaveToolKit

/// Tests the counts of unreadable records, and the errors for files that are not tables.
@Suite struct ScoreCountTests {
    @Test func countsManyUnreadableRecords() throws {
        let workspace = try Workspace()
        let bad = [String](repeating: #"{"playerName":"b","score":"x"}"#, count: 2500)
        try workspace.write(#"[{"playerName":"a","score":1},\#(bad.joined(separator: ","))]"#, to: "many.json")
        let list = workspace.run(["scores", "list", "many.json"])
        #expect(list.talk.hasSuffix("many.json: … and 2,490 more warnings\n"), "\(list.talk.suffix(200))")
        let feed = workspace.run(["scores", "list", "--form", "feed", "many.json"])
        #expect(
            feed.talk.contains("this would leave out 2,500 records that cannot be read\n"), "\(feed.talk.suffix(200))")
    }

    /// A file that is not a table has exactly one error.
    @Test(arguments: ["5", "\"a\"", "{}", "[1]"]) func noTable(_ text: String) throws {
        let workspace = try Workspace()
        try workspace.write(text, to: "no.json")
        let result = workspace.run(["validate", "--profile", "highscores", "no.json"])
        #expect(result.status == 1)
        #expect((result.talk + result.output).contains("1 invalid; 1 error\n"), "\(result.talk)\(result.output)")
    }

    /// Member names have no storage, so a schema cannot require one.
    @Test func storageOfNames() throws {
        let workspace = try Workspace()
        try workspace.write(#"{"propertyNames": {"x-stored": "object"}}"#, to: "names.schema.json")
        try workspace.write("{}", to: "a.json")
        let result = workspace.run(["validate", "--schema", "names.schema.json", "a.json"])
        #expect(result.status == 2)
        #expect(result.talk.contains("x-stored"), "\(result.talk)")
    }
}
