import Foundation
import Testing

@testable import SaveToolKit

/// Tests the manual pages, which are generated from the help tables.
@Suite struct ManPageTests {
    @Test func manPageMatchesHelp() throws {
        let workspace = try Workspace()
        let page = workspace.run(["help", "--man", "scores", "add"]).output
        #expect(
            page.hasPrefix(".TH SAVETOOL\\-SCORES\\-ADD 1 \(Version.date) \"savetool \(Version.current)\" savetool\n"))
        #expect(page.contains("\n.SH NAME\nsavetool\\-scores\\-add \\- add a score\n"))
        #expect(page.contains("\n.TP\n.B \\-\\-keep N\nkeep the N best records (10); 0 for all\n"))
        #expect(page.contains("\n.SH EXIT STATUS\n.TP\n.B 0\ndone\n.TP\n.B 1\n"))
        #expect(workspace.run(["help", "--man", "addresses"]).output.hasPrefix(".TH SAVETOOL\\-ADDRESSES 7 "))
        #expect(workspace.run(["help", "--man"]).output.contains("\n.BR savetool\\-get (1),\n"))
    }

    /// mandoc, or else groff, has nothing to report on any page.
    @Test(.enabled(if: Programs.mandoc != nil || Programs.groff != nil, "needs mandoc or groff"))
    func pagesAreValid() throws {
        let workspace = try Workspace()
        #expect(workspace.run(["help", "--man", "--output-dir", "."]) == Workspace.Result(status: 0, output: ""))
        #expect(workspace.names.count == SaveTool.command.all.count + HelpTopic.all.count - 1)
        #expect(workspace.names.contains("savetool.1") && workspace.names.contains("savetool-scores-add.1"))
        #expect(workspace.names.contains("savetool-json.7"))
        let line = Programs.mandoc != nil ? "mandoc -Tlint -W all *.[17]" : "groff -ww -man -Tutf8 *.[17] > pages"
        #expect(try Programs.outputOfShell(line, in: workspace.folder) == "")
    }
}
