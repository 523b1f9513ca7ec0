/// A text of the help as its parts: paragraphs, which are filled to the width of the page; lists of words with what they
/// mean; and what stays as it is written, such as an example in JSON.
///
/// In the source parts are separated by empty lines. A part that is indented is a list if each of its lines that is
/// indented least has a gap of two blanks or more, behind which the explanation begins; else it stays as it is written.
struct Prose {
    /// One part of a text.
    enum Part: Equatable {
        case paragraph(String)
        case list([Entry])
        case verbatim([String])
    }

    /// A word, and what it means.
    struct Entry: Equatable {
        let term: String
        let explanation: String
    }

    let parts: [Part]

    init(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        parts = lines.split(whereSeparator: \.isEmpty).map { Self.part($0.map(String.init)) }
    }

    private static func part(_ lines: [String]) -> Part {
        let indentation = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        guard indentation > 0 else { return .paragraph(lines.joined(separator: " ")) }
        let lines = lines.map { String($0.dropFirst(indentation)) }
        return list(lines).map(Part.list) ?? .verbatim(lines)
    }

    /// Nil if one of the lines is no entry and continues none.
    private static func list(_ lines: [String]) -> [Entry]? {
        var entries: [Entry] = []
        for line in lines {
            if line.hasPrefix(" "), let last = entries.popLast() {
                let more = line.drop { $0 == " " }
                entries.append(Entry(term: last.term, explanation: last.explanation + " " + more))
            } else {
                guard let gap = line.firstRange(of: "  ") else { return nil }
                let explanation = line[gap.upperBound...].drop { $0 == " " }
                entries.append(Entry(term: String(line[..<gap.lowerBound]), explanation: String(explanation)))
            }
        }
        return entries
    }
}

/// Text that is cut into lines at blanks.
enum Filling {
    /// The lines of a text, none longer than `width` unless a word is.
    static func lines(of text: String, width: Int) -> [String] {
        lines(of: text.split { $0 == " " || $0 == "\n" }.map(String.init), width: width)
    }

    /// The lines of a command for the shell, in which no option is cut off from its value.
    static func lines(ofCommand text: String, width: Int) -> [String] {
        var words: [String] = []
        for word in text.split(separator: " ").map(String.init) {
            if let last = words.last, last.hasPrefix("-"), !last.contains(" "), !word.hasPrefix("-") {
                words[words.count - 1] += " " + word
            } else {
                words.append(word)
            }
        }
        return lines(of: words, width: width)
    }

    private static func lines(of words: [String], width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in words {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
