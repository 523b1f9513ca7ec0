import JSONSchema
package import KeyedArchives
package import SaveCodec
package import SaveOperations

/// A search that decides which rows of an outline match a query. The caller walks the outline and prints the results:
///
///     outline ─▶ row ─▶ search: found? ─▶ a line with the address
///
/// The time for a row depends only on the value's own size and fields. A long text is searched once, however many
/// values refer to it.
package struct ValueSearch {
    private let query: ValueQuery
    private var texts: [TextSearch]
    /// The view that contains the current row.
    private var view: ObjectView
    /// The matching classes in the current view, and in all views searched before.
    private var classMatches: ClassMatches
    private var knownClassMatches: [ObjectIdentifier: ClassMatches] = [:]
    /// The text searches of the field conditions.
    private var fields: [TextSearch?]
    /// For each container, whether it meets the field conditions. Cached for the values in the container.
    private var holders = ViewMemo<ViewID, Bool>()
    /// Whether the last match is only in the text of a string that holds a nested save.
    private var isAroundSave = false
    /// The number of rows that would match if case were ignored.
    package private(set) var missedByCase = 0

    /// Creates a search in a view.
    package init(_ query: ValueQuery, in view: ObjectView) {
        self.query = query
        self.view = view
        let size = view.document.imageSize
        texts = query.texts.map { TextSearch($0, size: size) }
        fields = query.fields.map {
            if case .matches(let regex) = $0.test { TextSearch(.matches(regex), size: size) } else { nil }
        }
        classMatches = ClassMatches(query, in: view)
    }

    /// The classes of a view that match the query.
    private struct ClassMatches {
        /// The view, which is retained so that no other view gets its identity.
        let view: ObjectView
        /// For each class, by position: whether its name or the name of an ancestor matches.
        private(set) var classes: [TextPattern.Match] = []
        /// The numbers of the Core Data entities that match by their own name or by an ancestor's name: exactly, or
        /// only if case is ignored.
        private(set) var entities: (found: Set<Int128>, inOtherCase: Set<Int128>) = ([], [])
        /// For each text condition, whether it matches each class name, by position.
        private(set) var names: [[TextPattern.Match]]

        init(_ query: ValueQuery, in view: ObjectView) {
            self.view = view
            let records = view.archive?.classes ?? []
            names = query.texts.map { condition in
                guard case .anywhere(let pattern) = condition else { return [] }
                return records.map { record in
                    let stored = pattern.match(in: record.name)
                    return record.swiftName.map { max(stored, pattern.match(in: $0)) } ?? stored
                }
            }
            guard let name = query.className else { return }
            classes = records.map { name.match($0) }
            guard let schema = view.document.databaseSchema else { return }
            entities.found = schema.entities { name.match($0) == .found }
            entities.inOtherCase = schema.entities { name.match($0) == .inOtherCase }
        }
    }

    /// The names of the classes in all searched views, including ancestors and Core Data entities, but not very long
    /// names.
    package var classNames: Set<String> {
        var names: Set<String> = []
        for view in knownClassMatches.values.map(\.view) + [classMatches.view] {
            let records = (view.archive?.classes ?? []).flatMap { [$0.name] + ($0.chain.map(Array.init) ?? []) }
            for name in records + (view.document.databaseSchema?.entityNames ?? []) where name.count <= 64 {
                names.insert(String(decoding: name.shownClassName, as: UTF16.self))
            }
        }
        return names
    }

    /// The result of matching a row.
    package enum Verdict {
        case missed, found
        /// The text of a string that holds a nested save matches. The row counts as found only if no value in the save
        /// matches.
        case foundAroundSave
    }

    /// Whether any row may match: each text is in some value, key or class name of the view. All values are tested without
    /// their addresses, which takes a fraction of the time of a walk. True for a view that may hold nested saves, and for
    /// regular expressions.
    package mutating func mayFindRows() -> Bool {
        guard !texts.isEmpty, !query.texts.contains(where: \.isRegex) else { return true }
        var missing = texts.indices.filter { classMatches.names[$0].allSatisfy { $0 == .none } }
        for id in view.ids {
            if missing.isEmpty || view.mayBeginSave(id) { return true }
            for index in missing where texts[index].patternMatch(id, in: view) != .none {
                missing.removeAll { $0 == index }
            }
        }
        return missing.isEmpty
    }

    /// Matches a row.
    ///
    /// - Throws: `find.work` if a regular expression takes too long.
    package mutating func verdict(on row: Outline.Row) throws(Problem) -> Verdict {
        isAroundSave = false
        let match = try match(row)
        if match == .inOtherCase, !isAroundSave { missedByCase += 1 }
        return match != .found ? .missed : isAroundSave ? .foundAroundSave : .found
    }

    private mutating func match(_ row: Outline.Row) throws(Problem) -> TextPattern.Match {
        if row.level.view !== view { enter(row.level.view) }
        let key = keyMatch(row)
        guard key != .none else { return .none }
        // A shared value is found at its first address. Only the keys at its other addresses are new. A string is a
        // value of its own at each address.
        if case .repeated = row.presentation, query.key == nil, view.text(row.id) == nil {
            return matchOfRepeatedKey(row)
        }
        return min(key, try valueMatch(row))
    }

    private mutating func enter(_ view: ObjectView) {
        defer { self.view = view }
        guard query.className != nil || !query.texts.isEmpty else { return }
        knownClassMatches[ObjectIdentifier(self.view)] = classMatches
        classMatches = knownClassMatches[ObjectIdentifier(view)] ?? ClassMatches(query, in: view)
    }

    // MARK: Conditions

    private func keyMatch(_ row: Outline.Row) -> TextPattern.Match {
        guard let wanted = query.key else { return .found }
        guard case .entry(_, let key) = row.slot, let text = view.text(key) else { return .none }
        return wanted.match(whole: text)
    }

    /// Returns the match of the key in a row that refers to a value shown before. Only a query with a single text
    /// condition searches such keys.
    private mutating func matchOfRepeatedKey(_ row: Outline.Row) -> TextPattern.Match {
        guard query.isTextAnywhere, case .entry(_, let key) = row.slot else { return .none }
        return texts[0].patternMatch(key, in: view)
    }

    private mutating func valueMatch(_ row: Outline.Row) throws(Problem) -> TextPattern.Match {
        let container = view.container(row.id)
        let node = container == nil ? view.scalar(row.id) : query.value == nil ? nil : view.shownValue(of: row.id)
        var match = TextPattern.Match.found
        if let kind = query.type, (container?.variant.kind ?? node?.kind) != kind { return .none }
        if query.className != nil { match = classMatch(row.id, container) }
        if let value = query.value {
            let isText = view.document.has(.textScalars) || container != nil
            guard let node, value.order(of: node, isText: isText) == .same else { return .none }
        }
        if match != .none, !query.fields.isEmpty {
            if case .nested(let save) = row.presentation {
                guard try hasFields(save.view.root, in: nil, save.view) else { return .none }
                enter(row.level.view)
            } else {
                guard let container, try hasFields(row.id, container) else { return .none }
            }
        }
        for index in texts.indices {
            guard match != .none else { return .none }
            match = min(match, try textMatch(ofText: index, in: row, container))
        }
        return match
    }

    private func classMatch(_ id: ViewID, _ container: ViewValue?) -> TextPattern.Match {
        if let position = container?.classPosition ?? view[id].classPosition { return classMatches.classes[position] }
        let (found, inOtherCase) = classMatches.entities
        guard !found.isEmpty || !inOtherCase.isEmpty,
            let entity = view.document.entityNumber(ofRow: view.document.object(view.stored(id)))
        else { return .none }
        return found.contains(entity) ? .found : inOtherCase.contains(entity) ? .inOtherCase : .none
    }

    private mutating func textMatch(
        ofText index: Int, in row: Outline.Row, _ container: ViewValue?
    ) throws(Problem) -> TextPattern.Match {
        let isAnywhere = query.texts[index].isAnywhere
        var match: TextPattern.Match
        var isAroundSave = false
        if case .nested(let save) = row.presentation {
            // The contents of a container have rows of their own.
            isAroundSave = save.root.isContainer && view.text(row.id) != nil
            let (id, textView) = save.root.isContainer ? (row.id, view) : (save.view.root, save.view)
            match = try texts[index].match(id, in: textView)
        } else if isAnywhere, let container, case .object = container.variant, let position = container.classPosition {
            match = max(classMatches.names[index][position], try texts[index].match(row.id, in: view))
        } else {
            match = try texts[index].match(row.id, in: view)
        }
        if match != .found || isAroundSave, case .entry(_, let key) = row.slot, query.texts[index].isInKeys {
            let keyMatch = try texts[index].match(key, in: view)
            if keyMatch >= match { isAroundSave = false }
            match = max(match, keyMatch)
        }
        if isAroundSave { self.isAroundSave = true }
        return match
    }

    /// Whether a value meets the field conditions. A value without fields meets them if its container does.
    fileprivate mutating func hasFields(
        _ id: ViewID, in container: ViewID?, _ view: ObjectView
    ) throws(Problem) -> Bool {
        if view !== self.view { enter(view) }
        if let value = view.container(id), value.variant.isKeyed { return try hasFields(id, value) }
        guard let container, let value = view.container(container) else { return false }
        if let known = holders[container, view] { return known }
        let hasFields = try hasFields(container, value)
        holders[container, view] = hasFields
        return hasFields
    }

    private mutating func hasFields(_ id: ViewID, _ container: ViewValue) throws(Problem) -> Bool {
        for index in query.fields.indices where try !satisfies(index, by: id, container) { return false }
        return true
    }

    /// Whether a container meets a field condition. For a duplicate key, the effective value counts.
    private mutating func satisfies(
        _ index: Int, by id: ViewID, _ container: ViewValue
    ) throws(Problem) -> Bool {
        let condition = query.fields[index]
        guard container.variant.isKeyed,
            let id = value(under: condition.field, of: container.contents) ?? condition.valueOnPath(from: id, in: view)
        else { return false }
        switch condition.test {
        case .matches: return try fields[index]?.match(id, in: view) == .found
        case .compares(let op, let value):
            let scalar = view.scalar(id)
            guard let node = scalar ?? view.shownValue(of: id) else { return op == .notEqual }
            return op.accepts(value.order(of: node, isText: view.document.has(.textScalars) || scalar == nil))
        }
    }

    private func value(under field: [UInt16], of contents: ViewContents) -> ViewID? {
        let position = view.document.effective(of: 0..<contents.count) { position in
            view.item(position, of: contents).key.map { view.hasText($0, field) } ?? false
        }
        return position.map { view.item($0, of: contents).id }
    }
}

extension ObjectView {
    /// Returns the text that represents an object such as an NSUUID, or nil for other values.
    fileprivate func shownValue(of id: ViewID) -> Node? { shownText(of: id).map { .string($0) } }

    fileprivate func hasText(_ id: ViewID, _ units: [UInt16]) -> Bool {
        guard let text = text(id), text.count == units.count else { return false }
        return text.elementsEqual(units)
    }
}

/// A cache of results for values of several views: a file and its nested saves.
private struct ViewMemo<ID: Hashable, Value> {
    /// The results by view identity. Each view is retained so that no other view gets its identity.
    private var views: [ObjectIdentifier: (view: ObjectView, values: [ID: Value])] = [:]

    subscript(id: ID, view: ObjectView) -> Value? {
        get { views[ObjectIdentifier(view)]?.values[id] }
        set { views[ObjectIdentifier(view), default: (view, [:])].values[id] = newValue }
    }
}

/// A search for one text in the strings of a file. Results for long strings are cached, since many values may refer to
/// them.
private struct TextSearch {
    private enum Engine {
        /// A text pattern, and its search in scalars that are not strings; nil to search only strings.
        case pattern(TextPattern, ScalarTextSearch?)
        case regex(RegexSearch)
        /// The engine has been moved out for the duration of a match.
        case none
    }

    private var engine: Engine
    /// The number of steps that the regular expression may still take.
    private var steps: Int
    /// The results for long strings, by object.
    private var known = ViewMemo<ObjectID, TextPattern.Match>()

    private static let long = 64

    init(_ condition: TextCondition, size: Int) {
        steps = ECMARegex.steps(for: size)
        engine =
            switch condition {
            case .anywhere(let pattern): .pattern(pattern, ScalarTextSearch(pattern))
            case .contains(let pattern): .pattern(pattern, nil)
            case .matches(let regex): .regex(RegexSearch(regex))
            }
    }

    /// Returns the match in a value.
    mutating func match(_ id: ViewID, in view: ObjectView) throws(Problem) -> TextPattern.Match {
        guard let text = view.text(id) ?? view.shownText(of: id) else { return scalarMatch(id, in: view) }
        if let known = knownMatch(in: text, at: id, view) { return known }
        guard case .regex(var search) = engine else { return patternMatch(id, in: view) }
        // This holds the only reference to the engine, so that its memory is not copied.
        engine = .none
        let verdict = search.search(text, steps: &steps)
        engine = .regex(search)
        if verdict == .gaveUp { throw .tooMuchWork() }
        let match = verdict == .matched ? TextPattern.Match.found : .none
        note(match, in: text, at: id, view)
        return match
    }

    /// Returns the match of a literal text in a value.
    mutating func patternMatch(_ id: ViewID, in view: ObjectView) -> TextPattern.Match {
        guard case .pattern(let pattern, _) = engine else { return .none }
        guard let text = view.text(id) ?? view.shownText(of: id) else { return scalarMatch(id, in: view) }
        if let known = knownMatch(in: text, at: id, view) { return known }
        let match = pattern.match(in: text)
        note(match, in: text, at: id, view)
        return match
    }

    private func scalarMatch(_ id: ViewID, in view: ObjectView) -> TextPattern.Match {
        guard case .pattern(_, let scalars?) = engine, let node = view.scalar(id) else { return .none }
        return scalars.match(in: node)
    }

    private func knownMatch(in text: StoredString, at id: ViewID, _ view: ObjectView) -> TextPattern.Match? {
        guard text.count > Self.long, let object = view.storedScalar(of: id) else { return nil }
        return known[object, view]
    }

    private mutating func note(_ match: TextPattern.Match, in text: StoredString, at id: ViewID, _ view: ObjectView) {
        if text.count > Self.long, let object = view.storedScalar(of: id) { known[object, view] = match }
    }
}

extension PatternMatches {
    /// Creates the sequence of the matches of a pattern that meet conditions.
    ///
    /// - Parameter conditions: Conditions on fields of the matched dictionaries and objects; for any other value, on
    ///   the fields of its container.
    package init(_ pattern: PointerPattern, in view: ObjectView, where conditions: [FieldCondition]) {
        guard !conditions.isEmpty else {
            self.init(pattern, in: view)
            return
        }
        var query = ValueQuery()
        query.fields = conditions
        var search = ValueSearch(query, in: view)
        self.init(pattern, in: view) { match throws(Problem) in
            try search.hasFields(match.id, in: match.container, match.view)
        }
    }
}

extension TextCondition {
    fileprivate var isAnywhere: Bool { if case .anywhere = self { true } else { false } }

    fileprivate var isRegex: Bool { if case .matches = self { true } else { false } }

    fileprivate var isInKeys: Bool { if case .contains = self { false } else { true } }
}

extension ValueQuery {
    /// Whether the query is only a single text condition that may match anywhere.
    fileprivate var isTextAnywhere: Bool { texts.count == 1 && texts[0].isAnywhere && isOnlyTexts }

    private var isOnlyTexts: Bool {
        key == nil && value == nil && fields.isEmpty && className == nil && type == nil
    }
}

extension Problem {
    fileprivate static func tooMuchWork() -> Problem {
        Problem("find.work", "the regular expression takes too long; the remaining values are not searched")
    }
}

// MARK: Texts of scalars

/// A search for a text in numbers, dates, Booleans and nulls as printed:
///
///     100   in   100, 2100, 0.1001      true   in   true
///
/// Skips all numbers if no number can contain the text. All numbers share one buffer.
private final class ScalarTextSearch {
    private let pattern: TextPattern
    private let isInNumbers: Bool
    private let isInDates: Bool
    private let inWords: (null: TextPattern.Match, yes: TextPattern.Match, no: TextPattern.Match)
    private let line = Line()
    private var writer: ByteWriter

    /// The buffer for the text of a scalar.
    private final class Line {
        var bytes: [UInt8] = []

        func take(_ piece: Span<UInt8>) {
            bytes.removeAll(keepingCapacity: true)
            for index in piece.indices { bytes.append(piece[index]) }
        }
    }

    init(_ pattern: TextPattern) {
        self.pattern = pattern
        isInNumbers = pattern.consists(of: Set("0123456789+-.e".utf16).union("inf nan".utf16))
        isInDates = pattern.consists(of: Set("0123456789+-.:tz".utf16))
        inWords = (
            pattern.match(inASCII: Array("null".utf8)), pattern.match(inASCII: Array("true".utf8)),
            pattern.match(inASCII: Array("false".utf8))
        )
        // The text of a number or a date is shorter than 128 bytes.
        writer = ByteWriter(pieces: 128) { [line] in line.take($0) }
    }

    /// Returns the match in the printed text of a scalar. Data never match, nor do strings, which are searched
    /// separately.
    func match(in node: Node) -> TextPattern.Match {
        switch node {
        case .null: inWords.null
        case .boolean(let value): value ? inWords.yes : inWords.no
        case .integer where isInNumbers: matchText { ScalarText.writePlain(node, to: &$0) }
        case .uid(let uid) where isInNumbers: matchText { $0.write(uid.value.description) }
        case .real32(let value) where isInNumbers: matchText { Self.write(Double(value), node, to: &$0) }
        case .real64(let value) where isInNumbers: matchText { Self.write(value, node, to: &$0) }
        case .date where isInDates: matchText { ScalarText.writePlain(node, to: &$0) }
        default: .none
        }
    }

    private static func write(_ value: Double, _ node: Node, to output: inout ByteWriter) {
        if value.isFinite { ScalarText.writePlain(node, to: &output) } else { output.write(value.description) }
    }

    private func matchText(_ write: (inout ByteWriter) -> Void) -> TextPattern.Match {
        write(&writer)
        try? writer.finish()
        return pattern.match(inASCII: line.bytes)
    }
}
