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
            "set an object from edited JSON":
                "savetool set -i swamp.save /root/charList/0 --json-file player.json",
            "change a field of matching objects":
                "savetool set -i swamp.save '/root/charList/*/health' 100 --where 'type==3'",
        ],
        discussion: """
            Sets the value at an address, or at every match of a pattern with * or **. savetool help editing
            explains types, shared objects and what is written.

            VALUE is typed JSON (5, "Ada", [1, 2], {"$date": "2009-09-06T12:34:56Z"}), plain JSON as get
            prints it, or a word. It takes the type of the value that it replaces; a value of another
            kind needs --change-type.

            A missing key of a dictionary is created; in a property list, so are missing dictionaries above
            it. A missing field of an object, or root of an archive, needs --add.
            """,
        details: """
            A line names the type of a created value, and fields in VALUE that no object of their class has.
            If a key a.b.c, a/b/c or /a/b/c exists, dictionaries for /a/b/c are created only with --add.

            With a pattern, a line counts the matches and the changes. An empty key, as in / or /levels/, is
            created only with --add and without --change-type. /root/$class sets the class of an object; '' sets
            the root.
            """,
        exitStatus: [.done: "done", .negative: "no such value", .cannot: "error"],
        options: ValueOperand.options + [.where, .add, .changeType, .unshare],
        writing: .toOutput, foreignSpellings: OtherTools.valueOptions,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let edit = try SingleEdit(arguments, isPattern: true, invocation)
        return try edit.plan.edit(invocation) { file in
            var changedCount = 0
            let editing = ReportedEdits(edit.plan, .set, invocation) { file, slot, draft in
                guard edit.allows(slot, in: file, changesType: arguments.has(.changeType), invocation) else {
                    return .negative
                }
                let (status, isChanged) = try edit.set(
                    slot, of: &draft, in: file, changesType: arguments.has(.changeType), invocation)
                if isChanged { changedCount += 1 }
                return status
            } editLeaf: { _, slot, draft in
                guard edit.value.dependsOnlyOnKind, let result = draft.setRepeatedScalar(at: slot) else { return false }
                if !result.isUnchanged { changedCount += 1 }
                return true
            } report: { file, slots, draft in
                edit.report(slots.reportedSlots, of: &draft, in: file, invocation)
                edit.plan.report.note(created: edit.created(slots.reportedSlots), of: slots.count, in: file, &draft)
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
        _ slot: EditSlot, of draft: inout Draft, in file: SaveFile, changesType: Bool, _ invocation: Invocation
    ) throws -> (ExitStatus, isChanged: Bool) {
        let present = slot.path.end == .className ? file.className(of: slot.path) : slot.path.value
        let node = present.flatMap(file.view.scalar)
        if value.isPrinted(of: node) { return (.done, false) }
        let surroundings = ValueSurroundings(slot, in: file.view, present: present, changesType: changesType)
        let operand = value
        let value = try operand.value(for: surroundings, in: file)
        reportDuplicateKey(at: slot, of: &draft, in: file, invocation)
        do throws(Problem) {
            let result = try draft.set(value, at: slot, unshares: plan.unshares, changesType: changesType)
            plan.report.note(operand, beside: surroundings.siblings, at: slot, in: file, &draft)
            return (isSet(result, at: slot, in: file, invocation) ? .done : .negative, !result.isUnchanged)
        } catch {
            guard error.kind == .editType else { throw file.save.holder == nil ? file.located(error) : error }
            invocation.printError(ProblemLine.render(file.located(error), in: file.name) + Self.hint(node, value))
            return (.cannot, false)
        }
    }

    /// Prints a note if the key is a duplicate key, as only its effective value is set.
    private func reportDuplicateKey(
        at slot: EditSlot, of draft: inout Draft, in file: SaveFile, _ invocation: Invocation
    ) {
        guard case .slot(let position) = slot.path.end, let last = slot.path.containers.last,
            file.view.mayHaveDuplicateKeys(in: file.view[last]), !slot.path.endsInExtension
        else { return }
        let count = draft.positions(ofKeyAt: position, in: draft.id(of: last)).count
        guard count > 1 else { return }
        let which = file.view.document.lastDuplicateWins ? "last" : "first"
        invocation.printError(
            file.line(
                slot.path.address,
                "duplicate key: it occurs \(count) times; the \(which) one is effective and is set"))
    }

    /// Returns a hint for a value whose type differs from the present value's.
    private static func hint(_ present: Node?, _ given: GivenValue) -> String {
        let change = "; use \(Option.changeType.shown) to allow it"
        return switch present {
        case .string:
            change + ", or \(Option.string.shown)\(given.bareScalar.map { "=" + $0.spelling } ?? "") for a string"
        case .uid: #"; write a UID as {"$uid": 5}"#
        default: change
        }
    }

    /// Whether a value may be set at a slot. If not, prints an error. A missing value can only be added under a key.
    fileprivate func allows(
        _ slot: EditSlot, in file: SaveFile, changesType: Bool, _ invocation: Invocation
    ) -> Bool {
        guard case .nothing = slot.path.end else { return true }
        // `--change-type` applies to an existing value only.
        if slot.isNewEmptyKey, !adds || changesType {
            let creator = Option.add.shown + (adds ? " without \(Option.changeType.shown)" : "")
            file.reportMissing(slot, orCreatedBy: creator, invocation)
            return false
        }
        guard slot.path.isNewKey else {
            let hint = slot.path.isAfterLast ? "; use \(InsertCommand.command.called) to add it" : ""
            file.reportMissing(slot.path.address, besides: hint, invocation)
            return false
        }
        guard adds || !slot.path.isNewFieldOrRoot && !file.isSplitKey(slot.path.address) else {
            file.reportMissing(slot.path.address, besides: "; use \(Option.add.shown) to create it", invocation)
            return false
        }
        return true
    }

    /// Returns the slots to report as created: none with `--add`, which asks for new keys.
    fileprivate func created(_ slots: [EditSlot]) -> [EditSlot] {
        adds ? [] : slots.filter(\.path.isNewKey)
    }
}

extension SaveFile {
    /// Returns the class name at the end of a resolved address.
    fileprivate func className(of path: ResolvedAddress) -> ViewID? {
        guard case .found(let id, _) = view.find(path.address) else { return nil }
        return id
    }

    /// Whether the missing keys of an address form one existing key, which was probably meant.
    fileprivate func isSplitKey(_ address: JSONPointer) -> Bool {
        guard case .missing(let missing) = view.find(address) else { return false }
        return missing.isSplitKey
    }
}

extension Option {
    static let add = Option(
        "add", for: .value, help: "create a missing field or root, or an empty key")
    static let changeType = Option(
        "change-type", for: .value, help: "accept a value of another type, unconverted")
}
