import SaveCodec
import SaveOperations

/// Writes differences as an HTML page, grouped by container. The words in which an old and a new value differ are
/// emphasized.
final class DifferencePageRenderer {
    private let saves: ComparedSaves
    private let text: ChangeText
    private let locations: ChangeLocations
    private var heading: String?

    init(_ saves: ComparedSaves) {
        self.saves = saves
        text = ChangeText(saves.difference)
        locations = ChangeLocations(saves)
    }

    func render(within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        let names = [saves.before, saves.after].map { Invocation.shownName($0.title) }
        let kinds = Change.Kind.allCases.compactMap { kind in
            saves.counts[kind].map { ListPage.Kind(name: kind.rawValue, count: $0) }
        }
        ListPage.begin(
            title: names.joined(separator: " → "),
            about: saves.areSame ? "no changes" : DifferenceSummaryRenderer.counts(of: saves), kinds: kinds, to: &output
        )
        try addGroups(within: bound, to: &output)
        ListPage.end(to: &output)
    }

    private func addGroups(within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        for entry in saves.entries where !output.hasFailed {
            switch entry {
            case .change(let change): add(change, to: &output)
            case .nested(let saves):
                endGroup(to: &output)
                try DifferencePageRenderer(saves).addGroups(within: bound, to: &output)
            }
            try bound.check(output)
        }
        endGroup(to: &output)
    }

    private func endGroup(to output: inout ByteWriter) {
        if heading != nil { ListPage.endGroup(to: &output) }
        heading = nil
    }

    private func add(_ change: Change, to output: inout ByteWriter) {
        let container = text.container(of: change)
        if heading != container {
            endGroup(to: &output)
            ListPage.beginGroup(container, to: &output)
            heading = container
        }
        let label = text.label(of: change)
        let beginning = ListPage.text("\(change.kind.marker)", change.kind.textRole) + " "
        let key = label.isEmpty ? "" : ListPage.text(label, .key)
        let note = locations.note(on: change)
        ListPage.add(
            beginning + key + (note.isEmpty ? "" : ListPage.text(note, .note)) + (label.isEmpty ? "" : ": ")
                + Self.values(text.description(change), change), kind: change.kind.rawValue, to: &output)
    }

    /// Returns the values of a change: the old one on red, the new one on green.
    private static func values(_ description: ChangeDescription, _ change: Change) -> String {
        let tags = Sides { $0 == .before ? "del" : "ins" }
        var values: Sides<String?> = Sides { description.values[$0].map(Page.escaped) }
        if let before = description.values.before, let after = description.values.after {
            let difference = WordDifference(before, after)
            if difference.haveCommonWords {
                values = Sides { side in
                    difference.pieces[side].map { piece in
                        piece.isChanged ? "<mark>\(Page.escaped(piece.text))</mark>" : Page.escaped(piece.text)
                    }.joined()
                }
            }
        }
        let shown = [Side.before, .after].compactMap { side -> String? in
            guard let value = values[side] else { return nil }
            return change.kind == .moved ? "<bdi>\(value)</bdi>" : "<\(tags[side])><bdi>\(value)</bdi></\(tags[side])>"
        }
        return Page.escaped(description.prefix) + shown.joined(separator: " → ") + Page.escaped(description.suffix)
    }
}
