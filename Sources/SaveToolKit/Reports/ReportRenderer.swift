import SaveCodec

/// Writes what checking files came to, file by file, so that nothing is kept of a file that has been told.
protocol ReportRenderer {
    mutating func begin(to output: inout ByteWriter)
    mutating func render(_ file: FileVerdict, to output: inout ByteWriter)
    mutating func end(_ totals: ReportTotals, to output: inout ByteWriter)
}

/// The form of a report.
enum ReportFormat: String, CaseIterable {
    case text, json, ndjson, github, sarif, junit

    var renderer: any ReportRenderer {
        switch self {
        case .text: TextReport()
        case .json: JSONReport()
        case .ndjson: NDJSONReport()
        case .github: GitHubReport()
        case .sarif: SARIFReport()
        case .junit: JUnitReport()
        }
    }
}
