import KeyedArchives
import SaveCodec

/// A schema as flat tables for `QuickCheck`, with the keywords that most schemas use.
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
/// A node holds no reference-counted values. Otherwise threads that check values in parallel would wait for each other
/// to update the counts.
struct QuickSchema: Sendable {
    struct Node: Sendable {
        /// Whether the node includes all keywords of the schema.
        var isComplete = true
        var types = JSONTypes.all
        // Each of these ranges selects the node's part of the table with the same name in ``QuickSchema``.
        var counts = 0..<0
        var numbers = 0..<0
        var patterns = 0..<0
        /// The scalars that the value may equal; empty if it may equal any.
        var choices = 0..<0
        /// The schemas that are applied to the value itself.
        var inPlace = 0..<0
        /// The schema of the elements.
        var items: Int?
        /// The members that the schema mentions, sorted by the numbers of their names.
        var members = 0..<0
        /// The bits of the required members, see ``Member/bit``.
        var required: UInt64 = 0
        /// The schema of the members that are not in ``members``.
        var additional: Int?
    }

    struct Member: Sendable {
        let name: Int32
        /// The schema of the value; nil if `additional` applies.
        var schema: Int?
        /// A bit of its own for each required member of a node; zero for a member that is not required.
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
    let names: [[UInt16]: Int32]

    init(_ nodes: [SchemaNode], root: Int, names: [[UInt16]: Int32], documents: [SchemaDocument]) {
        self.root = root
        self.names = names
        for node in nodes {
            var keywords = QuickKeywords(documents: documents, isComplete: node.verdict != false)
            for assertion in node.assertions { assertion.add(to: &keywords) }
            for applicator in node.applicators { applicator.add(to: &keywords) }
            add(keywords)
        }
    }

    private mutating func add(_ keywords: QuickKeywords) {
        var node = Node()
        node.isComplete = keywords.isComplete && keywords.required.count <= UInt64.bitWidth
        node.types = keywords.types
        node.counts = Self.append(keywords.counts, to: &counts)
        node.numbers = Self.append(keywords.numbers, to: &numbers)
        node.patterns = Self.append(keywords.patterns, to: &patterns)
        node.choices = Self.append(keywords.choices ?? [], to: &choices)
        node.inPlace = Self.append(keywords.inPlace, to: &inPlace)
        node.items = keywords.items
        node.additional = keywords.additional
        var members: [Int32: Member] = [:]
        for (name, schema) in keywords.members { members[name] = Member(name: name, schema: schema) }
        for (position, name) in keywords.required.prefix(UInt64.bitWidth).enumerated() {
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

/// The keywords of a schema, collected for a quick check.
struct QuickKeywords {
    let documents: [SchemaDocument]
    /// Whether all keywords could be added.
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

    /// Adds the values of `const` or `enum`. Only 1 to 32 scalars can be checked.
    mutating func add(choices: [JSONValue]) {
        let scalars = choices.compactMap(\.asScalar)
        isComplete = isComplete && self.choices == nil && 1...32 ~= choices.count && scalars.count == choices.count
        self.choices = scalars
    }
}

// MARK: Checking

/// A fast check of whether a document is valid, at a fraction of the cost of the ``Evaluator``.
///
/// The result is either valid or unknown. It is unknown if the value is invalid, if the schema uses keywords that
/// ``QuickSchema`` does not have, or if objects are shared so often that results should be cached. The check keeps a
/// list of pending values instead of recursing.
///
/// Nodes are passed by number, because a copy of one for every value would take longer than most checks.
private struct QuickCheck {
    private struct Visit {
        let schema: Int
        let id: ObjectID
    }

    private let schema: QuickSchema
    private let document: Document
    private var pending: [Visit] = []
    /// The remaining steps. A check of a value takes one step; a check of a long text takes as many as it has bytes.
    /// Every check counts, because many references may lead to one text.
    private var steps: Int
    private var searches: RegexSearches
    /// For each key, the number of its name; -1 for a name that the schema does not mention, -2 for a key not read yet.
    private var names: [Int32]

    init(_ schema: QuickSchema, _ view: ObjectView) {
        self.schema = schema
        document = view.document
        steps = 1000 + 4 * view.count + 2 * view.document.imageSize
        searches = RegexSearches(steps: RegexSearches.steps(for: view))
        names = [Int32](repeating: -2, count: view.count)
    }

    /// Whether the document is known to be valid.
    mutating func holds() -> Bool {
        pending = [Visit(schema: schema.root, id: document.root)]
        while let visit = pending.popLast() {
            guard look(at: visit) else { return false }
        }
        return true
    }

    private mutating func look(at visit: Visit) -> Bool {
        let object = document.object(visit.id)
        guard allows(object, visit.schema) else { return false }
        for position in schema.nodes[visit.schema].inPlace {
            guard checkOrQueue(visit.id, schema.inPlace[position]) else { return false }
        }
        switch object.kind {
        case .array, .set: return schema.nodes[visit.schema].items.map { queueElements(of: object, $0) } ?? true
        case .dictionary: return queueMembers(of: object, visit.schema)
        default: return true
        }
    }

    private mutating func queueElements(of array: StoredObject, _ schema: Int) -> Bool {
        for position in 0..<array.count {
            guard checkOrQueue(document.reference(position, of: array), schema) else { return false }
        }
        return true
    }

    private mutating func queueMembers(of dictionary: StoredObject, _ number: Int) -> Bool {
        let (members, additional) = (schema.nodes[number].members, schema.nodes[number].additional)
        guard !members.isEmpty || additional != nil else { return true }
        var missing = schema.nodes[number].required
        for position in 0..<dictionary.count {
            guard let name = name(document.key(position, of: dictionary)) else { return false }
            let member = member(name, among: members)
            missing &= ~(member?.bit ?? 0)
            guard let schema = member?.schema ?? additional else { continue }
            guard checkOrQueue(document.value(position, of: dictionary), schema) else { return false }
        }
        return missing == 0
    }

    /// Returns the member with a name, or nil if the schema does not mention it.
    private func member(_ name: Int32, among members: Range<Int>) -> QuickSchema.Member? {
        let index = members.partitioningIndex { schema.members[$0].name >= name }
        guard index < members.upperBound, schema.members[index].name == name else { return nil }
        return schema.members[index]
    }

    /// Returns the number of a key, or nil if the key is not a string.
    private mutating func name(_ key: ObjectID) -> Int32? {
        if names[key.index] != -2 { return names[key.index] }
        guard let text = document.text(key) else { return nil }
        names[key.index] = schema.names[Array(text)] ?? -1
        return names[key.index]
    }

    /// Checks a scalar immediately if its schema applies no other schema to it. Queues any other value.
    private mutating func checkOrQueue(_ id: ObjectID, _ number: Int) -> Bool {
        steps -= 1
        guard steps > 0 else { return false }
        let object = document.object(id)
        if !object.kind.isContainer, schema.nodes[number].inPlace.isEmpty { return allows(object, number) }
        pending.append(Visit(schema: number, id: id))
        return true
    }

    /// Whether the value itself is valid, regardless of its contents.
    private mutating func allows(_ object: StoredObject, _ number: Int) -> Bool {
        if object.isLarge { steps -= object.ownSize }
        // A UID is an object without members.
        guard steps > 0, schema.nodes[number].isComplete, object.kind != .uid else { return false }
        if object.kind.isContainer { return allows(container: object, number) }
        let scalar = JSONScalar(document.node(object))
        guard schema.nodes[number].types.include(scalar) else { return false }
        switch scalar {
        case .number(let value):
            guard schema.nodes[number].numbers.allSatisfy({ schema.numbers[$0].allows(value) }) else { return false }
        case .string(let text):
            guard schema.nodes[number].counts.allSatisfy({ schema.counts[$0].allows(text) }) else { return false }
            for pattern in schema.patterns[schema.nodes[number].patterns] {
                guard searches.search(text, for: pattern) == .matched else { return false }
            }
        default: break
        }
        let choices = schema.nodes[number].choices
        return choices.isEmpty || choices.contains { scalar == schema.choices[$0] }
    }

    private func allows(container object: StoredObject, _ number: Int) -> Bool {
        let isObject = object.kind == .dictionary
        guard schema.nodes[number].types.contains(isObject ? .object : .array), schema.nodes[number].choices.isEmpty
        else { return false }
        return schema.nodes[number].counts.allSatisfy {
            let limit = schema.counts[$0]
            return isObject ? limit.allows(members: object.count) : limit.allows(elements: object.count)
        }
    }
}

extension QuickSchema {
    /// Whether a quick check shows that a value graph is valid. Always false for an archive.
    func holds(for view: ObjectView) -> Bool {
        guard nodes[root].isComplete, view.archive == nil else { return false }
        var check = QuickCheck(self, view)
        return check.holds()
    }
}
