import KeyedArchives
import SaveCodec
import SaveOperations

/// The continuation of an earlier merge, whose output has the value from ours at each conflict. The user may have
/// resolved some conflicts in that output by hand. The manual changes are merged with the new answers:
///
///     earlier output, no rules or answers ────── by hand ──────▶ present file ──┐
///        └───────── by rules and answers ────▶ answered ────────────────────────┴─▶ result
///
/// If a value was changed both by hand and by a rule or an answer, the present file wins.
final class PendingMerge {
    private let saves: MergeSources
    private let present: SaveFile
    private var settled: ResolvedConflicts
    private let abbreviator: ValueAbbreviator

    /// Returns nil if the file does not exist or has no manual changes, or, after printing a warning, if it has git's
    /// conflict markers.
    ///
    /// - Parameters:
    ///   - name: The output of the earlier merge.
    ///   - merge: The merge by the rules, without answers.
    /// - Throws: A problem if the file cannot be read and has no conflict markers.
    init?(
        in name: String, of saves: MergeSources, _ merge: ThreeWayMerge, _ reading: FileReadOptions,
        _ invocation: Invocation
    ) throws {
        guard try FileSystem.status(invocation.path(name))?.kind == .regular else { return nil }
        let merged = try saves.result(of: merge)
        let bytes = try invocation.read(name)
        do throws(Problem) {
            present = SaveFile(try reading.open(bytes), name: saves.ours.name)
        } catch {
            // A file that was edited by hand is kept even if it has a syntax error.
            guard Self.hasMarkers(bytes) else {
                throw Problem(
                    error.kind,
                    error.message + "; nothing written: correct the file, or run git checkout -m to merge again",
                    at: error.location, address: error.address)
            }
            invocation.printError(error, in: saves.ours.name, as: "warning")
            invocation.printError(
                "\(Invocation.shownName(saves.ours.name)): the file has git's conflict markers, so the merge "
                    + "starts again"
            )
            return nil
        }
        // Without a merge driver, git leaves the file as in ours.
        if try present.save.bytes == saves.ours.save.bytes || present.save.bytes == merged.bytes() { return nil }
        try ThreeWayMerge.checkKinds(saves.ours.view, present.view)
        self.saves = saves
        settled = ResolvedConflicts(merge, in: try merged.reopened().view, now: present.view)
        abbreviator = ValueAbbreviator(of: present.view)
    }

    private static func hasMarkers(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: 0x0A).contains { $0.starts(with: "<<<<<<< ".utf8) }
    }

    /// Returns the value that the file has at a conflict that was resolved by hand; nil for an open conflict.
    func settlement(of conflict: MergeConflict) -> String? {
        guard case .settled(let id) = settled.state(of: conflict) else { return nil }
        guard let id else { return "removed" }
        if case .className = conflict.subject { return "class " + present.view.classOrType(of: id) }
        return abbreviator.line(id)
    }

    /// Returns the given comments without the ones that the present file has.
    func missing(_ comments: [LostComment]) throws -> [LostComment] {
        guard !comments.isEmpty else { return [] }
        let missing = Set(try saves.lostComments(in: present))
        return comments.filter(missing.contains)
    }

    /// Returns the present file merged with the changes by rules and answers.
    ///
    /// - Parameters:
    ///   - answered: The result of the rules and answers.
    ///   - options: The options of the merge.
    /// - Returns: The merged versions, the result, and a line for each change that conflicts with a manual change.
    func result(
        with answered: MergeResult, _ options: MergeOptions
    ) throws -> (saves: MergeSources, result: MergeResult, left: [String]) {
        var options = options
        (options.rules, options.answers) = ([], [])
        let left = try saves.result(of: saves.merge(options))
        let saves = MergeSources(
            base: try left.reopened(), ours: present, theirs: try answered.reopened())
        options.comparesNumbersByValue = saves.files.contains { $0.format != present.format }
        let merge = try saves.merge(options)
        let lines = ConflictLines(merge, in: present.name)
        return (saves, try saves.result(of: merge), merge.conflicts.flatMap(lines.lines))
    }
}
