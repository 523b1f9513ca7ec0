/// A schema as flat tables, for ``QuickCheck``: what most schemas demand of most values.
///
///     {"type": "array",                  node  types   items  members
///      "items": {                        0     array   1
///        "properties": {                 1     all            0..<2
///          "name": {"type": "string"},   2     string
///          "score": {}}}}                3     all
///
///     members  0  "name"   node 2
///              1  "score"  node 3
///
/// There is nothing in a node to be counted as used while it is looked at, which two processors would wait for each
/// other to do.
struct QuickSchema: Sendable {
    struct Node: Sendable {
        /// Whether the node is all that the schema demands.
        var isComplete = true
        var types = JSONTypes.all
        // Ranges of the tables below.
        var counts = 0..<0
        var numbers = 0..<0
        var patterns = 0..<0
        /// The scalars that the value may be; empty if it may be any.
        var choices = 0..<0
        /// The schemas that are applied to the value itself.
        var inPlace = 0..<0
        /// The schema of the elements.
        var items: Int?
        /// The names that mean something, in the order of their numbers.
        var members = 0..<0
        /// The bits of the members that must be there.
        var required: UInt64 = 0
        /// The schema of other members.
        var additional: Int?
    }

    struct Member: Sendable {
        let name: Int32
        /// The schema of the value; nil if it is that of the other members.
        var schema: Int?
        /// The bit of a member that must be there, else zero.
        var bit: UInt64 = 0
    }

    private(set) var nodes: [Node] = []
    private(set) var counts: [CountLimit] = []
    private(set) var numbers: [NumberLimit] = []
    private(set) var patterns: [SchemaPattern] = []
    private(set) var choices: [JSONScalar] = []
    private(set) var inPlace: [Int] = []
    private(set) var members: [Member] = []
    let root: Int
    /// The numbers of the names.
    let names: [[UInt16]: Int32]

    init(_ nodes: [SchemaNode], root: Int, names: [[UInt16]: Int32], documents: [SchemaDocument]) {
        self.root = root
        self.names = names
        for node in nodes {
            var draft = QuickDraft(documents: documents, isComplete: node.verdict != false)
            for assertion in node.assertions { assertion.add(to: &draft) }
            for applicator in node.applicators { applicator.add(to: &draft) }
            add(draft)
        }
    }

    private mutating func add(_ draft: QuickDraft) {
        var node = Node()
        node.isComplete = draft.isComplete && draft.required.count <= UInt64.bitWidth
        node.types = draft.types
        node.counts = Self.append(draft.counts, to: &counts)
        node.numbers = Self.append(draft.numbers, to: &numbers)
        node.patterns = Self.append(draft.patterns, to: &patterns)
        node.choices = Self.append(draft.choices ?? [], to: &choices)
        node.inPlace = Self.append(draft.inPlace, to: &inPlace)
        node.items = draft.items
        node.additional = draft.additional
        var members: [Int32: Member] = [:]
        for (name, schema) in draft.members { members[name] = Member(name: name, schema: schema) }
        for (position, name) in draft.required.prefix(UInt64.bitWidth).enumerated() {
            members[name, default: Member(name: name)].bit = 1 << UInt64(position)
            node.required |= 1 << UInt64(position)
        }
        node.members = Self.append(members.values.sorted { $0.name < $1.name }, to: &self.members)
        nodes.append(node)
    }

    private static func append<Element>(_ elements: [Element], to table: inout [Element]) -> Range<Int> {
        table += elements
        return table.count - elements.count..<table.count
    }
}

/// What the keywords of a schema demand, as they add it for a quick check.
struct QuickDraft {
    /// The documents that schemas are in.
    let documents: [SchemaDocument]
    /// Whether all demands could be added.
    var isComplete: Bool
    var types = JSONTypes.all
    var counts: [CountLimit] = []
    var numbers: [NumberLimit] = []
    var patterns: [SchemaPattern] = []
    private(set) var choices: [JSONScalar]?
    var inPlace: [Int] = []
    var items: Int?
    var members: [(name: Int32, schema: Int)] = []
    var required: [Int32] = []
    var additional: Int?

    init(documents: [SchemaDocument], isComplete: Bool) {
        self.documents = documents
        self.isComplete = isComplete
    }

    /// Adds the values of which the value must be one: a few scalars.
    mutating func add(choices: [JSONValue]) {
        let scalars = choices.compactMap(\.asScalar)
        isComplete = isComplete && self.choices == nil && 1...32 ~= choices.count && scalars.count == choices.count
        self.choices = scalars
    }
}
