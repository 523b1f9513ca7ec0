import KeyedArchives
package import SaveCodec

/// A save made of a JSON text, after the example of the save that the text came from.
///
///     the save    root: Player {x: real32 10.5, health: 100 (an object), seen: a date}
///     the text    {"root": {"health": 90, "seen": "2009-09-06T12:34:56Z", "x": 11}}
///     becomes     root: Player {x: real32 11.0, health: 90 (an object), seen: the date as it was}
extension Draft {
    /// Makes the document what a text says: plain JSON as `inspect` prints it, typed JSON, or graph JSON. What reads like
    /// what is there stays as it is; whatever else takes the type, the form and the class of what it replaces, or of the
    /// same field in other objects, wherever that fits.
    ///
    /// - Parameter trustsReferences: whether the addresses in the text are those of another save, so that what stands in
    ///   the place of one is what it means.
    /// - Returns: the reals that had to be rounded to the bytes that they take.
    /// - Throws: a problem for what is no value of the archive.
    package mutating func replaceContents(
        with text: Document, trustsReferences: Bool = false
    ) throws(Problem) -> [Rounding] {
        if view.archive != nil, KeyedArchive.isArchive(text), !GraphJSON.isPresent(in: text) {
            throw Problem(
                "like.stored", "this is an archive as it is stored; expected JSON of its objects, as inspect prints it")
        }
        var rules = TypeRules.like
        if trustsReferences { (rules.trustsReferences, rules.refusesNil) = (true, false) }
        var reader = ValueReader(text, rules: rules, for: self)
        let example = StorageTemplate(root, isInPlace: true, isPresent: true)
        let top = try readEnvelope(of: text, for: &reader) ?? text.root
        guard view.archive == nil || text.object(top).kind == .dictionary else {
            throw Problem(
                "like.roots",
                "found \(TypePhrase.of(text[top])); expected an object with the roots of the archive", address: .root)
        }
        replaceRoot(with: try reader.read(top, like: example, isTop: true, in: &self).id)
        return reader.roundings
    }

    /// The roots that graph JSON describes, of which classes and objects that stand apart are noted; nil for any other
    /// text.
    private mutating func readEnvelope(
        of text: Document, for reader: inout ValueReader
    ) throws(Problem) -> ObjectID? {
        guard GraphJSON.isPresent(in: text), case .dictionary(let members) = text[text.root] else { return nil }
        guard view.archive != nil else {
            if position(of: GraphName.archiver.rawValue.utf16, in: root) != nil { return nil }
            throw Problem("like.archive", "this is the graph of an archive, and the example is none", address: .root)
        }
        func pairs(of name: GraphName) -> [(key: ObjectID, value: ObjectID)] {
            guard let member = members.value(for: name.rawValue.utf16), case .dictionary(let pairs) = text[member]
            else {
                return []
            }
            return Array(pairs)
        }
        for (key, value) in pairs(of: .classes) {
            guard let name = text.text(key), let label = GraphName.unescaped(name) else { continue }
            try addClass(value, labelled: Array(label), of: text)
        }
        for (key, value) in pairs(of: .shared) {
            guard let number = text.sharedNumber(key) else { continue }
            reader.objects.shared[value] = number
        }
        return members.value(for: GraphName.top.rawValue.utf16)
    }

    /// Notes a class that the archive does not have, or has under another label.
    private mutating func addClass(_ id: ObjectID, labelled name: [UInt16], of text: Document) throws(Problem) {
        guard knownNames[name] == nil, newNames[name] == nil else { return }
        if case .null = text[id] {
            newNames[name] = number(of: ArchiveClass(name: name, chain: nil))
        } else {
            newNames[name] = number(of: try readClass(id, of: text))
        }
    }
}

extension ObjectView {
    /// What ``Draft/replaceContents(with:trustsReferences:)`` does not read in the graph JSON of this archive and what is other than it was: members
    /// beside the roots, and the chains of classes that the archive has.
    package func unreadMembers(of text: Document, limits: Limits = Limits()) -> [JSONPointer] {
        guard let archive, GraphJSON.isPresent(in: text), let original = Self.graph(of: archive, limits) else {
            return []
        }
        var (mine, others) = (Fingerprints(text), Fingerprints(original))
        var unread: [JSONPointer] = []
        func compare(
            _ id: ObjectID, _ other: ObjectID, in address: JSONPointer, addedAreRead: Bool, besides: [GraphName]
        ) {
            guard case .dictionary(let pairs) = text[id], case .dictionary(let known) = original[other] else { return }
            for (key, value) in pairs {
                guard let name = text.text(key), !besides.contains(where: { name.elementsEqual($0.rawValue.utf16) })
                else { continue }
                let before = known.value(for: name)
                if before == nil, addedAreRead { continue }
                if let before, others.fingerprint(of: before) == mine.fingerprint(of: value) { continue }
                var address = address
                address.append(key: name)
                unread.append(address)
            }
        }
        compare(
            text.root, original.root, in: .root, addedAreRead: false, besides: [.top, .classes, .shared])
        if let id = text.member(.classes), let other = original.member(.classes) {
            var address = JSONPointer.root
            address.append(key: GraphName.classes.rawValue.utf16)
            compare(id, other, in: address, addedAreRead: true, besides: [])
        }
        return unread
    }

    private static func graph(of archive: KeyedArchive, _ limits: Limits) -> Document? {
        var output = ByteWriter()
        guard (try? GraphJSON.write(archive, to: &output, limits: limits)) != nil else { return nil }
        return try? JSON.readTyped(output.takeBytes(), limits: limits)
    }

    /// Where a text that the document has been made of, see ``Draft/replaceContents(with:trustsReferences:)``, says another thing than the document
    /// does. Empty as a rule, as no other document could say all that the text does.
    package func contradictions(of text: Document, limits: Limits) throws(Problem) -> [JSONPointer] {
        var draft = Draft(self)
        // Addresses in the text are those of the save before, and may lead elsewhere in this one.
        _ = try draft.replaceContents(with: text, trustsReferences: true)
        guard !draft.isUnchanged else { return [] }
        let said = try draft.editedView(limits: limits)
        let difference = Difference(self, said)
        return difference.changes.filter { $0.kind != .shared }.map { difference.address(of: $0) }
    }
}

extension Document {
    /// A member of graph JSON.
    fileprivate func member(_ name: GraphName) -> ObjectID? {
        guard case .dictionary(let pairs) = self[root] else { return nil }
        return pairs.value(for: name.rawValue.utf16)
    }
}
