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
    }

    /// Edits a text file so that it reads as another document.
    ///
    /// - Returns: nil if only a file that is written anew can read so.
    package static func edited(
        _ bytes: [UInt8], as format: Format, to document: Document, keepsComments: Bool = false,
        from donor: DonorText? = nil, limits: Limits = Limits()
    ) throws(Problem) -> Result? {
        let (before, map) = try Document.readSaveMapped(bytes, as: format, limits: limits)
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
            return map.fileBytes(of: map.text).map { Result(bytes: $0, removedComments: []) }
        }
        func edit(from donor: DonorText?) -> Result? {
            let edit = map.edited(
                before, as: format, to: document, changes.list, sources: changes.sources, keepsComments: keepsComments,
                from: donor)
            return edit.flatMap { checked($0.bytes, $0.removedComments, as: format, is: document, limits) }
        }
        if let donor, let result = edit(from: aligned(donor, with: document)) { return result }
        return edit(from: nil)
    }

    private static func aligned(_ donor: DonorText, with document: Document) -> DonorText {
        let changes = TextChanges(donor.document, to: document)
        return donor.aligned(with: document, changes.isUnchanged ? nil : changes.list)
    }

    /// What a reader makes of the result is checked, not assumed.
    private static func checked(
        _ bytes: [UInt8], _ removedComments: [RemovedComment], as format: Format, is document: Document,
        _ limits: Limits
    ) -> Result? {
        guard let result = try? Document.readSave(bytes, as: format, limits: limits),
            result.isFile ? TextChanges(document, to: result).isUnchanged : result.hasSameTree(as: document)
        else { return nil }
        return Result(bytes: bytes, removedComments: removedComments)
    }
}
