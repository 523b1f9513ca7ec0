import JSONSchema
import KeyedArchives
import SaveCodec
import SaveOperations

/// A named kind of save file: a schema, and rules that a schema cannot state.
///
///     Profile.named("highscores")     schemaText   {…, "title": "High scores"}      the output of `--print`
///                                     rules        readable records, their number and order, no future dates
///
///     [{"score": 5, "playerName": "Ada", "date": …}]  ──▶  findings of the schema and the rules, with their addresses
package struct Profile: Sendable {
    /// The name, as in `--profile`.
    package let name: String
    /// A summary of one line.
    package let summary: String
    /// The text of the JSON Schema.
    package let schemaText: String
    fileprivate let rules: [ProfileRule]
    private let schema: Schema

    fileprivate init(_ name: String, _ summary: String, rules: [ProfileRule] = [], schema text: String) {
        self.name = name
        self.summary = summary
        self.rules = rules
        schemaText = text
        do throws(Problem) {
            schema = try Schema.compile(JSON.readPlain(Array(text.utf8)), uri: "savetool:/profiles/\(name)")
        } catch {
            // The schemas are those below, and the tests compile each of them.
            preconditionFailure("the schema of a profile is sound")
        }
    }

    /// All profiles, sorted by name.
    package static let all = [archive, highScores, iCloudStore, jsonSave, leaderboard, preferences]

    /// The names of all profiles, available without compiling the schemas.
    package static let names = ["archive", "highscores", "icloud-store", "json-save", "leaderboard", "preferences"]

    /// Returns the profile with a name; nil if the name is unknown.
    package static func named(_ name: String) -> Profile? {
        all.first { $0.name == name }
    }

    /// Returns the findings of the rules and the schema in a view. If a basic rule is broken, nothing else is checked.
    ///
    /// - Parameter now: The latest allowed date, in seconds since 2001.
    func findings(in view: ObjectView, now: Double, limits: Schema.Limits = .init()) -> [SchemaFinding] {
        let basics = rules.filter(\.isPrerequisite).flatMap { $0.findings(in: view, now: now) }
        guard basics.isEmpty else { return basics }
        let others = rules.filter { !$0.isPrerequisite }.flatMap { $0.findings(in: view, now: now) }
        return schema.findings(in: view, limits: limits) + others
    }
}

/// A rule of a profile that JSON Schema cannot express.
private enum ProfileRule: Sendable {
    case isArchive
    case isNotArchive
    case isFormat(Format)
    case isScoreTable
    /// No element of the root array may have a date in the future in this member.
    case noFutureDates(member: String)

    /// Whether a violation of the rule suppresses all other checks.
    var isPrerequisite: Bool {
        switch self {
        case .isArchive, .isNotArchive, .isFormat: true
        case .isScoreTable, .noFutureDates: false
        }
    }

    func findings(in view: ObjectView, now: Double) -> [SchemaFinding] {
        switch self {
        case .isArchive:
            view.archive == nil
                ? [Self.finding("profile.archive", "found another kind of save; expected a keyed archive")] : []
        case .isNotArchive:
            view.archive == nil
                ? [] : [Self.finding("profile.archive", "found a keyed archive; expected another kind of save")]
        case .isFormat(let format):
            view.document.sourceFormat == format
                ? [] : [Self.finding("profile.format", Self.formats(view.document.sourceFormat, expected: format))]
        case .isScoreTable: ScoreTableCheck(view, now: now).findings()
        case .noFutureDates(let member): Self.futureDates(in: view, member: member, now: now)
        }
    }

    private static func finding(_ id: String, _ message: String, at address: JSONPointer = .root) -> SchemaFinding {
        SchemaFinding(id: id, address: address, message: message)
    }

    private static func formats(_ found: Format?, expected: Format) -> String {
        let name = found.map { "the format \($0.rawValue)" } ?? "a value without a format"
        return "found \(name); expected \(expected.rawValue)"
    }

    // MARK: Dates

    /// The maximum number of dates to report.
    private static let maxDates = 10

    private static func futureDates(in view: ObjectView, member: String, now: Double) -> [SchemaFinding] {
        let records = view[view.root]
        guard !records.variant.isKeyed else { return [] }
        let dates = (0..<records.contents.count).lazy.compactMap { position -> SchemaFinding? in
            let record = view.item(position, of: records.contents).id
            guard let slot = view.position(of: AddressToken(member.utf16), in: record),
                case .date(let seconds)? = view.scalar(view.item(slot, of: view[record].contents).id)
            else { return nil }
            var address = JSONPointer.root
            address.append(index: position)
            address.append(key: member.utf16)
            return futureDate(seconds, at: address, now: now)
        }
        return Array(dates.prefix(maxDates))
    }

    /// Returns the finding about a date that is in the future or not a number; nil for any other date.
    static func futureDate(_ seconds: Double, at address: JSONPointer, now: Double) -> SchemaFinding? {
        guard !(seconds <= now) else { return nil }
        return finding(
            "profile.future-date", "found the date \(shown(seconds)); expected no date after \(shown(now))", at: address
        )
    }

    /// Returns a date, or the seconds since 2001 if they do not represent one.
    private static func shown(_ seconds: Double) -> String {
        ScalarText.date(seconds) ?? "of \(ScalarText.real(seconds)) seconds since 2001"
    }
}

// MARK: Archives

extension Profile {
    static let archive = Profile(
        "archive", "a keyed archive with at least one root object", rules: [.isArchive],
        schema: """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "A keyed archive",
              "type": "object",
              "minProperties": 1
            }

            """)
}

// MARK: JSON saves

extension Profile {
    private static let jsonSave = Profile(
        "json-save", "a JSON object of plain JSON values", rules: [.isFormat(.json), .isNotArchive],
        schema: ##"""
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "A save file in JSON",
              "x-type": "dictionary",
              "minProperties": 1,
              "additionalProperties": {"$ref": "#/$defs/value"},
              "$defs": {
                "value": {
                  "x-type": ["null", "boolean", "integer", "real", "string", "array", "dictionary"],
                  "if": {"x-type": "real"},
                  "then": {"type": "number"},
                  "items": {"$ref": "#/$defs/value"},
                  "additionalProperties": {"$ref": "#/$defs/value"}
                }
              }
            }

            """##)
}

// MARK: Preferences

extension Profile {
    /// Preferences, as UserDefaults stores them.
    static let preferences = Profile(
        "preferences", "a dictionary of property-list values", rules: [.isNotArchive],
        schema: ##"""
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "Preferences",
              "x-type": "dictionary",
            \##(values)
            }

            """##)

    /// Preferences that iCloud's key-value store accepts (NSUbiquitousKeyValueStore): 1 MB in total, 1,024 keys of 64
    /// bytes.
    private static let iCloudStore = Profile(
        "icloud-store", "preferences that fit iCloud's key-value store: 1 MB, 1024 keys of 64 bytes",
        rules: [.isNotArchive],
        schema: ##"""
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "The iCloud key-value store",
              "x-type": "dictionary",
              "x-maxBytes": 1048576,
              "maxProperties": 1024,
              "propertyNames": {"x-maxBytes": 64},
            \##(values)
            }

            """##)

    /// The members of both schemas that restrict values.
    private static let values = ##"""
          "additionalProperties": {"$ref": "#/$defs/value"},
          "$defs": {
            "value": {
              "x-type": ["boolean", "integer", "real", "real32", "string", "date", "data", "array", "dictionary"],
              "items": {"$ref": "#/$defs/value"},
              "additionalProperties": {"$ref": "#/$defs/value"}
            }
          }
        """##
}

// MARK: Leaderboards

extension Profile {
    static let leaderboard = Profile(
        "leaderboard", "a leaderboard feed, in descending order",
        rules: [.isNotArchive, .noFutureDates(member: "created_at")],
        schema: """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "The feed of a leaderboard",
              "type": "array",
              "x-order": {"by": "/total_score", "direction": "descending"},
              "items": {
                "type": "object",
                "required": ["player_name", "total_score", "created_at"],
                "properties": {
                  "player_name": {"type": "string", "minLength": 1, "maxLength": 32},
                  "total_score": {"type": "integer", "minimum": 0},
                  "created_at": {"x-type": "date"}
                }
              }
            }

            """)
}

// MARK: High scores

extension Profile {
    /// High scores as `scores` writes and lists them: an archive, a property list, or the feed of a leaderboard.
    static let highScores = Profile(
        "highscores",
        "a table of high scores, as listed by savetool scores; warns about more than 10 records and about another order",
        rules: [.isScoreTable],
        schema: """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "High scores"
            }

            """)
}

/// A check of a table of high scores. Findings are errors if no reader accepts the table, and warnings if games do not
/// write such tables.
private struct ScoreTableCheck {
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

    /// The number of records that games keep.
    private static let defaultCount = 10

    private func size(of table: ScoreTable) -> [SchemaFinding] {
        let count = table.records.count
        guard count > Self.defaultCount else { return [] }
        return [
            SchemaFinding(
                id: "profile.score-count", address: table.address,
                message: "found \(count) records; games keep \(Self.defaultCount)", severity: .warning)
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
                id: "profile.score-order", address: table.address(of: table.fields.score ?? [], first),
                message: "found \(scores.0) after \(scores.1); expected descending order", severity: .warning)
        ]
    }

    /// The maximum number of dates to report.
    private static let maxDates = 10

    private func dates(of table: ScoreTable) -> [SchemaFinding] {
        guard let field = table.fields.date else { return [] }
        return table.records.enumerated().lazy.compactMap { position, record in
            record.date?.seconds.flatMap {
                ProfileRule.futureDate($0, at: table.address(of: field, position), now: now)
            }
        }.prefix(Self.maxDates).map(\.self)
    }
}
