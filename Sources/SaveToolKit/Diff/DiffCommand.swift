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

/// What the arguments of `savetool diff` ask for, once they are known to make sense.
struct DiffPlan {
    /// How differences are shown.
    enum Form: String, CaseIterable {
        case text, json, summary
        case jsonPatch = "json-patch"
        case sideBySide = "side-by-side"

        /// Whether people read it, who can be told that there is more to see.
        var isForPeople: Bool { self != .json && self != .jsonPatch }
    }

    let files: DiffOperands
    let source: Format?
    let limits: Limits
    let isRaw: Bool
    let options: DifferenceOptions
    let form: Form
    let showsSharing: Bool
    /// How many neighbours of a change are shown on each side.
    let context: Int
    let palette: Palette
    let isQuiet: Bool
    /// How wide two columns may be.
    let width: Int

    init(_ arguments: Arguments, _ invocation: Invocation) throws(UsageError) {
        files = try DiffOperands(arguments)
        source = try arguments.format(of: .from)
        limits = try arguments.limits()
        isRaw = arguments.has(.raw)
        options = try arguments.differenceOptions()
        form = try arguments.choice(of: .differenceForm) ?? .text
        showsSharing = arguments.has(.sharing)
        context = try arguments.number(of: .context) ?? 0
        palette = try (arguments.choice(of: .differenceColor) ?? ColorChoice.auto).palette(invocation)
        isQuiet = arguments.has(.quietDifference)
        width = try arguments.number(of: .width) ?? Self.width(invocation)
        try checkFit(arguments)
    }

    /// The width of the terminal, which `COLUMNS` may tell otherwise.
    private static func width(_ invocation: Invocation) -> Int {
        invocation.environment["COLUMNS"].flatMap { Int($0) } ?? invocation.output.columns ?? 120
    }

    private func checkFit(_ arguments: Arguments) throws(UsageError) {
        let fitting: [(option: Option, forms: [Form])] = [
            (.context, [.text, .sideBySide]), (.differenceColor, [.text, .sideBySide]), (.width, [.sideBySide]),
        ]
        for (option, forms) in fitting where arguments.has(option) && !forms.contains(form) {
            throw .onlyWith(option, .differenceForm, values: forms.map(\.rawValue))
        }
    }
}

extension Arguments {
    /// What a comparison is to forgive, and how it aligns arrays.
    fileprivate func differenceOptions() throws(UsageError) -> DifferenceOptions {
        var options = DifferenceOptions()
        options.looseNumbers = has(.looseNumbers)
        options.ignored = try patterns(of: .ignore)
        options.only = try patterns(of: .only)
        options.unordered = try patterns(of: .unordered)
        options.identities = try identities()
        for text in values(of: .tolerance) { try options.addTolerance(text) }
        return options
    }

    /// The fields by which elements of arrays are told apart.
    func identities() throws(UsageError) -> [DifferenceOptions.Identity] {
        var identities: [DifferenceOptions.Identity] = []
        for text in values(of: .identity) {
            let expected = "a pattern and a key, such as /root/charList=name"
            guard let (pattern, key) = Self.split(text), !key.isEmpty else {
                throw .badValue(text, .identity, expected: expected)
            }
            identities.append(.init(try Self.pattern(pattern, of: .identity), key: key))
        }
        return identities
    }

    func patterns(of option: Option) throws(UsageError) -> [AddressPattern] {
        var patterns: [AddressPattern] = []
        for text in values(of: option) { patterns.append(try Self.pattern(text, of: option)) }
        return patterns
    }

    static func pattern(_ text: String, of option: Option) throws(UsageError) -> AddressPattern {
        do throws(Problem) {
            return try AddressPattern(text)
        } catch {
            throw .badValue(
                text, option, expected: "a pattern such as /root/*/name, with ~1 for / and ~0 for ~ in keys")
        }
    }

    /// What stands before the last `=` and behind; patterns may have others.
    static func split(_ text: String) -> (String, String)? {
        guard let sign = text.lastIndex(of: "=") else { return nil }
        return (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }
}

extension DifferenceOptions {
    /// `0.01`, `1%`, `/root/*/position.x=0.5`. One that is absolute and one that is relative hold side by side.
    fileprivate mutating func addTolerance(_ text: String) throws(UsageError) {
        guard text.hasPrefix("/") else { return try tolerance.add(text, in: text) }
        guard let (pattern, amount) = Arguments.split(text) else { throw .tolerance(text) }
        let place = try Arguments.pattern(pattern, of: .tolerance)
        var local = LocalTolerance(place, Tolerance())
        if let known = tolerances.firstIndex(where: { $0.pattern == place }) { local = tolerances.remove(at: known) }
        try local.tolerance.add(amount, in: text)
        tolerances.append(local)
    }
}

extension DifferenceOptions.Tolerance {
    fileprivate mutating func add(_ amount: String, in text: String) throws(UsageError) {
        let isRelative = amount.hasSuffix("%")
        let digits = isRelative ? String(amount.dropLast()) : amount
        let isDecimal = digits.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) }
        guard isDecimal, let number = Double(digits), number.isFinite, number >= 0 else { throw .tolerance(text) }
        if isRelative { relative = number / 100 } else { absolute = number }
    }
}

extension UsageError {
    fileprivate static func tolerance(_ text: String) -> UsageError {
        .badValue(text, .tolerance, expected: "a number from 0, such as 0.01, 1% or /root/*/position.x=0.5")
    }
}

/// The two files that are compared, as the operands name them.
struct DiffOperands {
    /// One of the files.
    struct File {
        /// What is read; nil for a file that is not there.
        let name: String?
        /// What messages and reports call it.
        let title: String
    }

    let before: File
    let after: File
    /// The path of the file in the repository, if git is the caller.
    let path: String?
    /// The permissions before and after, if git says that they changed.
    private(set) var modes: (String, String)?

    /// The file that is not there, in what git says.
    static let absent = "/dev/null"

    init(_ arguments: Arguments) throws(UsageError) {
        let operands = arguments.operands
        guard arguments.has(.git) else {
            guard operands.count == 2 else { throw .operandCount(operands.count, expected: "two files to compare") }
            guard operands != ["-", "-"] else { throw .inputTwice }
            before = File(name: operands[0], title: operands[0])
            after = File(name: operands[1], title: operands[1])
            path = nil
            return
        }
        // Of a renamed file git adds the new path and what it says of it; of an unmerged one it gives the path alone.
        guard [1, 7, 9].contains(operands.count) else {
            throw .operandCount(
                operands.count, expected: "those of a diff driver: PATH FILE HASH MODE FILE HASH MODE")
        }
        let newPath = operands.count == 9 ? operands[7] : operands[0]
        path = newPath
        before = Self.file(operands, 1, "a/" + operands[0])
        after = Self.file(operands, 4, "b/" + newPath)
        guard operands.count > 1, operands[3] != operands[6], operands[3] != ".", operands[6] != "." else { return }
        modes = (operands[3], operands[6])
    }

    private static func file(_ operands: [String], _ position: Int, _ title: String) -> File {
        let name = position < operands.count && operands[position] != absent ? operands[position] : nil
        return File(name: name, title: title)
    }
}
