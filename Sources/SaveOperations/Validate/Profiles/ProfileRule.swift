import KeyedArchive
import SaveCodec

/// A demand of a profile that JSON Schema cannot make.
enum ProfileRule: Sendable {
    /// The file is a keyed archive.
    case isArchive
    /// The file is no keyed archive.
    case isNoArchive
    /// The file is of this format.
    case isFormat(Format)
    /// In the list of the root, or of its member `list`, no date in one of the members is after now.
    case noFutureDates(list: String, members: [String])

    /// Whether nothing else need be said of a file that breaks the rule.
    var comesFirst: Bool {
        if case .noFutureDates = self { false } else { true }
    }

    /// What breaks the rule.
    func findings(in instance: Instance, now: Double) -> [SchemaFinding] {
        switch self {
        case .isArchive:
            instance.view.archive == nil ? [Self.finding("archive", "found no keyed archive; expected one")] : []
        case .isNoArchive:
            instance.view.archive == nil ? [] : [Self.finding("archive", "found a keyed archive; expected none")]
        case .isFormat(let format):
            instance.view.document.sourceFormat == format
                ? [] : [Self.finding("format", "found another format than \(format.rawValue); expected that one")]
        case .noFutureDates(let list, let members): Self.futureDates(in: instance, list, members, now)
        }
    }

    private static func finding(_ id: String, _ message: String, at address: Address = .root) -> SchemaFinding {
        SchemaFinding(
            id: "profile.\(id)", address: address, schemaAddress: .root, schemaURI: nil, message: message, causes: [])
    }

    // MARK: Dates

    /// Only the first ten records may be there, and only those are looked at.
    private static let recordLimit = 10

    private static func futureDates(
        in instance: Instance, _ list: String, _ members: [String], _ now: Double
    ) -> [SchemaFinding] {
        var address = Address.root
        var start = InstanceID.value(instance.view.root)
        if case .object = instance.value(start) {
            address.append(key: list.utf16)
            guard let found = instance.step(by: Array(list.utf16), from: start) else { return [] }
            start = found
        }
        guard case .array(let records) = instance.value(start) else { return [] }
        var findings: [SchemaFinding] = []
        for position in 0..<min(records.count, recordLimit) {
            let record = instance.element(position, of: records)
            for member in members {
                guard let date = future(member, of: record, in: instance, now) else { continue }
                var place = address
                place.append(key: String(position).utf16)
                place.append(key: member.utf16)
                findings.append(
                    finding("future-date", "found the date \(date); expected none after \(shown(now))", at: place))
            }
        }
        return findings
    }

    /// The date in a member of a record, if it is after now.
    private static func future(
        _ member: String, of record: InstanceID, in instance: Instance, _ now: Double
    ) -> String? {
        guard case .value(let id)? = instance.step(by: Array(member.utf16), from: record),
            case .scalar(.date(let seconds)) = instance.view[id].form, seconds > now
        else { return nil }
        return shown(seconds)
    }

    private static func shown(_ seconds: Double) -> String {
        ScalarText.date(seconds) ?? "\(ScalarText.real(seconds)) seconds after 2001"
    }
}
