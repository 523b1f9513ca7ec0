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
        return with { $0.format = $0.format ?? Format(ofEmpty: file, named: name, decodes: $0.layers.decodes) }
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
