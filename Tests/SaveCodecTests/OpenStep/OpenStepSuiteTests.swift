import Foundation
import TestSupport
import Testing

@testable import SaveCodec

/// A file of a suite, with the verdicts of the suite and of other readers.
struct OpenStepSuiteFile: Sendable, Decodable, CustomTestStringConvertible {
    let file: String
    let format: String
    let expect: String
    let group: String?
    let gold: Bool?
    /// The suite's name, which is not part of the row but comes from the name of the list.
    var suite: String?

    var testDescription: String { "\(suite ?? "")/\(file)" }
    var dialect: OpenStep.Dialect { format == "gnustep" ? .gnustep : .openStep }

    func bytes() throws -> [UInt8] {
        let folder = try #require(TestFiles.folder("SAVETOOL_SUITES"))
        return try TestFiles.bytes(folder.appending(path: suite ?? "").appending(path: file))
    }

    func read() throws -> Document {
        try OpenStep.read(try bytes(), dialect: dialect)
    }

    /// Returns the OpenStep files named by the lists in the folder that an environment variable names.
    static func all(_ variable: String, _ lists: (String) -> String) -> [OpenStepSuiteFile] {
        guard let folder = TestFiles.folder(variable) else { return [] }
        let suites = [
            "go-plist", "gnustep-base", "oolite", "rust-plist", "swift-foundation", "libplist", "corelibs-foundation",
        ]
        return suites.flatMap { suite in
            let list = (try? String(contentsOf: folder.appending(path: lists(suite)), encoding: .utf8)) ?? ""
            return list.split(separator: "\n").compactMap { line in
                var row = try? JSONDecoder().decode(OpenStepSuiteFile.self, from: Data(line.utf8))
                row?.suite = suite
                return row?.format == "openstep" || row?.format == "gnustep" ? row : nil
            }
        }
    }
}

@Suite(.enabled(if: TestFiles.folder("SAVETOOL_SUITES") != nil)) struct OpenStepSuiteTests {
    static let files = OpenStepSuiteFile.all("SAVETOOL_SUITES") { "\($0)/manifest.jsonl" }

    /// Files judged differently from their suite, with the reason.
    static let exceptions: [String: String] = [
        "go-plist/valid/025-floating-point-infinity.openstep.plist": "'+' is no bare character to Core Foundation",
        "go-plist/valid/042-comments.openstep.plist": "'*' is no bare character to Core Foundation",
        "go-plist/valid/044-empty-strings-in-arrays.openstep.plist": "nothing between two commas is no value",
        "go-plist/valid/057-empty-text-document.openstep.plist": "an empty file is no value",
        "go-plist/valid/062-text-document-with-quoted-gnustep-values.gnustep.plist": "a quote is never closed",
        "swift-foundation/inline/openstep-reject/bad-unicode-escape-1.plist":
            "Core Foundation reads U+0000; so do we, and warn",
        "swift-foundation/inline/openstep-reject/bad-unicode-escape-3.plist":
            "Core Foundation reads U+0000; so do we, and warn",
        "swift-foundation/inline/openstep-reject/bad-unicode-escape-5.plist":
            "Core Foundation reads U+0000; so do we, and warn",
    ]

    @Test(arguments: files) func readsOrRefuses(_ file: OpenStepSuiteFile) throws {
        guard file.expect != "either" else { return _ = try? file.read() }
        let accepts = (try? file.read()) != nil
        let isException = Self.exceptions[file.testDescription] != nil
        #expect(accepts == ((file.expect == "accept") != isException))
    }

    /// An accepted file is written in both dialects and read back as the same value.
    @Test(arguments: files) func roundTripsOutput(_ file: OpenStepSuiteFile) throws {
        guard let document = try? file.read() else { return }
        for dialect in OpenStepReaderTests.dialects where OpenStep.losses(in: document, dialect: dialect).isEmpty {
            let text = try OpenStepText.written(document, dialect)
            let copy = try OpenStep.read(Array(text.utf8), dialect: dialect)
            #expect(ValueOutline.of(copy) == ValueOutline.of(document))
            #expect(try OpenStepText.written(copy, dialect) == text)
        }
    }

    static let groups: [[OpenStepSuiteFile]] = {
        let groups = Dictionary(grouping: files.filter { $0.group != nil }, by: \.group)
        return groups.values.filter { $0.count == 2 }.sorted { $0[0].file < $1[0].file }
    }()

    /// A value written in both dialects is equal in both if it consists of strings, or else equal as text.
    @Test(arguments: groups) func equivalentFilesAreEqual(_ group: [OpenStepSuiteFile]) throws {
        let plain = try #require(group.first { $0.dialect == .openStep })
        let typed = try #require(group.first { $0.dialect == .gnustep })
        guard let first = try? plain.read(), let second = try? typed.read() else { return }
        guard !["032", "054"].contains(plain.group) else { return }
        let texts = try OpenStepText.written(second, .openStep).replacing("YES", with: "1").replacing("NO", with: "0")
        #expect(
            ValueOutline.of(try OpenStep.read(Array(texts.utf8), dialect: .openStep)).lowercased()
                == ValueOutline.of(first).lowercased())
    }
}

@Suite(.enabled(if: TestFiles.folder("SAVETOOL_VERDICTS") != nil && TestFiles.folder("SAVETOOL_SUITES") != nil))
struct OpenStepVerdictTests {
    static let files = OpenStepSuiteFile.all("SAVETOOL_VERDICTS") { "\($0).jsonl" }

    /// The value that two independent readers found.
    @Test(arguments: files) func findsTheAgreedValue(_ file: OpenStepSuiteFile) throws {
        let folder = try #require(TestFiles.folder("SAVETOOL_VERDICTS"))
        let values = folder.appending(path: "values/\(file.testDescription).txt")
        guard let value = try? String(contentsOf: values, encoding: .utf8) else {
            #expect(file.gold != true || file.expect == "reject")
            return
        }
        #expect(ValueOutline.of(try file.read()) == value.trimmingCharacters(in: .newlines))
    }
}

@Suite(.enabled(if: TestFiles.folder("SAVETOOL_REAL_SAVES") != nil)) struct OpenStepRealSaveTests {
    static let saves: [URL] = {
        guard let folder = TestFiles.folder("SAVETOOL_REAL_SAVES") else { return [] }
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { (try? TestFiles.bytes($0).first) == UInt8(ascii: "{") }
    }()

    @Test(arguments: saves) func survivesDamage(_ save: URL) throws {
        let document = try OpenStep.read(try TestFiles.bytes(save), dialect: .openStep)
        #expect(document.warnings.isEmpty)
        #expect(OpenStep.losses(in: document, dialect: .openStep).isEmpty)
        for dialect in OpenStepReaderTests.dialects {
            let copy = try OpenStep.read(Array(try OpenStepText.written(document, dialect).utf8), dialect: dialect)
            #expect(ValueOutline.of(copy) == ValueOutline.of(document))
        }
    }
}
