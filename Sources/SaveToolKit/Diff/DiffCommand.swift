import KeyedArchives
import SaveCodec
import SaveOperations

/// `savetool diff`: compares two files by meaning.
enum DiffCommand {
    static let command = Command(
        name: "diff", summary: "compare two saves by value, or two folders", operands: [.file("A"), .file("B")],
        examples: [
            "one line per change": "savetool diff swamp.save later.save",
            "side by side, with one unchanged value around each change": "savetool diff -y -U 1 swamp.save later.save",
            "tolerate small differences, ignore dates":
                "savetool diff --tolerance 0.01 --ignore '/**/date' swamp.save later.save",
            "two folders of saves, one line per file": "savetool diff -f summary saves backup",
        ],
        discussion: """
            Compares values: formats, object numbers, the order of keys, layout and encodings do not matter.
            Each line shows a change with its address in B (in A if removed, both if moved). Marks: + added, -
            removed, ~ changed value, type, storage or class, > moved, = shared differently.

            Array elements are aligned, not compared by position. -f summary counts the changes per address
            pattern, and json-patch prints an RFC 6902 patch from A to B.

            --tolerance 0.01 allows reals to differ by at most 0.01; 1% is relative to the greater number.
            savetool help addresses explains PATTERN.
            """,
        details: """
            A plain JSON or property list can be compared with an archive: its dictionaries with the objects,
            with the class at $class if it matters.

            42 and 42.0 differ in type. Equal values differ in storage if one is stored in place and the other
            as an object, as a game may read only one of them. 32-bit and 64-bit reals of equal value are the
            same; --storage shows the widths, and a patch keeps them. A long string is shown from the first
            difference ("at 1204" counts UTF-16 units). The sharing of objects is compared with --sharing, or
            if nothing else differs. --context shows lines and columns of text files: 5:2 → 6:2.

            On a terminal, text groups the changes by container and ends with their counts.

            A pattern that matches nothing in either file causes a warning, for --only an error. A patch fits
            A only: for other saves, add test operations. side-by-side becomes text below 80 columns.

            Files with the same path in two folders are compared, except in folders whose name begins with a
            dot. text shows the changes below the path, summary one line per file, json one document with a row
            per file, and html a page with up to 1,000 changes per file. Files that are not saves by name (.save,
            .plist …) or content are compared by bytes. JSON Schemas describe the JSON formats.
            """,
        exitStatus: [
            .done: "equal; with --git always",
            .negative: "different",
            .cannot: "error",
        ],
        options: [
            .format, .sharing, .storage, .looseNumbers, .tolerance, .ignore, .only, .identity, .unordered, .context,
            .width, .brief, .onlyStatus, .twoColumns, .fullPath, .git, .from, .unwrap, .unwrapAt, .filterIn, .raw,
            .opaque, .maxDepth, .maxWork,
        ] + Option.onScreen,
        foreignSpellings: Command.redirection.merging(Command.folders) { $1 }, run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        invocation.outliveReader()
        let plan = try DiffPlan(arguments, invocation)
        if let path = plan.files.path { return try GitDifference(path: path, plan: plan, invocation).run() }
        if let folders = FolderComparison(plan, invocation) { return try folders.run() }
        var saves: [ComparedSave] = []
        var unreadable: [(side: Side, reason: String)] = []
        let status = try invocation.forEachFile([plan.files.before.title, plan.files.after.title]) { name in
            let side: Side = saves.isEmpty && unreadable.isEmpty ? .before : .after
            do {
                saves.append(try plan.read(name, after: saves.first, invocation))
            } catch {
                if let reason = ProblemLine.reason(error) { unreadable.append((side, reason)) }
                throw error
            }
            return .done
        }
        guard saves.count == 2 else {
            if !unreadable.isEmpty { try plan.showUnreadable(unreadable, invocation) }
            return status
        }
        try UnmatchedPatterns(plan.options, in: saves.map(\.view)).report(invocation)
        let compared = invocation.during("comparing with", plan.files.after.title) {
            plan.compare(before: saves[0], after: saves[1])
        }
        if plan.isBrief {
            if !compared.areSame { try plan.files.reportDifferent(invocation) }
        } else if !plan.isQuiet {
            try invocation.inFile(compared.after.title) {
                try invocation.writeOutput { try plan.show(compared, to: &$0) }
            }
            plan.report(hidden: compared.hiddenCount, invocation)
            compared.reportSameSaves(invocation)
        }
        return compared.areSame ? .done : .negative
    }
}

/// The checked arguments of `savetool diff`.
final class DiffPlan {
    enum OutputFormat: String, CaseIterable {
        case text, json, summary, html
        case jsonPatch = "json-patch"
        case sideBySide = "side-by-side"

        /// Whether people read the output, so that a note about hidden changes is useful.
        var isForPeople: Bool { self != .json && self != .jsonPatch }
    }

    let files: DiffOperands
    private let reading: FileReadOptions
    private(set) var options: DifferenceOptions
    let outputFormat: OutputFormat
    private let showsSharing: Bool
    /// The number of neighbours shown on each side of a change.
    let context: Int
    /// Whether lines and columns are shown.
    private let showsLocations: Bool
    private let hasFullPaths: Bool
    let palette: Palette
    let isQuiet: Bool
    /// Whether the output says only that the files differ.
    let isBrief: Bool
    /// The width of side-by-side output, in terminal columns.
    private let width: Int
    /// The width of the terminal; nil if standard output is not a terminal and so gets one line per change.
    private let columns: Int?

    init(_ arguments: Arguments, _ invocation: Invocation) throws(UsageError) {
        files = try DiffOperands(arguments).namingCommits(invocation)
        reading = try arguments.fileReading()
        options = try arguments.differenceOptions()
        options.distinguishesWidths = arguments.has(.storage)
        outputFormat = try arguments.choice(of: .format) ?? .text
        showsSharing = arguments.has(.sharing)
        let neighbours = try arguments.number(of: .context)
        context = neighbours ?? (outputFormat == .html ? Self.contextOfPage : 0)
        showsLocations = (neighbours ?? 0) > 0
        hasFullPaths = arguments.has(.fullPath)
        options.keepsAlignments = context > 0
        if outputFormat == .jsonPatch { options.requirePatchable() }
        palette = invocation.palette
        isQuiet = arguments.has(.onlyStatus)
        isBrief = arguments.has(.brief)
        for option in [Option.format, .onlyStatus, .git] where isBrief && arguments.has(option) {
            throw .conflict(.brief, option)
        }
        columns = invocation.output.isTerminal ? invocation.width ?? .max : nil
        width = try arguments.number(of: .width) ?? invocation.width ?? 120
        try arguments.checkFit(
            outputFormat, of: .format,
            [.context: [.text, .sideBySide, .html], .width: [.sideBySide], .fullPath: [.html]])
    }

    /// The number of neighbours in a page, where they are collapsed.
    private static let contextOfPage = 3

    /// Returns the names of both files or folders for a page, safe to print.
    func pageNames(_ names: [String]) -> [String] {
        PageFileNames.of(names, areFull: hasFullPaths).map(Invocation.shownName)
    }

    /// Refuses an output format that cannot show folders.
    func checkShowsFolders() throws(UsageError) {
        guard outputFormat == .jsonPatch else { return }
        throw UsageError("\(Option.format.shown) \(outputFormat.rawValue) compares files, not folders")
    }

    /// Opens the save in a file. A file with the same bytes as `first` shares its save.
    fileprivate func read(
        _ name: String, after first: ComparedSave?, _ invocation: Invocation
    ) throws -> ComparedSave {
        let bytes = try invocation.read(name)
        // The name of a file without values decides its format, a filter may write different bytes each time, and the
        // warnings of a reader must name both files.
        if let save = first?.file.save, reading.filter == nil, case let file = save.file,
            file.span.holdsSame(as: bytes.span), !save.hasWarnings, !Format.isBlank(bytes, allowingComments: true)
        {
            invocation.report(save.layers, in: name)
            return ComparedSave(SaveFile(save, name: name), isLocated: showsLocations)
        }
        return try self.save(bytes, titled: name, invocation)
    }

    /// Opens the save in the bytes of one of the files.
    func save(_ bytes: [UInt8], titled title: String, _ invocation: Invocation) throws(Problem) -> ComparedSave {
        let save = try invocation.open(bytes, of: title, reading)
        return ComparedSave(SaveFile(save, name: title), isLocated: showsLocations)
    }

    func compare(before: ComparedSave, after: ComparedSave) -> ComparedSaves {
        var options = options
        // A patch must reproduce every width that both files can store.
        if outputFormat == .jsonPatch, !options.looseNumbers {
            options.distinguishesWidths = !before.format.widensReals && !after.format.widensReals
        }
        return ComparedSaves(before: before, after: after, options: options, showsSharing: showsSharing)
    }

    /// Writes the differences in the output format.
    ///
    /// - Parameter isOneOfSeveral: Whether the saves are one pair of several. If so, the closing line with the counts
    ///   is left out.
    func show(
        _ saves: ComparedSaves, isOneOfSeveral: Bool = false, to output: inout ByteWriter
    ) throws(Problem) {
        let bound = OutputBound(saves.documents, output)
        switch outputFormat {
        case .json: try DifferenceJSONRenderer(saves).render(within: bound, to: &output)
        case .html:
            try DifferencePageRenderer(saves, context: context)
                .render(named: pageNames([saves.before.title, saves.after.title]), within: bound, to: &output)
        case .summary: DifferenceSummaryRenderer().render(saves, to: &output)
        case .sideBySide where width >= SideBySideRenderer.narrowest:
            try SideBySideRenderer(saves, width: width, palette: palette, context: context)
                .render(within: bound, to: &output)
        case .text where columns != nil:
            let renderer = DifferenceTerminalRenderer(saves, columns: columns ?? 0, palette: palette, context: context)
            if isOneOfSeveral {
                try renderer.renderChanges(within: bound, to: &output)
            } else {
                try renderer.render(within: bound, to: &output)
            }
        case .text, .sideBySide:
            try DifferenceTextRenderer(saves, palette: palette, context: context).render(within: bound, to: &output)
        case .jsonPatch: try saves.difference.writePatch(to: &output, limits: reading.limits)
        }
    }

    /// Writes the reasons why files could not be compared, if the output is a page.
    fileprivate func showUnreadable(_ reasons: [(side: Side, reason: String)], _ invocation: Invocation) throws {
        guard outputFormat == .html, !isBrief, !isQuiet else { return }
        let names = pageNames([files.before.title, files.after.title])
        try invocation.writeOutput { DifferencePageRenderer.renderUnreadable(named: names, reasons, to: &$0) }
    }

    /// Prints the number of hidden changes.
    func report(hidden count: Int, _ invocation: Invocation) {
        guard count > 0, outputFormat.isForPeople else { return }
        let hidden = "\(Phrase.count(count, "change")) of sharing \(Phrase.verb("is", for: count)) hidden"
        invocation.printError("savetool: \(hidden); use \(Option.sharing.shown) to show \(count == 1 ? "it" : "them")")
    }
}

extension ComparedSaves {
    /// Prints the address of data whose bytes differ, but whose nested saves are equal.
    ///
    /// - Parameter file: The name at the start of the line.
    func reportSameSaves(in file: String = "savetool", _ invocation: Invocation) {
        let addresses = equalNestedSaves
        guard let first = addresses.first else { return }
        let more = addresses.count > 1 ? " and " + Phrase.count(addresses.count - 1, "other address") : ""
        let place = TruncatedText.address(first)
        invocation.printError("\(file): \(place)\(more): the bytes differ, but the compared values in them are equal")
    }
}

/// The two files to compare, from the operands.
struct DiffOperands {
    struct File {
        /// The name of the file to read, or nil if the file does not exist.
        let name: String?
        /// The name in messages and reports.
        let title: String
    }

    private(set) var before: File
    private(set) var after: File
    /// The path of the file in the repository, if git is the caller.
    let path: String?
    /// The modes before and after, if git reports that the mode changed.
    private(set) var modes: (String, String)?

    /// The name that git passes for a file that does not exist.
    static let absent = "/dev/null"

    init(_ arguments: Arguments) throws(UsageError) {
        if arguments.has(.git), arguments.has(.filterIn) { throw .conflict(.git, .filterIn) }
        guard arguments.has(.git) else {
            let operands = try arguments.operands(named: "A", "B")
            before = File(name: operands[0], title: operands[0])
            after = File(name: operands[1], title: operands[1])
            path = nil
            return
        }
        let operands = arguments.operands
        // git passes seven operands. For a renamed file it adds the new path and a description; for an unmerged file it
        // passes only the path.
        guard [1, 7, 9].contains(operands.count) else {
            throw .operandCount(
                operands.count, expected: "the operands of a diff driver: PATH FILE HASH MODE FILE HASH MODE")
        }
        let newPath = operands.count == 9 ? operands[7] : operands[0]
        path = newPath
        before = Self.file(1, of: operands, title: "a/" + operands[0])
        after = Self.file(4, of: operands, title: "b/" + newPath)
        guard operands.count > 1, operands[3] != operands[6], operands[3] != ".", operands[6] != "." else { return }
        modes = (operands[3], operands[6])
    }

    /// Returns the operands with the other one's path in a commit for a commit alone, as in `git diff HEAD saves`.
    fileprivate func namingCommits(_ invocation: Invocation) -> DiffOperands {
        guard path == nil, before.title != "-", after.title != "-" else { return self }
        func isMissing(_ file: File) -> Bool { (try? FileSystem.status(invocation.path(file.title))) == nil }
        func inCommit(_ commit: File, _ other: File) -> File {
            let name = GitRevision.name(of: other.title, inCommit: commit.title, from: invocation.folder)
            return name.map { File(name: $0, title: $0) } ?? commit
        }
        var operands = self
        switch (isMissing(before), isMissing(after)) {
        case (true, false): operands.before = inCommit(before, after)
        case (false, true): operands.after = inCommit(after, before)
        default: break
        }
        return operands
    }

    /// Prints that the files differ.
    fileprivate func reportDifferent(_ invocation: Invocation) throws {
        let names = [before.title, after.title].map(Invocation.shownName)
        try invocation.writeOutput { $0.write("\(names[0]) and \(names[1]) differ\n") }
    }

    private static func file(_ position: Int, of operands: [String], title: String) -> File {
        let name = position < operands.count && operands[position] != absent ? operands[position] : nil
        return File(name: name, title: title)
    }
}

extension Option {
    fileprivate static let format = Option(
        "format", "f", value: "FORMAT", among: DiffPlan.OutputFormat.self, usual: .text, for: .output)
    fileprivate static let sharing = Option(
        "sharing", for: .comparison, help: "also compare which values share an object")
    fileprivate static let storage = Option(
        "storage", for: .comparison, help: "also report reals that differ only in width")
    fileprivate static let context = Option(
        "context", "U", value: "N", for: .output,
        help: "show N unchanged neighbours before and after each change (0; html: 3)")
    fileprivate static let width = Option(
        "width", "W", value: "N", for: .output, help: "side-by-side: total width (terminal width, or 120)")
    fileprivate static let brief = Option("brief", for: .output, help: "report only whether the files differ")
    fileprivate static let twoColumns = Option(
        "side-by-side", "y", standsFor: (.format, DiffPlan.OutputFormat.sideBySide.rawValue), for: .output)
    fileprivate static let git = Option("git", for: .input, help: "take the operands of git's external diff")
}

// MARK: Files from git

/// Shows the changes of a file in a git repository, as git's external diff program.
///
/// The exit status is always 0, because git stops at any other.
private struct GitDifference {
    private let path: String
    private let plan: DiffPlan
    private let invocation: Invocation

    init(path: String, plan: DiffPlan, _ invocation: Invocation) {
        self.path = path
        self.plan = plan
        self.invocation = invocation
    }

    func run() throws -> ExitStatus {
        let (before, after) = (plan.files.before, plan.files.after)
        guard before.name != nil || after.name != nil else {
            try print("\(FileName.shown(path)): not merged")
            return .done
        }
        try print("savetool diff \(title(before)) \(title(after))")
        if let (old, new) = plan.files.modes {
            try print("mode \(FileName.shown(old)) → \(FileName.shown(new))")
        }
        let saves = (try read(before), try read(after))
        switch saves {
        case (let before?, let after?): try show(plan.compare(before: before, after: after))
        case (let before?, nil) where after.name == nil: try showWhole(before, as: .removed)
        case (nil, let after?) where before.name == nil: try showWhole(after, as: .added)
        default: break
        }
        return .done
    }

    private func title(_ file: DiffOperands.File) -> String {
        file.name == nil ? DiffOperands.absent : FileName.shown(file.title)
    }

    /// Reads a file. If that fails, prints the error on standard output, where git shows it instead of the changes.
    private func read(_ file: DiffOperands.File) throws -> ComparedSave? {
        guard let name = file.name else { return nil }
        do {
            return try plan.save(invocation.readFromGit(name), titled: file.title, invocation)
        } catch let problem as Problem {
            try print(ProblemLine.render(problem, in: file.title))
        } catch let error as FileError {
            try print(error.name + ": " + error.sentence)
        }
        return nil
    }

    private func show(_ saves: ComparedSaves) throws {
        if saves.areSame { return try print("no value has changed") }
        try invocation.writeOutput { output in
            do throws(Problem) {
                try plan.show(saves, to: &output)
            } catch {
                output.write(ProblemLine.render(error, in: path) + "\n")
            }
        }
        plan.report(hidden: saves.hiddenCount, invocation)
    }

    /// Shows a file that was added or removed.
    private func showWhole(_ save: ComparedSave, as kind: Change.Kind) throws {
        let line = ValueAbbreviator(of: save.view).line(save.view.root)
        try invocation.writeOutput { output in
            plan.palette.write("\(kind.marker) \(JSONPointer.root):", in: kind.textRole, to: &output)
            output.write(" \(line)\n")
        }
    }

    private func print(_ line: String) throws {
        try invocation.writeOutput { $0.write(line + "\n") }
    }
}
