import KeyedArchives
package import SaveCodec

/// Edits of text files: what is not touched keeps its text, comments and white space included.
package enum TextEditing {
    /// A text that has been edited.
    package struct Result: Sendable {
        /// The bytes of the file.
        package let bytes: [UInt8]
        /// The comments that are no longer in it, each where it stood and as it was.
        package let removedComments: [RemovedComment]
        /// What of the text is lost beside what was edited: an edit in a save that stands in place of data makes that save
        /// anew.
        package let losses: [Problem]
    }

    /// Edits a text file so that it reads as another document.
    ///
    /// - Returns: nil if only a file that is written anew can read so.
    package static func edited(
        _ bytes: [UInt8], as format: Format, to document: Document, keepsComments: Bool = false,
        from donor: DonorText? = nil, limits: Limits = Limits()
    ) throws(Problem) -> Result? {
        let (before, map) = try Document.readSaveMapped(bytes, as: format, limits: limits, allowsNestedLoss: true)
        guard let map else { return nil }
        return edited(
            before, at: map, as: format, to: document, keepsComments: keepsComments, from: donor, limits: limits)
    }

    /// Edits a text that has been read, of which it is known where its values stand.
    ///
    /// - Parameter donor: a text that values are copied from that are new.
    package static func edited(
        _ before: Document, at map: SourceMap, as format: Format, to document: Document, keepsComments: Bool = false,
        from donor: DonorText? = nil, limits: Limits = Limits()
    ) -> Result? {
        let changes = TextChanges(before, to: document)
        guard !changes.isUnchanged else {
            return map.fileBytes(of: map.text).map { Result(bytes: $0, removedComments: [], losses: []) }
        }
        let saves = format.has(.typedJSON) ? SaveTexts(changes, before, at: map, to: document, limits) : SaveTexts()
        func edit(from donor: DonorText?, _ saves: SaveTexts) -> Result? {
            let edit = map.edited(
                by: DocumentChange(from: before, to: document, changes.list), as: format,
                taking: TextSources(elsewhere: changes.sources, donor: donor, spelled: saves.spelled),
                keepsComments: keepsComments)
            guard let edit, saves.reads(edit.bytes, as: format, document, limits) else { return nil }
            return Result(bytes: edit.bytes, removedComments: edit.removedComments, losses: saves.losses)
        }
        if let donor, let result = edit(from: aligned(donor, with: document), saves) { return result }
        if let result = edit(from: nil, saves) { return result }
        return saves.spelled.isEmpty ? nil : edit(from: nil, saves.asData)
    }

    private static func aligned(_ donor: DonorText, with document: Document) -> DonorText {
        let changes = TextChanges(donor.document, to: document)
        return donor.aligned(with: document, changes.isUnchanged ? nil : changes.list)
    }
}
