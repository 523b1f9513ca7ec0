import KeyedArchives
import SaveCodec
import SaveOperations

/// `savetool insert`: inserts a value between others.
enum InsertCommand {
    static let command = Command(
        name: "insert", summary: "insert a value into a file", operands: [.file, .address, .text("VALUE").optional],
        examples: [
            "append an element": "savetool insert -i prefs.plist /unlockedLevels/- Cave",
            "insert before the first element; write to another file":
                "savetool insert prefs.plist /unlockedLevels/0 Cave -o new.plist",
            "see what would change": "savetool insert -n prefs.plist /lives 3",
        ],
        discussion: """
            Inserts a value before the element at an address such as /scores/0, after the last one at
            /scores/-, under a new key of a dictionary or an object, or into a set.

            VALUE is as in set. In a list of values of one kind, text becomes a value of that kind or is
            refused. See also savetool help editing.
            """,
        details: """
            A record must have every field that all other records of its list have. --partial inserts a record
            without such fields; they get no value.
            """,
        exitStatus: [.done: "done", .negative: "no such value", .cannot: "error"],
        options: ValueOperand.options + [.partial, .unshare],
        writing: .toOutput, foreignSpellings: OtherTools.valueOptions,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let edit = try SingleEdit(arguments, invocation)
        return try edit.run(invocation) { file, slot in
            var draft = Draft(file.view)
            let surroundings = ValueSurroundings(slot, in: file.view)
            let value = try edit.value.value(for: surroundings, in: file)
            let result: Draft.SetResult
            do throws(Problem) {
                result = try draft.insert(
                    value, at: slot, allowsPartial: arguments.has(.partial))
            } catch {
                guard error.kind == .editPartial else { throw error }
                invocation.printError(
                    ProblemLine.render(file.located(error), in: file.name)
                        + "; use \(Option.partial.shown) to insert it anyway")
                return .cannot
            }
            guard edit.accepts(result, at: slot, of: &draft, in: file, invocation) else { return .negative }
            edit.plan.report.note(edit.value, beside: surroundings.siblings, at: slot, in: file, &draft)
            edit.plan.report.noteElement(slot, .after, in: file)
            edit.plan.report.note(created: [slot], of: 1, in: file, &draft)
            return try edit.plan.deliver(draft, of: file, invocation)
        }
    }
}

extension Option {
    fileprivate static let partial = Option(
        "partial", for: .value, help: "accept a record without fields that all others have")
}
