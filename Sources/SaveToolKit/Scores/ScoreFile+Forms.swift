import SaveCodec
import SaveOperations

/// Tables in another form than that of the file they were read from.
extension ScoreFile {
    /// Writes records as a save of their own.
    ///
    /// - Parameter leftOut: what is in the file and not in the records.
    func deliver(
        _ records: [ScoreRecord], as form: ScoreForm, leaving leftOut: [Problem], _ invocation: Invocation
    ) throws -> ExitStatus {
        let format = target ?? plan.output.flatMap { Format(endingOf: $0) } ?? form.usualFormat
        guard acceptsLosses(leftOut, invocation) else { return .cannot }
        let save = try SaveFile(
            new: ScoreTable.document(of: [], form: form), name: name, as: format, limits: plan.limits)
        return try EditDelivery(file: save, plan: plan, invocation: invocation)
            .deliver(try ScoreTable.document(of: records, form: form))
    }

    /// Lists what there is no place for, and says whether the result is written all the same.
    func acceptsLosses(_ losses: [Problem], _ invocation: Invocation) -> Bool {
        for loss in losses {
            invocation.say(ProblemLine.render(loss, in: name, as: plan.allowsLoss ? "warning" : nil))
        }
        if losses.isEmpty || plan.allowsLoss { return true }
        invocation.say(
            "\(Invocation.shownName(name)): not written, as something would be lost; "
                + "\(Option.allowLoss.shown) writes the rest")
        return false
    }
}
