import KeyedArchives
import SaveCodec
import SaveOperations

/// A save that a command edits, compares or merges, and its name for messages.
struct SaveFile {
    let save: Save
    /// The name in messages; `-` for standard input.
    let name: String

    init(_ save: Save, name: String) {
        (self.save, self.name) = (save, name)
    }

    /// Opens a file, and prints the warnings of its reader.
    ///
    /// - Parameter title: The name in messages, or nil to use `name`.
    init(
        reading name: String, titled title: String? = nil, _ reading: FileReadOptions, _ invocation: Invocation
    ) throws {
        self.init(try invocation.open(name, titled: title, reading), name: title ?? name)
    }

    var view: ObjectView { save.view }
    var format: Format { save.format }
    var limits: Limits { save.limits }
    /// The save around a nested save, or nil for the save of a file.
    var outer: SaveFile? { save.holder.map { SaveFile($0.save, name: name) } }

    /// Returns a problem with the line and column of its address. In a binary file, returns the problem unchanged. A
    /// problem of a nested save gets its address in the file instead.
    func located(_ problem: Problem) -> Problem {
        if save.holder != nil { return save.based(problem) }
        var problem = problem
        if problem.location == nil, let address = problem.address {
            problem.location = save.locations.line(of: address, in: view)
        }
        return problem
    }

    /// Returns problems of an edited save with addresses in the value graph of the file.
    func inView(_ problems: [Problem], of edited: ObjectView) -> [Problem] {
        problems.isEmpty ? [] : edited.inView(problems).map(save.based)
    }

    /// Throws if the format is read-only. A database is accepted: its edits are printed as statements.
    func checkIsEdited() throws(Problem) {
        if !format.has(.database) { try save.checkIsWritable() }
    }

    /// Returns the innermost nested save that an address leads into, and the rest of the address in it.
    func innermostFile(at address: JSONPointer) -> (file: SaveFile, address: JSONPointer) {
        let (save, address) = save.innermostSave(at: address)
        return (SaveFile(save, name: name), address)
    }

    /// Opens the save in new bytes, which replace the contents of the file inside its layers.
    func reopened(with bytes: [UInt8]) throws(Problem) -> SaveFile {
        SaveFile(try save.reopened(with: bytes), name: name)
    }

    /// Runs `body`, and rethrows a problem with the file's name and with its address in the file.
    func whileBased<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let problem as Problem {
            throw FileProblem(name: name, problem: save.based(problem))
        }
    }
}
