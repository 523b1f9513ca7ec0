import KeyedArchive
import SaveCodec
import Testing

@testable import SaveOperations

/// All levels in one run: what is told of a file, how grave it is, where it is, and nothing twice.
@Suite struct ValidationTests {
    @Test(arguments: ValidationCase.all) func findings(_ row: ValidationCase) {
        let report = row.validation.report(on: row.bytes)
        #expect(report.findings.map(Self.line) == row.findings)
        #expect(report.format == row.format)
        #expect(report.isArchive == row.isArchive)
    }

    /// `error archive.pair-count byte 0x5E: /$objects/1 (/root): sentence`.
    static func line(_ finding: Finding) -> String {
        let problem = finding.problem
        let parts = [
            problem.place.map { "\($0)" },
            problem.address.map { "\($0)" + (finding.path.map { " (\($0))" } ?? "") },
        ].compactMap { $0 }
        return "\(problem.severity) \(problem.id) " + (parts + [problem.message]).joined(separator: ": ")
    }

    // MARK: Hostile input

    /// Warnings are told up to a number, so that no file turns into a report that is much larger than itself.
    @Test func manyOddKeysAreCounted() {
        let text = "[" + [String](repeating: #"{"a": 1, "a": 2}"#, count: 1500).joined(separator: ",") + "]"
        let findings = Validation().report(on: Array(text.utf8)).findings
        #expect(findings.count == 1001)
        #expect(
            findings.last.map(Self.line)
                == "warning document.more-keys 500 more dictionaries have keys that repeat or are no strings")
    }

    /// A chain of objects is as long as the file; the address of its end is not told.
    @Test(arguments: [(200, true), (201, false), (100_000, false)])
    func pathsAreBounded(length: Int, isTold: Bool) throws {
        var builder = KeyedArchiveBuilder()
        let node = builder.addClass("Node", chain: ["Node", "NSObject"])
        let last = builder.addClass("Last", chain: ["Last", "NSObject"])
        let uids = (0..<length).map { _ in builder.reserve() }
        for (index, uid) in uids.enumerated() {
            builder.begin(uid, of: index == length - 1 ? last : node)
            if index < length - 1 {
                builder.contents.add(string: "n")
                builder.refer(to: uids[index + 1])
            }
            builder.end()
        }
        builder.beginTop()
        builder.contents.add(string: "root")
        builder.refer(to: uids[0])
        builder.end()
        var output = ByteWriter()
        try BinaryPlist.write(builder.finish(), to: &output)
        let validation = Validation(classes: [ClassPolicy(allowing: ["Node"])])
        let findings = validation.report(on: output.takeBytes()).findings
        #expect(findings.map(\.problem.id) == ["class.unexpected"])
        #expect((findings.first?.path?.tokens.count == length) == isTold)
        #expect((findings.first?.path == nil) != isTold)
    }

    @Test(
        arguments: [
            ([], false), (["Map"], false), (["Foundation"], false), (["NSObject"], true), (["Map", "NSObject"], true),
        ] as [([String], Bool)])
    func policiesThatAllowEverything(names: [String], expected: Bool) {
        #expect(ClassPolicy(allowing: names).allowsEverything == expected)
    }
}
