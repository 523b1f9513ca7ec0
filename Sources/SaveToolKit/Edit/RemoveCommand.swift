import KeyedArchives
import SaveCodec
import SaveOperations

/// `savetool remove`: takes values out of a file.
enum RemoveCommand {
    static let command = Command(
        name: "remove", summary: "remove values from a file", operands: "FILE ADDRESS…",
        examples: [
            "take an element out of the file": "savetool remove -i prefs.plist /unlockedLevels/0",
            "several values, and keep the old file as prefs.plist~":
                "savetool remove -i --backup prefs.plist /gems /unlockedLevels/1",
            "see what would change": "savetool remove -n swamp.save /root/charList/1",
        ],
        discussion: """
            Removes what is at the addresses, JSON Pointers such as /root/scores/0: elements, or keys and
            fields with their values. All addresses are those of the file as it is; if nothing is at one of
            them, nothing is removed. The rest of the file goes to standard output unless an option says
            otherwise.

            In a text the comments that belong to a value go with it, and are named: those directly above it
            and the one at the end of its line. --keep-comments leaves those above.

            \(EditedText.sharing)

            \(EditedText.writing)
            """,
        exitStatus: [.done: "done", .negative: "nothing at an address", .cannot: "it could not be removed"],
        options: [.unshare, .keepComments] + EditPlan.options,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let (name, addresses) = try arguments.fileAndAddresses()
        let plan = try EditPlan(name, arguments)
        return try plan.edit(invocation) { file in
            var places: [EditPlace] = []
            for address in addresses {
                guard let place = EditPlace(address, in: file, plan, after: places.last),
                    place.path.isThere
                else {
                    file.reportMissing(address, invocation)
                    continue
                }
                places.append(place)
            }
            guard places.count == addresses.count else { return .negative }
            var draft = Draft(file.view)
            try draft.remove(places.map { ($0.path, $0.isSplit) })
            for place in places { place.reportWhatElseChanges(of: draft, in: file, invocation) }
            return try plan.deliver(draft, of: file, invocation)
        }
    }
}

extension SlotPath {
    /// Whether something is at the address.
    fileprivate var isThere: Bool {
        if case .nothing = end { return false }
        return true
    }
}
