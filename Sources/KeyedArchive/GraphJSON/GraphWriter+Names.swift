import SaveCodec

/// Names: whether they can be those of an object's members, and their order.
extension GraphWriter {
    /// Whether all keys of a stored dictionary are text, and none repeats; of an object, `$class` among them.
    mutating func hasNames(_ dictionary: StoredObject) -> Bool {
        if let last = lastNames, document.hasSameKeys(last.dictionary, dictionary) { return last.areNames }
        let areNames =
            (0..<dictionary.count).allSatisfy { document.object(document.key($0, of: dictionary)).kind.isString }
            && document.firstRepeatedKey(of: dictionary) == nil
        lastNames = (dictionary, areNames)
        return areNames
    }

    /// Whether all references of an array lead to plain text, and none to the same text as another.
    func hasTexts(_ keys: StoredObject) -> Bool {
        var seen: Set<[UInt16]> = []
        for position in 0..<keys.count {
            let uid = Int(document.uid(document.object(document.reference(position, of: keys))))
            guard archive.entries[uid].kind == .value, let text = document.text(archive.objectID(UID(uid))) else {
                return false
            }
            // One key repeats nothing.
            if keys.count > 1, !seen.insert(Array(text)).inserted { return false }
        }
        return true
    }

    /// The order in which the pairs of a stored dictionary, but for `$class` in an object, are written; nil for the
    /// stored one.
    func order(of dictionary: StoredObject, omitting pair: Int) -> [UInt32]? {
        let positions = (0..<dictionary.count).filter { $0 != pair }
        return order(of: positions.map { document.key($0, of: dictionary) })
    }

    /// The order in which the entries of a dictionary are written, by the references to its keys; nil for the stored one.
    func order(ofKeys keys: StoredObject) -> [UInt32]? {
        order(
            of: (0..<keys.count).map { position in
                archive.objectID(UID(Int(document.uid(document.object(document.reference(position, of: keys))))))
            })
    }

    private func order(of names: [ObjectID]) -> [UInt32]? {
        guard options.keyOrder == .sorted else { return nil }
        let texts = names.map { document.text($0).map { Array($0) } ?? [] }
        return texts.indices.sorted { texts[$0].lexicographicallyPrecedes(texts[$1]) }.map { UInt32($0) }
    }
}
