import Foundation
#if os(Linux)
    import FoundationXML
#endif
@testable import SaveCodec
import TestSupport
import Testing

@testable import SaveToolKit

/// Runs every command on files in which every string, key, class and name is hostile. No output may act on a terminal,
/// no text for people may have control characters, and nothing may run in a page or a spreadsheet.
@Suite struct HostileTextTests {
    /// All commands except for groups.
    static let commands = SaveTool.command.all.filter { $0.commands.isEmpty }
    private static let names = commands.map(\.name)

    private let files: HostileFiles

    init() throws {
        files = try HostileFiles()
    }

    /// The outcome of a run, and whether its output goes to a terminal.
    private struct Run {
        let words: [String]
        let isTerminal: Bool
        let isColored: Bool
        let status: Int32
        let output: [UInt8]
        let talk: [UInt8]
    }

    private func run(_ name: String, _ line: [String], isTerminal: Bool, width: Int = 80, plain: Bool = false) -> Run {
        let words = name.split(separator: " ").map(String.init) + files.words(line)
        let (output, talk) = (Collector(), Collector())
        let size = isTerminal ? TerminalSize(columns: width, rows: 60) : nil
        var environment = [
            "PAGER": "", "EDITOR": #"sed -i.bak -e 's/"saveVersion": 1/"saveVersion": 2/' -e 's/"n": 0/"n": 3/'"#,
            "TMPDIR": files.workspace.path(of: ""),
        ]
        if plain { environment["NO_COLOR"] = "1" }
        let status = files.workspace.run(
            words, input: Array((HostileRuns.inputs[name] ?? "").utf8), typed: isTerminal, environment: environment,
            output: output.channel(isTerminal: isTerminal, size: size),
            talk: talk.channel(isTerminal: isTerminal, size: size))
        return Run(
            words: words, isTerminal: isTerminal, isColored: isTerminal && !plain, status: status, output: output.bytes,
            talk: talk.bytes)
    }

    /// Returns the lines of a command: as they are, and with every output format that can be added.
    private static func lines(of command: Command) -> [(line: [String], form: String?)] {
        (HostileRuns.lines[command.name] ?? []).flatMap { line in
            let isChosen = line.contains { ["--format", "--to", "--form", "--via"].contains($0) }
            let given = isChosen ? line.last { HostileRuns.dataForms.contains($0) } : nil
            return [(line, given)] + HostileRuns.forms(of: command).map { (line: $0 + line, form: $0[1]) }
        }
    }

    private func check(_ run: Run, isData: Bool) {
        let what = SafeText.escaping(run.words.joined(separator: " ")).prefix(300)
        #expect((0...2).contains(run.status))
        let talk = run.isColored ? HostileText.withoutColors(run.talk) : run.talk
        #expect(HostileText.violation(in: talk, .shown) == nil, "standard error of \(what)")
        if run.isTerminal {
            let shown = run.isColored ? HostileText.withoutColors(run.output) : run.output
            #expect(HostileText.violation(in: shown, isData ? .source : .shown) == nil, "terminal: \(what)")
        } else if !isData {
            #expect(HostileText.violation(in: run.output, .shown) == nil, "pipe: \(what)")
        } else if [TextConvCommand.command.name, CompleteCommand.word].contains(run.words.first) {
            // git and the shell show this output on a terminal.
            #expect(HostileText.violation(in: run.output, .source) == nil, "shown by others: \(what)")
        }
        checkPage(run.output, String(what))
    }

    /// Checks that a page has only elements that the tool writes.
    private func checkPage(_ output: [UInt8], _ what: String) {
        guard output.starts(with: "<!DOCTYPE html>".utf8) else { return }
        let text = String(decoding: output, as: UTF8.self)
        let known: Set<String> = [
            "!doctype", "html", "head", "meta", "title", "style", "body", "main", "noscript", "script", "table",
            "caption",
            "thead", "tbody", "tr", "th",
            "td", "bdi", "time", "h1", "p",
            "div", "input", "label", "button", "span", "details", "summary", "ul", "li", "del", "ins", "mark", "a",
            "header", "section", "h2", "dl", "dt", "dd", "wbr",
        ]
        let script = text.components(separatedBy: PageScript.text).joined()
            .components(separatedBy: ListScript.text).joined()
        let tags = script.matches(of: /<\/?([A-Za-z!][A-Za-z0-9]*)([^>]*)/)
        for tag in tags {
            #expect(known.contains(tag.output.1.lowercased()), "\(what): <\(tag.output.1)")
            #expect(!tag.output.2.contains(/\bon[a-z]+ *=|javascript:/), "\(what): \(tag.output.0)")
        }
        #expect(tags.count { $0.output.1.lowercased() == "script" } <= 4, "\(what)")
        #expect(text.contains("default-src 'none'"))
    }

    // MARK: Everything

    @Test(arguments: names)
    func escapesActiveTextInEveryOutput(_ name: String) throws {
        let command = try #require(Self.commands.first { $0.name == name })
        #expect(HostileRuns.lines[name] != nil, "no lines for this command")
        var done: Set<String> = []
        for (line, form) in Self.lines(of: command) {
            let isData =
                form.map { HostileRuns.dataForms.contains($0) } ?? false || HostileRuns.dataCommands.contains(name)
                || line.contains("-0")
            let narrow = form == nil ? [(true, 24, true)] : []
            let usual =
                TestScale.isLong
                ? [(true, 80, false), (false, 0, true)] : [isData ? (false, 0, true) : (true, 80, false)]
            for (isTerminal, width, plain) in usual + narrow {
                let run = run(name, line, isTerminal: isTerminal, width: width, plain: plain)
                check(run, isData: isData)
                if run.status < 2, let form { done.insert(form) }
            }
        }
        let forms = Set(HostileRuns.forms(of: command).map { $0[1] })
        #expect(forms.subtracting(done) == [], "forms that no run came to")
    }

    /// Hostile option values, unknown options and hostile operands are escaped in messages.
    @Test(arguments: names)
    func escapesArguments(_ name: String) throws {
        let command = try #require(Self.commands.first { $0.name == name })
        var lines = [
            ["%"], ["%%", "%%"], ["%", "%", "%", "%"], ["--%"], ["-\u{202E}"], ["--x\u{1B}=%"], ["--", "-%"],
            ["/%%", "%%"],
        ]
        for option in command.allOptions {
            // The shell would write its messages to the output of the tests.
            let prefix = option.shown.hasPrefix("--filter-") ? "exec 2> /dev/null\n" : ""
            if option.value == nil {
                lines.append(["\(option.shown)=%"])
            } else {
                lines += [
                    ["\(option.shown)=\(prefix)%", "@a"], ["\(option.shown)", "\(prefix)%%", "@a", "/%%"],
                    ["\(option.shown)", "\(prefix)/%%", "@archive", "@a"],
                ]
            }
        }
        for line in lines {
            for isTerminal in [true, false] {
                let run = run(name, line, isTerminal: isTerminal)
                check(run, isData: HostileRuns.dataCommands.contains(name) || !isTerminal)
            }
        }
    }

    @Test func escapesUnknownCommands() {
        for line in [["%"], ["--%"], ["-\u{1B}"], ["%%", "%"], ["scores", "%"], ["schema", "%"], ["scores", "--%"]] {
            for isTerminal in [true, false] { check(run("", line, isTerminal: isTerminal), isData: false) }
        }
    }

    // MARK: Broken files

    @Test func escapesMessagesOfReaders() {
        for number in 0..<files.brokenCount {
            for line in [
                ["inspect", "@broken\(number)"], ["validate", "--no-project", "-v", "@broken\(number)"],
                ["convert", "--to", "binary", "@broken\(number)"],
                ["inspect", "--raw", "@broken\(number)"], ["textconv", "@broken\(number)"],
                ["validate", "--no-project", "-f", "github", "@broken\(number)"],
            ] {
                for isTerminal in [true, false] {
                    check(
                        run("", line, isTerminal: isTerminal),
                        isData: line.contains("textconv") || line.contains("convert"))
                }
            }
        }
    }

    // MARK: Data stays as it is

    /// A text has the same bytes in a pipe as in a file.
    @Test(arguments: ["json", "xml", "openstep", "gnustep", "binary"])
    func pipesReceiveBytesOfFile(_ format: String) throws {
        for name in ["@a", "@b", "@xml", "@archive"] {
            let line = ["--to", format, "--allow-loss", name]
            let piped = run("convert", line, isTerminal: false)
            #expect(run("convert", line + ["-o", "out"], isTerminal: false).status == 0)
            #expect(try piped.output == files.workspace.bytes(of: "out"))
            guard format != "binary" else { continue }
            let raw = HostileText.violation(in: piped.output, .source)
            #expect(format == "gnustep" || raw != nil, "\(name): the strings are not in it")
        }
    }

    /// Escaped characters are shown by their numbers, so that no information is lost.
    @Test func escapesCharactersByNumber() throws {
        let tree = String(
            decoding: run("inspect", ["--all", "--at", "/each", "@a"], isTerminal: false).output, as: UTF8.self)
        for scalar in HostileText.samples where !"\t\n\r".unicodeScalars.contains(scalar) {
            let escape = String(scalar).utf16.map { String(format: "\\u%04X", $0) }.joined()
            #expect(tree.contains("x\(escape)y"), "\(escape)")
        }
    }

    // MARK: Spreadsheets and reports

    /// No cell begins like a formula, whichever separator a spreadsheet uses.
    @Test(arguments: [
        ["scores", "list", "-f", "csv", "@scores"],
        ["get", "-f", "csv", "--at", "/formulas/*", "--at", "/list/1", "@a", "@old"],
    ])
    func cellsAreNotFormulas(_ line: [String]) {
        for isTerminal in [true, false] {
            let table = String(decoding: run("", line, isTerminal: isTerminal).output, as: UTF8.self)
            #expect(table.contains("'=1+1") && table.contains("'@SUM(1)"), "\(table)")
            for field in Self.fields(of: table) {
                for cell in field.unicodeScalars.split(whereSeparator: { ";\t".unicodeScalars.contains($0) }).map({
                    String($0)
                }) {
                    let isNumber = Double(cell) != nil
                    #expect(
                        isNumber || !cell.contains(/^["\r\n \u{A0}\u{202E}]*[=+\-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}]/),
                        "\(cell.debugDescription)")
                }
            }
        }
    }

    /// Returns the fields of a table without their quotation marks (RFC 4180).
    private static func fields(of table: String) -> [String] {
        var fields: [String] = []
        var field = ""
        var isQuoted = false
        for scalar in table.unicodeScalars {
            if scalar == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, scalar == "," || scalar == "\n" {
                fields.append(field)
                field = ""
            } else {
                field.unicodeScalars.append(scalar)
            }
        }
        return fields
    }

    /// Each line of a report for GitHub is an annotation of the tool or the final count.
    @Test func cannotForgeAnnotations() {
        for files in [["@a", "@archive", "@broken0"], ["--schema", "@schema", "@a"], ["@old"]] {
            let report = run("validate", ["-f", "github", "-v", "--no-project"] + files, isTerminal: false)
            let lines = String(decoding: report.output, as: UTF8.self).split(separator: "\n")
            #expect(!lines.isEmpty)
            for line in lines {
                #expect(line.contains(#/^::(error|warning|notice) file=|^[0-9]+ files?: /#), "\(line)")
            }
        }
    }

    /// Reports with hostile texts are still valid JSON or XML.
    @Test func reportsAreWellFormed() throws {
        let lines = [
            ["validate", "-f", "json"], ["validate", "-f", "sarif"], ["validate", "-f", "ndjson"],
            ["validate", "-f", "junit"],
            ["find", "-f", "json", "--text", "e"], ["find", "-f", "ndjson", "--text", "e"],
            ["inspect", "-f", "ndjson", "--at", ""],
        ]
        for line in lines {
            for isTerminal in [true, false] {
                let files =
                    line.contains("ndjson") && line[0] == "inspect"
                    ? ["@a", "@archive"] : ["@a", "@archive", "@broken0", "@old"]
                let schema = line[0] == "validate" ? ["--no-project", "--schema", "@schema"] : []
                let output = Data(run("", line + schema + files, isTerminal: isTerminal, plain: true).output)
                let documents = line[2] == "ndjson" ? output.split(separator: UInt8(ascii: "\n")) : [output]
                #expect(!documents.isEmpty)
                for document in documents {
                    if line[2] == "junit" {
                        #expect(XMLParser(data: document).parse(), "\(line)")
                    } else {
                        #expect(throws: Never.self, "\(line)") { try JSONSerialization.jsonObject(with: document) }
                    }
                }
            }
        }
    }

    /// The header of an HTTP answer has only lines of the tool, and its page is inert.
    @Test(arguments: ["text", "json", "csv", "markdown", "html"])
    func escapesResponsesOfServer(_ form: String) throws {
        let words = files.words(["scores", "list", "--cgi", "-f", form, "@feed"])
        let output = Collector()
        let status = files.workspace.run(
            words, environment: ["REQUEST_METHOD": "GET"], output: output.channel(), talk: Collector().channel())
        #expect(status == 0)
        let parts = output.text.components(separatedBy: "\r\n\r\n")
        #expect(parts.count >= 2)
        #expect(
            parts[0].components(separatedBy: "\r\n").map { $0.prefix { $0 != ":" } } == [
                "Status", "Content-Type", "Content-Length",
            ])
        checkPage(Array(parts[1].utf8), form)
        if form != "json", form != "csv" {
            #expect(HostileText.violation(in: Array(parts[1].utf8), .shown) == nil)
        }
    }

    // MARK: Characters

    /// String escaping and the text filter both escape all characters of the list and no others.
    @Test func escapesEveryListedCharacter() {
        let others = (0x20...0x2FFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
            .filter { HostileText.violation(in: Array(String($0).utf8), .shown) == nil }
        for (scalars, areEscaped) in [(HostileText.characters, true), (others, false)] {
            for scalar in scalars {
                let text = "x\(scalar)y"
                var filter = ActiveTextFilter(for: .json)
                var output = ByteWriter()
                filter.write(Array(text.utf8).span, to: &output)
                filter.finish(to: &output)
                let isKept = output.takeBytes().elementsEqual(text.utf8)
                #expect(isKept == (!areEscaped || scalar == "\t"), "U+\(String(scalar.value, radix: 16))")
                if areEscaped {
                    #expect(HostileText.violation(in: Array(SafeText.escaping(text).utf8), .shown) == nil)
                }
            }
        }
    }

    /// Submitted names with invisible characters are refused. In a feed, they are shown by their numbers.
    @Test func escapesSubmittedNames() throws {
        for scalar in HostileText.samples + ["\n", "\u{FFFE}"] {
            let name = "x" + String(scalar)
            let form = run(
                "scores form", ["--name", name, "--score", "5", "--device", "d", "--salt-file", "@salt"],
                isTerminal: false)
            check(form, isData: true)
            #expect(form.status != 0, "U+\(String(scalar.value, radix: 16))")
        }
        for form in ["text", "markdown", "html", "csv", "json"] {
            let shown = run("scores list", ["-f", form, "@feed"], isTerminal: true)
            check(shown, isData: HostileRuns.dataForms.contains(form))
            #expect(String(decoding: shown.output, as: UTF8.self).contains("\\u202E"), "\(form)")
        }
    }

    /// Escaping a cell takes time linear in its length.
    @Test(arguments: ["a", " =", "\u{AD}", ";"]) func cellsTakeLinearTime(_ unit: String) throws {
        let workspace = try Workspace()
        let isLinear = try Growth.isLinear(to: 400_000) { size in
            try workspace.write("[\"" + String(repeating: unit, count: size) + "\"]", to: "\(size).json")
            return {
                let result = workspace.run(["get", "-f", "csv", "--at", "/0", "\(size).json"])
                #expect(result.status == 0)
            }
        }
        #expect(isLinear)
    }

    /// The first value that is too long for the output ends a pattern, since very many may be.
    @Test func stopsAtFirstLongMatch() throws {
        let workspace = try Workspace()
        var builder = DocumentBuilder()
        builder.open(.array)
        let text = builder.add(utf8: [UInt8](repeating: 0x61, count: 1 << 20).span)
        for _ in 0..<90 { builder.add(text) }
        builder.close()
        let row = builder.takeLast()
        builder.open(.array)
        let shared = try #require(row)
        for _ in 0..<3 { builder.add(shared) }
        builder.close()
        let file = try builder.finish().bytes(as: .binary)
        try Data(file).write(to: workspace.folder.appending(path: "a.plist"))
        let result = workspace.run(["get", "-f", "json", "a.plist", "/*"])
        #expect(result.status == 2)
        #expect(result.talk.components(separatedBy: "would exceed").count == 2, "\(result.talk)")
    }
}
