import KeyedArchives
import SaveCodec
import SaveOperations

/// `savetool insert`: puts a value between others.
enum InsertCommand {
    static let command = Command(
        name: "insert", summary: "insert a value into a file", operands: "FILE ADDRESS [VALUE]",
        examples: [
            "behind the last element": "savetool insert -i prefs.plist /unlockedLevels/- Cave",
            "before the first, into another file": "savetool insert prefs.plist /unlockedLevels/0 Cave -o new.plist",
            "see what would change": "savetool insert -n prefs.plist /lives 3",
        ],
        discussion: """
            Inserts a value before the element at an address such as /scores/0, or behind the last one at
            /scores/-. Into a set it is inserted if it is not in it, into a dictionary or an object if the
            key is not there.

            VALUE is typed JSON: 5, 2.5, "Ada", true, [1, 2], {"$date": "2009-09-06T12:34:56Z"}. A word that
            is no JSON is a string where all that stands beside it are strings. Instead of VALUE an option
            may give the value and its type, or the file that it is in. What VALUE leaves open is stored as
            it is in other objects of the class, or as in the element before, see set.

            \(EditedText.sharing)

            \(EditedText.writing)
            \(EditedText.foreign)
            """,
        exitStatus: [.done: "done", .negative: "nothing at the address", .cannot: "it could not be inserted"],
        options: ValueOperand.options + [.unshare],
        writing: .toOutput,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let edit = try SlotEditing(arguments, invocation)
        return try edit.run(invocation) { file, place in
            var draft = Draft(file.view)
            let value = try edit.value.value(for: place.neighbour(in: file.view), in: file)
            let result = try draft.insert(value, at: place.path, splitting: place.isSplit)
            guard edit.accepts(result, at: place, of: &draft, in: file, invocation) else { return .negative }
            return try edit.plan.deliver(draft, of: file, invocation)
        }
    }
}

extension EditPlace {
    /// One of the values beside the place if all of them are strings; nil if not, and among the fields of an object.
    fileprivate func neighbour(in view: ObjectView) -> Node? {
        guard let container = path.containers.last.map({ view[$0] }), container.contents.count > 0 else { return nil }
        if case .object = container.form { return nil }
        let ids = (0..<container.contents.count).lazy.map { view.item($0, of: container.contents).id }
        guard ids.allSatisfy({ view.text($0) != nil }) else { return nil }
        return ids.first.flatMap(view.scalar)
    }
}
