import KeyedArchives
import SaveCodec
import SaveOperations

/// `savetool insert`: puts a value between others.
enum InsertCommand {
    static let command = Command(
        name: "insert", summary: "insert a value into a file", operands: "FILE ADDRESS [VALUE]",
        discussion: """
            Inserts a value before the element at an address such as /scores/0, or behind the last one at
            /scores/-. Into a set it is inserted if it is not in it, into a dictionary or an object if the
            key is not there. The file with it goes to standard output unless an option says otherwise.

            VALUE is typed JSON: 5, 2.5, "Ada", true, [1, 2], {"$date": "2009-09-06T12:34:56Z"}. Instead of
            VALUE an option may give the value and its type, or the file that it is in. What VALUE leaves
            open is stored as it is in other objects of the class, or as in the element before, see set.

            \(EditedText.sharing)

            \(EditedText.writing)
            \(EditedText.foreign)

            Exit status: 0 done, 1 nothing at the address, 2 it could not be inserted.
            """,
        options: ValueOperand.options + [.unshare] + EditPlan.options,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let edit = try SlotEditing(arguments, invocation)
        return try edit.plan.edit(invocation) { file in
            guard let place = edit.place(in: file, invocation) else { return .negative }
            var draft = Draft(file.view)
            let result = try draft.insert(try edit.value.value(for: nil), at: place.path, splitting: place.isSplit)
            guard edit.accepts(result, at: place, of: &draft, in: file, invocation) else { return .negative }
            return try edit.plan.deliver(draft, of: file, invocation)
        }
    }
}
