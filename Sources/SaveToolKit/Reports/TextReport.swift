import SaveCodec

/// One line a finding. A file that cannot be read is told on standard error, as by every command.
struct TextReport: ReportRenderer {
    func begin(to output: inout ByteWriter) {}

    func render(_ file: FileVerdict, to output: inout ByteWriter) {
        guard file.verdict != .unchecked else { return }
        for finding in file.findings { output.write(FindingLine.render(finding, in: file.name) + "\n") }
        if file.omitted > 0 { output.write(FindingLine.rest(file.omitted, in: file.name) + "\n") }
    }

    func end(_ totals: ReportTotals, to output: inout ByteWriter) {}
}
