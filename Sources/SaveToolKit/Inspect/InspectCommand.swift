import KeyedArchive
import SaveCodec
import SaveOperations

/// `savetool inspect`: shows what is in files.
enum InspectCommand {
    static let command = Command(
        name: "inspect", summary: "show what is in a file", operands: "[FILE …]",
        discussion: """
            Shows what is in a save. The format is recognised by its content. A keyed archive is shown as
            its objects, with their classes and fields; --raw shows the property list that it is stored as.

            Views: tree, for people; flat, one line a value with its address, for grep; json, plain JSON
            for jq, one way (dates and data become strings, NaN and infinities null; objects have their
            class at $class); summary, numbers; dot, a picture of the objects and their references, for
            Graphviz (dot -Tsvg).

            The tree shows what is shared once, and then as a reference to its first place. On one line
            stand objects that stand for a single thing, such as an NSURL, short arrays of scalars, and
            elements of lists that consist of scalars. Of an array or a set of more than 16 elements it
            shows 12, of other containers 50 contents, and of an archive as many levels as 200 rows have
            room for. --limit, --depth, --path and --types show more. flat and json write out what is
            shared wherever it stands, unless it is part of itself or that would explode.

            An address is a JSON Pointer such as /root/scores/0; /root/$class is the class of an object,
            /levels/~=5 the value whose key is the number 5, /levels/~#3 the pair at position 3. With
            --nested, addresses lead on into property lists that are stored as data, and in json those
            stand in place of the data.

            --defaults lays a file of registered defaults under a preferences file, key by key of the root:
            a key that the preferences have hides the default as a whole. The tree says which values are
            defaults, and what the default is that another value hides; in flat the lines of defaults end
            in "  # default"; json is what the application sees.

            Exit status: 0 done, 1 nothing at the address, 2 something could not be read.
            """,
        options: [
            .view, .path, .depth, .limit, .types, .nested, .nestedDepth, .defaults, .compact, .strict, .from, .raw,
            .maxDepth,
            .color,
        ],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let plan = try InspectPlan(arguments, invocation)
        return try invocation.withDefaults(plan.defaults, limits: plan.limits, isRaw: plan.isRaw) { defaults in
            var isFirst = true
            return try invocation.forEachFile(plan.files) { name in
                guard let sight = try sight(of: name, over: defaults, plan, invocation) else { return .notThere }
                if plan.isStrict { try sight.outline(plan).checkFinite() }
                try invocation.writeOutput { output in
                    if plan.hasHeadings { output.write((isFirst ? "" : "\n") + sight.heading) }
                    isFirst = false
                    try show(sight, plan, to: &output)
                }
                return .done
            }
        }
    }

    /// What there is to show of one file.
    private struct Sight {
        let file: LayeredFile
        /// What is shown of it.
        let place: LayeredFile.Place
        let address: Address
        let format: Format
        let size: Int

        func outline(_ plan: InspectPlan) -> Outline {
            Outline(
                of: place.view, from: place.id, at: address, scope: plan.scope(for: place.view, from: place.id))
        }

        /// Tells what comes from defaults; nil if there are none.
        var origins: OriginNote? {
            file.lower.map { OriginNote($0.layers, of: place.position, at: address) }
        }

        var heading: String {
            let defaults = file.lower.map { " over the defaults in " + Invocation.shownName($0.file.name) }
            return Invocation.shownName(file.name) + (defaults ?? "") + ":\n"
        }
    }

    private static func sight(
        of name: String, over defaults: DefaultsFile?, _ plan: InspectPlan, _ invocation: Invocation
    ) throws -> Sight? {
        let bytes = try invocation.read(name)
        let format = try plan.source ?? Format.recognize(bytes)
        let view = try invocation.view(bytes, of: name, as: format, limits: plan.limits, isRaw: plan.isRaw)
        let file = try LayeredFile(view, of: name, over: defaults, limits: plan.limits)
        let address = plan.address(in: file.view)
        guard let place = file.place(of: address, nesting: plan.nesting, invocation) else { return nil }
        return Sight(file: file, place: place, address: address, format: format, size: bytes.count)
    }

    private static func show(_ sight: Sight, _ plan: InspectPlan, to output: inout ByteWriter) throws(Problem) {
        let bound = OutputBound(sight.file.view.document, output)
        switch plan.view {
        case .tree:
            var renderer = TreeRenderer(
                palette: plan.palette, showsTypes: plan.showsTypes, hint: plan.hint, origins: sight.origins)
            try renderer.render(sight.outline(plan), within: bound, to: &output)
        case .flat:
            var renderer = FlatRenderer(from: sight.address, origins: sight.origins)
            try renderer.render(sight.outline(plan), within: bound, to: &output)
        case .json:
            var renderer = PlainJSONRenderer(isCompact: plan.isCompact)
            try renderer.render(sight.outline(plan), within: bound, to: &output)
        case .summary: summarize(sight, plan, to: &output)
        case .dot:
            var renderer = DotRenderer(
                ObjectDiagram(sight.place.view, from: sight.place.id, limit: plan.bound(20)), from: sight.address)
            try renderer.render(to: &output)
        }
    }

    private static func summarize(_ sight: Sight, _ plan: InspectPlan, to output: inout ByteWriter) {
        guard let archive = sight.file.view.archive else {
            let summary = Summary(of: sight.file.view.document)
            return SummaryRenderer(
                summary: summary, format: sight.format, size: sight.size, lower: sight.file.lower
            ).render(to: &output)
        }
        ArchiveSummaryRenderer(
            summary: ArchiveSummary(of: archive), format: sight.format, size: sight.size, limit: plan.bound(40)
        ).render(to: &output)
    }
}

extension Option {
    static let view = Option("format", "f", value: "VIEW", help: "tree, flat, json, summary or dot (tree)")
    static let path = Option("path", "p", value: "POINTER", help: "show only what is at this address")
    static let depth = Option("depth", "d", value: "N", help: "tree, flat: open only N containers within each other")
    static let limit = Option(
        "limit", "n", value: "N",
        help:
            "tree, flat, dot: show N contents of each container,\n0 for all (tree: see above, flat 0, dot 20);\nsummary: N rows of an archive's classes (40)"
    )
    static let types = Option("types", "t", help: "tree: show how each value is stored")
    static let nested = Option("nested", help: "tree, flat, json: open property lists in data, too")
    static let nestedDepth = Option(
        "nested-depth", value: "N", help: "open only N of them within each other (64)")
    static let strict = Option("strict", help: "json: refuse NaN and infinities")
    static let color = Option("color", value: "WHEN", help: "tree: auto, always or never (auto)")
}

/// What the arguments of `savetool inspect` ask for, once they are known to make sense.
struct InspectPlan {
    /// How a file is shown.
    enum ViewName: String, CaseIterable {
        case tree, flat, json, summary, dot
    }

    let files: [String]
    let source: Format?
    let limits: Limits
    let view: ViewName
    private let address: Address
    let palette: Palette
    let showsTypes: Bool
    let isCompact: Bool
    let isStrict: Bool
    let isRaw: Bool
    /// How property lists in data are opened; nil if they are not.
    let nesting: Nesting?
    /// The file with the registered defaults; nil for none.
    let defaults: String?
    private let depth: Int?
    private let limit: Int?

    init(_ arguments: Arguments, _ invocation: Invocation) throws(UsageError) {
        files = arguments.operands
        source = try arguments.format(of: .from)
        limits = try arguments.limits()
        view = try arguments.choice(of: .view) ?? .tree
        address = try Self.address(arguments)
        palette = try (arguments.choice(of: .color) ?? ColorChoice.auto).palette(invocation)
        showsTypes = arguments.has(.types)
        isCompact = arguments.has(.compact)
        isStrict = arguments.has(.strict)
        isRaw = arguments.has(.raw)
        nesting = try Self.nesting(arguments, limits)
        defaults = try arguments.defaults(under: files)
        depth = try arguments.number(of: .depth)
        limit = try arguments.number(of: .limit)
        try checkFit(arguments)
    }

    /// The address that was asked for.
    func address(in view: ObjectView) -> Address { view.meant(by: address) }

    /// Whether each file has a heading: several have, and one that is shown to people over its defaults. JSON texts follow
    /// each other without, as `jq` reads them.
    var hasHeadings: Bool {
        switch view {
        case .tree, .summary: files.count > 1 || defaults != nil
        case .flat: files.count > 1
        case .json, .dot: false
        }
    }

    /// How many rows of an archive are shown unless more are asked for.
    private static let overviewRows = 200

    /// How much is shown of what stands below a value.
    func scope(for view: ObjectView, from start: ViewID) -> Outline.Scope {
        switch self.view {
        case .tree:
            let scope = Outline.Scope(
                depth: depth, limit: limit.map { $0 == 0 ? nil : $0 } ?? 50, shortensLists: limit == nil,
                annotates: !showsTypes, nesting: nesting)
            if depth != nil || limit != nil || view.archive == nil { return scope }
            return scope.overview(of: view, from: start, rows: Self.overviewRows)
        case .flat, .json, .summary, .dot:
            return Outline.Scope(
                depth: depth, limit: limit == 0 ? nil : limit, repeatsShared: view.isExpandable(from: start, limits),
                nesting: nesting)
        }
    }

    /// What a tree says where it leaves out contents that no one asked to leave out.
    var hint: String? { limit == nil ? "\(Option.limit.shown) 0 shows all" : nil }

    private static func nesting(_ arguments: Arguments, _ limits: Limits) throws(UsageError) -> Nesting? {
        let levels = try arguments.number(of: .nestedDepth)
        guard arguments.has(.nested) else {
            if levels != nil { throw .needsOneOf(.nestedDepth, [.nested]) }
            return nil
        }
        return Nesting(levels: levels ?? 64, limits: limits, isRaw: arguments.has(.raw))
    }

    /// How many rows of a summary, or contents of a container in a diagram, are shown; nil for all.
    func bound(_ usual: Int) -> Int? {
        let bound = limit ?? usual
        return bound == 0 ? nil : bound
    }

    private static func address(_ arguments: Arguments) throws(UsageError) -> Address {
        guard let pointer = arguments.value(of: .path) else { return .root }
        guard let address = Address(pointer) else {
            throw .badValue(pointer, .path, expected: Address.expected)
        }
        return address
    }

    private func checkFit(_ arguments: Arguments) throws(UsageError) {
        let fitting: [(option: Option, views: [ViewName])] = [
            (.types, [.tree]), (.color, [.tree]), (.depth, [.tree, .flat]), (.limit, [.tree, .flat, .summary, .dot]),
            (.compact, [.json]), (.strict, [.json]), (.path, [.tree, .flat, .json, .dot]),
            (.nested, [.tree, .flat, .json]), (.defaults, [.tree, .flat, .json, .summary]),
        ]
        for (option, views) in fitting where arguments.has(option) && !views.contains(view) {
            throw .onlyWith(option, .view, values: views.map(\.rawValue))
        }
    }
}
