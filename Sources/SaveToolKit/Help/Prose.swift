/// A text of the help, in parts: paragraphs, which are filled to the width of the page; lists of terms with
/// explanations; and verbatim text, such as an example in JSON.
///
/// In the source, empty lines separate the parts. An indented part is a list if each of its least indented lines has a
/// gap of at least two spaces before the explanation. Otherwise it is verbatim.
struct Prose {
    enum Part: Equatable {
        case paragraph(String)
        case list([Entry])
        case verbatim([String])
    }

    /// A term and its explanation.
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

    /// Returns the entries of a list, or nil if a line neither is an entry nor continues one.
    private static func list(_ lines: [String]) -> [Entry]? {
        var entries: [Entry] = []
        for line in lines {
            if line.hasPrefix(" "), let last = entries.popLast() {
                let more = line.drop { $0 == " " }
                entries.append(Entry(term: last.term, explanation: last.explanation + " " + more))
            } else {
                guard let gap = line.indices.first(where: { line[$0...].hasPrefix("  ") }) else { return nil }
                let explanation = line[gap...].drop { $0 == " " }
                entries.append(Entry(term: String(line[..<gap]), explanation: String(explanation)))
            }
        }
        return entries
    }
}

/// Breaks text into lines at spaces.
enum WordWrap {
    /// Returns the lines of a text. None is longer than `width` unless a word is.
    static func lines(of text: String, width: Int) -> [String] {
        lines(of: text.split { $0 == " " || $0 == "\n" }.map(String.init), width: width)
    }

    /// Returns the lines of a shell command, without separating an option from its value.
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
