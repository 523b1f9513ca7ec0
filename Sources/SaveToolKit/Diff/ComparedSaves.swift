import KeyedArchives
import SaveCodec
import SaveOperations

/// Two saves, what is different between them, and which of that is shown.
final class ComparedSaves {
    let before: ComparedSave
    let after: ComparedSave
    let difference: Difference
    /// What is shown.
    let entries: [Entry]
    /// How many of the changes that are shown are of each kind.
    let counts: [Change.Kind: Int]
    /// How many changes of sharing are not shown, since others are.
    let hiddenCount: Int

    /// Something that is different.
    enum Entry {
        case change(Change)
        /// What is different within saves that are stored in values.
        case inside(ComparedSaves)
    }

    /// - Parameter showsSharing: whether changes of sharing are shown if there are others.
    convenience init(
        before: ComparedSave, after: ComparedSave, options: DifferenceOptions = DifferenceOptions(),
        showsSharing: Bool = false
    ) {
        let difference = Difference(before.view, after.view, options: options)
        self.init(before, after, comparedBy: difference, showsSharing: showsSharing || !difference.hasOthersThanSharing)
    }

    private init(_ before: ComparedSave, _ after: ComparedSave, comparedBy difference: Difference, showsSharing: Bool) {
        (self.before, self.after, self.difference) = (before, after, difference)
        var counts: [Change.Kind: Int] = [:]
        var hiddenCount = 0
        var entries: [Entry] = []
        for change in difference.changes {
            if let inner = difference.inside(change) {
                let saves = ComparedSaves(
                    ComparedSave(before.file, showing: inner.before), ComparedSave(after.file, showing: inner.after),
                    comparedBy: inner, showsSharing: showsSharing)
                counts.merge(saves.counts, uniquingKeysWith: +)
                hiddenCount += saves.hiddenCount
                entries.append(.inside(saves))
            } else if change.kind == .shared, !showsSharing {
                hiddenCount += 1
            } else {
                counts[change.kind, default: 0] += 1
                entries.append(.change(change))
            }
        }
        (self.entries, self.counts, self.hiddenCount) = (entries, counts, hiddenCount)
    }

    /// How many changes are shown.
    var count: Int { counts.values.reduce(0, +) }

    /// Whether nothing is different that is shown.
    var areSame: Bool { counts.isEmpty }

    /// The changes that are shown of the saves themselves, without those inside values.
    var ownChanges: [Change] {
        entries.compactMap { entry in
            if case .change(let change) = entry { change } else { nil }
        }
    }

    /// Where data holds the same saves by meaning, in other bytes.
    var sameSaves: [JSONPointer] {
        difference.sameSaves.map { difference.address(of: $0) }
            + entries.flatMap { entry in
                if case .inside(let saves) = entry { saves.sameSaves } else { [JSONPointer]() }
            }
    }

    /// Whether any of the saves is an archive, or of those in their values.
    var haveArchives: Bool {
        before.view.archive != nil || after.view.archive != nil
            || entries.contains { entry in
                if case .inside(let saves) = entry { saves.haveArchives } else { false }
            }
    }

    var areArchives: Bool { before.view.archive != nil && after.view.archive != nil }

    var documents: [Document] { [before.view.document, after.view.document] }
}

/// One of two saves that are compared.
struct ComparedSave {
    let file: SaveFile
    /// The values that are compared: those of the file, of the file after edits, or of a nested save.
    let view: ObjectView
    /// The locations of the values; nil if they are not shown.
    let places: FileLocations?

    /// - Parameter view: the values; nil for those of the file.
    init(_ file: SaveFile, showing view: ObjectView? = nil, isLocated: Bool = false) {
        self.file = file
        self.view = view ?? file.view
        places = isLocated ? file.save.places : nil
    }

    /// The name in messages and reports.
    var title: String { file.name }
    var format: Format { file.format }
}

extension Difference {
    /// Whether anything is different but which places share an object.
    fileprivate var hasOthersThanSharing: Bool {
        changes.contains { change in
            inside(change)?.hasOthersThanSharing ?? (change.kind != .shared)
        }
    }
}
