import Foundation
import SaveCodec
import Testing

@testable import SaveToolKit

/// The manual pages, which are made of the tables of the help.
@Suite struct ManPageTests {
    private static func roff(_ page: HelpPage) -> String {
        var output = ByteWriter()
        ManPageRenderer().render(page, to: &output)
        return String(decoding: output.takeBytes(), as: UTF8.self)
    }

    private static let pages = HelpTests.commands.map { HelpPage($0) } + HelpTopic.all.map { HelpPage($0) }

    @Test func aPageSaysWhatTheHelpSays() throws {
        let workspace = try Workspace()
        let page = workspace.run(["help", "--man", "scores", "add"]).output
        #expect(
            page.hasPrefix(".TH SAVETOOL\\-SCORES\\-ADD 1 \(Version.date) \"savetool \(Version.current)\" savetool\n"))
        #expect(page.contains("\n.SH NAME\nsavetool\\-scores\\-add \\- enter a score\n"))
        #expect(page.contains("\n.TP\n.B \\-\\-keep N\nhow many records there may be (10); 0 for any number\n"))
        #expect(page.contains("\n.SH EXIT STATUS\n.TP\n.B 0\ndone\n.TP\n.B 1\n"))
        #expect(workspace.run(["help", "--man", "addresses"]).output.hasPrefix(".TH SAVETOOL\\-ADDRESSES 7 "))
        #expect(workspace.run(["help", "--man"]).output.contains("\n.BR savetool\\-get (1),\n"))
    }

    /// Each page is one that mandoc finds nothing to say of, or else groff.
    @Test(.enabled(if: Programs.mandoc != nil || Programs.groff != nil, "needs mandoc or groff"))
    func pagesAreSound() throws {
        let workspace = try Workspace()
        for (number, page) in Self.pages.enumerated() { try workspace.write(Self.roff(page), to: "\(number).man") }
        let line = Programs.mandoc != nil ? "mandoc -Tlint -W all *.man" : "groff -ww -man -Tutf8 *.man > pages"
        #expect(try Programs.outputOfShell(line, in: workspace.folder) == "")
    }
}
