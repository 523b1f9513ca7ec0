import KeyedArchive
import SaveCodec
import SaveOperations

/// `savetool diff`: compares two files by meaning.
enum DiffCommand {
    static let command = Command(
        name: "diff", summary: "compare two files by meaning", operands: "A B",
        discussion: """
            Compares what two saves mean: an archive as its objects, whatever the formats of the files, the
            numbers of the objects, the order of keys, the layout and the encodings of text. A plain JSON
            or property list may stand for an archive: its dictionaries for objects, with the class at
            $class if it is to be compared. - is standard input.

            Text has a line a change, with its address after, of what is gone before, and these marks:

                + added   - removed   ~ changed value, type or class   > moved   = shared otherwise

            42 and 42.0, reals of four bytes and of eight, a number stored in place and one that is an
            object differ in type. Elements of arrays are aligned and not compared by position; a long
            string is shown from where it differs ("at 1204": after so many UTF-16 units). Whether two
            places share one object or hold equal ones is told with --sharing, and if nothing else differs.

            A PATTERN is an address in which * stands for any one step and ** for any number, and covers
            what is below. --tolerance 0.01 is a distance, 1% a part of the greater number, and
            /root/*/x=0.01 holds where the pattern does; it concerns reals only.

            Forms: text; json, one document, described by a JSON Schema; json-patch, a patch (RFC 6902) that
            makes B of A; summary, how many changes there are where; side-by-side, two columns, or text
            where there are fewer than 80 columns.

            Exit status: 0 the same, 1 different, 2 they could not be compared. With --git, which takes the
            operands that git gives to an external diff program, 0 in any case.
            """,
        options: [
            .differenceForm, .sharing, .looseNumbers, .tolerance, .ignore, .only, .identity, .unordered, .context,
            .width, .quietDifference, .git, .from, .raw, .maxDepth, .differenceColor,
        ],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let plan = try DiffPlan(arguments, invocation)
        if let path = plan.files.path { return try GitDifference(path: path, plan: plan).run(invocation) }
        var saves: [ComparedSave] = []
        let status = try invocation.forEachFile([plan.files.before.title, plan.files.after.title]) { name in
            saves.append(try plan.read(DiffOperands.File(name: name, title: name), invocation))
            return .done
        }
        guard saves.count == 2 else { return status }
        let compared = ComparedSaves(saves[0], saves[1], plan.options, showsSharing: plan.showsSharing)
        if !plan.isQuiet {
            guard try show(compared, plan, invocation) else { return .cannot }
            if compared.hiddenCount > 0, plan.form.isForPeople { invocation.say(hint(compared.hiddenCount)) }
        }
        return compared.changes.isEmpty ? .done : .notThere
    }

    /// Shows what is different. False, and a word, where that cannot be.
    private static func show(_ saves: ComparedSaves, _ plan: DiffPlan, _ invocation: Invocation) throws -> Bool {
        do {
            try invocation.writeOutput { try plan.show(saves, to: &$0) }
            return true
        } catch let problem as Problem {
            invocation.say(ProblemLine.render(problem, in: saves.after.title))
            return false
        }
    }

    /// That there is more to see.
    static func hint(_ count: Int) -> String {
        "savetool: \(Counted.of(count, "change")) of sharing more; \(Option.sharing.shown) shows them"
    }
}

extension DiffPlan {
    /// Reads one of the files. Says what its reader warns of.
    func read(_ file: DiffOperands.File, _ invocation: Invocation) throws -> ComparedSave {
        let bytes = try invocation.read(file.name ?? DiffOperands.absent)
        let format = try source ?? Format.recognize(bytes)
        let view = try invocation.view(bytes, of: file.title, as: format, limits: limits, isRaw: isRaw)
        return ComparedSave(title: file.title, format: format, view: view)
    }

    /// Shows what is different.
    func show(_ saves: ComparedSaves, to output: inout ByteWriter) throws(Problem) {
        let bound = OutputBound([saves.before.view.document, saves.after.view.document], output)
        switch form {
        case .text:
            try DifferenceTextRenderer(palette: palette, context: context).render(saves, within: bound, to: &output)
        case .json:
            var renderer = DifferenceJSONRenderer(saves)
            try renderer.render(within: bound, to: &output)
        case .summary: DifferenceSummaryRenderer().render(saves, to: &output)
        case .sideBySide where width >= SideBySideRenderer.narrowest:
            var renderer = SideBySideRenderer(saves, width: width, palette: palette, context: context)
            try renderer.render(within: bound, to: &output)
        case .sideBySide:
            try DifferenceTextRenderer(palette: palette, context: context).render(saves, within: bound, to: &output)
        case .jsonPatch: try saves.difference.writePatch(to: &output, limits: limits)
        }
    }
}

extension Option {
    static let differenceForm = Option(
        "format", "f", value: "FORM", help: "text, json, json-patch, summary or side-by-side (text)")
    static let sharing = Option("sharing", help: "show what shares an object otherwise, too")
    static let looseNumbers = Option(
        "loose-numbers", help: "compare numbers by value: 42 is 42.0, in place or an object")
    static let tolerance = Option(
        "tolerance", value: "X", help: "take reals for the same that are no farther apart: 0.01,\n1%, PATTERN=0.01")
    static let ignore = Option("ignore", value: "PATTERN", help: "do not compare what is there and below")
    static let only = Option("only", value: "PATTERN", help: "compare nothing but what is there and below")
    static let identity = Option(
        "identity", value: "PATTERN=KEY", help: "elements of the array there are the same whose KEY\nis the same")
    static let unordered = Option("unordered", value: "PATTERN", help: "compare the array there as a set")
    static let context = Option(
        "context", "U", value: "N", help: "text, side-by-side: show N neighbours on each side (0)")
    static let width = Option("width", "W", value: "N", help: "side-by-side: columns (those of the terminal, or 120)")
    static let quietDifference = Option("quiet", "q", help: "write nothing; the exit status tells")
    static let git = Option("git", help: "take the operands of git's external diff program")
    static let differenceColor = Option(
        "color", value: "WHEN", help: "text, side-by-side: auto, always or never (auto)")
}
