/// The JSON format: typed JSON, which holds every property list both ways without loss, and plain JSON as its part.
///
///     object table                                      JSON
///     dictionary  "name" → "Zoë"                        {
///                 "best" → real 10.0                      "name": "Zoë",
///                 "when" → date 0.5        JSONWriter     "best": 10.0,
///                 "icon" → data DE AD         ──▶         "when": {"$date": "2001-01-01T00:00:00.5Z"},
///                 "tags" → set of 1, 2        ◀──         "icon": {"$data": "3q0="},
///                                         JSONReader      "tags": {"$set": [
///                                                           1,
///                                                           2
///                                                         ]}
///                                                       }
///
/// What JSON has no value for is a *tagged* value: an object with exactly one member, which a ``JSONTag`` names. What the
/// table holds and would be read as something else (repeated or non-string keys, a dictionary that looks like a tagged
/// value) is a list of pairs, `{"$dict": [[key, value], …]}`. Integers and reals are told apart by their text: a real
/// has a point or an exponent. Widths of integers and UIDs and encodings of strings are not kept here but by
/// ``ExactEnvelope``.
package enum JSON {
    /// Reads a JSON text (RFC 8259), in which objects may be tagged values.
    ///
    /// Names are kept in their order, repeated ones included; lone surrogate escapes are kept too.
    ///
    /// - Throws: the first thing that RFC 8259 or the form of a tagged value does not allow, with its line and column.
    static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        try read(bytes, limits: limits, nested: .propertyLists)
    }

    /// The same for typed JSON alone: a tag with other contents than it should have is an error.
    package static func readTyped(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        try read(bytes, limits: limits, nested: .propertyLists.reading(.typed))
    }

    /// The treatment of typed JSON tags.
    package enum Dialect: String, Sendable {
        /// The text decides. It is plain JSON if a tag has other contents than it should, or if there is a name beside
        /// tagged values that begins with `$` and neither typed JSON nor stored archives have.
        case detected = "json"
        /// A tag with other contents than it should have is an error.
        case typed = "typed-json"
        /// Tags are ordinary names.
        case plain = "plain-json"
    }

    /// The same with what makes files of the saves that stand in the text in place of data.
    static func read(
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveWriter
    ) throws(Problem) -> Document {
        try read(bytes, limits: limits, isMapped: false, nested: nested).document
    }

    /// Reads a JSON text and where its values stand: of an exact envelope, those of the value inside.
    static func readMapped(
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveWriter = .propertyLists
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        try read(bytes, limits: limits, isMapped: true, nested: nested)
    }

    /// Reads a text as typed JSON, and again as plain JSON if something in it contradicts that: at most twice.
    private static func read(
        _ bytes: [UInt8], limits: Limits, isMapped: Bool, nested: NestedSaveWriter
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        let text = try JSONText(decoding: bytes)
        if nested.dialect == .plain { return try readPlain(text, limits: limits, isMapped: isMapped) }
        let recorder = isMapped ? SourceRecorder() : nil
        var reader = JSONReader(text, limits: limits, recorder: recorder, nested: nested)
        do throws(Problem) {
            try reader.readText()
        } catch {
            guard nested.dialect == .detected, let found = reader.contradiction(error) else { throw error }
            return try readPlain(text, limits: limits, isMapped: isMapped, as: found, isError: true)
        }
        guard nested.dialect == .detected, let found = reader.contradiction else {
            return (try reader.finish(), recorder?.map)
        }
        return try readPlain(text, limits: limits, isMapped: isMapped, as: found, isError: false)
    }

    /// Reads a text as plain JSON.
    ///
    /// - Parameters:
    ///   - contradiction: why it is no typed JSON.
    ///   - isError: whether it is an error in the text of an archive, which can be nothing but a mistake.
    private static func readPlain(
        _ text: JSONText, limits: Limits, isMapped: Bool, as contradiction: Problem, isError: Bool
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        let (document, map) = try readPlain(text, limits: limits, isMapped: isMapped)
        if isError, document.hasGraphEnvelope || ExactEnvelope.isPresent(in: document) { throw contradiction }
        return (document.noting { $0.formatFacts.tagContradiction = contradiction }, map)
    }

    /// Reads a JSON text (RFC 8259) in which nothing is tagged, as schemas are: `{"$data": true}` is an object with a
    /// member, and so is an exact envelope.
    ///
    /// - Throws: the first thing that RFC 8259 does not allow, with its line and column.
    package static func readPlain(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        try readPlain(try JSONText(decoding: bytes), limits: limits, isMapped: false).document
    }

    private static func readPlain(
        _ text: JSONText, limits: Limits, isMapped: Bool
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        let recorder = isMapped ? SourceRecorder() : nil
        var reader = JSONReader(text, limits: limits, isPlain: true, recorder: recorder)
        try reader.readText()
        return (try reader.finish(), recorder?.map)
    }

    /// What writing would lose: nothing, for any document.
    static func losses(in document: Document) -> [Problem] { [] }

    /// Writes the document as typed JSON, ending with a line feed.
    ///
    /// Control characters, DEL, U+0080 to U+009F, U+2028, U+2029 and lone surrogates are written as escapes; everything
    /// else, `/` included, stands for itself.
    ///
    /// - Throws: a problem, before anything is written, if the document is too large to be written as a tree.
    static func write(
        _ document: Document, to output: inout ByteWriter, options: WriteOptions = WriteOptions(),
        limits: Limits = Limits()
    ) throws(Problem) {
        guard !options.isExact else {
            return try ExactEnvelope.write(document, to: &output, options: options, limits: limits)
        }
        try document.checkExpansion(limits)
        JSONWriter.writeValue(of: document, root: document.root, indentation: 0, options: options, to: &output)
        output.write(UInt8(ascii: "\n"))
    }
}

extension JSON {
    /// Whether a sound text is as compact or not as options want it, and no envelope; of white space it has all that
    /// there can be, or none but a last line end.
    static func isStyled(_ bytes: [UInt8], as options: WriteOptions) -> Bool {
        let text = JSONText(bytes)
        let end = bytes.last == 0x0A ? bytes.count - 1 : bytes.count
        var (spaces, lineEnds) = (0, 0)
        var offset = 0
        while offset < end {
            if text.holds("\"$savetool\"", at: offset) || options.isExact { return false }
            switch bytes[offset] {
            case 0x20, 0x09: spaces += 1
            case 0x0A, 0x0D: lineEnds += 1
            default: break
            }
            offset = text.endOfScalar(at: offset) ?? offset + 1
        }
        return options.isCompact ? spaces + lineEnds == 0 : lineEnds > 0
    }

    /// Where a value stands in a JSON text that was read with ``readPlain(_:limits:)``, or with `isName` the name of it: the
    /// position of a member or element in each container from the root down.
    ///
    /// The text is read again: documents do not keep the places of their values, who complains about one looks it up.
    package static func place(of path: [Int], isName: Bool = false, in bytes: [UInt8]) -> SourceLocation? {
        guard let text = try? JSONText(decoding: bytes),
            let (document, read) = try? readPlain(text, limits: Limits(), isMapped: true), let map = read
        else { return nil }
        var (id, range) = (document.root, map.root)
        for (depth, position) in path.enumerated() {
            let container = document.object(id)
            guard container.kind.isContainer, position < container.count else { return nil }
            let isObject = container.kind == .dictionary
            let isKey = isName && isObject && depth == path.count - 1
            range = isKey ? map.key(position, of: id) : map.value(position, of: id)
            id = document.member(position, of: container)
        }
        return .inText(map.text, at: range.lowerBound)
    }
}
