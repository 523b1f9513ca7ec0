import SaveCodec

/// The environment of one run of the tool: its arguments, its streams, and the folder that paths start from.
package final class Invocation {
    /// The arguments after the program's name.
    let arguments: [String]
    /// The environment variables that the tool uses, such as `NO_COLOR`.
    let environment: [String: String]
    /// The folder that relative paths start from; empty for the working folder of the process.
    let folder: String
    let input: InputChannel
    private(set) var output: OutputChannel
    private(set) var standardError: OutputChannel
    /// The display of progress, or nil for none.
    let progress: Progress?
    /// The condition for colouring output.
    var coloring = ColorChoice.auto
    /// The bytes of files that were read in advance, see ``whileEditing(_:reading:_:)``.
    var readAhead: [String: [UInt8]] = [:]
    /// The file that was replaced last, or nil.
    private(set) var replaced: String?
    /// The folders in which the leftovers of killed runs have been removed.
    private var cleanedFolders: Set<String> = []
    /// The files whose layers have been reported.
    var unwrapped: Set<String> = []
    /// The file that is being edited, by the name under which it is replaced.
    var edited: (name: String, version: FileVersion)?

    /// Creates an invocation.
    ///
    /// - Parameters:
    ///   - output: The channel for results.
    ///   - standardError: The channel for messages.
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

    /// Returns the path of a file for system calls.
    func path(_ name: String) -> String {
        FileSystem.path(name, from: folder)
    }

    /// The width of the terminal that shows the output; nil without a terminal.
    var columns: Int? { output.isTerminal ? width : nil }

    /// The width in the variable `COLUMNS`, at least 20, or else the terminal's width; nil for neither.
    var width: Int? {
        environment["COLUMNS"].flatMap { Int($0) }.map { max($0, 20) } ?? output.size?.columns
    }

    /// Returns the name of a file for messages.
    static func shownName(_ name: String) -> String {
        name == "-" ? "<stdin>" : FileName.shown(name)
    }

    // MARK: Files

    /// Returns the bytes of a file or of a revision in git (``GitRevision``), or of standard input for `-`.
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
            // The bytes of a database may include its log, so they cannot be compared with the file.
            if !SQLite.begins(bytes) { edited?.version.note(bytes, readAt: path) }
            return bytes
        } catch {
            // A file that is being edited is not looked up in git: it must exist, because it is replaced.
            guard error == .noSuchFile else { throw FileError(Self.shownName(name), error) }
            guard edited?.name != name else { throw FileError(Self.shownName(name), .missing(name, from: folder)) }
            return try readRevision(name)
        }
    }

    private func readRevision(_ name: String) throws(FileError) -> [UInt8] {
        let bytes = try FileError.naming(Self.shownName(name)) { () throws(SystemError) in
            try GitRevision.read(name, from: folder)
        }
        reportMissingLog(of: bytes, in: name)
        return bytes
    }

    /// Returns the bytes of a file that another file names. Fails for a pipe or a device, which could make the tool
    /// wait.
    func readRegular(_ name: String) throws(FileError) -> [UInt8] {
        try FileError.naming(Self.shownName(name)) { () throws(SystemError) in
            try Descriptor.openingRegular(path(name)).readToEnd()
        }
    }

    /// Returns the bytes of a file that git may have copied. Prints a note if it is a database whose write-ahead log
    /// was not copied with it.
    func readFromGit(_ name: String) throws -> [UInt8] {
        let bytes = try read(name)
        let log = try? FileSystem.status(DatabaseSnapshot.log(of: path(name)))
        if log.flatMap({ $0 }) == nil { reportMissingLog(of: bytes, in: name) }
        return bytes
    }

    /// Prints a note if the bytes, which were read without a write-ahead log, are a database that keeps one.
    func reportMissingLog(of bytes: [UInt8], in name: String) {
        guard SQLite.keepsWriteAheadLog(bytes) else { return }
        printError(
            "\(Self.shownName(name)): the write-ahead log of this database is missing; changes that are only in the log "
                + "are not read")
    }

    /// Writes the output of `produce` to standard output.
    ///
    /// - Parameters:
    ///   - format: The format of the output, or nil if a renderer made the text.
    ///   - notation: The notation of values, for colouring; nil for output without colours.
    ///   - isForEyes: Whether the text is shown on a terminal later, even if standard output is not one.
    func writeOutput(
        as format: Format? = nil, coloring notation: Highlighter.Notation? = nil, isForEyes: Bool = false,
        _ produce: (inout ByteWriter) throws -> Void
    ) throws {
        let notation = palette.isColored ? notation : nil
        let isForEyes = isForEyes || output.isTerminal
        guard isForEyes || notation != nil else { return try writeOutput(to: output.write, produce) }
        let displayWriter = DisplayWriter(
            output, for: format, notation, isForEyes: isForEyes, isColored: palette.isColored)
        try writeOutput(to: displayWriter.write, produce)
        try displayWriter.finish()
    }

    /// Lets the command run to its end even if the reader of its output closes the pipe, so that its exit status and its
    /// reports do not depend on the reader.
    func outliveReader() {
        output = output.outlivingReader()
    }

    private func writeOutput(
        to sink: @escaping ByteWriter.Sink, _ produce: (inout ByteWriter) throws -> Void
    ) throws {
        do {
            var writer = ByteWriter(to: sink)
            try produce(&writer)
            try writer.finish()
        } catch let error as FileError {
            // The message adds that a file is written: running the command again would repeat that change.
            throw replaced.map { error.after("\(Self.shownName($0)) is written") } ?? error
        }
    }

    /// Runs `body` on a file and shows progress if it takes long, see ``Progress``.
    func during<Result, Failure>(
        _ verb: String, _ name: String, body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // A user who types the input needs no progress line.
        guard let progress, name != "-" || !input.isTerminal else { return try body() }
        return try progress.during("\(verb) \(Self.shownName(name))", body)
    }

    /// Runs a command, with a pager if that is requested and standard output is a terminal.
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

    /// Replaces a file by the output of `produce`, completely or not at all. A device or a pipe is not replaced: the
    /// output is written into it.
    func replace(
        _ name: String, by replacing: ReplacementOptions = ReplacementOptions(),
        _ produce: (inout ByteWriter) throws -> Void
    ) throws {
        let path = path(name)
        do {
            switch try FileSystem.status(path)?.kind {
            case .folder: throw FileError(Self.shownName(name), "this is a folder; expected a file")
            case .other: try Self.write(into: path, produce)
            case .regular: try write(name, by: replacing, produce)
            case nil where FileSystem.isLink(path):
                throw FileError(Self.shownName(name), "this is a broken symbolic link")
            case nil: try write(name, by: replacing, produce)
            }
        } catch let error as SystemError {
            if error == .brokenPipe { throw ClosedPipe() }
            if error.isAfterReplacement {
                replaced = name
                throw FileError.unsure(Self.shownName(name), error)
            }
            let isFolderMissing = error == .noSuchFile
            throw FileError(Self.shownName(name), isFolderMissing ? "no such folder" : error.sentence)
        }
    }

    /// Checks that an existing file can be replaced, without replacing it.
    func checkReplaceable(_ name: String, by replacing: ReplacementOptions) throws(FileError) {
        try FileError.naming(Self.shownName(name)) { () throws(SystemError) in
            try FileReplacement(of: path(name), by: replacing).rehearse()
        }
    }

    /// Creates a folder, and missing folders above it.
    func makeFolder(_ name: String) throws(FileError) {
        try FileError.naming(Self.shownName(name)) { () throws(SystemError) in
            try FileSystem.makeFolder(path(name))
        }
    }

    private static func write(into path: String, _ produce: (inout ByteWriter) throws -> Void) throws {
        let device = try Descriptor(opening: path, for: .writing)
        var writer = ByteWriter { try device.write($0) }
        try produce(&writer)
        try writer.finish()
    }

    private func write(
        _ name: String, by replacing: ReplacementOptions, _ produce: (inout ByteWriter) throws -> Void
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
