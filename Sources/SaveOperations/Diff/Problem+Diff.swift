import SaveCodec

extension Problem {
    static func patternStart(_ text: String) -> Problem {
        Problem("pattern.start", "the pattern \(quoted(text)) does not begin with a slash, as /root/*/name does")
    }

    static func patternEscape(_ text: String) -> Problem {
        Problem("pattern.escape", "the pattern \(quoted(text)) has a ~ that is followed by neither 0 nor 1")
    }

    private static func quoted(_ text: String) -> String {
        "\"" + SafeText.escaping(text.utf16.prefix(80)) + "\""
    }
}
