import SaveCodec
import SaveOperations

/// Writes differences a line each:
///
///     ~ /root/charList/0/health: 100 → 64
///     + /root/charList/2: Player {type: 3, health: 80}
///     > /root/charList/1 → /root/charList/4: Player {type: 1, health: 100}
///     ~ /root/score: type integer → real: 42 → 42.0
struct DifferenceTextRenderer {
    let palette: Palette
    /// How many neighbours are shown on each side.
    let context: Int

    func render(_ saves: ComparedSaves, within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        var text = ChangeText(saves.difference)
        var neighbours = Neighbours(saves, count: context)
        for change in saves.changes where !output.hasFailed {
            write(neighbours.ahead(of: change), to: &output)
            write(change, &text, to: &output)
            write(neighbours.behind(change), to: &output)
            try bound.check(output)
        }
    }

    private func write(_ change: Change, _ text: inout ChangeText, to output: inout ByteWriter) {
        palette.write("\(change.kind.marker) \(text.address(of: change)):", in: change.kind.ink, to: &output)
        output.write(" \(text.words(change))\n")
    }

    private func write(_ lines: [Neighbours.Line], to output: inout ByteWriter) {
        for line in lines {
            palette.write("  \(line.address): \(line.value)", in: .note, to: &output)
            output.write("\n")
        }
    }
}
