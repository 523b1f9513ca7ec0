import SaveCodec
import SaveOperations

/// Writes differences a line each:
///
///     ~ /root/charList/0/health: 100 → 64
///     + /root/charList/2: Player {type: 3, health: 80}
///     > /root/charList/1 → /root/charList/4: Player {type: 1, health: 100}
///     ~ /root/score: type integer → real: 42 → 42.0
final class DifferenceTextRenderer {
    private let saves: ComparedSaves
    private let palette: Palette
    private let text: ChangeText
    private let neighbours: Neighbours
    private let locations: ChangeLocations
    private let context: Int

    /// - Parameter context: how many neighbours are shown on each side.
    init(_ saves: ComparedSaves, palette: Palette, context: Int = 0) {
        self.saves = saves
        self.context = context
        self.palette = palette
        text = ChangeText(saves.difference)
        neighbours = Neighbours(saves, count: context)
        locations = ChangeLocations(saves)
    }

    func render(within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        for entry in saves.entries where !output.hasFailed {
            guard case .change(let change) = entry else {
                try inside(entry)?.render(within: bound, to: &output)
                continue
            }
            write(neighbours.ahead(of: change), to: &output)
            output.write(line(change) + "\n")
            write(neighbours.behind(change), to: &output)
            try bound.check(output)
        }
    }

    /// The lines of the first changes.
    func lines(atMost limit: Int) -> [String] {
        var lines: [String] = []
        for entry in saves.entries where lines.count < limit {
            if case .change(let change) = entry { lines.append(line(change)) }
            lines += inside(entry)?.lines(atMost: limit - lines.count) ?? []
        }
        return lines
    }

    private func line(_ change: Change) -> String {
        let place = "\(change.kind.marker) \(text.address(of: change))\(locations.note(on: change)):"
        return palette.text(place, in: change.kind.ink) + " " + palette.text(text.words(change), in: .value)
    }

    private func inside(_ entry: ComparedSaves.Entry) -> DifferenceTextRenderer? {
        guard case .inside(let saves) = entry else { return nil }
        return DifferenceTextRenderer(saves, palette: palette, context: context)
    }

    private func write(_ lines: [Neighbours.Line], to output: inout ByteWriter) {
        for line in lines {
            palette.write("  \(line.address)\(line.location): \(line.value)", in: .note, to: &output)
            output.write("\n")
        }
    }
}
