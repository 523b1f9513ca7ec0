import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

/// The command `savetool inspect`, which shows the contents of files.
enum InspectCommand {
    static let command = Command(
        name: "inspect", summary: "show what is in a save", operands: [.file.any],
        examples: [
            "the objects of a save, as a tree": "savetool inspect swamp.save",
            "one ADDRESS = VALUE line per value, for grep": "savetool inspect -f flat swamp.save",
            "plain JSON of a part, for jq": "savetool inspect -f json --at /root/charList swamp.save",
            "one line per save in a folder, for a database": "savetool inspect -f ndjson --at /gems saves",
        ],
        discussion: """
            Shows a keyed archive as its objects, with their classes and fields; --raw shows the property list
            that stores them. For a folder, shows all saves in it.

            -f ndjson prints one JSON object per save; summary prints counts and sizes; dot (Graphviz) and mermaid
            (Markdown) print a diagram of the objects; html prints a page with a search field.

            The tree shows the first 12 elements of an array or set that has more than 16, the first 50 entries
            of another container, and as many levels of an archive as fit into 200 rows. --limit and --depth show more. A shared
            object is expanded once; later references point to its address.
            """,
        details: """
            The first line of a tree, summary or page describes the save: format, archiver, counts of roots and
            objects, size, layers, and the game's most frequent classes. A tree marks data that holds a nested
            save with an address for get. Objects that represent a single value, such as an NSURL, short arrays
            of scalars, and elements of lists of scalars take one line.

            flat begins each line with the file's name if there are several files and the output is not a
            terminal. After the first occurrence of a shared object it writes = → and the address of the first.
            json, and flat with --expand, repeat the object, unless it contains itself or the result would be
            too large. An address in flat that could be misread, because a key contains " = " or a control
            character, is a JSON string; commands accept that spelling.

            Members of an ndjson line: file, format, archive, size (bytes), for an archive classes with their
            object counts, and with --at values: the plain JSON at each address that exists ("" for the whole
            save). A file that cannot be read has file and error, and the exit status is 2.

            --nested shows nested saves below the value that stores them; json shows them in place of the value.
            html cuts long texts. dot -Tsvg draws the format dot. --limit is 20 for diagrams and 0 for flat and html
            by default; in a summary it is the number of classes (40).

            --defaults adds registered defaults below a preferences file, key by key of the root: a key of the
            preferences hides the whole default. A tree marks defaults and hidden defaults; flat ends the lines
            of defaults with # default; json shows what the application reads.
            """,
        exitStatus: [.done: "done", .negative: "no such value", .cannot: "error"],
        options: [
            .format, .inspectAt, .depth, .limit, .everything, .types, .expand, .withFilename, .noFilename, .nested,
            .nestedDepth,
            .defaults, .salvage, .fullPath, .compact, .strict, .from, .unwrap, .unwrapAt, .filterIn, .raw, .opaque,
            .maxDepth,
            .maxWork,
        ] + Option.onScreen,
        foreignSpellings: Command.redirection.merging(Command.folders) { $1 }.merging(["-n": "--limit"]) { $1 },
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let plan = try InspectPlan(arguments, invocation)
        let defaults = try plan.defaults.map { try DefaultsFile(reading: $0, plan.reading.options, invocation) }
        if plan.outputFormat == .ndjson { return try writeRows(plan, invocation) }
        var isFirst = true
        return try invocation.forEachSave(plan.files) { name in
            guard let file = try InspectedFile(name, over: defaults, as: plan, invocation) else { return .negative }
            if plan.isStrict { try file.outline.checkFinite() }
            // Flat lines are often piped to a pager, so they are escaped as for a terminal.
            try invocation.writeOutput(coloring: plan.notation, isForEyes: plan.outputFormat == .flat) { output in
                if plan.hasHeadings { output.write((isFirst ? "" : "\n") + file.heading) }
                isFirst = false
                try file.show(to: &output)
            }
            return .done
        }
    }

    /// Writes one line of JSON per file, including files that cannot be read.
    private static func writeRows(_ plan: InspectPlan, _ invocation: Invocation) throws -> ExitStatus {
        if plan.files.isEmpty { invocation.announceInput() }
        let inputs = plan.files.isEmpty ? [InputFile(name: "-")] : plan.files
        let files = try ParallelFiles(reading: inputs, invocation)
        let (addresses, reading) = (plan.addresses, plan.reading)
        var status = ExitStatus.done
        var readsAsRoot = false
        let skipped = try files.forEachBatch(
            of: inputs, verb: "reading", invocation,
            { SaveJSONLine(of: $0, $1, at: addresses, reading) }
        ) { rows in
            for row in rows {
                try invocation.writeOutput(coloring: .values) { $0.write(row.text) }
                readsAsRoot = readsAsRoot || row.readsAsRoot
                guard let error = row.error else { continue }
                invocation.printError(error)
                status = .cannot
            }
        }
        skipped.report(.withoutSaves, invocation)
        if readsAsRoot { invocation.reportReadAsRoot(in: "savetool") }
        return status
    }
}

/// A file to show, and the value at the requested address.
private final class InspectedFile {
    private let save: Save
    private let file: LookupFile
    private let found: LookupFile.FoundValue
    private let address: JSONPointer
    private let plan: InspectPlan

    /// Returns nil, after printing an error, if the address does not exist.
    init?(_ name: String, over defaults: DefaultsFile?, as plan: InspectPlan, _ invocation: Invocation) throws {
        save = try plan.salvages ? Self.salvage(name, by: plan, invocation) : invocation.open(name, plan.reading)
        file = try LookupFile(save, of: name, over: defaults)
        self.plan = plan
        address = invocation.readAddress(plan.address, in: file.view, of: name)
        guard let found = file.value(at: address, invocation) else { return nil }
        self.found = found
    }

    /// Repairs a damaged file, and prints what is lost.
    private static func salvage(_ name: String, by plan: InspectPlan, _ invocation: Invocation) throws -> Save {
        let salvaged = try invocation.salvage(name, plan.reading)
        for line in SalvageReport(salvaged, of: name, invocation.messagePalette).lines { invocation.printError(line) }
        return salvaged.save
    }

    var outline: Outline {
        let scope = plan.extent.scope(
            for: found.view, from: found.id, condenses: !plan.showsTypes, within: plan.reading.limits)
        return Outline(of: found.view, from: found.id, at: address, scope: scope)
    }

    /// The origins of values; nil without a defaults overlay.
    private var origins: DefaultsNotes? {
        file.lower.map { DefaultsNotes($0.overlay, of: found.position, at: address) }
    }

    var heading: String {
        let defaults = file.lower.map { " over the defaults in " + Invocation.shownName($0.file.name) }
        return Invocation.shownName(file.name) + (defaults ?? "") + ":\n"
    }

    func show(to output: inout ByteWriter) throws(Problem) {
        let bound = OutputBound([file.view.document], output)
        switch plan.outputFormat {
        case .tree:
            let outline = outline
            let renderer = TreeRenderer(palette: plan.palette, showsTypes: plan.showsTypes, columns: plan.columns)
            renderer.omissions = plan.extent.reportsOmissions ? Omissions(depth: outline.scope.depth) : nil
            renderer.origins = origins
            renderer.headline = address == .root ? headline(isExact: false) : nil
            try renderer.render(outline, within: bound, to: &output)
        case .flat:
            var renderer = FlatRenderer(
                from: address, of: plan.names.beginLines ? Invocation.shownName(file.name) : nil, origins: origins)
            try renderer.render(outline, within: bound, to: &output)
        case .json:
            var (outline, renderer) = (outline, PlainJSONRenderer(isCompact: plan.isCompact))
            try renderer.render(&outline, within: bound, to: &output)
        case .summary, .ndjson: summarize(to: &output)
        // A browser keeps the whole page in memory, so the page has the stricter bound.
        case .html: try writePage(within: OutputBound(keeping: file.view.document), to: &output)
        case .dot:
            try draw(as: GraphvizNotation(), to: &output)
        case .mermaid: try draw(as: MermaidNotation(), to: &output)
        }
    }

    private func draw(as notation: some DiagramNotation, to output: inout ByteWriter) throws(Problem) {
        let diagram = ObjectDiagram(found.view, from: found.id, limit: plan.extent.bound(20))
        try DiagramRenderer(diagram, from: address, as: notation).render(to: &output)
    }

    private func writePage(within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        let summary = file.view.archive.map { ArchiveSummary(of: $0) }
        var renderer = HTMLRenderer(
            title: plan.names.inPage(file.name),
            about: headline(isExact: false),
            sizes: summary.map(ArchiveSummaryRenderer.sizes) ?? [], origins: origins)
        try renderer.render(outline, from: address, within: bound, to: &output)
    }

    /// The layers around the file; nil for none.
    private var layers: String? { save.layers.isEmpty ? nil : save.layers.title }

    /// Returns one line that describes the file and the defaults overlay.
    ///
    /// - Parameter isExact: Whether sizes are exact, in bytes.
    private func headline(isExact: Bool) -> String {
        let size: (Int) -> String = { isExact ? Phrase.count($0, "byte") : CountText.size($0) }
        var sizes = size(save.bytes.count)
        if let layers { sizes += ", in \(layers) of " + size(save.file.count) }
        if let (defaults, _) = file.lower {
            sizes += ", over \(defaults.file.format.titleWithArticle), " + size(defaults.file.save.bytes.count)
        }
        return Headline(of: file.view, from: save.source, as: save.format).text(size: sizes)
    }

    private func summarize(to output: inout ByteWriter) {
        let text = SummaryText(palette: plan.palette)
        output.write(headline(isExact: true) + "\n")
        guard let archive = file.view.archive else {
            let summary = DocumentSummary(of: file.view.document)
            return SummaryRenderer(summary: summary, lower: file.lower, text: text).render(to: &output)
        }
        let summary = ArchiveSummary(of: archive)
        ArchiveSummaryRenderer(summary: summary, limit: plan.extent.bound(40), text: text).render(to: &output)
    }
}

/// The validated arguments of `savetool inspect`.
private final class InspectPlan {
    let files: [InputFile]
    let reading: FileReadOptions
    let outputFormat: InspectFormat
    /// The addresses whose values are shown; `ndjson` takes several.
    let addresses: [JSONPointer]
    let palette: Palette
    /// The width of the terminal in columns; nil if standard output is not a terminal.
    let columns: Int?
    let showsTypes: Bool
    let isCompact: Bool
    let isStrict: Bool
    /// The file with the registered defaults; nil for none.
    let defaults: String?
    let names: InspectNames
    let extent: InspectExtent
    /// Whether damaged files are repaired first.
    let salvages: Bool

    init(_ arguments: Arguments, _ invocation: Invocation) throws(UsageError) {
        reading = try arguments.fileReading()
        files = try invocation.saves(in: arguments.operands, reading)
        outputFormat = try arguments.choice(of: .format) ?? .tree
        addresses = try arguments.values(of: .inspectAt).map { text throws(UsageError) in
            try JSONPointer(text, of: .inspectAt)
        }
        if outputFormat != .ndjson, addresses.count > 1 {
            throw UsageError(
                "\(Option.inspectAt.shown) takes several addresses only with \(Option.format.shown) ndjson")
        }
        palette = invocation.palette
        columns = invocation.columns
        showsTypes = arguments.has(.types)
        isCompact = arguments.has(.compact)
        isStrict = arguments.has(.strict)
        names = try InspectNames(
            arguments, hasSeveral: files.count > 1 || files.contains(where: \.isFound),
            isOnTerminal: invocation.output.isTerminal)
        if outputFormat == .html, files.count > 1 { throw UsageError("\(Option.format.shown) html takes one file") }
        let nesting = try arguments.nesting(limits: reading.limits, isRaw: reading.options.isRaw)
        defaults = try arguments.defaults(under: arguments.operands)
        extent = InspectExtent(
            format: outputFormat, depth: try arguments.number(of: .depth), limit: try arguments.number(of: .limit),
            expands: arguments.has(.expand), nesting: nesting)
        salvages = arguments.has(.salvage)
        try arguments.checkFit(
            outputFormat, of: .format,
            [
                .types: [.tree], .depth: [.tree, .flat, .html],
                .limit: [.tree, .flat, .summary, .dot, .mermaid, .html],
                .withFilename: [.flat], .noFilename: [.flat], .compact: [.json], .strict: [.json],
                .expand: [.flat], .inspectAt: [.tree, .flat, .json, .ndjson, .dot, .mermaid, .html],
                .nested: [.tree, .flat, .json, .html], .defaults: [.tree, .flat, .json, .summary, .html],
                .salvage: [.tree, .flat, .json, .summary, .dot, .mermaid, .html], .fullPath: [.html],
            ])
    }

    /// The address whose value is shown by formats other than `ndjson`.
    var address: JSONPointer { addresses.first ?? .root }

    /// Whether each file has a heading. Trees and summaries have one for several files or a defaults overlay. JSON
    /// texts follow each other without headings, because `jq` reads them that way.
    var hasHeadings: Bool {
        switch outputFormat {
        case .tree, .summary: names.hasSeveral || defaults != nil
        case .flat: names.hasSeveral && !names.beginLines && !names.areLeftOut
        case .json, .ndjson, .dot, .mermaid, .html: false
        }
    }

    /// The notation of values, for colors; nil if the output format has no lines with values.
    var notation: Highlighter.Notation? {
        switch outputFormat {
        case .flat: .lines
        case .json, .ndjson: .values
        case .tree, .summary, .dot, .mermaid, .html: nil
        }
    }
}

/// The options that say where files are named.
private struct InspectNames {
    /// Whether there may be more than one file.
    let hasSeveral: Bool
    /// Whether each line of the flat format begins with the file name.
    let beginLines: Bool
    let areLeftOut: Bool
    private let arePaths: Bool

    init(_ arguments: Arguments, hasSeveral: Bool, isOnTerminal: Bool) throws(UsageError) {
        self.hasSeveral = hasSeveral
        areLeftOut = arguments.has(.noFilename)
        beginLines = arguments.has(.withFilename) || hasSeveral && !isOnTerminal && !areLeftOut
        if areLeftOut, arguments.has(.withFilename) { throw .conflict(.withFilename, .noFilename) }
        arePaths = arguments.has(.fullPath)
    }

    /// Returns the name of a file in a page.
    func inPage(_ name: String) -> String {
        Invocation.shownName(PageFileNames.of([name], areFull: arePaths)[0])
    }
}

extension Arguments {
    /// Returns the options for opening nested saves; nil to show them as data.
    func nesting(limits: Limits, isRaw: Bool) throws(UsageError) -> NestedSaveOptions? {
        let levels = try number(of: .nestedDepth)
        guard has(.nested) else {
            if levels != nil { throw .needsOneOf(.nestedDepth, [.nested]) }
            return nil
        }
        return NestedSaveOptions(levels: levels ?? NestedSaveText.maxLevel, limits: limits, isRaw: isRaw)
    }
}

extension Option {
    fileprivate static let format = Option(
        "format", "f", value: "FORMAT", among: InspectFormat.self, usual: .tree, for: .output)
    static let inspectAt = Option(
        "at", value: "ADDRESS", is: .address, isRepeatable: true, for: .output,
        help: "show only the value at ADDRESS (ndjson: several)"
    ).formerly("--path", "-p")
    static let depth = Option(
        "depth", "d", value: "N", for: .output, help: "tree, flat, html: show N levels of containers")
    fileprivate static let limit = Option(
        "limit", value: "N",
        for: .output, help: "show N entries per container, 0 for all")
    static let everything = Option("all", "a", standsFor: (.limit, "0"), for: .output)
    fileprivate static let types = Option("types", "t", for: .output, help: "tree: show how each value is stored")
    fileprivate static let withFilename = Option(
        "with-filename", "H", for: .output, help: "flat: begin each line with the file name")
    fileprivate static let expand = Option(
        "expand", for: .output, help: "flat: repeat shared objects")
    fileprivate static let noFilename = Option("no-filename", for: .output, help: "flat: do not print file names")
    static let nested = Option(
        "nested", for: .output, help: "tree, flat, json, html: show nested saves")
    static let nestedDepth = Option(
        "nested-depth", value: "N", for: .output, help: "open N levels of nested saves (64)")
    fileprivate static let salvage = Option(
        "salvage", for: .input, help: "repair a damaged file first, and report what is lost")
    fileprivate static let strict = Option("strict", for: .output, help: "json: refuse NaN and infinities")
}
