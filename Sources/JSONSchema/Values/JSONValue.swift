import KeyedArchives
import SaveCodec

/// A value of the value graph, converted to one of the six types of JSON to which schemas apply.
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

    var isContainer: Bool {
        if case .scalar = self { false } else { true }
    }

    var asScalar: JSONScalar? {
        if case .scalar(let scalar) = self { scalar } else { nil }
    }

    /// The number of steps for reading the value once: one for every 16 elements, members, code units or bytes. The
    /// step for the application itself is not included.
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
        switch value.variant {
        case .scalar(let node): self.init(node)
        case .array, .set: self = .array(value.contents)
        case .dictionary: self = .object(JSONMembers(contents: value.contents, classPosition: nil))
        case .object: self = .object(JSONMembers(contents: value.contents, classPosition: value.classPosition))
        }
    }

    /// Creates the JSON value of a scalar of the value graph.
    init(_ node: Node) {
        if case .uid = node {
            self = .object(JSONMembers(contents: .empty, classPosition: nil))
        } else {
            self = .scalar(JSONScalar(node))
        }
    }
}

/// A JSON value without contents.
enum JSONScalar: Sendable, Equatable {
    case null
    case boolean(Bool)
    case number(Number)
    case string(JSONText)

    /// Creates the JSON value of a node.
    ///
    /// A date is converted to its text, or to its seconds since 2001 if the calendar has no such day. UIDs and
    /// containers, which are not scalars in JSON, are converted to null.
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

    /// Whether two scalars are equal. Numbers are compared by value, regardless of their types.
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

/// The members of an object, which ``ObjectView/member(_:of:)`` reads.
struct JSONMembers: Sendable {
    let contents: ViewContents
    /// The position of the object's class, whose name is the value of the last member, `$class`; nil for a dictionary.
    let classPosition: Int?

    /// The number of members, including `$class`.
    var count: Int { classPosition == nil ? contents.count : contents.count + 1 }
}

/// The text of a string, or of a value that JSON writes as a string.
enum JSONText: Sendable, Equatable {
    case text(StoredString)
    case units([UInt16])
    /// Data, written as Base64.
    case data(ArraySlice<UInt8>)

    var units: [UInt16] {
        switch self {
        case .text(let text): Array(text)
        case .units(let units): units
        case .data(let bytes): Self.base64(bytes)
        }
    }

    static func == (a: JSONText, b: JSONText) -> Bool {
        if case .text(let a) = a, case .text(let b) = b { return a.hasSameUnits(as: b) }
        return a.units == b.units
    }

    /// The number of Unicode code points, where a lone surrogate counts as one.
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

// MARK: Values of a view

/// Access to the value graph as JSON. It takes constant time, except for the name of a key that is not a string.
extension ObjectView {
    /// Returns a value as JSON, which is how schemas see it.
    func json(_ id: ViewID) -> JSONValue {
        guard let object = scalarObject(id) else { return JSONValue(self[id]) }
        return JSONValue(document.node(object))
    }

    /// Returns a value as JSON, or a name as a string.
    func json(_ subject: Subject) -> JSONValue {
        subject.isName ? .scalar(.string(name(of: subject.id))) : json(subject.id)
    }

    /// Returns the element at a position of an array.
    func element(_ position: Int, of contents: ViewContents) -> ViewID {
        item(position, of: contents).id
    }

    /// Returns the key of the member at a position of an object.
    func key(_ position: Int, of members: JSONMembers) -> ViewID {
        guard position < members.contents.count else { return classKey(of: members.contents) ?? root }
        let item = item(position, of: members.contents)
        return item.key ?? item.id
    }

    /// Returns the member at a position of an object: its key, and its value or the name of the class.
    func member(_ position: Int, of members: JSONMembers) -> (key: ViewID, value: Subject) {
        if position == members.contents.count, let archive, let number = members.classPosition {
            return (key(position, of: members), Subject(name: id(of: archive.classes[number].uid)))
        }
        let item = item(position, of: members.contents)
        return (item.key ?? item.id, Subject(item.id))
    }

    /// Returns the name of a key in JSON: its text, or the plain JSON text of another scalar.
    ///
    /// For the record of a class, returns the name of the class. For any other container, returns `#` and its number.
    func name(of key: ViewID) -> JSONText {
        switch json(key) {
        case .scalar(.null): .units(Array("null".utf16))
        case .scalar(.boolean(let value)): .units(Array("\(value)".utf16))
        case .scalar(.number(let number)): .units(Array(number.description.utf16))
        case .scalar(.string(.data(let bytes))): .units(JSONText.data(bytes).units)
        case .scalar(.string(let text)): text
        case .array, .object: nameOfClass(withRecord: key).map { .text($0) } ?? .units(Array("#\(key.index)".utf16))
        }
    }

    private func nameOfClass(withRecord id: ViewID) -> StoredString? {
        guard let archive, let uid = uid(id), case .classRecord(let number) = archive.role(of: uid) else { return nil }
        return archive.classes[number].name
    }

    /// Returns the value that a token of an address leads to, or nil if it does not exist.
    func member(named token: AddressToken, of id: ViewID) -> ViewID? {
        let target = target(of: token, in: id) ?? positionOfOtherKey(named: token, in: self[id]).map { .slot($0) }
        return target.flatMap { value(at: $0, of: id) }
    }

    /// Returns the position of the non-string key that has the token as its name.
    private func positionOfOtherKey(named token: AddressToken, in value: ViewValue) -> Int? {
        guard !token.isExtension, ContainerKind(value.variant)?.isKeyed ?? false else { return nil }
        return document.effective(of: 0..<value.contents.count) { position in
            guard let key = item(position, of: value.contents).key, text(key) == nil else { return false }
            return self.name(of: key).units == token.units
        }
    }

    /// Returns the save nested in a data value. Returns nil for other values, and if the save is missing or damaged.
    func content(of id: ViewID) -> ObjectView? {
        (try? nestedSave(in: id))?.view
    }

    // MARK: Costs

    /// Whether reading a value may take longer than looking up a cached result, as for containers, archived objects and
    /// long texts. Does not read the value.
    func isLarge(_ id: ViewID) -> Bool {
        classPosition(of: id) != nil || document.object(stored(id)).isLarge
    }

    /// Returns the number of references, code units or bytes that a value stores in place.
    func weight(_ id: ViewID) -> Int {
        document.object(stored(id)).count
    }
}

extension StoredObject {
    /// Whether reading the object may take longer than looking up a cached result. A UID is an object in JSON.
    var isLarge: Bool {
        switch kind {
        case .array, .set, .dictionary, .uid: true
        default: count > Self.longestSmall
        }
    }

    /// The length up to which reading a text is as fast as looking up a cached result.
    private static let longestSmall = 64
}

// MARK: Words for values

extension Phrase {
    /// Describes a value, including its text if it is a scalar: `the string "abc"`, `an array of 3 elements`.
    static func value(_ subject: Subject, in view: ObjectView) -> String {
        switch view.json(subject) {
        case .scalar(.null): "null"
        case .scalar(.boolean(let value)): "\(value)"
        case .scalar(.number(let number)): "the number \(number)"
        case .scalar(.string(let text)): "the string \(quoted(shown(text)))"
        case .array(let contents): "an array of \(count(contents.count, "element"))"
        case .object(let members):
            if let name = members.classPosition.flatMap({ view.archive?.classes[$0].name }) {
                "an object of class \(quoted(name))"
            } else {
                "an object of \(count(members.count, "member"))"
            }
        }
    }

    /// Returns the part of a text that a message shows. Data is not converted as a whole.
    private static func shown(_ text: JSONText) -> [UInt16] {
        switch text {
        case .text(let text): Array(text.prefix(textLimit + 1))
        case .units(let units): units
        case .data(let bytes): JSONText.data(bytes.prefix(textLimit)).units
        }
    }
}

// MARK: Subjects

/// The subject of a schema: a value of the value graph, or a name.
///
///     {"$dict": [[5, true]]}    Subject(value)       true
///                               Subject(name: key)   "5", the name of a key that is the number 5
///
/// The value of `$class` is a name too: the name of the class's record. A name is a string, even if the key is not, and
/// is stored neither in place nor as an object.
struct Subject: Hashable, Sendable {
    /// The value, the key or the record of a class.
    let id: ViewID
    /// Whether the subject is the name instead of the value.
    let isName: Bool

    init(_ id: ViewID) {
        self.id = id
        isName = false
    }

    init(name id: ViewID) {
        self.id = id
        isName = true
    }

    /// An index for tables, less than ``numberLimit(of:)``.
    var number: Int { 2 &* id.index &+ (isName ? 1 : 0) }

    static func numberLimit(of view: ObjectView) -> Int { 2 * view.count }
}
