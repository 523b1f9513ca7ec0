import SaveCodec
import SaveOperations

/// Shows a table of high scores as a JSON array of objects, one on each line.
enum ScoreJSONRenderer {
    static func render(_ list: ScoreList, to output: inout ByteWriter) {
        output.write(list.rows.isEmpty ? "[" : "[\n")
        for (position, row) in list.rows.enumerated() {
            if position > 0 { output.write(",\n") }
            output.write("  ")
            JSONObject.write(to: &output) { object, output in
                object.member("rank", row.rank, to: &output)
                object.name("name", to: &output)
                ScalarText.writeString(row.record.name, to: &output)
                object.name("score", to: &output)
                output.write("\(row.record.score)")
                object.name("date", to: &output)
                write(row.record.date, to: &output)
            }
        }
        output.write(list.rows.isEmpty ? "]\n" : "\n]\n")
    }

    private static func write(_ date: Double?, to output: inout ByteWriter) {
        guard let date else { return output.write("null") }
        guard let text = ScalarText.date(date) else { return output.write(ScalarText.real(date)) }
        output.write("\"\(text)\"")
    }
}
