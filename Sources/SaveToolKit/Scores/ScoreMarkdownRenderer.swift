import SaveCodec
import SaveOperations

/// Shows a table of high scores as a table of GitHub's Markdown.
enum ScoreMarkdownRenderer {
    static func render(_ list: ScoreList, to output: inout ByteWriter) {
        output.write("| rank | name | score | date |\n| ---: | :--- | ---: | :--- |\n")
        for row in list.rows {
            output.write(
                "| \(row.rank) | \(escaped(row.record.name)) | \(row.record.score) | \(row.record.shownDate) |\n")
        }
    }

    /// A name as text: no column, markup or HTML. GitHub makes a link of a bare address all the same; no escape keeps it
    /// from that. What is escaped for terminals has its backslashes doubled already.
    private static func escaped(_ name: [UInt16]) -> String {
        var text = ""
        for scalar in SafeText.escaping(name).unicodeScalars {
            if "|`<>*_[]&~$".unicodeScalars.contains(scalar) { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}
