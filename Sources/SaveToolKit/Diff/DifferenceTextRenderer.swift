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
            let location = locations.note(on: change)
            palette.write(
                "\(change.kind.marker) \(text.address(of: change))\(location):", in: change.kind.ink, to: &output)
            output.write(" ")
            palette.write(text.words(change), in: .value, to: &output)
            output.write("\n")
            write(neighbours.behind(change), to: &output)
            try bound.check(output)
        }
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
