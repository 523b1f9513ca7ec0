import KeyedArchives
import SaveCodec
import SaveOperations

/// An edited save on its way back into its file: a text keeps all that is not edited, a binary file the bytes of objects
/// that are not touched.
final class EditedSave {
    /// What the file cannot hold.
    let losses: [Problem]
    /// How many of them are of saves that stand in place of data.
    let lossesInSaves: Int
    /// The comments that go with what is removed.
    let removedComments: [RemovedComment]
    private let file: SaveFile
    private let edited: ObjectView
    /// The edited text; nil for what is written anew.
    private let text: [UInt8]?

    /// A text that holds an edited save.
    init(text: [UInt8], _ edited: ObjectView, of file: SaveFile) {
        (self.text, self.edited, self.file) = (text, edited, file)
        (losses, lossesInSaves, removedComments) = ([], 0, [])
    }

    /// - Parameters:
    ///   - draft: a file that is edited rather than the one that was read, if it can be.
    ///   - donor: a text that new values are copied from.
    init(
        _ save: ObjectView, of file: SaveFile, keepsComments: Bool, beginningWith draft: [UInt8]? = nil,
        from donor: DonorText? = nil
    ) throws(Problem) {
        try file.checkIsWritten()
        self.file = file
        edited = save
        guard let map = file.map else {
            losses = file.losses(of: save)
            lossesInSaves = 0
            text = nil
            removedComments = []
            return
        }
        func editedText(to target: Document) -> TextEditing.Result? {
            if let draft,
                let result = try? TextEditing.edited(
                    draft, as: file.format, to: target, from: donor, limits: file.limits)
            {
                return result
            }
            return TextEditing.edited(
                file.source, at: map, as: file.format, to: target, keepsComments: keepsComments, from: donor,
                limits: file.limits)
        }
        // A text that reads as the document has lost nothing. Else it is to read as what the format can hold.
        var losses: [Problem] = []
        var result = file.isGraphJSON ? nil : editedText(to: save.document)
        if result == nil {
            losses = file.format.unlistedLosses(file.losses(of: save))
            result = editedText(to: try file.reread(save))
            if result == nil { losses += file.lossesOfText }
        }
        self.losses = losses + (result?.losses ?? [])
        lossesInSaves = result?.losses.count ?? 0
        text = result?.bytes
        // Those of a draft stand nowhere that anybody could look.
        removedComments = draft == nil ? result?.removedComments ?? [] : []
    }

    /// The bytes of the file.
    func bytes() throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        try write(to: &output)
        return output.takeBytes()
    }

    /// Writes the file.
    func write(to output: inout ByteWriter) throws(Problem) {
        if let text { output.write(text) } else { try file.write(edited, to: &output) }
    }
}

extension SaveFile {
    /// The document that a reader makes of an edited save that is written anew.
    fileprivate func reread(_ edited: ObjectView) throws(Problem) -> Document {
        var output = ByteWriter()
        try write(edited, to: &output)
        return try Document.readSave(output.takeBytes(), as: format, limits: limits, dialect: edited.document.dialect)
    }

    /// What is lost of the text if it is written anew.
    fileprivate var lossesOfText: [Problem] {
        guard !isInUsualStyle, let map else { return [] }
        let count = format.definition.comments(in: map.text).count
        let comments = count == 0 ? "" : count == 1 ? "a comment, " : "\(count) comments, "
        return [
            Problem(
                "loss.text",
                "the edit needs a file that is written anew, without its \(comments)white space and spellings")
        ]
    }
}

extension Format {
    /// The losses that are losses to whoever edits a file: numbers become text in a format where all scalars are text.
    fileprivate func unlistedLosses(_ losses: [Problem]) -> [Problem] {
        guard has(.textScalars) else { return losses }
        return losses.filter { !["loss.integer", "loss.real"].contains($0.id) }
    }
}
