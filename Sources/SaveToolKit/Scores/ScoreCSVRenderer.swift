import SaveCodec
import SaveOperations

/// Shows a table of high scores as comma-separated values (RFC 4180).
enum ScoreCSVRenderer {
    static func render(_ list: ScoreList, isTerminal: Bool, to output: inout ByteWriter) {
        output.write("rank,name,score,date\r\n")
        for row in list.rows {
            let name = row.record.name
            let text = isTerminal ? SafeText.escaping(name) : String(decoding: name, as: UTF16.self)
            output.write("\(row.rank),\(quoted(defused(text))),\(row.record.score),\(row.record.shownDate)\r\n")
        }
    }

    /// A text that a spreadsheet does not take for a formula, whatever a player is called.
    private static func defused(_ text: String) -> String {
        guard let first = text.utf8.first, "=+-@\t\r\n".utf8.contains(first) else { return text }
        return "'" + text
    }

    private static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
