import SaveCodec
import SaveInspection

/// The result of checking a file, as reported.
struct FileVerdict: FileResult {
    enum Verdict: String, Sendable {
        case valid, invalid
        /// The file could not be read.
        case unchecked
    }

    let name: String
    let verdict: Verdict
    let isExpected: Bool
    /// The format; nil if it was not recognized.
    let format: Format?
    let isArchive: Bool
    /// The reported findings.
    private(set) var findings: [Finding]
    /// The number of findings that are left out because of the limit.
    private(set) var omitted: Int
    /// The counts of all findings.
    let counts: FindingCounts
    /// The number of infos among the findings that are left out.
    var omittedInfos = 0
    /// If the file is expected to be invalid, the ids of all findings that make it so; otherwise empty.
    var expectableFindings: Set<String> = []
    /// The indices of the project's rules for the file.
    var rules: [Int] = []

    var title: String { name == "-" ? "<stdin>" : name }

    /// Whether the file is invalid and was expected to be.
    var isExpectedlyInvalid: Bool { verdict == .invalid && isExpected }

    /// The reported findings, with those about the comments and the trailing commas of a JSON text as one.
    var findingsForPeople: [Finding] {
        guard let (warning, comments, commas) = Problem.joinedJSONExtras(in: findings.map(\.problem)) else {
            return findings
        }
        var joined = findings
        joined[comments] = Finding(warning)
        joined.remove(at: commas)
        return joined
    }

    /// Returns the verdict without its infos, for a report that does not show them.
    func withoutInfos() -> FileVerdict {
        var file = self
        file.findings.removeAll { $0.problem.severity == .info }
        file.omitted -= omittedInfos
        return file
    }
}

struct FindingCounts: Sendable, Equatable {
    var errors = 0
    var warnings = 0
    var infos = 0

    init() {}

    init(_ findings: [Finding]) {
        for finding in findings {
            switch finding.problem.severity {
            case .error: errors += 1
            case .warning: warnings += 1
            case .info: infos += 1
            }
        }
    }

    mutating func add(_ other: FindingCounts) {
        errors += other.errors
        warnings += other.warnings
        infos += other.infos
    }
}
