import KeyedArchive
import SaveCodec
import SaveOperations

/// Writes how many changes there are, at which places, and in objects of which classes. Places are patterns that
/// `--ignore` and `--only` take:
///
///     4 changes: 1 added, 3 changed
///
///     place                     added  changed
///     /root/charList/*/health              3
///     /root/charList/*              1
struct DifferenceSummaryRenderer {
    /// As many rows of a table are shown, so many steps of a place, and so many units of a key in it.
    private static let rows = 40
    private static let steps = 6
    private static let longestKey = 40

    func render(_ saves: ComparedSaves, to output: inout ByteWriter) {
        let counts = saves.counts
        let kinds = Change.Kind.allCases.filter { counts[$0] != nil }
        guard !kinds.isEmpty else { return output.write("no changes\n") }
        let parts = kinds.map { "\(counts[$0] ?? 0) \($0.word)" }
        output.write(Counted.of(saves.changes.count, "change") + ": " + parts.joined(separator: ", ") + "\n\n")
        places(saves).write("place", kinds, limit: Self.rows, to: &output)
        guard saves.before.view.archive != nil || saves.after.view.archive != nil else { return }
        output.write("\n")
        classes(saves).write("class", kinds, limit: Self.rows, to: &output)
    }

    private func places(_ saves: ComparedSaves) -> ChangeTable {
        var table = ChangeTable()
        for change in saves.changes {
            let place = saves.difference.pattern(of: change, steps: Self.steps, longestKey: Self.longestKey)
            table.add(change.kind, to: place == .root ? ChangeText.root : place.description)
        }
        return table
    }

    /// The classes of the objects in which the changes are.
    private func classes(_ saves: ComparedSaves) -> ChangeTable {
        var table = ChangeTable()
        for change in saves.changes {
            let place = saves.difference.place(of: change)
            let after = place.flatMap { Self.name(of: $0.after, in: saves.after.view) }
            let name = after ?? place.flatMap { Self.name(of: $0.before, in: saves.before.view) }
            table.add(change.kind, to: name ?? "(none)")
        }
        return table
    }

    private static func name(of id: ViewID, in view: ObjectView) -> String? {
        guard let archive = view.archive else { return nil }
        return view.uid(id).flatMap(archive.classPosition).map { ClassNames.name($0, in: view) }
    }
}

extension Change.Kind {
    /// What changes of this kind are called in a count.
    fileprivate var word: String {
        switch self {
        case .added, .removed, .changed, .moved: rawValue
        case .type: "of type"
        case .class: "of class"
        case .shared: "of sharing"
        }
    }
}
