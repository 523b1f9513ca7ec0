import SaveCodec

/// A class of Foundation, or of the frameworks that games use, whose fields are known (formats.md §5.3): what its class
/// record holds, and what its objects are made of.
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
        case elements(Collection)
        /// `NS.object.0`, …, always.
        case numbered
        /// `NS.keys` and `NS.objects`: parallel inline arrays of references.
        case pairs
        /// The text itself, under `NS.string`.
        case string
        /// The bytes themselves, under `NS.data`.
        case data
        /// Seconds since 2001, under `NS.time`.
        case date
        /// Nothing.
        case null
        /// Fields, of which these have a kind that is known. What the object stands for, shown beside its class, is
        /// told by ``Annotation``.
        case fields([FieldRule], Annotation?)
    }

    /// Whether elements have an order.
    enum Collection: Sendable {
        case array, set
    }

    init(_ name: String, _ ancestors: String..., layout: Layout) {
        self.name = name
        chain = [name] + ancestors + ["NSObject"]
        self.layout = layout
    }

    /// The class of this name, or nil.
    static func named(_ name: Text) -> FoundationClass? {
        named(name.string)
    }

    static func named(_ name: String) -> FoundationClass? {
        table[name]
    }

    private static let table = Dictionary(
        (collections + values + frameworks).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}

/// A field of a class, and what must stand there.
struct FieldRule: Sendable {
    /// What a field holds.
    enum Kind: Sendable {
        /// A reference to an object, nil included.
        case reference
        /// A number in place: an integer or a boolean.
        case integer
        /// A real in place.
        case real
        /// A boolean in place.
        case boolean
        /// Data in place.
        case data
    }

    let name: String
    let kind: Kind
    /// Whether every object of the class has it.
    let isRequired: Bool

    init(_ name: String, _ kind: Kind, isRequired: Bool = true) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
    }
}
