/// Typed JSON that restores the original binary file byte for byte.
///
///     {
///       "$savetool": 1,
///       "layout": {"profile": "cf", "digest": "9f0c…"},
///       "value": …
///     }
///
/// `layout` is the ``LayoutRecord`` of the file. It is absent if the document was not read from a binary file. `value`
/// is absent if expanding the shared objects would make it too large; the layout then holds the file itself.
enum ExactEnvelope {
    private static let version = 1

    /// Whether a document is an envelope: it has an integer `$savetool`, and a `value` or `layout` member. In any other
    /// document, `$savetool` is an ordinary name.
    static func isPresent(in document: Document) -> Bool {
        guard case .dictionary(let pairs) = document[document.root],
            let version = pairs.value(for: "$savetool".utf16), document.object(version).kind == .integer
        else { return false }
        return ["value", "layout"].contains { pairs.value(for: $0.utf16) != nil }
    }

    /// Writes a document and its layout. Keys keep their stored order, without which the file could not be restored.
    static func write(
        _ document: Document, to output: inout ByteWriter, options: WriteOptions, limits: Limits
    ) throws(Problem) {
        var options = options
        options.keyOrder = .stored
        // An envelope is always typed JSON, even if the document was read from plain JSON.
        let document = document.isPlainJSON ? document.asTypedJSON() : document
        let isTree = document.canExpand(limits)
        guard document.isFile || isTree else { return try document.checkExpansion(limits) }
        let layout = document.isFile ? try layout(of: document, isTree: isTree).document() : nil
        var json = JSONOutput(options.isCompact ? .compact : .indented)
        json.open(.object, to: &output)
        json.member("$savetool", version, to: &output)
        if let layout { write(member: "layout", layout, options, in: &json, to: &output) }
        if isTree { write(member: "value", document, options, in: &json, to: &output) }
        json.close(to: &output)
        output.write(UInt8(ascii: "\n"))
    }

    private static func write(
        member name: StaticString, _ document: Document, _ options: WriteOptions, in json: inout JSONOutput,
        to output: inout ByteWriter
    ) {
        json.name(name, to: &output)
        json.write(to: &output) {
            JSONWriter.writeValue(of: document, root: document.root, indentation: 1, options: options, to: &$0)
        }
    }

    private static func layout(of document: Document, isTree: Bool) -> LayoutRecord {
        isTree ? LayoutRecord(of: document) : .raw(document.image)
    }

    /// Returns the document in an envelope: the binary file if the layout still matches the value, otherwise the value
    /// alone. If a layout does not match, the value has a finding about it.
    ///
    /// - Throws: A problem if the object is not an envelope of a known version, or has contents that
    ///   ``write(_:to:options:limits:)`` does not write.
    static func open(_ envelope: Document, limits: Limits) throws(Problem) -> Document {
        let members = try EnvelopeMembers(of: envelope.root, in: envelope, known: ["$savetool", "layout", "value"])
        guard members.integer("$savetool") == Int128(version) else {
            throw Problem("exact.version", "\"$savetool\" is not 1, the only supported version")
        }
        let value = members["value"].map { envelope.rooted(at: $0) }
        guard let layout = members["layout"] else {
            guard let value else { throw .envelopeEmpty() }
            return value
        }
        guard let record = try LayoutRecord(layout, of: envelope) else { throw .envelopeLayout() }
        if let file = try record.file(for: value, limits: limits) { return try BinaryPlist.read(file, limits: limits) }
        guard let value else { throw .envelopeEmpty() }
        let note = Problem(
            "exact.layout-dropped", "the value was edited; its recorded layout is dropped and the file gets a new one",
            severity: .info)
        return value.with { $0.warnings.append(note) }
    }
}

extension Problem {
    fileprivate static func envelopeEmpty() -> Problem {
        Problem("exact.value", "missing member \"value\" next to \"$savetool\"")
    }

}

// MARK: Members

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
