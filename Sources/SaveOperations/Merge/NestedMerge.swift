import KeyedArchives
import SaveCodec

/// The merge of two nested saves, in values that both sides changed.
struct NestedMerge {
    /// The nested save in ours, which receives the changes.
    let save: NestedSave
    let merge: ThreeWayMerge
    /// The slot that holds the nested save.
    let site: MergeSite

    /// Returns the merged view; nil if it equals the view in ours.
    func edited() throws(Problem) -> ObjectView? {
        var draft = Draft(merge.ours)
        try draft.apply(merge)
        return draft.isUnchanged ? nil : try draft.editedView(limits: merge.limits)
    }
}

extension ThreeWayMerge {
    /// Merges the nested saves in two values.
    ///
    /// If neither rules nor answers settle all conflicts inside, the whole value is one conflict: everything else
    /// inside is merged, and the conflicting slots keep ours.
    ///
    /// - Returns: The decision; nil if the values hold no nested saves, if these cannot be merged, or if the format in
    ///   ours is read-only.
    mutating func mergeSaves(
        _ x: ViewID, _ y: ViewID, of versions: SlotVersions, at site: MergeSite
    ) -> MergeDecision? {
        guard ours.nesting != nil, site.hasValue,
            let mine = try? ours.nestedSave(in: x), mine.format.writing != nil,
            let other = try? theirs.nestedSave(in: y), mine.isComparable(to: other),
            nestedBase(versions).map(mine.isComparable(to:)) ?? (!mine.isJSON || versions.base == nil),
            let merge = try? merge(mine, other, base: nestedBase(versions), state: versions.state)
        else { return nil }
        guard !merge.conflicts.isEmpty else { return add(merge, in: mine, at: site) }
        if let side = settle(versions, in: site.container),
            let settled = try? self.merge(
                mine, other, base: nestedBase(versions), state: versions.state,
                answers: Array(repeating: side, count: merge.record.unruledCount))
        {
            return add(settled, in: mine, at: site)
        }
        note(versions, .value, at: site, nested: nested.count)
        return add(merge, in: mine, at: site)
    }

    private func nestedBase(_ versions: SlotVersions) -> NestedSave? {
        guard let base, let id = versions.base else { return nil }
        return try? base.nestedSave(in: id)
    }

    private mutating func merge(
        _ mine: NestedSave, _ other: NestedSave, base: NestedSave?, state: Int,
        answers: [MergeSide] = []
    ) throws(Problem) -> ThreeWayMerge {
        var options = optionsWithin
        options.comparesNumbersByValue = mine.format != other.format
        options.answers = answers
        return try ThreeWayMerge(
            MergeInputs(base: base?.view, ours: mine.view, theirs: other.view), options, limits: limits,
            at: rules.entered(at: state))
    }

    /// The options for nested saves. A rule that compares an address of the outer save is replaced by its decision,
    /// `ours` or `theirs`.
    private var optionsWithin: MergeOptions {
        mutating get {
            var options = options
            options.answers = []
            for (number, rule) in options.rules.enumerated() {
                guard case .newest(.address(let address)) = rule.rule, let side = newestSide(at: address) else {
                    continue
                }
                options.rules[number] = .init(rule.pattern, side == .ours ? .ours : .theirs)
            }
            return options
        }
    }

    private mutating func add(_ merge: ThreeWayMerge, in save: NestedSave, at site: MergeSite) -> MergeDecision {
        nested.append(NestedMerge(save: save, merge: merge, site: site))
        return .value(.save(nested.count - 1))
    }

    /// Returns the merge of the nested saves of a conflict; nil if its values hold none.
    package func nestedMerge(of conflict: MergeConflict) -> ThreeWayMerge? {
        conflict.nested.map { located(nested[$0]) }
    }

    /// Returns the merge of nested saves with ``location`` set.
    private func located(_ nested: NestedMerge) -> ThreeWayMerge {
        var inner = nested.merge
        inner.location = address(of: nested.site)
        return inner
    }

    /// All conflicts. A conflict between nested saves is replaced by the conflicts inside, each with its merge.
    package var allConflicts: [(merge: Located, conflict: MergeConflict)] {
        let merge = Located(self)
        return conflicts.flatMap { conflict in nestedMerge(of: conflict)?.allConflicts ?? [(merge, conflict)] }
    }

    /// The number of conflicts, including those in nested saves.
    package var conflictCount: Int {
        conflicts.reduce(0) { $0 + ($1.nested.map { nested[$0].merge.conflictCount } ?? 1) }
    }

    /// A merge that many conflicts refer to. A class, because a merge takes much more memory than a conflict.
    package final class Located: Sendable {
        package let merge: ThreeWayMerge

        init(_ merge: ThreeWayMerge) {
            self.merge = merge
        }
    }

    /// All changes of one side that a rule overruled, including those in nested saves.
    package var allOverruled: [(merge: ThreeWayMerge, change: MergeConflict)] {
        record.overruled.map { (self, $0) } + nested.flatMap { located($0).allOverruled }
    }
}
