import SaveCodec

extension Arguments {
    /// The format that an option names, or nil if it was not given.
    func format(of option: Option) throws(UsageError) -> Format? {
        guard let name = value(of: option) else { return nil }
        switch name {
        case "binary1", "bplist": return .binary
        case "xml1": return .xml
        default:
            if let format = Format(rawValue: name) { return format }
            throw .badValue(name, option, expected: UsageError.list(Format.allCases.map(\.rawValue)))
        }
    }

    /// The limits of reading that were asked for.
    func limits() throws(UsageError) -> Limits {
        var limits = Limits()
        if let depth = try number(of: .maxDepth) { limits.maxDepth = depth }
        return limits
    }
}

extension Option {
    static let from = Option("from", value: "FORMAT", help: "read FORMAT, whatever the content looks like")
    static let maxDepth = Option("max-depth", value: "N", help: "refuse more than N nested containers (512)")
    static let raw = Option("raw", help: "take an archive as the property list that it is stored as")
}

extension Format {
    /// The name that stands for a binary keyed archive.
    static let archiveName = "archive"

    /// The format that the ending of a file's name stands for; nil for no ending, an unknown one, and `.plist`, which
    /// stands for several.
    init?(endingOf name: String) {
        switch FileSystem.ending(of: name) {
        case "json": self = .json
        case "xml": self = .xml
        case "bplist": self = .binary
        case "strings", "openstep": self = .openStep
        default: return nil
        }
    }

    /// The ending that files in this format usually have.
    var ending: String {
        self == .json ? "json" : "plist"
    }
}
