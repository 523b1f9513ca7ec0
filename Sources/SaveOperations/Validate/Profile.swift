import JSONSchema
import KeyedArchives
import SaveCodec

/// A kind of save file that is known by name: a schema, and rules that no schema can state.
///
///     Profile.named("highscores")     schemaText   {"type": ["object", "array"], …}      what `--print` shows
///                                     rules        that scores can be read, their order, dates not after now
///
///     [{"score": 5, "playerName": "Ada", "date": …}]  ──▶  what a schema or a rule does not admit, with its address
package struct Profile: Sendable {
    /// The name, as `--profile` takes it.
    package let name: String
    /// What it checks, in one line.
    package let summary: String
    /// The JSON Schema.
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
            // The texts are those below, and the tests compile each of them.
            preconditionFailure("the schema of a profile is sound")
        }
    }

    /// All profiles, in the order of their names.
    package static let all = [archive, highScores, iCloudStore, jsonSave, leaderboard, preferences]

    /// Their names, which are told without compiling the schemas.
    package static let names = ["archive", "highscores", "icloud-store", "json-save", "leaderboard", "preferences"]

    /// The profile with a name; nil if there is none.
    package static func named(_ name: String) -> Profile? {
        all.first { $0.name == name }
    }

    /// What in a view is not as the profile demands; nothing if it is.
    ///
    /// - Parameter now: the seconds since 2001 that no date may be after.
    func findings(in view: ObjectView, now: Double, limits: Schema.Limits = .init()) -> [SchemaFinding] {
        let basics = rules.filter(\.comesFirst).flatMap { $0.findings(in: view, now: now) }
        guard basics.isEmpty else { return basics }
        let others = rules.filter { !$0.comesFirst }.flatMap { $0.findings(in: view, now: now) }
        return schema.findings(in: view, limits: limits) + others
    }
}

/// A demand of a profile that JSON Schema cannot make.
private enum ProfileRule: Sendable {
    /// The file is a keyed archive.
    case isArchive
    /// The file is no keyed archive.
    case isNoArchive
    /// The file is of this format.
    case isFormat(Format)
    /// The file has a table of high scores.
    case isScoreTable
    /// In the array that the root is, no date in a member is after now.
    case noFutureDates(member: String)

    /// Whether nothing else need be said of a file that breaks the rule.
    var comesFirst: Bool {
        switch self {
        case .isArchive, .isNoArchive, .isFormat: true
        case .isScoreTable, .noFutureDates: false
        }
    }

    /// What breaks the rule.
    func findings(in view: ObjectView, now: Double) -> [SchemaFinding] {
        switch self {
        case .isArchive:
            view.archive == nil ? [Self.finding("profile.archive", "found no keyed archive; expected one")] : []
        case .isNoArchive:
            view.archive == nil ? [] : [Self.finding("profile.archive", "found a keyed archive; expected none")]
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

    /// No more records than that are looked at.
    private static let recordLimit = 10

    private static func futureDates(in view: ObjectView, member: String, now: Double) -> [SchemaFinding] {
        let records = view[view.root]
        guard !records.form.isKeyed else { return [] }
        return (0..<min(records.contents.count, recordLimit)).compactMap { position in
            let record = view.item(position, of: records.contents).id
            guard let slot = view.position(of: AddressToken(member.utf16), in: record),
                case .date(let seconds)? = view.scalar(view.item(slot, of: view[record].contents).id)
            else { return nil }
            var address = JSONPointer.root
            address.append(index: position)
            address.append(key: member.utf16)
            return futureDate(seconds, at: address, now: now)
        }
    }

    /// What is said of a date that is after now, or not at any time; nil for any other.
    static func futureDate(_ seconds: Double, at address: JSONPointer, now: Double) -> SchemaFinding? {
        guard !(seconds <= now) else { return nil }
        return finding(
            "profile.future-date", "found the date \(shown(seconds)); expected none after \(shown(now))", at: address)
    }

    /// A date, or the seconds since 2001 where these are too many for one or no number.
    private static func shown(_ seconds: Double) -> String {
        ScalarText.date(seconds) ?? "of \(ScalarText.real(seconds)) seconds since 2001"
    }
}

// MARK: Archives

extension Profile {
    /// Any keyed archive with a root object.
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
    /// A save file that any reader of JSON reads.
    private static let jsonSave = Profile(
        "json-save", "a JSON object of values that plain JSON has", rules: [.isFormat(.json), .isNoArchive],
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
    /// Preferences, as UserDefaults keeps them.
    static let preferences = Profile(
        "preferences", "a dictionary of property-list values", rules: [.isNoArchive],
        schema: ##"""
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "Preferences",
              "x-type": "dictionary",
            \##(values)
            }

            """##)

    /// What the key–value store of iCloud takes (NSUbiquitousKeyValueStore): 1 MB in all, 1,024 keys of 64 bytes.
    private static let iCloudStore = Profile(
        "icloud-store", "preferences that the key-value store of iCloud takes: 1 MB, 1024 keys of 64 bytes",
        rules: [.isNoArchive],
        schema: ##"""
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "The key-value store of iCloud",
              "x-type": "dictionary",
              "x-maxBytes": 1048576,
              "maxProperties": 1024,
              "propertyNames": {"x-maxBytes": 64},
            \##(values)
            }

            """##)

    /// The members of both schemas that say what a value may be.
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
    /// The feed of a leaderboard.
    static let leaderboard = Profile(
        "leaderboard", "the feed of a leaderboard, in falling order",
        rules: [.isNoArchive, .noFutureDates(member: "created_at")],
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
