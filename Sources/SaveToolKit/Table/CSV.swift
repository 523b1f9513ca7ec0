/// Fields of comma-separated values (RFC 4180).
enum CSV {
    /// A text in quotation marks where it needs them.
    static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }

    /// A text with an apostrophe before all that a spreadsheet could take for the beginning of a formula. Many take a
    /// semicolon or a tab for the separator, so that behind one of these a cell may begin, quotation marks or not; some
    /// read the wide forms of signs as the signs.
    static func defused(_ text: String) -> String {
        var defused = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            let isAtStart = last == nil && leaders.contains(scalar)
            if isAtStart || (last.map(separators.contains) ?? true) && signs.contains(scalar) { defused.append("'") }
            defused.append(scalar)
            last = scalar
        }
        return String(defused)
    }

    private static let signs: [Unicode.Scalar] = ["=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"]
    private static let separators: [Unicode.Scalar] = [";", "\t"]
    private static let leaders: [Unicode.Scalar] = separators + ["\r", "\n"]
}
