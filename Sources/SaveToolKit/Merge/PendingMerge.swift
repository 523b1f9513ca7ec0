import KeyedArchives
import SaveCodec
import SaveOperations

/// A merge that goes on in a file that it has left before, with ours at the conflicts, and in which somebody may have
/// settled some by hand since. What was done by hand is merged with what is answered now:
///
///     left, without rules or answers ──── by hand ────▶ what is there ──┐
///        └───────── by rules and answers ────▶ answered ────────────────┴─▶ the result
///
/// Where both did something to one place, what is there stays.
final class PendingMerge {
    private let saves: MergedSaves
    private let present: SaveFile
    private var settled: ResolvedConflicts
    private let abbreviation: Abbreviation

    /// Nil if nothing was done by hand, or nothing is there that could be read, which is said.
    ///
    /// - Parameters:
    ///   - name: the file that was left.
    ///   - merge: the merge by the rules, without answers.
    init?(
        in name: String, of saves: MergedSaves, _ merge: ThreeWayMerge, _ reading: FileReading, _ invocation: Invocation
    ) throws {
        guard try FileSystem.status(invocation.path(name))?.kind == .regular else { return nil }
        let merged = try saves.result(of: merge)
        // Where no driver of git was at work, git leaves ours.
        let bytes = try invocation.read(name)
        do throws(Problem) {
            present = SaveFile(try reading.open(bytes), name: saves.ours.name)
        } catch {
            // What somebody has written is not thrown away for a slip of the pen.
            guard Self.hasMarkers(bytes) else {
                throw Problem(
                    error.kind, error.message + "; nothing written: mend it, or git checkout -m merges anew",
                    at: error.place, address: error.address)
            }
            invocation.printError(error, in: saves.ours.name, as: "warning")
            invocation.printError(
                "\(Invocation.shownName(saves.ours.name)): git's markers are there, so the versions are merged anew")
            return nil
        }
        if try present.save.bytes == saves.ours.save.bytes || present.save.bytes == merged.bytes() { return nil }
        try ThreeWayMerge.checkKinds(saves.ours.view, present.view)
        self.saves = saves
        settled = ResolvedConflicts(merge, in: try merged.reopened().view, now: present.view)
        abbreviation = Abbreviation(of: present.view)
    }

    /// Whether git has left its markers of conflicts in a text.
    private static func hasMarkers(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: 0x0A).contains { $0.starts(with: "<<<<<<< ".utf8) }
    }

    /// What the file has at a conflict that was settled by hand; nil for one that is open.
    func settlement(of conflict: MergeConflict) -> String? {
        guard case .settled(let id) = settled.state(of: conflict) else { return nil }
        guard let id else { return "removed" }
        if case .className = conflict.subject { return "class " + present.view.classOrType(of: id) }
        return abbreviation.line(id)
    }

    /// Those of some comments that are not there.
    func missing(_ comments: [LostComment]) throws -> [LostComment] {
        guard !comments.isEmpty else { return [] }
        let missing = Set(try saves.lostComments(in: present))
        return comments.filter(missing.contains)
    }

    /// What is there, with what rules and answers settled.
    ///
    /// - Parameters:
    ///   - answered: what these come to.
    ///   - options: those of the merge.
    /// - Returns: the versions that were merged for it, the result, and a line for each place at which it could not be put
    ///   in, as what is there has other changes.
    func result(
        with answered: MergeResult, _ options: MergeOptions
    ) throws -> (saves: MergedSaves, result: MergeResult, left: [String]) {
        var options = options
        (options.rules, options.answers) = ([], [])
        let left = try saves.result(of: saves.merge(options))
        let saves = MergedSaves(
            base: try left.reopened(), ours: present, theirs: try answered.reopened())
        options.fitsNumbers = saves.files.contains { $0.format != present.format }
        let merge = try saves.merge(options)
        let lines = ConflictLines(merge, in: present.name)
        return (saves, try saves.result(of: merge), merge.conflicts.flatMap(lines.lines))
    }
}
