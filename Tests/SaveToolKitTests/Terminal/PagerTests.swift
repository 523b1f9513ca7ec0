import Testing

@testable import SaveToolKit

/// Tests that output longer than the screen is shown in the pager together with its messages, and other output directly
/// on the terminal.
@Suite(.serialized) struct PagerTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.write("[" + (0..<50).map { "\"\($0)\"" }.joined(separator: ", ") + "]", to: "a.json")
        try workspace.write("[1]", to: "b.json")
    }

    private func run(_ arguments: [String], _ environment: [String: String] = [:]) -> Workspace.Result {
        let output = Collector()
        let talk = Collector()
        let size = TerminalSize(columns: 80, rows: 20)
        let status = workspace.run(
            arguments + ["--no-color"],
            environment: ["PAGER": "false", "SAVETOOL_PAGER": "cat > '\(workspace.path(of: "pages"))'"]
                .merging(environment) { $1 },
            output: output.channel(isTerminal: true, size: size), talk: talk.channel(isTerminal: true, size: size))
        return Workspace.Result(status: status, output: output.text, talk: talk.text)
    }

    private var pages: String { (try? workspace.text(of: "pages")) ?? "" }

    @Test func pagesLongOutput() {
        let result = run(["inspect", "--all", "b.json", "no.json", "a.json"])
        #expect(result == Workspace.Result(status: 2, output: ""))
        #expect(pages.hasPrefix("b.json:\nJSON, array with 1 element, 3 bytes\n└─ 0: 1\nno.json: "))
        #expect(pages.contains("49: \"49\"\n"))
    }

    @Test func printsShortOutputDirectly() {
        #expect(run(["inspect", "b.json"]).output == "JSON, array with 1 element, 3 bytes\n└─ 0: 1\n")
        #expect(pages == "")
    }

    @Test(
        arguments: [
            (["inspect", "--all", "a.json"], ["SAVETOOL_PAGER": ""]),
            (["inspect", "--all", "a.json"], ["TERM": "dumb"]),
            (["inspect", "--all", "--no-pager", "a.json"], [:]),
            (["inspect", "--all", "a.json"], ["SAVETOOL_PAGER": "no-such-program -x"]),
            (["set", "a.json", "/0", "x"], [:]),
        ] as [([String], [String: String])])
    func withoutPager(_ arguments: [String], _ environment: [String: String]) {
        #expect(run(arguments, environment).output.contains("49"))
        #expect(pages == "")
    }

    /// The run ends if the user quits the pager.
    @Test func pagerThatEndsEarly() throws {
        try workspace.write("[" + String(repeating: "0,", count: 200_000) + "0]", to: "long.json")
        #expect(
            run(
                ["inspect", "-f", "flat", "long.json"],
                ["SAVETOOL_PAGER": "head -n 1 > '\(workspace.path(of: "pages"))'"]
            ).status == 0)
        #expect(pages == "/0 = 0\n")
    }
}
