import SaveCodec
import SaveInspection

/// A writer of reports. It writes file by file, so that reported files need not be kept in memory.
///
/// Messages contain text of files, without control characters. Renderers escape the special characters of their format.
/// For people, files are named by ``Invocation/shownName(_:)``; for programs, by the unambiguous
/// ``FileName/distinct(_:)``.
protocol ReportRenderer {
    mutating func begin(to output: inout ByteWriter)
    mutating func render(_ file: FileVerdict, to output: inout ByteWriter)
    mutating func end(_ totals: ReportTotals, to output: inout ByteWriter)
}

extension ReportRenderer {
    mutating func begin(to output: inout ByteWriter) {}
    mutating func end(_ totals: ReportTotals, to output: inout ByteWriter) {}
}

enum ReportFormat: String, CaseIterable {
    case text, json, ndjson, github, codequality, sarif, junit, html

    /// Whether the report leaves out findings of severity info unless an option requests them. People and services
    /// would mistake them for faults.
    var isBrief: Bool {
        switch self {
        case .text, .github, .codequality, .sarif, .html: true
        case .json, .ndjson, .junit: false
        }
    }

    func renderer(_ settings: ReportSettings) -> any ReportRenderer {
        switch self {
        case .text: TextReport(palette: settings.palette, columns: settings.columns)
        case .json: JSONReport()
        case .ndjson: NDJSONReport()
        case .github: GitHubReport(paths: RepositoryPaths(from: settings.folder))
        case .codequality: CodeQualityReport(paths: RepositoryPaths(from: settings.folder))
        case .sarif: SARIFReport(paths: RepositoryPaths(from: settings.folder), helpURI: settings.helpURI)
        case .junit: JUnitReport()
        case .html: HTMLReport(helpURI: settings.helpURI, hasFullPaths: settings.hasFullPaths)
        }
    }
}

/// The settings of reports.
struct ReportSettings {
    /// The working folder, from which names of files start.
    let folder: String
    var palette = Palette.plain
    /// The width of the terminal; nil if the output is not a terminal.
    var columns: Int?
    /// The address of the article of findings, or nil if it is unknown.
    var helpURI: String?
    /// Whether pages show the folders above all files.
    var hasFullPaths = false
}

/// A report that is written to a file when all files are checked. Until then it is in memory.
final class ReportFile {
    private let name: String
    private let format: ReportFormat
    private var renderer: any ReportRenderer
    private var output = ByteWriter()

    /// - Throws: An error if the folder of the file does not exist, before any file is checked.
    init(_ name: String, as format: ReportFormat, _ settings: ReportSettings, _ invocation: Invocation) throws {
        let folder = FileSystem.folder(of: name)
        if !folder.isEmpty, (try? FileSystem.status(invocation.path(folder))) == nil {
            throw FileError(Invocation.shownName(name), "no such folder")
        }
        (self.name, self.format) = (name, format)
        renderer = format.renderer(settings)
        renderer.begin(to: &output)
    }

    func add(_ file: FileVerdict, reportsInfos: Bool) {
        renderer.render(format.isBrief && !reportsInfos ? file.withoutInfos() : file, to: &output)
    }

    func write(_ totals: ReportTotals, _ invocation: Invocation) throws {
        renderer.end(totals, to: &output)
        let bytes = output.takeBytes()
        try invocation.replace(name) { $0.write(bytes) }
    }
}

/// A report with one line per finding. It omits files that cannot be read, which are reported on standard error.
private struct TextReport: ReportRenderer {
    let palette: Palette
    /// The width of the terminal, at which long lines are broken and indented; nil if the output is not a terminal.
    let columns: Int?

    func render(_ file: FileVerdict, to output: inout ByteWriter) {
        guard file.verdict != .unchecked else { return }
        for finding in file.findingsForPeople {
            let line = FindingLine.render(finding, in: file.name, isExpected: file.isExpectedlyInvalid, palette)
            output.write((columns.map { TerminalLines.broken(line, columns: $0, indentation: 4) } ?? line) + "\n")
        }
        if file.omitted > 0 { output.write(FindingLine.rest(file.omitted, in: file.name) + "\n") }
    }
}

/// A finding as one line of text:
///
///     prefs.plist:12:7: error: … [xml.tag]
///     slot1.save: byte 0x5E: /$objects/1/NS.time (/root/date): error: … [archive.field-kind]
enum FindingLine {
    /// Returns the line of a finding.
    ///
    /// - Parameter isExpected: Whether the file is invalid as expected.
    static func render(
        _ finding: Finding, in name: String, isExpected: Bool = false, _ palette: Palette = .plain
    ) -> String {
        let location = ProblemLine.file(name, finding.problem.location)
        let context = Self.context(of: finding)
        let severity = finding.problem.severity
        return palette.text(location, in: .heading) + ": "
            + (context.isEmpty ? "" : palette.text(context, in: .key) + ": ")
            + palette.text(
                (isExpected ? "expected " : "") + severity.rawValue, in: isExpected ? .note : severity.textRole)
            + ": \(finding.problem.message) "
            + palette.text("[\(finding.problem.id)]", in: .note)
    }

    /// Returns a finding's location without line and column: `byte 0x5E: /$objects/1/NS.time (/root/date)`. The root is
    /// left out if there is another address.
    static func context(of finding: Finding) -> String {
        var parts: [String] = []
        if let location = finding.problem.location, !location.isLine { parts.append("\(location)") }
        let all = [finding.problem.address, finding.path].compactMap { $0 }
        let addresses = all.contains { $0 != .root } ? all.filter { $0 != .root } : Array(all.prefix(1))
        if let first = addresses.first {
            let second = addresses.count > 1 ? " (\(TruncatedText.address(addresses[1])))" : ""
            parts.append(TruncatedText.address(first) + second)
        }
        return parts.joined(separator: ": ")
    }

    /// Returns the known parts of a finding's location: line and column or byte offset, and addresses.
    static func location(of finding: Finding) -> String {
        let context = context(of: finding)
        guard let location = finding.problem.location, location.isLine else { return context }
        return "\(location)" + (context.isEmpty ? "" : ": " + context)
    }

    /// Returns the line with the number of omitted findings.
    static func rest(_ count: Int, in name: String) -> String {
        Invocation.shownName(name) + ": … and " + Phrase.count(count, "more finding")
    }
}

extension Problem.Severity {
    var textRole: TextRole {
        switch self {
        case .info: .note
        case .warning: .warning
        case .error: .error
        }
    }
}

struct ReportTotals {
    /// Whether a run without files is successful.
    let mayBeEmpty: Bool
    private(set) var valid = 0
    private(set) var invalid = 0
    private(set) var unchecked = 0
    /// The number of valid files that were expected to be invalid.
    private(set) var unexpectedlyValid = 0
    /// The number of invalid files that were expected to be invalid.
    private(set) var expectedlyInvalid = 0
    private(set) var counts = FindingCounts()

    init(mayBeEmpty: Bool = false) {
        self.mayBeEmpty = mayBeEmpty
    }

    var files: Int { valid + invalid + unchecked }
    /// The number of checked files with an unexpected verdict.
    var unexpected: Int { unexpectedlyValid + invalid - expectedlyInvalid }

    mutating func add(_ file: FileVerdict) {
        switch file.verdict {
        case .valid: valid += 1
        case .invalid: invalid += 1
        case .unchecked: unchecked += 1
        }
        if file.verdict == .valid, !file.isExpected { unexpectedlyValid += 1 }
        if file.isExpectedlyInvalid { expectedlyInvalid += 1 }
        counts.add(file.counts)
    }

    /// The exit status. An unchecked file, or a run without files, takes precedence over an invalid file.
    var status: ExitStatus {
        if unchecked > 0 || files == 0 && !mayBeEmpty { return .cannot }
        return unexpected > 0 ? .negative : .done
    }

    /// Returns the totals on one line: `3 files: 2 valid, 1 invalid; 1 error, 2 warnings`.
    ///
    /// - Parameter reportsInfos: Whether infos are counted, too.
    func summary(reportsInfos: Bool) -> String {
        let verdicts = [
            (valid - unexpectedlyValid, "valid"), (unexpectedlyValid, "valid (expected to fail)"),
            (invalid - expectedlyInvalid, "invalid"), (expectedlyInvalid, "invalid (expected)"),
            (unchecked, "unchecked"),
        ]
        .filter { $0.0 > 0 }.map { "\(CountText.of($0.0)) \($0.1)" }
        let infos = reportsInfos ? counts.infos : 0
        let findings = [(counts.errors, "error"), (counts.warnings, "warning"), (infos, "info")]
            .filter { $0.0 > 0 }.map { Phrase.count($0.0, $0.1) }
        return Phrase.count(files, "file") + (verdicts.isEmpty ? "" : ": ") + verdicts.joined(separator: ", ")
            + (findings.isEmpty ? "" : "; " + findings.joined(separator: ", "))
    }
}

// MARK: Paths

/// Converts file names to the paths that GitHub and GitLab expect, which are relative to the top of the repository.
struct RepositoryPaths {
    private let folder: String
    /// The folder with `.git`; nil outside of a repository, where names stay unchanged.
    private let top: String?

    /// - Parameter folder: The folder that names start from; empty for the working folder of the process.
    init(from folder: String) {
        self.folder = folder
        top = FileSystem.resolved(folder.isEmpty ? "." : folder).flatMap(Self.top)
    }

    private static func top(above folder: String) -> String? {
        var path = folder
        while (try? FileSystem.status(path + "/.git")) == nil {
            guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            path = String(path[..<slash])
        }
        return path
    }

    /// Returns the path of a file relative to the top of the repository, or its name if it is not below the top.
    func path(of name: String) -> String {
        guard let top, let path = FileSystem.resolved(FileSystem.path(name, from: folder)) else { return name }
        let relative = FileName.relative(path, to: top)
        return relative.hasPrefix("../") ? name : relative
    }
}
