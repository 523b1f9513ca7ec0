import JSONSchema
import SaveCodec

/// The explanations of findings, read from the tables of the article *Findings*, whose text is compiled in:
///
///     ## Formats
///
///     Format detection. …
///
///     | identifier | meaning | example |
///     |---|---|---|
///     | `format.read-only` | savetool cannot write this format | `a typedstream can be read but not written` |
///     | `format.…` | a known but unsupported format: `bplist15`, … | |
struct FindingArticle: Sendable {
    /// A row of a table, in Markdown, with the text above the table.
    struct Entry: Sendable {
        /// The identifier, in which `…` stands for parts that vary.
        let id: String
        /// The heading of the section.
        let section: String
        /// The paragraph above the table.
        let introduction: String
        /// The meaning, without the severities that it may begin with.
        let meaning: String
        /// An example of the message, or of its beginning; empty for none.
        let example: String
    }

    static let compiled = FindingArticle(text)

    private(set) var entries: [Entry] = []
    private var numbers: [String: Int] = [:]

    init(_ text: String) {
        var (section, introduction, isAfterTable) = ("", "", true)
        // Splitting a text into bytes is many times faster than into characters.
        for bytes in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = Substring(bytes)
            if bytes.starts(with: "## ".utf8) {
                (section, introduction) = (String(Substring(bytes.dropFirst(3))), "")
            } else if bytes.first == UInt8(ascii: "|") {
                isAfterTable = true
                guard let cells = Self.cells(line) else { continue }
                numbers[cells[0]] = entries.count
                entries.append(
                    Entry(
                        id: cells[0], section: section, introduction: introduction,
                        meaning: Self.withoutSeverities(cells[1]), example: cells.count > 2 ? cells[2] : ""))
            } else if !line.isEmpty {
                introduction = isAfterTable ? String(line) : introduction + " " + line
                isAfterTable = false
            }
        }
    }

    /// Returns the cells of a row with an identifier, without the backticks around identifiers and examples.
    private static func cells(_ line: Substring) -> [String]? {
        guard line.utf8.starts(with: "| `".utf8) else { return nil }
        var cells: [[UInt8]] = [[]]
        for byte in line.utf8 {
            switch byte {
            case UInt8(ascii: "|") where cells[cells.count - 1].last == UInt8(ascii: "\\"):
                cells[cells.count - 1][cells[cells.count - 1].count - 1] = byte
            case UInt8(ascii: "|"): cells.append([])
            default: cells[cells.count - 1].append(byte)
            }
        }
        let texts = cells.dropFirst().dropLast().map { cell in cell.trimming { $0 == UInt8(ascii: " ") } }
        guard texts.count > 1 else { return nil }
        return texts.enumerated().map { position, text in
            String(decoding: position == 1 ? text : text.trimming { $0 == UInt8(ascii: "`") }, as: UTF8.self)
        }
    }

    /// Returns a meaning without severities: `error or warning: a null` becomes `a null`.
    private static func withoutSeverities(_ meaning: String) -> String {
        guard let colon = meaning.utf8.firstIndex(of: UInt8(ascii: ":")) else { return meaning }
        let words = meaning[..<colon].utf8.split(separator: UInt8(ascii: " "))
        let severities = ["error", "warning", "info", "or"]
        guard words.allSatisfy({ severities.contains(String(Substring($0))) }) else { return meaning }
        return String(meaning[colon...].dropFirst(2))
    }

    // MARK: Lookup

    /// Returns the explanation of a finding, or nil for an unknown one.
    func entry(for id: String) -> Entry? {
        if let number = numbers[id] { return entries[number] }
        return entries.first { $0.pattern.map { id.hasPrefix($0.start) && id.hasSuffix($0.end) } ?? false }
    }

    /// The identifiers that a finding can have, as far as the article or the keywords of schemas state them.
    var ids: [String] {
        entries.flatMap { entry -> [String] in
            guard let (start, end) = entry.pattern else { return [entry.id] }
            let words = entry.id == Self.keywords ? Schema.keywords : entry.quoted
            return words.map { $0.hasPrefix(start) ? $0 : start + $0 + end }
        }
    }

    /// Whether a finding can have an identifier. If the article does not list the parts that vary, any are accepted.
    func isKnown(_ id: String) -> Bool {
        guard let entry = entry(for: id) else { return false }
        if entry.pattern == nil || entry.id != Self.keywords && entry.quoted.isEmpty { return true }
        return ids.contains(id)
    }

    /// The identifiers that end with a keyword of JSON Schema.
    private static let keywords = "schema.…"
}

extension FindingArticle.Entry {
    /// The parts around `…`, or nil for a whole identifier.
    fileprivate var pattern: (start: String, end: String)? {
        let parts = id.split(separator: "…", omittingEmptySubsequences: false)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }

    /// The texts between backticks in the meaning.
    fileprivate var quoted: [String] {
        let parts = meaning.split(separator: "`", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }

    // MARK: Texts

    /// The meaning as a sentence, in plain text.
    var summary: String { Self.plain(Self.sentence(meaning)) }

    /// The meaning after the heading of the section, and the example, in plain text.
    var description: String { Self.plain(markdownDescription) }

    /// The meaning and the example as sentences, with the text above the table, in plain text.
    var explanation: String {
        Self.plain(Self.sentence(meaningAndExample) + (introduction.isEmpty ? "" : " " + introductoryText))
    }

    /// Returns the meaning and example of a finding in sentences, with the text above the table, in plain text.
    func help(for id: String) -> String { Self.plain(markdownHelp(for: id)) }

    /// Returns the meaning and example of a finding in sentences, with the text above the table, in Markdown.
    func markdownHelp(for id: String) -> String {
        "The finding `\(id)` means: " + meaningAndExample
            + (introduction.isEmpty ? "" : "\n\n" + introductoryText)
    }

    private var introductoryText: String { Self.sentence(Self.withoutLinks(introduction)) }

    private var markdownDescription: String { section + ": " + meaningAndExample }

    private var meaningAndExample: String { meaning + "." + (example.isEmpty ? "" : " Example: `\(example)`") }

    /// The anchor of the section in the article.
    var anchor: String {
        String(
            section.lowercased().unicodeScalars.reduce(into: String.UnicodeScalarView()) { anchor, scalar in
                if scalar == " " { anchor.append("-") }
                if scalar == "-" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                    anchor.append(scalar)
                }
            })
    }

    /// Returns a text with a capital at its start and a period at its end.
    private static func sentence(_ text: String) -> String {
        guard let first = text.unicodeScalars.first else { return text }
        let rest = Substring(text.unicodeScalars.dropFirst())
        return first.properties.uppercaseMapping + rest + (rest.utf8.last == UInt8(ascii: ".") ? "" : ".")
    }

    /// Returns a text with the names of articles in place of the links of DocC: `<doc:XMLFormat>`.
    private static func withoutLinks(_ text: String) -> String {
        text.split(separator: "<", omittingEmptySubsequences: false).enumerated().reduce(into: "") { result, part in
            guard part.offset > 0 else { return result += part.element }
            guard part.element.hasPrefix("doc:"), let end = part.element.utf8.firstIndex(of: UInt8(ascii: ">")) else {
                return result += "<" + part.element
            }
            let name = part.element[..<end].dropFirst("doc:".utf8.count)
            result += "the article \(name)\(part.element[end...].dropFirst())"
        }
    }

    private static func plain(_ text: String) -> String {
        text.replacingScalar("`", with: "")
    }
}
