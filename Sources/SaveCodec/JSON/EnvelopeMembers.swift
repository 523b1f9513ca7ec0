/// The members of an object that has a fixed set of them: an envelope, or a layout record.
struct EnvelopeMembers {
    private let document: Document
    private var values: [String: ObjectID] = [:]

    /// - Throws: a problem if the object is none, or has a member that is unknown or stands twice.
    init(of id: ObjectID, in document: Document, known: [String]) throws(Problem) {
        self.document = document
        guard case .dictionary(let pairs) = document[id] else { throw .envelopeLayout() }
        for (key, value) in pairs {
            let name = document.text(key)?.prefix(40)
            guard let name, let match = known.first(where: { name.elementsEqual($0.utf16) }), values[match] == nil
            else {
                throw Problem(
                    "exact.member",
                    "the member \"\(name.map { SafeText.escaping($0) } ?? "")\" is unknown here or stands twice")
            }
            values[match] = value
        }
    }

    subscript(name: String) -> ObjectID? {
        values[name]
    }

    func integer(_ name: String) -> Int128? {
        guard let id = values[name], case .integer(let integer) = document[id] else { return nil }
        return integer.value
    }

    func text(_ name: String) -> StoredString? {
        values[name].flatMap(document.text)
    }

    /// A whole number in a range; `absent` where there is no such member, and nil where it is something else.
    func size(_ name: String, in range: ClosedRange<Int128>) -> Int?? {
        guard values[name] != nil else { return .some(nil) }
        guard let value = integer(name), range.contains(value) else { return nil }
        return .some(Int(value))
    }

    /// Bytes in base64; none where there is no such member, and nil where it is something else.
    func bytes(_ name: String) -> [UInt8]? {
        guard values[name] != nil else { return [] }
        guard let text = text(name) else { return nil }
        return try? Base64.decode(text.string.utf8.span).get()
    }
}

extension Document {
    /// Whether the root is the envelope of graph JSON, or one in which something has been mistyped: it has the members
    /// `$archiver`, a string, and `$top`, an object. One of the two alone may have another kind if what else there is
    /// cannot be chance: the name of NSKeyedArchiver, a `$version` or `$classes`.
    var hasGraphEnvelope: Bool {
        guard case .dictionary(let pairs) = self[root], hasGraphMembers else { return false }
        func kind(_ name: String) -> StoredObject.Kind? { pairs.value(for: name.utf16).map { object($0).kind } }
        let archiver = pairs.value(for: "$archiver".utf16)
        if let archiver, text(archiver)?.string == "NSKeyedArchiver" { return true }
        let (hasArchiver, hasTop) = (kind("$archiver")?.isString ?? false, kind("$top") == .dictionary)
        let hasMore = kind("$version") == .integer || kind("$classes") == .dictionary
        return hasArchiver && hasTop || (hasArchiver || hasTop) && hasMore
    }

    /// Whether the root has members named `$archiver` and `$top`, and none named `$objects`.
    package var hasGraphMembers: Bool {
        guard case .dictionary(let pairs) = self[root] else { return false }
        func has(_ name: String) -> Bool { pairs.value(for: name.utf16) != nil }
        return has("$archiver") && has("$top") && !has("$objects")
    }
}

extension Problem {
    static func envelopeLayout() -> Problem {
        Problem("exact.layout", "\"layout\" is not what --exact writes: expected a profile and what goes with it")
    }

}
