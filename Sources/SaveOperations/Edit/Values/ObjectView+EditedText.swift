package import KeyedArchives
package import SaveCodec

extension ObjectView {
    /// This view with the values of a JSON text of it that has been edited: typed JSON, of an archive graph JSON. What is
    /// not told takes its types from what was there, see ``ValueReader``; a value of another kind is stored as it is given.
    ///
    /// - Parameter original: the text before.
    /// - Returns: the view, and the reals that had to be rounded to the bytes that they take; nil for graph JSON in which more than the values under `$top` has been edited, or which has objects or
    ///   labels of classes outside of these.
    package func edited(
        to text: Document, from original: Document, limits: Limits = Limits()
    ) throws(Problem) -> (view: ObjectView, roundings: [Rounding])? {
        var draft = Draft(self)
        var id = text.root
        if archive != nil {
            guard let top = text.editedTop(from: original) else { return nil }
            id = top
        }
        var reader = ValueReader(text, rules: .lenient, for: draft)
        let example = StorageTemplate(draft.root, isInPlace: true, isPresent: true)
        let root = try reader.read(id, like: example, isTop: true, in: &draft)
        draft.replaceRoot(with: root.id)
        return (try draft.editedView(limits: limits), reader.roundings)
    }
}

extension Document {
    /// The member `$top` of graph JSON if all others are what they were and describe nothing but plain class names.
    fileprivate func editedTop(from original: Document) -> ObjectID? {
        guard case .dictionary(let pairs) = self[root], case .dictionary(let before) = original[original.root],
            pairs.count == before.count
        else { return nil }
        var (mine, others) = (Fingerprints(self), Fingerprints(original))
        for (key, value) in before {
            guard let name = original.text(key) else { return nil }
            if name.elementsEqual(GraphName.top.rawValue.utf16) { continue }
            guard !name.elementsEqual(GraphName.shared.rawValue.utf16), let member = pairs.value(for: name),
                mine.fingerprint(of: member) == others.fingerprint(of: value)
            else { return nil }
        }
        if let classes = pairs.value(for: GraphName.classes.rawValue.utf16),
            case .dictionary(let labels) = self[classes],
            labels.contains(where: { text($0.0)?.contains(UInt16(UInt8(ascii: "#"))) ?? true })
        {
            return nil
        }
        return pairs.value(for: GraphName.top.rawValue.utf16)
    }
}
