public import Foundation

/// A file of another project's test suite, with the result expected of a reader.
public struct SuiteCase: Sendable {
    /// The result expected of a reader.
    public enum Expectation: String, Sendable, Decodable {
        /// The reader must accept the file.
        case accept
        /// The reader must reject the file.
        case reject
        /// The reader may accept or reject the file, but must return.
        case either
    }

    /// The name of the suite's folder.
    public let suite: String
    /// The path of the file in the suite's folder.
    public let file: String
    /// The name of the format in the suite, or nil if the suite does not name it.
    public let format: String?
    /// The result that the suite expects.
    public let expectation: Expectation
    /// Whether all independent readers agree with the expected result.
    public let isGold: Bool

    /// The location of the file.
    public var url: URL? { TestFiles.folder("SAVETOOL_SUITES")?.appending(path: "\(suite)/\(file)") }

    /// The value in the file as canonical text, if independent readers found the same value.
    public var value: String? {
        let file = TestFiles.folder("SAVETOOL_VERDICTS")?.appending(path: "values/\(suite)/\(file).txt")
        return file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }?.trimmingCharacters(in: .newlines)
    }

    /// Returns the cases of a suite, in the order of its manifest. Returns none if the suites are not installed.
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
