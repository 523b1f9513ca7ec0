import SaveCodec
import Testing

@testable import SaveToolKit

/// Tests the layout of every help page and the consistency of the option tables.
@Suite struct HelpTests {
    /// All commands and command groups.
    static let commands = SaveTool.command.all

    static let names = commands.map(\.name)

    static func command(_ name: String) throws -> Command {
        try #require(commands.first { $0.name == name })
    }

    static func text(of page: HelpPage, colored: Bool = false) -> String {
        var output = ByteWriter()
        HelpTextRenderer(palette: Palette(isColored: colored)).render(page, to: &output)
        return String(decoding: output.takeBytes(), as: UTF8.self)
    }

    @Test(arguments: names)
    func aPageBeginsWithThreeExamplesAndFits(_ name: String) throws {
        let page = HelpPage(try Self.command(name))
        let text = Self.text(of: page)
        #expect(page.examples.count >= 3)
        #expect(text.hasPrefix("examples:\n  # \(page.examples[0].key)\n  savetool "))
        for line in text.split(separator: "\n") { #expect(line.count <= 80) }
        #expect(!text.contains(" \n"))
    }

    @Test(arguments: HelpTopic.all.map(\.name))
    func aTopicFits(_ name: String) throws {
        let page = try HelpCommand.page(of: [name])
        #expect(page.examples.count == 3)
        for line in Self.text(of: page).split(separator: "\n") { #expect(line.count <= 80) }
    }

    /// If two options of a command shared a letter or a name, one would hide the other.
    @Test(arguments: names)
    func optionsAreDifferent(_ name: String) throws {
        let options = try Self.command(name).allOptions
        #expect(Set(options.map(\.name)).count == options.count)
        let letters = options.compactMap(\.letter)
        #expect(Set(letters).count == letters.count)
        for option in options {
            #expect(option.alias.map { alias in options.contains { $0.name == alias.name } } ?? true)
        }
    }

    /// Every option that is suggested for another tool's option exists.
    @Test(arguments: names)
    func habitsLeadToOptions(_ name: String) throws {
        let command = try Self.command(name)
        for (habit, option) in command.habits {
            #expect(
                option == "> FILE" || option.isEmpty || command.allOptions.contains { $0.shown == option }, "\(habit)")
            #expect(!command.allOptions.contains { $0.shown == habit || "-\($0.letter ?? "-")" == habit })
        }
    }

    @Test func everyPurposeIsTold() {
        let text = Self.text(of: HelpPage(SaveTool.command))
        for purpose in ["look", "change", "compare", "check", "scores"] { #expect(text.contains("\n\(purpose):\n")) }
        for topic in ["addresses", "exit-codes", "git", "json", "limits", "schema"] {
            #expect(text.contains("\n  \(topic) "))
        }
    }

    @Test func headingsAreBoldOnATerminal() throws {
        let workspace = try Workspace()
        for arguments in [["--help"], ["get", "--help"], ["help", "get"], ["scores", "help", "add"]] {
            #expect(workspace.run(arguments).output.hasPrefix("examples:\n"))
            let shown = workspace.run(arguments, isTerminal: true).output
            #expect(shown.hasPrefix("\u{1B}[1mexamples:\u{1B}[0m\n"))
            #expect(shown.contains("\u{1B}[1musage:\u{1B}[0m savetool"))
        }
        #expect(workspace.run(["help", "--no-color"], isTerminal: true).output.hasPrefix("examples:\n"))
    }

    @Test(
        arguments: [
            ("a b\nc", [.paragraph("a b c")]),
            (
                "a\n\n    x  one\n    yy  two\n       more",
                [
                    .paragraph("a"),
                    .list([.init(term: "x", explanation: "one"), .init(term: "yy", explanation: "two more")]),
                ]
            ),
            ("    {\n      1\n    }\n\nb", [.verbatim(["{", "  1", "}"]), .paragraph("b")]),
        ] as [(String, [Prose.Part])])
    func proseHasParts(_ text: String, _ parts: [Prose.Part]) {
        #expect(Prose(text).parts == parts)
    }

    @Test func wordsFillLines() {
        #expect(Filling.lines(of: "aa bb\n cc  dddddd e", width: 5) == ["aa bb", "cc", "dddddd", "e"])
        #expect(Filling.lines(of: "", width: 5) == [])
        #expect(Filling.lines(ofCommand: "a -o b -c --d e f", width: 5) == ["a", "-o b", "-c", "--d e", "f"])
    }
}
