import SaveCodec

/// All that one run of the tool sees of the world: its arguments, its streams, and the folder that paths start from.
package final class Invocation {
    /// The arguments behind the name of the program.
    let arguments: [String]
    /// The variables of the environment that matter, `NO_COLOR` for one.
    let environment: [String: String]
    /// The folder that relative paths start from; empty for the working folder of the process.
    let folder: String
    let input: InputChannel
    private(set) var output: OutputChannel
    private(set) var standardError: OutputChannel
    /// Tells how far the run has come; nil where nobody reads that.
    let progress: Progress?
    /// When output is coloured.
    var coloring = ColorChoice.auto
    /// What was read before its turn, see ``whileEditing(_:reading:_:)``.
    var readAhead: [String: [UInt8]] = [:]
    /// The file that has been replaced last; nil if none has.
    private(set) var replaced: String?
    /// The folders that have been looked through for what killed runs have left.
    private var cleanedFolders: Set<String> = []
    /// The files of which it has been said that they are in layers.
    var unwrapped: Set<String> = []
    /// The file that is being edited, by the name that it is replaced by.
    var edited: (name: String, version: FileVersion)?

    /// Creates an invocation.
    ///
    /// - Parameters:
    ///   - output: takes results.
    ///   - standardError: takes messages.
    package convenience init(
        arguments: [String], environment: [String: String] = [:], folder: String = "", input: InputChannel,
        output: OutputChannel, standardError: OutputChannel
    ) {
        self.init(
            arguments: arguments, environment: environment, folder: folder, input: input, output: output,
            standardError: standardError, progress: nil)
    }

    init(
        arguments: [String], environment: [String: String], folder: String = "", input: InputChannel,
        output: OutputChannel, standardError: OutputChannel, progress: Progress?
    ) {
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
        self.input = input
        self.output = output
        self.standardError = standardError
        self.progress = progress
    }

    /// The path of a file as the system takes it.
    func path(_ name: String) -> String {
        FileSystem.path(name, from: folder)
    }

    /// How many columns the terminal has that the output is seen on, which `COLUMNS` may tell otherwise; nil for what is
    /// none.
    var columns: Int? {
        guard output.isTerminal else { return nil }
        return environment["COLUMNS"].flatMap { Int($0) }.map { max($0, 20) } ?? output.size?.columns
    }

    /// The name of a file as messages have it.
    static func shownName(_ name: String) -> String {
        name == "-" ? "<stdin>" : FileName.shown(name)
    }

    // MARK: Files

    /// The bytes of a file; of standard input for `-`.
    func read(_ name: String) throws -> [UInt8] {
        if let bytes = readAhead[name] { return bytes }
        if name == "-" {
            let bytes = try input.read()
            reportMissingLog(of: bytes, in: name)
            return bytes
        }
        let path = path(name)
        do throws(SystemError) {
            let bytes = try during("reading", name) { () throws(SystemError) in
                try Descriptor(opening: path, for: .reading).readSave(at: path)
            }
            // Those of a database may have what is in its log, too.
            if !SQLite.begins(bytes) { edited?.version.note(bytes, readAt: path) }
            return bytes
        } catch {
            throw FileError(Self.shownName(name), error)
        }
    }

    /// The bytes of a file that may be a copy that git has made of one.
    func readFromGit(_ name: String) throws -> [UInt8] {
        let bytes = try read(name)
        let log = try? FileSystem.status(DatabaseSnapshot.log(of: path(name)))
        if log.flatMap({ $0 }) == nil { reportMissingLog(of: bytes, in: name) }
        return bytes
    }

    /// Says so if what was read is a database that keeps a log, and came without one.
    func reportMissingLog(of bytes: [UInt8], in name: String) {
        guard SQLite.keepsLog(bytes) else { return }
        printError(
            "\(Self.shownName(name)): a database with a write-ahead log, which is not here; what is only in the log is "
                + "missing")
    }

    /// Writes to standard output what `produce` writes.
    ///
    /// - Parameters:
    ///   - format: the format that is written as it is; nil where a renderer made the text.
    ///   - notation: how values are written, which have colours if there are any; nil if they have none.
    func writeOutput(
        as format: Format? = nil, coloring notation: Highlighter.Notation? = nil, isForEyes: Bool = false,
        _ produce: (inout ByteWriter) throws -> Void
    ) throws {
        let notation = palette.isColored ? notation : nil
        let isForEyes = isForEyes || output.isTerminal
        guard isForEyes || notation != nil else { return try writeOutput(to: output.write, produce) }
        let screen = Screen(output, for: format, notation, isForEyes: isForEyes, isColored: palette.isColored)
        try writeOutput(to: screen.write, produce)
        try screen.finish()
    }

    private func writeOutput(
        to sink: @escaping ByteWriter.Sink, _ produce: (inout ByteWriter) throws -> Void
    ) throws {
        do {
            var writer = ByteWriter(to: sink)
            try produce(&writer)
            try writer.finish()
        } catch let error as FileError {
            // Who does it again because of the output would do it twice.
            throw replaced.map { error.after("\(Self.shownName($0)) is written") } ?? error
        }
    }

    /// Does something with a file that may take long, which people are told, see ``Progress``.
    func during<Result, Failure>(
        _ verb: String, _ name: String, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Who types needs no line to be told so.
        guard let progress, name != "-" || !input.isTerminal else { return try body() }
        return try progress.during("\(verb) \(Self.shownName(name))", body)
    }

    /// Runs a command whose output is shown page by page, if it is to be and a person reads it.
    func paging<Result>(_ isWanted: Bool, _ body: () throws -> Result) throws -> Result {
        guard isWanted, let pager = Pager(self) else { return try body() }
        let channels = (output, standardError)
        defer { (output, standardError) = channels }
        output = pager.channel
        if standardError.isTerminal { standardError = pager.channel }
        let result = Swift.Result { try body() }
        try pager.finish()
        return try result.get()
    }

    /// Replaces a file, as a whole or not at all, by what `produce` writes. A device or a pipe is written into.
    func replace(
        _ name: String, by replacing: Replacing = Replacing(), _ produce: (inout ByteWriter) throws -> Void
    ) throws {
        let path = path(name)
        do {
            switch try FileSystem.status(path)?.kind {
            case .folder: throw FileError(Self.shownName(name), "this is a folder; expected a file")
            case .other: try Self.write(into: path, produce)
            case .regular: try write(name, by: replacing, produce)
            case nil where FileSystem.isLink(path):
                throw FileError(Self.shownName(name), "this is a symbolic link that leads nowhere")
            case nil: try write(name, by: replacing, produce)
            }
        } catch let error as SystemError {
            if error == .brokenPipe { throw ClosedPipe() }
            if error.isAfterReplacement {
                replaced = name
                throw FileError.unsure(Self.shownName(name), error)
            }
            let isFolderMissing = error == .noSuchFile
            throw FileError(Self.shownName(name), isFolderMissing ? "there is no such folder" : error.sentence)
        }
    }

    /// Makes a folder, and those around it, if it is not there.
    func makeFolder(_ name: String) throws(FileError) {
        do throws(SystemError) {
            try FileSystem.makeFolder(path(name))
        } catch {
            throw FileError(Self.shownName(name), error.sentence)
        }
    }

    private static func write(into path: String, _ produce: (inout ByteWriter) throws -> Void) throws {
        let device = try Descriptor(opening: path, for: .writing)
        var writer = ByteWriter { try device.write($0) }
        try produce(&writer)
        try writer.finish()
    }

    private func write(
        _ name: String, by replacing: Replacing, _ produce: (inout ByteWriter) throws -> Void
    ) throws {
        let version = edited?.name == name ? edited?.version : nil
        let folder = FileSystem.folder(of: FileSystem.target(path(name)))
        if cleanedFolders.insert(folder).inserted { TemporaryFile.removeLeftovers(inFolder: folder) }
        let replacement = try FileReplacement(of: path(name), by: replacing, since: version)
        try during("writing", name) {
            var writer = ByteWriter { [progress] piece in
                try replacement.write(piece)
                progress?.note(written: piece.count)
            }
            try produce(&writer)
            try writer.finish()
            if try replacement.commit({ printError("\(Self.shownName(name)): \($0)") }) { replaced = name }
        }
    }
}
