import SaveCodec

/// Fields of comma-separated values (RFC 4180).
enum CSV {
    /// A text from a file that a spreadsheet does not take for a formula, whatever it is.
    static func field(_ text: [UInt16], isTerminal: Bool) -> String {
        field(defused(isTerminal ? SafeText.escaping(text) : String(decoding: text, as: UTF16.self)))
    }

    /// A text that is no formula, in quotation marks where it needs them.
    static func field(_ text: String) -> String {
        guard text.utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }

    private static func defused(_ text: String) -> String {
        guard let first = text.utf8.first, "=+-@\t\r\n".utf8.contains(first) else { return text }
        return "'" + text
    }
}
