import JSONSchema
package import KeyedArchives
package import SaveCodec

/// Tells which rows of an outline a query finds. The outline is gone through by whoever shows what is found:
///
///     outline ─▶ row ─▶ search: found? ─▶ a line with the address
///
/// A row takes time in what it holds itself. A long text is looked through once, whatever refers to it.
package struct ValueSearch {
    private let query: ValueQuery
    private var texts: [TextSearch]
    /// What the row at hand is part of.
    private var view: ObjectView
    /// What is looked for in that view, and in all that have been met.
    private var kinds: Kinds
    private var knownKinds: [ObjectIdentifier: Kinds] = [:]
    /// The searches for what fields must match.
    private var fields: [TextSearch?]
    /// Whether containers have the fields that values in them were asked for.
    private var holders = ViewMemo<ViewID>()

    /// A search in a view.
    package init(_ query: ValueQuery, in view: ObjectView) {
        self.query = query
        self.view = view
        let size = view.document.imageSize
        texts = query.texts.map { TextSearch($0, size: size) }
        fields = query.fields.map {
            if case .matches(let regex) = $0.test { TextSearch(.matches(regex), size: size) } else { nil }
        }
        kinds = Kinds(query, in: view)
    }

    /// What of a view is of the class that is looked for.
    private struct Kinds {
        /// The view is kept, so that no other gets its identity.
        private let view: ObjectView
        /// By position whether classes are that, or derived from it.
        let classes: [Bool]
        /// The numbers of the entities of Core Data that are that, or inherit from it.
        let entities: Set<Int128>

        init(_ query: ValueQuery, in view: ObjectView) {
            self.view = view
            guard let name = query.className else {
                (classes, entities) = ([], [])
                return
            }
            classes = (view.archive?.classes ?? []).map { record in
                record.name.elementsEqual(name) || record.chain?.contains { $0.elementsEqual(name) } ?? false
            }
            entities = view.document.databaseSchema?.entities(named: name) ?? []
        }
    }

    /// Whether a row is found.
    ///
    /// - Throws: a problem if a regular expression takes too long.
    package mutating func finds(_ row: Outline.Row) throws(Problem) -> Bool {
        if row.layer.view !== view { enter(row.layer.view) }
        guard hasKey(row) else { return false }
        let isRepeated = if case .repeated = row.showing { true } else { false }
        // What is shared is found where it stands first; only a key is somewhere else.
        if isRepeated, query.key == nil { return false }
        return try isFound(row)
    }

    private mutating func enter(_ view: ObjectView) {
        defer { self.view = view }
        guard query.className != nil else { return }
        knownKinds[ObjectIdentifier(self.view)] = kinds
        kinds = knownKinds[ObjectIdentifier(view)] ?? Kinds(query, in: view)
    }

    // MARK: Conditions

    private func hasKey(_ row: Outline.Row) -> Bool {
        guard let wanted = query.key else { return true }
        guard case .entry(_, let key) = row.label else { return false }
        return view.hasText(key, wanted)
    }

    private mutating func isFound(_ row: Outline.Row) throws(Problem) -> Bool {
        let container = view.container(row.id)
        let node = container == nil ? view.scalar(row.id) : nil
        if let type = query.type, !isOf(type, container, node) { return false }
        if query.className != nil, !isOfClass(row.id, container) { return false }
        if let value = query.value {
            guard let node, value.order(of: node, isText: view.isText) == .same else { return false }
        }
        if !query.fields.isEmpty {
            if case .nested(let save) = row.showing {
                guard try hasFields(save.view.root, in: nil, save.view) else { return false }
                enter(row.layer.view)
            } else {
                guard let container, try hasFields(container) else { return false }
            }
        }
        for index in texts.indices where try !hasText(index, row) { return false }
        return true
    }

    private func isOfClass(_ id: ViewID, _ container: ViewValue?) -> Bool {
        if let position = container?.classPosition ?? view[id].classPosition { return kinds.classes[position] }
        guard !kinds.entities.isEmpty else { return false }
        let entity = view.document.entityNumber(ofRow: view.document.object(view.stored(id)))
        return entity.map(kinds.entities.contains) ?? false
    }

    private func isOf(_ type: ValueType, _ container: ViewValue?, _ node: Node?) -> Bool {
        if let kind = container.flatMap({ ContainerKind($0.form) }) { return ValueType(kind) == type }
        return (node?.kind).flatMap { ValueType($0) } == type
    }

    private mutating func hasText(_ index: Int, _ row: Outline.Row) throws(Problem) -> Bool {
        if try texts[index].finds(row.id, in: view) { return true }
        guard case .matches = query.texts[index], case .entry(_, let key) = row.label else { return false }
        return try texts[index].finds(key, in: view)
    }

    /// Whether the fields of a value are as they must be; of one that has none those of what it stands in.
    package mutating func hasFields(
        _ id: ViewID, in container: ViewID?, _ view: ObjectView
    ) throws(Problem) -> Bool {
        if view !== self.view { enter(view) }
        if let value = view.container(id), value.form.isKeyed { return try hasFields(value) }
        guard let container, let value = view.container(container) else { return false }
        if let known = holders[container, view] { return known }
        let hasFields = try hasFields(value)
        holders[container, view] = hasFields
        return hasFields
    }

    private mutating func hasFields(_ container: ViewValue) throws(Problem) -> Bool {
        for index in query.fields.indices where try !satisfies(index, container) { return false }
        return true
    }

    /// Whether the field of a demand is as it must be: of a repeated one that which counts.
    private mutating func satisfies(_ index: Int, _ container: ViewValue) throws(Problem) -> Bool {
        let condition = query.fields[index]
        guard container.form.isKeyed, let id = value(under: condition.field, of: container.contents) else {
            return false
        }
        switch condition.test {
        case .matches: return try fields[index]?.finds(id, in: view) ?? false
        case .compares(let op, let value):
            guard let node = view.scalar(id) else { return op == .notEqual }
            return op.accepts(value.order(of: node, isText: view.isText))
        }
    }

    private func value(under field: [UInt16], of contents: ViewContents) -> ViewID? {
        var found: ViewID?
        for position in 0..<contents.count {
            let item = view.item(position, of: contents)
            guard let key = item.key, view.hasText(key, field) else { continue }
            found = item.id
            if !view.document.lastRepeatedKeyWins { break }
        }
        return found
    }
}

extension ObjectView {
    /// Whether all scalars of the format are text.
    fileprivate var isText: Bool { document.sourceFormat == .openStep }

    fileprivate func hasText(_ id: ViewID, _ units: [UInt16]) -> Bool {
        guard let text = text(id), text.count == units.count else { return false }
        return text.elementsEqual(units)
    }
}

/// What is known of values of several views: of a file, and of saves that are stored in it, by turns.
private struct ViewMemo<ID: Hashable> {
    /// By the identity of each view, which is kept, so that no other gets it.
    private var views: [ObjectIdentifier: (view: ObjectView, values: [ID: Bool])] = [:]

    subscript(id: ID, view: ObjectView) -> Bool? {
        get { views[ObjectIdentifier(view)]?.values[id] }
        set { views[ObjectIdentifier(view), default: (view, [:])].values[id] = newValue }
    }
}

/// Looks for one thing in the texts of a file, in long ones once, as many values may refer to them.
private struct TextSearch {
    private enum Engine {
        case units([UInt16])
        case regex(RegexSearch)
    }

    private var engine: Engine
    /// How many steps a regular expression may still take.
    private var steps: Int
    /// What was found in long texts, by their objects.
    private var known = ViewMemo<ObjectID>()

    private static let long = 64

    init(_ condition: TextCondition, size: Int) {
        steps = ECMARegex.steps(for: size)
        engine =
            switch condition {
            case .contains(let units): .units(units)
            case .matches(let regex): .regex(RegexSearch(regex))
            }
    }

    /// Whether it is in a value; in none that is no string.
    mutating func finds(_ id: ViewID, in view: ObjectView) throws(Problem) -> Bool {
        guard let text = view.text(id) else { return false }
        guard text.count > Self.long, let object = view.storedScalar(of: id) else { return try finds(in: text) }
        if let known = known[object, view] { return known }
        let isFound = try finds(in: text)
        known[object, view] = isFound
        return isFound
    }

    private mutating func finds(in text: StoredString) throws(Problem) -> Bool {
        switch engine {
        case .units(let units): return Self.contains(text, units)
        case .regex(var search):
            // Alone, so that its memory is not copied.
            engine = .units([])
            let verdict = search.search(text, steps: &steps)
            engine = .regex(search)
            if verdict == .gaveUp { throw .tooMuchWork() }
            return verdict == .matched
        }
    }

    private static func contains(_ text: StoredString, _ units: [UInt16]) -> Bool {
        guard text.count >= units.count else { return false }
        return (0...text.count - units.count).contains { start in
            units.indices.allSatisfy { text[start + $0] == units[$0] }
        }
    }
}

extension Problem {
    fileprivate static func tooMuchWork() -> Problem {
        Problem("find.work", "the regular expression takes far longer than reading the file; the rest is left out")
    }
}
