import KeyedArchives
import SaveCodec
import SaveOperations

/// `savetool insert`: inserts a value between others.
enum InsertCommand {
    static let command = Command(
        name: "insert", summary: "insert a value into a file", operands: [.file, .address, .text("VALUE").optional],
        examples: [
            "behind the last element": "savetool insert -i prefs.plist /unlockedLevels/- Cave",
            "before the first, into another file": "savetool insert prefs.plist /unlockedLevels/0 Cave -o new.plist",
            "see what would change": "savetool insert -n prefs.plist /lives 3",
        ],
        discussion: """
            Inserts a value before the element at an address such as /scores/0, or behind the last one at
            /scores/-. Into a set it is inserted if it is not in it, into a dictionary or an object if the
            key is not there.

            VALUE is typed JSON: 5, 2.5, "Ada", true, [1, 2], {"$date": "2009-09-06T12:34:56Z"}.
            \(EditedText.word) In a list of values of one kind, text becomes a value of that kind, as with
            set, or is refused. Instead of VALUE an option may give the value and its type, or its file.
            Storage that VALUE does not state is taken from other objects of the class, or from the element
            before.

            A record must have every field that all other records of its list have. Otherwise it is refused
            without --partial, which inserts it as it is: a missing field gets no value.

            \(EditedText.sharing)

            \(EditedText.writing)
            \(EditedText.foreign)
            """,
        exitStatus: [.done: "done", .negative: "nothing at the address", .cannot: "it could not be inserted"],
        options: ValueOperand.options + [.partial, .unshare],
        writing: .toOutput,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let edit = try SingleEdit(arguments, invocation)
        return try edit.run(invocation) { file, place in
            var draft = Draft(file.view)
            let value = try edit.value.value(for: ValueSurroundings(place, in: file.view), in: file)
            let result: Draft.SetResult
            do throws(Problem) {
                result = try draft.insert(
                    value, at: place, allowsPartial: arguments.has(.partial))
            } catch {
                guard error.kind == .editPartial else { throw error }
                invocation.printError(
                    ProblemLine.render(file.located(error), in: file.name)
                        + "; \(Option.partial.shown) inserts it anyway")
                return .cannot
            }
            guard edit.accepts(result, at: place, of: &draft, in: file, invocation) else { return .negative }
            edit.plan.note(created: [place], of: 1, in: file, &draft)
            return try edit.plan.deliver(draft, of: file, invocation)
        }
    }
}

extension Option {
    fileprivate static let partial = Option(
        "partial", for: .value, help: "allow a record that lacks fields of all other records")
}
