import KeyedArchives
import SaveCodec

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

// MARK: Checking

/// A first look at a document: whether it is as a schema demands, at a fraction of what the ``Evaluator`` takes.
///
/// It says yes, or that it takes a closer look: the value is wrong, the schema demands what a ``QuickSchema`` has no
/// place for, or objects are shared so often that answers had better be kept. Keeps its own list of what is to be looked
/// at, so that nothing overflows the stack.
private struct QuickCheck {
    private struct Visit {
        let schema: Int
        let id: ObjectID
    }

    private let schema: QuickSchema
    private let document: Document
    private var pending: [Visit] = []
    /// How many more values are looked at, and bytes of long texts, which many references may lead to.
    private var steps: Int
    private var searches: RegexSearches
    /// The number of the name by key: -1 for names that mean nothing to the schema, -2 for those not read yet.
    private var names: [Int32]

    init(_ schema: QuickSchema, _ view: ObjectView) {
        self.schema = schema
        document = view.document
        steps = 1000 + 4 * view.count + 2 * view.document.imageSize
        searches = RegexSearches(steps: RegexSearches.steps(for: view))
        names = [Int32](repeating: -2, count: view.count)
    }

    /// Whether the document is known to be as the schema demands.
    mutating func holds() -> Bool {
        pending = [Visit(schema: schema.root, id: document.root)]
        while let visit = pending.popLast() {
            guard look(at: visit) else { return false }
        }
        return true
    }

    private mutating func look(at visit: Visit) -> Bool {
        let node = schema.nodes[visit.schema]
        let object = document.object(visit.id)
        guard allows(object, node) else { return false }
        for schema in schema.inPlace[node.inPlace] {
            guard meet(visit.id, schema) else { return false }
        }
        switch object.kind {
        case .array, .set: return node.items.map { meetElements(of: object, $0) } ?? true
        case .dictionary: return meetMembers(of: object, node)
        default: return true
        }
    }

    private mutating func meetElements(of array: StoredObject, _ schema: Int) -> Bool {
        for position in 0..<array.count {
            guard meet(document.reference(position, of: array), schema) else { return false }
        }
        return true
    }

    private mutating func meetMembers(of dictionary: StoredObject, _ node: QuickSchema.Node) -> Bool {
        guard !node.members.isEmpty || node.additional != nil else { return true }
        var missing = node.required
        for position in 0..<dictionary.count {
            guard let name = name(document.key(position, of: dictionary)) else { return false }
            let member = member(name, of: node)
            missing &= ~(member?.bit ?? 0)
            guard let schema = member?.schema ?? node.additional else { continue }
            guard meet(document.value(position, of: dictionary), schema) else { return false }
        }
        return missing == 0
    }

    /// What a name means; nil if that is nothing.
    private func member(_ name: Int32, of node: QuickSchema.Node) -> QuickSchema.Member? {
        var (low, high) = (node.members.lowerBound, node.members.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if schema.members[middle].name < name { low = middle + 1 } else { high = middle }
        }
        guard low < node.members.upperBound, schema.members[low].name == name else { return nil }
        return schema.members[low]
    }

    /// The number of a key; nil if it is no string.
    private mutating func name(_ key: ObjectID) -> Int32? {
        if names[key.index] != -2 { return names[key.index] }
        guard let text = document.text(key) else { return nil }
        names[key.index] = schema.names[Array(text)] ?? -1
        return names[key.index]
    }

    /// Looks at a scalar at once, and at others later.
    private mutating func meet(_ id: ObjectID, _ number: Int) -> Bool {
        steps -= 1
        guard steps > 0 else { return false }
        let node = schema.nodes[number]
        let object = document.object(id)
        if !object.kind.isContainer, node.inPlace.isEmpty { return allows(object, node) }
        pending.append(Visit(schema: number, id: id))
        return true
    }

    /// Whether a value itself, whatever is in it, is as a schema demands.
    private mutating func allows(_ object: StoredObject, _ node: QuickSchema.Node) -> Bool {
        if object.isLarge { steps -= object.ownSize }
        // A UID is an object without members.
        guard steps > 0, node.isComplete, object.kind != .uid else { return false }
        if object.kind.isContainer { return allows(container: object, node) }
        let scalar = JSONScalar(document.node(object))
        guard node.types.include(scalar) else { return false }
        if case .number(let number) = scalar, !node.numbers.allSatisfy({ schema.numbers[$0].allows(number) }) {
            return false
        }
        if !node.counts.isEmpty || !node.patterns.isEmpty, case .string(let text) = scalar {
            guard node.counts.allSatisfy({ schema.counts[$0].allows(text) }) else { return false }
            for pattern in schema.patterns[node.patterns] {
                guard searches.search(text, for: pattern) == .matched else { return false }
            }
        }
        return node.choices.isEmpty || node.choices.contains { scalar == schema.choices[$0] }
    }

    private func allows(container object: StoredObject, _ node: QuickSchema.Node) -> Bool {
        let isObject = object.kind == .dictionary
        guard node.types.contains(isObject ? .object : .array), node.choices.isEmpty else { return false }
        return node.counts.allSatisfy {
            let limit = schema.counts[$0]
            return isObject ? limit.allows(members: object.count) : limit.allows(elements: object.count)
        }
    }
}

extension QuickSchema {
    /// Whether a first look at a view tells that it is as the schema demands. Of an archive it tells nothing.
    func holds(for view: ObjectView) -> Bool {
        guard nodes[root].isComplete, view.archive == nil else { return false }
        var check = QuickCheck(self, view)
        return check.holds()
    }
}
