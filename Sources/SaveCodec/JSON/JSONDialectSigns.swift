/// The signs of the dialect of a JSON text: tags, names that resemble tags, and the names of the root's members.
struct JSONDialectSigns {
    /// Whether the name of a tag has been read, even if its object is not a tagged value.
    var hasTagNames = false
    /// Whether a tagged value has been read.
    var hasTaggedValues = false
    /// The offset of the `$` of the first name that begins with an unknown `$` word, as in `{"$oid": …}`.
    private var foreignName: Int?
    /// Whether the root is an object with a member `$savetool`: the envelope of an exact document (see
    /// <doc:ExactJSON>). A list of pairs with such a key is not an envelope.
    private(set) var isEnvelope = false
    /// The names of the root's members that an archive also has, such as `$top`. The keys of a list of pairs do not
    /// count.
    private var archiveMembers: Set<String> = []

    /// Whether the root has the members of graph JSON (see the article *Graph JSON* of `KeyedArchives`).
    var isGraph: Bool { archiveMembers == ["$archiver", "$top"] }

    /// Notes a name.
    ///
    /// - Parameter start: The offset after the quotation mark.
    @inline(__always)
    mutating func noteName(at start: Int, in text: JSONText) {
        if foreignName == nil, text[start] == UInt8(ascii: "$"), text.isForeignName(at: start) { foreignName = start }
    }

    /// Notes the name of a member of the root.
    ///
    /// - Parameter offset: The offset of the quotation mark.
    mutating func noteRootMember(at offset: Int, in text: JSONText) {
        guard text[offset + 1] == UInt8(ascii: "$") else { return }
        if text.holds("\"$savetool\"", at: offset) { isEnvelope = true }
        for member in ["$archiver", "$top", "$objects"] where text.holds("\"\(member)\"", at: offset) {
            archiveMembers.insert(member)
        }
    }

    /// Returns the reason why a completely read text is plain JSON: it has tagged values and also a name that resembles
    /// a tag.
    ///
    /// Nil for typed JSON, for archives, and for a text without tagged values, which both dialects read alike.
    func contradiction(in text: JSONText) -> Problem? {
        let isArchive = archiveMembers.isSuperset(of: ["$archiver", "$top"])
        guard hasTaggedValues, let foreignName, !isArchive, !isEnvelope else { return nil }
        let name = text.endOfString(from: foreignName).flatMap { try? text.unescaped(foreignName..<$0) } ?? []
        return Problem(
            "json.tag", "\(Phrase.quoted(name)) is not a tag of typed JSON",
            at: text.location(foreignName - 1))
    }
}
