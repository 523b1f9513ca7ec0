import KeyedArchives
import SaveCodec
import SaveOperations

/// `savetool convert`: writes files in another format.
enum ConvertCommand {
    static let command = Command(
        name: "convert", summary: "write a file in another format", operands: [.file.any],
        examples: [
            "JSON without loss": "savetool convert --to json swamp.save",
            "back into an archive": "savetool convert swamp.json --to archive -o new.save",
            "write a file over itself as XML": "savetool convert --to xml -i highscores.plist",
            "a folder of saves as JSON": "savetool convert -r --to json --output-dir text saves",
        ],
        discussion: """
            Formats: binary (also binary1, bplist), xml (also xml1), json (holds every type; see savetool help
            json), openstep, gnustep (OpenStep text with types), archive (a keyed archive, made from a
            property list or JSON). The extension of the --output file (.json, .xml, .bplist, .strings, .openstep) also
            selects a format. If the format cannot hold a value, nothing is written without --allow-loss.

            --like ORIGINAL turns edited JSON or XML back into a save, with the types, storage and classes of
            ORIGINAL.
            """,
        details: """
            Losses are counted by kind, and the first five are listed with their locations. XML and gnustep
            widen a 32-bit real to the 64-bit real of the same value; one line counts them, and --like restores
            their width. A warning names values that other readers of the format refuse: integers beyond 64
            bits, and null in a binary property list.

            --like keeps the order of keys, and a text's white space and comments. Where ORIGINAL has a real, 1
            becomes 1.0; where it has a date or data, text becomes one. Values with no counterpart in ORIGINAL
            are reported. Otherwise a text is rewritten, and a message counts the comments that are dropped;
            with --in-place a file that already has the format and style keeps every byte.

            --nested writes data that holds a property list or an archive as JSON under $bplist or $xplist.
            Reading that JSON needs no option. The bytes of the data may differ then, but its values do not.

            With --recursive, saves/old/a.save becomes old/a.json in the folder of --output-dir, which itself
            is not searched.

            --from flat reads the lines that inspect -f flat prints of a property list, in any order, and
            restores types and shared values. Lines may be removed, unless a position of an array is missing.
            Lines of an archive are refused because they are incomplete.

            --short-tags writes Geometry Dash's <k>, <s> and <i>. Files with such tags keep them in edits.

            SQLite databases are read, not written: each table becomes a dictionary of its rows by primary key,
            or an array with --rows.
            """,
        exitStatus: [.done: "done", .cannot: "error"],
        options: [
            .to, .convertFrom, .rows, .recursive, .output, .inPlace, .backup, .newOwner, .outputDir, .ending, .exact,
            .compact,
            .sortKeys,
            .keepOrder, .shortTags, .convertNested, .nestedDepth, .like, .allowLoss, .plain, .unwrap, .unwrapAt,
            .filterIn,
            .filterOut,
            .raw, .maxDepth, .maxWork,
        ] + Option.onScreen,
        foreignSpellings: ["-t": "--to", "--format": "--to"],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        if let original = arguments.value(of: .like) { return try run(arguments, like: original, invocation) }
        let plan = try ConvertPlan(arguments, invocation)
        try plan.checkOutputs(invocation)
        if arguments.operands.isEmpty { invocation.announceInput() }
        return try invocation.forEachSave(plan.files, writing: plan.path) { name in
            let source = try plan.source(invocation.read(name), named: name) { invocation.warn($0, in: name) }
            invocation.report(source.layers, in: name)
            if let file = source.file, plan.keeps(file) { return .done }
            let result = try ConversionResult(of: source.document, plan)
            if let archive = result.archive { invocation.warn(archive.objectErrors, in: name) }
            let losses = source.losses + result.losses(plan)
            let inSaves = source.document.nestedNotes.losses.count
            let isAccepted = invocation.accepts(
                losses, of: name, isAllowed: plan.allowsLoss,
                else: result.cannotUnarchive
                    ?? Refusal("not converted", losses, as: plan.target, inSaves: inSaves))
            guard isAccepted else { return .cannot }
            // The reader has already warned about the values of its own format.
            let foreignValues = source.format == plan.target ? [] : result.foreignValues(plan)
            invocation.warn(foreignValues + source.nestedForeignValues(plan), in: name)
            if !plan.target.has(.typedJSON) {
                let (warnings, count) = source.document.plainTagWarnings(limit: Invocation.shownWarnings)
                invocation.warn(warnings.map(source.layers.located), count: count, in: name)
            }
            let path = plan.path(for: name)
            try plan.makeFolder(around: path, invocation)
            try invocation.deliver(
                to: path, as: plan.target, in: plan.layers(of: source.layers), by: plan.replacing
            ) { try result.write(plan, to: &$0) }
            let widenedReals = result.widenedReals(plan) + source.document.nestedNotes.widenedReals
            invocation.report(widenedReals: widenedReals, in: name)
            result.reportUnopened(in: name, invocation)
            let comments = source.commentCount + (result.saves?.commentCount ?? 0)
            if comments > 0 {
                invocation.printError("\(Invocation.shownName(name)): \(Phrase.count(comments, "comment")) dropped")
            }
            return .done
        }
    }

    /// Converts files using another file as the template.
    private static func run(
        _ arguments: Arguments, like original: String, _ invocation: Invocation
    ) throws -> ExitStatus {
        if arguments.value(of: .convertFrom) == FlatReader.name {
            throw UsageError(
                "\(Option.convertFrom.shown) \(FlatReader.name) cannot be used with \(Option.like.shown)")
        }
        for option in [
            Option.plain, .rows, .exact, .compact, .sortKeys, .keepOrder, .shortTags, .convertNested, .filterIn,
            .filterOut,
        ]
        where arguments.has(option) {
            throw UsageError.conflict(.like, option)
        }
        if original == "-", arguments.operands.isEmpty || arguments.operands.contains("-") {
            throw UsageError.inputTwice
        }
        // `--from` applies to the files, not to the template, and `--unwrap-at` to the template, not to the files.
        var options = ReadOptions(
            layers: try arguments.layerOptions(), limits: try arguments.limits(), isRaw: arguments.has(.raw))
        options.isMapped = true
        let reading = FileReadOptions(options)
        return try invocation.whileEditing(arguments.outputPath, reading: [original]) {
            let template = try invocation.inFile(original) {
                let file = try SaveFile(reading: original, reading, invocation)
                try file.save.checkIsWritable()
                return file
            }
            let plan = try ConvertPlan(arguments, invocation, like: template.format)
            try plan.checkOutputs(invocation)
            if arguments.operands.isEmpty { invocation.announceInput() }
            let conversion = TemplateConversion(like: template, plan, invocation) {
                options.isRaw = true
                return SaveFile(try Save(template.save.file, options), name: template.name)
            }
            return try invocation.forEachSave(plan.files, writing: plan.path, conversion.convert)
        }
    }
}

/// The checked arguments of `savetool convert`.
final class ConvertPlan {
    let files: [InputFile]
    /// The path of each file found in a folder operand, relative to that folder, by the file's name.
    private let paths: [String: String]
    let reading: FileReadOptions
    /// Whether the input is flat lines, which are not a file format.
    let readsFlat: Bool
    let target: Format
    let treatment: Treatment
    let destination: Destination
    let options: WriteOptions
    /// The settings for showing nested saves as JSON, or nil to keep them as data.
    let nesting: NestedSaveOptions?
    let allowsLoss: Bool
    let replacing: ReplacementOptions
    /// The filter that results pass through before they are written.
    let filterOut: Filter?

    /// The treatment of a document before it is written.
    enum Treatment {
        /// Graph JSON for an archive if the target can hold it; otherwise the document as it is.
        case natural
        /// The property list, even if it is an archive.
        case raw
        /// The plain values of an archive.
        case plain
        /// A keyed archive, built unless the document already is one.
        case archive
    }

    /// The destination of the results.
    enum Destination: Equatable {
        case standardOutput
        case file(String)
        case inPlace
        case folder(String, ending: String)
    }

    /// Returns the path of the file that a result is written to, or nil for standard output.
    func path(for name: String) -> String? {
        switch destination {
        case .standardOutput: return nil
        case .file(let path): return path
        case .inPlace: return name
        case .folder(let folder, let ending):
            let inner = paths[name].map(FileSystem.folder) ?? ""
            return (folder.hasSuffix("/") ? folder : folder + "/") + inner
                + FileSystem.stem(of: FileSystem.uncompressedName(of: name)) + "." + ending
        }
    }

    /// - Parameter original: The format of the template, which is the target format if no option names one; nil without
    ///   a template.
    init(_ arguments: Arguments, _ invocation: Invocation, like original: Format? = nil) throws(UsageError) {
        try Self.checkOutputIsNamed(arguments, invocation)
        readsFlat = arguments.value(of: .from) == FlatReader.name
        let reading =
            readsFlat
            ? FileReadOptions(ReadOptions(limits: try arguments.limits(), isRaw: arguments.has(.raw)))
            : try arguments.fileReading()
        (files, paths) = try Self.files(of: arguments, reading, invocation)
        self.reading = reading.with {
            $0.hasRowArrays = arguments.has(.rows)
            if original != nil { $0.layers.headerSize = nil }
        }
        target = try Self.target(arguments, usual: original)
        treatment = try Self.treatment(arguments)
        destination = try Self.destination(arguments, target)
        allowsLoss = arguments.has(.allowLoss)
        replacing = arguments.replacing
        filterOut = try Filter(.filterOut, arguments)
        if destination == .inPlace { try arguments.checkFilters() }
        options = try Self.options(arguments, target)
        nesting = try arguments.nesting(limits: reading.limits, isRaw: treatment == .raw)
        try checkOperands(arguments)
    }

    /// Refuses `convert a.save b.json` if the second file does not exist, as it was probably meant as the output.
    private static func checkOutputIsNamed(_ arguments: Arguments, _ invocation: Invocation) throws(UsageError) {
        let operands = arguments.operands
        guard operands.count == 2, ![Option.output, .inPlace, .outputDir].contains(where: arguments.has),
            FileSystem.ending(of: operands[1]) != nil,
            operands[0] == "-" || (try? FileSystem.status(invocation.path(operands[0]))) != nil,
            (try? FileSystem.status(invocation.path(operands[1]))) == nil
        else { return }
        let name = FileName.shown(operands[1])
        throw UsageError("no such file: \(name); use -o \(name) to write the result there")
    }

    /// Returns the files named by the operands. With `--recursive`, also returns the path of each file found in a
    /// folder, relative to that folder.
    private static func files(
        of arguments: Arguments, _ reading: FileReadOptions, _ invocation: Invocation
    ) throws(UsageError) -> (files: [InputFile], paths: [String: String]) {
        let operands = arguments.operands.isEmpty ? ["-"] : arguments.operands
        guard arguments.has(.recursive) else {
            return (
                operands.map { name in
                    let isFolder = name != "-" && (try? FileSystem.status(invocation.path(name)))?.kind == .folder
                    return InputFile(name: name, failure: isFolder ? .folder(enteredBy: .recursive) : nil)
                }, [:]
            )
        }
        var files: [InputFile] = []
        var paths: [String: String] = [:]
        for operand in operands {
            let found = try invocation.saves(
                in: [operand], besides: arguments.value(of: .outputDir), withLinks: !arguments.has(.inPlace),
                reading)
            for file in found where file.isFound { paths[file.name] = FolderFile(file, in: operand).path }
            files += found
        }
        return (files, paths)
    }

    private static func target(_ arguments: Arguments, usual: Format?) throws(UsageError) -> Format {
        if arguments.value(of: .to) == Format.archiveName {
            try checkArchive(arguments)
            return .binary
        }
        if let format = try arguments.format(of: .to, among: Format.written, besides: [Format.archiveName]) {
            return format
        }
        let output = arguments.value(of: .output)
        if let format = output.flatMap(Format.init(endingOf:)) ?? usual, format.writing != nil { return format }
        let isAmbiguous = output.flatMap(FileSystem.ending) == "plist"
        throw .missingOption(
            .to,
            because: isAmbiguous
                ? "a file whose name ends in .plist may be in any format"
                : "expected \(UsageError.list(Format.written.map(\.rawValue) + [Format.archiveName]))")
    }

    /// Refuses to write an archive, which is binary, to a name with a text format's extension: the user may have meant
    /// that format.
    private static func checkArchive(_ arguments: Arguments) throws(UsageError) {
        guard let output = arguments.outputPath, let format = Format(endingOf: output), format.has(.text) else {
            return
        }
        throw UsageError(
            "\(Option.to.shown) \(Format.archiveName) writes a binary file, but the extension of "
                + "\(FileName.shown(output)) selects \(format.rawValue)"
                + Suggestion.sentence("\(Option.to.shown) \(format.rawValue)"))
    }

    private static func treatment(_ arguments: Arguments) throws(UsageError) -> Treatment {
        if arguments.has(.raw), arguments.has(.plain) { throw .conflict(.raw, .plain) }
        if arguments.has(.raw) || arguments.has(.exact) { return .raw }
        if arguments.has(.plain) { return .plain }
        return arguments.value(of: .to) == Format.archiveName ? .archive : .natural
    }

    private static func destination(_ arguments: Arguments, _ target: Format) throws(UsageError) -> Destination {
        let destinations: [Option] = [.output, .inPlace, .outputDir]
        let given = destinations.filter(arguments.has)
        guard given.count < 2 else { throw .conflict(given[0], given[1]) }
        if given.isEmpty { try arguments.checkReplacing(with: destinations) }
        if arguments.has(.ending), !arguments.has(.outputDir) { throw .needsOneOf(.ending, [.outputDir]) }
        if arguments.has(.inPlace) { return .inPlace }
        if let folder = arguments.value(of: .outputDir) {
            guard !folder.isEmpty else {
                throw .badValue(folder, .outputDir, expected: "a folder; . is the current one")
            }
            let ending = arguments.value(of: .ending) ?? target.definition.defaultExtension
            return .folder(folder, ending: ending.hasPrefix(".") ? String(ending.dropFirst()) : ending)
        }
        return arguments.outputPath.map(Destination.file) ?? .standardOutput
    }

    private static func options(_ arguments: Arguments, _ target: Format) throws(UsageError) -> WriteOptions {
        func formats(_ choice: WriteOptions.Choice) -> [Format] {
            Format.written.filter { $0.writing?.choices.contains(choice) ?? false }
        }
        try arguments.checkFit(
            target, of: .to,
            [
                .exact: formats(.exact), .compact: formats(.compact), .keepOrder: formats(.storedKeys),
                .sortKeys: formats(.sortedKeys), .convertNested: formats(.nested), .shortTags: formats(.shortTags),
            ])
        if arguments.has(.exact), arguments.has(.convertNested) {
            throw UsageError(
                "\(Option.exact.shown) cannot be used with \(Option.convertNested.shown), which changes the bytes of "
                    + "nested saves")
        }
        if arguments.has(.sortKeys), arguments.has(.keepOrder) { throw .conflict(.sortKeys, .keepOrder) }
        return WriteOptions(
            keyOrder: arguments.has(.sortKeys) ? .sorted : arguments.has(.keepOrder) ? .stored : nil,
            isCompact: arguments.has(.compact), isExact: arguments.has(.exact),
            hasShortTags: arguments.has(.shortTags), runner: CurrentProcess.runner)
    }

    private func checkOperands(_ arguments: Arguments) throws(UsageError) {
        switch destination {
        case .standardOutput where files.count > 1:
            throw UsageError("several inputs need \(Option.outputDir.shown) DIR")
        case .file where files.count > 1: throw .inapplicable(.output, operands: "several files")
        case .inPlace where files.contains { $0.name == "-" }: throw .inapplicable(.inPlace, operands: "standard input")
        case .folder where files.contains { $0.name == "-" }:
            throw .inapplicable(.outputDir, operands: "standard input")
        default: break
        }
    }

    /// Refuses results that would write binary data to a terminal, overwrite each other, or overwrite an input file.
    func checkOutputs(_ invocation: Invocation) throws {
        if destination == .standardOutput { try invocation.checkTerminal(takes: target) }
        guard case .folder(let folder, _) = destination else { return }
        let root = FileSystem.root(invocation.path(folder))
        var sources: [[UInt8]: String] = [:]
        let inputs = Set(files.compactMap { (try? FileSystem.status(invocation.path($0.name)))?.identity })
        for name in files.map(\.name) {
            guard let output = path(for: name) else { continue }
            if let other = sources.updateValue(name, forKey: FileName.bytes(output)), !FileName.areSame(other, name) {
                let names = [other, name, output].map { FileName.shown($0) }
                throw UsageError("\(names[0]) and \(names[1]) would both be written to \(names[2])")
            }
            if let root, let link = Self.firstLink(leaving: root, onPathTo: output, in: folder, invocation) {
                throw FileError(Invocation.shownName(link), .outputLinkOutside)
            }
            if let new = try? FileSystem.status(invocation.path(output)), inputs.contains(new.identity) {
                throw UsageError(
                    "\(FileName.shown(output)) would overwrite itself; use \(Option.inPlace.shown)")
            }
        }
    }

    /// Returns the file or folder on the path of a result that leads out of the folder of all results through a symbolic
    /// link, or nil.
    ///
    /// - Parameter root: The path of the folder with links resolved and a `/` at its end.
    private static func firstLink(
        leaving root: String, onPathTo output: String, in folder: String, _ invocation: Invocation
    ) -> String? {
        var path = output
        let folderCount = folder.utf8.reversed().drop { $0 == UInt8(ascii: "/") }.count
        while path.utf8.count > folderCount + 1 {
            let isOutside = !FileSystem.leads(invocation.path(path), below: root)
            if FileSystem.resolved(invocation.path(path)) != nil { return isOutside ? path : nil }
            path = String(FileSystem.folder(of: path).dropLast())
        }
        return nil
    }

    /// Creates the folder of a result's path. Called only when there is a result to write.
    func makeFolder(around path: String?, _ invocation: Invocation) throws {
        if case .folder = destination, let path { try invocation.makeFolder(FileSystem.folder(of: path)) }
    }
}

extension Option {
    static let to = Option(
        "to", "f", value: "FORMAT", is: .choice(Format.written.map(\.rawValue) + [Format.archiveName]), for: .output,
        help: "select a format")
    fileprivate static let convertFrom = Option(
        "from", value: "FORMAT",
        is: .choice(Format.allCases.map(\.rawValue) + JSON.Dialect.optionNames + [FlatReader.name]), for: .input,
        help: "read files as FORMAT; the format flat is the output of inspect -f flat")
    static let rows = Option(
        "rows", for: .input, help: "SQLite: write tables as arrays, without keys")
    fileprivate static let recursive = Option(
        "recursive", "r", for: .input, help: "convert the saves in folders")
    fileprivate static let outputDir = Option(
        "output-dir", name: "DIR", is: .folder, for: .destination, help: "write files into DIR, created if missing")
    fileprivate static let ending = Option(
        "extension", name: "EXT", is: .partOfName, for: .destination,
        help: "use the extension .EXT in DIR instead of .json or .plist")
    fileprivate static let exact = Option(
        "exact", for: .output, help: "JSON: keep every byte of a binary file")
    fileprivate static let convertNested = Option(
        "nested", for: .output, help: "JSON: show property lists inside data as JSON")
    fileprivate static let sortKeys = Option(
        "sort-keys", for: .output, help: "text formats: sort the keys of dictionaries")
    fileprivate static let keepOrder = Option(
        "keep-order", for: .output, help: "XML: keep the stored order of keys")
    fileprivate static let shortTags = Option(
        "short-tags", for: .output, help: "XML: Geometry Dash's short tags")
    static let plain = Option(
        "plain", for: .output, help: "write an archive's values as a plain property list")
}
