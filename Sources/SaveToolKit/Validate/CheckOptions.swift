import SaveCodec
import SaveOperations

/// What a file is checked for, and how what is found is judged.
struct CheckOptions: Sendable {
    /// What gives the contents of a file; nil for the file itself.
    var filter: Filter?
    var validation: Validation
    var failurePolicy: FailurePolicy
}

/// What all files are checked for: what the command line says, and for files that the project has rules for what
/// these say.
struct CheckOptionsByRule: Sendable {
    /// For a file that no rule is for.
    let basic: CheckOptions
    /// By the rules that are for a file.
    var byRules: [[Int]: CheckOptions] = [:]

    subscript(rules: [Int]) -> CheckOptions {
        byRules[rules] ?? basic
    }
}

/// How findings are judged, and which of them are told.
struct FailurePolicy: Sendable {
    /// Whether a warning makes a file invalid, too.
    var isStrict: Bool
    /// Whether files are wanted to be invalid.
    var expectsInvalid: Bool
    /// Whether only findings are told that make a file invalid that is not wanted to be.
    let isQuiet: Bool
    /// Whether infos are told.
    let tellsInfos: Bool
    /// How many findings of a file are told, of one that is not as wanted at least one; nil for all.
    let limit: Int?

    /// The verdict on a file that was checked.
    func verdict(on report: Report, of name: String) -> FileVerdict {
        let isInvalid = report.findings.contains { isGrave($0.problem.severity) }
        let isExpected = isInvalid == expectsInvalid
        var findings = report.findings
        if expectsInvalid, !isInvalid { findings.append(Finding(Self.unexpectedlyValid)) }
        let reported = findings.filter {
            isQuiet ? isGrave($0.problem.severity) && !isExpected : isTold($0.problem.severity)
        }
        let chosen = limit.map { gravest(isExpected ? $0 : max($0, 1), of: reported) } ?? reported
        return FileVerdict(
            name: name, verdict: isInvalid ? .invalid : .valid, isExpected: isExpected,
            format: report.format, isArchive: report.isArchive, findings: chosen,
            omitted: reported.count - chosen.count,
            counts: FindingCounts(findings))
    }

    /// The verdict on a file that could not be read.
    func verdict(on error: FileError, of name: String) -> FileVerdict {
        let finding = Finding(Problem("validate.unreadable", error.sentence))
        return FileVerdict(
            name: name, verdict: .unchecked, isExpected: false, format: nil, isArchive: false, findings: [finding],
            omitted: 0, counts: FindingCounts([finding]))
    }

    private static let unexpectedlyValid = Problem(
        "validate.valid",
        "nothing makes this file invalid; --expect-invalid, or expectInvalid in a rule of the project, says that something should"
    )

    private func isGrave(_ severity: Problem.Severity) -> Bool {
        severity == .error || isStrict && severity == .warning
    }

    private func isTold(_ severity: Problem.Severity) -> Bool {
        tellsInfos || severity != .info
    }

    /// So many findings, the graver ones rather than others, in the order in which they stand.
    func gravest(_ limit: Int, of findings: [Finding]) -> [Finding] {
        guard findings.count > limit else { return findings }
        let ranking = findings.indices.sorted {
            (findings[$1].problem.severity, $0) < (findings[$0].problem.severity, $1)
        }
        return ranking.prefix(limit).sorted().map { findings[$0] }
    }
}
