import SaveCodec

/// What the arguments of a command that changes a file say about reading it and about where the result goes.
struct EditPlan {
    /// The file; `-` for standard input.
    let file: String
    let source: Format?
    let limits: Limits
    let isRaw: Bool
    /// Where the result goes; nil for standard output.
    let output: String?
    let keepsBackup: Bool
    /// Whether the change is shown and not made.
    let isDryRun: Bool
    let allowsLoss: Bool
    /// Whether an object that is shared is split from what others see of it.
    let unshares: Bool

    /// The options that all such commands have.
    static let options: [Option] = [
        .output, .inPlace, .backup, .dryRun, .allowLoss, .from, .raw, .maxDepth,
    ]

    /// - Parameter isInPlace: whether the result goes into the file without an option that says so.
    init(_ file: String, _ arguments: Arguments, isInPlace: Bool = false) throws(UsageError) {
        self.file = file
        source = try arguments.format(of: .from)
        limits = try arguments.limits()
        isRaw = arguments.has(.raw)
        output = try Self.output(file, arguments, isInPlace)
        keepsBackup = arguments.has(.backup)
        isDryRun = arguments.has(.dryRun)
        allowsLoss = arguments.has(.allowLoss)
        unshares = arguments.has(.unshare)
    }

    private static func output(
        _ file: String, _ arguments: Arguments, _ isInPlace: Bool
    ) throws(UsageError) -> String? {
        let places: [Option] = [.output, .inPlace]
        if places.allSatisfy(arguments.has) { throw .conflict(places[0], places[1]) }
        if arguments.has(.backup), !isInPlace, !places.contains(where: arguments.has) {
            throw .needsOneOf(.backup, places)
        }
        if arguments.has(.inPlace) || isInPlace && !arguments.has(.output) {
            if file == "-", isInPlace { throw .badOperand(file, "FILE", expected: "the name of a file to change") }
            if file == "-" { throw .unfit(.inPlace, operands: "standard input") }
            return file
        }
        let output = arguments.value(of: .output)
        return output == "-" || output == "/dev/stdout" ? nil : output
    }

    func read(_ invocation: Invocation) throws -> SaveFile {
        try SaveFile(reading: file, as: source, limits: limits, isRaw: isRaw, invocation)
    }
}

extension Option {
    static let dryRun = Option("dry-run", help: "show what would change, and write nothing")
    static let unshare = Option(
        "unshare", help: "split an object that is referred to from elsewhere\nfrom what is seen there")
}
