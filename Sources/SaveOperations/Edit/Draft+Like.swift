import KeyedArchives
package import SaveCodec

/// A save from a JSON text, with the storage of the save that the text was made from.
///
///     the save    root: Player {x: real32 10.5, health: 100 (an object), seen: a date}
///     the text    {"root": {"health": 90, "seen": "2009-09-06T12:34:56Z", "x": 11}}
///     becomes     root: Player {x: real32 11.0, health: 90 (an object), seen: the date as it was}
extension Draft {
    /// Replaces the document's contents with the values of a text: plain JSON as printed by `inspect`, typed JSON, or
    /// graph JSON. A value that reads like the present one stays. Any other value takes the type, storage and class of
    /// the value that it replaces, or of the same field in other objects, if that is possible.
    ///
    /// - Parameter trustsReferences: Whether the addresses in the text belong to an older version of the save. A
    ///   reference is then assumed to mean the present value of its slot.
    /// - Returns: The numbers that are not stored as given.
    /// - Throws: A problem if the text is not a value of the archive.
    package mutating func replaceContents(
        with text: Document, trustsReferences: Bool = false
    ) throws(Problem) -> [RoundedNumber] {
        if view.archive != nil, KeyedArchive.isArchive(text), !GraphJSON.isPresent(in: text) {
            throw Problem(
                "like.stored",
                "this is the stored form of an archive; expected JSON of its objects, as printed by inspect")
        }
        var rules = TypeRules.like
        rules.trustsReferences = trustsReferences
        acceptsNil = trustsReferences
        var reader = ValueReader(text, rules: rules, for: self)
        let template = StorageTemplate(root, isInPlace: true, isPresent: true)
        let top = try readEnvelope(of: text, for: &reader) ?? text.root
        guard view.archive == nil || text.object(top).kind == .dictionary else {
            throw Problem(
                "like.roots",
                "found \(TypePhrase.of(text[top])); expected an object with the roots of the archive", address: .root)
        }
        replaceRoot(with: try reader.read(top, like: template, isTop: true, in: &self).id)
        return reader.roundings
    }

    /// Records the classes and shared objects of graph JSON, and returns its member `$top`; nil for any other text.
    private mutating func readEnvelope(
        of text: Document, for reader: inout ValueReader
    ) throws(Problem) -> ObjectID? {
        guard GraphJSON.isPresent(in: text), case .dictionary(let members) = text[text.root] else { return nil }
        guard view.archive != nil else {
            if position(of: GraphJSONName.archiver.rawValue.utf16, in: root) != nil { return nil }
            throw Problem(
                "like.archive", "this is the graph of an archive, but the template is not an archive", address: .root)
        }
        func pairs(of name: GraphJSONName) -> [(key: ObjectID, value: ObjectID)] {
            guard let member = members.value(for: name.rawValue.utf16), case .dictionary(let pairs) = text[member]
            else {
                return []
            }
            return Array(pairs)
        }
        for (key, value) in pairs(of: .classes) {
            guard let name = text.text(key), let label = GraphJSONName.unescaped(name) else { continue }
            try addClass(value, labelled: Array(label), of: text)
        }
        for (key, value) in pairs(of: .shared) {
            guard let number = text.sharedNumber(key) else { continue }
            reader.objects.shared[value] = number
        }
        return members.value(for: GraphJSONName.top.rawValue.utf16)
    }

    /// Records a class of graph JSON, unless the archive has a class with that label.
    private mutating func addClass(_ id: ObjectID, labelled name: [UInt16], of text: Document) throws(Problem) {
        guard classes.number(ofStored: name) == nil, classes.number(ofNew: name) == nil else { return }
        if case .null = text[id] {
            classes.label(ArchiveClass(name: name, chain: nil), as: name)
        } else {
            classes.label(try readClass(id, of: text), as: name)
        }
    }
}

extension ObjectView {
    /// Returns the addresses of changes in graph JSON that ``Draft/replaceContents(with:trustsReferences:)`` ignores:
    /// new or changed members outside the roots, and changed records of classes that the archive has.
    package func unreadMembers(of text: Document, limits: Limits = Limits()) -> [JSONPointer] {
        guard let archive, GraphJSON.isPresent(in: text), let original = Self.graph(of: archive, limits) else {
            return []
        }
        var unread: [JSONPointer] = []
        func compare(
            _ id: ObjectID, _ other: ObjectID, in address: JSONPointer, addedAreRead: Bool, besides: [GraphJSONName]
        ) {
            guard case .dictionary(let pairs) = text[id], case .dictionary(let known) = original[other] else { return }
            for (key, value) in pairs {
                guard let name = text.text(key), !besides.contains(where: { name.elementsEqual($0.rawValue.utf16) })
                else { continue }
                let before = known.value(for: name)
                if before == nil, addedAreRead { continue }
                if let before, text.rooted(at: value).hasSameTree(as: original.rooted(at: before)) { continue }
                unread.append(address.appending(key: name))
            }
        }
        compare(
            text.root, original.root, in: .root, addedAreRead: false, besides: [.top, .classes, .shared])
        if let id = text.member(.classes), let other = original.member(.classes) {
            let address = JSONPointer.root.appending(key: GraphJSONName.classes.rawValue.utf16)
            compare(id, other, in: address, addedAreRead: true, besides: [])
        }
        return unread
    }

    private static func graph(of archive: KeyedArchive, _ limits: Limits) -> Document? {
        var output = ByteWriter()
        guard (try? GraphJSON.write(archive, to: &output, limits: limits)) != nil else { return nil }
        return try? JSON.readTyped(output.takeBytes(), limits: limits)
    }

    /// Returns the addresses where the document differs from the text that it was made from, see
    /// ``Draft/replaceContents(with:trustsReferences:)``. The result is empty unless the text contains something that
    /// no document can hold.
    package func contradictions(of text: Document, limits: Limits) throws(Problem) -> [JSONPointer] {
        var draft = Draft(self)
        // Addresses in the text belong to the previous save, and may lead to other values in this one.
        _ = try draft.replaceContents(with: text, trustsReferences: true)
        guard !draft.isUnchanged else { return [] }
        let said: ObjectView
        do throws(Problem) {
            said = try draft.editedView(limits: limits)
        } catch {
            // The edit changed the text of an attributed string and adapted its runs, so the runs in the JSON do not
            // fit.
            if error.id == Problem.runsID { return [] }
            throw error
        }
        let difference = Difference(self, said)
        return difference.changes.filter { $0.kind != .shared }.map { difference.address(of: $0) }
    }
}

extension Document {
    fileprivate func member(_ name: GraphJSONName) -> ObjectID? {
        guard case .dictionary(let pairs) = self[root] else { return nil }
        return pairs.value(for: name.rawValue.utf16)
    }
}
