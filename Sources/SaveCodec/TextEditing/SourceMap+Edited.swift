extension SourceMap {
    /// Edits the text so that it reads as another document.
    ///
    /// - Parameters:
    ///   - before: the document that the text holds.
    ///   - changes: what becomes of its containers, each behind the one around it; none for another root.
    ///   - sources: for new values that stood elsewhere in the text, where that was.
    ///   - keepsComments: whether the comments above members stay that are removed.
    ///   - donor: the text that new values are copied from.
    ///   - spelled: the texts of new values that are spelled already, by where those begin that they replace.
    /// - Returns: the bytes of the file; nil if only a file that is written anew can hold the document.
    package func edited(
        _ before: Document, as format: Format, to after: Document, _ changes: [ContainerChange],
        sources: [ObjectID: ContainerChange.Source], keepsComments: Bool, from donor: DonorText? = nil,
        spelled: [Int: [UInt8]] = [:]
    ) -> (bytes: [UInt8], removedComments: [RemovedComment])? {
        guard let syntax = format.writing?.syntax(of: self) else { return nil }
        let copies = sources.mapValues { value($0.position, of: $0.container) }
        var editor = TextEditor(
            before, at: self, syntax, to: after, changes, copies: copies, keepsComments: keepsComments)
        editor.donor = donor
        editor.spelled = spelled
        guard let splices = editor.edited() else { return nil }
        let bytes =
            fileBytes(of: splices.applied(to: text))
            ?? splices.escaped(syntax, for: stored).flatMap { fileBytes(of: $0.applied(to: text)) }
        guard let bytes else { return nil }
        // Most edits remove no comment: then there is no need to look for those of the whole text.
        guard splices.deleted.ranges.contains(where: { !format.definition.comments(in: Array(text[$0])).isEmpty })
        else {
            return (bytes, [])
        }
        let (deleted, moved) = (splices.deleted, MergedRanges(editor.moved))
        let comments = format.definition.comments(in: text).filter { deleted.contains($0) && !moved.contains($0) }
        let lines = LineTable(text)
        return (
            bytes, comments.map { RemovedComment(location: lines.location(of: $0.lowerBound), text: Array(text[$0])) }
        )
    }
}

/// A comment that an edit took out of a text, with what it belongs to.
package struct RemovedComment: Sendable {
    /// Where it stood.
    package let location: SourceLocation
    /// The comment in UTF-8, as it stood there.
    package let text: [UInt8]
}
