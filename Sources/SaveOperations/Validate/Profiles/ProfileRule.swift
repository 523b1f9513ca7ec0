import JSONSchema
import KeyedArchives
import SaveCodec

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
        case .noFutureDates(let list, let members): Self.futureDates(in: view.instance, list, members, now)
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
        in instance: any Instance, _ list: String?, _ members: [String], _ now: Double
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
                guard let date = future(member, of: record, in: instance, now) else { continue }
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
        _ member: String, of record: InstanceID, in instance: any Instance, _ now: Double
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
