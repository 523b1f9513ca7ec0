import SaveCodec
import SaveOperations

/// A finding as a line of text:
///
///     prefs.plist:12:7: error: … [xml.tag]
///     slot1.save: byte 0x5E: /$objects/1/NS.time (/root/date): error: … [archive.field-kind]
enum FindingLine {
    static func render(_ finding: Finding, in name: String) -> String {
        var line = Invocation.shownName(name)
        if case .line(let number, let column) = finding.problem.place { line += ":\(number):\(column)" }
        line += ": "
        let context = Self.context(of: finding)
        return line + (context.isEmpty ? "" : context + ": ") + "\(finding.problem.severity.rawValue): "
            + "\(finding.problem.message) [\(finding.problem.id)]"
    }

    /// Where a finding is, as far as lines and columns do not tell it. The root, of which the whole file consists, is not
    /// named: its address would look like that of a key without characters.
    static func context(of finding: Finding) -> String {
        var parts: [String] = []
        if case .byte? = finding.problem.place, let place = finding.problem.place { parts.append("\(place)") }
        let addresses = [finding.problem.address, finding.path].compactMap { $0 }.filter { $0 != .root }
        if let first = addresses.first {
            let second = addresses.count > 1 ? " (\(Shortened.address(addresses[1])))" : ""
            parts.append(Shortened.address(first) + second)
        }
        return parts.joined(separator: ": ")
    }

    /// How many findings are not told.
    static func rest(_ count: Int, in name: String) -> String {
        Invocation.shownName(name) + ": … and " + Grouped.of(count, "more finding")
    }
}
