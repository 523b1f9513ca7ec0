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

/// A demand of a profile that JSON Schema cannot make.
enum ProfileRule: Sendable {
    /// The file is a keyed archive.
    case isArchive
    /// The file is no keyed archive.
    case isNoArchive
    /// The file is of this format.
    case isFormat(Format)
    /// In the array that the root is, or that it has as its member `list`, no date in one of the members is after now.
    case noFutureDates(list: String?, members: [String])

    /// Whether nothing else need be said of a file that breaks the rule.
    var comesFirst: Bool {
        if case .noFutureDates = self { false } else { true }
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
        case .noFutureDates(let list, let members):
            Self.futureDates(in: view.instance, list: list, members: members, now: now)
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

    /// Only the first ten records may be there, and only those are looked at.
    private static let recordLimit = 10

    private static func futureDates(
        in instance: any Instance, list: String?, members: [String], now: Double
    ) -> [SchemaFinding] {
        var address = JSONPointer.root
        var start = instance.root
        if let list, case .object = instance.value(start) {
            address.append(key: list.utf16)
            guard let found = instance.step(by: Array(list.utf16), from: start) else { return [] }
            start = found
        }
        guard case .array(let count) = instance.value(start) else { return [] }
        var findings: [SchemaFinding] = []
        for position in 0..<min(count, recordLimit) {
            let record = instance.element(position, of: start)
            for member in members {
                guard let date = future(member, of: record, in: instance, now: now) else { continue }
                var place = address
                place.append(key: String(position).utf16)
                place.append(key: member.utf16)
                findings.append(
                    finding("profile.future-date", "found \(date); expected none after \(shown(now))", at: place))
            }
        }
        return findings
    }

    /// The date in a member of a record, if it is after now, or not at any time.
    private static func future(
        _ member: String, of record: InstanceID, in instance: any Instance, now: Double
    ) -> String? {
        guard let id = instance.step(by: Array(member.utf16), from: record),
            case .scalar(.date(let seconds)) = instance.form(of: id), !(seconds <= now)
        else { return nil }
        return "the date \(shown(seconds))"
    }

    /// A date, or the seconds since 2001 where these are too many for one or no number.
    private static func shown(_ seconds: Double) -> String {
        ScalarText.date(seconds) ?? "of \(ScalarText.real(seconds)) seconds since 2001"
    }
}
