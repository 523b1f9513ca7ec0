import Foundation
import Testing

@testable import SaveToolKit

/// Tests that a run of more than a second reports its progress on a line that it clears at the end.
@Suite struct ProgressTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
    }

    /// Returns what an `sh` command sends to its terminal, while another command runs beside it.
    private func sent(_ line: String, beside other: String = ":") throws -> String {
        let onTerminal = "NO_COLOR= TERM=xterm script -qec 'stty rows 24 cols 80; \(line)' /dev/null < /dev/null"
        return try Programs.outputOfShell("(\(other)) & \(onTerminal)", in: workspace.folder)
    }

    /// The file is a pipe whose writer is late.
    @Test(.enabled(if: Programs.script && Programs.savetool != nil)) func showsProgressOfSlowRun() throws {
        let writer = "mkfifo slow.json; sleep 1.7; printf '[1]' > slow.json"
        let output = try sent("sleep 0.2; savetool slow.json", beside: writer)
        #expect(output.hasPrefix("\r\u{1B}[Kreading slow.json: 1 s"))
        #expect(output.hasSuffix("\r\u{1B}[K" + Self.tree))
    }

    @Test(.enabled(if: Programs.script && Programs.savetool != nil)) func showsNothingForShortRun() throws {
        try workspace.write("[1]", to: "a.json")
        #expect(try sent("savetool a.json") == Self.tree)
    }

    private static let tree =
        "JSON, array with 1 element, 3 bytes\r\n\u{1B}[2m└─ \u{1B}[0m\u{1B}[36m0: \u{1B}[0m\u{1B}[35m1\u{1B}[0m\r\n"

    @Test func lines() throws {
        var work = ProgressState()
        #expect(work.line == nil)
        work.begin("writing a.json")
        #expect(work.line == "writing a.json: 0 s")
        work.bytes = 12_345_678
        #expect(work.line?.hasPrefix("writing a.json: 12 MB, ") == true)
        work.files = (0, 1)
        #expect(work.line?.hasPrefix("writing") == true)
        work.files = (0, 2000)
        #expect(work.line == "0 of 2,000 files: writing a.json")
        work.files = (1000, 2000)
        #expect(work.line?.hasPrefix("1,000 of 2,000 files, 10,000 a second, 1 s left: writing") == true)
    }
}
