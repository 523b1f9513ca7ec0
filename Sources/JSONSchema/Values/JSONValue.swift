import KeyedArchives
import SaveCodec

/// A value of the value graph as JSON Schema sees it: one of the six kinds of JSON.
///
///     value graph                                     JSON
///     Player {health: 100, seen: date, icon: data}    {"health": 100, "seen": "2009-09-06T12:34:56Z",
///                                                      "icon": "3q0=", "$class": "Player"}
///
/// Dates and data are strings, sets are arrays, reals that are not finite are null, and a UID is an object without
/// members. An object of an archive has its fields as members, and `$class` as the last one. With duplicate keys, every
/// pair is a member.
enum JSONValue: Sendable {
    case scalar(JSONScalar)
    case array(ViewContents)
    case object(JSONMembers)

    /// Whether the value is an array or an object.
    var isContainer: Bool {
        if case .scalar = self { false } else { true }
    }

    /// The value if it is a scalar.
    var asScalar: JSONScalar? {
        if case .scalar(let scalar) = self { scalar } else { nil }
    }

    /// The cost of looking at the value once, beside the application itself: one for each sixteen contents or units.
    var cost: Int {
        switch self {
        case .scalar(.string(.text(let text))): text.count >> 4
        case .scalar(.string(.units(let units))): units.count >> 4
        case .scalar(.string(.data(let bytes))): bytes.count >> 4
        case .scalar: 0
        case .array(let contents): contents.count >> 4
        case .object(let members): members.count >> 4
        }
    }

    init(_ value: ViewValue) {
        switch value.form {
        case .scalar(let node): self.init(node)
        case .array, .set: self = .array(value.contents)
        case .dictionary: self = .object(JSONMembers(contents: value.contents, classPosition: nil))
        case .object: self = .object(JSONMembers(contents: value.contents, classPosition: value.classPosition))
        }
    }

    /// The value of a scalar of the value graph.
    init(_ node: Node) {
        if case .uid = node {
            self = .object(JSONMembers(contents: .empty, classPosition: nil))
        } else {
            self = .scalar(JSONScalar(node))
        }
    }
}

/// A value of JSON that contains no others.
enum JSONScalar: Sendable, Equatable {
    case null
    case boolean(Bool)
    case number(Number)
    case string(JSONText)

    /// A date is its text, or its seconds since 2001 if the calendar has no such day. A UID and a container, which are no
    /// scalars of JSON, are null.
    init(_ node: Node) {
        self =
            switch node {
            case .null, .uid, .array, .set, .dictionary: .null
            case .boolean(let value): .boolean(value)
            case .integer(let integer): .number(.integer(integer.value))
            case .real64(let value): value.isFinite ? .number(.real(value)) : .null
            case .real32(let value): value.isFinite ? .number(.single(value)) : .null
            case .date(let seconds): Self.date(seconds)
            case .data(let bytes): .string(.data(bytes))
            case .string(let text): .string(.text(text))
            }
    }

    private static func date(_ seconds: Double) -> JSONScalar {
        if let text = ScalarText.date(seconds) { return .string(.units(Array(text.utf16))) }
        return seconds.isFinite ? .number(.real(seconds)) : .null
    }

    /// Whether two scalars are equal: numbers by what they are.
    static func == (a: JSONScalar, b: JSONScalar) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.boolean(let a), .boolean(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a == b
        default: false
        }
    }
}

/// The members of an object, to be looked up with ``ObjectView/member(_:of:)``.
struct JSONMembers: Sendable {
    /// The pairs of a dictionary, or the fields of an object.
    let contents: ViewContents
    /// The class of an object, whose name is the last member; nil for a dictionary.
    let classPosition: Int?

    /// The number of members, `$class` included.
    var count: Int { classPosition == nil ? contents.count : contents.count + 1 }
}

/// The text of a string, or of what JSON writes as one.
enum JSONText: Sendable, Equatable {
    case text(StoredString)
    case units([UInt16])
    /// Bytes, as base64.
    case data(ArraySlice<UInt8>)

    /// The code units.
    var units: [UInt16] {
        switch self {
        case .text(let text): Array(text)
        case .units(let units): units
        case .data(let bytes): Self.base64(bytes)
        }
    }

    /// Whether two texts have the same code units.
    static func == (a: JSONText, b: JSONText) -> Bool {
        if case .text(let a) = a, case .text(let b) = b { return a.hasSameUnits(as: b) }
        return a.units == b.units
    }

    /// The number of characters: Unicode code points, where a lone surrogate is one too.
    var length: Int {
        switch self {
        case .text(let text) where text.isOneByte: return text.count
        case .data(let bytes): return (bytes.count + 2) / 3 * 4
        default: break
        }
        var length = 0
        var last: UInt16 = 0
        for unit in units {
            let isSecondHalf = UTF16.isTrailSurrogate(unit) && UTF16.isLeadSurrogate(last)
            length += isSecondHalf ? 0 : 1
            last = isSecondHalf ? 0 : unit
        }
        return length
    }

    private static func base64(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
        var output = ByteWriter()
        ScalarText.writeBase64(Array(bytes), to: &output)
        return output.takeBytes().map(UInt16.init)
    }
}
