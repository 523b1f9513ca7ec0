package import KeyedArchives
package import SaveCodec

/// A search for the table of high scores in a save. A table is an array at the root or in a member of the root, or a
/// table of a database, whose elements have the fields of a form.
package struct ScoreSearch: Sendable {
    /// The required form; nil for any.
    package var form: ScoreTableFormat?
    /// The field names; nil to use the names of a form.
    package var fields: ScoreFields?
    /// The address of the array; nil to search for it.
    package var address: JSONPointer?

    /// Creates a search. Parameters that are nil do not restrict it.
    package init(form: ScoreTableFormat? = nil, fields: ScoreFields? = nil, address: JSONPointer? = nil) {
        self.form = form
        self.fields = fields
        self.address = address
    }

    /// The maximum number of elements to examine in an array. The limit bounds the work if many arrays share their
    /// elements.
    private static let sampleSize = 100
    private static let longestKey = 1000

    private struct Candidate {
        let address: JSONPointer
        let array: ViewID
    }

    /// Returns the table in a save.
    ///
    /// - Throws: A problem if the save has no table, more than one, one of another form, or one with a malformed
    ///   record.
    package func table(in view: ObjectView) throws(Problem) -> ScoreTable {
        let table = try readableTable(in: view)
        if let first = table.unreadable.first { throw first }
        return table
    }

    /// Returns the table in a save, which may contain unreadable records.
    ///
    /// - Throws: A problem if the save has no table, more than one, or one of another form.
    package func readableTable(in view: ObjectView) throws(Problem) -> ScoreTable {
        let (candidate, fields) = try found(in: view)
        let table = ScoreTable(candidate.array, at: candidate.address, fields, in: view)
        if let form, !isForm(table.form, form) {
            throw Problem(
                "scores.form", "found high scores in the form \(table.form.rawValue); expected \(form.rawValue)")
        }
        return table
    }

    /// Returns the address of the only nested save with a table, at the root or under a key of it. Returns nil if the
    /// save itself has a table.
    package func saveWithTable(in view: ObjectView) -> JSONPointer? {
        let root = view[view.root]
        guard address == nil, view.nesting != nil, (try? found(in: view)) == nil else { return nil }
        guard root.variant.isKeyed else { return dataWithTable(view.root, in: view, at: .root) }
        let addresses = members(of: root.contents, in: view).compactMap { key, position in
            dataWithTable(view.item(position, of: root.contents).id, in: view, at: JSONPointer(tokens: [key]))
        }
        return addresses.count == 1 ? addresses[0] : nil
    }

    /// Returns the address of the nested save with a table in a data value, at any level of nested roots; nil if none
    /// has one.
    private func dataWithTable(_ id: ViewID, in view: ObjectView, at address: JSONPointer) -> JSONPointer? {
        var (view, id, address) = (view, id, address)
        while let save = try? view.nestedSave(in: id) {
            if (try? found(in: save.view)) != nil { return address }
            (view, id, address) = (save.view, save.view.root, address.nestedSaveRoot)
        }
        return nil
    }

    /// Whether a form matches the expected one. With custom field names, feeds and other property lists are the same.
    private func isForm(_ form: ScoreTableFormat, _ expected: ScoreTableFormat) -> Bool {
        fields == nil ? form == expected : (form == .archive) == (expected == .archive)
    }

    private func found(in view: ObjectView) throws(Problem) -> (Candidate, ScoreFields) {
        let arrays = try address.map { address throws(Problem) in [try named(address, in: view)] } ?? arrays(in: view)
        for choices in [fieldChoices, otherChoices] {
            var tables: [(Candidate, ScoreFields)] = []
            var kinds: [ViewID: ScoreFields?] = [:]
            for array in arrays {
                if let fields = fields(of: array, among: choices, in: view, &kinds) { tables.append((array, fields)) }
            }
            if let only = tables.first, tables.count == 1 { return only }
            if tables.count > 1 { throw Self.several(tables.map(\.0.address)) }
        }
        if let empty = arrays.first(where: { isEmptyTable($0, in: view) }) { return (empty, defaultFields(in: view)) }
        for array in arrays {
            if let problem = unreadableRecord(of: array, in: view) { throw problem }
        }
        throw Problem(
            "scores.none",
            "found no high scores; expected an array of records with "
                + (fieldChoices + otherChoices).map(\.shown).joined(separator: ", or ")
                + (ScoreGuess(in: view, at: address)?.advice ?? ""), address: address)
    }

    /// Returns the reason why an array whose first element has the fields of a record is not a table; nil for any other
    /// array.
    private func unreadableRecord(of candidate: Candidate, in view: ObjectView) -> Problem? {
        let contents = view[candidate.array].contents
        guard contents.count > 0 else { return nil }
        let first = view.item(0, of: contents).id
        for fields in otherChoices {
            var reader = ScoreReader(view, fields)
            guard reader.isRecord(first) else { continue }
            do throws(Problem) {
                _ = try reader.record(first)
            } catch {
                var place = candidate.address
                place.append(index: 0)
                return Problem(
                    "scores.none", "found no high scores; this record cannot be read: \(error.message)", address: place)
            }
        }
        return nil
    }

    private static func several(_ addresses: [JSONPointer]) -> Problem {
        let shown = addresses.prefix(4).map { "\($0.description.prefix(80))" } + (addresses.count > 4 ? ["more"] : [])
        return Problem("scores.several", "\(shown.joined(separator: ", ")) hold high scores; expected one table")
    }

    /// Whether an empty array is a table: the array at the given address, the root, or the member `HighScores`. Other
    /// empty arrays may have another purpose, such as a list of unlocked levels.
    private func isEmptyTable(_ candidate: Candidate, in view: ObjectView) -> Bool {
        let tokens = candidate.address.tokens
        let isNamed = address != nil || tokens.isEmpty || tokens == [Array(ScoreTableFormat.archiveKey.utf16)]
        return isNamed && view[candidate.array].contents.count == 0
    }

    /// The fields of a table without records.
    private func defaultFields(in view: ObjectView) -> ScoreFields {
        fields ?? (form ?? (view.archive == nil ? .plist : .archive)).fields
    }

    private var fieldChoices: [ScoreFields] {
        fields.map { [$0] } ?? ScoreTableFormat.allCases.map(\.fields)
    }

    /// Common field names that other arrays may have, too. They are tried last, and a record must be readable.
    private var otherChoices: [ScoreFields] {
        fields != nil ? [] : ["name", "initials"].map { ScoreFields(name: $0, score: "score", date: "date") }
    }

    private func named(_ address: JSONPointer, in view: ObjectView) throws(Problem) -> Candidate {
        let id: ViewID
        switch view.find(address) {
        case .found(let found, let place) where place === view: id = found
        case .found:
            throw Problem("scores.nested", "the table is in a nested save; open that save first", address: address)
        case .missing(let missing):
            throw Problem(
                "scores.address", "no such value; expected an array of high scores" + missing.advice,
                address: address)
        }
        guard view.isList(id) else {
            let found = TypePhrase.of(id, in: view)
            throw Problem("scores.array", "found \(found); expected an array of high scores", address: address)
        }
        return Candidate(address: address, array: id)
    }

    /// Returns the distinct arrays at the root and in its members.
    private func arrays(in view: ObjectView) -> [Candidate] {
        let root = view[view.root]
        if case .array = root.variant { return [Candidate(address: .root, array: view.root)] }
        guard root.variant.isKeyed else { return [] }
        var arrays: [Candidate] = []
        var known: Set<ViewID> = []
        for (key, position) in members(of: root.contents, in: view) {
            let array = view.item(position, of: root.contents).id
            guard view.scalar(array) == nil, view.isList(array), known.insert(array).inserted else { continue }
            arrays.append(Candidate(address: JSONPointer(tokens: [key]), array: array))
        }
        return arrays
    }

    /// Returns the keys of a dictionary and the position of each effective value, in the order of the positions.
    private func members(of contents: ViewContents, in view: ObjectView) -> [(key: [UInt16], position: Int)] {
        var positions: [[UInt16]: Int] = [:]
        for position in 0..<contents.count {
            // Many pairs may share a long key, and tables have short names.
            guard let key = view.item(position, of: contents).key.flatMap(view.text), key.count <= Self.longestKey
            else {
                continue
            }
            if view.document.lastDuplicateWins || positions[Array(key)] == nil { positions[Array(key)] = position }
        }
        return positions.map { ($0, $1) }.sorted { $0.1 < $1.1 }
    }

    /// Returns the fields of the elements of an array; nil if it is not a table.
    private func fields(
        of candidate: Candidate, among choices: [ScoreFields], in view: ObjectView,
        _ kinds: inout [ViewID: ScoreFields?]
    ) -> ScoreFields? {
        let contents = view[candidate.array].contents
        for position in 0..<min(contents.count, Self.sampleSize) {
            let element = view.item(position, of: contents).id
            let known = kinds[element] ?? choices.first { isRecord(element, with: $0, in: view) }
            kinds[element] = .some(known)
            if let known { return known }
        }
        return nil
    }

    private func isRecord(_ id: ViewID, with fields: ScoreFields, in view: ObjectView) -> Bool {
        var reader = ScoreReader(view, fields)
        guard reader.isRecord(id) else { return false }
        return !otherChoices.contains(fields) || (try? reader.record(id)) != nil
    }
}

extension ObjectView {
    /// Whether a value is an array, or a table of a database.
    fileprivate func isList(_ id: ViewID) -> Bool {
        if case .array = self[id].variant { return true }
        return document.databaseSchema?.tableObjects.contains(stored(id)) ?? false
    }
}

// MARK: Guessing fields

/// The array of a save that is most likely a table of high scores with custom field names.
///
///     {"best": {"list": [{"who": "Ada", "points": 5}]}}      --at /best/list --fields name=who,score=points
private struct ScoreGuess {
    private static let nameWords = ["name", "player", "user", "nick", "initial", "who"]
    private static let scoreWords = ["score", "point", "total", "result", "best"]
    /// The maximum number of arrays to examine, since this only improves a message.
    private static let maxArrays = 10_000
    private static let maxFields = 100
    private static let longestField = 40

    private let address: JSONPointer
    private let count: Int
    private let needsAddress: Bool
    /// The suggested argument of `--fields`.
    private let fields: String

    /// Finds the array at an address, or the most likely array; of equally likely ones, the nearest to the root.
    /// Returns nil if no array has a string and a number in its first element.
    init?(in view: ObjectView, at address: JSONPointer?) {
        let graph = view.graph
        var best: (container: ObjectGraph.Container, fields: String, likelihood: Int)?
        let given = address.flatMap { address -> ViewID? in
            guard case .found(let id, let place) = view.find(address), place === view else { return nil }
            return id
        }
        for container in graph.containers.prefix(Self.maxArrays) where container.kind == .array && container.count > 0 {
            guard given == nil || container.id == given,
                let (fields, likelihood) = Self.fields(of: graph.value(0, of: container), in: view),
                likelihood > best?.likelihood ?? -1
            else { continue }
            best = (container, fields, likelihood)
        }
        guard let best, let path = view.graph.paths(to: [best.container.id], longest: 20)[best.container.id],
            let found = ViewAddresses(view).address(path)
        else { return nil }
        self.address = found
        count = best.container.count
        fields = best.fields
        needsAddress = found != .root
    }

    /// The maximum length, in UTF-16 code units, of an address that a message suggests for copying.
    private static let longestAddress = 160

    /// The end of a sentence with options that read the array; empty if the address is too long or contains escaped
    /// characters.
    var advice: String {
        let place = address.description
        let isExact = address.tokens.allSatisfy { SafeText.escaping($0).utf16.elementsEqual($0) }
        guard isExact, place.utf16.count <= Self.longestAddress, let word = Shell.word(place),
            let fields = Shell.word(fields)
        else { return "" }
        let at = needsAddress ? "--at \(word) " : ""
        return "; \(at)--fields \(fields) would read \(Phrase.count(count, "record")) at \(place)"
    }

    /// Returns the fields of an element as an argument of `--fields`, and the number of likely names among them.
    private static func fields(of element: ViewID, in view: ObjectView) -> (fields: String, likelihood: Int)? {
        guard let value = view.container(element), value.variant.isKeyed, value.contents.count <= maxFields else {
            return nil
        }
        var names: [String] = []
        var scores: [String] = []
        var date: String?
        for position in 0..<value.contents.count {
            let item = view.item(position, of: value.contents)
            guard let text = item.key.flatMap(view.text), text.count <= longestField, case let key = text.escaped,
                !key.contains(","), !key.contains("\\")
            else { continue }
            switch view.scalar(item.id) {
            case .string: names.append(key)
            case .integer, .real32, .real64: scores.append(key)
            case .date: date = date ?? key
            default: break
            }
        }
        guard let name = likeliest(names, nameWords), let score = likeliest(scores, scoreWords) else { return nil }
        let fields = "name=\(name.name),score=\(score.name)" + (date.map { ",date=\($0)" } ?? "")
        return (fields, (name.isLikely ? 1 : 0) + (score.isLikely ? 1 : 0))
    }

    /// Returns the first name that contains one of the words, or else the first name.
    private static func likeliest(_ names: [String], _ words: [String]) -> (name: String, isLikely: Bool)? {
        let likely = names.first { name in words.contains { name.lowercased().contains($0) } }
        return likely.map { ($0, true) } ?? names.first.map { ($0, false) }
    }
}
