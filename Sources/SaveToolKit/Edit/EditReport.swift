import KeyedArchives
import SaveCodec
import SaveOperations

/// The report of an edit: notes about the new values, and the changes. It is printed once the edit is written or shown.
struct EditReport {
    /// Whether the change is shown without being made.
    let isDryRun: Bool
    /// Whether notes about the edit are suppressed (`--quiet`).
    let isQuiet: Bool
    /// Whether the changes are listed on standard error once they are written.
    var listsChanges: Bool
    /// Whether the file is one of several, so that each change is printed with the file's name.
    var isOneOfSeveral = false
    /// The elements that the edit removes or inserts, see ``DifferenceOptions/namedElements``.
    private var namedElements: [ViewID: Sides<Set<Int>>] = [:]
    /// Whether a note already says how JSON stores the given value.
    private var hasNotedTag = false
    private var notes: [String] = []

    init(isDryRun: Bool, isQuiet: Bool, isInPlace: Bool) {
        self.isDryRun = isDryRun
        self.isQuiet = isQuiet
        listsChanges = isInPlace && !isQuiet
    }

    /// Whether the changes are printed, on either output.
    var showsChanges: Bool { isDryRun || listsChanges }

    // MARK: Removed and inserted elements

    /// Records that the element at a slot is removed, or that an element is inserted there. A change of a nested save is
    /// not recorded.
    mutating func noteElement(_ slot: EditSlot, _ side: Side, in file: SaveFile) {
        guard case .slot(let position) = slot.path.end, let container = slot.path.containers.last else { return }
        noteElement(at: position, of: container, side, in: file)
    }

    mutating func noteElement(at position: Int, of container: ViewID, _ side: Side, in file: SaveFile) {
        guard showsChanges, file.save.holder == nil else { return }
        namedElements[container, default: Sides { _ in [] }][side].insert(position)
    }

    /// Records the elements that a patch removes or inserts, see ``noteElement(_:_:in:)``.
    mutating func noteElements(of patch: PatchResult, in file: SaveFile) {
        if file.save.holder == nil { namedElements = patch.namedElements }
    }

    // MARK: Notes

    /// Notes that a value under a new key is of another kind than all others in the dictionary, or that an option gave
    /// the first value in a JSON file that needs a tag.
    mutating func note(
        _ given: ValueOperand, beside siblings: (kind: ValueKind, count: Int)?, at slot: EditSlot, in file: SaveFile,
        _ draft: inout Draft
    ) {
        let address = slot.path.insertion
        guard !isQuiet, let node = draft.find(address).flatMap({ draft.scalar($0) }), case let kind = node.kind else {
            return
        }
        if given.isTyped {
            guard !hasNotedTag, let (noun, tag) = node.taggedInJSON, file.view.document.asPlainJSON() != nil else {
                return
            }
            hasNotedTag = true
            let note = "JSON has no \(noun), so this one is stored as {\"\(tag)\": …}"
            notes.append(file.line(address, note + "; \(Option.string.shown) stores text"))
        } else if let siblings, siblings.kind != kind, kind != .null,
            let option = ValueOperand.option(for: siblings.kind)
        {
            notes.append(
                file.line(
                    address,
                    "stored as \(kind.withArticle) among \(Phrase.count(siblings.count, siblings.kind.rawValue)); "
                        + "\(option.shown) stores \(siblings.kind.withArticle)"))
        }
    }

    /// Notes the slots that an edit created, with the types of their values and the existing keys with similar names.
    ///
    /// - Parameter count: The number of slots that were set. If all are new, they are not listed again as changes.
    mutating func note(created slots: [EditSlot], of count: Int, in file: SaveFile, _ draft: inout Draft) {
        guard !isQuiet, let first = slots.first.flatMap({ draft.find($0.created(in: file).0) }) else { return }
        // The list of changes already shows the contents of a container.
        if listsChanges, slots.count < count || draft.scalar(first) == nil { return }
        listsChanges = false
        for slot in slots.prefix(Self.maxReported) {
            let (address, advice) = slot.created(in: file)
            guard let value = draft.find(address) else { continue }
            let shown = TruncatedText.address(file.save.base.appending(address))
            notes.append("created \(shown): \(draft.typed(value))\(advice)")
        }
        let rest = slots.count - Self.maxReported
        if rest > 0 { notes.append("… and \(rest) more created") }
    }

    // MARK: Printing

    /// Prints the notes and the changes.
    ///
    /// - Parameter after: The values of the edited file, or nil if nothing changed.
    func print(after: ObjectView?, of file: SaveFile, _ invocation: Invocation) throws {
        for note in notes { invocation.printError(note) }
        guard showsChanges, let after else { return }
        var options = DifferenceOptions.stored(as: file.format, file.format)
        options.namedElements = namedElements
        let saves = ComparedSaves(
            before: ComparedSave(file), after: ComparedSave(file, showing: after), options: options)
        if isDryRun { try show(saves, of: file, invocation) } else { list(saves, of: file, invocation) }
    }

    /// Lists the first changes on standard error and counts the rest.
    private func list(_ saves: ComparedSaves, of file: SaveFile, _ invocation: Invocation) {
        let prefix = isOneOfSeveral ? Invocation.shownName(file.name) + ": " : ""
        let lines = DifferenceTextRenderer(saves, palette: invocation.messagePalette).lines(atMost: Self.maxReported)
        for line in lines { invocation.printError(prefix + line) }
        let rest = saves.count - lines.count
        if rest > 0 { invocation.printError(prefix + "… and " + Phrase.count(rest, "more change")) }
    }

    /// The maximum number of changes, or of created slots, that are listed.
    static let maxReported = 5

    /// Writes the changes to standard output.
    private func show(_ saves: ComparedSaves, of file: SaveFile, _ invocation: Invocation) throws {
        try invocation.writeOutput { output in
            if isOneOfSeveral { output.write(Invocation.shownName(file.name) + ":\n") }
            try DifferenceTextRenderer(saves, palette: invocation.palette)
                .render(within: OutputBound(saves.documents, output), to: &output)
        }
    }
}

extension EditSlot {
    /// Returns the address of a created slot, and advice that names a similar one.
    fileprivate func created(in file: SaveFile) -> (JSONPointer, advice: String) {
        guard case .missing(let missing) = file.view.find(path.address), let last = path.containers.last,
            file.view[last].variant.isKeyed
        else { return (path.insertion, "") }
        return (path.address, missing.within(file.save.base).adviceOnNewKey)
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

extension Node {
    /// The noun for a value that JSON can only hold with a tag, and the tag; nil for any other value.
    fileprivate var taggedInJSON: (noun: String, tag: String)? {
        switch self {
        case .date: ("dates", "$date")
        case .data: ("data values", "$data")
        case .real64(let real) where !real.isFinite: (real.isNaN ? "NaN" : "infinity", "$real")
        default: nil
        }
    }
}
