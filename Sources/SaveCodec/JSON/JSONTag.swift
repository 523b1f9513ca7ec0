/// The name of the only member of a tagged value, which identifies its kind (see <doc:TypedJSON>).
enum JSONTag: String, CaseIterable {
    /// A 32-bit real: `{"$real32": 0.1}`, or a word as in ``real``.
    case real32 = "$real32"
    /// A non-finite real: `{"$real": "nan"}`, `"inf"`, `"-inf"`, or the bits of another NaN, `"0x7ff8000000000001"`.
    case real = "$real"
    /// A date: `{"$date": "2009-09-06T12:34:56.789Z"}`, the seconds since 2001, or `{"$date": {"$real": "nan"}}`.
    case date = "$date"
    /// Bytes: `{"$data": "3q0="}`.
    case data = "$data"
    /// A UID: `{"$uid": 5}`.
    case uid = "$uid"
    /// A set: `{"$set": [1, 2]}`.
    case set = "$set"
    /// A dictionary as a list of pairs: `{"$dict": [["k", 1], ["k", 2]]}`.
    case dict = "$dict"
    /// Data that contains a save in the binary property list format: `{"$bplist": {"gems": 7}}`.
    case bplist = "$bplist"
    /// Data that contains a save in the XML property list format: `{"$xplist": {"gems": 7}}`.
    case xplist = "$xplist"

    /// The format of the nested save; nil if the tag does not contain one.
    var nestedFormat: Format? {
        switch self {
        case .bplist: .binary
        case .xplist: .xml
        case .real32, .real, .date, .data, .uid, .set, .dict: nil
        }
    }

    /// Creates a tag from the UTF-16 code units of its name.
    init?(_ units: some Collection<UInt16>) {
        guard units.first == UInt16(UInt8(ascii: "$")), units.count <= 7 else { return nil }
        var name: UInt64 = 0
        for unit in units {
            guard unit < 0x80 else { return nil }
            name = name << 8 | UInt64(unit)
        }
        self.init(packed: name)
    }

    /// Creates a tag from its name packed into a number, one byte per character, the first character most significant.
    init?(packed name: UInt64) {
        guard let entry = Self.table.first(where: { $0.name == name }) else { return nil }
        self = entry.tag
    }

    /// Whether a name begins with `$` but is neither a tag nor a name in stored archives (`$class`, `$0`, `$$cash`). In
    /// a text that also contains tags, such a name shows that the tags belong to another JSON dialect.
    static func isForeign(_ name: some BidirectionalCollection<UInt16>) -> Bool {
        guard name.first == UInt16(UInt8(ascii: "$")) else { return false }
        if let second = name.dropFirst().first, second.isDigit || second == 0x24 { return false }
        return JSONTag(name) == nil && !ofArchives.contains { name.elementsEqual($0.utf16) }
    }

    private static let ofArchives = [
        "$archiver", "$class", "$classes", "$classhints", "$classname", "$objects", "$savetool", "$top", "$version",
    ]

    /// The tags by packed name. No name has more than seven characters, so each fits into 64 bits.
    private static let table = allCases.map { tag in
        (name: tag.rawValue.utf8.reduce(0) { $0 << 8 | UInt64($1) }, tag: tag)
    }

    /// The expected contents, for use in an error message.
    var contents: StaticString {
        switch self {
        case .real32: #"a number, "nan", "inf", "-inf", or the bits of another NaN as "0x" and 8 lowercase digits"#
        case .real: #""nan", "inf", "-inf", or the bits of another NaN as "0x" and 16 lowercase digits"#
        case .date: #"a date such as "2009-09-06T12:34:56Z", seconds since 2001 as a number, or {"$real": …}"#
        case .data: "base64 text"
        case .uid: "an integer from 0 to 4294967295"
        case .set: "an array"
        case .dict: "an array of pairs [key, value]"
        case .bplist, .xplist: "a value"
        }
    }
}

/// The words for non-finite reals: `nan` for the usual NaN, `inf`, `-inf`, and the bits of any other NaN, such as
/// `0x7ff0000000000001`.
struct NonFiniteReal {
    /// The number of hexadecimal digits in the bits.
    let digitCount: Int
    /// The bits of positive infinity. The bits of every NaN are larger, ignoring the sign.
    let infinity: UInt64
    /// The bits of the NaN that arithmetic produces.
    let quietNaN: UInt64
    let sign: UInt64

    static let real64 = NonFiniteReal(
        digitCount: 16, infinity: Double.infinity.bitPattern, quietNaN: 0x7FF8_0000_0000_0000, sign: 1 << 63)
    static let real32 = NonFiniteReal(
        digitCount: 8, infinity: UInt64(Float.infinity.bitPattern), quietNaN: 0x7FC0_0000, sign: 1 << 31)

    /// Returns the bits of a word; nil if ``write(_:to:)`` does not produce that word.
    func bits(of word: Span<UInt8>) -> UInt64? {
        if Self.equals(word, "nan") { return quietNaN }
        if Self.equals(word, "inf") { return infinity }
        if Self.equals(word, "-inf") { return sign | infinity }
        guard word.count == 2 + digitCount, word[0] == UInt8(ascii: "0"), word[1] == UInt8(ascii: "x") else {
            return nil
        }
        let bits = Hexadecimal.number(word.extracting(2...), allowsUppercase: false)
        return bits.flatMap { $0 & ~sign > infinity && $0 != quietNaN ? $0 : nil }
    }

    func write(_ bits: UInt64, to output: inout ByteWriter) {
        switch bits {
        case quietNaN: output.write("nan")
        case infinity: output.write("inf")
        case sign | infinity: output.write("-inf")
        default:
            output.write("0x")
            Hexadecimal.write(bits, count: digitCount, to: &output)
        }
    }

    private static func equals(_ word: Span<UInt8>, _ literal: String) -> Bool {
        word.count == literal.utf8.count && zip(word.indices, literal.utf8).allSatisfy { word[$0] == $1 }
    }
}

extension JSON {
    /// Whether a name is a tag of typed JSON.
    package static func isTag(_ name: some Collection<UInt16>) -> Bool { JSONTag(name) != nil }
}

// MARK: Use in a document

/// Plain JSON whose member names resemble typed JSON tags: `{"$set": 255}`, `{"$date": {"$numberLong": "5"}}`.
///
///     {"a": {"$date": "2009-09-06T12:34:56Z"}}                        typed: a date
///     {"a": {"$date": "2009-09-06T12:34:56Z"}, "b": {"$oid": 5}}      plain: two dictionaries
///     {"a": {"$date": "yesterday"}, "b": {"$data": "3q0="}}           plain: two dictionaries
extension Document {
    /// The use of tagged values in the JSON text that a document was read from. It decides how the writer treats
    /// dictionaries whose keys look like tags.
    enum TagUse: Sendable {
        /// The document was not read from JSON.
        case unknown
        /// The text has no tagged values, and `{"$oid": 5}` is an ordinary object.
        case none
        /// The text has tagged values, so a dictionary that looks like one is written as a list of pairs.
        case typed
        /// The text is plain JSON; nothing is a tagged value.
        case plain
    }

    /// Whether the document was read from JSON with tagged values.
    package var tagsAreRead: Bool { tagUse == .typed }

    /// Returns the document as plain JSON; nil if it was not read from JSON or contains tagged values.
    package func asPlainJSON() -> Document? {
        tagUse == .none || tagUse == .plain ? with { $0.formatFacts.tagUse = .plain } : nil
    }

    /// Returns the document as typed JSON, in which a dictionary with a key such as `$oid` is written as a list of
    /// pairs.
    package func asTypedJSON() -> Document {
        with { $0.formatFacts.tagUse = .typed }
    }

    /// Whether the document has tagged values when written as JSON.
    ///
    /// The writer turns dictionaries with duplicate keys into lists of pairs, which are tagged values. All objects are
    /// therefore checked, even if the JSON text had no tagged values.
    var hasTaggedValues: Bool {
        switch tagUse {
        case .plain: false
        case .typed: true
        case .none, .unknown: (0..<count).contains { isTagged(ObjectID($0)) }
        }
    }

    private func isTagged(_ id: ObjectID) -> Bool {
        switch self[id] {
        case .date, .data, .uid, .set, .real32: return true
        case .real64(let real): return !real.isFinite
        case .dictionary:
            let dictionary = object(id)
            let keys = (0..<dictionary.count).lazy.map { self.object(self.key($0, of: dictionary)) }
            guard keys.allSatisfy(\.kind.isString) else { return true }
            return tag(of: dictionary) != nil || firstDuplicateKey(of: dictionary) != nil
        default: return false
        }
    }

    /// Whether an object is a dictionary that typed JSON would treat as a tagged value.
    package func resemblesTaggedValue(_ id: ObjectID) -> Bool { tag(of: object(id)) != nil }

    /// Returns the tag that the only key of a dictionary names; nil for any other object.
    private func tag(of dictionary: StoredObject) -> JSONTag? {
        guard dictionary.kind == .dictionary, dictionary.count == 1 else { return nil }
        let key = object(key(0, of: dictionary))
        return key.kind.isString ? JSONTag(StoredString(self, key)) : nil
    }

    /// A warning with the reason why the text was read as plain JSON although some names look like tags. Nil if no name
    /// does, or if plain JSON was requested.
    package var plainJSONWarning: Problem? {
        tagContradiction.map {
            Problem(
                "json.plain",
                "\($0.message); the file is read as plain JSON, where members such as \"$date\" are ordinary keys",
                severity: .warning, at: $0.location, address: $0.address)
        }
    }

    /// Returns ``plainJSONWarning``, followed by a warning for each object that resembles a tagged value but becomes a
    /// dictionary in other formats. Empty without ``plainJSONWarning``.
    ///
    /// - Parameter limit: The maximum number of dictionaries with a warning.
    /// - Returns: The warnings, and the number of them without the limit.
    package func plainTagWarnings(limit: Int) -> (problems: [Problem], count: Int) {
        guard let warning = plainJSONWarning else { return ([], 0) }
        let named = (0..<count).lazy.map { ObjectID($0) }.filter { tag(of: object($0)) != nil }
        let addresses = addresses(of: Set(named.prefix(limit)))
        let problems = addresses.compactMap { id, address -> Problem? in
            guard let tag = tag(of: object(id)) else { return nil }
            return Problem(
                "json.plain", "the object with the member \"\(tag.rawValue)\" becomes a dictionary", severity: .warning,
                address: address)
        }
        return ([warning] + problems.sorted { "\($0)" < "\($1)" }, 1 + named.count)
    }
}

/// The objects that begin with a tag and have no second member, and so are tagged values.
///
/// Whether an array is the contents of a tag is only known after its end, which is too late for a reader that builds
/// the document as it goes. The first object that begins with a tag and is not a tagged scalar therefore triggers one
/// scan of the remaining text. The scan ignores syntax errors, because the reader reports them.
struct TaggedValueOffsets {
    private struct Candidate {
        let offset: Int
        let depth: Int
        var hasComma = false
    }

    private var offsets: Set<Int> = []

    init(in text: JSONText, from start: Int) {
        var candidates: [Candidate] = []
        var depth = 0
        var offset = start
        while offset < text.bytes.count {
            switch text.bytes[offset] {
            case UInt8(ascii: "\""):
                offset = text.endOfString(from: offset + 1) ?? text.bytes.count
            case UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: "{"):
                depth += 1
                if text.tag(ofObjectAt: offset) != nil { candidates.append(Candidate(offset: offset, depth: depth)) }
            case UInt8(ascii: ","):
                if let last = candidates.last, last.depth == depth { candidates[candidates.count - 1].hasComma = true }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let last = candidates.last, last.depth == depth {
                    candidates.removeLast()
                    if !last.hasComma { offsets.insert(last.offset) }
                }
                depth -= 1
            default:
                break
            }
            offset += 1
        }
    }

    /// Whether the tag is the only member of the object with its brace at `offset`.
    func contains(objectAt offset: Int) -> Bool {
        offsets.contains(offset)
    }
}
