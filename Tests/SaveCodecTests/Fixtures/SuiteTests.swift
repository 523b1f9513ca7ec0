import SaveCodec
import TestSupport
import Testing

/// Other projects' test files are recognized, accepted or refused, and read as those projects and other readers do.
///
/// A case on which all readers agree ("gold") must match them. The rest is policy: each case that is judged differently
/// here is a row of ``SuiteDifferences``, with the reason.
@Suite(.enabled(if: TestFiles.folder("SAVETOOL_SUITES") != nil))
struct SuiteTests {
    static let suites = [
        "cpython-plistlib", "corelibs-foundation", "go-plist", "rust-plist", "libplist", "swift-foundation",
        "gnustep-base", "oolite", "bpylist2", "JSONTestSuite",
    ]

    @Test(arguments: suites) func matchesEveryCase(of suite: String) throws {
        var tally = Tally()
        for testCase in try SuiteCase.all(of: suite) {
            let problem = try SuiteJudgement(testCase).disagreement
            let reason = SuiteDifferences.reason(suite: suite, file: testCase.file)
            tally.count(testCase, passed: problem == nil, isKnown: reason != nil)
            #expect((problem == nil) == (reason == nil), "\(testCase.file): \(problem ?? "agrees, but is listed")")
        }
        TestScale.report(tally.line(for: suite))
        #expect(tally.cases > 0)
    }

    /// The format is detected from the content, except for short texts that are valid in several formats.
    @Test(arguments: suites) func recognition(of suite: String) throws {
        for testCase in try SuiteCase.all(of: suite) where testCase.expectation == .accept {
            guard let url = testCase.url, let named = testCase.namedFormat else { continue }
            let recognized = try? Format.recognize(TestFiles.bytes(url))
            let isRight = recognized == named || Set([Format.openStep, .gnustep]).isSuperset(of: [recognized, named])
            #expect(isRight != SuiteDifferences.isAmbiguous(testCase), "\(testCase.file): \(recognized as Any)")
        }
    }

    private struct Tally {
        private(set) var cases = 0
        private var passed = 0
        private var gold = 0
        private var goldPassed = 0
        private var known = 0

        mutating func count(_ testCase: SuiteCase, passed hasPassed: Bool, isKnown: Bool) {
            cases += 1
            passed += hasPassed ? 1 : 0
            known += isKnown ? 1 : 0
            gold += testCase.isGold ? 1 : 0
            goldPassed += testCase.isGold && hasPassed ? 1 : 0
        }

        func line(for suite: String) -> String {
            "suite \(suite): \(passed) of \(cases) as expected, gold \(goldPassed) of \(gold), policy \(known)"
        }
    }
}
