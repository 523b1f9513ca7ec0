import KeyedArchives
import SaveCodec
import SaveOperations

/// The saves of two sides, and of what they come from, and the file that a merge of them comes to.
final class MergedSaves {
    let base: SaveFile?
    let ours: SaveFile
    let theirs: SaveFile
    private let text: TextMerge

    init(base: SaveFile?, ours: SaveFile, theirs: SaveFile) {
        (self.base, self.ours, self.theirs) = (base, ours, theirs)
        text = TextMerge(base: base, ours: ours, theirs: theirs)
    }

    /// The saves that there are.
    var files: [SaveFile] { [base, ours, theirs].compactMap(\.self) }

    func merge(_ options: MergeOptions) throws(Problem) -> ThreeWayMerge {
        try ThreeWayMerge(base: base?.view, ours: ours.view, theirs: theirs.view, options, limits: ours.limits)
    }

    /// What a merge of the saves comes to, with ours at the conflicts that are left.
    ///
    /// - Parameter choices: the lines of a text that are taken where they are in conflict.
    func result(
        of merge: ThreeWayMerge, taking choices: [Int: LineMerge.Choice] = [:]
    ) throws(Problem) -> MergeResult {
        var draft = Draft(merge.ours)
        try draft.apply(merge)
        let edited = draft.isUnchanged ? nil : try draft.editedView(limits: ours.limits)
        return MergeResult(file: ours, edited: edited, save: try text.result(edited, taking: choices))
    }

    /// The comments and digits that have no place in a result.
    func lostComments(in result: MergeResult) throws -> [LostComment] {
        try text.lostComments { try result.bytes() }
    }

    /// The comments and digits that one answer settles.
    func groups(of comments: [LostComment]) -> [LostComments] {
        text.groups(of: comments)
    }

    /// The comments and digits that are not in a file.
    func lostComments(in file: SaveFile) throws -> [LostComment] {
        guard file.format == ours.format else { return [] }
        return try text.lostComments { file.save.bytes }
    }
}

/// A file that has been merged.
struct MergeResult {
    /// The file that the result takes the place of, as to its format and style.
    let file: SaveFile
    /// Nil if it is what it was.
    let edited: ObjectView?
    let save: EditedSave

    /// What is written.
    func bytes() throws(Problem) -> [UInt8] {
        try save.bytes()
    }

    /// Opens the result.
    func reopened() throws(Problem) -> SaveFile {
        try file.reopened(with: bytes())
    }
}
