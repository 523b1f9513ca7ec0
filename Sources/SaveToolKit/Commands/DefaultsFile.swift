import KeyedArchive
import SaveCodec
import SaveOperations

/// A file of registered defaults, as it was read.
struct DefaultsFile {
    let name: String
    let format: Format
    /// The size of the file in bytes.
    let size: Int
    let defaults: RegisteredDefaults

    /// Reads a file, in the format that its content tells. Says what the reader warns of.
    fileprivate init(reading name: String, limits: Limits, isRaw: Bool, _ invocation: Invocation) throws {
        let bytes = try invocation.read(name)
        self.name = name
        format = try Format.recognize(bytes)
        size = bytes.count
        defaults = try RegisteredDefaults(
            invocation.view(bytes, of: name, as: format, limits: limits, isRaw: isRaw))
    }
}

extension Invocation {
    /// Does something with a file of defaults, or without if none is named. Where the file cannot be read, that is said,
    /// and nothing is done.
    func withDefaults(
        _ name: String?, limits: Limits, isRaw: Bool, _ body: (DefaultsFile?) throws -> ExitStatus
    ) throws -> ExitStatus {
        guard let name else { return try body(nil) }
        var file: DefaultsFile?
        let status = try forEachFile([name]) { name in
            file = try DefaultsFile(reading: name, limits: limits, isRaw: isRaw, self)
            return .done
        }
        guard let file else { return status }
        return try body(file)
    }
}

extension Arguments {
    /// The file of defaults that is named; nil for none.
    ///
    /// - Parameter files: the files that it is laid under; none for standard input.
    func defaults(under files: [String]) throws(UsageError) -> String? {
        guard let name = try onlyValue(of: .defaults) else { return nil }
        if name == "-", files.isEmpty || files.contains("-") { throw .inputTwice }
        return name
    }
}

extension Option {
    static let defaults = Option(
        "defaults", value: "FILE",
        help:
            "lay the registered defaults in FILE, of any format,\nunder the preferences, and tell what comes from there"
    )
}
