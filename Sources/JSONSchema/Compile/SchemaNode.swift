import SaveCodec

/// A compiled schema: what it demands, in the order in which that is checked.
struct SchemaNode: Sendable {
    /// The answer of the schemas `true` and `false`; nil for the others.
    var verdict: Bool?
    /// What the value itself tells.
    var assertions: [any Assertion] = []
    /// What other schemas tell, of this value or of its contents. Those that depend on the others come last.
    var applicators: [any Applicator] = []
    /// The resource that the schema is in.
    let resource: Int
    /// Where the schema stands.
    let location: SchemaLocation
    /// How many schemas refer to this one.
    var references = 0
    /// Whether a value may be met here again while it is evaluated, other than through its contents.
    var hasDynamicReference = false
    /// Whether other schemas are applied to the value itself.
    var appliesInPlace = false

    /// Whether one value may be met here by many ways, and each costs more than to look up the answer.
    var isShared: Bool { appliesInPlace && (references > 1 || hasDynamicReference) }
}

/// Where a schema stands: some steps below another one, or in a document.
struct SchemaLocation: Sendable {
    /// The position of the document.
    let document: Int
    /// The schema around it; nil if the tokens start at the root.
    let parent: Int?
    /// The steps from there.
    let tokens: [[UInt16]]
}
