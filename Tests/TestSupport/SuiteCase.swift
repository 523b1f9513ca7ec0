public import Foundation

/// One file of another project's test suite, and what is expected of a reader of it.
public struct SuiteCase: Sendable {
    /// What a reader should do.
    public enum Expectation: String, Sendable, Decodable {
        /// Read the file.
        case accept
        /// Refuse it.
        case reject
        /// Either, as long as it returns.
        case either
    }

    /// The suite's folder name.
    public let suite: String
    /// The file's path in the suite's folder.
    public let file: String
    /// The format's name, as the suites have it; nil where the suite does not say.
    public let format: String?
    /// What the suite expects.
    public let expectation: Expectation
    /// Whether all other readers that count agree with what is expected.
    public let isGold: Bool

    /// Where the file is.
    public var url: URL? { TestFiles.folder("SAVETOOL_SUITES")?.appending(path: "\(suite)/\(file)") }

    /// The value that is in the file as canonical text, where readers of different origin found the same.
    public var value: String? {
        let file = TestFiles.folder("SAVETOOL_VERDICTS")?.appending(path: "values/\(suite)/\(file).txt")
        return file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }?.trimmingCharacters(in: .newlines)
    }

    /// The cases of a suite, in the order of its manifest; none if the suites are not at hand.
    public static func all(of suite: String) throws -> [SuiteCase] {
        guard let suites = TestFiles.folder("SAVETOOL_SUITES") else { return [] }
        let verdicts = TestFiles.folder("SAVETOOL_VERDICTS")?.appending(path: "\(suite).jsonl")
        let gold = Set(try verdicts.map { try lines(of: $0, Verdict.self) }?.filter(\.gold).map(\.file) ?? [])
        return try lines(of: suites.appending(path: "\(suite)/manifest.jsonl"), Entry.self).map { entry in
            SuiteCase(
                suite: suite, file: entry.file, format: entry.format, expectation: entry.expect ?? .either,
                isGold: gold.contains(entry.file))
        }
    }

    private struct Entry: Decodable {
        let file: String
        let format: String?
        let expect: Expectation?
    }

    private struct Verdict: Decodable {
        let file: String
        let gold: Bool
    }

    private static func lines<Line: Decodable>(of file: URL, _: Line.Type) throws -> [Line] {
        let text = try String(contentsOf: file, encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }
}
