import JSONSchema
import KeyedArchives
import SaveCodec

extension Profile {
    /// High scores as `scores` writes and lists them: as an archive, as a property list, or as the feed of a leaderboard.
    static let highScores = Profile(
        "highscores",
        "a table of high scores, as savetool scores lists it; warns of more than 10, and of another order",
        rules: [.isScoreTable],
        schema: """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "High scores"
            }

            """)
}

/// What is wrong with a table of high scores: what no reader of it can take is an error, what games do not do a warning.
struct ScoreTableCheck {
    private let view: ObjectView
    private let now: Double

    init(_ view: ObjectView, now: Double) {
        self.view = view
        self.now = now
    }

    func findings() -> [SchemaFinding] {
        do throws(Problem) {
            let table = try ScoreSearch().readableTable(in: view)
            return table.unreadable.map(Self.finding) + size(of: table) + order(of: table) + dates(of: table)
        } catch {
            return [Self.finding(error)]
        }
    }

    private static func finding(_ problem: Problem) -> SchemaFinding {
        SchemaFinding(id: problem.id, address: problem.address ?? .root, message: problem.message)
    }

    /// As many records as games keep.
    private static let usualCount = 10

    private func size(of table: ScoreTable) -> [SchemaFinding] {
        let count = table.records.count
        guard count > Self.usualCount else { return [] }
        return [
            SchemaFinding(
                id: "profile.score-count", address: table.address,
                message: "found \(count) records; games keep \(Self.usualCount)", severity: .warning)
        ]
    }

    private func order(of table: ScoreTable) -> [SchemaFinding] {
        let records = table.records
        guard let first = records.indices.dropFirst().first(where: { records[$0 - 1].score < records[$0].score }) else {
            return []
        }
        let scores = (records[first].score, records[first - 1].score)
        return [
            SchemaFinding(
                id: "profile.score-order", address: table.address(of: table.fields.score, first),
                message: "found \(scores.0) after \(scores.1); expected falling order", severity: .warning)
        ]
    }

    /// No more dates than that are told.
    private static let mostDates = 10

    private func dates(of table: ScoreTable) -> [SchemaFinding] {
        guard let field = table.fields.date else { return [] }
        return table.records.enumerated().lazy.compactMap { position, record in
            record.date.flatMap { ProfileRule.futureDate($0, at: table.address(of: field, position), now: now) }
        }.prefix(Self.mostDates).map(\.self)
    }
}
