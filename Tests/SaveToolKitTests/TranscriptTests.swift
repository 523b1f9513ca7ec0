import Foundation
import TestSupport
import Testing

/// Runs every `Fixtures/cli/NAME.session` again and expects the same text. `RECORD=1 swift test` rewrites the files.
@Suite struct TranscriptTests {
    static let folder = TestFiles.fixtures.appending(path: "cli")

    static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? [])
        .filter { $0.hasSuffix(".session") }.sorted()

    @Test func findsSessions() {
        #expect(Self.names.count >= 8)
    }

    @Test(arguments: names)
    func session(_ name: String) throws {
        let file = Self.folder.appending(path: name)
        let transcript = Transcript(String(decoding: try TestFiles.bytes(file), as: UTF8.self))
        try #require(!transcript.commands.isEmpty)
        let replayed = try transcript.replay()
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try Data(replayed.utf8).write(to: file)
        } else {
            let (lines, wanted) = (replayed.split(separator: "\n"), transcript.text.split(separator: "\n"))
            let first = Array(zip(lines, wanted)).firstIndex { $0 != $1 } ?? min(lines.count, wanted.count)
            let differ = replayed != transcript.text
            #expect(
                !differ,
                """
                line \(first + 1) without blank ones: found "\(lines.dropFirst(first).first ?? "")"; \
                expected "\(wanted.dropFirst(first).first ?? "")"; RECORD=1 swift test writes it anew
                """)
        }
    }
}
