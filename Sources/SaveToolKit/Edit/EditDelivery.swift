import KeyedArchive
import SaveCodec
import SaveOperations

/// Brings an edited document to where it is wanted: shown as a difference, or written in the format of the file.
struct EditDelivery {
    let file: SaveFile
    let plan: EditPlan
    let invocation: Invocation
    /// Whether what changes is shown although it is written.
    var showsChanges = false

    /// Delivers what a draft has become. What was not changed is written as it was read.
    func deliver(_ draft: consuming Draft) throws -> ExitStatus {
        let isUnchanged = draft.isUnchanged
        return try deliver(isUnchanged ? nil : draft.finish(limits: plan.limits))
    }

    /// Delivers an edited document; nil for the one that was read.
    func deliver(_ edited: Document?) throws -> ExitStatus {
        guard let edited else {
            if !plan.isDryRun { try write { $0.write(file.bytes) } }
            return .done
        }
        guard acceptsLosses(try file.losses(of: edited)) else { return .cannot }
        if plan.isDryRun || showsChanges { try show(edited) }
        if plan.isDryRun { return .done }
        try write { (output: inout ByteWriter) throws(Problem) in try file.write(edited, to: &output) }
        return .done
    }

    /// Shows on standard output what becomes different.
    private func show(_ edited: Document) throws {
        let saves = try file.compared(with: edited, plan.limits)
        try invocation.writeOutput { output in
            try DifferenceTextRenderer(palette: ColorChoice.auto.palette(invocation), context: 0)
                .render(saves, within: saves.bound(output), to: &output)
        }
    }

    /// Lists what the format of the file cannot hold, and says whether the result is written all the same.
    private func acceptsLosses(_ losses: [Problem]) -> Bool {
        for loss in losses {
            invocation.say(ProblemLine.render(loss, in: file.name, as: plan.allowsLoss ? "warning" : nil))
        }
        if losses.isEmpty || plan.allowsLoss { return true }
        invocation.say(
            "\(Invocation.shownName(file.name)): not written, as \(file.format.rawValue) cannot hold "
                + "\(losses.count == 1 ? "one value" : "\(losses.count) values"); "
                + "\(Option.allowLoss.shown) writes the nearest thing")
        return false
    }

    private func write(_ produce: (inout ByteWriter) throws -> Void) throws {
        if let output = plan.output {
            try invocation.replace(output, keepsBackup: plan.keepsBackup, produce)
        } else {
            try checkTerminal()
            try invocation.writeOutput(produce)
        }
    }

    private func checkTerminal() throws(UsageError) {
        if file.format == .binary, invocation.output.isTerminal {
            throw .missingOption(.output, because: "binary data is not written to a terminal")
        }
    }
}

extension SaveFile {
    /// The file and what has become of it.
    func compared(with edited: Document, _ limits: Limits) throws(Problem) -> ComparedSaves {
        let after = view.archive == nil ? ObjectView(edited) : ObjectView(try KeyedArchive(edited, limits: limits))
        return ComparedSaves(
            ComparedSave(title: name, format: format, view: view),
            ComparedSave(title: name, format: format, view: after), DifferenceOptions(), showsSharing: false)
    }
}

extension ComparedSaves {
    /// How much text may show them.
    func bound(_ output: borrowing ByteWriter) -> OutputBound {
        OutputBound([before.view.document, after.view.document], output)
    }
}
