import SaveCodec

/// Writes a page of help as a manual page, with the macros of man(7): in section 1 for a command, in section 7 for a
/// topic.
struct ManPageRenderer {
    private static let width = 76

    func render(_ page: HelpPage, to output: inout ByteWriter) {
        let section = page.manualSection
        let title = Roff.text(page.manualName)
        let version = "\"savetool \(Version.current)\""
        write([".TH \(title.uppercased()) \(section) \(Version.date) \(version) savetool"], to: &output)
        heading("NAME", to: &output)
        write(["\(title) \\- \(Roff.text(page.summary))"], to: &output)
        if let usage = page.usage {
            heading("SYNOPSIS", to: &output)
            fill(usage, to: &output)
        }
        heading("DESCRIPTION", to: &output)
        for (position, part) in page.discussion.parts.enumerated() {
            if position > 0, case .paragraph = part { write([".PP"], to: &output) }
            render(part, to: &output)
        }
        if !page.groups.isEmpty { heading(page.kind.uppercased(), to: &output) }
        for group in page.groups {
            write([".SS " + Roff.text(group.title.prefix(1).uppercased() + group.title.dropFirst())], to: &output)
            list(group.entries, to: &output)
        }
        if !page.exitStatus.isEmpty {
            heading("EXIT STATUS", to: &output)
            list(page.exitStatus, to: &output)
        }
        heading("EXAMPLES", to: &output)
        for (position, (purpose, line)) in page.examples.enumerated() {
            if position > 0 { write([".PP"], to: &output) }
            literal(["# " + purpose, line], to: &output)
        }
        seeAlso(page, to: &output)
    }

    private func seeAlso(_ page: HelpPage, to output: inout ByteWriter) {
        heading("SEE ALSO", to: &output)
        let commands = page.commands.map { ($0, "1") }
        let topics =
            page.name.isEmpty ? HelpTopic.all.filter { !$0.isCommand }.map { ("savetool-" + $0.name, "7") } : []
        let pages = commands + topics + (page.name.isEmpty ? [] : [("savetool", "1")])
        for (position, (name, section)) in pages.enumerated() {
            write([".BR \(Roff.text(name)) (\(section))\(position < pages.count - 1 ? "," : "")"], to: &output)
        }
    }

    private func heading(_ title: String, to output: inout ByteWriter) {
        write([".SH " + Roff.text(title)], to: &output)
    }

    private func render(_ part: Prose.Part, to output: inout ByteWriter) {
        switch part {
        case .paragraph(let text): fill(text, to: &output)
        case .list(let entries): list(entries, to: &output)
        case .verbatim(let lines):
            write([".PP"], to: &output)
            literal(lines, to: &output)
        }
    }

    private func list(_ entries: [Prose.Entry], to output: inout ByteWriter) {
        for entry in entries {
            let term = WordWrap.lines(of: entry.term, width: .max).joined()
            write([".TP", ".B " + Roff.text(term)], to: &output)
            fill(entry.explanation, to: &output)
        }
    }

    private func literal(_ lines: [String], to output: inout ByteWriter) {
        write([".RS 4", ".nf"] + lines.map { Roff.line(Roff.text($0)) } + [".fi", ".RE"], to: &output)
    }

    private func fill(_ text: String, to output: inout ByteWriter) {
        write(WordWrap.lines(of: Roff.text(text), width: Self.width).map(Roff.line), to: &output)
    }

    private func write(_ lines: [String], to output: inout ByteWriter) {
        for line in lines { output.write(line + "\n") }
    }
}

extension HelpPage {
    /// The name of the manual page, such as `savetool-scores-add`.
    var manualName: String { Self.manualName(name) }

    var manualSection: String { usage == nil ? "7" : "1" }

    fileprivate static func manualName(_ name: String) -> String {
        (["savetool"] + name.split(separator: " ")).joined(separator: "-")
    }

    /// The names of the manual pages of the listed commands.
    fileprivate var commands: [String] {
        guard kind == "commands" else { return [] }
        return groups.filter { $0.title != Self.topicsTitle }.flatMap(\.entries).map {
            Self.manualName(name.isEmpty ? $0.term : name + " " + $0.term)
        }
    }
}

/// Text in the syntax of roff.
private enum Roff {
    /// Returns text for use within a line. Characters that roff or its fonts would replace are written by name.
    static func text(_ text: some StringProtocol) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "\"": result += "\\(dq"
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default: result += "\\[u" + Hexadecimal.text(scalar.value, digits: 4) + "]"
            }
        }
        return result
    }

    /// Returns a whole line of escaped text. A dot at its start does not begin a request.
    static func line(_ text: String) -> String {
        (text.hasPrefix(".") ? "\\&" : "") + text
    }
}
