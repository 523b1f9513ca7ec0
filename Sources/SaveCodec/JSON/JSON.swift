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
public enum JSON {
    /// Reads a JSON text (RFC 8259), in which objects may be tagged values.
    ///
    /// Names are kept in their order, repeated ones included; lone surrogate escapes are kept too.
    ///
    /// - Throws: the first thing that RFC 8259 or the form of a tagged value does not allow, with its line and column.
    public static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        try read(bytes, limits: limits, recorder: nil)
    }

    /// Reads a JSON text and where its values stand: of an exact envelope, those of the value inside.
    static func readMapped(
        _ bytes: [UInt8], limits: Limits
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        let recorder = SourceRecorder()
        return (try read(bytes, limits: limits, recorder: recorder), recorder.map)
    }

    private static func read(
        _ bytes: [UInt8], limits: Limits, recorder: SourceRecorder?
    ) throws(Problem) -> Document {
        let text = try JSONText(decoding: bytes)
        var reader = JSONReader(text, limits: limits, recorder: recorder)
        try reader.readText()
        let (isEnvelope, isGraph) = (reader.isEnvelope, reader.isGraph)
        let document = try reader.finish()
        recorder?.finish(
            text.bytes, stored: StoredEncoding(encoding: .utf8, hasMark: bytes.count > text.bytes.count))
        guard isEnvelope else { return isGraph ? document.noting { $0.isGraphJSON = true } : document }
        let value = try ExactEnvelope.open(document, limits: limits)
        recorder?.map = recorder?.map?.opened(value, in: document)
        return value
    }

    /// Reads a JSON text (RFC 8259) in which nothing is tagged, as schemas are: `{"$data": true}` is an object with a
    /// member, and so is an exact envelope.
    ///
    /// - Throws: the first thing that RFC 8259 does not allow, with its line and column.
    package static func readPlain(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        var reader = JSONReader(try JSONText(decoding: bytes), limits: limits, isPlain: true)
        try reader.readText()
        return try reader.finish()
    }

    /// What writing would lose: nothing, for any document.
    public static func losses(in document: Document) -> [Problem] { [] }

    /// Writes the document as typed JSON, ending with a line feed.
    ///
    /// Control characters, DEL, U+0080 to U+009F, U+2028, U+2029 and lone surrogates are written as escapes; everything
    /// else, `/` included, stands for itself.
    ///
    /// - Throws: a problem, before anything is written, if the document is too large to be written as a tree.
    public static func write(
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
        let text = JSONText(bytes: bytes)
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

    /// Where a value stands in a JSON text that has been read, or with `isName` the name of it: the position of a member
    /// or element in each container from the root down. Linear in the size of the text.
    ///
    /// Documents do not keep the places of their values; who complains about one of them looks it up.
    package static func place(of path: [Int], isName: Bool = false, in bytes: [UInt8]) -> SourceLocation? {
        guard let text = try? JSONText(decoding: bytes) else { return nil }
        return text.offset(of: path, isName: isName).map(text.place)
    }
}

extension JSONText {
    fileprivate func offset(of path: [Int], isName: Bool) -> Int? {
        var offset = skippingWhiteSpace(from: 0)
        for (depth, position) in path.enumerated() {
            let isObject = self[offset] == UInt8(ascii: "{")
            guard isObject || self[offset] == UInt8(ascii: "[") else { return nil }
            offset = skippingWhiteSpace(from: offset + 1)
            for _ in 0..<position {
                guard let next = next(behind: offset, isMember: isObject) else { return nil }
                offset = next
            }
            if isObject, !isName || depth < path.count - 1 {
                guard let value = value(named: offset) else { return nil }
                offset = value
            }
        }
        return offset
    }

    /// Where the member or element behind another one starts.
    private func next(behind offset: Int, isMember: Bool) -> Int? {
        guard let value = isMember ? value(named: offset) : offset, let end = endOfValue(at: value) else { return nil }
        let comma = skippingWhiteSpace(from: end)
        return self[comma] == UInt8(ascii: ",") ? skippingWhiteSpace(from: comma + 1) : nil
    }

    /// Where the value of a member starts.
    private func value(named offset: Int) -> Int? {
        guard let end = endOfScalar(at: offset), case let colon = skippingWhiteSpace(from: end),
            self[colon] == UInt8(ascii: ":")
        else { return nil }
        return skippingWhiteSpace(from: colon + 1)
    }

    /// The offset behind a value, whose text is known to be sound.
    private func endOfValue(at start: Int) -> Int? {
        var offset = start
        var depth = 0
        repeat {
            switch self[offset] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                offset += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                offset += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default:
                guard let end = endOfScalar(at: offset) else { return nil }
                offset = end
            }
        } while depth > 0
        return offset
    }
}
