import Foundation
import TestSupport
import Testing

@testable import SaveCodec

/// Test suites that lie beside the project.
@Suite(.enabled(if: TestFiles.folder("SAVETOOL_SUITES") != nil)) struct JSONSuiteTests {
    private static func files(_ folder: String) throws -> [URL] {
        let suites = try #require(TestFiles.folder("SAVETOOL_SUITES"))
        return try FileManager.default.contentsOfDirectory(
            at: suites.appending(path: folder), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    }

    /// Whether a file can be read; what can be read is written and read as the same again.
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

    /// As the suite's manifest has it; what is in UTF-16 is left to each reader, and refused by ours.
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
