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
        self.init(name, ancestors, layout)
    }

    init(_ name: String, _ ancestors: String..., fields: [FieldRule], _ annotation: Annotation? = nil) {
        self.init(name, ancestors, .fields(fields, annotation))
    }

    private init(_ name: String, _ ancestors: [String], _ layout: Layout) {
        self.name = name
        chain = [name] + ancestors + ["NSObject"]
        self.layout = layout
    }

    /// The class of this name, or nil.
    static func named(_ name: Text) -> FoundationClass? {
        // No name in the table is longer.
        guard name.count <= 64 else { return nil }
        return named(name.string)
    }

    static func named(_ name: String) -> FoundationClass? {
        table[name]
    }

    /// All classes.
    static let all = collections + values + measurements + graphics + sprites

    private static let table = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
