import KeyedArchives
import SaveCodec
import SaveOperations

/// Writes differences for a terminal, grouped by container. Old and new values have different colours, and the words in
/// which they differ are emphasized:
///
///     /root/charList/0
///       ~ health: 100 → 64
///       + shield: 5
///     /root/charList
///       > 1 → 4: Player {type: 1, health: 100}
///
///     3 changes: 1 added, 1 changed, 1 moved
///
/// Other outputs have one line per change, with its whole address, see ``DifferenceTextRenderer``.
final class DifferenceTerminalRenderer {
    private let saves: ComparedSaves
    private let palette: Palette
    private let columns: Int
    private let text: ChangeText
    private let neighbours: Neighbours
    private let locations: ChangeLocations
    private let context: Int
    private var heading: String?

    /// - Parameters:
    ///   - columns: The width of the terminal.
    ///   - context: The number of neighbours shown on each side of a change.
    init(_ saves: ComparedSaves, columns: Int, palette: Palette, context: Int) {
        self.saves = saves
        self.palette = palette
        self.columns = columns
        self.context = context
        text = ChangeText(saves.difference)
        neighbours = Neighbours(saves, count: context, hasWholeKeys: true)
        locations = ChangeLocations(saves)
    }

    func render(within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        try renderChanges(within: bound, to: &output)
        guard !saves.areSame else { return }
        output.write("\n")
        write(palette.text(DifferenceSummaryRenderer.counts(of: saves), in: .note), indentation: 2, to: &output)
    }

    /// Writes the changes without the closing line.
    func renderChanges(within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        for entry in saves.entries where !output.hasFailed {
            switch entry {
            case .change(let change): write(change, to: &output)
            case .nested(let saves):
                try DifferenceTerminalRenderer(saves, columns: columns, palette: palette, context: context)
                    .renderChanges(within: bound, to: &output)
                heading = nil
            }
            try bound.check(output)
        }
    }

    private func write(_ change: Change, to output: inout ByteWriter) {
        let container = text.container(of: change)
        if heading != container {
            heading = container
            write(palette.text(container, in: .key), indentation: 2, to: &output)
        }
        write(neighbours.ahead(of: change), to: &output)
        write(line(change), indentation: Self.indentation, to: &output)
        write(neighbours.linesAfter(change), to: &output)
    }

    private static let indentation = 6

    private func line(_ change: Change) -> String {
        let label = text.label(of: change) + locations.note(on: change)
        let description = text.description(change)
        let beginning = "  " + palette.text("\(change.kind.marker)", in: change.kind.textRole)
        return beginning + (label.isEmpty ? " " : palette.text(" \(label): ", in: .plain)) + values(description, change)
    }

    /// Returns the values of a change: the old one in the colour of removals, the new one in the colour of additions.
    private func values(_ description: ChangeDescription, _ change: Change) -> String {
        guard palette.isColored else { return description.text }
        let shown = description.marked { part, isDifferent, side in
            let role: TextRole = change.kind == .moved ? .value : side == .before ? .removed : .added
            return palette.text(part, in: isDifferent ? role.emphasized : role)
        }
        let values = [shown.before, shown.after].compactMap(\.self).joined(separator: " → ")
        return description.prefix + values + description.suffix
    }

    private func write(_ lines: [Neighbours.Line], to output: inout ByteWriter) {
        for line in lines {
            let label = line.labels.after.isEmpty ? line.labels.before : line.labels.after
            write(
                palette.text("    \(label)\(line.location): \(line.value)", in: .note), indentation: Self.indentation,
                to: &output)
        }
    }

    private func write(_ line: String, indentation: Int, to output: inout ByteWriter) {
        output.write(TerminalLines.broken(line, columns: columns, indentation: indentation) + "\n")
    }
}

extension TextRole {
    /// The role of the words in which an old and a new value differ.
    fileprivate var emphasized: TextRole {
        switch self {
        case .removed: .removedWord
        case .added: .addedWord
        default: self
        }
    }
}
