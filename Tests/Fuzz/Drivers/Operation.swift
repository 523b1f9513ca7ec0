/// An operation on files, and the laws that it must satisfy.
struct Operation: Sendable {
    let check: @Sendable (ToolRun) -> Void

    /// The way in which a file must be readable if the status is 0.
    enum Reading {
        /// As the value graph that commands use.
        case viewed
        /// As the stored property list.
        case stored
        /// No requirement.
        case anything
    }

    enum Kind {
        /// Text for people.
        case text
        /// Text with strings unchanged from a file, except for characters that affect terminals.
        case source
        /// Output for programs, or unchanged contents of the file.
        case raw
    }

    /// All operations. Seeds use numbers below 128, so the first operations occur twice.
    static let all = laws + changing + comparing + looking + checking + scores

    /// Returns an operation that runs the tool. In its arguments, `@a`, `@b` and `@c` are replaced with the text of
    /// these files, and `@` with an address.
    private static func command(
        _ kind: Kind, _ line: String, reading: [Reading] = [.viewed], isTerminal: Bool = false
    ) -> Operation {
        let words = line.split(separator: " ").map(String.init)
        return Operation { run in
            let arguments = words.map { run.argument($0) }
            let result = run.run(arguments, reading: reading, isTerminal: isTerminal)
            guard kind != .raw, let scalar = Printable.violation(in: result.output, isSource: kind == .source) else {
                return
            }
            violation("output for people has no control characters", "\(arguments): \(scalar)\n\(result.text)")
        }
    }

    // MARK: Commands

    private static let looking = [
        command(.text, "inspect a"),
        command(.text, "inspect --raw a", reading: [.stored]),
        command(.text, "inspect --all --types --nested a"),
        command(.text, "inspect --depth 2 --no-pager a", isTerminal: true),
        command(.text, "inspect --defaults b a", reading: [.viewed, .viewed]),
        command(.text, "inspect --at @ a"),
        command(.raw, "inspect -f flat --nested a"),
        command(.source, "inspect -f flat --no-pager a", isTerminal: true),
        command(.source, "inspect -f json --no-pager a", isTerminal: true),
        command(.source, "get a @ -f xml --no-pager", isTerminal: true),
        command(.raw, "inspect -f flat --expand a"),
        command(.raw, "inspect -f json --nested a"),
        command(.raw, "inspect -f json --strict --compact a"),
        command(.raw, "inspect -f ndjson --at @ --at /**/health a b", reading: [.viewed, .viewed]),
        command(.text, "inspect -f summary a"),
        command(.text, "inspect -f dot a"),
        command(.text, "inspect -f mermaid a"),
        command(.raw, "inspect -f html a"),
        command(.raw, "get a @"),
        command(.raw, "get a @ -f json"),
        command(.raw, "get a @ -f typed"),
        command(.raw, "get a @ -f xml"),
        command(.raw, "get a @b", reading: [.viewed, .anything]),
        command(.raw, "get --at @ --at /** -f csv a b", reading: [.viewed, .viewed]),
        command(.text, "get --at @ --at /*/* a b", reading: [.viewed, .viewed]),
        command(.text, "find --text e a"),
        command(.text, "find --regex @b a", reading: [.viewed, .anything]),
        command(.text, "find --where @b a", reading: [.viewed, .anything]),
        command(.raw, "find --key root -f json a"),
        command(.raw, "__complete bash savetool get a @b", reading: [.anything]),
        command(.raw, "get -f keys a @"),
        command(.raw, "get -f type a @ --unwrap", reading: [.anything]),
        command(.raw, "get a /**/gems"),
        command(.text, "find --class Game.* a"),
        command(.text, "inspect --unwrap --nested a", reading: [.anything]),
        command(.text, "find --unwrap --text e a", reading: [.anything]),
        command(.text, "inspect --unwrap-at 4 a", reading: [.anything]),
        command(.raw, "set a @ --unwrap-at 0 --string x --change-type", reading: [.anything]),
    ]

    private static let changing = [
        command(.raw, "set a @ @b", reading: [.viewed, .anything]),
        command(.raw, "set a @ --json-file b --add --change-type", reading: [.viewed, .anything]),
        command(.raw, "set -i --backup a @ --unshare --change-type --string x"),
        command(.raw, "set a /** --where @b --int 5 --change-type", reading: [.viewed, .anything]),
        command(.raw, "insert a @ --json-file b", reading: [.viewed, .anything]),
        command(.raw, "remove a @"),
        command(.raw, "remove a @b --unshare --keep-comments", reading: [.viewed, .anything]),
        command(.raw, "patch a b"),
        command(.raw, "patch --allow-loss a b"),
        command(.raw, "migrate -v b a"),
        command(.raw, "rename-class Player Map a"),
        command(.raw, "rename-class Game.* Other.* a"),
        command(.raw, "set a @ --unwrap --string x --change-type", reading: [.anything]),
        command(.raw, "convert --to binary --allow-loss a", reading: [.stored]),
        command(.raw, "convert --to xml a", reading: [.stored]),
        command(.raw, "convert --to json a"),
        command(.raw, "convert --to json --sort-keys --raw a", reading: [.stored]),
        command(.raw, "convert --to openstep --allow-loss a", reading: [.stored]),
        command(.raw, "convert --to gnustep a", reading: [.stored]),
        command(.raw, "convert --to archive a", reading: [.stored]),
        command(.raw, "convert --like b a", reading: [.stored, .stored]),
    ]

    private static let comparing = [
        command(.text, "diff a b", reading: [.viewed, .viewed]),
        command(.text, "diff --sharing -U 2 a b", reading: [.viewed, .viewed]),
        command(.text, "diff --raw a b", reading: [.stored, .stored]),
        command(.text, "diff --unordered /** --loose-numbers --tolerance 1% a b", reading: [.viewed, .viewed]),
        command(.text, "diff --identity /**=name a b", reading: [.viewed, .viewed]),
        command(.raw, "diff -f json a b", reading: [.viewed, .viewed]),
        command(.text, "diff -f summary a b", reading: [.viewed, .viewed]),
        command(.text, "diff -y a b", reading: [.viewed, .viewed]),
        command(.raw, "diff -f html a b", reading: [.viewed, .viewed]),
        command(.raw, "diff -f json-patch a b", reading: [.viewed, .viewed]),
        command(.raw, "merge a b c", reading: [.viewed, .viewed, .viewed]),
        command(.raw, "merge --base none a b --rule union", reading: [.viewed, .viewed]),
        command(.raw, "merge a b c --rule /**=max --rule sum-of-changes", reading: [.viewed, .viewed, .viewed]),
        command(.raw, "merge a b c --rule theirs", reading: [.viewed, .viewed, .viewed]),
        command(.raw, "merge b a c --raw --rule ours", reading: [.stored, .stored, .stored]),
        command(.source, "textconv a", reading: [.anything]),
        command(.source, "textconv --raw a", reading: [.anything]),
    ]

    private static let checking = [
        command(.text, "validate --verbose --no-project a b", reading: [.viewed, .viewed]),
        command(.raw, "validate -f json --no-project --profile archive a"),
        command(.raw, "validate -f sarif --no-project --allow-class Foundation,Player a"),
        command(.raw, "validate -f junit --no-project a"),
        command(.text, "validate -f github --no-project a"),
        command(.raw, "validate -f html --no-project a"),
        command(.text, "validate --no-project --schema b a", reading: [.viewed, .anything]),
        command(.text, "validate --no-project --assert-formats --schema b --strict a", reading: [.viewed, .anything]),
        command(.text, "validate --project b a", reading: [.viewed, .anything]),
        command(.text, "validate --no-project --profile highscores a"),
        command(.text, "inspect --salvage a", reading: [.anything]),
        command(.text, "salvage a --like b", reading: [.anything]),
        command(.raw, "salvage -f json a", reading: [.anything]),
        command(.raw, "salvage -f html a", reading: [.anything]),
        command(.raw, "validate -f codequality --no-project a"),
        command(.raw, "schema infer a b", reading: [.viewed, .viewed]),
        command(.text, "roundtrip --via xml a", reading: [.viewed]),
    ]

    private static let scores = [
        command(.text, "scores list a"),
        command(.raw, "scores list --sort date --top 3 -f csv a"),
        command(.text, "scores list -f markdown a"),
        command(.raw, "scores list -f html a"),
        command(.raw, "scores list --at @ -f json a"),
        command(.text, "scores add a --name Ada --score 99000 --date 2009-09-06T12:34:56Z"),
        command(.text, "scores remove a --rank 1 --all"),
        command(.text, "scores list --order lowest a"),
        command(.raw, "scores add a --at @b --name Ada --score 5 --order lowest", reading: [.viewed, .anything]),
        command(.raw, "scores merge a b --keep 5 --allow-loss --change-type", reading: [.viewed, .viewed]),
        command(.raw, "scores convert --form archive --allow-loss a"),
        command(.raw, "scores convert --form feed a"),
        command(.text, "scores submit b --salt salt", reading: [.anything]),
    ]
}

extension ToolRun {
    /// Returns the argument for a word of a command.
    func argument(_ word: String) -> String {
        if word == "@" { return address() ?? "" }
        guard word.hasPrefix("@"), let file = ToolInput.names.firstIndex(of: String(word.dropFirst())) else {
            return word
        }
        // An argument ends at the first zero byte.
        let text = String(decoding: input.files[file].prefix(200).prefix { $0 != 0 }, as: UTF8.self)
        // An option could name any file to write.
        return text.hasPrefix("-") ? " " + text : text
    }

    /// Returns the address of a value in the first file, from its flat lines; nil if there is none.
    func address() -> String? {
        let lines = Sandbox.shared.run(["inspect", "-f", "flat", "a"]).output.split(separator: UInt8(ascii: "\n"))
        guard !lines.isEmpty else { return nil }
        let address = FlatLine.address(of: lines[input.choice % lines.count])
        return address == "/" ? "" : address
    }
}

/// A line of `inspect --format flat`.
enum FlatLine {
    /// Returns the text before ` = `: a JSON Pointer, or one as a JSON string.
    static func address(of line: ArraySlice<UInt8>) -> String {
        var isQuoted = false
        var index = line.startIndex
        while index < line.endIndex {
            if line[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted, line[index] == UInt8(ascii: "\\") { index += 1 }
            if !isQuoted, line[index...].starts(with: " = ".utf8) { break }
            index += 1
        }
        return String(decoding: line[..<min(index, line.endIndex)], as: UTF8.self)
    }
}
