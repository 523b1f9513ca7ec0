/// The names of the elements of XML property lists.
///
///     <plist version="1.0"><dict><key>gems</key><integer>7</integer></dict></plist>        standard
///     <plist version="1.0" gjver="2.0"><dict><k>gems</k><i>7</i></dict></plist>            short
///
/// Geometry Dash shortens a name to its first letter if `gjver` is 2 or more, except for the names of `plist` and the
/// root. It has no dates and no data, so their names stay long. The reader also accepts long names in short
/// texts.
enum XMLDialect: Sendable {
    case standard, short

    /// Detects the dialect of a text from its root: from `gjver`, or from the first element in it that is not an
    /// array or a dictionary.
    init(of text: [UInt8]) {
        var cursor = XMLCursor(text, .short)
        self = .standard
        while cursor.skipToElement() {
            let start = cursor.position
            guard let tag = try? cursor.readTag() else { return }
            if tag.name.isShort || tag.element == .plist && Self.isNew(text[start..<cursor.position]) {
                self = .short
                return
            }
            guard [.plist, .dict, .array].contains(tag.element), !tag.isEmpty else { return }
        }
    }

    /// Whether the `gjver` of a `plist` tag is 2 or more.
    private static func isNew(_ tag: ArraySlice<UInt8>) -> Bool {
        var cursor = XMLCursor(Array(tag))
        guard cursor.skip(past: "gjver=") else { return false }
        guard cursor.skip("\"") || cursor.skip("'") else { return false }
        while cursor.byte == UInt8(ascii: "0") { cursor.position += 1 }
        let first = cursor.byte
        cursor.position += 1
        let hasMore = XMLNumber.digit(cursor.byte, radix: 10) != nil
        return XMLNumber.digit(first, radix: 10).map { $0 >= 2 || $0 > 0 && hasMore } ?? false
    }

    /// Returns the name of an element.
    func name(of element: XMLElement) -> XMLName {
        XMLName(element, isShort: self == .short && element.shortName != nil)
    }

    /// The names of all elements, for messages.
    var alternatives: String {
        let values: [XMLElement] = [.key, .string, .integer, .real, .true, .false, .date, .data]
        let names = [XMLElement.plist, .dict, .array].map { "\($0.longName)" }
        let short = self == .short ? ["d", "a"] : []
        return Phrase.alternatives(names + short + values.map { "\(name(of: $0).text)" })
    }
}

/// An element of a property list.
///
/// The raw value contains the bytes of the long name, so that one comparison identifies a name.
enum XMLElement: UInt64 {
    case plist = 0x70_6C_69_73_74
    case array = 0x61_72_72_61_79
    case dict = 0x64_69_63_74
    case key = 0x6B_65_79
    case string = 0x73_74_72_69_6E_67
    case data = 0x64_61_74_61
    case date = 0x64_61_74_65
    case `true` = 0x74_72_75_65
    case `false` = 0x66_61_6C_73_65
    case integer = 0x69_6E_74_65_67_65_72
    case real = 0x72_65_61_6C

    /// Creates the element with a short name.
    fileprivate init?(shortName: UInt64) {
        switch shortName {
        case 0x61: self = .array
        case 0x64: self = .dict
        case 0x66: self = .false
        case 0x69: self = .integer
        case 0x6B: self = .key
        case 0x72: self = .real
        case 0x73: self = .string
        case 0x74: self = .true
        default: return nil
        }
    }

    fileprivate var longName: StaticString {
        switch self {
        case .plist: "plist"
        case .array: "array"
        case .dict: "dict"
        case .key: "key"
        case .string: "string"
        case .data: "data"
        case .date: "date"
        case .true: "true"
        case .false: "false"
        case .integer: "integer"
        case .real: "real"
        }
    }

    fileprivate var shortName: StaticString? {
        switch self {
        case .array: "a"
        case .dict: "d"
        case .false: "f"
        case .integer: "i"
        case .key: "k"
        case .real: "r"
        case .string: "s"
        case .true: "t"
        case .plist, .data, .date: nil
        }
    }
}

/// The name of an element as a text spells it.
struct XMLName: Equatable {
    let element: XMLElement
    let isShort: Bool

    fileprivate init(_ element: XMLElement, isShort: Bool) {
        self.element = element
        self.isShort = isShort
    }

    /// Creates the name whose characters are the bytes of an integer, with the last one in the lowest byte; nil if no
    /// element of the dialect has this name.
    @inline(__always)
    init?(_ bytes: UInt64, _ dialect: XMLDialect) {
        if let element = XMLElement(rawValue: bytes) {
            self.init(element, isShort: false)
        } else if dialect == .short, let element = XMLElement(shortName: bytes) {
            self.init(element, isShort: true)
        } else {
            return nil
        }
    }

    /// The length of the name, which is at most seven bytes.
    var length: Int { isShort ? 1 : 8 - element.rawValue.leadingZeroBitCount / 8 }

    /// The characters of the name as the bytes of an integer, with the last one in the lowest byte.
    var bytes: UInt64 {
        isShort ? element.rawValue >> UInt64(56 - element.rawValue.leadingZeroBitCount & ~7) : element.rawValue
    }

    var text: StaticString { (isShort ? element.shortName : nil) ?? element.longName }
}

// MARK: Writing

/// The tags of a writer of XML property lists, with the line breaks after them. This is a class, because copying all
/// tags would slow the writer down.
final class XMLTags: Sendable {
    /// The tags of an array or a dictionary.
    struct Container {
        let start, end, empty: ShortText

        fileprivate init(_ name: String, isShort: Bool) {
            let lineBreak = isShort ? "" : "\n"
            start = ShortText("<\(name)>" + lineBreak)
            end = ShortText("</\(name)>" + lineBreak)
            empty = ShortText(isShort ? "<\(name) />" : "<\(name)/>\n")
        }
    }

    /// The tags around the text of a scalar.
    struct Scalar {
        let start, end: ShortText

        fileprivate init(_ name: String, isShort: Bool) {
            start = ShortText("<\(name)>")
            end = ShortText(isShort ? "</\(name)>" : "</\(name)>\n")
        }
    }

    /// The tags in Core Foundation's style.
    static let standard = XMLTags(isShort: false)

    /// The tags in the style of Geometry Dash. The names of the root, of dates and of data are not shortened.
    static let short = XMLTags(isShort: true)

    /// The text before and after the root.
    let opening, closing: StaticString
    let rootDictionary, rootArray, dictionary, array: Container
    let key, string, integer, real, date, data: Scalar
    let `true`, `false`: ShortText
    /// Whether each element has its own line.
    let hasLines: Bool
    /// Whether reals have the fewest digits that read back as the same value.
    let hasShortReals: Bool

    private init(isShort: Bool) {
        opening =
            isShort
            ? "<?xml version=\"1.0\"?><plist version=\"1.0\" gjver=\"2.0\">"
            : """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        closing = isShort ? "</plist>" : "</plist>\n"
        rootDictionary = Container("dict", isShort: isShort)
        rootArray = Container("array", isShort: isShort)
        dictionary = Container(isShort ? "d" : "dict", isShort: isShort)
        array = Container(isShort ? "a" : "array", isShort: isShort)
        key = Scalar(isShort ? "k" : "key", isShort: isShort)
        string = Scalar(isShort ? "s" : "string", isShort: isShort)
        integer = Scalar(isShort ? "i" : "integer", isShort: isShort)
        real = Scalar(isShort ? "r" : "real", isShort: isShort)
        date = Scalar("date", isShort: isShort)
        data = Scalar("data", isShort: isShort)
        `true` = Container(isShort ? "t" : "true", isShort: isShort).empty
        `false` = Container(isShort ? "f" : "false", isShort: isShort).empty
        hasLines = !isShort
        hasShortReals = isShort
    }
}
