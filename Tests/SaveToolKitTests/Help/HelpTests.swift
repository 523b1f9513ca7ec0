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

    /// Two screens of 80 columns and 40 lines, with at most twelve lines of text.
    @Test(arguments: names)
    func pageFitsTwoScreens(_ name: String) throws {
        let page = HelpPage(try Self.command(name))
        let text = Self.text(of: page)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 80)
        #expect(lines.allSatisfy { $0.count <= 80 && !$0.hasSuffix(" ") })
        #expect(text.contains("\n\nusage: savetool"))
        #expect(text.contains("\n\nexamples:\n  # \(page.examples[0].key)\n  savetool "))
        #expect(page.examples.count == 3)
        let paragraphs = page.discussion.parts.flatMap { part in
            if case .paragraph(let text) = part { WordWrap.lines(of: text, width: 80) } else { [] }
        }
        #expect(paragraphs.count <= 12)
    }

    @Test(arguments: names)
    func fullPageListsAllOptions(_ name: String) throws {
        let command = try Self.command(name)
        let text = Self.text(of: HelpPage(command, .full))
        for line in text.split(separator: "\n") { #expect(line.count <= 80) }
        for (purpose, _) in command.examples { #expect(text.contains("  # \(purpose)\n")) }
        guard command.commands.isEmpty else { return }
        for option in command.allOptions { #expect(text.contains(" \(option.shown)"), "\(option.shown)") }
    }

    @Test(arguments: HelpTopic.all.map(\.name))
    func topicFitsScreen(_ name: String) throws {
        let page = try HelpCommand.page(of: [name])
        let lines = Self.text(of: page).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(page.examples.count == 3)
        #expect(lines.count <= 80)
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    /// The pages of all commands and topics together.
    @Test func helpIsShort() throws {
        let topics = HelpTopic.all.filter { !$0.isCommand }.map { HelpPage($0) }
        let pages = (Self.commands + [VersionCommand.command]).map { HelpPage($0) } + topics
        let count = pages.reduce(0) { $0 + Self.text(of: $1).split { $0 == " " || $0 == "\n" }.count }
        #expect(count <= 9600)
    }

    /// A page leaves the common options to the topic, which explains all of them.
    @Test func explainsCommonOptionsOnce() throws {
        let topic = Self.text(of: try HelpCommand.page(of: ["options"]))
        for command in Self.commands where command.commands.isEmpty {
            let page = HelpPage(command)
            #expect(!page.groups.contains { $0.title == Option.Purpose.common.rawValue })
            #expect(Self.text(of: page).contains("savetool help options"))
            for option in command.allOptions where option.purpose == .common {
                #expect(topic.contains(" \(option.shown)"), "\(option.shown)")
            }
        }
    }

    @Test func fullPageDescribesPlumbing() {
        let summary = "\n  patch         apply a JSON Patch to a file\n"
        #expect(!Self.text(of: HelpPage(SaveTool.command)).contains(summary))
        #expect(Self.text(of: HelpPage(SaveTool.command, .full)).contains(summary))
    }

    /// If two options of a command shared a letter or a name, one would hide the other.
    @Test(arguments: names)
    func optionsHaveDifferentNames(_ name: String) throws {
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
        for (habit, option) in command.foreignSpellings {
            #expect(
                option == "> FILE" || option.isEmpty || option.contains("VALUE")
                    || command.allOptions.contains { $0.shown == option }, "\(habit)")
            #expect(!command.allOptions.contains { $0.shown == habit || "-\($0.letter ?? "-")" == habit })
        }
    }

    @Test func overviewListsCommandsAndTopics() {
        let page = HelpPage(SaveTool.command)
        #expect(page.groups.map(\.title) == ["commands", "plumbing", "topics"])
        #expect(page.groups[0].entries.count == 13)
        let text = Self.text(of: page)
        for entry in page.groups[0].entries + page.groups[2].entries { #expect(text.contains("\n  \(entry.term) ")) }
        for entry in page.groups[1].entries { #expect(text.contains(entry.term)) }
        #expect(!text.contains("version"))
    }

    @Test func headingsAreBoldOnTerminal() throws {
        let workspace = try Workspace()
        for arguments in [["--help"], ["get", "--help"], ["help", "get"], ["scores", "help", "add"]] {
            #expect(workspace.run(arguments).output.contains("\n\nexamples:\n"))
            let shown = workspace.run(arguments, isTerminal: true).output
            #expect(shown.contains("\n\n\u{1B}[1mexamples:\u{1B}[0m\n"))
            #expect(shown.contains("\u{1B}[1musage:\u{1B}[0m savetool"))
        }
        #expect(workspace.run(["help", "--no-color"], isTerminal: true).output.contains("\n\nexamples:\n"))
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
    func splitsProseIntoParts(_ text: String, _ parts: [Prose.Part]) {
        #expect(Prose(text).parts == parts)
    }

    @Test func fillsLines() {
        #expect(WordWrap.lines(of: "aa bb\n cc  dddddd e", width: 5) == ["aa bb", "cc", "dddddd", "e"])
        #expect(WordWrap.lines(of: "", width: 5) == [])
        #expect(WordWrap.lines(ofCommand: "a -o b -c --d e f", width: 5) == ["a", "-o b", "-c", "--d e", "f"])
    }
}
