import KeyedArchives
import SaveCodec
import SaveOperations

/// The value of a file that holds another save. That one is read and changed as a file of its own:
///
///     /savedGame/root/health ─▶ /savedGame  data ─▶ the save in it, and the rest of the address, /root/health
///                                   ▲                     │ changed, and written in its own format
///                                   └──── other data ◀────┘
struct SaveHolder {
    let file: SaveFile
    /// Where in the file the value is.
    let address: JSONPointer
    let save: NestedSave
}

extension SaveFile {
    /// The innermost save that an address leads into, and the address in it; the file itself if it leads into none.
    func entering(_ address: JSONPointer) throws(Problem) -> (file: SaveFile, address: JSONPointer) {
        var (file, address) = (self, address)
        while let entrance = file.view.entrance(on: address) {
            file = try SaveFile(entrance, in: file)
            address = entrance.rest
        }
        return (file, address)
    }

    /// The save that an address enters.
    convenience init(_ entrance: ObjectView.Entrance, in file: SaveFile) throws(Problem) {
        let nesting = entrance.save.view.nesting
        let options = ReadOptions(
            format: entrance.save.format, limits: file.limits, isRaw: file.view.nesting?.isRaw ?? false,
            isOpaque: nesting == nil, isMapped: true)
        // What the reader warns of was said of the file around it, if it is to be said.
        self.init(
            try Save(entrance.save.bytes, options, warn: { _ in }), name: file.name,
            in: SaveHolder(file: file, address: entrance.address, save: entrance.save))
    }

    /// Where in the file that has a name the save is: the root, but for a save in a value of another one.
    var base: JSONPointer {
        guard let holder else { return .root }
        return holder.file.base.appending(holder.address)
    }

    /// A problem with its address in the file that has a name.
    func based(_ problem: Problem) -> Problem {
        guard holder != nil else { return problem }
        var problem = problem
        problem.address = base.appending(problem.address ?? .root)
        // Lines and bytes are those of the save in the value.
        problem.place = nil
        return problem
    }

    /// Does something with the save; problems in it are thrown with the name of the file that has one, and with their
    /// addresses there.
    func whileBased<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let problem as Problem {
            throw FileProblem(name: name, problem: based(problem))
        }
    }
}

extension EditPlan {
    /// Reads the file and does something with the save that an address leads into, see ``edit(_:_:)``.
    func edit(
        at address: JSONPointer, _ invocation: Invocation, _ body: (SaveFile, JSONPointer) throws -> ExitStatus
    ) throws -> ExitStatus {
        try edit(invocation) { file in
            let (file, address) = try file.entering(address)
            return try file.whileBased {
                try file.checkIsEdited()
                return try body(file, address)
            }
        }
    }

    /// The view of a file in which one of the values holds an edited save.
    func view(
        of holder: SaveHolder, holding bytes: [UInt8], _ invocation: Invocation
    ) throws(Problem) -> ObjectView {
        var draft = Draft(holder.file.view)
        guard let place = EditPlace(holder.address, in: holder.file.view, unsharing: unshares) else {
            return holder.file.view
        }
        draft.replace(holder.save, at: place, with: bytes)
        _ = place.reportWhatElseChanges(of: draft, in: holder.file, invocation)
        return try draft.editedView(limits: reading.limits)
    }
}
