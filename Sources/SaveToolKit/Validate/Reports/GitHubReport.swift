import SaveCodec
import SaveInspection

/// A report in workflow commands, which GitHub Actions shows as annotations:
///
///     ::error file=prefs.plist,line=12,col=7,title=xml.tag::found </dict>, expected </array>
///
/// In messages, `%`, CR and LF are escaped as `%25`, `%0D` and `%0A`; in properties also `:` and `,`. Other characters
/// that affect terminals are written as `\u001B`, because logs are also read on terminals.
///
/// File names are relative to the top of the repository, where GitHub looks for them. Files that are invalid as
/// expected have no annotations.
struct GitHubReport: ReportRenderer {
    let paths: RepositoryPaths

    func render(_ file: FileVerdict, to output: inout ByteWriter) {
        guard !file.isExpectedlyInvalid else { return }
        for finding in file.findings { write(finding, in: file, to: &output) }
        guard file.omitted > 0 else { return }
        write(
            "notice", of: [("file", name(of: file))], Phrase.count(file.omitted, "more finding"), to: &output)
    }

    private func write(_ finding: Finding, in file: FileVerdict, to output: inout ByteWriter) {
        var properties = [("file", name(of: file))]
        if case .line(let line, let column) = finding.problem.location {
            properties += [("line", "\(line)"), ("col", "\(column)")]
        }
        properties.append(("title", finding.problem.id))
        let context = FindingLine.context(of: finding)
        write(
            Self.word(for: finding), of: properties,
            (context.isEmpty ? "" : context + ": ") + finding.problem.message, to: &output)
    }

    private func name(of file: FileVerdict) -> String {
        FileName.distinct(file.name == "-" ? file.title : paths.path(of: file.name))
    }

    /// Returns the annotation level.
    private static func word(for finding: Finding) -> String {
        switch finding.problem.severity {
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
