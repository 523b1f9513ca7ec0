import KeyedArchives
@testable import SaveCodec
import Testing

@testable import SaveInspection
@testable import SaveOperations

/// All levels of validation in one run report each finding once, with its severity and location.
@Suite struct ValidationTests {
    @Test(arguments: ValidationCase.all) func findings(_ row: ValidationCase) {
        let report = row.validation.report(on: row.bytes)
        #expect(report.findings.map(Self.line) == row.findings)
        #expect(report.format == row.format)
        #expect(report.isArchive == row.isArchive)
    }

    /// `error archive.pair-count byte 0x5E: /$objects/1 (/root): message`.
    static func line(_ finding: Finding) -> String {
        let problem = finding.problem
        let parts = [
            problem.location.map { "\($0)" },
            problem.address.map { "\($0)" + (finding.path.map { " (\($0))" } ?? "") },
        ].compactMap { $0 }
        return "\(problem.severity) \(problem.id) " + (parts + [problem.message]).joined(separator: ": ")
    }

    // MARK: Hostile input

    /// The number of reported warnings is limited, so that no report is much larger than its file.
    @Test func countsManyOddKeys() {
        let text = "[" + [String](repeating: #"{"a": 1, "a": 2}"#, count: 1500).joined(separator: ",") + "]"
        let findings = Validation().report(on: Array(text.utf8)).findings
        #expect(findings.count == 1001)
        #expect(
            findings.last.map(Self.line)
                == "warning document.more-keys 500 more dictionaries have duplicate or non-string keys")
    }

    /// Returns an archive as typed JSON, with these objects after `$null`.
    private static func archive(_ objects: [String]) -> [UInt8] {
        let list = ([#""$null""#] + objects).joined(separator: ",")
        return Array(#"{"$version":100000,"$archiver":"A","$top":{},"$objects":[\#(list)]}"#.utf8)
    }

    /// Unlisted findings are counted, and no number of findings hides an error.
    @Test func infosDoNotHideErrors() {
        let wrong = [#"{"$class":{"$uid":2},"NS.time":"x"}"#, #"{"$classname":"NSDate","$classes":["NSDate"]}"#]
        let bytes = Self.archive(wrong + [String](repeating: #"{"a":1}"#, count: 1100))
        let findings = Validation(classes: [ClassPolicy(allowing: ["NSObject"])]).report(on: bytes).findings
        let lines = findings.map(Self.line)
        #expect(lines.count == 1003)
        #expect(
            lines.suffix(3) == [
                "error archive.field-kind 1:97: /$objects/1/NS.time: NS.time of NSDate is a string; expected a real",
                "info archive.more 100 more warnings about objects are not listed",
                "info archive.top-empty 1:43: /$top: $top is empty; the archive has no roots",
            ])
    }

    @Test func countsManyErrors() {
        let bytes = Self.archive([String](repeating: #"{"$uid":1}"#, count: 1001))
        let lines = Validation().report(on: bytes).findings.map(Self.line)
        #expect(lines.count == 1001)
        #expect(lines.last == "info archive.more 1 more error about an object is not listed")
    }

    @Test func countsManyUnexpectedClasses() {
        let objects = (0..<1002).flatMap { index in
            [#"{"$class":{"$uid":\#(2 * index + 2)}}"#, #"{"$classname":"C\#(index)","$classes":["C\#(index)"]}"#]
        }
        let validation = Validation(classes: [ClassPolicy(allowing: ["A"])])
        let findings = validation.report(on: Self.archive(objects)).findings
        #expect(findings.count { $0.problem.id == "class.unexpected" } == 1000)
        #expect(findings.last.map(Self.line) == "info class.more 2 more classes are not allowed")
    }

    /// Addresses of a duplicate key, whose first value is effective in binary files, of shared values, and of missing
    /// values.
    @Test(
        arguments: [
            ("", "byte 0x8"), ("/a", "byte 0x1B"), ("/b", "byte 0x1D"), ("/b/1", "byte 0x22"), ("/c", "byte 0x20"),
            ("/b/2", nil), ("/gone/1", nil), ("/~=5", "byte 0x26"), ("/~=6", nil),
        ] as [(String, String?)])
    func locationsOfValues(address: String, place: String?) throws {
        let text = #"{"$dict":[["a",1],["b",["x","y"]],["a",2],["c","x"],[5,6]]}"#
        var output = ByteWriter()
        try BinaryPlist.write(JSON.readTyped(Array(text.utf8)), to: &output)
        let view = ObjectView(try Document.read(output.takeBytes(), as: .binary))
        let targets = [FileLocations.Target(try #require(JSONPointer(address))), FileLocations.Target(.root)]
        let places = FileLocations(in: [], as: .binary, limits: Limits()).locations(of: targets, in: view)
        #expect(places.map { $0?.description } == [place, "byte 0x8"])
    }

    /// A chain of objects may be as long as the file, so the address of its end is omitted beyond a limit.
    @Test(arguments: [(200, true), (201, false), (100_000, false)])
    func limitsLengthOfAddresses(length: Int, isReported: Bool) throws {
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
        builder.addTop(root: uids[0])
        var output = ByteWriter()
        try BinaryPlist.write(builder.finish(), to: &output)
        let validation = Validation(classes: [ClassPolicy(allowing: ["Node"])])
        let findings = validation.report(on: output.takeBytes()).findings
        #expect(findings.map(\.problem.id) == ["class.unexpected"])
        #expect((findings.first?.path?.tokens.count == length) == isReported)
        #expect((findings.first?.path == nil) != isReported)
    }

    @Test(
        arguments: [
            ([], false), (["Map"], false), (["Foundation"], false), (["NSObject"], true), (["Map", "NSObject"], true),
        ] as [([String], Bool)])
    func recognizesPoliciesThatAllowEverything(names: [String], expected: Bool) {
        #expect(ClassPolicy(allowing: names).allowsEverything == expected)
    }
}
