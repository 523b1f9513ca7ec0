import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

/// The values in fields of Foundation classes are checked, and no value that an archiver writes is a finding.
@Suite struct FieldValueTests {
    /// An object with fields in typed JSON, other objects from number 3 on, and the findings.
    struct Row: Sendable, CustomTestStringConvertible {
        let className: String
        let fields: String
        let others: [String]
        let findings: [String]

        var testDescription: String { "\(className) {\(fields)} \(others)" }

        init(_ className: String, _ fields: String, _ others: String..., finds findings: String...) {
            (self.className, self.fields, self.others, self.findings) = (className, fields, others, findings)
        }

        var document: Document {
            get throws {
                try ArchiveFile.json(
                    [#"{"$class":{"$uid":2},\#(fields)}"#, AnnotationTests.record(className)] + others)
            }
        }
    }

    @Test(arguments: runs + indices + numbers + colors + geometry) func findings(_ row: Row) throws {
        let findings = try KeyedArchive(row.document).findings
        #expect(findings.map { "\($0.severity) \($0)" } == row.findings)
    }

    // MARK: Attributed strings

    private static func string(_ text: String, count: Int, _ info: String, finds finding: String? = nil) -> Row {
        let (attributes, data) = (#"{"$class":{"$uid":7},"NS.objects":[\#(list(count))]}"#, #"{"$data":"\#(info)"}"#)
        let fields = #""NSString":{"$uid":3},"NSAttributes":{"$uid":4},"NSAttributeInfo":{"$uid":5}"#
        let others = [
            "\"\(text)\"", attributes, data, #"{"$class":{"$uid":8},"NS.keys":[],"NS.objects":[]}"#,
            AnnotationTests.record("NSArray"), AnnotationTests.record("NSDictionary"),
        ]
        return finding.map { Row("NSAttributedString", fields, all: others, finds: [$0]) }
            ?? Row("NSAttributedString", fields, all: others, finds: [])
    }

    private static func list(_ count: Int) -> String {
        Array(repeating: #"{"$uid":6}"#, count: count).joined(separator: ",")
    }

    private static func info(_ severity: String, _ offset: Int, _ reason: String) -> String {
        "\(severity) /$objects/1/NSAttributeInfo: byte \(offset) of NSAttributeInfo of NSAttributedString: \(reason)"
    }

    private static let runs = [
        string("Hello world", count: 2, "BQAGAQ=="),
        // 11 in two bytes, although one suffices.
        string("Hello world", count: 1, "iwAA"),
        string("", count: 1, "gA=="),
        // The text has two code units.
        string("🐸", count: 1, "AgA="),
        string(
            "Hello world", count: 2, "gA==",
            finds: info("error", 0, "the data ends within the number that begins here")),
        string("Hello world", count: 2, "BQ==", finds: info("error", 1, "the data ends here; expected a number")),
        string(
            "Hello world", count: 2, "BQA=",
            finds: info("error", 2, "the runs cover 5 of the 11 UTF-16 code units of the text")),
        string(
            "Hello world", count: 2, "",
            finds: info("error", 0, "the runs cover 0 of the 11 UTF-16 code units of the text")),
        string(
            "Hello world", count: 2, "BQAGAg==",
            finds: info("error", 3, "a run has attributes 2, but there are only 2")),
        string(
            "Hello world", count: 2, "BQAHAQ==",
            finds: info("error", 2, "a run of 7 UTF-16 code units begins at 5, but the text has only 11")),
        string("Hello world", count: 2, "BQAAAQYB", finds: info("warning", 2, "the run is empty")),
        string(
            "Hello world", count: 2, "BQAGAQA=", finds: info("warning", 4, "the runs already end here, with the text")),
        // Ten bytes hold at most 64 bits.
        string(
            "Hello world", count: 2, "////////////AQA=",
            finds: info(
                "error", 0, "a run of 18446744073709551615 UTF-16 code units begins at 0, but the text has only 11")),
        string(
            "Hello world", count: 2, "////////////AgA=", finds: info("error", 0, "the number has more than 64 bits")),
        string(
            "Hello world", count: 2, "gICAgICAgICAgIAA",
            finds: info("error", 0, "the number has more than 64 bits")),
        Row(
            "NSMutableAttributedString", #""NSString":{"$uid":3},"NSAttributes":{"$uid":4}"#, #""Hello""#,
            #"{"$class":{"$uid":5},"NS.objects":[]}"#, AnnotationTests.record("NSArray"),
            finds: "error /$objects/1/NSAttributes: NSAttributes of NSMutableAttributedString is an array without "
                + "NSAttributeInfo; expected a dictionary of attributes"),
        Row("NSAttributedString", #""NSString":{"$uid":3},"NSAttributes":{"$uid":0}"#, #""Hello""#),
        Row("NSAttributedString", #""NSString":{"$uid":3}"#, #""Hello""#),
    ]

    // MARK: Indices

    private static func indexSet(_ count: Int, _ data: String, finds findings: String...) -> Row {
        Row(
            "NSIndexSet", #""NSRangeCount":\#(count),"NSRangeData":{"$uid":3}"#, all: [#"{"$data":"\#(data)"}"#],
            finds: findings.map { "\($0)" })
    }

    private static let indices = [
        indexSet(2, "AQPIAQE="),
        // The last range ends at the largest index.
        indexSet(2, "AQP+//////////8BAQ=="),
        indexSet(
            3, "AQPIAQE=",
            finds: "error /$objects/1/NSRangeData: byte 5 of NSRangeData of NSIndexSet: the data ends here; "
                + "expected a number"),
        indexSet(
            2, "AQP///////////8BAQ==",
            finds:
                "error /$objects/1/NSRangeData: byte 2 of NSRangeData of NSIndexSet: a range ends beyond the largest "
                + "index"),
        indexSet(
            2, "AQPIAQEH",
            finds: "warning /$objects/1/NSRangeData: byte 5 of NSRangeData of NSIndexSet: the numbers already end here"),
        Row("NSIndexSet", #""NSRangeCount":1,"NSLocation":5,"NSLength":3"#),
        Row(
            "NSIndexSet", #""NSRangeCount":1,"NSLocation":5,"NSLength":-3"#,
            finds:
                "error /$objects/1/NSLocation: NSLocation of NSIndexSet is 5 with a length of -3; expected a range of "
                + "indices"),
        Row(
            "NSIndexSet", #""NSRangeCount":-1"#,
            finds: "error /$objects/1/NSRangeCount: NSRangeCount of NSIndexSet is -1; expected a count"),
        Row("NSIndexPath", #""NSIndexPathLength":2,"NSIndexPathData":{"$uid":3}"#, #"{"$data":"BAg="}"#),
        // As GNUstep stores 4 and 300.
        Row(
            "NSIndexPath", #""NSIndexPathLength":2,"NSIndexPathData":{"$uid":3}"#,
            #"{"$data":"AAAABAAAAAAAAAEsAAAAAA=="}"#),
        Row("NSIndexPath", #""NSIndexPathLength":1,"NSIndexPathValue":52"#),
        Row(
            "NSIndexPath", #""NSIndexPathLength":9223372036854775807,"NSIndexPathData":{"$uid":3}"#,
            #"{"$data":"BAg="}"#,
            finds: "error /$objects/1/NSIndexPathData: byte 2 of NSIndexPathData of NSIndexPath: the data ends here; "
                + "expected a number"),
    ]

    // MARK: Numbers

    private static func decimal(_ fields: String, finds findings: String...) -> Row {
        Row("NSDecimalNumber", fields, all: [], finds: findings)
    }

    private static let numbers = [
        decimal(
            #""NS.exponent":-128,"NS.length":8,"NS.negative":true,"NS.mantissa.bo":1,"#
                + #""NS.mantissa":{"$data":"OTAAAAAAAAAAAAAAAAAAAA=="}"#),
        decimal(
            #""NS.exponent":128"#,
            finds: "error /$objects/1/NS.exponent: NS.exponent of NSDecimalNumber is 128; expected -128 to 127"),
        decimal(
            #""NS.length":9"#,
            finds: "error /$objects/1/NS.length: NS.length of NSDecimalNumber is 9; expected 0 to 8"),
        decimal(
            #""NS.mantissa.bo":0"#,
            finds: "error /$objects/1/NS.mantissa.bo: NS.mantissa.bo of NSDecimalNumber is 0; expected 1 to 2"),
        decimal(
            #""NS.mantissa":{"$data":"AQ=="}"#,
            finds:
                "error /$objects/1/NS.mantissa: NS.mantissa of NSDecimalNumber is data of 1 byte; expected data of 16 "
                + "bytes"),
    ]

    // MARK: Colors

    private static func color(_ field: String, _ text: String, _ fault: (Int, String)? = nil) -> Row {
        let data = Data(text.utf8).base64
        let finding = fault.map { "error /$objects/1/\(field): byte \($0.0) of \(field) of NSColor: \($0.1)" }
        return Row(
            "NSColor", #""NSColorSpace":1,"\#(field)":{"$data":"\#(data)"}"#, all: [], finds: finding.map { [$0] } ?? []
        )
    }

    private struct Data {
        let bytes: [UInt8]
        init(_ text: some Sequence<UInt8>) { bytes = Array(text) }

        var base64: String {
            var output = ByteWriter()
            Base64.write(bytes, in: bytes.indices, to: &output)
            return String(decoding: output.takeBytes(), as: UTF8.self)
        }
    }

    private static let colors = [
        color("NSRGB", "0.5266666667 0.4207218733 0.4533202387\0"), color("NSRGB", "1 0 0"),
        color("NSRGB", "1 0 0 0.5\0"), color("NSRGB", "1e-05 -0.25 1.5"), color("NSWhite", "0.66666669\0"),
        color("NSWhite", "0 0.80000001\0"), color("NSCMYK", "0 0 0 1 1\0"),
        color("NSComponents", "0.9647058824 0.9450980392 0.8745098039 1"), color("NSComponents", "1 1"),
        color("NSRGB", "red", (0, "expected a number")), color("NSRGB", "0 nan 0", (2, "expected a number")),
        color("NSRGB", "0 inf 0", (2, "expected a number")), color("NSRGB", "0 0x1 0", (2, "expected a number")),
        color("NSRGB", "0 1e999 0", (2, "expected a number")),
        color("NSRGB", "0 0", (3, "found 2 numbers; expected at least 3")),
        color("NSRGB", "", (0, "found 0 numbers; expected at least 3")),
        color("NSRGB", "0 0 " + String(repeating: "1", count: 1_000_000), (4, "expected a number")),
        color("NSRGB", "0 0 0 1 0", (8, "found more than 4 numbers")),
        color("NSComponents", "\0", (0, "found 0 numbers; expected at least 1")),
    ]

    // MARK: Geometry

    private static func value(_ special: Int, _ field: String, _ text: String, expected: String? = nil) -> Row {
        let finding = expected.map {
            "error /$objects/1/\(field): \(field) of NSValue is \"\(text)\"; expected \($0)"
        }
        return Row(
            "NSValue", #""NS.special":\#(special),"\#(field)":{"$uid":3}"#, all: ["\"\(text)\""],
            finds: finding.map { [$0] } ?? [])
    }

    private static let geometry = [
        value(1, "NS.pointval", "{9.9998149871826172, -6.103515625e-05}"), value(2, "NS.sizeval", "{32, 32}"),
        value(3, "NS.rectval", "{{0, 0}, {1, 1}}"), value(3, "NS.rectval", "{{inf, inf}, {0, 0}}"),
        value(1, "NS.pointval", "{nan, 0}"), value(1, "NS.pointval", "{x = 1; y = 2}"),
        value(3, "NS.rectval", "{x = 0; y = 0; width = 1; height = 1}"),
        value(3, "NS.rectval", "hello", expected: "a rectangle such as {{0, 0}, {1, 1}}"),
        value(1, "NS.pointval", "{1, 2, 3}", expected: "a point such as {0, 0}"),
        value(2, "NS.sizeval", "{1}", expected: "a size such as {1, 1}"),
    ]

    /// Objects that share their data are checked, and their runs found, in linear time.
    @Test func sharedData() throws {
        let isLinear = try Growth.isLinear(to: 2000) { count in
            let document = try Self.sharing(count)
            return { _ = try KeyedArchive(document).showingRuns() }
        }
        #expect(isLinear)
        #expect(try KeyedArchive(Self.sharing(100)).findings.isEmpty)
    }

    /// Returns an archive of attributed strings that share a text and a run table of this length.
    private static func sharing(_ count: Int) throws -> Document {
        let table = Data((0..<count).flatMap { _ in [1, 0] as [UInt8] }).base64
        let objects = [
            "\"" + String(repeating: "x", count: count) + "\"", #"{"$data":"\#(table)"}"#,
            #"{"$class":{"$uid":5},"NS.objects":[{"$uid":6}]}"#, AnnotationTests.record("NSAttributedString"),
            AnnotationTests.record("NSArray"), #"{"$class":{"$uid":7},"NS.keys":[],"NS.objects":[]}"#,
            AnnotationTests.record("NSDictionary"),
        ]
        let string =
            #"{"$class":{"$uid":4},"NSString":{"$uid":1},"NSAttributes":{"$uid":3},"NSAttributeInfo":{"$uid":2}}"#
        return try ArchiveFile.json(
            objects + Array(repeating: string, count: count), top: #"{"root":{"$uid":8}}"#)
    }
}

extension FieldValueTests.Row {
    fileprivate init(_ className: String, _ fields: String, all others: [String], finds findings: [String]) {
        (self.className, self.fields, self.others, self.findings) = (className, fields, others, findings)
    }
}
