/// The name of the one member of a tagged value: what kind of value JSON has no literal for (design.md §5.1).
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
        }
    }
}
