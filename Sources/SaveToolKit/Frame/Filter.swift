import SaveCodec
import SaveOperations

/// The settings for reading files, and the user's program that each file is piped through first:
///
///     file ─▶ filter ─▶ layers ─▶ …
struct FileReadOptions: Sendable {
    private(set) var options: ReadOptions
    /// The program, or nil for none.
    let filter: Filter?

    init(_ options: ReadOptions = ReadOptions(), through filter: Filter? = nil) {
        (self.options, self.filter) = (options, filter)
        if filter != nil { self.options.origin = Filter.origin }
    }

    var limits: Limits { options.limits }

    /// Returns the settings with changed options.
    func with(_ change: (inout ReadOptions) -> Void) -> FileReadOptions {
        var reading = self
        change(&reading.options)
        return reading
    }

    /// Returns the settings for a file that may be empty. The name of an empty file decides its format.
    func ofFile(named name: String, _ file: [UInt8]) -> FileReadOptions {
        // The output of a filter is not empty because its input is.
        guard filter == nil else { return self }
        return with { $0.format = $0.format ?? Format(ofUndecided: file, named: name, decodes: $0.layers.decodes) }
    }

    /// Reads the document in a file. The name of an empty file decides its format.
    func decode(_ file: [UInt8], named name: String, warn: ([Problem]) -> Void) throws(Problem) -> DecodedFile {
        try DecodedFile(
            file, filtered: filter?.output(of: file, limits), ofFile(named: name, file).options, warn: warn)
    }

    /// Opens the save in a file.
    func open(_ file: [UInt8], warn: ([Problem]) -> Void = { _ in }) throws(Problem) -> Save {
        try Save(file, filtered: filter?.output(of: file, limits), options, warn: warn)
    }
}

/// A program of the user that removes or adds an encoding that savetool does not know, such as encryption:
///
///     slot.xz ─▶ xz -dc ─▶ contents           --filter-in
///     slot.xz ◀─ xz -c ◀─ other contents      --filter-out
///
/// The program comes only from the command line, never from a file.
struct Filter: Sendable {
    /// The option that named the program.
    private let option: String
    /// The shell command.
    private let command: String

    /// The description of the program's output in the locations of problems.
    static let origin = "output of \(Option.filterIn.shown)"

    init?(_ option: Option, _ arguments: Arguments) throws(UsageError) {
        guard let command = arguments.value(of: option) else { return nil }
        if command.allSatisfy(\.isWhitespace) {
            throw .badValue(command, option, expected: "a shell command")
        }
        (self.option, self.command) = (option.shown, command)
    }

    /// Returns the program's output for an input.
    func output(of bytes: [UInt8], _ limits: Limits) throws(Problem) -> [UInt8] {
        let most = limits.maxDecodedByteCount(of: bytes.count)
        let ended: FilterProgram.Outcome
        do throws(SystemError) {
            ended = try FilterProgram.run(shellCommand: command, on: bytes, limit: most)
        } catch {
            throw Problem("filter.run", "cannot run the \(option) command: \(error.sentence)")
        }
        guard let output = ended.output else {
            throw Problem(
                "limit.unwrapped",
                "the output of the \(option) command exceeds the limit for this file, \(most >> 20) MiB")
        }
        switch ended.termination {
        // A shell pipeline has the status of its last program, so an earlier program may have failed.
        case .status(0) where output.isEmpty && !bytes.isEmpty:
            throw Problem("filter.empty", "the \(option) command exited with status 0 but wrote nothing")
        case .status(0): return output
        case .status(let status): throw Problem("filter.status", "the \(option) command exited with status \(status)")
        case .signal(let signal):
            throw Problem("filter.status", "the \(option) command was killed by signal \(signal)")
        }
    }
}

/// The layers and the filter that are applied to a result before it is written.
struct OutputLayers {
    /// The layers, which are applied before the filter.
    let layers: Layers
    let filter: Filter?
    let limits: Limits
    /// The file that was read. It is written unchanged if the result equals its contents.
    private var original: Save?

    init(layers: Layers, filter: Filter?, limits: Limits) {
        (self.layers, self.filter, self.limits) = (layers, filter, limits)
    }

    /// Remembers the file that was read, so that a result with the same contents gets the same bytes. Layers and the
    /// user's programs may produce different bytes each time, for example if a program encrypts.
    ///
    /// With a filter, this applies only to a result that replaces the file. A result in another file is always the
    /// output of the user's program.
    mutating func keep(_ save: Save, readBy input: Filter?, isInPlace: Bool) {
        guard filter == nil ? input == nil : input != nil && isInPlace else { return }
        original = save
    }

    fileprivate var isEmpty: Bool { layers.isEmpty && filter == nil }

    /// Returns the contents with the layers applied.
    func wrapping(_ contents: [UInt8]) -> [UInt8] {
        if let original, original.bytes == contents { return original.wrapped }
        return layers.wrap(contents)
    }

    /// Returns the bytes to write to a file: the contents with the layers applied, piped through the filter.
    func filtering(_ wrapped: [UInt8]) throws(Problem) -> [UInt8] {
        if let original, original.wrapped == wrapped { return original.file }
        return try filter?.output(of: wrapped, limits) ?? wrapped
    }
}

extension Invocation {
    /// Writes a result with its layers to a file, or to standard output if the path is nil.
    func deliver(
        to path: String?, as format: Format, in layers: OutputLayers, by replacing: ReplacementOptions,
        _ produce: (inout ByteWriter) throws -> Void
    ) throws {
        guard !layers.isEmpty else { return try deliver(to: path, as: format, by: replacing, produce) }
        var contents = ByteWriter()
        try produce(&contents)
        let bytes = contents.takeBytes()
        let wrapped = layers.wrapping(bytes)
        let file = try layers.filtering(wrapped)
        try deliver(to: path, as: .binary, by: replacing) { $0.write(file) }
        reportStaleSizes(in: layers.layers, contents: bytes.count, file: wrapped.count, of: path)
    }

    /// Reports the sizes in a header that an edit makes wrong, see `Layers.staleSizes(contents:file:)`.
    ///
    /// - Parameter path: The path of the file, or nil for standard output.
    func reportStaleSizes(in layers: Layers, contents: Int, file: Int, of path: String?) {
        for stale in layers.staleSizes(contents: contents, file: file) {
            printError(
                "\(path.map(Self.shownName) ?? "<stdout>"): warning: the header is kept, but its "
                    + "\(SourceLocation.byte(stale.offset)) holds the size \(stale.stored), which is now \(stale.actual)"
            )
        }
    }
}

extension Option {
    static let unwrap = Option(
        "unwrap", for: .common, help: "also remove Base64, hexadecimal text and XOR with one byte, see help layers")
    static let unwrapAt = Option(
        "unwrap-at", value: "OFFSET", for: .common,
        help: "unwrap what follows a header of OFFSET bytes, which is kept; also deflate data")
    static let filterIn = Option(
        "filter-in", value: "CMD", for: .common, help: "pipe each file through the shell command CMD first")
    static let filterOut = Option(
        "filter-out", value: "CMD", for: .common, help: "pipe the result through the shell command CMD")
}
