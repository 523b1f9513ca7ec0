package import SaveCodec

/// What a schema checks, as JSON, value by value: a document, or whatever else can be seen as one.
///
///     {"lives": 3, "items": [true]}      value(root)          object of 2
///                                        member(0, of: root)  "lives", an identity whose value is the number 3
///                                        member(1, of: root)  "items", an identity whose value is an array of 1
///
/// Values have identities, so that one which is reached in many ways is looked at once; a look at any takes constant
/// time. Dates and data are strings, sets are arrays, reals that are not finite are null. Where a key is repeated, every
/// pair counts as a member. An object of an archive has its fields, and `$class` as its last member.
package protocol Instance: AnyObject {
    /// The identity that the others are contents of.
    var root: InstanceID { get }
    /// How many values there may be; all identities have indices below.
    var count: Int { get }
    /// How many bytes the file has that the values are in.
    var byteCount: Int { get }
    /// Whether a repeated key stands for its last value, not its first.
    var lastRepeatedKeyWins: Bool { get }

    /// The value with an identity.
    func value(_ id: InstanceID) -> InstanceValue
    /// The element of an array at a position.
    func element(_ position: Int, of id: InstanceID) -> InstanceID
    /// The member of an object at a position.
    func member(_ position: Int, of id: InstanceID) -> InstanceMember
    /// Whether it may take longer to look at a value than to look up an answer: what has contents, objects of an archive
    /// and long texts. Told without looking at the value.
    func isLarge(_ id: InstanceID) -> Bool
    /// How many references, units or bytes are stored in place for a value.
    func weight(_ id: InstanceID) -> Int

    // What JSON has no word for.

    /// What a value is, where JSON has one kind for several.
    func form(of id: InstanceID) -> InstanceForm
    /// Whether a value of an archive is an object of its own, and not stored in place; nil where it makes no difference,
    /// for nil and for what is in no archive.
    func isObject(_ id: InstanceID) -> Bool?
    /// The class of an object of an archive, by its number, without looking at the object.
    func classNumber(of id: InstanceID) -> Int?
    /// The name of a class, and those of its ancestors.
    func classNames(_ number: Int) -> [StoredString]
    /// The save that data holds; nil if it holds none, or a damaged one, and for other values.
    func content(of id: InstanceID) -> (any Instance)?
}

extension Instance {
    package func content(of id: InstanceID) -> (any Instance)? { nil }
}

/// The identity of a value that a schema looks at.
package enum InstanceID: Hashable, Sendable {
    case value(Int)
    /// The name that a key stands for, which is no string itself.
    case name(Int)
    /// The name of a class, as the value of the member `$class`.
    case className(Int)
    /// The name `$class`.
    case classKey

    /// A number from zero, for tables by identity; below ``numberLimit(count:)``.
    var number: Int {
        switch self {
        case .value(let index): 4 &* index
        case .name(let index): 4 &* index &+ 1
        case .className(let position): 4 &* position &+ 2
        case .classKey: 3
        }
    }

    static func numberLimit(count: Int) -> Int { 4 * count + 4 }
}

/// A member of an object.
package struct InstanceMember {
    package let name: InstanceID
    package let value: InstanceID

    package init(name: InstanceID, value: InstanceID) {
        self.name = name
        self.value = value
    }
}

/// What a schema sees of a value: one of the six kinds of JSON.
package enum InstanceValue: Sendable {
    case null
    case boolean(Bool)
    case number(Number)
    case string(InstanceText)
    case array(count: Int)
    /// How many members it has, `$class` included.
    case object(count: Int)

    /// Whether there are values in it.
    var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// What it costs to look at the value once, beside the application itself: one for each sixteen contents or units.
    var cost: Int {
        switch self {
        case .null, .boolean, .number: 0
        case .string(.text(let text)): text.count >> 4
        case .string(.units(let units)): units.count >> 4
        case .string(.data(let bytes)): bytes.count >> 4
        case .array(let count), .object(let count): count >> 4
        }
    }
}

/// What a value is, where JSON has one kind for several.
package enum InstanceForm: Sendable {
    /// A value that contains no others.
    case scalar(Node)
    case array
    case set
    case dictionary
    /// An object of an archive.
    case object
}

/// Text of a string, of what plain JSON writes as one, or of a name.
package enum InstanceText: Sendable {
    case text(StoredString)
    case units([UInt16])
    /// Bytes, as base64.
    case data(ArraySlice<UInt8>)

    /// The code units.
    package var units: [UInt16] {
        switch self {
        case .text(let text): Array(text)
        case .units(let units): units
        case .data(let bytes): Self.base64(bytes)
        }
    }

    /// How many characters there are: Unicode code points, where half a surrogate pair is one too.
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
