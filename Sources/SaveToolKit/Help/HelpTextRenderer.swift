import SaveCodec

/// Writes a page of help for the terminal in 80 columns: summary, usage, examples, text, and options by purpose.
struct HelpTextRenderer {
    let palette: Palette

    private static let width = 80
    /// The column of the explanations of options.
    private static let optionColumn = 28

    func render(_ page: HelpPage, to output: inout ByteWriter) {
        write(WordWrap.lines(of: page.sentence, width: Self.width), to: &output)
        if let usage = page.usage {
            output.write("\n")
            palette.write("usage:", in: .heading, to: &output)
            let lines = WordWrap.lines(of: usage, width: Self.width - 7)
            output.write(" " + lines.joined(separator: "\n       ") + "\n")
        }
        if !page.examples.isEmpty { examples(of: page, to: &output) }
        for part in page.discussion.parts {
            output.write("\n")
            render(part, to: &output)
        }
        let listed = page.groups.filter { !$0.isBrief }.flatMap(\.entries)
        let column = page.kind == "options" ? Self.optionColumn : Self.column(of: listed)
        for group in page.groups {
            heading(group.title, to: &output)
            if group.isBrief {
                let names = group.entries.map(\.term).joined(separator: " ")
                write(WordWrap.lines(of: names, width: Self.width - 2).map { "  " + $0 }, to: &output)
            } else {
                list(group.entries, column: column, to: &output)
            }
        }
        if !page.exitStatus.isEmpty {
            heading("exit status", to: &output)
            list(page.exitStatus, to: &output)
        }
        if let hint = page.hint {
            output.write("\n")
            write(WordWrap.lines(of: hint, width: Self.width), to: &output)
        }
    }

    private func examples(of page: HelpPage, to output: inout ByteWriter) {
        heading("examples", to: &output)
        for (purpose, line) in page.examples {
            output.write("  ")
            palette.write("# " + purpose, in: .note, to: &output)
            output.write("\n")
            // A backslash at the end of a line makes the shell continue it.
            let lines = WordWrap.lines(ofCommand: line, width: Self.width - 8)
            write(["  " + lines.joined(separator: " \\\n      ")], to: &output)
        }
    }

    private func heading(_ title: String, to output: inout ByteWriter) {
        output.write("\n")
        palette.write(title + ":", in: .heading, to: &output)
        output.write("\n")
    }

    private func render(_ part: Prose.Part, to output: inout ByteWriter) {
        switch part {
        case .paragraph(let text): write(WordWrap.lines(of: text, width: Self.width), to: &output)
        case .list(let entries): list(entries, to: &output)
        case .verbatim(let lines): write(lines.map { "    " + $0 }, to: &output)
        }
    }

    /// Writes terms, each followed by its explanation in a common column.
    ///
    /// - Parameter column: The column of the explanations, or nil for the column after the longest term.
    private func list(_ entries: [Prose.Entry], column: Int? = nil, to output: inout ByteWriter) {
        let column = column ?? Self.column(of: entries)
        for entry in entries {
            var lines = WordWrap.lines(of: entry.explanation, width: Self.width - column)
            let head = "  " + entry.term
            if head.count + 2 <= column, !lines.isEmpty {
                lines[0] = head + String(repeating: " ", count: column - head.count) + lines[0]
                write([lines.removeFirst()], to: &output)
            } else {
                write([head], to: &output)
            }
            write(lines.map { String(repeating: " ", count: column) + $0 }, to: &output)
        }
    }

    /// Returns the column after the longest term.
    private static func column(of entries: [Prose.Entry]) -> Int {
        (entries.map(\.term.count).max() ?? 0) + 4
    }

    private func write(_ lines: [String], to output: inout ByteWriter) {
        for line in lines { output.write(line + "\n") }
    }
}

extension HelpPage {
    /// The summary as a sentence.
    fileprivate var sentence: String { summary.prefix(1).uppercased() + summary.dropFirst() + "." }
}
