import KeyedArchives
import SaveCodec
import SaveOperations

/// Converts edited text back to the save that it came from, for `convert --like`:
///
///     slot.save ─▶ inspect -f json ─▶ jq, node, a person ─▶ edited.json
///         └────────────────── template ─────────────────────────┴─▶ convert --like slot.save ─▶ a save
final class TemplateConversion {
    private var template: SaveFile
    /// The original as it was read.
    private let original: SaveFile
    /// The original as a property list, for texts that hold an archive's property list.
    private lazy var stored = Result { try readStored() }
    private let readStored: () throws -> SaveFile
    /// The name of the original in messages.
    private let templateName: String
    private let plan: ConvertPlan
    private let invocation: Invocation

    /// - Parameter readStored: Reads the original again, as the property list that stores its archive.
    init(
        like template: SaveFile, _ plan: ConvertPlan, _ invocation: Invocation,
        readStored: @escaping () throws -> SaveFile
    ) {
        (self.template, original, self.readStored) = (template, template, readStored)
        self.plan = plan
        self.invocation = invocation
        templateName = Invocation.shownName(template.name)
    }

    func convert(_ name: String) throws -> ExitStatus {
        // In typed JSON a mistyped `{"$date": …}` is an error; otherwise it would become a dictionary.
        let isTyped = plan.reading.options.dialect.tags == .detected && !template.view.document.isPlainJSON
        let reading = isTyped ? plan.reading.with { $0.dialect.tags = .typed } : plan.reading
        let read = try reading.decode(invocation.read(name), named: name) { invocation.warn($0, in: name) }
        invocation.report(read.layers, in: name)
        let text = read.document
        // The text is read as a tree, with shared objects expanded.
        try text.checkExpansion(plan.reading.limits)
        let isStored =
            original.view.archive != nil && !original.save.isGraphJSON && KeyedArchive.isArchive(text)
            && !GraphJSON.isPresent(in: text)
        template = isStored ? try stored.get() : original
        var draft = Draft(template.view)
        for rounding in try draft.replaceContents(with: text) {
            print(rounding.sentence, at: rounding.address, in: name)
        }
        for address in template.view.unreadMembers(of: text, limits: plan.reading.limits) {
            print("ignored in the JSON; the result keeps the value of \(templateName)", at: address, in: name)
        }
        for line in draft.adaptedRunSentences() { print(line.sentence, at: line.address, in: name) }
        let edited = draft.isUnchanged ? nil : try draft.editedView(limits: plan.reading.limits)
        let view = edited ?? template.view
        if edited != nil {
            reportCounterparts(Difference(template.view, view), in: name)
            try reportContradictions(of: text, to: view, in: name)
        }
        var lost = text.readingLosses(of: read.text).map(read.layers.located)
        if keepsIgnoredText(of: read) { lost.removeAll { $0.id == "loss.ignored-text" } }
        let path = plan.path(for: name)
        guard plan.target == template.format else {
            guard accepts(lost + view.losses(as: plan.target, limits: plan.reading.limits), name) else {
                return .cannot
            }
            invocation.warn(view.foreignValues(as: plan.target), in: name)
            try plan.makeFolder(around: path, invocation)
            try invocation.deliver(to: path, as: plan.target, by: plan.replacing) {
                try view.write(as: plan.target, to: &$0, limits: plan.reading.limits)
            }
            invocation.report(widenedReals: view.document.widenedReals(as: plan.target), in: name)
            return .done
        }
        let result = try edited.map { try template.save.edited(to: $0) }
        guard accepts(lost + (result?.losses ?? []), name) else { return .cannot }
        if let edited {
            let values = edited.document.foreignValues(as: plan.target, besides: template.view.document)
            invocation.warn(template.inView(values, of: edited), in: name)
        }
        invocation.report(result?.removedComments ?? [], in: template)
        try plan.makeFolder(around: path, invocation)
        var layers = plan.layers(of: template.save.layers, isTemplate: true)
        layers.keep(template.save, readBy: plan.reading.filter, isInPlace: plan.destination == .inPlace)
        try invocation.deliver(to: path, as: plan.target, in: layers, by: plan.replacing) { output in
            if let result { try result.write(to: &output) } else { output.write(template.save.bytes) }
        }
        return .done
    }

    /// Whether the result has the ignored text of a file, because the original has it, too.
    private func keepsIgnoredText(of file: DecodedFile) -> Bool {
        guard plan.target == template.format, let start = file.document.ignoredTextStart,
            let kept = template.save.source.ignoredTextStart
        else { return false }
        return file.text[start...] == template.save.decoded.text[kept...]
    }

    private func accepts(_ losses: [Problem], _ name: String) -> Bool {
        invocation.accepts(
            losses, of: name, isAllowed: plan.allowsLoss, else: Refusal("not converted", losses, as: plan.target))
    }

    // MARK: Counterparts

    /// The maximum number of values that are listed; further ones are counted.
    private static let maxLines = 20

    /// Reports the values that have no counterpart in the original, or have one of another type or class.
    private func reportCounterparts(_ difference: Difference, in name: String) {
        let text = ChangeText(difference)
        var count = 0
        for change in difference.changes {
            guard let sentence = sentence(change, difference) else { continue }
            count += 1
            guard count <= Self.maxLines else { continue }
            invocation.printError("\(Invocation.shownName(name)): \(text.address(of: change)): \(sentence)")
        }
        let rest = count - Self.maxLines
        guard rest > 0 else { return }
        invocation.printError(
            "\(Invocation.shownName(name)): … and \(Phrase.count(rest, "more value")) without counterpart")
    }

    /// Returns the message for a change, or nil if only a value differs.
    private func sentence(_ change: Change, _ difference: Difference) -> String? {
        switch (change.kind, change.before, change.after) {
        case (.added, _, _): return "no counterpart in \(templateName)"
        case (.removed, _, _): return "only in \(templateName); left out of the result"
        case (.type, let before?, let after?):
            let (was, type) = (difference.before.typeName(of: before), difference.after.typeName(of: after))
            return "the type is \(type); in \(templateName) it is \(was)"
        case (.class, let before?, let after?):
            let (was, name) = (difference.before.classOrType(of: before), difference.after.classOrType(of: after))
            return "the class is \(name); in \(templateName) it is \(was)"
        case (.changed, let before?, let after?):
            let isContainer = difference.before[before].isContainer && difference.after[after].isContainer
            return isContainer ? "all of its contents differ from \(templateName)" : nil
        default: return nil
        }
    }

    /// Reports the addresses at which the save does not hold the value in the text.
    private func reportContradictions(of text: Document, to view: ObjectView, in name: String) throws {
        let addresses = try view.contradictions(of: text, limits: plan.reading.limits)
        for address in addresses.prefix(Self.maxLines) {
            print(
                "the text has contradictory values for this address; the result has one of them", at: address, in: name)
        }
        let rest = addresses.count - Self.maxLines
        guard rest > 0 else { return }
        invocation.printError("\(Invocation.shownName(name)): … and \(Phrase.count(rest, "more contradiction"))")
    }

    private func print(_ sentence: String, at address: JSONPointer, in name: String) {
        invocation.printError("\(Invocation.shownName(name)): \(TruncatedText.address(address)): \(sentence)")
    }
}

extension ObjectView {
    /// Returns the values of the document that other readers of a format cannot read. Empty for typed JSON.
    fileprivate func foreignValues(as format: Format) -> [Problem] {
        format.has(.typedJSON) ? [] : inView(document.foreignValues(as: format))
    }
}

extension Option {
    static let like = Option(
        "like", name: "ORIGINAL",
        for: .output, help: "take types, order and style from a save")
}
