import SaveCodec
import SaveInspection

/// A report in SARIF 2.1.0 (OASIS): one run with a result for each finding. Files that cannot be read are
/// notifications. Files that are invalid as expected have no results, because GitHub and GitLab ignore `suppressions`.
/// The rules are written after the results, because all of them are only known then. Their texts are from the article
/// of findings.
struct SARIFReport: ReportRenderer {
    private let paths: RepositoryPaths
    /// The address of the article of findings, or nil for rules without links.
    private let helpURI: String?
    private var rows = JSONRows()
    private var rules: Set<String> = []
    private var unread: [ReportJSON] = []

    init(paths: RepositoryPaths, helpURI: String?) {
        (self.paths, self.helpURI) = (paths, helpURI)
    }

    mutating func begin(to output: inout ByteWriter) {
        rows.json.open(.object, .row, to: &output)
        rows.json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json", to: &output)
        rows.json.member("version", "2.1.0", to: &output)
        rows.json.name("runs", to: &output)
        rows.json.open(.array, .row, to: &output)
        rows.json.open(.object, .row, to: &output)
        rows.json.member("columnKind", "unicodeCodePoints", to: &output)
        rows.beginRows("results", to: &output)
    }

    mutating func render(_ file: FileVerdict, to output: inout ByteWriter) {
        guard !file.isExpectedlyInvalid, !file.findings.isEmpty else { return }
        let path = file.name == "-" ? file.title : paths.path(of: file.name)
        guard file.verdict != .unchecked else { return unread.append(Self.notification(file.findings[0], path)) }
        for finding in file.findings {
            rules.insert(finding.problem.id)
            rows.add(Self.result(finding, path), to: &output)
        }
    }

    mutating func end(_ totals: ReportTotals, to output: inout ByteWriter) {
        rows.endRows(to: &output)
        let driver: JSONMembers = [
            ("name", .string("savetool")), ("version", .string(Version.current)),
            ("rules", .array(rules.sorted().map(rule))),
        ]
        let run: JSONMembers = [
            ("executionSuccessful", .boolean(totals.status != .cannot)),
            ("exitCode", .integer(Int(totals.status.rawValue))), ("toolExecutionNotifications", .array(unread)),
        ]
        rows.json.write(
            members: [("tool", .object([("driver", .object(driver))])), ("invocations", .array([.object(run)]))],
            to: &output)
        rows.json.close(to: &output)
        rows.json.close(to: &output)
        rows.end(to: &output)
    }

    // MARK: Rules

    private func rule(_ id: String) -> ReportJSON {
        guard let entry = FindingArticle.compiled.entry(for: id) else { return .object([("id", .string(id))]) }
        return .object([
            ("id", .string(id)), ("name", .string(Self.name(of: id))),
            ("shortDescription", Self.message(entry.summary)),
            ("fullDescription", Self.message(entry.description)),
            ("helpUri", helpURI.map { .string($0 + "#" + entry.anchor) }),
            (
                "help",
                .object([("text", .string(entry.help(for: id))), ("markdown", .string(entry.markdownHelp(for: id)))])
            ),
        ])
    }

    /// Returns the name of a rule: `XmlTruncated` for `xml.truncated`.
    private static func name(of id: String) -> String {
        var name = ByteWriter()
        var isStart = true
        for byte in id.utf8 {
            switch byte {
            case 0x61...0x7A where isStart: name.write(byte - 0x20)
            case _ where byte.isLetterOrDigit: name.write(byte)
            default:
                isStart = true
                continue
            }
            isStart = false
        }
        return String(decoding: name.takeBytes(), as: UTF8.self)
    }

    // MARK: Results

    private static func result(_ finding: Finding, _ path: String) -> ReportJSON {
        let addresses = [finding.problem.address, finding.path].compactMap { $0.map(ReportedAddress.init) }
        return .object([
            ("ruleId", .string(finding.problem.id)), ("level", .string(level(of: finding))),
            ("message", message(text(of: finding))),
            (
                "locations",
                .array([
                    .object([
                        ("physicalLocation", physicalLocation(path, finding.problem.location)),
                        ("logicalLocations", addresses.isEmpty ? nil : .array(addresses.map(logicalLocation))),
                    ])
                ])
            ),
        ])
    }

    private static func level(of finding: Finding) -> String {
        switch finding.problem.severity {
        case .error: "error"
        case .warning: "warning"
        case .info: "note"
        }
    }

    /// Returns the message of a finding, with its addresses and a location other than a line of the file, because
    /// services show only the message and the line.
    private static func text(of finding: Finding) -> String {
        let context = FindingLine.context(of: finding)
        return (context.isEmpty ? "" : context + ": ") + finding.problem.message
    }

    private static func message(_ text: String) -> ReportJSON { .object([("text", .string(text))]) }

    private static func logicalLocation(_ address: ReportedAddress) -> ReportJSON {
        .object([
            ("fullyQualifiedName", .address(address.address)),
            ("properties", address.isShortened ? .object([("shortened", .boolean(true))]) : nil),
        ])
    }

    /// Returns the location in a file. GitHub requires a line, which is 1 in a binary file.
    private static func physicalLocation(_ path: String, _ location: SourceLocation? = nil) -> ReportJSON {
        let location = location?.layers == nil ? location : nil
        let region: JSONMembers = [
            ("byteOffset", location?.byteOffset.map(ReportJSON.integer)),
            ("startLine", .integer(location?.position?.line ?? 1)),
            ("startColumn", location?.position.map { .integer($0.column) }),
        ]
        return .object([
            ("artifactLocation", .object([("uri", .string(FileName.uri(path)))])),
            ("region", location == nil ? nil : .object(region)),
        ])
    }

    private static func notification(_ finding: Finding, _ path: String) -> ReportJSON {
        .object([
            ("level", .string("error")), ("message", message(finding.problem.message)),
            ("locations", .array([.object([("physicalLocation", physicalLocation(path))])])),
        ])
    }
}
