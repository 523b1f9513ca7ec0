/// The members of an object whose member names are fixed: an envelope or a layout record.
struct EnvelopeMembers {
    private let document: Document
    private var values: [String: ObjectID] = [:]

    /// - Throws: A problem if the value is not an object, or has an unknown or duplicate member.
    init(of id: ObjectID, in document: Document, known: [String]) throws(Problem) {
        self.document = document
        guard case .dictionary(let pairs) = document[id] else { throw .envelopeLayout() }
        for (key, value) in pairs {
            let name = document.text(key)?.prefix(40)
            guard let name, let match = known.first(where: { name.elementsEqual($0.utf16) }), values[match] == nil
            else {
                throw Problem(
                    "exact.member",
                    "unknown or duplicate member \"\(name.map { SafeText.escaping($0) } ?? "")\"")
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

    /// Returns an integer within `range`.
    ///
    /// - Returns: `.some(nil)` if the member is absent, nil if it is not an integer within the range.
    func size(_ name: String, in range: ClosedRange<Int128>) -> Int?? {
        guard values[name] != nil else { return .some(nil) }
        guard let value = integer(name), range.contains(value) else { return nil }
        return .some(Int(value))
    }

    /// Returns the bytes of a Base64 member: empty if the member is absent, nil if it is not valid Base64.
    func bytes(_ name: String) -> [UInt8]? {
        guard values[name] != nil else { return [] }
        guard let text = text(name) else { return nil }
        return try? Base64.decode(text.string.utf8.span).get()
    }
}

extension Document {
    /// Whether the root is an envelope of graph JSON, possibly with a mistyped member.
    ///
    /// A correct envelope has the members `$archiver`, a string, and `$top`, an object. One of the two may have another
    /// kind if the root also has an integer `$version` or an object `$classes`. The archiver name `NSKeyedArchiver`
    /// alone is enough.
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
        Problem("exact.layout", "\"layout\" is invalid; expected a profile and its members, as written by --exact")
    }

}
