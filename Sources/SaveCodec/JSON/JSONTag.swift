/// The name of the one member of a tagged value: what kind of value JSON has no literal for (see <doc:TypedJSON>).
enum JSONTag: String, CaseIterable {
    /// A real of four bytes: `{"$real32": 0.1}`, or a word as of ``real``.
    case real32 = "$real32"
    /// A real that is not finite: `{"$real": "nan"}`, `"inf"`, `"-inf"`, or the bits of another NaN, `"0x7ff8000000000001"`.
    case real = "$real"
    /// A point in time: `{"$date": "2009-09-06T12:34:56.789Z"}`, seconds since 2001, or `{"$date": {"$real": "nan"}}`.
    case date = "$date"
    /// Bytes: `{"$data": "3q0="}`.
    case data = "$data"
    /// A UID: `{"$uid": 5}`.
    case uid = "$uid"
    /// A set: `{"$set": [1, 2]}`.
    case set = "$set"
    /// A dictionary as a list of pairs: `{"$dict": [["k", 1], ["k", 2]]}`.
    case dict = "$dict"
    /// Data that holds a save, as that: `{"$bplist": {"gems": 7}}`, a binary property list.
    case bplist = "$bplist"
    /// The same of an XML property list.
    case xplist = "$xplist"

    /// The format of the save that the data holds; nil if it is told by no tag.
    var nestedFormat: Format? {
        switch self {
        case .bplist: .binary
        case .xplist: .xml
        case .real32, .real, .date, .data, .uid, .set, .dict: nil
        }
    }

    /// The tag whose name has these code units.
    init?(_ units: some Collection<UInt16>) {
        guard units.first == UInt16(UInt8(ascii: "$")), units.count <= 7 else { return nil }
        var name: UInt64 = 0
        for unit in units {
            guard unit < 0x80 else { return nil }
            name = name << 8 | UInt64(unit)
        }
        self.init(packed: name)
    }

    /// The tag whose name is packed into a number, one byte for each character, the first the most significant.
    init?(packed name: UInt64) {
        guard let entry = Self.table.first(where: { $0.name == name }) else { return nil }
        self = entry.tag
    }

    /// Whether a name begins with `$` and is no tag, nor one that stored archives have (`$class`, `$0`, `$$cash`): where
    /// it stands among tagged values, those are of another kind of JSON.
    static func isForeign(_ name: some BidirectionalCollection<UInt16>) -> Bool {
        guard name.first == UInt16(UInt8(ascii: "$")) else { return false }
        if let second = name.dropFirst().first, (0x30...0x39).contains(second) || second == 0x24 { return false }
        return JSONTag(name) == nil && !ofArchives.contains { name.elementsEqual($0.utf16) }
    }

    private static let ofArchives = [
        "$archiver", "$class", "$classes", "$classhints", "$classname", "$objects", "$savetool", "$top", "$version",
    ]

    /// Every name has at most seven characters, so that names compare as numbers.
    private static let table = allCases.map { tag in
        (name: tag.rawValue.utf8.reduce(0) { $0 << 8 | UInt64($1) }, tag: tag)
    }

    /// What the member's value is, for a sentence.
    var contents: StaticString {
        switch self {
        case .real32: #"a number, "nan", "inf", "-inf", or the bits of another NaN as "0x" and 8 lowercase digits"#
        case .real: #""nan", "inf", "-inf", or the bits of another NaN as "0x" and 16 lowercase digits"#
        case .date: #"a date such as "2009-09-06T12:34:56Z", seconds since 2001 as a number, or {"$real": …}"#
        case .data: "base64 text"
        case .uid: "a whole number from 0 to 4294967295"
        case .set: "an array"
        case .dict: "an array of pairs [key, value]"
        case .bplist, .xplist: "a value"
        }
    }
}

/// The words for reals that JSON has no literal for, both ways: `nan` for the usual NaN, `inf`, `-inf`, and the bits of
/// any other NaN, such as `0x7ff0000000000001`.
struct NonFiniteReal {
    /// The digits that the bits take.
    let digitCount: Int
    /// The bits of positive infinity. A NaN has larger ones, apart from the sign.
    let infinity: UInt64
    /// The bits of the NaN that arithmetic yields.
    let quietNaN: UInt64
    /// The bit of the sign.
    let sign: UInt64

    /// Reals of eight bytes.
    static let real64 = NonFiniteReal(
        digitCount: 16, infinity: Double.infinity.bitPattern, quietNaN: 0x7FF8_0000_0000_0000, sign: 1 << 63)
    /// Reals of four bytes.
    static let real32 = NonFiniteReal(
        digitCount: 8, infinity: UInt64(Float.infinity.bitPattern), quietNaN: 0x7FC0_0000, sign: 1 << 31)

    /// The bits that a word stands for; nil if ``write(_:to:)`` writes no such word.
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

    /// Writes the word for the bits of a real that is not finite.
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

// MARK: Use in a document

/// Plain JSON with member names like typed JSON tags: `{"$set": 255}`, `{"$date": {"$numberLong": "5"}}`.
///
///     {"a": {"$date": "2009-09-06T12:34:56Z"}}                        typed: a date
///     {"a": {"$date": "2009-09-06T12:34:56Z"}, "b": {"$oid": 5}}      plain: two dictionaries
///     {"a": {"$date": "yesterday"}, "b": {"$data": "3q0="}}           plain: two dictionaries
extension Document {
    /// The use of tagged values in a JSON text, which decides how dictionaries with such names are written.
    enum TagUse: Sendable {
        /// The document was not read from JSON.
        case unknown
        /// The text has no tagged values, and `{"$oid": 5}` is an ordinary object.
        case none
        /// There are some, so all others that look like one are lists of pairs.
        case typed
        /// Nothing is a tagged value, even if it looks like one.
        case plain
    }

    /// The same as plain JSON; nil if it was not read from JSON, or from a text with tagged values.
    package func asPlainJSON() -> Document? {
        tagUse == .none || tagUse == .plain ? noting { $0.formatFacts.tagUse = .plain } : nil
    }

    /// The same document as typed JSON, which escapes names that begin with `$`, even if it was read from plain JSON.
    package func asTypedJSON() -> Document {
        noting { $0.formatFacts.tagUse = .typed }
    }

    /// Whether JSON of the document has tagged values. A list of pairs is one, which the writer makes of duplicate keys, so
    /// all objects are looked at even if the JSON that the document was read from has none.
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
            return tag(of: dictionary) != nil || firstRepeatedKey(of: dictionary) != nil
        default: return false
        }
    }

    /// The tag that the only key of a dictionary names; nil for any other dictionary.
    private func tag(of dictionary: StoredObject) -> JSONTag? {
        guard dictionary.kind == .dictionary, dictionary.count == 1 else { return nil }
        let key = object(key(0, of: dictionary))
        return key.kind.isString ? JSONTag(StoredString(self, key)) : nil
    }

    /// Why a document was read from plain JSON though it has members named like tags, as a warning; nil if nothing in it
    /// looks like one, or if it was asked for.
    package var plainJSONWarning: Problem? {
        tagContradiction.map {
            Problem(
                "json.plain",
                "\($0.message); so the file is plain JSON, and a member such as \"$date\" is an ordinary key",
                severity: .warning, at: $0.place, address: $0.address)
        }
    }

    /// A warning for each of the first dictionaries that a conversion makes of objects named like tagged values, and their
    /// number. There are none where nobody could have meant a tagged value.
    ///
    /// - Parameter limit: how many warnings there are at most.
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
