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
