import SaveCodec
import SaveOperations

/// Workflow commands that GitHub Actions turns into annotations:
///
///     ::error file=prefs.plist,line=12,col=7,title=xml.tag::found </dict>, expected </array>
///
/// A message escapes `%`, CR and LF as `%25`, `%0D` and `%0A`; a property `:` and `,` as well. What else a terminal could
/// act on is shown as `\u001B`, since the log of a run is read on terminals, too.
///
/// Files are named from the top of the repository: there GitHub looks for them.
struct GitHubReport: ReportRenderer {
    let paths: RepositoryPaths

    func render(_ file: FileVerdict, to output: inout ByteWriter) {
        for finding in file.findings { write(finding, in: file, to: &output) }
        guard file.omitted > 0 else { return }
        write(
            "notice", of: [("file", name(of: file))], Grouped.of(file.omitted, "more finding"), to: &output)
    }

    private func write(_ finding: Finding, in file: FileVerdict, to output: inout ByteWriter) {
        var properties = [("file", name(of: file))]
        if case .line(let line, let column) = finding.problem.place {
            properties += [("line", "\(line)"), ("col", "\(column)")]
        }
        properties.append(("title", finding.problem.id))
        let context = FindingLine.context(of: finding)
        write(
            word(for: finding, in: file), of: properties,
            (context.isEmpty ? "" : context + ": ") + finding.problem.message, to: &output)
    }

    private func name(of file: FileVerdict) -> String {
        FileName.distinct(file.name == "-" ? file.title : paths.path(of: file.name))
    }

    /// What makes a file invalid that is wanted to be, is no error to anyone.
    private func word(for finding: Finding, in file: FileVerdict) -> String {
        if file.verdict == .invalid, file.isExpected { return "notice" }
        return switch finding.problem.severity {
        case .error: "error"
        case .warning: "warning"
        case .info: "notice"
        }
    }

    private func write(
        _ word: String, of properties: [(String, String)], _ message: String, to output: inout ByteWriter
    ) {
        let list = properties.map { $0 + "=" + Self.escaping($1, isProperty: true) }.joined(separator: ",")
        output.write("::\(word) \(list)::\(Self.escaping(message, isProperty: false))\n")
    }

    static func escaping(_ text: String, isProperty: Bool) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case ":" where isProperty: result += "%3A"
            case "," where isProperty: result += "%2C"
            case " "..<"\u{7F}": result.unicodeScalars.append(scalar)
            default: result += SafeText.escaping(String(scalar))
            }
        }
    }
}
