import Foundation
import SaveCodec
import TestSupport
import Testing

@testable import SaveToolKit

/// Compares the article that lists every finding identifier with the sources and with the output that the tests expect.
///
/// An identifier is one literal in the sources, such as `"archive.uid-range"`, so that it can be searched for. An
/// interpolated one, such as `"schema.\(keyword)"`, has a row `schema.…`, and further rows may list some of its values.
/// `RECORD=1` adds the missing rows, which must then be completed by hand, removes those without an identifier, and
/// copies the article into the sources.
@Suite struct FindingCatalogueTests {
    private struct Row {
        let id: String
        let severities: [String]
        let example: String

        /// Parses a table line: identifier, meaning, and in some tables an example. A meaning may begin with the
        /// severities: `warning: a null`.
        init?(_ line: String) {
            guard line.hasPrefix("| `") else { return nil }
            let cells = line.replacing("\\|", with: "\u{0}").split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.replacing("\u{0}", with: "|").trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4 || cells.count == 5 else { return nil }
            id = cells[1].trimmingCharacters(in: ["`"])
            let named = cells[2].prefixMatch(of: #/((?:error|warning|info)(?: or (?:error|warning|info))*): /#)
            severities = named.map { String($0.output.1).components(separatedBy: " or ") } ?? ["error"]
            example = cells.count == 4 ? "" : cells[3].trimmingCharacters(in: ["`"])
        }
    }

    private static let article = TestFiles.package.appending(path: "Sources/SaveCodec/SaveCodec.docc/Findings.md")

    private static let copy = "Sources/SaveToolKit/Validate/Reports/FindingArticle+Text.swift"

    private static func lines() throws -> [String] {
        try String(contentsOf: article, encoding: .utf8).components(separatedBy: "\n")
    }

    /// Returns the code in a folder, without the copy of the article.
    private static func swiftText(in folder: String) throws -> String {
        try TestFiles.files(under: TestFiles.package.appending(path: folder))
            .filter { $0.name.hasSuffix(".swift") && !copy.hasSuffix($0.name) }
            .map { try String(contentsOf: $0.url, encoding: .utf8) }.joined(separator: "\n")
    }

    /// Returns the code twice: as it is, and without the escapes of string literals.
    private static func bytes(_ code: String) -> Data {
        Data((code + code.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")).utf8)
    }

    /// Returns the output that transcripts, tables and articles expect.
    private static func goldenText() throws -> String {
        let files = try TestFiles.files(under: TestFiles.fixtures).filter {
            $0.name.hasSuffix(".session") || $0.name.hasSuffix(".tsv")
        }
        let articles = ReadmeTests.files.map { TestFiles.package.appending(path: $0) }
        let texts = try files.map { try String(contentsOf: $0.url, encoding: .utf8) }
        let examples = try articles.flatMap { ReadmeTests.examples(in: try String(contentsOf: $0, encoding: .utf8)) }
        return (texts + examples).joined(separator: "\n")
    }

    @Test func listsEveryIdentifier() throws {
        let code = try Self.swiftText(in: "Sources").split(separator: "\n").filter {
            !$0.drop { $0 == " " }.hasPrefix("//")
        }.joined(separator: "\n")
        #expect(code.firstMatch(of: /"[a-z]+\." *\+/) == nil, "an identifier that cannot be searched for")
        let ids = Set(
            code.matches(of: /"([a-z]+\.(?:[a-z0-9-]|\\\([^()]*\))+)"/).map {
                String($0.output.1).replacing(/\\\([^()]*\)/, with: "…")
            })
        let rows = try Self.lines().compactMap { Row($0)?.id }
        let areas = Set(ids.compactMap { Problem.Kind($0).area })
        #expect(ids.filter { Problem.Kind($0).area == nil } == [], "without a case of Problem.Area")
        #expect(Problem.Area.allCases.filter { !areas.contains($0) } == [], "without an identifier")
        if ProcessInfo.processInfo.environment["RECORD"] == "1" { return try Self.record(ids) }
        #expect(rows.count == Set(rows).count)
        #expect(ids.subtracting(rows).sorted() == [], "without a row")
        #expect(Set(rows).subtracting(ids).filter { !Self.isMade($0, of: ids) } == [], "not in the sources")
    }

    /// Whether an identifier matches an interpolated one, as `schema.minimum` matches `schema.…`.
    private static func isMade(_ id: String, of ids: Set<String>) -> Bool {
        ids.contains { made in
            let parts = made.split(separator: "…", omittingEmptySubsequences: false)
            return parts.count == 2 && id.hasPrefix(parts[0]) && id.hasSuffix(parts[1])
        }
    }

    private static func record(_ ids: Set<String>) throws {
        var lines = try lines().filter { line in
            Row(line).map { ids.contains($0.id) || isMade($0.id, of: ids) } ?? true
        }
        for id in ids.subtracting(lines.compactMap { Row($0)?.id }).sorted() {
            let area = id.prefix { $0 != "." }
            let last = lines.lastIndex { $0.hasPrefix("| `\(area).") } ?? lines.lastIndex { $0.hasPrefix("| `") } ?? 0
            lines.insert("| `\(id)` |  |", at: last + 1)
        }
        try lines.joined(separator: "\n").write(to: article, atomically: true, encoding: .utf8)
        try """
        extension FindingArticle {
            // `RECORD=1 swift test --filter FindingCatalogueTests` copies this text from the article, so it is as long
            // as that.
            static let text = #\"""
        \(Self.tables(lines).map { $0.isEmpty ? "" : "        " + $0 }.joined(separator: "\n"))
                \"""#
        }

        """.write(to: TestFiles.package.appending(path: copy), atomically: true, encoding: .utf8)
    }

    /// Returns the lines of the article from the first section with a table on.
    private static func tables(_ lines: [String]) -> ArraySlice<String> {
        lines[(lines.firstIndex(of: "## Formats") ?? 0)...].dropLast(lines.last == "" ? 1 : 0)
    }

    /// Reports and pages have the texts of the article.
    @Test func articleIsCompiledIn() throws {
        if ProcessInfo.processInfo.environment["RECORD"] == "1" { return }
        #expect(FindingArticle.text == (try Self.tables(Self.lines()).joined(separator: "\n")))
        #expect(FindingArticle.compiled.entries.map(\.id) == (try Self.lines().compactMap { Row($0)?.id }))
    }

    @Test func examplesOccurInSources() throws {
        let expected = try Data(Self.goldenText().utf8) + Self.bytes(Self.swiftText(in: "Tests"))
        let sources = try Self.bytes(Self.swiftText(in: "Sources"))
        for row in try Self.lines().compactMap(Row.init) where !row.example.isEmpty {
            if expected.range(of: Data(row.example.utf8)) != nil { continue }
            let parts = row.example.split(separator: "…")
            #expect(
                parts.allSatisfy { sources.range(of: Data($0.utf8)) != nil }, "\(row.id): nothing says \(row.example)")
        }
    }

    @Test func severitiesMatchReports() throws {
        let text = try Self.goldenText()
        let lines = text.matches(of: /(error|warning|info): [^\n]* \[([a-z]+\.[a-z0-9-]+)\]/)
            .map { (String($0.output.2), String($0.output.1)) }
        let cells = text.matches(of: /\t(error|warning|info) ([a-z]+\.[a-z0-9-]+)[ ]/)
            .map { (String($0.output.2), String($0.output.1)) }
        let rows = Dictionary(
            uniqueKeysWithValues: try Self.lines().compactMap(Row.init).map { ($0.id, $0.severities) })
        #expect(!lines.isEmpty && !cells.isEmpty)
        for (id, severity) in lines + cells {
            #expect(rows[id]?.contains(severity) ?? true, "\(id) is reported as \(severity)")
        }
    }
}
