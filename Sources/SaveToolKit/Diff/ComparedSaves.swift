import KeyedArchives
import SaveCodec
import SaveOperations

/// Two saves, the differences between them, and the selection of differences that is shown.
final class ComparedSaves {
    let before: ComparedSave
    let after: ComparedSave
    let difference: Difference
    /// The change of the values that hold the saves; nil if the saves are not nested.
    private let holderChange: Change?
    /// The differences that are shown.
    let entries: [Entry]
    /// The number of shown changes by kind, including those in nested saves.
    let counts: [Change.Kind: Int]
    /// The number of changes in sharing that are hidden, because there are other changes.
    let hiddenCount: Int

    enum Entry {
        case change(Change)
        /// The differences between two nested saves.
        case nested(ComparedSaves)
    }

    /// - Parameter showsSharing: Whether changes in sharing are shown even if there are other changes.
    convenience init(
        before: ComparedSave, after: ComparedSave, options: DifferenceOptions = DifferenceOptions(),
        showsSharing: Bool = false
    ) {
        let difference =
            before.view === after.view
            ? Difference(none: before.view) : Difference(before.view, after.view, options: options)
        self.init(before, after, comparedBy: difference, showsSharing: showsSharing || !difference.hasOthersThanSharing)
    }

    private init(
        _ before: ComparedSave, _ after: ComparedSave, in holderChange: Change? = nil,
        comparedBy difference: Difference,
        showsSharing: Bool
    ) {
        (self.before, self.after, self.holderChange, self.difference) = (before, after, holderChange, difference)
        var counts: [Change.Kind: Int] = [:]
        var hiddenCount = 0
        var entries: [Entry] = []
        for change in difference.changes {
            if let inner = difference.nestedDifference(of: change) {
                let saves = ComparedSaves(
                    ComparedSave(before.file, showing: inner.before), ComparedSave(after.file, showing: inner.after),
                    in: change, comparedBy: inner, showsSharing: showsSharing)
                counts.merge(saves.counts, uniquingKeysWith: +)
                hiddenCount += saves.hiddenCount
                entries.append(.nested(saves))
            } else if change.kind == .shared, !showsSharing {
                hiddenCount += 1
            } else {
                counts[change.kind, default: 0] += 1
                entries.append(.change(change))
            }
        }
        (self.entries, self.counts, self.hiddenCount) = (entries, counts, hiddenCount)
    }

    /// The number of shown changes.
    var count: Int { counts.values.reduce(0, +) }

    /// Whether no difference is shown.
    var areSame: Bool { counts.isEmpty }

    /// The changes of the saves themselves: a nested save with shown changes is one change of the value that holds it.
    var ownChanges: [Change] {
        entries.compactMap { entry in
            switch entry {
            case .change(let change): change
            case .nested(let saves): saves.areSame ? nil : saves.holderChange
            }
        }
    }

    /// Calls `body` with each shown change, including those in nested saves, and with the difference that contains it.
    func forEachChange(_ body: (Change, Difference) -> Void) {
        for entry in entries {
            switch entry {
            case .change(let change): body(change, difference)
            case .nested(let saves): saves.forEachChange(body)
            }
        }
    }

    /// The addresses of data values whose bytes differ, but whose nested saves are equal.
    var equalNestedSaves: [JSONPointer] {
        difference.equalNestedSaves.map { difference.address(of: $0) }
            + entries.flatMap { entry in
                if case .nested(let saves) = entry { saves.equalNestedSaves } else { [JSONPointer]() }
            }
    }

    /// Whether any of the saves or of their nested saves is an archive.
    var haveArchives: Bool {
        before.view.archive != nil || after.view.archive != nil
            || entries.contains { entry in
                if case .nested(let saves) = entry { saves.haveArchives } else { false }
            }
    }

    var areArchives: Bool { before.view.archive != nil && after.view.archive != nil }

    var documents: [Document] { [before.view.document, after.view.document] }
}

/// One of the two compared saves.
struct ComparedSave {
    let file: SaveFile
    /// The compared values: the file's, those after edits, or a nested save's.
    let view: ObjectView
    /// The locations of the values, or nil if they are not shown.
    let locations: FileLocations?

    /// - Parameter view: The values, or nil to use the file's.
    init(_ file: SaveFile, showing view: ObjectView? = nil, isLocated: Bool = false) {
        self.file = file
        self.view = view ?? file.view
        locations = isLocated ? file.save.locations : nil
    }

    /// The name in messages and reports.
    var title: String { file.name }
    var format: Format { file.format }
}

extension Difference {
    /// Whether there is a difference other than in sharing.
    fileprivate var hasOthersThanSharing: Bool {
        changes.contains { change in
            nestedDifference(of: change)?.hasOthersThanSharing ?? (change.kind != .shared)
        }
    }
}
