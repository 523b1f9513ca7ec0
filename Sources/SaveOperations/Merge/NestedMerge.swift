import KeyedArchives
import SaveCodec

/// A merge of saves that are stored in values, which both sides changed.
struct NestedMerge {
    /// The save in the value of ours.
    let save: NestedSave
    let merge: ThreeWayMerge
    /// Where the value is.
    let place: MergeSlot

    /// Returns the merged view; nil if that is the one of ours.
    func edited() throws(Problem) -> ObjectView? {
        var draft = Draft(merge.ours)
        try draft.apply(merge)
        return draft.isUnchanged ? nil : try draft.editedView(limits: merge.limits)
    }
}

extension ThreeWayMerge {
    /// Merges the saves that data of both sides holds; nil if it holds none, or saves that cannot be merged, or are read
    /// only. What neither a rule nor an answer settles within is one conflict, in which ours stands at the places that are in
    /// conflict, and all else is merged.
    mutating func mergeSaves(
        _ x: ViewID, _ y: ViewID, of versions: SlotVersions, at place: MergeSlot
    ) -> MergeDecision? {
        guard ours.nesting != nil, ours.scalarObject(x)?.kind == .data, place.hasValue,
            let mine = try? ours.nestedSave(in: x), mine.format.writing != nil,
            let other = try? theirs.nestedSave(in: y),
            let merge = try? merge(mine, other, base: nestedBase(versions), versions.state)
        else { return nil }
        guard !merge.conflicts.isEmpty else { return add(merge, in: mine, at: place) }
        if let side = settle(versions, in: place.container),
            let settled = try? self.merge(
                mine, other, base: nestedBase(versions), versions.state,
                answers: Array(repeating: side, count: merge.unruledCount))
        {
            return add(settled, in: mine, at: place)
        }
        note(versions, .value, at: place, nested: nested.count)
        return add(merge, in: mine, at: place)
    }

    private func nestedBase(_ versions: SlotVersions) -> NestedSave? {
        guard let base, let id = versions.base else { return nil }
        return try? base.nestedSave(in: id)
    }

    private mutating func merge(
        _ mine: NestedSave, _ other: NestedSave, base: NestedSave?, _ state: Int,
        answers: [MergeSideName] = []
    ) throws(Problem) -> ThreeWayMerge {
        var options = optionsWithin
        options.fitsNumbers = mine.format != other.format
        options.answers = answers
        let inside = hasPatterns ? patterns.entered(state) : PointerPatternMatcher.start
        return try ThreeWayMerge(
            MergedVersions(base: base?.view, ours: mine.view, theirs: other.view), options, limits: limits,
            at: (patterns, inside))
    }

    /// The options of what is within: an address by which a rule tells what is newer is one of the saves around.
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

    private mutating func add(_ merge: ThreeWayMerge, in save: NestedSave, at place: MergeSlot) -> MergeDecision {
        nested.append(NestedMerge(save: save, merge: merge, place: place))
        return .value(.save(nested.count - 1))
    }

    /// The merge of the saves in the values of a conflict; nil where they hold none.
    package func inside(_ conflict: MergeConflict) -> ThreeWayMerge? {
        conflict.nested.map { located(nested[$0]) }
    }

    /// The merge of saves in values, which knows where these are.
    private func located(_ nested: NestedMerge) -> ThreeWayMerge {
        var inner = nested.merge
        inner.location = address(of: nested.place)
        return inner
    }

    /// All conflicts, in place of those of values that hold saves what is in conflict inside, each with its merge.
    package var allConflicts: [(merge: ThreeWayMerge, conflict: MergeConflict)] {
        conflicts.flatMap { conflict in inside(conflict)?.allConflicts ?? [(self, conflict)] }
    }

    /// All changes of one side that a rule did not let it have, within saves that are stored in values, too.
    package var allOverruled: [(merge: ThreeWayMerge, change: MergeConflict)] {
        overruled.map { (self, $0) } + nested.flatMap { located($0).allOverruled }
    }
}
