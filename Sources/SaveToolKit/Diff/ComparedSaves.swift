import KeyedArchives
import SaveCodec
import SaveOperations

/// Two saves, what is different between them, and which of that is shown.
final class ComparedSaves {
    let before: ComparedSave
    let after: ComparedSave
    let difference: Difference
    /// The changes that are shown.
    let changes: [Change]
    /// How many changes of sharing are not, since others are.
    let hiddenCount: Int

    /// - Parameter showsSharing: whether changes of sharing are shown if there are others.
    init(
        before: ComparedSave, after: ComparedSave, options: DifferenceOptions = DifferenceOptions(),
        showsSharing: Bool = false
    ) {
        self.before = before
        self.after = after
        difference = Difference(before.view, after.view, options: options)
        let others = showsSharing ? [] : difference.changes.filter { $0.kind != .shared }
        changes = others.isEmpty ? difference.changes : others
        hiddenCount = difference.changes.count - changes.count
    }

    /// How many of the changes that are shown are of each kind.
    var counts: [Change.Kind: Int] {
        changes.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
    }

    var areArchives: Bool { before.view.archive != nil && after.view.archive != nil }

    var documents: [Document] { [before.view.document, after.view.document] }
}

/// One of two saves that are compared.
struct ComparedSave {
    /// The name that messages and reports have.
    let title: String
    /// The format of its bytes.
    let format: Format
    let view: ObjectView
    /// Where in its bytes the values are; nil if that is not asked for.
    var places: FilePlaces?
}
