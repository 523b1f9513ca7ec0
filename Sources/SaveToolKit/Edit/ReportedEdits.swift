import KeyedArchives
import SaveCodec
import SaveOperations

/// Makes a command's edits of several slots, and reports them.
final class ReportedEdits: MultiEditDelegate {
    /// Edits a slot of a save in a draft of the save.
    typealias Edit = (SaveFile, EditSlot, inout Draft) throws -> ExitStatus
    /// Makes an edit that only changes a slot, or returns false, see ``MultiEditDelegate``.
    typealias EditLeaf = (SaveFile, LeafSlot, inout Draft) -> Bool
    /// Reports the edits of a save, once they are made.
    typealias Report = (SaveFile, MultiEditSlots, inout Draft) -> Void

    private let plan: EditPlan
    private let invocation: Invocation
    private let name: String
    private let effect: MultiEditEffect
    private let edit: Edit
    private let editLeaf: EditLeaf
    private let report: Report
    /// The status so far. It is not `done` if an address does not exist, or if an edited save cannot be written; both
    /// have been reported.
    private(set) var status = ExitStatus.done
    /// The number of edited slots.
    private(set) var count = 0

    init(
        _ plan: EditPlan, _ effect: MultiEditEffect, _ invocation: Invocation, edit: @escaping Edit,
        editLeaf: @escaping EditLeaf = { _, _, _ in false }, report: @escaping Report = { _, _, _ in }
    ) {
        self.plan = plan
        self.effect = effect
        self.invocation = invocation
        name = plan.file
        (self.edit, self.editLeaf) = (edit, editLeaf)
        self.report = report
    }

    /// Returns the values of a file after the edits.
    ///
    /// - Parameter next: Returns the targets, one per call.
    /// - Returns: Nil if nothing has changed, or if the edits failed, which has been reported.
    func view(of file: SaveFile, at next: () throws(Problem) -> EditTarget?) throws -> ObjectView? {
        try MultiEdit(self, effect, unsharing: plan.unshares, keepsComments: plan.keepsComments)
            .view(of: file.save, at: next)
    }

    private func file(_ save: Save) -> SaveFile { SaveFile(save, name: name) }

    // MARK: MultiEditDelegate

    typealias Failure = any Error

    var isSuccessful: Bool { status == .done }

    func edit(_ number: Int, at slot: EditSlot, of save: Save, in draft: inout Draft) throws {
        guard status < .cannot else { return }
        let file = file(save)
        status = max(status, try file.whileBased { try edit(file, slot, &draft) })
    }

    func editLeaf(_ slot: LeafSlot, of save: Save, in draft: inout Draft) -> Bool {
        isSuccessful && editLeaf(file(save), slot, &draft)
    }

    func handleMissing(_ address: JSONPointer, in save: Save) {
        file(save).reportMissing(address, invocation)
        status = .negative
    }

    func accepts(_ result: EditedSave, _ edited: ObjectView, of save: Save) -> Bool {
        if plan.accepts(result, with: edited, of: file(save), invocation) { return true }
        status = .cannot
        return false
    }

    func reportHolder(_ slot: EditSlot, of save: Save, in draft: borrowing Draft) {
        _ = slot.reportWhatElseChanges(of: draft, in: file(save), invocation)
    }

    func report(_ slots: MultiEditSlots, of save: Save, in draft: inout Draft) {
        let file = file(save)
        count += slots.count
        report(file, slots, &draft)
        for line in draft.adaptedRunSentences() { invocation.printError(file.line(line.address, line.sentence)) }
        reportWhatElseChanges(at: slots, of: draft, in: file)
    }

    func failure(_ problem: Problem, in save: Save) -> any Error {
        FileProblem(name: name, problem: file(save).located(problem))
    }

    /// Prints where else the edits are visible: the addresses for the first slots, and a count for the rest.
    private func reportWhatElseChanges(at slots: MultiEditSlots, of draft: borrowing Draft, in file: SaveFile) {
        var (reported, number) = (0, 0)
        while number < slots.reportedSlots.count, reported < EditReport.maxReported {
            if slots.reportedSlots[number].reportWhatElseChanges(of: draft, in: file, invocation) { reported += 1 }
            number += 1
        }
        let rest = slots.reportedSlots[number...].count { $0.mayBeShared } + slots.unlistedCount
        guard rest > 0, !plan.unshares, file.view.archive != nil else { return }
        let more = Phrase.count(rest, "more value")
        invocation.printError("\(Invocation.shownName(file.name)): … and \(more) that may be shared")
    }
}
