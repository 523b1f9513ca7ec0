import Foundation
import TestSupport
import Testing

/// A text edit in `Fixtures/text-edits`: the number of the rule that it shows, the command, the text before, and the
/// expected text after.
///
///     == 12 set /b 2 | a semicolon after each member
///     { a = 1; }
///     -->
///     { a = 1; b = 2; }
///
/// `%%` at the end of a line removes the line break that follows it.
struct TextEditCase: Sendable, CustomTestStringConvertible {
    let format: String
    /// The name of the command, and its arguments after the file.
    let command: [String]
    let reason: String
    let before: String
    let after: String
    let rule: Int

    var testDescription: String { "\(format) \(rule): \(command.joined(separator: " ")): \(reason)" }

    /// The expected error message if the edit is to be refused.
    var refusal: String? {
        reason.hasPrefix("refused: ") ? String(reason.dropFirst("refused: ".count)) : nil
    }

    /// Returns all cases, those of each format together.
    static func all() throws -> [TextEditCase] {
        try ["xml", "json", "jsonc", "openstep", "strings"].flatMap { format in
            let file = TestFiles.fixtures.appending(path: "text-edits/\(format).txt")
            return cases(of: try String(contentsOf: file, encoding: .utf8), format)
        }
    }

    private static func cases(of text: String, _ format: String) -> [TextEditCase] {
        ("\n" + text.dropLast()).components(separatedBy: "\n== ").dropFirst().map { text in
            let (head, texts) = halves(of: text, at: "\n")
            let (before, after) = halves(of: "\n" + texts + "\n", at: "\n-->\n")
            let (command, reason) = halves(of: head, at: " | ")
            let words = words(of: command)
            return TextEditCase(
                format: format, command: Array(words.dropFirst()), reason: reason,
                before: document(before.dropFirst() + "\n", format), after: document(after, format),
                rule: Int(words[0]) ?? 0)
        }
    }

    private static func halves(of text: String, at mark: String) -> (String, String) {
        guard let range = text.range(of: mark) else { return (text, "") }
        return (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
    }

    /// Returns the words of a command. Apostrophes quote blanks.
    private static func words(of command: String) -> [String] {
        command.components(separatedBy: "'").enumerated().flatMap { number, piece in
            number % 2 == 1 ? [piece] : piece.split(separator: " ").map(String.init)
        }
    }

    private static func document(_ text: String, _ format: String) -> String {
        let text = text.replacingOccurrences(of: "%%\n", with: "")
        guard format == "xml", !text.contains("<plist") else { return text }
        return "<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\n\(text)</plist>\n"
    }
}
