import KeyedArchives
import SaveCodec
import SaveOperations

/// Writes the places that differ in two columns, before and after, under the addresses of their containers:
///
///     /root/charList/0
///       health: 100                          ~ health: 64
///                                            + shield: 5
final class SideBySideRenderer {
    /// So many columns of a terminal have room for two.
    static let narrowest = 80

    private let saves: ComparedSaves
    private let palette: Palette
    /// How wide a column is.
    private let width: Int
    private let text: ChangeText
    private let neighbours: Neighbours
    private let context: Int
    private var heading: String?

    convenience init(_ saves: ComparedSaves, width: Int, palette: Palette, context: Int) {
        self.init(saves, columnWidth: (min(width, 1000) - 5) / 2, palette: palette, context: context)
    }

    private init(_ saves: ComparedSaves, columnWidth: Int, palette: Palette, context: Int) {
        self.saves = saves
        self.palette = palette
        self.context = context
        width = columnWidth
        text = ChangeText(saves.difference)
        neighbours = Neighbours(saves, count: context)
    }

    func render(within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        writeTitles(to: &output)
        try renderRows(within: bound, to: &output)
    }

    private func renderRows(within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        for entry in saves.entries where !output.hasFailed {
            guard case .change(let change) = entry else {
                try inside(entry)?.renderRows(within: bound, to: &output)
                continue
            }
            writeHeading(of: change, to: &output)
            writeNeighbours(neighbours.ahead(of: change), to: &output)
            write(change, to: &output)
            writeNeighbours(neighbours.behind(change), to: &output)
            try bound.check(output)
        }
    }

    private func inside(_ entry: ComparedSaves.Entry) -> SideBySideRenderer? {
        guard case .inside(let saves) = entry else { return nil }
        return SideBySideRenderer(saves, columnWidth: width, palette: palette, context: context)
    }

    private func writeTitles(to output: inout ByteWriter) {
        guard !saves.areSame else { return }
        let titles = [saves.before, saves.after].map { Invocation.shownName($0.title) }
        writeRow(titles[0], titles[1], in: .plain, to: &output)
    }

    /// Writes the address of the container of a change, unless it is that of the last one.
    private func writeHeading(of change: Change, to output: inout ByteWriter) {
        let address = text.container(of: change)
        guard heading != address else { return }
        heading = address
        palette.write(address, in: .key, to: &output)
        output.write("\n")
    }

    private func write(_ change: Change, to output: inout ByteWriter) {
        let columns = text.columns(change)
        writeRow(columns.before, columns.after, marker: change.kind.marker, in: change.kind.ink, to: &output)
    }

    private func writeNeighbours(_ lines: [Neighbours.Line], to output: inout ByteWriter) {
        for line in lines {
            let cells = Sides { line.labels[$0] + ": " + line.value }
            writeRow(cells.before, cells.after, in: .note, to: &output)
        }
    }

    private func writeRow(
        _ left: String, _ right: String, marker: Character = " ", in ink: Ink, to output: inout ByteWriter
    ) {
        let (left, right) = (Columns.fit(left.isEmpty ? "" : "  " + left, to: width), Columns.fit(right, to: width))
        let gap = String(repeating: " ", count: max(0, width - Columns.width(of: left)))
        palette.write(left, in: ink == .changed ? .removed : ink, to: &output)
        output.write(gap + " \(marker)" + (right.isEmpty ? "" : " "))
        palette.write(right, in: ink == .changed ? .added : ink, to: &output)
        output.write("\n")
    }
}
