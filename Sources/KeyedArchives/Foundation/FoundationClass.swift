import SaveCodec

/// A class of Foundation, or of the frameworks that games use, whose fields are known (see <doc:ArchiveFormat>): what
/// its class record holds, and what its objects are made of.
struct FoundationClass: Sendable {
    /// The name of the class.
    let name: String
    /// The class and its ancestors, as its record has them.
    let chain: [String]
    /// How its objects are made up.
    let layout: Layout

    /// How the objects of a class are made up.
    enum Layout: Sendable {
        /// `NS.objects`: an inline array of references; with archivers other than NSKeyedArchiver `NS.object.0`, …
        case elements(ObjectEncoding.Collection)
        /// `NS.object.0`, …, always.
        case numbered
        /// `NS.keys` and `NS.objects`: parallel inline arrays of references; with archivers other than NSKeyedArchiver
        /// `NS.key.0`, `NS.object.0`, …
        case pairs
        /// The text itself, under `NS.string`, or as UTF-8 under `NS.bytes`.
        case string
        /// The bytes themselves, under `NS.data` or `NS.bytes`.
        case data
        /// Seconds since 2001, under `NS.time`.
        case date
        /// A number under `NS.intval`, `NS.dblval` or `NS.boolval`. NSKeyedArchiver stores numbers plainly.
        case number
        /// Nothing.
        case null
        /// Fields, of which these have a kind that is known. What the object stands for, shown beside its class, is
        /// told by ``Annotation``.
        case fields([FieldRule], Annotation?)
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

    /// The class of this name, or nil.
    static func named(_ name: StoredString) -> FoundationClass? {
        // No name in the table is longer.
        guard name.count <= 64 else { return nil }
        return named(name.string)
    }

    static func named(_ name: String) -> FoundationClass? {
        table[name]
    }

    /// All classes.
    static let all = collections + values + measurements + graphics + sprites

    /// The names of all classes, in order.
    static var names: [String] { table.keys.sorted() }

    private static let table = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}

/// A field of a class, and what must stand there.
///
/// Only what every archive obeys is a rule, whoever wrote it: archivers store equal numbers of different kinds as one, so
/// that a boolean may stand for an integer.
struct FieldRule: Sendable {
    /// What a field holds.
    enum Kind: Sendable {
        /// A reference to an object, nil included.
        case reference
        /// A reference to a string, to the object of a class, or to nil.
        case string
        /// A reference to a number, to the object of a class, or to nil.
        case number
        /// A reference to data, to the object of a class, or to nil.
        case bytes
        /// An integer in place, or a boolean.
        case integer
        /// A real in place, or another number.
        case real
        /// A boolean in place, or an integer.
        case boolean
        /// Data in place.
        case data
        /// Data of 16 bytes in place.
        case uuid
    }

    let name: StaticString
    let kind: Kind
    /// Whether every object of the class has it.
    let isRequired: Bool

    init(_ name: StaticString, _ kind: Kind, isRequired: Bool = false) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
    }

    /// Rules for fields of one kind, none of which an object must have.
    static func all(_ kind: Kind, _ names: StaticString...) -> [FieldRule] {
        names.map { FieldRule($0, kind) }
    }

    /// A rule for a field that every object of the class has.
    static func required(_ name: StaticString, _ kind: Kind) -> [FieldRule] {
        [FieldRule(name, kind, isRequired: true)]
    }
}

/// What an object stands for, as text beside its class; never a change of the data (see ``ObjectView/annotation(of:)``).
enum Annotation: Sendable, Equatable {
    /// The text of a field.
    case identifier(String)
    /// The text of a field, in quotation marks.
    case quoted(String)
    case attributedString, calendarDate, color, countedSet, dateComponents, dateInterval, decimal, error, font
    case indexPath, indexSet, measurement, node, personName, queryItem, uiColor, url, uuid, value
}

extension KeyedArchive {
    /// The names of Foundation's classes for collections and values: those that a secure unarchiver is told to expect
    /// beside the classes of a game.
    package static let foundationNames: [String] =
        (FoundationClass.collections + FoundationClass.values + FoundationClass.measurements).map(\.name)
}
