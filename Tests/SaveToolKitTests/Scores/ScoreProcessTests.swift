import Foundation
import TestSupport
import Testing

/// Tests that no score is lost if many processes add to one table at once.
@Suite(.enabled(if: Programs.savetool != nil, "needs the built tool beside the tests"), .serialized)
struct ScoreProcessTests {
    private static let count = TestScale.count(12, long: 50)

    struct Case: Sendable, CustomTestStringConvertible {
        let form: String
        /// Whether the file exists before.
        let isThere: Bool
        /// The maximum number of records, or 0 for no limit.
        let keep: Int
        var testDescription: String { "\(form), keep \(keep)\(isThere ? ", there" : "")" }
    }

    static let cases = [
        Case(form: "feed", isThere: false, keep: 0), Case(form: "plist", isThere: false, keep: 10),
        Case(form: "archive", isThere: false, keep: 0), Case(form: "archive", isThere: true, keep: 0),
        Case(form: "archive", isThere: true, keep: 10),
    ]

    @Test(.timeLimit(.minutes(15)), arguments: cases) func concurrentAddsLoseNothing(_ row: Case) throws {
        let workspace = try Workspace(fixtures: ["games"])
        let file = row.isThere ? "Fixtures/games/highscores.archive" : "table"
        var expected = row.isThere ? try Self.records(of: file, in: workspace) : []
        let first = expected.count
        // Half of the processes use a symbolic link in another folder.
        let link = "link"
        if row.isThere {
            try FileManager.default.createSymbolicLink(
                atPath: workspace.folder.appending(path: link).path(percentEncoded: false), withDestinationPath: file)
        }
        let processes = try (0..<Self.count).map { number in
            let name = row.isThere && number % 2 == 0 ? link : file
            return try Self.add("p\(number)", score: 1000 * number, to: name, row, in: workspace)
        }
        // A concurrent reader always finds a complete, sorted table.
        var reads = 0
        while processes.contains(where: \.isRunning) {
            guard row.isThere || workspace.names.contains(file) else { continue }
            let records = try Self.records(of: file, in: workspace)
            #expect(records.count >= (row.keep == 0 ? first : min(first, row.keep)))
            #expect(records.map(\.score) == records.map(\.score).sorted(by: >))
            reads += 1
        }
        #expect(reads > 0)
        for process in processes {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0 || row.keep > 0 && process.terminationStatus == 1)
        }
        expected += (0..<Self.count).map { Record(name: "p\($0)", score: 1000 * $0) }
        expected.sort { $0.score > $1.score }
        if row.keep > 0 { expected.removeLast(expected.count - row.keep) }
        #expect(try Self.records(of: file, in: workspace) == expected)
        #expect(workspace.names == (row.isThere ? ["Fixtures", link] : ["Fixtures", "table"]))
    }

    struct Record: Equatable, Decodable {
        let name: String
        let score: Int
    }

    private static func add(
        _ name: String, score: Int, to file: String, _ row: Case, in workspace: Workspace
    ) throws -> Process {
        let process = Process()
        process.executableURL = Programs.savetool
        process.currentDirectoryURL = workspace.folder
        process.arguments = [
            "scores", "add", file, "--form", row.form, "--name", name, "--score", "\(score)", "--keep", "\(row.keep)",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Returns the table that another run of the tool reads.
    private static func records(of file: String, in workspace: Workspace) throws -> [Record] {
        let result = workspace.run(["scores", "list", "--format", "json", file])
        #expect(result.status == 0, "\(result.talk)")
        return try JSONDecoder().decode([Record].self, from: Data(result.output.utf8))
    }
}
