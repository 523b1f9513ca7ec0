import SaveCodec

/// What the arguments of `savetool convert` ask for, once they are known to make sense.
struct ConvertPlan {
    let files: [String]
    let source: Format?
    let target: Format
    let reading: Reading
    let destination: Destination
    let options: WriteOptions
    let limits: Limits
    let allowsLoss: Bool
    let keepsBackup: Bool

    /// What is made of a document before it is written.
    enum Reading {
        /// An archive is written as graph JSON, and as it is in every other format.
        case natural
        /// The property list, whatever it stands for.
        case raw
        /// The plain values of an archive.
        case plain
        /// An archive, made of what is none.
        case archive
    }

    /// Where the result goes.
    enum Destination: Equatable {
        case standardOutput
        case file(String)
        case inPlace
        case folder(String, ending: String)

        /// The path that the result of a file is written to; nil for standard output.
        func path(for name: String) -> String? {
            switch self {
            case .standardOutput: return nil
            case .file(let path): return path
            case .inPlace: return name
            case .folder(let folder, let ending):
                let base = FileSystem.name(of: name)
                let stem = FileSystem.ending(of: name).map { String(base.dropLast($0.count + 1)) } ?? base
                return (folder.hasSuffix("/") ? folder : folder + "/") + stem + "." + ending
            }
        }
    }

    init(_ arguments: Arguments) throws(UsageError) {
        files = arguments.operands.isEmpty ? ["-"] : arguments.operands
        source = try arguments.format(of: .from)
        target = try Self.target(arguments)
        reading = try Self.reading(arguments)
        destination = try Self.destination(arguments, target)
        limits = try arguments.limits()
        allowsLoss = arguments.has(.allowLoss)
        keepsBackup = arguments.has(.backup)
        options = try Self.options(arguments, target)
        try checkOperands(arguments)
    }

    private static func target(_ arguments: Arguments) throws(UsageError) -> Format {
        if arguments.value(of: .to) == Format.archiveName { return .binary }
        if let format = try arguments.format(of: .to) { return format }
        let output = arguments.value(of: .output)
        if let format = output.flatMap(Format.init(endingOf:)) { return format }
        let isAmbiguous = output.flatMap(FileSystem.ending) == "plist"
        throw .missingOption(
            .to,
            because: isAmbiguous
                ? "a file that ends in .plist may be in any format"
                : "expected \(UsageError.list(Format.allCases.map(\.rawValue) + [Format.archiveName]))")
    }

    private static func reading(_ arguments: Arguments) throws(UsageError) -> Reading {
        if arguments.has(.raw), arguments.has(.plain) { throw .conflict(.raw, .plain) }
        if arguments.has(.raw) || arguments.has(.exact) { return .raw }
        if arguments.has(.plain) { return .plain }
        return arguments.value(of: .to) == Format.archiveName ? .archive : .natural
    }

    private static func destination(_ arguments: Arguments, _ target: Format) throws(UsageError) -> Destination {
        let places: [Option] = [.output, .inPlace, .outputDir]
        let given = places.filter(arguments.has)
        guard given.count < 2 else { throw .conflict(given[0], given[1]) }
        if given.isEmpty, arguments.has(.backup) { throw .needsOneOf(.backup, places) }
        if arguments.has(.ending), !arguments.has(.outputDir) { throw .needsOneOf(.ending, [.outputDir]) }
        if arguments.has(.inPlace) { return .inPlace }
        if let folder = arguments.value(of: .outputDir) {
            guard !folder.isEmpty else { throw .badValue(folder, .outputDir, expected: "a folder, . for this one") }
            let ending = arguments.value(of: .ending) ?? target.definition.usualEnding
            return .folder(folder, ending: ending.hasPrefix(".") ? String(ending.dropFirst()) : ending)
        }
        guard let file = arguments.value(of: .output), file != "-", file != "/dev/stdout" else {
            return .standardOutput
        }
        return .file(file)
    }

    private static func options(_ arguments: Arguments, _ target: Format) throws(UsageError) -> WriteOptions {
        let choices: [(option: Option, choice: WriteOptions.Choice)] = [
            (.exact, .exact), (.compact, .compact), (.keepOrder, .storedKeys), (.sortKeys, .sortedKeys),
        ]
        for (option, choice) in choices where arguments.has(option) && !target.definition.choices.contains(choice) {
            let formats = Format.allCases.filter { $0.definition.choices.contains(choice) }
            throw .onlyWith(option, .to, values: formats.map(\.rawValue))
        }
        if arguments.has(.sortKeys), arguments.has(.keepOrder) { throw .conflict(.sortKeys, .keepOrder) }
        return WriteOptions(
            keyOrder: arguments.has(.sortKeys) ? .sorted : arguments.has(.keepOrder) ? .stored : nil,
            isCompact: arguments.has(.compact), isExact: arguments.has(.exact))
    }

    private func checkOperands(_ arguments: Arguments) throws(UsageError) {
        switch destination {
        case .standardOutput where files.count > 1:
            throw .missingOption(.outputDir, because: "several files do not fit into one output")
        case .file where files.count > 1: throw .unfit(.output, operands: "several files")
        case .inPlace where files.contains("-"): throw .unfit(.inPlace, operands: "standard input")
        case .folder where files.contains("-"): throw .unfit(.outputDir, operands: "standard input")
        default: break
        }
    }

    /// Refuses results that would go to a terminal as binary data, over each other, or over a file that was only to be
    /// read.
    func checkOutputs(_ invocation: Invocation) throws {
        if destination == .standardOutput, !target.definition.isText, invocation.output.isTerminal {
            throw UsageError.missingOption(.output, because: "binary data is not written to a terminal")
        }
        guard case .folder = destination else { return }
        var sources: [String: String] = [:]
        let inputs = files.compactMap { try? FileSystem.status(invocation.path($0)) }
        for name in files {
            guard let output = destination.path(for: name) else { continue }
            if let other = sources.updateValue(name, forKey: output), other != name {
                throw UsageError.sameOutput(other, name, output: output)
            }
            if let new = try? FileSystem.status(invocation.path(output)), inputs.contains(where: new.isSameFile) {
                throw UsageError.overwritesInput(output, .inPlace)
            }
        }
    }
}
