import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

/// `savetool remove`: removes values from a file.
enum RemoveCommand {
    static let command = Command(
        name: "remove", summary: "remove values from a file", operands: [.file, .address.repeated],
        examples: [
            "remove an element": "savetool remove -i prefs.plist /unlockedLevels/0",
            "several values, with a backup":
                "savetool remove -i --backup prefs.plist /gems /unlockedLevels/1",
            "see what would change": "savetool remove -n swamp.save /root/charList/1",
            "all elements with health 0": "savetool remove -i swamp.save '/root/charList/*' --where 'health==0'",
        ],
        discussion: """
            Removes the values at the addresses, together with their keys or fields. A pattern with * or ** removes
            all its matches and prints their number. Addresses refer to the file as it was before the command. If
            one does not exist, nothing is removed.

            Comments directly above a value and on its line are removed with it, and reported. A warning names
            an object that Foundation cannot read without the removed field. See also savetool help editing.
            """,
        exitStatus: [.done: "done", .negative: "no such value", .cannot: "error"],
        options: [.where, .unshare, .keepComments],
        writing: .toOutput,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let (name, patterns) = try arguments.fileAndPatterns()
        let conditions = try arguments.fieldConditions()
        let plan = try EditPlan(name, arguments)
        return try plan.edit(invocation) { file in
            let editing = ReportedEdits(plan, .removal, invocation) { file, slot, draft in
                guard slot.path.isThere else {
                    file.reportMissing(slot.path.address, invocation)
                    return .negative
                }
                slot.warnOfNeededField(in: file, invocation)
                try draft.noteRemoval(at: slot)
                plan.report.noteElement(slot, .before, in: file)
                return .done
            } editLeaf: { file, slot, draft in
                guard draft.noteRemoval(at: slot) else { return false }
                plan.report.noteElement(at: slot.position, of: slot.container, .before, in: file)
                return true
            }
            var found = EditTargetSearch(patterns, in: file, where: conditions)
            let edited = try editing.view(of: file) { () throws(Problem) in try found.next() }
            for pattern in found.leadingNowhere {
                invocation.printError(pattern.noMatch(in: file.view, of: file.name, where: conditions))
            }
            guard editing.status == .done, found.leadingNowhere.isEmpty else { return max(editing.status, .negative) }
            for (pattern, count) in found.counts where pattern.hasWildcards {
                invocation.printError(file.line(pattern.address, Phrase.count(count, "matching value")))
            }
            return try plan.deliver(edited, of: file, invocation)
        }
    }
}

/// Finds the slots that match any of several patterns, one pattern after the other.
private struct EditTargetSearch {
    private let patterns: [(pattern: PointerPattern, next: () throws(Problem) -> EditTarget?)]
    /// The patterns searched for so far, with the number of their matches.
    private(set) var counts: [(pattern: PointerPattern, count: Int)] = []
    private var count = 0

    /// The patterns that match nothing.
    var leadingNowhere: [PointerPattern] { counts.filter { $0.count == 0 }.map(\.pattern) }

    init(_ patterns: [PointerPattern], in file: SaveFile, where conditions: [FieldCondition]) {
        self.patterns = patterns.map { ($0, $0.targets(in: file.view, where: conditions)) }
    }

    mutating func next() throws(Problem) -> EditTarget? {
        while counts.count < patterns.count {
            let (pattern, next) = patterns[counts.count]
            if let target = try next() {
                count += 1
                return target
            }
            counts.append((pattern, count))
            count = 0
        }
        return nil
    }
}

extension EditSlot {
    /// Prints a warning if a Foundation class cannot be read without the field that is removed.
    fileprivate func warnOfNeededField(in file: SaveFile, _ invocation: Invocation) {
        guard case .slot(let position) = path.end, let object = path.containers.last,
            let key = file.view.item(position, of: file.view[object].contents).key.flatMap(file.view.text),
            file.view.isNeeded(key, in: object)
        else { return }
        let name = file.view.classOrKind(of: file.view[object])
        let problem = Problem(
            "edit.needed-field", "Foundation cannot read an object of class \(name) without this field",
            address: file.save.base.appending(path.address))
        invocation.printError(problem, in: file.name, as: "warning")
    }
}

extension ResolvedAddress {
    /// Whether the address exists.
    fileprivate var isThere: Bool {
        if case .nothing = end { return false }
        return true
    }
}
