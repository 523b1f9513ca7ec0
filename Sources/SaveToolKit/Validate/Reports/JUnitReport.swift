import SaveCodec
import SaveInspection

/// A JUnit report with one suite and a case for each file. A file with an unexpected verdict is a failure, and a file
/// that cannot be read is an error. Other findings are in the output of the case. The suite begins with the counts, so
/// the cases are kept until the end.
struct JUnitReport: ReportRenderer {
    private var cases: [UInt8] = []

    mutating func render(_ file: FileVerdict, to output: inout ByteWriter) {
        let name = Self.escaping(FileName.distinct(file.title))
        var text = "  <testcase classname=\"savetool.validate\" name=\"\(name)\">"
        let lines = Self.lines(of: file)
        switch (file.verdict, file.isExpected) {
        case (.unchecked, _): text += Self.element("error", for: file, lines)
        case (_, false): text += Self.element("failure", for: file, lines)
        case (_, true) where !lines.isEmpty: text += "<system-out>" + lines + "</system-out>"
        case (_, true): break
        }
        cases += (text + "</testcase>\n").utf8
    }

    func end(_ totals: ReportTotals, to output: inout ByteWriter) {
        let failures = totals.unexpected
        let counts = "tests=\"\(totals.files)\" failures=\"\(failures)\" errors=\"\(totals.unchecked)\""
        output.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"savetool\" \(counts)>\n")
        output.write("<testsuite name=\"savetool validate\" \(counts) skipped=\"0\">\n")
        output.write(cases)
        output.write("</testsuite>\n</testsuites>\n")
    }

    /// Returns a failure or an error. Its message is from the first finding with the highest severity.
    private static func element(_ name: String, for file: FileVerdict, _ lines: String) -> String {
        let problem = file.findings.max { $0.problem.severity < $1.problem.severity }?.problem
        return "<\(name) message=\"\(escaping(problem?.message ?? ""))\" type=\"\(escaping(problem?.id ?? ""))\">"
            + lines + "</\(name)>"
    }

    /// Returns the escaped lines of a file's findings. There are at most 100 lines, because the cases are kept in
    /// memory.
    private static func lines(of file: FileVerdict) -> String {
        let reported = file.findings.prefix(100)
        let omitted = file.omitted + file.findings.count - reported.count
        let rest = omitted > 0 ? [FindingLine.rest(omitted, in: file.name)] : []
        let isExpected = file.isExpectedlyInvalid
        return (reported.map { FindingLine.render($0, in: file.name, isExpected: isExpected) } + rest).map(escaping)
            .joined(
                separator: "\n")
    }

    /// Returns text escaped for XML 1.0, including attributes, in which line breaks must be references. Characters that
    /// affect terminals, including all that XML does not allow, are written as `\u001B`.
    static func escaping(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isPlain) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case " "..<"\u{7F}": result.unicodeScalars.append(scalar)
            default: result += SafeText.escaping(String(scalar))
            }
        }
    }

    /// Whether a byte is a character that needs no escape.
    private static func isPlain(_ byte: UInt8) -> Bool {
        0x20..<0x7F ~= byte && !"&<>\"".utf8.contains(byte)
    }
}
