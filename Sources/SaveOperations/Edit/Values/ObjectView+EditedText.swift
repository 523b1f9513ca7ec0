package import KeyedArchives
package import SaveCodec

/// The values of a JSON text after an edit.
package struct EditedText {
    package let view: ObjectView
    /// The numbers that were not stored as given.
    package let roundings: [RoundedNumber]
    /// A sentence for each attributed string whose runs follow its new text, with the address of its runs.
    package let adaptedRuns: [(address: JSONPointer, sentence: String)]

    /// Creates the values of a text that states all their types.
    package init(exactly view: ObjectView) {
        (self.view, roundings, adaptedRuns) = (view, [], [])
    }

    fileprivate init(_ draft: consuming Draft, _ roundings: [RoundedNumber], limits: Limits) throws(Problem) {
        adaptedRuns = draft.adaptedRunSentences()
        self.roundings = roundings
        view = try draft.editedView(limits: limits)
    }
}

extension ObjectView {
    /// Returns this view with the values of its JSON text after an edit: typed JSON, or for an archive graph JSON.
    /// Types that the text does not state stay as they were, see ``ValueReader``. A value of another kind is stored as
    /// given.
    ///
    /// - Parameter original: The text before the edit.
    /// - Returns: Nil if an edit of graph JSON is outside `$top`, or if the text has `$shared` objects or numbered
    ///   class labels.
    package func edited(
        to text: Document, from original: Document, limits: Limits = Limits()
    ) throws(Problem) -> EditedText? {
        var draft = Draft(self)
        var id = text.root
        if archive != nil {
            guard let top = text.editedTop(from: original) else { return nil }
            id = top
        }
        var reader = ValueReader(text, rules: .lenient, for: draft)
        let template = StorageTemplate(draft.root, isInPlace: true, isPresent: true)
        let root = try reader.read(id, like: template, isTop: true, in: &draft)
        draft.replaceRoot(with: root.id)
        return try EditedText(draft, reader.roundings, limits: limits)
    }

    /// Returns this view with the fields that unarchivers read, for attributed strings that graph JSON gives as text
    /// and runs.
    package func storingRuns(limits: Limits = Limits()) throws(Problem) -> ObjectView {
        guard archive != nil else { return self }
        var draft = Draft(self)
        draft.editGivenRuns()
        return draft.isUnchanged ? self : try draft.editedView(limits: limits)
    }
}

extension Document {
    /// Returns the member `$top` of edited graph JSON. Returns nil if any other member has changed, if there are
    /// `$shared` objects, or if a class label is numbered.
    fileprivate func editedTop(from original: Document) -> ObjectID? {
        guard case .dictionary(let pairs) = self[root], case .dictionary(let before) = original[original.root],
            pairs.count == before.count
        else { return nil }
        for (key, value) in before {
            guard let name = original.text(key) else { return nil }
            if name.elementsEqual(GraphJSONName.top.rawValue.utf16) { continue }
            guard !name.elementsEqual(GraphJSONName.shared.rawValue.utf16), let member = pairs.value(for: name),
                rooted(at: member).hasSameTree(as: original.rooted(at: value))
            else { return nil }
        }
        if let classes = pairs.value(for: GraphJSONName.classes.rawValue.utf16),
            case .dictionary(let labels) = self[classes],
            labels.contains(where: { text($0.0)?.contains(UInt16(UInt8(ascii: "#"))) ?? true })
        {
            return nil
        }
        return pairs.value(for: GraphJSONName.top.rawValue.utf16)
    }
}
