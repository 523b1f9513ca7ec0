/// The JSON format: typed JSON, which stores every property list without loss, and its subset plain JSON.
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
/// A value that JSON has no literal for is a *tagged* value: an object with exactly one member, whose name is a
/// ``JSONTag``. A dictionary is written as a list of pairs, `{"$dict": [[key, value], …]}`, if a reader would otherwise
/// misread it: it has duplicate or non-string keys, or looks like a tagged value. A number with a point or an exponent
/// is a real, and so is `-0`; any other number is an integer. The widths of integers and UIDs and the encodings of
/// strings are only kept by ``ExactEnvelope``.
package enum JSON {
    /// Reads a JSON text (RFC 8259) that may contain tagged values.
    ///
    /// Members keep their order. Duplicate names and escaped lone surrogates are kept too.
    ///
    /// - Throws: The first violation of RFC 8259, with its line and column, or a problem with a nested save. A tag with
    ///   invalid contents is an error only in graph JSON and exact envelopes; any other text is then plain JSON.
    static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        try read(bytes, limits: limits, nested: .propertyLists)
    }

    /// Reads typed JSON. A tag with invalid contents is an error.
    package static func readTyped(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        try read(bytes, limits: limits, nested: .propertyLists.reading(.typed))
    }

    /// The JSON that a reader accepts.
    package struct Dialect: Sendable {
        /// Whether names such as `$date` are treated as tags of typed JSON.
        package enum Tags: Sendable {
            /// Detected from the text: plain JSON if a tag has invalid contents, or if the text has both tagged values
            /// and a name that begins with `$` but belongs to neither typed JSON nor stored archives. Otherwise typed
            /// JSON.
            case detected
            /// Typed JSON. A tag with invalid contents is an error.
            case typed
            /// Plain JSON. Tags are ordinary names.
            case plain
        }

        package var tags: Tags
        /// Whether comments and trailing commas are allowed. They are reported in the document's warnings.
        package var allowsComments: Bool

        package init(tags: Tags, allowsComments: Bool = false) {
            (self.tags, self.allowsComments) = (tags, allowsComments)
        }

        /// JSON as in RFC 8259, with or without tags.
        package static let detected = Dialect(tags: .detected)
        package static let typed = Dialect(tags: .typed)
        package static let plain = Dialect(tags: .plain)
        /// JSON that may have comments and trailing commas.
        package static let commented = Dialect(tags: .detected, allowsComments: true)
    }

    /// Reads a JSON text, using `nested` to convert its nested saves into data.
    static func read(
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveConverter
    ) throws(Problem) -> Document {
        try read(bytes, limits: limits, isMapped: false, nested: nested).document
    }

    /// Reads a JSON text and the locations of its values. The map of an exact envelope covers the value inside.
    static func readMapped(
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveConverter = .propertyLists
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        try read(bytes, limits: limits, isMapped: true, nested: nested)
    }

    /// Reads a text. If that fails and the dialect allows comments, reads it again without comments and trailing
    /// commas.
    private static func read(
        _ bytes: [UInt8], limits: Limits, isMapped: Bool, nested: NestedSaveConverter
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        let text = try JSONText(decoding: bytes)
        do throws(Problem) {
            return try read(text, limits: limits, isMapped: isMapped, nested: nested)
        } catch {
            guard nested.dialect.allowsComments, error.kind.isOf(.json),
                let (plain, warnings) = text.withoutComments()
            else { throw error }
            let (document, map) = try read(plain, limits: limits, isMapped: isMapped, nested: nested)
            return (
                document.with { facts in
                    facts.warnings += warnings
                    facts.formatFacts.hasComments = true
                }, map
            )
        }
    }

    /// Reads a text as typed or plain JSON, as the dialect says. If tags are to be detected, a text that contradicts
    /// typed JSON is read again as plain JSON.
    private static func read(
        _ text: JSONText, limits: Limits, isMapped: Bool, nested: NestedSaveConverter
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        let tags = nested.dialect.tags
        if tags == .plain { return try readPlain(text, limits: limits, isMapped: isMapped) }
        let recorder = isMapped ? SourceRecorder() : nil
        var reader = JSONReader(text, limits: limits, recorder: recorder, nested: nested)
        do throws(Problem) {
            try reader.readText()
        } catch {
            guard tags == .detected, let found = reader.contradiction(error) else { throw error }
            return try readPlain(text, limits: limits, isMapped: isMapped, as: found, isError: true)
        }
        guard tags == .detected, let found = reader.contradiction else {
            return (try reader.finish(), recorder?.map)
        }
        return try readPlain(text, limits: limits, isMapped: isMapped, as: found, isError: false)
    }

    /// Reads a text as plain JSON.
    ///
    /// - Parameters:
    ///   - contradiction: The reason why the text is not typed JSON.
    ///   - isError: Whether `contradiction` is an error if the text is graph JSON or an exact envelope.
    private static func readPlain(
        _ text: JSONText, limits: Limits, isMapped: Bool, as contradiction: Problem, isError: Bool
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        let (document, map) = try readPlain(text, limits: limits, isMapped: isMapped)
        if isError, document.hasGraphEnvelope || ExactEnvelope.isPresent(in: document) { throw contradiction }
        return (document.with { $0.formatFacts.tagContradiction = contradiction }, map)
    }

    /// Reads a JSON text (RFC 8259) without tagged values or envelopes, such as a JSON Schema. `{"$data": true}` is an
    /// ordinary object with one member.
    ///
    /// - Throws: The first violation of RFC 8259, with its line and column.
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

    /// Returns no losses, because typed JSON represents every value.
    static func losses(in document: Document) -> [Problem] { [] }

    /// Writes the document as typed JSON, ending with a line feed.
    ///
    /// Control characters, DEL, U+0080 to U+009F, U+2028, U+2029 and lone surrogates are escaped. All other characters,
    /// including `/`, are written unescaped.
    ///
    /// - Throws: A problem, before writing anything, if the document is too large when written as a tree.
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

    /// Whether a valid text has the compactness that the options ask for and is not an exact envelope. A compact text
    /// has no white space except a final line feed; any other text has at least one line break.
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

    /// Returns the location of a value, or of its name if `isName`, in a text read with ``readPlain(_:limits:)``.
    ///
    /// The text is read again, because documents do not keep locations.
    ///
    /// - Parameter path: The position of the member or element in each container from the root down.
    package static func location(of path: [Int], isName: Bool = false, in bytes: [UInt8]) -> SourceLocation? {
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
