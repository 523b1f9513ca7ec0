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
enum ProfileRule: Sendable {
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
