/// What a run came to.
struct ReportTotals {
    /// Whether it is all right if no file was checked.
    let mayBeEmpty: Bool
    private(set) var valid = 0
    private(set) var invalid = 0
    private(set) var unchecked = 0
    /// How many files are not what was wanted.
    private(set) var unwanted = 0
    private(set) var counts = FindingCounts()

    init(mayBeEmpty: Bool = false) {
        self.mayBeEmpty = mayBeEmpty
    }

    var files: Int { valid + invalid + unchecked }

    mutating func add(_ file: FileVerdict) {
        switch file.verdict {
        case .valid: valid += 1
        case .invalid: invalid += 1
        case .unchecked: unchecked += 1
        }
        if !file.isWanted { unwanted += 1 }
        counts.add(file.counts)
    }

    /// That something, or all, cannot be checked weighs more than that something is invalid.
    var status: ExitStatus {
        if unchecked > 0 || files == 0 && !mayBeEmpty { return .cannot }
        return unwanted > 0 ? .notThere : .done
    }

    /// All in one line: `3 files: 2 valid, 1 invalid; 1 error, 2 warnings`.
    var summary: String {
        let verdicts = [(valid, "valid"), (invalid, "invalid"), (unchecked, "unchecked")]
            .filter { $0.0 > 0 }.map { "\(Grouped.of($0.0)) \($0.1)" }
        let findings = [(counts.errors, "error"), (counts.warnings, "warning"), (counts.infos, "info")]
            .filter { $0.0 > 0 }.map { Grouped.of($0.0, $0.1) }
        return Grouped.of(files, "file") + ": " + verdicts.joined(separator: ", ")
            + (findings.isEmpty ? "" : "; " + findings.joined(separator: ", "))
    }
}
