import KeyedArchives
import SaveCodec
import SaveOperations

/// The two sides of a merge and their base, and the merge of their values and texts.
final class MergeSources {
    let base: SaveFile?
    let ours: SaveFile
    let theirs: SaveFile
    private let text: TextMerge

    init(base: SaveFile?, ours: SaveFile, theirs: SaveFile) {
        (self.base, self.ours, self.theirs) = (base, ours, theirs)
        text = TextMerge(base: base, ours: ours, theirs: theirs)
    }

    /// The saves, beginning with the base if there is one.
    var files: [SaveFile] { [base, ours, theirs].compactMap(\.self) }

    func merge(_ options: MergeOptions) throws(Problem) -> ThreeWayMerge {
        try ThreeWayMerge(base: base?.view, ours: ours.view, theirs: theirs.view, options, limits: ours.limits)
    }

    /// Returns the result of a merge, with ours at open conflicts.
    ///
    /// - Parameter choices: The lines to use, by the index of a conflict of lines.
    func result(
        of merge: ThreeWayMerge, taking choices: [Int: LineMerge.Choice] = [:]
    ) throws(Problem) -> MergeResult {
        var draft = Draft(merge.ours)
        try draft.apply(merge)
        let edited = draft.isUnchanged ? nil : try draft.editedView(limits: ours.limits)
        return MergeResult(file: ours, edited: edited, save: try text.result(edited, taking: choices))
    }

    /// Returns the comments and numbers that are missing from a result, see ``LostComment``.
    func lostComments(in result: MergeResult) throws -> [LostComment] {
        try text.lostComments { try result.bytes() }
    }

    /// Returns the missing comments and numbers, grouped by the answer that resolves them.
    func groups(of comments: [LostComment]) -> [LostCommentGroup] {
        text.groups(of: comments)
    }

    /// Returns the comments and numbers that are missing from a file; empty for a file in another format than ours.
    func lostComments(in file: SaveFile) throws -> [LostComment] {
        guard file.format == ours.format else { return [] }
        return try text.lostComments { file.save.bytes }
    }
}

struct MergeResult {
    /// The file whose format and style the result has.
    let file: SaveFile
    /// The merged values; nil if they equal the file's values.
    let edited: ObjectView?
    let save: EditedSave

    func bytes() throws(Problem) -> [UInt8] {
        try save.bytes()
    }

    func reopened() throws(Problem) -> SaveFile {
        try file.reopened(with: bytes())
    }
}
