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
        let (name, patterns) = try arguments.fileAndPatterns()
        let plan = try EditPlan(name, arguments)
        return try plan.edit(invocation) { file in
            let found = try patterns.map { try $0.addresses(in: file.view) }
            for (pattern, addresses) in zip(patterns, found) where addresses.isEmpty {
                invocation.printError(pattern.nothingThere(in: file.view, of: file.name))
            }
            let removal = Removal(plan, invocation)
            let edited = try removal.document(of: file, without: found.flatMap { $0.map(file.view.meant) })
            guard removal.status == .done, !found.contains(where: \.isEmpty) else {
                return max(removal.status, .negative)
            }
            guard let edited else { return .negative }
            return try plan.deliver(edited, of: file, invocation)
        }
    }
}

/// Values that are taken out of a file, and out of the saves that are stored in its values.
private final class Removal {
    private let plan: EditPlan
    private let invocation: Invocation
    /// Whether nothing was at one of the addresses, or an edited save cannot be written, which has been said.
    private(set) var status = ExitStatus.done

    init(_ plan: EditPlan, _ invocation: Invocation) {
        self.plan = plan
        self.invocation = invocation
    }

    /// The document of a file without what is at some addresses; nil if that could not be made, which has been said. Calls
    /// itself for saves in values, of which only so many are opened within each other.
    func document(of file: SaveFile, without addresses: [JSONPointer]) throws -> Document? {
        try file.whileBased {
            var (places, entrances) = self.places(of: addresses, in: file)
            var draft = Draft(file.view)
            while let first = entrances.first {
                let inner = try SaveFile(first, in: file)
                let rest = entrances.filter { $0.id == first.id }.map(\.rest)
                entrances.removeAll { $0.id == first.id }
                guard let edited = try document(of: inner, without: rest), status == .done,
                    let place = EditPlace(first.address, in: file, plan)
                else { continue }
                let result = try EditedSave(edited, of: inner, keepsComments: plan.keepsComments)
                guard plan.accepts(result, edited, of: inner, invocation) else {
                    status = .cannot
                    return nil
                }
                draft.replace(first.save, at: place.path, splitting: place.isSplit, with: try result.bytes())
                place.reportWhatElseChanges(of: draft, in: file, invocation)
            }
            guard status == .done else { return nil }
            try draft.remove(places.map { ($0.path, $0.isSplit) })
            for place in places { place.reportWhatElseChanges(of: draft, in: file, invocation) }
            return try draft.finish(limits: plan.reading.limits)
        }
    }

    /// What the addresses lead to in a file, and the saves in its values that they lead into.
    private func places(
        of addresses: [JSONPointer], in file: SaveFile
    ) -> (places: [EditPlace], entrances: [ObjectView.Entrance]) {
        var places: [EditPlace] = []
        var entrances: [ObjectView.Entrance] = []
        for address in addresses {
            if let entrance = file.view.entrance(on: address) {
                entrances.append(entrance)
            } else if let place = EditPlace(address, in: file, plan, after: places.last), place.path.isThere {
                places.append(place)
            } else {
                file.reportMissing(address, invocation)
                status = .negative
            }
        }
        return (places, entrances)
    }
}

extension SlotPath {
    /// Whether something is at the address.
    fileprivate var isThere: Bool {
        if case .nothing = end { return false }
        return true
    }
}
