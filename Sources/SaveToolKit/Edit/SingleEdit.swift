import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

/// The common part of the commands that put a value at one address.
final class SingleEdit {
    let plan: EditPlan
    let value: ValueOperand
    /// Whether fields that are new to a class are intended (`--add`).
    let adds: Bool
    private let pattern: PointerPattern
    private let conditions: [FieldCondition]

    private var address: JSONPointer { pattern.address }

    /// Whether the address may match several slots.
    var isPattern: Bool { pattern.hasWildcards || !conditions.isEmpty }

    /// - Parameter isPattern: Whether the address may be a pattern.
    init(_ arguments: Arguments, isPattern: Bool = false, _ invocation: Invocation) throws {
        let operands = arguments.operands
        guard let file = operands.first else { throw UsageError.missingOperand("FILE") }
        guard operands.count > 1 else { throw UsageError.missingOperand("ADDRESS") }
        pattern = PointerPattern(try JSONPointer(operand: operands[1], isPattern: isPattern))
        if operands.count > 3 {
            // Between a file and an address, a second file is what is wrong, not the last operand.
            let isFile = (try? FileSystem.status(invocation.path(operands[1]))) != nil
            throw UsageError.extraOperand(operands[isFile ? 1 : 3])
        }
        conditions = isPattern ? try arguments.fieldConditions() : []
        plan = try EditPlan(file, arguments)
        adds = arguments.has(.add)
        plan.refusesForeignValues = true
        if file == "-", [.dataFile, .jsonFile].contains(where: { arguments.value(of: $0) == "-" }) {
            throw UsageError.inputTwice
        }
        let text = try operands.dropFirst(2).first.map { try Arguments.text($0, "VALUE") }
        value = try ValueOperand(text, from: arguments, invocation)
    }

    /// Reads the file and runs `body` on the slot at the address. Prints an error if the address does not exist.
    func run(
        _ invocation: Invocation, _ body: (SaveFile, EditSlot) throws -> ExitStatus
    ) throws -> ExitStatus {
        try plan.edit(at: address, invocation) { file, address in
            guard let slot = EditSlot(address, in: file.view, unsharing: plan.unshares) else {
                file.reportMissing(address, besides: creation(of: address, in: file), invocation)
                return .negative
            }
            if slot.isNewEmptyKey {
                file.reportMissing(slot, orCreatedBy: "\(SetCommand.command.called) \(Option.add.shown)", invocation)
                return .negative
            }
            return try body(file, slot)
        }
    }

    /// Returns a hint for an inserted value whose container does not exist, if `set` can create the container;
    /// otherwise an empty string.
    private func creation(of address: JSONPointer, in file: SaveFile) -> String {
        let isElement = address.lastToken?.isEnd ?? false
        let container = isElement ? address.prefix(address.tokens.count - 1) : address
        // An insertion takes no pattern.
        let isPattern = container.tokens.contains { $0 == [UInt16(UInt8(ascii: "*"))] }
        guard !isPattern, let slot = EditSlot(container, in: file.view, isSet: true), slot.path.isNewKey,
            !slot.path.isNewFieldOrRoot
        else { return "" }
        let words =
            plan.destination + (slot.isNewEmptyKey ? [Option.add.shown] : []) + [file.name]
            + [String(decoding: file.save.base.appending(container).operand, as: UTF16.self)]
            + (isElement ? ["[" + value.json + "]"] : [])
        let command = ([SetCommand.command.called] + words.map { Shell.word($0) ?? "…" }).joined(separator: " ")
        return "; use \(command)\(isElement ? "" : " VALUE") to create \(isElement ? "the array" : "it")"
    }

    /// Returns the slots that match the pattern, or with `--add` the slots of its last key in the containers that the
    /// rest of the pattern matches.
    func targets(in file: SaveFile) -> () throws(Problem) -> EditTarget? {
        guard adds, let holders else { return pattern.targets(in: file.view, where: conditions) }
        return addedTargets(in: file, holders)
    }

    /// Returns the slots of a key in the containers that have the slot or can get it.
    private func addedTargets(
        in file: SaveFile, _ holders: (pattern: PointerPattern, key: [UInt16])
    ) -> () throws(Problem) -> EditTarget? {
        var matches = PatternMatches(holders.pattern, in: file.view)
        return { () throws(Problem) in
            while let match = try matches.next() {
                let address = try matches.address().appending(key: holders.key)
                let isTarget =
                    switch match.view.walk(JSONPointer.root.appending(key: holders.key), from: match.id).end {
                    case .found: true
                    case .entering: if case .found = file.view.find(address) { true } else { false }
                    case .missing, .unreadable: match.view[match.id].variant.isKeyed
                    }
                if isTarget { return EditTarget(.address(address)) }
            }
            return nil
        }
    }

    /// The pattern of the containers around the matches, and the key in them; nil for a pattern that ends in a wildcard,
    /// has `**` or conditions, or for an address.
    private var holders: (pattern: PointerPattern, key: [UInt16])? {
        let anyDepth = AddressToken("**".utf16, isExtension: true)
        guard pattern.hasWildcards, conditions.isEmpty, let last = address.lastToken, !last.isExtension, !last.isEnd,
            !address.tokens.indices.contains(where: { address.token(at: $0) == anyDepth })
        else { return nil }
        return (PointerPattern(address.prefix(address.tokens.count - 1)), last.units)
    }

    /// Prints that the pattern matches nothing.
    func reportNothingThere(in file: SaveFile, _ invocation: Invocation) {
        let isAddable = !adds && holders.flatMap { try? addedTargets(in: file, $0)() } != nil
        invocation.printError(
            pattern.noMatch(in: file.view, of: file.name, where: conditions)
                + (isAddable ? "; use \(Option.add.shown) to create it" : ""))
    }

    /// Prints the number of slots that were set, and the number that changed, if the address is a pattern.
    func report(_ count: Int, changed: Int, in file: SaveFile, _ invocation: Invocation) {
        guard isPattern else { return }
        let matches = Phrase.count(count, "matching value")
        invocation.printError(file.line(address, "\(matches), \(CountText.of(changed)) changed"))
    }

    /// Reports the effects of an edit. Returns false if the address does not exist.
    func accepts(
        _ result: Draft.SetResult, at slot: EditSlot, of draft: inout Draft, in file: SaveFile,
        _ invocation: Invocation
    ) -> Bool {
        guard isSet(result, at: slot, in: file, invocation) else { return false }
        report([slot], of: &draft, in: file, invocation)
        _ = slot.reportWhatElseChanges(of: draft, in: file, invocation)
        return true
    }

    /// Whether the value was set. Prints an error if the address does not exist, and a note if a number was rounded.
    func isSet(
        _ result: Draft.SetResult, at slot: EditSlot, in file: SaveFile, _ invocation: Invocation
    ) -> Bool {
        if case .missing = result {
            file.reportMissing(slot.path.address, invocation)
            return false
        }
        switch result {
        case .rounded(let roundings), .kept(let roundings): file.report(roundings, invocation)
        case .unchanged, .done, .missing: break
        }
        return true
    }

    /// Reports the side effects of values that have been set.
    func report(_ slots: [EditSlot], of draft: inout Draft, in file: SaveFile, _ invocation: Invocation) {
        for line in draft.lostFieldSentences() + draft.unexpectedFieldSentences(areWanted: adds) {
            invocation.printError(file.line(line.address, line.sentence))
        }
        for (name, nearest) in draft.mistypedClasses {
            let sentence = "the class \(name) is new to the archive; did you mean \(nearest)?"
            invocation.printError(file.line(slots.first?.path.address ?? address, sentence))
        }
        for slot in slots.prefix(1) { slot.reportSharedEdits(of: draft, in: file, invocation) }
    }
}

extension EditSlot {
    /// Whether the address ends with an empty key that does not exist: `/`, or `/levels/`. A trailing slash is usually
    /// a slip, so only `--add` creates the key.
    var isNewEmptyKey: Bool {
        guard case .nothing = path.end else { return false }
        return path.address.tokens.last?.isEmpty ?? false
    }

    /// Prints where else the edit is visible. Returns whether it is visible anywhere else.
    func reportWhatElseChanges(of draft: borrowing Draft, in file: SaveFile, _ invocation: Invocation) -> Bool {
        guard !draft.isUnchanged, let sharing = sharingOfChange(in: draft), sharing.count > 0 else { return false }
        sharing.report(sharing.addresses, at: path.address, in: file, invocation)
        return true
    }
}

extension RoundedNumber {
    /// The description of the rounding: `rounded to 32 bits: 0.1`.
    var sentence: String {
        switch reason {
        case .storedWidth(let byteCount): "rounded to \(byteCount * 8) bits: \(number)"
        case .roundedByTool: "kept \(number), because the given number is a rounded form of it, as printed by jq"
        }
    }
}

extension EditSlot {
    /// Prints the other addresses of shared objects that were edited as part of the value.
    func reportSharedEdits(of draft: borrowing Draft, in file: SaveFile, _ invocation: Invocation) {
        for address in draft.sharedEdits {
            guard let sharing = EditSlot(address, in: file.view, isSet: true)?.sharing else { continue }
            let others = sharing.addresses.filter { !$0.address.tokens.starts(with: self.path.address.tokens) }
            guard !others.isEmpty || sharing.count > sharing.addresses.count else { continue }
            sharing.report(others, at: address, in: file, invocation)
        }
    }
}

extension OtherAddresses {
    /// Prints that an edit at an address also changes the value at the listed addresses, and the number of unlisted
    /// ones.
    fileprivate func report(
        _ listed: [OtherAddress], at address: JSONPointer, in file: SaveFile, _ invocation: Invocation
    ) {
        let rest = count - addresses.count
        let more = rest > 0 ? [Phrase.count(rest, listed.isEmpty ? "value" : "more value")] : []
        let others = listed.map { other in
            let address = TruncatedText.address(file.save.base.appending(other.address))
            return other.isOfKey ? "the key of \(address)" : address
        }
        invocation.printError(
            file.line(
                address,
                "shared, so this also changes \((others + more).joined(separator: ", ")); "
                    + "use \(Option.unshare.shown) to change only this one"))
    }
}

extension SaveFile {
    /// Prints the numbers that were rounded.
    func report(_ roundings: [RoundedNumber], _ invocation: Invocation) {
        for rounding in roundings { invocation.printError(line(rounding.address, rounding.sentence)) }
    }

    /// Returns a message about an address in the file.
    func line(_ address: JSONPointer, _ sentence: String) -> String {
        "\(Invocation.shownName(name)): \(TruncatedText.address(save.base.appending(address))): \(sentence)"
    }

    /// Prints that the empty key does not exist, and which command or option can create it.
    func reportMissing(_ slot: EditSlot, orCreatedBy creator: String, _ invocation: Invocation) {
        let hint = slot.path.isNewKey ? "; use \(creator) to create the empty key" : ""
        reportMissing(slot.path.address, besides: hint, invocation)
    }

    /// Prints that an address does not exist.
    ///
    /// - Parameter besides: A hint, appended to the message.
    func reportMissing(_ address: JSONPointer, besides: String = "", _ invocation: Invocation) {
        if let holder = save.holder, let outer {
            return outer.reportMissing(holder.address.appending(address), besides: besides, invocation)
        }
        guard case .missing(let missing) = view.find(address) else { return }
        let location = save.locations.line(of: missing.prefix, in: view)
        invocation.printError(MissingValueLine.render(missing, at: address, in: name, location, besides: besides))
    }
}
