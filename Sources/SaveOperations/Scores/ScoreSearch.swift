package import KeyedArchives
package import SaveCodec

/// Finds the table of high scores in a save by its content: an array at the root or in one of its members, whose elements
/// have the fields of a form; in a database a table, whose rows have them.
package struct ScoreSearch: Sendable {
    /// The form that the table has to have; nil for any.
    package var form: ScoreForm?
    /// What the fields are called; nil for as a form has them.
    package var fields: ScoreFields?
    /// Where the array is; nil for where it is found.
    package var address: JSONPointer?

    /// Creates a search; what is not named may be any.
    package init(form: ScoreForm? = nil, fields: ScoreFields? = nil, address: JSONPointer? = nil) {
        self.form = form
        self.fields = fields
        self.address = address
    }

    /// How many elements tell whether an array is a table. Many arrays may share the list of their elements.
    private static let sampleSize = 100
    private static let longestKey = 1000

    /// An array that may be a table.
    private struct Candidate {
        let address: JSONPointer
        let array: ViewID
    }

    /// The table in a save.
    ///
    /// - Throws: a problem if there is none, more than one, one of another form, or one with a malformed record.
    package func table(in view: ObjectView) throws(Problem) -> ScoreTable {
        let table = try readableTable(in: view)
        if let first = table.unreadable.first { throw first }
        return table
    }

    /// The table in a save, which may have records that cannot be read.
    ///
    /// - Throws: a problem if there is none, more than one, or one of another form.
    package func readableTable(in view: ObjectView) throws(Problem) -> ScoreTable {
        let (candidate, fields) = try found(in: view)
        let table = ScoreTable(candidate.array, at: candidate.address, fields, in: view)
        if let form, !isForm(table.form, form) {
            throw Problem(
                "scores.form", "high scores in the form \(table.form.rawValue); expected \(form.rawValue)")
        }
        return table
    }

    /// The address of the only data that holds a save with a table, the root or under a key of it, if there is no table in
    /// the save itself.
    package func saveWithTable(in view: ObjectView) -> JSONPointer? {
        let root = view[view.root]
        guard address == nil, view.nesting != nil, (try? found(in: view)) == nil else { return nil }
        guard root.form.isKeyed else { return dataWithTable(view.root, in: view, at: .root) }
        let addresses = members(of: root.contents, in: view).compactMap { key, position in
            dataWithTable(view.item(position, of: root.contents).id, in: view, at: JSONPointer(tokens: [key]))
        }
        return addresses.count == 1 ? addresses[0] : nil
    }

    /// The address of the data that holds a save with a table: a value, or the root of the save that it holds; nil if none
    /// does.
    private func dataWithTable(_ id: ViewID, in view: ObjectView, at address: JSONPointer) -> JSONPointer? {
        var (view, id, address) = (view, id, address)
        while let save = try? view.nestedSave(in: id) {
            if (try? found(in: save.view)) != nil { return address }
            (view, id, address) = (save.view, save.view.root, address.enteredRoot)
        }
        return nil
    }

    /// Whether a form is the one that is expected. Where the fields have names of their own, a feed is any property list.
    private func isForm(_ form: ScoreForm, _ expected: ScoreForm) -> Bool {
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
        if let empty = arrays.first(where: { isEmptyTable($0, in: view) }) { return (empty, usualFields(in: view)) }
        for array in arrays {
            if let problem = unreadableRecord(of: array, in: view) { throw problem }
        }
        throw Problem(
            "scores.none",
            "no high scores; expected an array of records with "
                + (fieldChoices + otherChoices).map(\.shown).joined(separator: ", or ")
                + (ScoreGuess(in: view, at: address)?.advice ?? ""), address: address)
    }

    /// The reason why an array whose first element has the fields of a record is not a table; nil for any other array.
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
                    "scores.none", "no high scores: this record cannot be read: \(error.message)", address: place)
            }
        }
        return nil
    }

    private static func several(_ addresses: [JSONPointer]) -> Problem {
        let shown = addresses.prefix(4).map { "\($0.description.prefix(80))" } + (addresses.count > 4 ? ["more"] : [])
        return Problem("scores.several", "\(shown.joined(separator: ", ")) hold high scores; expected one table")
    }

    /// Whether an array without elements is a table: any that was given, and the root or what is called so. Any other may
    /// be the unlocked levels of a game, which get no scores.
    private func isEmptyTable(_ candidate: Candidate, in view: ObjectView) -> Bool {
        let tokens = candidate.address.tokens
        let isNamed = address != nil || tokens.isEmpty || tokens == [Array(ScoreForm.archiveKey.utf16)]
        return isNamed && view[candidate.array].contents.count == 0
    }

    /// The fields of a table without records.
    private func usualFields(in view: ObjectView) -> ScoreFields {
        fields ?? (form ?? (view.archive == nil ? .plist : .archive)).fields
    }

    private var fieldChoices: [ScoreFields] {
        fields.map { [$0] } ?? ScoreForm.allCases.map(\.fields)
    }

    /// Names that fields often have and that other arrays may have, too. They count where there is nothing better, and the
    /// record can be read.
    private var otherChoices: [ScoreFields] {
        fields != nil ? [] : ["name", "initials"].map { ScoreFields(name: $0, score: "score", date: "date") }
    }

    /// The array at an address that was given.
    private func named(_ address: JSONPointer, in view: ObjectView) throws(Problem) -> Candidate {
        let id: ViewID
        switch view.find(address) {
        case .found(let found, let place) where place === view: id = found
        case .found:
            throw Problem("scores.nested", "the table is in a save that is stored in a value", address: address)
        case .missing(let missing):
            throw Problem(
                "scores.address", "nothing is there; expected an array of high scores" + missing.advice,
                address: address)
        }
        guard view.isList(id) else {
            let found = TypePhrase.of(id, in: view)
            throw Problem("scores.array", "found \(found); expected an array of high scores", address: address)
        }
        return Candidate(address: address, array: id)
    }

    /// The arrays at the root and in its members, each once.
    private func arrays(in view: ObjectView) -> [Candidate] {
        let root = view[view.root]
        if case .array = root.form { return [Candidate(address: .root, array: view.root)] }
        guard root.form.isKeyed else { return [] }
        var arrays: [Candidate] = []
        var known: Set<ViewID> = []
        for (key, position) in members(of: root.contents, in: view) {
            let array = view.item(position, of: root.contents).id
            guard view.scalar(array) == nil, view.isList(array), known.insert(array).inserted else { continue }
            arrays.append(Candidate(address: JSONPointer(tokens: [key]), array: array))
        }
        return arrays
    }

    /// The keys of a dictionary, and the position that each counts at, in the order of the positions.
    private func members(of contents: ViewContents, in view: ObjectView) -> [(key: [UInt16], position: Int)] {
        var positions: [[UInt16]: Int] = [:]
        for position in 0..<contents.count {
            // A long key may be that of many pairs, and nobody calls a table so.
            guard let key = view.item(position, of: contents).key.flatMap(view.text), key.count <= Self.longestKey
            else {
                continue
            }
            if view.document.lastRepeatedKeyWins || positions[Array(key)] == nil { positions[Array(key)] = position }
        }
        return positions.map { ($0, $1) }.sorted { $0.1 < $1.1 }
    }

    /// The fields that the elements of an array have; nil if it is no table.
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
        if case .array = self[id].form { return true }
        return document.databaseSchema?.tableObjects.contains(stored(id)) ?? false
    }
}
