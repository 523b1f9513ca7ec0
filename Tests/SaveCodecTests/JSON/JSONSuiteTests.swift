import Foundation
import TestSupport
import Testing

@testable import SaveCodec

/// Test suites of other projects, which are stored outside this package.
@Suite(.enabled(if: TestFiles.folder("SAVETOOL_SUITES") != nil)) struct JSONSuiteTests {
    private static func files(_ folder: String) throws -> [URL] {
        let suites = try #require(TestFiles.folder("SAVETOOL_SUITES"))
        return try FileManager.default.contentsOfDirectory(
            at: suites.appending(path: folder), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    }

    /// Returns whether a file can be read, and checks that an accepted file survives being written and read again.
    private static func isRead(_ file: URL) throws -> Bool {
        let bytes = try TestFiles.bytes(file)
        guard let document = try? JSON.read(bytes) else { return false }
        for options in [JSONCases.compact, WriteOptions(), WriteOptions(keyOrder: .sorted)] {
            let text = try JSONCases.write(document, options)
            #expect(try JSONCases.rewrite(text, options) == text, "\(file.lastPathComponent)")
        }
        return true
    }

    @Test func jsonTestSuite() throws {
        let files = try Self.files("JSONTestSuite/test_parsing") + Self.files("JSONTestSuite/test_transform")
        #expect(files.count > 100)
        for file in files {
            let isRead = try Self.isRead(file)
            switch file.lastPathComponent.prefix(2) {
            case "y_": #expect(isRead, "\(file.lastPathComponent)")
            case "n_": #expect(!isRead, "\(file.lastPathComponent)")
            default: break
            }
        }
    }

    /// The verdicts of the suite's manifest. The suite leaves UTF-16 to each reader, and this one refuses it.
    @Test(arguments: [("pass", true), ("fail", false)])
    func swiftFoundation(folder: String, expected: Bool) throws {
        let files = try Self.files("swift-foundation/json/\(folder)")
        #expect(!files.isEmpty)
        for file in files {
            let isUTF8 = !file.lastPathComponent.contains("utf16")
            #expect(try Self.isRead(file) == (expected && isUTF8), "\(file.lastPathComponent)")
        }
    }

    @Test func otherSuites() throws {
        for folder in ["json-merge-patch", "json-patch-tests", "json-pointer", "jsonpath-compliance-test-suite"] {
            for file in try Self.files(folder) {
                #expect(try Self.isRead(file), "\(file.lastPathComponent)")
            }
        }
    }
}
