import SaveCodec
import SaveOperations

/// Writes what checking files came to, file by file, so that nothing is kept of a file that has been told.
///
/// Messages hold text of files, without control characters: what else the form takes for its own is escaped here. The name
/// of a file is ``Invocation/shownName(_:)`` for people, and for programs one that no other file has,
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

/// The form of a report.
enum ReportFormat: String, CaseIterable {
    case text, json, ndjson, github, sarif, junit, html

    /// Whether it is read by people, whom it tells what they need to know of a sound file, too, only if they ask for it.
    var isBrief: Bool { self == .text || self == .github }

    /// What the help of the command says of it.
    var summary: String {
        switch self {
        case .text: "one line a finding"
        case .json: "one document"
        case .ndjson: "one JSON object a line"
        case .github: "annotations for GitHub Actions, with paths from the top of the repository"
        case .sarif: "version 2.1.0"
        case .junit: "for test reports, with at most 100 findings of a file"
        case .html: "a page that needs nothing else"
        }
    }

    /// - Parameter folder: the working folder, from which names of files start.
    func renderer(in folder: String, _ palette: Palette = .plain) -> any ReportRenderer {
        switch self {
        case .text: TextReport(palette: palette)
        case .json: JSONReport()
        case .ndjson: NDJSONReport()
        case .github: GitHubReport(paths: RepositoryPaths(from: folder))
        case .sarif: SARIFReport()
        case .junit: JUnitReport()
        case .html: PageReport()
        }
    }
}

/// One line a finding. A file that cannot be read is told on standard error, as by every command.
private struct TextReport: ReportRenderer {
    let palette: Palette

    func render(_ file: FileVerdict, to output: inout ByteWriter) {
        guard file.verdict != .unchecked else { return }
        let isWanted = file.verdict == .invalid && file.isExpected
        for finding in file.findings {
            output.write(FindingLine.render(finding, in: file.name, isWanted: isWanted, palette) + "\n")
        }
        if file.omitted > 0 { output.write(FindingLine.rest(file.omitted, in: file.name) + "\n") }
    }
}

/// A finding as a line of text:
///
///     prefs.plist:12:7: error: … [xml.tag]
///     slot1.save: byte 0x5E: /$objects/1/NS.time (/root/date): error: … [archive.field-kind]
enum FindingLine {
    ///
    /// - Parameter isWanted: whether the file is to be invalid, and is.
    static func render(
        _ finding: Finding, in name: String, isWanted: Bool = false, _ palette: Palette = .plain
    ) -> String {
        let place = ProblemLine.file(name, finding.problem.place)
        let context = Self.context(of: finding)
        let severity = finding.problem.severity
        return palette.text(place, in: .heading) + ": "
            + (context.isEmpty ? "" : palette.text(context, in: .key) + ": ")
            + palette.text(severity.rawValue + (isWanted ? ", as wanted" : ""), in: isWanted ? .note : severity.ink)
            + ": \(finding.problem.message) "
            + palette.text("[\(finding.problem.id)]", in: .note)
    }

    /// The part of a finding's location that its line and column do not give. The root is left out beside another address.
    static func context(of finding: Finding) -> String {
        var parts: [String] = []
        if let place = finding.problem.place, !place.isLine { parts.append("\(place)") }
        let all = [finding.problem.address, finding.path].compactMap { $0 }
        let addresses = all.contains { $0 != .root } ? all.filter { $0 != .root } : Array(all.prefix(1))
        if let first = addresses.first {
            let second = addresses.count > 1 ? " (\(Shortened.address(addresses[1])))" : ""
            parts.append(Shortened.address(first) + second)
        }
        return parts.joined(separator: ": ")
    }

    /// The line and the column, the byte, the addresses, as far as they are known.
    static func place(of finding: Finding) -> String {
        let context = context(of: finding)
        guard let place = finding.problem.place, place.isLine else { return context }
        return "\(place)" + (context.isEmpty ? "" : ": " + context)
    }

    /// How many findings are not told.
    static func rest(_ count: Int, in name: String) -> String {
        Invocation.shownName(name) + ": … and " + Grouped.of(count, "more finding")
    }
}

extension Problem.Severity {
    var ink: Ink {
        switch self {
        case .info: .note
        case .warning: .warning
        case .error: .error
        }
    }
}

/// What a run came to.
struct ReportTotals {
    /// Whether it is all right if no file was checked.
    let mayBeEmpty: Bool
    private(set) var valid = 0
    private(set) var invalid = 0
    private(set) var unchecked = 0
    /// How many valid files were to be invalid.
    private(set) var unwantedValid = 0
    /// How many invalid files were to be so.
    private(set) var wantedInvalid = 0
    private(set) var counts = FindingCounts()

    init(mayBeEmpty: Bool = false) {
        self.mayBeEmpty = mayBeEmpty
    }

    var files: Int { valid + invalid + unchecked }
    /// How many files were checked and are not what was wanted.
    var unwanted: Int { unwantedValid + invalid - wantedInvalid }

    mutating func add(_ file: FileVerdict) {
        switch file.verdict {
        case .valid: valid += 1
        case .invalid: invalid += 1
        case .unchecked: unchecked += 1
        }
        if file.verdict == .valid, !file.isExpected { unwantedValid += 1 }
        if file.verdict == .invalid, file.isExpected { wantedInvalid += 1 }
        counts.add(file.counts)
    }

    /// That something, or all, cannot be checked weighs more than that something is invalid.
    var status: ExitStatus {
        if unchecked > 0 || files == 0 && !mayBeEmpty { return .cannot }
        return unwanted > 0 ? .negative : .done
    }

    /// All in one line: `3 files: 2 valid, 1 invalid; 1 error, 2 warnings`.
    ///
    /// - Parameter tellsInfos: whether infos are told, too.
    func summary(tellsInfos: Bool) -> String {
        let verdicts = [
            (valid - unwantedValid, "valid"), (unwantedValid, "valid (not as wanted)"),
            (invalid - wantedInvalid, "invalid"), (wantedInvalid, "invalid (as wanted)"), (unchecked, "unchecked"),
        ]
        .filter { $0.0 > 0 }.map { "\(Grouped.of($0.0)) \($0.1)" }
        let infos = tellsInfos ? counts.infos : 0
        let findings = [(counts.errors, "error"), (counts.warnings, "warning"), (infos, "info")]
            .filter { $0.0 > 0 }.map { Grouped.of($0.0, $0.1) }
        return Grouped.of(files, "file") + ": " + verdicts.joined(separator: ", ")
            + (findings.isEmpty ? "" : "; " + findings.joined(separator: ", "))
    }
}

// MARK: Paths

/// The names of files as GitHub knows them: paths from the top of the repository, wherever in it the program runs.
struct RepositoryPaths {
    private let folder: String
    /// The folder with `.git` in it; nil outside of a repository, where names stay as they are.
    private let top: String?

    /// - Parameter folder: the working folder, from which names start; empty for that of the process.
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

    /// The path of a file from the top; its name where it is not below that.
    func path(of name: String) -> String {
        guard let top, let path = FileSystem.resolved(FileSystem.path(name, from: folder)) else { return name }
        let relative = FileName.relative(path, to: top)
        return relative.hasPrefix("../") ? name : relative
    }
}
