import Foundation
@testable import SaveCodec
import TestSupport
import Testing

/// The XML files of other projects' test suites are accepted or refused, and yield the expected values.
@Suite struct XMLSuiteTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let suite: String
        let file: String
        /// Whether the suite expects the file to be read; nil if it allows both.
        let isAccepted: Bool?
        let url: URL

        var testDescription: String { "\(suite)/\(file)" }
    }

    static let suites = [
        "cpython-plistlib", "corelibs-foundation", "go-plist", "libplist", "rust-plist", "swift-foundation", "oolite",
        "w3c-xml",
    ]

    static let cases: [Case] =
        TestFiles.folder("SAVETOOL_SUITES").map { folder in suites.flatMap { cases(folder, $0) } } ?? []

    private static func cases(_ folder: URL, _ suite: String) -> [Case] {
        rows(folder.appending(path: suite).appending(path: "manifest.jsonl")).compactMap { row in
            guard let file = row["file"] as? String, let expected = row["expect"] as? String,
                row["format"] as? String == "xml" || file.hasPrefix("as-plist/")
            else { return nil }
            return Case(
                suite: suite, file: file, isAccepted: expected == "either" ? nil : expected == "accept",
                url: folder.appending(path: suite).appending(path: file))
        }
    }

    private static func rows(_ file: URL) -> [[String: Any]] {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    /// Files, by name or by prefix of the name, whose suite disagrees with Core Foundation, which decides.
    static let exceptions: [(file: String, isAccepted: Bool, reason: String)] = [
        ("go-plist/invalid-xml/07.plist", true, "characters outside base64 are skipped, with a warning"),
        ("go-plist/xml-unusual/s04.plist", false, "a comment inside <key>"),
        ("go-plist/xml-unusual/s06.plist", false, "a reference without its semicolon"),
        ("libplist/data/empty_keys.plist", false, "a comment inside <key>"),
        ("w3c-xml/as-plist/oasis-p66pass1", false, "a character reference of more than eight digits"),
        ("w3c-xml/as-plist/oasis-p02fail", true, "a character that XML forbids, with a warning"),
        ("w3c-xml/as-plist/oasis-p66fail5", true, "a reference to a character that XML forbids, with a warning"),
        ("w3c-xml/as-plist/xmltest-not-wf-sa-025", true, "]]> in a text"),
        ("w3c-xml/as-plist/xmltest-not-wf-sa-030", true, "a character that XML forbids, with a warning"),
        ("w3c-xml/as-plist/xmltest-not-wf-sa-037", true, "text after the root, with a warning"),
        ("w3c-xml/as-plist/xmltest-not-wf-sa-048", true, "text after the root, with a warning"),
        ("w3c-xml/as-plist/xmltest-not-wf-sa-098", true, "an XML declaration with two versions"),
        ("w3c-xml/as-plist/xmltest-not-wf-sa-099", true, "an XML declaration with another attribute"),
        ("w3c-xml/as-plist/xmltest-not-wf-sa-147", true, "white space before the XML declaration, with a warning"),
        ("w3c-xml/as-plist/xmltest-not-wf-sa-151", true, "an XML declaration after the root"),
        ("w3c-xml/as-plist/xmltest-not-wf-sa-152", true, "an XML declaration without a version"),
        ("w3c-xml/as-plist/xmltest-not-wf-sa-166", true, "a character that XML forbids, with a warning"),
        ("w3c-xml/as-plist/xmltest-not-wf-sa-172", true, "a character that XML forbids, with a warning"),
        ("w3c-xml/as-plist/xmltest-not-wf-sa-174", true, "a character that XML forbids, with a warning"),
    ]

    /// Files in which Core Foundation and most readers find different values: a UID beyond 32 bits, and an attribute
    /// with ">".
    static let otherValues = [
        "go-plist/valid/035-cf-keyed-archiver-uids-interface.xml.plist", "go-plist/xml-unusual/s11.plist",
    ]

    @Test(.enabled(if: !cases.isEmpty), arguments: cases)
    func agreesWithTheSuite(test: Case) throws {
        let document = try? XMLPlist.read(TestFiles.bytes(test.url))
        let exception = Self.exceptions.first { "\(test.suite)/\(test.file)".hasPrefix($0.file) }
        if let exception, test.isAccepted != exception.isAccepted {
            #expect((document != nil) == exception.isAccepted, "\(exception.reason)")
            if exception.reason.hasSuffix("with a warning") { #expect(document?.warnings.isEmpty == false) }
        } else if let isAccepted = test.isAccepted {
            #expect((document != nil) == isAccepted)
        }
    }

    @Test(.enabled(if: !cases.isEmpty && TestFiles.folder("SAVETOOL_VERDICTS") != nil), arguments: suites)
    func agreesWithCoreFoundation(suite: String) throws {
        let folder = try #require(TestFiles.folder("SAVETOOL_VERDICTS"))
        let verdicts = Self.rows(folder.appending(path: "\(suite).jsonl"))
        for test in Self.cases where test.suite == suite {
            // A broken binary property list, which Core Foundation reads as OpenStep text.
            if test.file == "invalid-xml/21.plist" { continue }
            let row = try #require(verdicts.first { $0["file"] as? String == test.file })
            let verdict = try #require((row["readers"] as? [String: String])?["corelibs"])
            let document = try? XMLPlist.read(TestFiles.bytes(test.url))
            #expect((document != nil) == verdict.hasPrefix("ok"), "\(test)")
        }
    }

    @Test(.enabled(if: !cases.isEmpty && TestFiles.folder("SAVETOOL_VERDICTS") != nil), arguments: cases)
    func readsSameValuesAsOtherReaders(test: Case) throws {
        if Self.otherValues.contains("\(test.suite)/\(test.file)") { return }
        let folder = try #require(TestFiles.folder("SAVETOOL_VERDICTS")).appending(path: "values/\(test.suite)")
        guard let expected = try? String(contentsOf: folder.appending(path: test.file + ".txt"), encoding: .utf8),
            let document = try? XMLPlist.read(TestFiles.bytes(test.url))
        else { return }
        #expect(XMLCanonicalText(document: document).text == expected.trimmingCharacters(in: .newlines))
    }
}
