import SaveCodec
import TestSupport

/// The result of reading one file of a suite, compared with the expected one.
struct SuiteJudgement {
    /// The difference from the expected result, or nil if they agree.
    let disagreement: String?

    init(_ testCase: SuiteCase) throws {
        let bytes = try testCase.url.map { try TestFiles.bytes($0) } ?? []
        do throws(Problem) {
            let format = if let named = testCase.namedFormat { named } else { try Format.recognize(bytes) }
            disagreement = Self.disagreement(try Document.read(bytes, as: format), testCase)
        } catch {
            disagreement = testCase.expectation == .accept ? "refused: \(error)" : nil
        }
    }

    private static func disagreement(_ document: Document, _ testCase: SuiteCase) -> String? {
        if testCase.expectation == .reject { return "read" }
        guard testCase.isGold, let expected = testCase.value else { return nil }
        let found = CanonicalText.of(document)
        return found == expected ? nil : "another value: \(Self.firstDifference(found, expected))"
    }

    private static func firstDifference(_ found: String, _ expected: String) -> String {
        let pairs = zip(found.split(separator: "\n"), expected.split(separator: "\n"))
        guard let pair = pairs.first(where: { $0 != $1 }) else { return "one is longer" }
        return "\(pair.0.prefix(80)), expected \(pair.1.prefix(80))"
    }
}

extension SuiteCase {
    /// The format that the suite declares for the file.
    var namedFormat: Format? { format.flatMap(Format.init) }
}
