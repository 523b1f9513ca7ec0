import Foundation
import TestSupport
import Testing

/// Runs the examples of the README and the articles on the fixtures, so that they stay correct.
@Suite struct ReadmeTests {
    static let files = ["README.md"] + articles

    /// The articles of all targets that have examples.
    private static var articles: [String] {
        let files = (try? TestFiles.files(under: TestFiles.package.appending(path: "Sources"))) ?? []
        return files.filter { $0.name.hasSuffix(".md") }.filter { file in
            let text = (try? TestFiles.bytes(file.url)) ?? []
            return !examples(in: String(decoding: text, as: UTF8.self)).isEmpty
        }
        .map { "Sources/" + $0.name }
    }

    /// Returns the `console` blocks that run savetool.
    static func examples(in text: String) -> [String] {
        text.components(separatedBy: "```console\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            .filter { ("\n" + $0).contains("\n$ savetool ") }
    }

    @Test(arguments: files) func examplesPrintDocumentedOutput(file: String) throws {
        let text = try TestFiles.bytes(TestFiles.package.appending(path: file))
        let examples = Self.examples(in: String(decoding: text, as: UTF8.self))
        #expect(!examples.isEmpty)
        for example in examples {
            #expect(try Transcript(example).replay() == example)
        }
    }

    /// The tags of the picture only add colors. Its text is a transcript.
    @Test func pictureShowsWhatCommandsPrint() throws {
        let file = TestFiles.package.appending(path: "Sources/SaveToolKit/SaveToolKit.docc/savetool.svg")
        let lines = String(decoding: try TestFiles.bytes(file), as: UTF8.self).split(separator: "\n")
        let shown = lines.filter { $0.hasPrefix("<text ") }.map {
            $0.replacing(/<[^>]*>/, with: "").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
                .replacing("&amp;", with: "&")
        }
        let picture = shown.joined(separator: "\n") + "\n"
        #expect(shown.count > 10)
        #expect(try Transcript(picture).replay() == picture)
    }

    @Test func findsCodeBlocks() {
        let text =
            "# A\n```console\n$ cd a\n$ savetool x\ny\n```\n```sh\n$ savetool z\n```\n```console\n$ swift build\n```\n"
        #expect(Self.examples(in: text) == ["$ cd a\n$ savetool x\ny\n"])
    }
}
