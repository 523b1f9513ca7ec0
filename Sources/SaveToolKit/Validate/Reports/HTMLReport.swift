import SaveCodec
import SaveOperations

/// An HTML page with a row for each file and for each of its findings. Those of files that are invalid as expected are
/// grey.
struct HTMLReport: ReportRenderer {
    private var page: TreePage?

    mutating func begin(to output: inout ByteWriter) {
        page = TreePage(title: "Findings", opens: true, to: &output)
        page?.add(TreePage.Row(depth: 0, label: "", text: "files", textRole: .plain), to: &output)
    }

    mutating func render(_ file: FileVerdict, to output: inout ByteWriter) {
        let name = Invocation.shownName(file.name)
        let isGrey = file.isExpectedlyInvalid
        let textRole: TextRole = isGrey ? .note : file.isExpected ? .plain : file.verdict == .valid ? .warning : .error
        let verdict = file.verdict.rawValue + (isGrey ? " as expected" : "")
        page?.add(TreePage.Row(depth: 1, label: name, text: verdict, textRole: textRole), to: &output)
        for finding in file.findings {
            page?.add(
                TreePage.Row(
                    depth: 2, label: FindingLine.location(of: finding),
                    text: "\(finding.problem.severity.rawValue): \(finding.problem.message) [\(finding.problem.id)]",
                    textRole: isGrey ? .note : finding.problem.severity.textRole,
                    step: (finding.path ?? finding.problem.address ?? .root).operand),
                to: &output)
        }
        guard file.omitted > 0 else { return }
        let rest = "… \(CountText.of(file.omitted, "more finding"))"
        page?.add(TreePage.Row(depth: 2, label: "", text: rest, textRole: .note), to: &output)
    }

    mutating func end(_ totals: ReportTotals, to output: inout ByteWriter) {
        page?.end(about: totals.summary(reportsInfos: true), to: &output)
    }
}
