import Foundation
@testable import KeyedArchives
import SaveCodec
import TestSupport
import Testing

/// Archives with one fault each get the verdict and the location that the list of their collection gives.
@Suite(.enabled(if: TestFiles.folder("SAVETOOL_BROKEN_ARCHIVES") != nil))
struct BrokenArchiveTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let file: String
        let verdict: String
        let `where`: String?

        var testDescription: String { file }
    }

    /// The locations of faults that have no address, because the number is already out of range for XML readers.
    private static let places = ["uid-huge.xml.archive": "68:4", "cfuid-negative.xml.archive": "28:4"]

    private static func rows() throws -> [Row] {
        guard let folder = TestFiles.folder("SAVETOOL_BROKEN_ARCHIVES") else { return [] }
        let text = try String(contentsOf: folder.appending(path: "manifest.jsonl"), encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
    }

    @Test(arguments: try rows()) func reportsExpectedProblems(_ row: Row) throws {
        let folder = try #require(TestFiles.folder("SAVETOOL_BROKEN_ARCHIVES"))
        let problems = try Self.problems(TestFiles.bytes(folder.appending(path: row.file)))
        let errors = problems.filter { $0.severity == .error }
        switch row.verdict {
        case "ok", "warning": #expect(errors.isEmpty)
        case "error": #expect(errors.first.flatMap(Self.position) == Self.places[row.file] ?? row.where)
        default: #expect(errors.allSatisfy { Self.position($0) != nil })
        }
    }

    /// The address of a problem, or else its location in the file.
    private static func position(_ problem: Problem) -> String? {
        problem.address?.description ?? problem.location?.description
    }

    /// Returns the problem that keeps the property list from being read, or else the problems of the archive.
    private static func problems(_ bytes: [UInt8]) -> [Problem] {
        do throws(Problem) {
            return KeyedArchive.examine(try Document.read(bytes, as: Format.recognize(bytes))).problems
        } catch {
            return [error]
        }
    }
}
