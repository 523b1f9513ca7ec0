import SaveCodec

extension Arguments {
    /// Returns the format that an option names, or nil if it was not given.
    ///
    /// - Parameters:
    ///   - formats: The formats that the option takes.
    ///   - others: Other names that the option takes, for the message.
    func format(
        of option: Option, among formats: [Format] = Format.allCases, besides others: [String] = []
    ) throws(UsageError) -> Format? {
        guard let name = value(of: option) else { return nil }
        let format = Format(rawValue: name) ?? .allCases.first { $0.definition.aliases.contains(name) }
        if name == "plist", format == nil {
            throw .badValue(
                name, option, expected: "a format of property lists: \(UsageError.list(["binary", "xml", "openstep"]))")
        }
        guard let format else { throw .badName(name, option, names: formats.map(\.rawValue) + others) }
        guard formats.contains(format) else { throw .readOnly(format, option) }
        return format
    }

    /// Returns the value of `--from`: the format of the files or nil to detect it, and the JSON dialect to accept.
    func sourceFormat() throws(UsageError) -> (format: Format?, dialect: JSON.Dialect) {
        let name = value(of: .from)
        if let dialect = JSON.Dialect.options.first(where: { $0.name == name }) { return (.json, dialect.dialect) }
        return (
            try format(of: .from, besides: JSON.Dialect.optionNames), name == nil ? .commented : .detected
        )
    }

    /// Returns the limits of reading, as set by options.
    func limits() throws(UsageError) -> Limits {
        var limits = Limits()
        if let depth = try number(of: .maxDepth) { limits.maxDepth = depth }
        if let factor = try number(of: .maxWork) { limits.workFactor = factor }
        return limits
    }
}

extension JSON.Dialect {
    /// The dialects that the command line names in addition to the formats.
    static let options: [(name: String, dialect: JSON.Dialect)] = [
        ("typed-json", .typed), ("plain-json", .plain), ("jsonc", .commented),
    ]
    static var optionNames: [String] { options.map(\.name) }
}

extension Option {
    static let from = Option(
        "from", value: "FORMAT", is: .choice(Format.allCases.map(\.rawValue) + JSON.Dialect.optionNames), for: .common,
        help: "read files as FORMAT instead of detecting it: "
            + UsageError.list(Format.allCases.map(\.rawValue) + JSON.Dialect.optionNames))
    static let maxDepth = Option(
        "max-depth", value: "N", for: .common, help: "refuse containers nested more than N levels deep (512)")
    static let maxWork = Option(
        "max-work", value: "N", for: .common, help: "multiply the resource limits by N (1), see help limits")
    static let opaque = Option("opaque", for: .common, help: "do not look inside data values")
    static let raw = Option("raw", for: .common, help: "read an archive as the property list that stores it")
}

extension Format {
    /// The name of a binary keyed archive in `--to`.
    static let archiveName = "archive"

    /// Creates the format for the ending of a file name.
    ///
    /// Nil for a missing or unknown ending, and for `.plist`, which several formats use.
    init?(endingOf name: String) {
        guard let ending = FileSystem.ending(of: name)?.lowercased(),
            let format = Self.allCases.first(where: { $0.definition.extensions.contains(ending) })
        else { return nil }
        self = format
    }

    /// Creates the format of a file whose contents do not decide it. Its name decides: a `.strings` file may be empty or
    /// hold only comments, and it may have mistakes that look like JSON. A `.json` file may have only comments between
    /// its braces, as a dictionary in OpenStep text may. Nil for any other file.
    ///
    /// - Parameter decodes: Whether text layers are removed. If so, only an empty file is decided, because other text,
    ///   such as `//…`, may be Base64.
    init?(ofUndecided bytes: [UInt8], named name: String, decodes: Bool = false) {
        switch FileSystem.ending(of: name)?.lowercased() {
        case "strings" where Format.isBlank(bytes, allowingComments: !decodes): self = .openStep
        case "strings" where !decodes && Format.mayBeStrings(bytes): self = .openStep
        case "json" where Format.isEmptyDictionary(bytes), "jsonc" where Format.isEmptyDictionary(bytes): self = .json
        default: return nil
        }
    }

    /// Returns a warning if a file named as JSON is an OpenStep text, as nearly every text is.
    func warning(forFileNamed name: String) -> Problem? {
        guard has(.bareWords), FileSystem.ending(of: name)?.lowercased() == "json" else { return nil }
        return Problem(
            "format.extension", "the file is \(definition.article)\(definition.title), but its name ends in .json",
            severity: .warning)
    }
}
