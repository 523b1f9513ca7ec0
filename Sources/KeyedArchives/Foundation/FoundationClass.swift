import SaveCodec

/// A class of Foundation, or of another framework that games use, whose fields are known (see <doc:ArchiveFormat>).
package struct FoundationClass: Sendable {
    let name: String
    /// The class and its ancestors, as in the class record.
    package let chain: [String]
    let layout: Layout

    /// The layout of the objects of a class.
    enum Layout: Sendable {
        /// `NS.objects`, an inline array of references; with archivers other than NSKeyedArchiver, `NS.object.0`, …
        case elements(ObjectEncoding.Collection)
        /// `NS.object.0`, … with every archiver.
        case numbered
        /// `NS.keys` and `NS.objects`, parallel inline arrays of references; with archivers other than NSKeyedArchiver,
        /// `NS.key.0`, `NS.object.0`, …
        case pairs
        /// Text in `NS.string`, or UTF-8 in `NS.bytes`.
        case string
        /// Bytes in `NS.data` or `NS.bytes`.
        case data
        /// Seconds since 2001 in `NS.time`.
        case date
        /// A number in `NS.intval`, `NS.dblval` or `NS.boolval`. NSKeyedArchiver stores numbers as plain values
        /// instead.
        case number
        /// No fields.
        case null
        /// Named fields: the rules for the fields whose kind is known, and the annotation of the object.
        case fields([FieldRule], Annotation?)
    }

    /// Whether an object of the class stands for nil.
    package var isNull: Bool {
        if case .null = layout { true } else { false }
    }

    /// Whether the class is one of those for collections, strings, data, dates, numbers and null.
    package var isOfPropertyLists: Bool {
        if case .fields = layout { false } else { true }
    }

    init(_ name: String, _ ancestors: String..., layout: Layout) {
        self.init(name: name, ancestors, layout)
    }

    init(_ name: String, _ ancestors: String..., fields: [FieldRule], _ annotation: Annotation? = nil) {
        self.init(name: name, ancestors, .fields(fields, annotation))
    }

    private init(name: String, _ ancestors: [String], _ layout: Layout) {
        self.name = name
        chain = [name] + ancestors + ["NSObject"]
        self.layout = layout
    }

    static func named(_ name: StoredString) -> FoundationClass? {
        // No name in the table is longer.
        guard name.count <= 64 else { return nil }
        return named(name.string)
    }

    package static func named(_ name: String) -> FoundationClass? {
        table[name]
    }

    static let all = collections + values + measurements + graphics + sprites

    /// The names of all known classes, sorted.
    static var names: [String] { table.keys.sorted() }

    private static let table = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}

/// A field of a class and the kind of its value.
///
/// A rule holds in the archives of every writer. Archivers store equal numbers of different kinds as one object, so a
/// Boolean may be stored where an integer is expected.
struct FieldRule: Sendable {
    enum Kind: Sendable {
        /// A reference to any object, or to nil.
        case reference
        /// A reference to a string, an object of a class, or nil.
        case string
        /// A reference to a number, an object of a class, or nil.
        case number
        /// A reference to data, an object of a class, or nil.
        case bytes
        /// An integer or a Boolean in place.
        case integer
        /// A real or another number in place.
        case real
        /// A Boolean or an integer in place.
        case boolean
        /// Data in place.
        case data
        /// Data of 16 bytes in place.
        case uuid
    }

    let name: StaticString
    let kind: Kind
    /// Whether every object of the class has the field.
    let isRequired: Bool

    init(_ name: StaticString, _ kind: Kind, isRequired: Bool = false) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
    }

    /// Returns rules for optional fields of one kind.
    static func all(_ kind: Kind, _ names: StaticString...) -> [FieldRule] {
        names.map { FieldRule($0, kind) }
    }

    /// Returns the rule for a field that every object of the class has.
    static func required(_ name: StaticString, _ kind: Kind) -> [FieldRule] {
        [FieldRule(name, kind, isRequired: true)]
    }
}

/// A text that describes an object, shown next to its class. It never changes the data (see
/// ``ObjectView/annotation(of:)``).
enum Annotation: Sendable, Equatable {
    /// The text of a field.
    case identifier(String)
    /// The text of a field, in quotation marks.
    case quoted(String)
    case attributedString, calendarDate, color, countedSet, dateComponents, dateInterval, decimal, error, font
    case indexPath, indexSet, measurement, node, personName, queryItem, uiColor, url, uuid, value
}

extension KeyedArchive {
    /// The names of Foundation's collection, value and measurement classes, which a policy of allowed classes can name
    /// as a group.
    package static let foundationNames: [String] =
        (FoundationClass.collections + FoundationClass.values + FoundationClass.measurements).map(\.name)
}
