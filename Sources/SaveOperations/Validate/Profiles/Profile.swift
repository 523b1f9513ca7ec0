package import JSONSchema
package import KeyedArchives
import SaveCodec

/// A kind of save file that is known by name: a schema, and rules that no schema can state.
///
///     Profile.named("highscores")     schemaText   {"type": ["object", "array"], "if": …}      what `--print` shows
///                                     rules        dates not after now
///
///     [{"score": 5, "playerName": "", "date": …}]  ──▶  /0/playerName: found the string "" of 0 characters; …
package struct Profile: Sendable {
    /// The name, as `--profile` takes it.
    package let name: String
    /// What it checks, in one line.
    package let summary: String
    /// The JSON Schema.
    package let schemaText: String
    let rules: [ProfileRule]
    private let schema: Schema

    init(_ name: String, _ summary: String, rules: [ProfileRule] = [], schema text: String) {
        self.name = name
        self.summary = summary
        self.rules = rules
        schemaText = text
        do throws(Problem) {
            schema = try Schema.compile(JSON.readPlain(Array(text.utf8)), uri: "savetool:/profiles/\(name)")
        } catch {
            // The texts are those below, and the tests compile each of them.
            preconditionFailure("the schema of a profile is sound")
        }
    }

    /// All profiles, in the order of their names.
    package static let all = [archive, highScores, jsonSave, leaderboard, preferences]

    /// The profile with a name; nil if there is none.
    package static func named(_ name: String) -> Profile? {
        all.first { $0.name == name }
    }

    /// What in a view is not as the profile demands; nothing if it is.
    ///
    /// - Parameter now: the seconds since 2001 that no date may be after.
    package func findings(in view: ObjectView, now: Double, limits: Schema.Limits = .init()) -> [SchemaFinding] {
        let basics = rules.filter(\.comesFirst).flatMap { $0.findings(in: view, now: now) }
        guard basics.isEmpty else { return basics }
        let others = rules.filter { !$0.comesFirst }.flatMap { $0.findings(in: view, now: now) }
        return schema.findings(in: view, limits: limits) + others
    }
}
