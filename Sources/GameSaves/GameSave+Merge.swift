public import ArchiveCoding
import KeyedArchives
public import SaveCodec
import SaveOperations

/// The result of merging two saves that come from the same base.
public struct SaveMerge: Sendable {
    /// The merged save, in the format of `ours`. At a conflict, it keeps the value from `ours`.
    public let save: GameSave
    /// The conflicting changes; empty if the merge is complete.
    public let conflicts: [Conflict]

    /// A value that both sides changed in different ways, or a change of text that readers ignore, such as text after
    /// the end of an XML property list. ``SaveMerge/save`` does not have such a change.
    public struct Conflict: Sendable {
        fileprivate enum Subject: Sendable {
            case value(ThreeWayMerge.Located, MergeConflict)
            case ignoredText(SourceLocation)
        }

        fileprivate let subject: Subject

        /// The address in ours, or in theirs if ours does not have the value; the root for ignored text.
        public var address: JSONPointer {
            if case .value(let located, let conflict) = subject { located.merge.address(of: conflict) } else { .root }
        }
        /// The value in the base; nil if there was none, and for ignored text.
        public var base: ArchivedValue? { value(\.base) { $0.base } }
        /// The value in ours; nil if it was removed, and for ignored text.
        public var ours: ArchivedValue? { value(\.ours) { $0.ours } }
        /// The value in theirs; nil if it was removed, and for ignored text.
        public var theirs: ArchivedValue? { value(\.theirs) { $0.theirs } }
        /// The location of changed ignored text in theirs; nil for a conflict of values.
        public var ignoredText: SourceLocation? {
            if case .ignoredText(let location) = subject { location } else { nil }
        }

        private func value(
            _ side: KeyPath<MergeConflict, ViewID?>, _ view: (ThreeWayMerge) -> ObjectView?
        ) -> ArchivedValue? {
            guard case .value(let located, let conflict) = subject, let id = conflict[keyPath: side],
                let view = view(located.merge)
            else { return nil }
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
            throw Problem("merge.rule", "unknown rule \(Phrase.name(name.utf16))")
        }
        rule = MergeOptions.LocalRule(try PointerPattern(pattern), known)
    }
}

extension GameSave {
    /// Merges the changes that two saves made to a base. Changes on only one side are applied, and rules resolve
    /// conflicts. A text file keeps the comments in `ours`. A change of ignored text in `theirs` is a conflict, which no
    /// rule resolves.
    ///
    /// - Parameters:
    ///   - base: The common base of the two saves; nil if it is unknown.
    ///   - ours: The save that the changes are merged into.
    ///   - theirs: The save with the other changes.
    ///   - rules: The rules for conflicts; the last match applies.
    /// - Throws: A problem if only some of the saves are archives, the result cannot be stored in the format of ours, or
    ///   it would lose text in `ours` that readers ignore.
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
        let save = try ours.edited(merged)
        var conflicts = merge.allConflicts.map { SaveMerge.Conflict(subject: .value($0, $1)) }
        if let location = lostIgnoredText(base: base, ours: ours, theirs: theirs, in: save) {
            conflicts.append(SaveMerge.Conflict(subject: .ignoredText(location)))
        }
        return SaveMerge(save: save, conflicts: conflicts)
    }

    /// Returns the location in theirs of a change of ignored text that a merged save lacks, or nil.
    private static func lostIgnoredText(
        base: GameSave?, ours: GameSave, theirs: GameSave, in merged: GameSave
    ) -> SourceLocation? {
        let sides = [base, ours, theirs].compactMap { $0?.save }
        guard sides.contains(where: { $0.source.ignoredTextStart != nil }) else { return nil }
        let text = CommentedText(theirs.save)
        let lost = MergedComments.lostIgnoredText(
            base: base.map { CommentedText($0.save) }, ours: CommentedText(ours.save), theirs: text,
            in: CommentedText(merged.save))
        // An edit that would lose the text in ours has thrown.
        guard let lost, lost.isTheirs else { return nil }
        return theirs.save.layers.located(LineTable(text.text).location(of: lost.range.lowerBound))
    }
}
