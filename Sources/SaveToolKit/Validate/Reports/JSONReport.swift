import SaveCodec
import SaveOperations

/// One JSON document, of the same shape whether files pass or fail; `Fixtures/schemas/validate-report.schema.json`
/// describes it. A line a file, the totals at the end:
///
///     {"tool":"savetool","version":"1.0.0","files":[
///     {"file":"a.save","verdict":"valid","asWanted":true,…,"findings":[]},
///     …
///     ],"totals":{…}}
struct JSONReport: ReportRenderer {
    private var isFirst = true

    func begin(to output: inout ByteWriter) {
        output.write("{\"tool\":\"savetool\",\"version\":\"" + SaveTool.version + "\",\"files\":[")
    }

    mutating func render(_ file: FileVerdict, to output: inout ByteWriter) {
        output.write(isFirst ? "\n" : ",\n")
        isFirst = false
        JSONObject.write(to: &output) { object, output in
            object.addFile(file, to: &output)
            object.name("findings", to: &output)
            JSONObject.write(file.findings, to: &output) { finding, output in
                JSONObject.write(to: &output) { $0.addFinding(finding, to: &$1) }
            }
        }
    }

    func end(_ totals: ReportTotals, to output: inout ByteWriter) {
        output.write("\n],\"totals\":")
        JSONObject.write(to: &output) { $0.addTotals(totals, to: &$1) }
        output.write("}\n")
    }
}

/// One JSON object a line: each finding, behind the findings of a file the file, and at the end the totals. The members
/// are those of ``JSONReport``, and `type` tells which.
struct NDJSONReport: ReportRenderer {
    func begin(to output: inout ByteWriter) {}

    func render(_ file: FileVerdict, to output: inout ByteWriter) {
        for finding in file.findings {
            line("finding", to: &output) { object, output in
                object.member("file", file.title, to: &output)
                object.addFinding(finding, to: &output)
            }
        }
        line("file", to: &output) { $0.addFile(file, to: &$1) }
    }

    func end(_ totals: ReportTotals, to output: inout ByteWriter) {
        line("totals", to: &output) { $0.addTotals(totals, to: &$1) }
    }

    private func line(
        _ type: String, to output: inout ByteWriter, _ body: (inout JSONObject, inout ByteWriter) -> Void
    ) {
        JSONObject.write(to: &output) { object, output in
            object.member("type", type, to: &output)
            body(&object, &output)
        }
        output.write("\n")
    }
}

extension JSONObject {
    fileprivate mutating func addFile(_ file: FileVerdict, to output: inout ByteWriter) {
        member("file", file.title, to: &output)
        member("verdict", file.verdict.rawValue, to: &output)
        member("asWanted", file.isWanted, to: &output)
        if let format = file.format { member("format", format.rawValue, to: &output) }
        member("archive", file.isArchive, to: &output)
        addCounts(file.counts, to: &output)
        member("omitted", file.omitted, to: &output)
    }

    fileprivate mutating func addFinding(_ finding: Finding, to output: inout ByteWriter) {
        let problem = finding.problem
        member("id", problem.id, to: &output)
        member("severity", problem.severity.rawValue, to: &output)
        switch problem.place {
        case .byte(let offset): member("byte", offset, to: &output)
        case .line(let line, let column):
            member("line", line, to: &output)
            member("column", column, to: &output)
        case nil: break
        }
        let address = problem.address.map(ReportedAddress.init)
        let path = finding.path.map(ReportedAddress.init)
        if let address { member("address", address.address, to: &output) }
        if let path { member("path", path.address, to: &output) }
        if address?.isShortened == true || path?.isShortened == true { member("shortened", true, to: &output) }
        member("message", problem.message, to: &output)
    }

    fileprivate mutating func addCounts(_ counts: FindingCounts, to output: inout ByteWriter) {
        member("errors", counts.errors, to: &output)
        member("warnings", counts.warnings, to: &output)
        member("infos", counts.infos, to: &output)
    }

    fileprivate mutating func addTotals(_ totals: ReportTotals, to output: inout ByteWriter) {
        member("files", totals.files, to: &output)
        member("valid", totals.valid, to: &output)
        member("invalid", totals.invalid, to: &output)
        member("unchecked", totals.unchecked, to: &output)
        addCounts(totals.counts, to: &output)
        member("status", Int(totals.status.rawValue), to: &output)
    }
}

/// An address as reports for programs have it: whole, or if that is longer than any use of it, the address of a value that
/// the place stands in, as near as is allowed.
struct ReportedAddress {
    /// The longest address, in UTF-16 code units before they are escaped, that is told whole.
    private static let longest = 4096

    let address: Address
    /// Whether this is the address of something around the place.
    let isShortened: Bool

    init(_ whole: Address) {
        var depth = 0
        var count = 0
        for token in whole.tokens {
            count += token.count + 1
            guard count <= Self.longest else { break }
            depth += 1
        }
        isShortened = depth < whole.tokens.count
        address = isShortened ? whole.prefix(depth) : whole
    }
}
