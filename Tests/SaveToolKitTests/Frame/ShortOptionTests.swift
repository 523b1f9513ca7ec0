import Testing

@testable import SaveToolKit

/// Tests that each short option has the same meaning in all commands.
@Suite struct ShortOptionTests {
    /// The meaning of each letter, and the names of the options that may use it.
    static let meanings: KeyValuePairs<Character, (meaning: String, names: Set<String>)> = [
        "0": ("names end with NUL, as in xargs", ["null"]),
        "a": ("all: leave nothing out", ["all"]),
        "c": ("count only", ["count"]),
        "d": ("depth", ["depth"]),
        "e": ("expression", ["regex"]),
        "f": ("output format", ["format", "to"]),
        "H": ("with the names of files", ["with-filename"]),
        "h": ("help", ["help"]),
        "i": ("in place", ["in-place"]),
        "k": ("key", ["key"]),
        "l": ("list the names of files", ["files-with-matches"]),
        "n": ("dry run", ["dry-run"]),
        "o": ("output", ["output"]),
        "q": ("quiet", ["quiet"]),
        "r": ("recursive", ["recursive"]),
        "t": ("types", ["type", "types"]),
        "U": ("context, as in diff", ["context"]),
        "v": ("verbose", ["verbose"]),
        "W": ("width, as in diff", ["width"]),
        "w": ("where", ["where"]),
        "y": ("side by side, as in diff", ["side-by-side"]),
    ]

    /// Letters that have another meaning in one command, and the reason.
    static let exceptions: [(command: String, letter: Character, name: String, reason: String)] = [
        ("find", "i", "ignore-case", "as in ripgrep; find writes nothing that could be in place"),
        ("find", "s", "case-sensitive", "as in ripgrep"),
    ]

    /// Letters of other tools that a command accepts without an option of its own, and the reason.
    static let acceptedHabits: [(command: String, habit: String, reason: String)] = [
        ("find", "-S", "as in ripgrep; smart case is always on")
    ]

    private static func names(of letter: Character) -> Set<String> {
        meanings.first { $0.key == letter }?.value.names ?? []
    }

    private static func isException(_ letter: Character, _ name: String, in command: Command) -> Bool {
        exceptions.contains { $0.command == command.name && $0.letter == letter && $0.name == name }
    }

    @Test(arguments: HelpTests.names)
    func letterHasOneMeaning(_ name: String) throws {
        let command = try HelpTests.command(name)
        for option in command.allOptions {
            guard let letter = option.letter, !Self.isException(letter, option.name, in: command) else { continue }
            #expect(Self.names(of: letter).contains(option.name), "-\(letter) is \(option.shown)")
        }
    }

    /// An option that has a letter in one command has it in all commands.
    @Test(arguments: HelpTests.names)
    func optionHasSameLetterEverywhere(_ name: String) throws {
        for option in try HelpTests.command(name).allOptions where option.letter == nil {
            // `--null` of set is a value, and `--to` of the scores commands only accompanies `--form`.
            if ["null", "to"].contains(option.name) { continue }
            let letter = Self.meanings.first { $0.value.names.contains(option.name) }?.key
            #expect(letter == nil, "\(option.shown) has no letter")
        }
    }

    @Test func everyLetterIsUsed() {
        let used = Set(HelpTests.commands.flatMap(\.allOptions).compactMap(\.letter))
        for (letter, _) in Self.meanings { #expect(used.contains(letter), "-\(letter)") }
        #expect(Set(Self.meanings.map(\.key)).count == Self.meanings.count)
    }

    /// An accepted letter of other tools keeps its usual meaning, and a former letter gets no new one.
    @Test(arguments: HelpTests.names)
    func otherLettersDoNotConflict(_ name: String) throws {
        let command = try HelpTests.command(name)
        for (habit, meant) in command.foreignSpellings where habit.count == 2 && meant.isEmpty {
            if Self.acceptedHabits.contains(where: { $0.command == name && $0.habit == habit }) { continue }
            let letter = try #require(habit.last?.lowercased().first)
            #expect(Self.names(of: letter) == ["recursive"], "\(habit)")
        }
        for spelling in command.allOptions.flatMap(\.formerSpellings) where spelling.count == 2 {
            #expect(Self.names(of: try #require(spelling.last)).isEmpty, "\(spelling)")
        }
    }

    /// Former spellings are accepted, but not shown in the help.
    @Test func hidesFormerSpellings() throws {
        let options = HelpTests.commands.flatMap { command in command.allOptions.map { (command, $0) } }
        let renamed = options.filter { !$0.1.formerSpellings.isEmpty }
        #expect(!renamed.isEmpty)
        for (command, option) in renamed {
            let help = HelpTests.text(of: HelpPage(command))
            for spelling in option.formerSpellings {
                #expect(command.option(spelled: spelling)?.name == option.name)
                #expect(!help.contains(spelling + " ") && !help.contains(spelling + ","))
                #expect(!command.allOptions.contains { $0.shown == spelling || "-\($0.letter ?? "-")" == spelling })
                let parsed = try Arguments.parse([spelling, "/a"], for: command)
                #expect(parsed.value(of: option) == "/a")
            }
        }
    }
}
