import SaveCodec
import SaveOperations

/// Writes differences as an HTML page with one row per change.
struct DifferencePageRenderer {
    private let saves: ComparedSaves
    private let text: ChangeText
    private let locations: ChangeLocations

    init(_ saves: ComparedSaves) {
        self.saves = saves
        text = ChangeText(saves.difference)
        locations = ChangeLocations(saves)
    }

    func render(within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        let names = [saves.before, saves.after].map { Invocation.shownName($0.title) }
        var page = TreePage(title: names.joined(separator: " → "), opens: true, to: &output)
        let count = CountText.of(saves.count, "change")
        page.add(TreePage.Row(depth: 0, label: "", text: count, textRole: .plain), to: &output)
        try addRows(to: &page, within: bound, &output)
        page.end(about: "+ added, - removed, ~ changed, > moved, = shared differently", to: &output)
    }

    private func addRows(
        to page: inout TreePage, within bound: OutputBound, _ output: inout ByteWriter
    ) throws(Problem) {
        for entry in saves.entries where !output.hasFailed {
            switch entry {
            case .change(let change): page.add(row(of: change), to: &output)
            case .nested(let saves): try DifferencePageRenderer(saves).addRows(to: &page, within: bound, &output)
            }
            try bound.check(output)
        }
    }

    private func row(of change: Change) -> TreePage.Row {
        TreePage.Row(
            depth: 1, label: "\(change.kind.marker) \(text.address(of: change))\(locations.note(on: change))",
            text: text.words(change), textRole: change.kind.textRole, step: saves.difference.address(of: change).operand
        )
    }
}
