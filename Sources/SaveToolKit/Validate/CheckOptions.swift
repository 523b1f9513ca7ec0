import SaveCodec
import SaveInspection

/// The checks for a file, and the policy for judging its findings.
struct CheckOptions: Sendable {
    /// The filter that decodes a file; nil for none.
    var filter: Filter?
    var validation: Validation
    var failurePolicy: FailurePolicy
}

/// The checks for all files: the options of the command line, and the options of the project's rules for each file.
struct CheckOptionsByRule: Sendable {
    /// The options for a file without a rule.
    let basic: CheckOptions
    /// The options by the indices of a file's rules.
    var byRules: [[Int]: CheckOptions] = [:]

    subscript(rules: [Int]) -> CheckOptions {
        byRules[rules] ?? basic
    }
}

/// The policy that judges and selects findings.
struct FailurePolicy: Sendable {
    /// Whether warnings make a file invalid.
    var isStrict: Bool
    var expectsInvalid: Bool
    /// The ids of the findings that are expected to make a file invalid; nil if any finding may. The check fails if
    /// another finding makes the file invalid.
    var expectedFindings: Set<String>?
    /// Whether to report only findings that make a file invalid unexpectedly.
    let isQuiet: Bool
    /// The maximum number of reported findings per file; nil for no limit. If a file fails, at least one is reported.
    let limit: Int?

    func verdict(on report: Report, of name: String) -> FileVerdict {
        let isInvalid = report.findings.contains { isFailure($0.problem.severity) }
        var findings = report.findings
        let objection = objection(to: report.findings, isInvalid: isInvalid)
        if let objection { findings.append(Finding(objection)) }
        let isExpected = isInvalid == expectsInvalid && objection == nil
        let reported = isQuiet ? findings.filter { isFailure($0.problem.severity) && !isExpected } : findings
        let chosen = limit.map { mostSevere(isExpected ? $0 : max($0, 1), of: reported) } ?? reported
        return FileVerdict(
            name: name, verdict: isInvalid ? .invalid : .valid, isExpected: isExpected,
            format: report.format, isArchive: report.isArchive, findings: chosen,
            omitted: reported.count - chosen.count, counts: FindingCounts(findings),
            omittedInfos: FindingCounts(reported).infos - FindingCounts(chosen).infos,
            expectableFindings: expectsInvalid ? failures(in: report.findings) : [])
    }

    private func failures(in findings: [Finding]) -> Set<String> {
        Set(findings.filter { isFailure($0.problem.severity) }.map(\.problem.id))
    }

    /// Returns a problem if the file should be invalid but is valid, or is invalid for another reason.
    private func objection(to findings: [Finding], isInvalid: Bool) -> Problem? {
        guard expectsInvalid else { return nil }
        guard let expectedFindings else { return isInvalid ? nil : Self.unexpectedlyValid }
        let expected = UsageError.list(expectedFindings.sorted())
        guard isInvalid else {
            return Problem("validate.valid", "the file is valid, but the project file expects \(expected)")
        }
        let other = findings.first {
            isFailure($0.problem.severity) && !expectedFindings.contains($0.problem.id)
        }
        guard let other else { return nil }
        return Problem(
            "validate.unexpected",
            "the file is invalid because of \(other.problem.id), but the project file expects \(expected)")
    }

    func verdict(on error: FileError, of name: String) -> FileVerdict {
        let finding = Finding(Problem("validate.unreadable", error.sentence))
        return FileVerdict(
            name: name, verdict: .unchecked, isExpected: false, format: nil, isArchive: false, findings: [finding],
            omitted: 0, counts: FindingCounts([finding]))
    }

    private static let unexpectedlyValid = Problem(
        "validate.valid",
        "the file is valid, but --expect-invalid, or expectInvalid in the project file, requires an invalid file"
    )

    private func isFailure(_ severity: Problem.Severity) -> Bool {
        severity == .error || isStrict && severity == .warning
    }

    /// Returns the most severe findings, in their original order.
    ///
    /// - Parameter limit: The maximum number of findings.
    func mostSevere(_ limit: Int, of findings: [Finding]) -> [Finding] {
        guard findings.count > limit else { return findings }
        let ranking = findings.indices.sorted {
            (findings[$1].problem.severity, $0) < (findings[$0].problem.severity, $1)
        }
        return ranking.prefix(limit).sorted().map { findings[$0] }
    }
}
