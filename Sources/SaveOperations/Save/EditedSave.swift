package import KeyedArchives
package import SaveCodec

/// The bytes of an edited save. A text keeps everything that is not edited; a binary file keeps the bytes of untouched
/// objects.
package struct EditedSave {
    /// The values that the format cannot hold, and a loss of white space and comments.
    package private(set) var losses: [Problem] = []
    /// The number of losses in nested saves that are written as JSON instead of data.
    package private(set) var lossesInSaves = 0
    /// The comments that are removed together with values.
    package private(set) var removedComments: [RemovedComment] = []
    private let content: Content

    private enum Content {
        case bytes([UInt8])
        /// A view that is written from scratch.
        case view(ObjectView, Save)
    }

    /// Creates the result from the bytes of a text that already holds the edited save.
    package init(holding bytes: [UInt8]) {
        content = .bytes(bytes)
    }

    fileprivate init(_ text: TextEditing.Result) {
        self.init(holding: text.bytes)
        (losses, lossesInSaves, removedComments) = (text.losses, text.losses.count, text.removedComments)
    }

    fileprivate init(writing view: ObjectView, for save: Save) {
        content = .view(view, save)
    }

    /// Returns the edited bytes, without the layers of the file.
    package func bytes() throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        try write(to: &output)
        return output.takeBytes()
    }

    /// Writes the edited bytes, without the layers of the file.
    package func write(to output: inout ByteWriter) throws(Problem) {
        switch content {
        case .bytes(let bytes): output.write(bytes)
        case .view(let view, let save): try save.write(view, to: &output)
        }
    }

    /// Throws the first loss of a value. A loss of text, such as white space or a comment, is not thrown.
    package func checkValues() throws(Problem) {
        if let loss = losses.first(where: { $0.kind != .lossOfText }) { throw loss }
    }

    fileprivate mutating func add(_ losses: [Problem]) {
        self.losses = losses + self.losses
    }

    fileprivate mutating func dropComments() {
        removedComments = []
    }
}

extension Save {
    /// Returns the save with an edited view in place of its own.
    ///
    /// - Parameters:
    ///   - keepsComments: Whether the comments above removed values stay.
    ///   - draft: A text to edit instead of the file's, if possible. Comments removed from it are not reported.
    ///   - donor: A text that new values are copied from.
    package func edited(
        to view: ObjectView, keepsComments: Bool = false, beginningWith draft: [UInt8]? = nil,
        from donor: DonorText? = nil
    ) throws(Problem) -> EditedSave {
        try checkIsWritable()
        guard let (document, map) = try readMapped() else {
            var result = EditedSave(writing: view, for: self)
            result.add(losses(of: view))
            return result
        }
        var options = TextEditing.Options()
        (options.keepsComments, options.donor, options.limits) = (keepsComments, donor, limits)
        func text(of target: Document) -> EditedSave? {
            let edited =
                draft.flatMap { try? TextEditing.edited($0, as: format, to: target, options) }
                ?? TextEditing.edited(document, at: map, as: format, to: target, options)
            guard let edited else { return nil }
            var result = EditedSave(edited)
            if draft != nil { result.dropComments() }
            return result
        }
        // If a text reads back as the edited document, no value is lost.
        if !isGraphJSON, let result = text(of: view.document) { return result }
        let losses = format.unlistedLosses(losses(of: view))
        var edited: EditedSave
        if let result = text(of: try reread(view)) {
            edited = result
        } else {
            edited = EditedSave(writing: view, for: self)
            edited.add(lossesOfText(map))
        }
        edited.add(losses)
        return edited
    }

    /// Returns the document that results from writing an edited view from scratch and reading it back.
    private func reread(_ edited: ObjectView) throws(Problem) -> Document {
        var output = ByteWriter()
        try write(edited, to: &output)
        return try Document.readSave(output.takeBytes(), as: format, limits: limits, dialect: edited.document.dialect)
    }

    /// Returns the losses of ignored text, white space, comments and spellings when a text is written from scratch.
    private func lossesOfText(_ map: SourceMap) -> [Problem] {
        guard !isInWriterStyle else { return [] }
        let count = format.definition.comments(in: map.text).count
        let comments = count == 0 ? "" : count == 1 ? "a comment, " : Phrase.count(count, "comment") + ", "
        let style = Problem(
            .lossOfText, "the edit requires rewriting the file; its \(comments)white space and spellings would be lost")
        return source.lossesOfIgnoredText(in: map.text).map(layers.located) + [style]
    }
}

extension Problem.Kind {
    fileprivate static let lossOfText = Problem.Kind("loss.text")
}

extension Format {
    /// Returns the losses that matter for an edit. If all scalars of a format are text, a number that becomes text
    /// does not count.
    fileprivate func unlistedLosses(_ losses: [Problem]) -> [Problem] {
        guard has(.textScalars) else { return losses }
        return losses.filter { !["loss.integer", "loss.real"].contains($0.id) }
    }
}
