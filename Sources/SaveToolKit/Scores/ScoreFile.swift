import KeyedArchives
import SaveCodec
import SaveOperations

/// Finds, reads, creates and changes the table of high scores in a file.
final class ScoreFile {
    let plan: EditPlan
    let search: ScoreSearch
    /// The address of the nested save that holds the changed table; the root if the file itself does.
    private(set) var base = JSONPointer.root
    /// The format of a new file; nil to choose it by the name of the file or the form of the table.
    let target: Format?

    /// Creates a score file from the arguments of a command.
    ///
    /// - Parameters:
    ///   - isForm: Whether the table in the file must have the form that `--form` names.
    ///   - isOnlyRead: Whether the output is not an edited copy of the file.
    init(
        _ name: String, _ arguments: Arguments, in invocation: Invocation, isForm: Bool = true, isOnlyRead: Bool = false
    ) throws {
        plan = try EditPlan(name, arguments, isOnlyRead: isOnlyRead)
        var search = try arguments.scoreSearch()
        if !arguments.has(.scoreOrder), let order = try Project.find(arguments, invocation)?.scoreOrder(of: name) {
            search.order = order
        }
        if !isForm { search.form = nil }
        self.search = search
        target = try arguments.format(of: .newFormat, among: Format.written)
    }

    init(plan: EditPlan, search: ScoreSearch) {
        self.plan = plan
        self.search = search
        target = nil
    }

    var name: String { plan.file }

    /// Changes the table and replaces the file atomically. Concurrent runs of savetool wait. If the file does not exist
    /// and a form is given, the table is empty.
    ///
    /// - Parameters:
    ///   - record: The added score. If the file is a database, which is never written, the SQL statement that adds the
    ///     score is printed instead. Nil if no single score is added.
    ///   - body: Returns the edited save; nil to leave the file unchanged.
    /// - Returns: The status of writing the file; nil if the file is unchanged.
    func change(
        adding record: ScoreRecord? = nil, _ invocation: Invocation, _ body: (ScoreTable) throws -> ObjectView?
    ) throws -> ExitStatus? {
        plan.refusesForeignValues = true
        return try invocation.whileEditing(plan.written, reading: [name]) {
            let (file, search) = try entered(readOrCreate(invocation))
            base = file.save.base
            if let address = search.address, file.view.readsAsRoot(address) {
                file.reportMissing(address, invocation)
                return .cannot
            }
            return try file.whileBased {
                if !file.format.has(.database) || record == nil { try file.save.checkIsWritable() }
                let table = try search.table(in: file.view)
                if let record, record.name.isEmpty, table.hasNames {
                    throw UsageError.missingOption(.player, because: "the records have names")
                }
                if file.format.has(.database), let record {
                    return try file.refuse(adding: record, to: table, invocation)
                }
                guard let edited = try body(table) else { return nil }
                return try plan.deliver(edited, of: file, invocation)
            }
        }
    }

    /// Returns the file with the table, or the nested save that holds it.
    private func openTable(_ invocation: Invocation) throws -> (file: SaveFile, search: ScoreSearch) {
        let file = try plan.read(invocation)
        var (entered, search) = entered(file)
        if entered.save.holder == nil {
            search.address = search.address.map { invocation.readAddress($0, in: entered.view, of: name) }
        }
        return (entered, search)
    }

    /// Returns the file, or the nested save in one of its values that holds the table.
    func entered(_ file: SaveFile) -> (file: SaveFile, search: ScoreSearch) {
        guard let address = search.address ?? search.saveWithTable(in: file.view)?.nestedSaveRoot else {
            return (file, search)
        }
        let (inner, rest) = file.innermostFile(at: address)
        guard inner.save.holder != nil else { return (file, search) }
        var search = search
        search.address = search.address == nil ? nil : rest
        return (inner, search)
    }

    func read(_ invocation: Invocation) throws -> ScoreTable {
        let (file, search) = try openTable(invocation)
        return try file.whileBased { try search.table(in: file.view) }
    }

    /// Returns the table without unreadable records; nil after printing a message if the file does not exist.
    func readableTableIfExisting(_ invocation: Invocation) throws -> ScoreTable? {
        guard try isMissing(invocation) else { return try readableTable(invocation) }
        invocation.printError("\(Invocation.shownName(name)): no such file; returning an empty table")
        return nil
    }

    /// Returns the table without unreadable records.
    func readableTable(_ invocation: Invocation) throws -> ScoreTable {
        let (file, search) = try openTable(invocation)
        return try file.whileBased { try search.readableTable(in: file.view) }
    }

    private func readOrCreate(_ invocation: Invocation) throws -> SaveFile {
        guard try isMissing(invocation) else {
            try checkKind(invocation)
            let file = try plan.read(invocation)
            if let target, target != file.format {
                throw FileError(
                    Invocation.shownName(name), "the file is \(file.format.rawValue), but --to is \(target.rawValue)")
            }
            return file
        }
        guard let form = search.form else {
            throw FileError(Invocation.shownName(name), "no such file; use \(Option.scoreForm.shown) to create it")
        }
        let document = try ScoreTable.document(of: [], form: form, fields: search.fields, key: try newKey())
        let format = target ?? Format(endingOf: plan.output ?? name) ?? form.defaultFormat
        return SaveFile(try Save(new: document, as: format, limits: plan.reading.limits), name: name)
    }

    private func isMissing(_ invocation: Invocation) throws -> Bool {
        if name == "-" { return false }
        let path = invocation.path(name)
        return try FileError.naming(Invocation.shownName(name)) { () throws(SystemError) in
            try FileSystem.status(path) == nil && !FileSystem.isLink(path)
        }
    }

    /// Refuses pipes and devices. They cannot be replaced, and reading a pipe could block while the folder is locked.
    private func checkKind(_ invocation: Invocation) throws {
        guard let status = try? FileSystem.status(invocation.path(name)), status.kind == .other else { return }
        throw FileError(Invocation.shownName(name), "this is a pipe or a device; expected a file")
    }

    /// Returns the key of a new table; nil for a table at the root or under the default key.
    private func newKey() throws -> [UInt16]? {
        guard let address = search.address, address != .root else { return nil }
        guard address.tokens.count == 1, !address.isExtension(at: 0), address != .emptyKey else {
            throw UsageError.badValue(
                address.description, .tableAddress,
                expected: "a single key such as /HighScores, or '' for the root, to create the file")
        }
        return address.tokens[0]
    }
}

extension ScoreTableFormat {
    var defaultFormat: Format {
        switch self {
        case .archive, .plist: .binary
        case .feed: .xml
        }
    }
}

extension Arguments {
    fileprivate func scoreSearch() throws(UsageError) -> ScoreSearch {
        ScoreSearch(
            form: try choice(of: .scoreForm), fields: try scoreFields(), address: try tableAddress(),
            order: try choice(of: .scoreOrder))
    }

    private func tableAddress() throws(UsageError) -> JSONPointer? {
        guard let text = value(of: .tableAddress) else { return nil }
        return try JSONPointer(text, of: .tableAddress)
    }

    /// Parses `name=player,score=points,date=when`.
    private func scoreFields() throws(UsageError) -> ScoreFields? {
        guard let text = value(of: .scoreFields) else { return nil }
        var names: [String: String] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2, ["name", "score", "date"].contains(pair[0]), names[pair[0]] == nil else {
                throw .badValue(text, .scoreFields, expected: Self.fieldsExpected)
            }
            names[pair[0]] = pair[1]
        }
        guard let score = names["score"], Set(names.values).count == names.count else {
            throw .badValue(text, .scoreFields, expected: Self.fieldsExpected)
        }
        return ScoreFields(name: names["name"], score: score, date: names["date"])
    }

    private static let fieldsExpected = "name=A,score=B,date=C with different names; only score is required"
}

/// The output of records in a form other than the form of the table that was read.
extension ScoreFile {
    /// Writes records as a new save.
    ///
    /// - Parameter conversionLosses: The contents of the file that the records do not include.
    func deliver(
        _ records: [ScoreRecord], as form: ScoreTableFormat, leaving conversionLosses: [Problem],
        _ invocation: Invocation
    ) throws -> ExitStatus {
        let format = target ?? plan.output.flatMap { Format(endingOf: $0) } ?? form.defaultFormat
        guard acceptsLosses(conversionLosses, invocation) else { return .cannot }
        let save = try Save(
            new: ScoreTable.document(of: [], form: form), as: format, limits: plan.reading.limits)
        let edited = try save.view.edited(ScoreTable.document(of: records, form: form), limits: save.limits)
        return try plan.deliver(edited, of: SaveFile(save, name: name), invocation)
    }

    /// Lists the losses of the result and returns whether it may be written.
    func acceptsLosses(_ losses: [Problem], _ invocation: Invocation) -> Bool {
        invocation.accepts(
            losses, of: name, isAllowed: plan.allowsLoss,
            else: Refusal(
                "not written: this would leave out", valuesThen: "use \(Option.allowLoss.shown) to write it anyway")
        )
    }
}

extension Option {
    static let scoreForm = Option("form", value: "FORM", among: ScoreTableFormat.self, for: .scores)
    static let scoreFields = Option(
        "fields", value: "LIST", for: .scores, help: "name the fields: name=player,score=points,date=when")
    static let tableAddress = Option(
        "at", value: "ADDRESS", is: .address, for: .scores, help: "the address of the table")
    static let scoreOrder = Option(
        "order", value: "ORDER", among: ScoreOrder.self, usual: .highest, for: .scores, help: "the best score: ")
    static let newFormat = Option(
        "to", value: "FORMAT", is: .choice(Format.written.map(\.rawValue)), for: .output,
        help: "the format of a new file: \(UsageError.list(Format.written.map(\.rawValue)))")
}
