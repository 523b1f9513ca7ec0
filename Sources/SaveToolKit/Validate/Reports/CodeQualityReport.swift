import SaveCodec
import SaveInspection
import SaveOperations

/// A report for the merge requests of GitLab, with the members of Code Climate's issues that GitLab reads:
///
///     [
///     {"description":"found …","check_name":"xml.tag","fingerprint":"…","severity":"major","location":{…}},
///     …
///     ]
///
/// A fingerprint depends on the file, the finding and its addresses, but not on line numbers, so that GitLab recognizes
/// a finding after unrelated changes. Files that are invalid as expected have no issues.
struct CodeQualityReport: ReportRenderer {
    let paths: RepositoryPaths
    private var rows = JSONRows()

    init(paths: RepositoryPaths) {
        self.paths = paths
    }

    mutating func begin(to output: inout ByteWriter) {
        rows.json.open(.array, to: &output)
    }

    mutating func render(_ file: FileVerdict, to output: inout ByteWriter) {
        guard !file.isExpectedlyInvalid else { return }
        let path = FileName.distinct(file.name == "-" ? file.title : paths.path(of: file.name))
        var counts: [String: Int] = [:]
        for finding in file.findings {
            let context = FindingLine.context(of: finding)
            let identity = Self.identity(of: finding, path)
            let count = counts[identity, default: 0]
            counts[identity] = count + 1
            let digest = DigestAlgorithm.sha256.digest(of: Array("\(identity)\0\(count)".utf8).span)
            rows.add(
                .object([
                    ("description", .string((context.isEmpty ? "" : context + ": ") + finding.problem.message)),
                    ("check_name", .string(finding.problem.id)),
                    ("fingerprint", .string(Hexadecimal.text(of: digest))),
                    ("severity", .string(Self.severity(of: finding, in: file))),
                    ("location", Self.location(of: finding, path)),
                ]), to: &output)
        }
    }

    mutating func end(_ totals: ReportTotals, to output: inout ByteWriter) {
        rows.endRows(to: &output)
        output.write(UInt8(ascii: "\n"))
    }

    private static func identity(of finding: Finding, _ path: String) -> String {
        let addresses = [finding.problem.address, finding.path].map { address in
            address.map { ReportedAddress($0).address.description } ?? ""
        }
        return ([path, finding.problem.id] + addresses + [finding.problem.message]).joined(separator: "\0")
    }

    private static func severity(of finding: Finding, in file: FileVerdict) -> String {
        switch finding.problem.severity {
        case .error: file.verdict == .unchecked ? "critical" : "major"
        case .warning: "minor"
        case .info: "info"
        }
    }

    /// Returns the location. GitLab requires a line, which is 1 in a binary file.
    private static func location(of finding: Finding, _ path: String) -> ReportJSON {
        var line = 1
        if case .line(let number, _) = finding.problem.location { line = number }
        return .object([("path", .string(path)), ("lines", .object([("begin", .integer(line))]))])
    }
}
