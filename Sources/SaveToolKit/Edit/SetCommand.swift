import KeyedArchives
import SaveCodec
import SaveOperations

/// `savetool set`: sets values in a file.
enum SetCommand {
    static let command = Command(
        name: "set", summary: "set a value in a file", operands: [.file, .address, .text("VALUE").optional],
        examples: [
            "change a value in the file": "savetool set -i swamp.save /root/charList/0/health 100",
            "see what would change": "savetool set -n swamp.save /root/currentLevelName Castle",
            "set an object that has been edited as JSON":
                "savetool set -i swamp.save /root/charList/0 --json-file player.json",
            "change a field of all objects of a kind":
                "savetool set -i swamp.save '/root/charList/*/health' 100 --where 'type==3'",
        ],
        discussion: """
            Sets the value at an address, a JSON Pointer such as /root/scores/0.

            A missing key of a dictionary is created, and a line names the type of its value. In a property
            list the missing dictionaries above it are created, too. A missing field of an object is added
            only with --add; without it, a line names fields in VALUE that no object of their class has.
            With duplicate keys, the effective value is set. /root/$class is the class of an object, '' the
            root. An empty key, as in / or /levels/, is added only with --add and without --change-type.

            In an address, * stands for one step and ** for any number; a line says how many places there
            are and how many have changed. \(PatternText.condition) \(PatternText.rule)

            VALUE is typed JSON: 5, 2.5, "Ada", true, [1, 2], {"$date": "2009-09-06T12:34:56Z"}. Plain JSON,
            as get and inspect print it, will do. \(EditedText.word) Where a date is now, text is a date;
            where data is, Base64; where a point, size, rectangle or range of an archive is, the form that
            inspect prints, such as '{1, 2}'. Instead of VALUE an option may give the value and its type,
            or its file.

            Types are taken from what stands there, member by member: a real stays a real of its size, 9.0
            is 9 where an integer stands, a number that is an object stays one, text is read as a date or
            data where one stands, an array keeps its class; and where nothing stood from the same field
            of other objects of the class, or from what stands beside an element of an array.
            What reads like what is there is left as it is: get FILE ADDRESS | set FILE ADDRESS
            --json-file - changes nothing. $inline, $object, $real32, $date and the like say otherwise.
            A value of another kind is refused anywhere within, unless --change-type; null has no type. In
            OpenStep, where all scalars are text, a number is text.

            \(EditedText.sharing) Objects within the value that
            change are split as well, so that all other places stay as they are.

            \(EditedText.writing)
            \(EditedText.foreign)
            """,
        exitStatus: [.done: "done", .negative: "nothing at the address", .cannot: "it could not be set"],
        options: ValueOperand.options + [.where, .add, .changeType, .unshare],
        writing: .toOutput,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let edit = try SingleEdit(arguments, isPattern: true, invocation)
        return try edit.plan.edit(invocation) { file in
            var changedCount = 0
            let editing = ReportedEdits(edit.plan, isSet: true, invocation) { file, place, draft in
                guard edit.allows(place, in: file, changesType: arguments.has(.changeType), invocation) else {
                    return .negative
                }
                let (status, isChanged) = try edit.set(
                    place, of: &draft, in: file, changesType: arguments.has(.changeType), invocation)
                if isChanged { changedCount += 1 }
                return status
            } report: { file, places, draft in
                edit.report(places.kept, of: &draft, in: file, invocation)
                edit.plan.note(created: edit.created(places.kept), of: places.count, in: file, &draft)
            }
            let edited = try editing.view(of: file, at: edit.targets(in: file))
            guard editing.status == .done else { return editing.status }
            guard editing.count > 0 else {
                edit.reportNothingThere(in: file, invocation)
                return .negative
            }
            edit.report(editing.count, changed: changedCount, in: file, invocation)
            return try edit.plan.deliver(edited, of: file, invocation)
        }
    }
}

extension SingleEdit {
    /// Sets the value of one slot. Returns the status and whether the value changed.
    fileprivate func set(
        _ place: EditSlot, of draft: inout Draft, in file: SaveFile, changesType: Bool, _ invocation: Invocation
    ) throws -> (ExitStatus, isChanged: Bool) {
        let present = place.path.end == .className ? file.className(of: place.path) : place.path.value
        let node = present.flatMap(file.view.scalar)
        if value.isPrinted(of: node) { return (.done, false) }
        let surroundings = ValueSurroundings(place, in: file.view, present: present, changesType: changesType)
        let value = try value.value(for: surroundings, in: file)
        reportRepeatedKey(at: place, of: &draft, in: file, invocation)
        do throws(Problem) {
            let result = try draft.set(value, at: place, unshares: plan.unshares, changesType: changesType)
            return (isSet(result, at: place, in: file, invocation) ? .done : .negative, result != .unchanged)
        } catch {
            guard error.kind == .editType else { throw file.save.holder == nil ? file.located(error) : error }
            invocation.printError(ProblemLine.render(file.located(error), in: file.name) + Self.hint(node))
            return (.cannot, false)
        }
    }

    /// Prints a note if the key is a duplicate key, as only its effective value is set.
    private func reportRepeatedKey(
        at place: EditSlot, of draft: inout Draft, in file: SaveFile, _ invocation: Invocation
    ) {
        guard case .slot(let position) = place.path.end, let last = place.path.containers.last,
            repeatedKeys.mayOccur(in: file.view[last], of: file.view), !place.path.endsInForm
        else { return }
        let count = draft.positions(ofKeyAt: position, in: draft.id(of: last)).count
        guard count > 1 else { return }
        let which = file.view.document.lastDuplicateWins ? "last" : "first"
        invocation.printError(
            file.line(place.path.address, "the key is there \(count) times; the \(which) one counts, and is set"))
    }

    /// Returns a hint for a value whose type differs from the present value's.
    private static func hint(_ present: Node?) -> String {
        let change = "; \(Option.changeType.shown) allows it"
        return switch present {
        case .string: change + ", \(Option.string.shown) gives a string"
        case .uid: #"; {"$uid": 5} is a UID"#
        default: change
        }
    }
}

extension SingleEdit {
    /// Whether a value may be set at a slot. If not, prints an error. A missing value can only be added under a key.
    fileprivate func allows(
        _ place: EditSlot, in file: SaveFile, changesType: Bool, _ invocation: Invocation
    ) -> Bool {
        guard case .nothing = place.path.end else { return true }
        // `--change-type` applies to an existing value only.
        if place.isNewEmptyKey, !adds || changesType {
            let creator = Option.add.shown + (adds ? " without \(Option.changeType.shown)" : "")
            file.reportMissing(place, orCreatedBy: creator, invocation)
            return false
        }
        guard place.path.isNewKey else {
            let hint = place.path.isAfterLast ? ", and \(InsertCommand.command.called) adds it" : ""
            file.reportMissing(place.path.address, besides: hint, invocation)
            return false
        }
        guard adds || !place.path.isNewField else {
            file.reportMissing(place.path.address, besides: ", and \(Option.add.shown) adds it", invocation)
            return false
        }
        return true
    }

    /// Returns the slots to report as created: none with `--add`, which asks for new keys.
    fileprivate func created(_ places: [EditSlot]) -> [EditSlot] {
        adds ? [] : places.filter(\.path.isNewKey)
    }
}

extension EditPlan {
    /// Notes the slots that an edit created, with the types of their values and the existing keys with similar names.
    ///
    /// - Parameter count: The number of slots that were set. If all are new, they are not listed again as changes.
    func note(created places: [EditSlot], of count: Int, in file: SaveFile, _ draft: inout Draft) {
        guard !isQuiet, let first = places.first.flatMap({ draft.find($0.created(in: file).0) }) else { return }
        // The list of changes already shows the contents of a container.
        if reportsChanges, places.count < count || draft.scalar(first) == nil { return }
        reportsChanges = false
        for place in places.prefix(Self.mostReported) {
            let (address, advice) = place.created(in: file)
            guard let value = draft.find(address) else { continue }
            let shown = Shortened.address(file.save.base.appending(address))
            notes.append("created \(shown): \(draft.typed(value))\(advice)")
        }
        let rest = places.count - Self.mostReported
        if rest > 0 { notes.append("… and \(rest) more created") }
    }
}

extension EditSlot {
    /// Returns the address of a created slot, and advice that names a similar one.
    fileprivate func created(in file: SaveFile) -> (JSONPointer, advice: String) {
        guard case .missing(let missing) = file.view.find(path.address), let last = path.containers.last,
            file.view[last].form.isKeyed
        else { return (path.insertion, "") }
        return (path.address, missing.within(file.save.base).advice)
    }
}

extension Draft {
    /// Describes a value with its type: `string "Bob"`, `integer 5`, `a dictionary of 2 keys`.
    fileprivate mutating func typed(_ id: ID) -> String {
        guard let node = scalar(id) else { return brief(id) }
        let text = ValueText.line(node).text
        return text.hasPrefix(node.typeName) ? text : node.typeName + " " + text
    }
}

extension SaveFile {
    /// Returns the class name at the end of a resolved address.
    fileprivate func className(of path: ResolvedAddress) -> ViewID? {
        guard case .found(let id, _) = view.find(path.address) else { return nil }
        return id
    }
}

/// Paragraphs in the help of several commands.
enum EditedText {
    static let word = """
        Text that is not JSON replaces a string as it is. Elsewhere it is a string unless it begins with {,
        [ or ", begins like a number, is blank, or spells a literal, as True, NULL, nan and YES do.
        """

    static let changes = """
        An edit in place lists its changes on standard error, as diff does: at most five lines, then a
        count. --quiet suppresses the list.
        """

    static let foreign = """
        Nor is anything written if other readers could not take the value: an integer beyond 64 bits, or
        null in a binary property list.
        """

    static let sharing = """
        An object that is referred to from elsewhere changes there, too, and a line says where; with
        --unshare the address leads to a copy of its own.
        """

    static let writing = """
        \(changes)

        Only what is touched is rewritten: the values of a binary file keep their bytes, though references
        may be renumbered, and a text keeps its comments, white space and spellings. New values are written
        in the style of their neighbours. If the format cannot hold a value, nothing is written without
        --allow-loss. A file whose content stays the same is left alone.

        \(rewriting)
        """

    static let rewriting = """
        What was taken out of gzip data or other layers is put back into them, see savetool help layers.
        \(replacing)
        """

    static let replacing = """
        Files are replaced as a whole or not at all. Runs of savetool that change one file wait for each
        other, by a lock on its folder; what another program has changed meanwhile is not written over,
        and the exit status is 2.
        """
}

extension Option {
    static let add = Option(
        "add", for: .value, help: "add a field that the object does not have, or a key without a word")
    static let changeType = Option(
        "change-type", for: .value, help: "allow values of other types than the present ones; text stays text")
}
