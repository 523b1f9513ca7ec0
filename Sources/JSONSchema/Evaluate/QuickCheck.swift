import KeyedArchives
import SaveCodec

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
