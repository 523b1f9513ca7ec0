public import KeyedArchives
public import SaveCodec

/// What two saves come to that were made of the same one.
public struct SaveMerge {
    /// The merged save, in the format of ours. Where there are conflicts, it has what ours has.
    public let save: GameSave
    /// What both changed, each in another way; empty if the merge is complete.
    public let conflicts: [Conflict]

    /// A place of which both sides made something else.
    public struct Conflict {
        let merge: ThreeWayMerge
        let conflict: MergeConflict

        /// Where it is in ours; in theirs if ours does not have it.
        public var address: JSONPointer { merge.address(of: conflict) }
        /// The value before; nil if there was none.
        public var base: ArchivedValue? { value(conflict.base, merge.base) }
        /// The value in ours; nil if it was removed.
        public var ours: ArchivedValue? { value(conflict.ours, merge.ours) }
        /// The value in theirs; nil if it was removed.
        public var theirs: ArchivedValue? { value(conflict.theirs, merge.theirs) }

        private func value(_ id: ViewID?, _ view: ObjectView?) -> ArchivedValue? {
            guard let id, let view else { return nil }
            return ArchivedValue(id, in: view, at: address)
        }
    }
}

/// A rule that settles conflicts at some addresses: `SaveMergeRule("/root/gems", "sum-of-changes")`.
public struct SaveMergeRule: Sendable {
    let rule: MergeOptions.LocalRule

    /// - Parameters:
    ///   - pattern: the addresses, with everything below; `""` for all.
    ///   - name: `ours`, `theirs`, `max`, `min`, `sum-of-changes`, `union`, `fail`, or `newest:/address` and
    ///     `newest:field`, by a date or a number there.
    /// - Throws: a problem if the pattern is none, or there is no such rule.
    public init(_ pattern: String, _ name: String) throws(Problem) {
        guard let known = MergeRule(name), known != .newest(.file) else {
            throw Problem("merge.rule", "there is no rule \(SafeText.escaping(name.utf16.prefix(40)))")
        }
        rule = MergeOptions.LocalRule(try PointerPattern(pattern), known)
    }
}

extension GameSave {
    /// Brings together what two saves made of a base: all that only one of them changed, and what a rule settles. Of a
    /// text the comments are those of ours.
    ///
    /// - Parameters:
    ///   - base: what both were; nil if that is not known.
    ///   - rules: of those that match, the last counts.
    /// - Throws: a problem if archives and others are mixed, or the result does not fit the format of ours.
    public static func merge(
        base: GameSave?, ours: GameSave, theirs: GameSave, rules: [SaveMergeRule] = []
    ) throws(Problem) -> SaveMerge {
        var options = MergeOptions()
        options.rules = rules.map(\.rule)
        options.fitsNumbers = [base ?? ours, ours].contains { $0.format != theirs.format }
        let merge = try ThreeWayMerge(
            base: base?.view, ours: ours.view, theirs: theirs.view, options, limits: ours.limits)
        var draft = Draft(merge.ours)
        try draft.apply(merge)
        let merged = draft.isUnchanged ? nil : try draft.editedView(limits: ours.limits)
        return SaveMerge(
            save: try ours.edited(merged), conflicts: merge.allConflicts.map { .init(merge: $0, conflict: $1) })
    }
}
