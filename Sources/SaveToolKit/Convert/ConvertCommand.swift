import SaveCodec

/// `savetool convert`: writes files in another format.
enum ConvertCommand {
    static let command = Command(
        name: "convert", summary: "write a file in another format", operands: "[FILE …]",
        discussion: """
            Writes a save in another format, to standard output unless an option says otherwise. The
            format of the input is recognised by its content.

            Formats: binary (also binary1, bplist), xml (also xml1), json (typed, holds everything),
            openstep and gnustep (OpenStep text that keeps types), archive (a binary keyed archive). A name
            behind --output that ends in .json, .xml, .bplist, .strings or .openstep tells the format
            without --to.

            A keyed archive is written in JSON as its graph of objects, with classes and fields, and read
            back as the archive that NSKeyedArchiver would write; --raw writes the property list that it is
            stored as. --to archive makes an archive of any property list or JSON, and --plain makes a
            plain property list of an archive of Foundation's values.

            What the format cannot hold is not lost silently: each such value is listed with its address
            and nothing is written, unless --allow-loss. Files are replaced as a whole or not at all; a
            file whose content stays the same is left alone.

            Exit status: 0 done, 2 something could not be converted.
            """,
        options: [
            .to, .from, .output, .inPlace, .backup, .outputDir, .ending, .exact, .compact, .sortKeys, .keepOrder,
            .allowLoss, .plain, .raw, .maxDepth,
        ],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let plan = try ConvertPlan(arguments)
        try plan.checkOutputs(invocation)
        return try invocation.forEachFile(plan.files) { name in
            let bytes = try invocation.read(name)
            let format = try plan.source ?? Format.recognize(bytes)
            let document = try invocation.document(bytes, of: name, as: format, limits: plan.limits)
            let result = try Conversion(of: document, plan)
            if let archive = result.archive { invocation.warn(of: archive, in: name) }
            guard acceptsLosses(result.losses(plan), of: name, plan, invocation) else { return .cannot }
            try deliver(name, plan, invocation) { (output: inout ByteWriter) throws(Problem) in
                try result.write(plan, to: &output)
            }
            return .done
        }
    }

    /// Lists what the conversion loses, and says whether it goes on all the same.
    private static func acceptsLosses(
        _ losses: [Problem], of name: String, _ plan: ConvertPlan, _ invocation: Invocation
    ) -> Bool {
        for loss in losses {
            invocation.say(ProblemLine.render(loss, in: name, as: plan.allowsLoss ? "warning" : nil))
        }
        if losses.isEmpty || plan.allowsLoss { return true }
        let count = losses.count == 1 ? "one value" : "\(losses.count) values"
        invocation.say(
            "\(Invocation.shownName(name)): not converted, as \(plan.target.rawValue) cannot hold \(count); "
                + "\(Option.allowLoss.shown) writes the nearest thing")
        return false
    }

    private static func deliver(
        _ name: String, _ plan: ConvertPlan, _ invocation: Invocation,
        _ produce: (inout ByteWriter) throws -> Void
    ) throws {
        if let path = plan.destination.path(for: name) {
            try invocation.replace(path, keepsBackup: plan.keepsBackup, produce)
        } else {
            try invocation.writeOutput(produce)
        }
    }
}

extension Option {
    static let to = Option(
        "to", value: "FORMAT",
        help: "write FORMAT: binary, xml, json, openstep, gnustep,\nor archive, a binary keyed archive")
    static let output = Option("output", "o", value: "FILE", help: "write to FILE")
    static let inPlace = Option("in-place", "i", help: "write each file over itself")
    static let backup = Option("backup", help: "keep the file that is replaced as NAME~")
    static let outputDir = Option("output-dir", value: "DIR", help: "write each file into the folder DIR")
    static let ending = Option(
        "extension", value: "EXT", help: "end the names in DIR with .EXT (json for JSON,\nplist for all others)")
    static let exact = Option(
        "exact", help: "JSON: add what it takes to write the same\nbinary file again, byte for byte")
    static let compact = Option("compact", help: "JSON: write no white space")
    static let sortKeys = Option("sort-keys", help: "text formats: sort the keys of dictionaries")
    static let keepOrder = Option("keep-order", help: "XML: keep the stored order of keys instead of\nsorting them")
    static let plain = Option("plain", help: "write the values in a keyed archive, without the archive")
    static let allowLoss = Option("allow-loss", help: "only warn of what the format cannot hold")
}

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
            let ending = arguments.value(of: .ending) ?? target.ending
            return .folder(folder, ending: ending.hasPrefix(".") ? String(ending.dropFirst()) : ending)
        }
        guard let file = arguments.value(of: .output), file != "-", file != "/dev/stdout" else {
            return .standardOutput
        }
        return .file(file)
    }

    private static func options(_ arguments: Arguments, _ target: Format) throws(UsageError) -> WriteOptions {
        let fitting: [(option: Option, formats: [Format])] = [
            (.exact, [.json]), (.compact, [.json]), (.keepOrder, [.xml]),
            (.sortKeys, [.xml, .json, .openStep, .gnustep]),
        ]
        for (option, formats) in fitting where arguments.has(option) && !formats.contains(target) {
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
        if destination == .standardOutput, target == .binary, invocation.output.isTerminal {
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
