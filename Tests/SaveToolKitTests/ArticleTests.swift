import Foundation
import TestSupport
import Testing

/// Checks that the files, headings, articles and types that the documentation refers to exist.
@Suite struct ArticleTests {
    private static let sources = TestFiles.package.appending(path: "Sources")

    private static func texts(endingIn ending: String, in folder: String = "Sources") throws -> [String: String] {
        let files = try TestFiles.files(under: TestFiles.package.appending(path: folder))
            .filter { $0.name.hasSuffix(ending) && !$0.name.hasSuffix("ArticleTests.swift") }
        return try Dictionary(
            uniqueKeysWithValues: files.map { ($0.name, try String(contentsOf: $0.url, encoding: .utf8)) })
    }

    /// Checks the folders and files that `Sources/README.md` names in backticks or links.
    @Test func namedFilesExist() throws {
        let guide = try String(contentsOf: Self.sources.appending(path: "README.md"), encoding: .utf8)
        let names = guide.matches(of: /`([A-Za-z]+\/[A-Za-z\/+.]+)`|\]\(([^)]+)\)/)
            .compactMap { $0.output.1 ?? $0.output.2 }
        #expect(!names.isEmpty)
        for name in names where !name.hasPrefix("Tests/") {
            let path = Self.sources.appending(path: String(name)).path
            #expect(FileManager.default.fileExists(atPath: path), "\(name)")
        }
    }

    /// Checks the files that the README and the articles link to, and the README's links to its own headings.
    @Test func linksHaveTargets() throws {
        let readme = TestFiles.package.appending(path: "README.md")
        let articles = try Self.texts(endingIn: ".md").keys.map { Self.sources.appending(path: $0) }
        for file in [readme] + articles {
            let text = try String(contentsOf: file, encoding: .utf8)
            let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }.map {
                $0.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
            }
            for link in text.matches(of: /\]\(([^)`]+)\)/).map({ String($0.output.1) }) where !link.hasPrefix("http") {
                if link.hasPrefix("#") {
                    #expect(headings.contains(String(link.dropFirst())), "\(file.lastPathComponent) links to \(link)")
                } else {
                    let path = file.deletingLastPathComponent().appending(path: link).path
                    #expect(FileManager.default.fileExists(atPath: path), "\(file.lastPathComponent) links to \(link)")
                }
            }
        }
    }

    @Test func readmeIsShort() throws {
        let readme = try String(contentsOf: TestFiles.package.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 201)
    }

    /// Checks `<doc:BinaryFormat>` in articles and comments, and `the article BinaryFormat` in tests.
    @Test func citedArticlesExist() throws {
        let articles = try Set(Self.texts(endingIn: ".md").keys.map { ($0 as NSString).lastPathComponent })
        let texts = try [
            Self.texts(endingIn: ".md"), Self.texts(endingIn: ".swift"), Self.texts(endingIn: ".swift", in: "Tests"),
        ]
        for (name, text) in texts.joined() {
            for citation in text.components(separatedBy: "<doc:").dropFirst() {
                let article = citation.prefix { $0 != ">" }
                #expect(articles.contains(article + ".md"), "\(name) cites \(article)")
            }
            for citation in text.components(separatedBy: "the article ").dropFirst() {
                let article = citation.prefix { $0.isLetter }
                guard article.first?.isUppercase == true else { continue }
                #expect(articles.contains(article + ".md"), "\(name) cites \(article)")
            }
        }
    }

    /// Checks the types and tests that articles name in backticks, such as `ReachabilityCheck`.
    @Test func namedTypesExist() throws {
        let files = try [Self.texts(endingIn: ".swift"), Self.texts(endingIn: ".swift", in: "Tests")]
        let code = Data(files.flatMap(\.values).joined().utf8)
        let targets = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        let others =
            targets + [
                "GameObject", "LostClass", "MutableSpan", "PlistBuddy", "PropertyListEncoder",
                "UnsafeMutableBufferPointer",
                "UserDefaults",
            ]
        for (name, text) in try Self.texts(endingIn: ".md") {
            let types = text.matches(of: /`([A-Z][a-z]+[A-Z]\w+)(?:`|\(|\.(?!swift))/).map { String($0.output.1) }
            for type in Set(types).subtracting(others) {
                let isDeclared = ["struct", "enum", "class", "protocol"].contains {
                    code.range(of: Data("\($0) \(type)".utf8)) != nil
                }
                #expect(isDeclared, "\(name) names \(type)")
            }
        }
    }
}
