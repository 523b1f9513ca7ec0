import SaveCodec
import SaveOperations

/// Writes differences as a page, with a row for each change.
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
        let count = Grouped.of(saves.changes.count, "change")
        page.add(TreePage.Row(depth: 0, label: "", text: count, ink: .plain), to: &output)
        for change in saves.changes where !output.hasFailed {
            let address = text.address(of: change)
            page.add(
                TreePage.Row(
                    depth: 1, label: "\(change.kind.marker) \(address)\(locations.note(on: change))",
                    text: text.words(change), ink: change.kind.ink,
                    step: saves.difference.address(of: change).pointer),
                to: &output)
            try bound.check(output)
        }
        page.end(about: "+ added, - removed, ~ changed, > moved, = shared otherwise", to: &output)
    }
}
