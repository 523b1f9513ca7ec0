import Foundation
@testable import JSONSchema
import TestSupport
import Testing

/// The patterns of the JSON-Schema-Test-Suite, as far as the engine alone can test them.
@Suite(.enabled(if: TestFiles.folder("SAVETOOL_SUITES") != nil)) struct RegexSuiteTests {
    private func groups(_ file: String) throws -> [[String: Any]] {
        let suites = try #require(TestFiles.folder("SAVETOOL_SUITES"))
        let url = suites.appending(path: "JSON-Schema-Test-Suite/draft2020-12/\(file)")
        return try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [[String: Any]])
    }

    @Test(arguments: ["pattern.json", "optional/ecmascript-regex.json"]) func pattern(_ file: String) throws {
        var count = 0
        for group in try groups(file) {
            guard let schema = group["schema"] as? [String: Any], let pattern = schema["pattern"] as? String else {
                continue
            }
            var search = RegexSearch(try ECMARegex(pattern.utf16))
            for test in group["tests"] as? [[String: Any]] ?? [] {
                guard let text = test["data"] as? String, let isValid = test["valid"] as? Bool else { continue }
                count += 1
                #expect(search.search(text.utf16) == (isValid ? .matched : .notMatched), "\(pattern) in \(text)")
            }
        }
        #expect(count > 0)
    }

    @Test func propertyNames() throws {
        var count = 0
        for group in try groups("optional/ecmascript-regex.json") {
            guard let schema = group["schema"] as? [String: Any], schema["additionalProperties"] as? Bool == false,
                let pattern = (schema["patternProperties"] as? [String: Any])?.keys.first
            else { continue }
            for test in group["tests"] as? [[String: Any]] ?? [] {
                guard let name = (test["data"] as? [String: Any])?.keys.first else { continue }
                count += 1
                let isValid = try ECMARegex(pattern.utf16).search(name.utf16) == .matched
                #expect(isValid == test["valid"] as? Bool, "\(pattern) in \(name)")
            }
        }
        #expect(count > 0)
    }

    @Test func parsesPropertyPatterns() throws {
        for group in try groups("patternProperties.json") {
            let schema = try #require(group["schema"] as? [String: Any])
            for pattern in (schema["patternProperties"] as? [String: Any] ?? [:]).keys {
                #expect(throws: Never.self) { try ECMARegex(pattern.utf16) }
            }
        }
    }

    @Test func formatRegex() throws {
        for group in try groups("optional/format/ecmascript-regex.json") {
            for test in group["tests"] as? [[String: Any]] ?? [] {
                guard let pattern = test["data"] as? String else { continue }
                let isRead = (try? ECMARegex(pattern.utf16)) != nil
                #expect(isRead == test["valid"] as? Bool, "\(pattern)")
            }
        }
    }
}
