import SaveCodec
import SaveOperations

/// What checking a file came to, as it is told.
struct FileVerdict: FileResult {
    enum Verdict: String, Sendable {
        case valid, invalid
        /// The file could not be read.
        case unchecked
    }

    /// The name of the file as it was given.
    let name: String
    let verdict: Verdict
    /// Whether that is what was wanted.
    let isExpected: Bool
    /// The format; nil if it is none of ours.
    let format: Format?
    let isArchive: Bool
    /// The findings that are told.
    let findings: [Finding]
    /// How many more there are that would be told.
    let omitted: Int
    /// How many findings there are in all.
    let counts: FindingCounts

    /// The name as people know it.
    var title: String { name == "-" ? "<stdin>" : name }
}

/// How many findings there are of each severity.
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
