/// Where the keys and values of a text file stand.
///
///     {"a": [10, {"$uid": 7}]}        #0 "a"   #1 10   #2 UID 7   #3 array   #4 dictionary
///      ‾‾‾                            key(0, of: #4)
///           ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾         value(0, of: #4)
///            ‾‾                       value(0, of: #3)
///                ‾‾‾‾‾‾‾‾‾‾‾          value(1, of: #3)
///
/// A place belongs to a position in a container, not to an object: equal scalars are one object that stands in many
/// places, while a container of a text file stands in one. (Containers that a document in an exact envelope shares are
/// found where they stand first.) A range takes in whole tokens: quotation marks, brackets, tags of XML, and the braces
/// of a tagged value.
package final class SourceMap: Sendable {
    /// The text in UTF-8, without byte order mark: what offsets lead into.
    package let text: [UInt8]
    /// The range of the root value. (Strings file without braces: the whole text.)
    package let root: Range<Int>
    /// How the file stored the text.
    let stored: StoredEncoding
    private let slots: SourceSlots

    init(text: [UInt8], root: Range<Int>, stored: StoredEncoding, slots: SourceSlots) {
        self.text = text
        self.root = root
        self.stored = stored
        self.slots = slots
    }

    /// The element at a position of an array or set, or the value of the pair at a position of a dictionary.
    package func value(_ position: Int, of container: ObjectID) -> Range<Int> {
        slots.value(position, of: container)
    }

    /// The key of the pair at a position.
    package func key(_ position: Int, of dictionary: ObjectID) -> Range<Int> {
        slots.key(position, of: dictionary)
    }

    /// The bytes of a file that holds another text as this one is stored: in the same encoding, with a byte order mark
    /// if there was one. Nil if the encoding has no bytes for a character.
    package func fileBytes(of text: [UInt8]) -> [UInt8]? {
        stored.encode(text)
    }
}

extension SourceMap {
    /// The map of the document that an exact envelope held, made from that of the envelope; nil if the envelope holds no
    /// value but only the bytes of a file.
    ///
    /// That document is a part of the envelope, or a file that was laid out anew and numbers its objects in its own way.
    func opened(_ document: Document, in envelope: Document) -> SourceMap? {
        guard case .dictionary(let members) = envelope[envelope.root],
            let position = members.firstIndex(where: { envelope.text($0.key)?.string == "value" })
        else { return nil }
        let value = members[position].value
        return SourceMap(
            text: text, root: self.value(position, of: envelope.root), stored: stored,
            slots: document.isFile ? slots.renumbered(for: document, from: envelope.rooted(at: value)) : slots)
    }
}

extension Document {
    /// Reads a document and where its values stand. The map is nil for a binary file, and for a text over 4 GiB.
    static func readMapped(
        _ bytes: [UInt8], as format: Format, limits: Limits = Limits()
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        let read = try format.definition.readMapped(bytes, limits: limits)
        return (read.document.allowing(limits), read.map)
    }
}
