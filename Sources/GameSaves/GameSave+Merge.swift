public import ArchiveCoding
import KeyedArchives
public import SaveCodec
import SaveOperations

/// The result of merging two saves that come from the same base.
public struct SaveMerge {
    /// The merged save, in the format of `ours`. At a conflict, it keeps the value from `ours`.
    public let save: GameSave
    /// The conflicting changes; empty if the merge is complete.
    public let conflicts: [Conflict]

    /// A value that both sides changed in different ways.
    public struct Conflict {
        fileprivate let located: ThreeWayMerge.Located
        let conflict: MergeConflict
        private var merge: ThreeWayMerge { located.merge }

        /// The address in ours, or in theirs if ours does not have the value.
        public var address: JSONPointer { merge.address(of: conflict) }
        /// The value in the base; nil if there was none.
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

/// A rule that resolves conflicts at some addresses: `SaveMergeRule("/root/gems", "sum-of-changes")`.
public struct SaveMergeRule: Sendable {
    let rule: MergeOptions.LocalRule

    /// Creates a rule for the addresses that a pattern matches.
    ///
    /// - Parameters:
    ///   - pattern: The pattern for the addresses of values, which includes everything inside them; `""` for all
    ///     values.
    ///   - name: `ours`, `theirs`, `base`, `higher`, `lower`, `max`, `min`, `sum-of-changes`, `union`, `fail`, or a
    ///     rule that compares dates or numbers: `newest:/address` or `newest:field`.
    /// - Throws: A problem for an invalid pattern or an unknown rule.
    public init(_ pattern: String, _ name: String) throws(Problem) {
        guard let known = MergeRule(name), known != .newest(.file) else {
            throw Problem("merge.rule", "unknown rule \(SafeText.escaping(name.utf16.prefix(40)))")
        }
        rule = MergeOptions.LocalRule(try PointerPattern(pattern), known)
    }
}

extension GameSave {
    /// Merges the changes that two saves made to a base. Changes on only one side are applied, and rules resolve
    /// conflicts. A text file keeps the comments in `ours`.
    ///
    /// - Parameters:
    ///   - base: The common base of the two saves; nil if it is unknown.
    ///   - ours: The save that the changes are merged into.
    ///   - theirs: The save with the other changes.
    ///   - rules: The rules for conflicts; the last match applies.
    /// - Throws: A problem if only some of the saves are archives, or the result cannot be stored in the format of
    ///   ours.
    public static func merge(
        base: GameSave?, ours: GameSave, theirs: GameSave, rules: [SaveMergeRule] = []
    ) throws(Problem) -> SaveMerge {
        var options = MergeOptions()
        options.rules = rules.map(\.rule)
        options.comparesNumbersByValue = [base ?? ours, ours].contains { $0.format != theirs.format }
        let merge = try ThreeWayMerge(
            base: base?.view, ours: ours.view, theirs: theirs.view, options, limits: ours.limits)
        var draft = Draft(merge.ours)
        try draft.apply(merge)
        let merged = draft.isUnchanged ? nil : try draft.editedView(limits: ours.limits)
        return SaveMerge(
            save: try ours.edited(merged), conflicts: merge.allConflicts.map { .init(located: $0, conflict: $1) })
    }
}
