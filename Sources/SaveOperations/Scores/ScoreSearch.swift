package import KeyedArchives
package import SaveCodec

/// A search for the table of high scores in a save: an array or a dictionary with records, at the root or below it, or
/// a table of a database. ``ScoreDetection`` and ``ScoreWords`` have the rules.
package struct ScoreSearch: Sendable {
    /// The required form of the table; nil for any form.
    package var form: ScoreTableFormat?
    /// The field names; nil to use the names of a form.
    package var fields: ScoreFields?
    /// The address of the array; nil to search for it.
    package var address: JSONPointer?
    /// The order of the scores; nil if it is not given, so that the highest score is assumed to be the best.
    package var order: ScoreOrder?

    /// Creates a search. Parameters that are nil do not restrict it.
    package init(
        form: ScoreTableFormat? = nil, fields: ScoreFields? = nil, address: JSONPointer? = nil,
        order: ScoreOrder? = nil
    ) {
        self.form = form
        self.fields = fields
        self.address = address
        self.order = order
    }

    typealias Candidate = ScoreContainers.Candidate

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
        var table = ScoreTable(candidate.array, at: candidate.address, fields, order: order, in: view)
        if view[candidate.array].contents.count == 0, let sibling = sibling(of: candidate, in: view) {
            table = ScoreTable(candidate.array, at: candidate.address, sibling.fields, order: order, in: view)
                .beside(sibling)
        }
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
        let addresses = ScoreContainers(in: view).members(of: root.contents).compactMap { key, position in
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

    /// Whether a form is the expected one. If the field names are custom, feeds and other property lists count as one
    /// form.
    private func isForm(_ form: ScoreTableFormat, _ expected: ScoreTableFormat) -> Bool {
        fields == nil ? form == expected : (form == .archive) == (expected == .archive)
    }

    private func found(in view: ObjectView) throws(Problem) -> (Candidate, ScoreFields) {
        let containers = ScoreContainers(in: view)
        var unlikely = ""
        let candidates =
            try address.map { address throws(Problem) in [try named(address, in: view)] }
            ?? containers.candidates()
        if let fields {
            let tables = candidates.filter { $0.isList && hasRecord($0, with: fields, in: view) }
            let others =
                tables.isEmpty && address != nil ? candidates.filter { hasRecord($0, with: fields, in: view) } : []
            if let only = try Self.only(tables + others, in: view) { return (only, fields) }
        } else {
            var choices: [ViewID: ScoreFields?] = [:]
            let known = candidates.compactMap { candidate in
                candidate.isList && candidate.depth <= 1 ? formFields(of: candidate, in: view, &choices) : nil
            }
            if let only = try Self.only(known.map(\.0), in: view) { return (only, known[0].1) }
            var detection = ScoreDetection(view, candidates)
            for isSure in address == nil ? [true, false] : [false] {
                let tables = candidates.filter { candidate in
                    guard let table = detection.table(candidate) else { return false }
                    return address != nil || containers.accepts(candidate, as: table, isSure: isSure, &detection)
                }
                guard let only = try Self.only(tables, in: view), let table = detection.table(only) else { continue }
                return (only, try table.fields.get(at: only.address))
            }
            unlikely = Self.advice(candidates.prefix(Self.maxAdvised), &detection, in: view)
        }
        if let empty = candidates.first(where: { isEmptyTable($0, in: view) }) {
            return (empty, defaultFields(in: view))
        }
        for candidate in candidates where candidate.isList {
            if let problem = unreadableRecord(of: candidate, in: view) { throw problem }
        }
        throw Problem(
            "scores.none",
            "found no high scores; expected an array of records with "
                + (fields.map(\.shown) ?? "a name and a score, of pairs, or one score for each name")
                + (ScoreGuess(in: view, at: address)?.advice ?? unlikely), address: address)
    }

    private static let maxAdvised = 100

    /// Returns the end of a sentence with the option that reads an unlikely table; empty if no candidate is such a
    /// table.
    private static func advice(
        _ candidates: ArraySlice<Candidate>, _ detection: inout ScoreDetection, in view: ObjectView
    ) -> String {
        for candidate in candidates where !detection.isInsideTable(candidate) {
            guard detection.table(candidate) != nil, view.archive == nil,
                let word = ScoreGuess.word(for: candidate.address)
            else { continue }
            let count = Phrase.count(view[candidate.array].contents.count, "record")
            return "; --at \(word) would read \(count)"
        }
        return ""
    }

    /// Returns the only table; nil without a table.
    ///
    /// - Throws: A problem that lists several tables.
    private static func only(_ tables: [Candidate], in view: ObjectView) throws(Problem) -> Candidate? {
        guard tables.count > 1 else { return tables.first }
        let shown = tables.prefix(maxShown).map { table in
            "\(table.address.description.prefix(80)) (\(Phrase.count(view[table.array].contents.count, "record")))"
        }
        let choice =
            tables.lazy.compactMap { ScoreGuess.word(for: $0.address) }.first.map { " --at \($0)" } ?? " --at"
        throw Problem(
            "scores.several",
            "found several tables: \(Phrase.list(shown, of: tables.count)); choose one with\(choice)")
    }

    /// The maximum number of tables that a message lists.
    private static let maxShown = 10

    /// Returns the reason why an array whose first element has a name and a score is not a table; nil for any other
    /// array.
    private func unreadableRecord(of candidate: Candidate, in view: ObjectView) -> Problem? {
        let contents = view[candidate.array].contents
        guard fields == nil, contents.count > 0 else { return nil }
        let first = view.item(0, of: contents).id
        for name in ["name", "initials"] {
            var reader = ScoreReader(view, ScoreFields(name: name, score: "score", date: "date"))
            guard reader.isRecord(first) else { continue }
            do throws(Problem) {
                _ = try reader.record(first)
            } catch {
                return Problem(
                    "scores.none", "found no high scores; this record cannot be read: \(error.message)",
                    address: candidate.address.appending(index: 0))
            }
        }
        return nil
    }

    /// Returns the first table that shares a parent with an empty one, such as the table of another level; nil if no
    /// other table has the same parent.
    private func sibling(of empty: Candidate, in view: ObjectView) -> ScoreTable? {
        guard let depth = empty.address.tokens.indices.last else { return nil }
        let parent = empty.address.prefix(depth)
        let others = ScoreContainers(in: view).candidates().filter {
            $0.isList && $0.address.tokens.count == depth + 1 && $0.address.prefix(depth) == parent
                && view[$0.array].contents.count > 0
        }.prefix(Self.maxAdvised)
        var detection = ScoreDetection(view, Array(others))
        var choices: [ViewID: ScoreFields?] = [:]
        for other in others {
            let detected = formFields(of: other, in: view, &choices)?.1 ?? detection.fields(of: other)
            guard let fields = fields ?? detected, fields.name != nil, fields.score != nil else { continue }
            let table = ScoreTable(other.array, at: other.address, fields, order: order, in: view)
            if !table.records.isEmpty, table.unreadableCount == 0 { return table }
        }
        return nil
    }

    /// Whether an empty array is a table: the array at the given address, the root, the member `HighScores`, or outside
    /// archives a member whose key names a table, such as `scores`. Other empty arrays may have another purpose, such
    /// as a list of unlocked levels.
    private func isEmptyTable(_ candidate: Candidate, in view: ObjectView) -> Bool {
        let tokens = candidate.address.tokens
        let isNamed =
            address != nil || tokens.isEmpty || tokens == [Array(ScoreTableFormat.archiveKey.utf16)]
            || view.archive == nil && tokens.count == 1 && ScoreWords.isTable(tokens[0])
        return isNamed && candidate.isList && view[candidate.array].contents.count == 0
    }

    /// Returns the fields of a table without records. A record in plain text has only a name and a score.
    private func defaultFields(in view: ObjectView) -> ScoreFields {
        if let fields { return fields }
        if let form { return form.fields }
        if view.document.has(.textDates), view.archive == nil {
            return ScoreFields(name: "name", score: "score", date: nil)
        }
        return (view.archive == nil ? ScoreTableFormat.plist : .archive).fields
    }

    private func named(_ address: JSONPointer, in view: ObjectView) throws(Problem) -> Candidate {
        let id: ViewID
        switch view.find(address) {
        case .found(let found, let foundView) where foundView === view: id = found
        case .found:
            throw Problem("scores.nested", "the table is in a nested save; open that save first", address: address)
        case .missing(let missing):
            throw Problem(
                "scores.address", "no such value; expected an array of high scores" + missing.advice,
                address: address)
        }
        let isKeyed = view.container(id)?.variant.isKeyed ?? false
        guard view.isList(id) || (isKeyed && view.archive == nil) else {
            let found = TypePhrase.of(id, in: view)
            throw Problem("scores.array", "found \(found); expected an array of high scores", address: address)
        }
        return Candidate(address: address, array: id, isList: view.isList(id), depth: 0, parent: nil)
    }

    // MARK: Forms

    /// Returns the fields of the form that fits the elements of an array; nil if none fits.
    private func formFields(
        of candidate: Candidate, in view: ObjectView, _ choices: inout [ViewID: ScoreFields?]
    ) -> (Candidate, ScoreFields)? {
        let contents = view[candidate.array].contents
        for position in 0..<min(contents.count, ScoreDetection.sampleSize) {
            let element = view.item(position, of: contents).id
            let known =
                choices[element]
                ?? ScoreTableFormat.allCases.map(\.fields).first {
                    view.shortArray(element) == nil && ScoreReader(view, $0).isRecord(element)
                }
            choices[element] = .some(known)
            if let known { return (candidate, known) }
        }
        return nil
    }

    /// Whether one of the first elements of a container has the given fields.
    private func hasRecord(_ candidate: Candidate, with fields: ScoreFields, in view: ObjectView) -> Bool {
        let contents = view[candidate.array].contents
        let reader = ScoreReader(view, fields)
        return (0..<min(contents.count, ScoreDetection.sampleSize)).contains {
            reader.isRecord(view.item($0, of: contents).id)
        }
    }
}
