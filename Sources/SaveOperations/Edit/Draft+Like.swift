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
    /// - Returns: the reals that had to be rounded to the bytes that they take.
    /// - Throws: a problem for what is no value of the archive.
    package mutating func become(_ text: Document) throws(Problem) -> [ValueReader.Rounding] {
        var reader = ValueReader(text, rules: .like, for: &self)
        let example = Example(root, isInPlace: true, isPresent: true)
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
            guard let label = text.text(key) else { continue }
            let name = Array(label.first == 0x24 ? label.dropFirst() : label[...])
            try addClass(value, labelled: name, of: text)
        }
        for (key, value) in pairs(of: .shared) {
            guard let number = text.text(key).flatMap({ Int128($0.string) }) else { continue }
            reader.sharedNumbers[value] = number
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
