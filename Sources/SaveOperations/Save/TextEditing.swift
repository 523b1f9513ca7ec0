import KeyedArchives
import SaveCodec

/// Edits of text files. Everything that is not edited keeps its text, including comments and white space.
enum TextEditing {
    struct Options {
        /// Whether the comments above removed values stay.
        var keepsComments = false
        /// A text that new values are copied from.
        var donor: DonorText?
        var limits = Limits()

        init() {}
    }

    struct Result: Sendable {
        /// The bytes of the file.
        let bytes: [UInt8]
        /// The comments that the edit removed, with their locations before the edit.
        let removedComments: [RemovedComment]
        /// The losses in the edited nested saves that the text contains as JSON. They occur because a reader
        /// rebuilds the data of such a save, and its format cannot represent some of the values.
        let losses: [Problem]
    }

    /// Edits a text file so that it reads as another document.
    ///
    /// - Returns: nil if the file must be written from scratch instead.
    static func edited(
        _ bytes: [UInt8], as format: Format, to document: Document, _ options: Options = Options()
    ) throws(Problem) -> Result? {
        let (before, map) = try Document.readSaveMapped(
            bytes, as: format, limits: options.limits, allowsNestedLoss: true, dialect: .commented)
        return map.flatMap { edited(before, at: $0, as: format, to: document, options) }
    }

    /// Edits a text whose document and locations are known.
    static func edited(
        _ before: Document, at map: SourceMap, as format: Format, to document: Document,
        _ options: Options = Options()
    ) -> Result? {
        let limits = options.limits
        var changes: TextChanges? = TextChanges(before, to: document)
        if changes?.isUnchanged ?? true {
            return map.fileBytes(of: map.text).map { Result(bytes: $0, removedComments: [], losses: []) }
        }
        var saves = NestedSaveTexts()
        if let changes, format.has(.typedJSON) {
            saves = NestedSaveTexts(changes, of: before, at: map, to: document, limits)
        }
        var attempts: [(donor: DonorText?, saves: NestedSaveTexts)] = []
        if let donor = options.donor {
            attempts.append((aligned(donor, with: document, editing: map.text), saves))
        }
        attempts.append((nil, saves))
        if !saves.spelled.isEmpty { attempts.append((nil, saves.asData)) }
        for (number, (donor, saves)) in attempts.enumerated() {
            guard let change = changes.map({ DocumentChange(from: before, to: document, $0.list) }),
                let elsewhere = changes?.sources
            else { break }
            let sources = TextSources(elsewhere: elsewhere, donor: donor, spelled: saves.spelled)
            // The changes of very many containers take more memory than the document, which is read next.
            if number == attempts.count - 1 { changes = nil }
            let edit = map.edited(
                by: consume change, as: format, taking: sources, keepsComments: options.keepsComments)
            guard let edit,
                saves.reads(edit.bytes, as: format, giving: document, limits, allowingComments: before.hasJSONComments)
            else { continue }
            return Result(bytes: edit.bytes, removedComments: edit.removedComments, losses: saves.losses)
        }
        return nil
    }

    private static func aligned(_ donor: DonorText, with document: Document, editing text: [UInt8]) -> DonorText {
        let changes = TextChanges(donor.document, to: document)
        return donor.aligned(with: document, changes.isUnchanged ? nil : changes.list, editing: text)
    }
}
