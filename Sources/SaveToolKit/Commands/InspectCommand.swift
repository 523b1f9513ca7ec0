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

            Exit status: 0 done, 1 nothing at the address, 2 something could not be read.
            """,
        options: [
            .view, .path, .depth, .limit, .types, .nested, .nestedDepth, .compact, .strict, .from, .raw, .maxDepth,
            .color,
        ],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let plan = try InspectPlan(arguments, invocation)
        var isFirst = true
        return try invocation.forEachFile(plan.files) { name in
            let bytes = try invocation.read(name)
            let format = try plan.source ?? Format.recognize(bytes)
            let view = try invocation.view(bytes, of: name, as: format, limits: plan.limits, isRaw: plan.isRaw)
            let address = plan.address(in: view)
            guard let start = find(address, in: view, name, plan, invocation) else { return .notThere }
            let sight = Sight(
                file: view, view: start.view, start: start.id, address: address, format: format, size: bytes.count)
            if plan.isStrict { try sight.outline(plan).checkFinite() }
            try invocation.writeOutput { output in
                if plan.hasHeadings {
                    output.write((isFirst ? "" : "\n") + Invocation.shownName(name) + ":\n")
                    isFirst = false
                }
                try show(sight, plan, to: &output)
            }
            return .done
        }
    }

    /// What there is to show of one file.
    private struct Sight {
        let file: ObjectView
        /// The view that is shown, of the file or of a property list in it.
        let view: ObjectView
        let start: ViewID
        let address: Address
        let format: Format
        let size: Int

        func outline(_ plan: InspectPlan) -> Outline {
            Outline(of: view, from: start, at: address, scope: plan.scope(for: view, from: start))
        }
    }

    private static func show(_ sight: Sight, _ plan: InspectPlan, to output: inout ByteWriter) throws(Problem) {
        let bound = OutputBound(sight.file.document, output)
        switch plan.view {
        case .tree:
            var renderer = TreeRenderer(palette: plan.palette, showsTypes: plan.showsTypes, hint: plan.hint)
            try renderer.render(sight.outline(plan), within: bound, to: &output)
        case .flat:
            var renderer = FlatRenderer(from: sight.address)
            try renderer.render(sight.outline(plan), within: bound, to: &output)
        case .json:
            var renderer = PlainJSONRenderer(isCompact: plan.isCompact)
            try renderer.render(sight.outline(plan), within: bound, to: &output)
        case .summary: summarize(sight, plan, to: &output)
        case .dot:
            var renderer = DotRenderer(
                ObjectDiagram(sight.view, from: sight.start, limit: plan.bound(20)), from: sight.address)
            try renderer.render(to: &output)
        }
    }

    private static func summarize(_ sight: Sight, _ plan: InspectPlan, to output: inout ByteWriter) {
        guard let archive = sight.file.archive else {
            let summary = Summary(of: sight.file.document)
            return SummaryRenderer(summary: summary, format: sight.format, size: sight.size).render(to: &output)
        }
        ArchiveSummaryRenderer(
            summary: ArchiveSummary(of: archive), format: sight.format, size: sight.size, limit: plan.bound(40)
        ).render(to: &output)
    }

    private static func find(
        _ address: Address, in view: ObjectView, _ name: String, _ plan: InspectPlan, _ invocation: Invocation
    ) -> (view: ObjectView, id: ViewID)? {
        switch view.find(address, nesting: plan.nesting) {
        case .found(let id, let view): return (view, id)
        case .missing(let missing):
            invocation.say(MissingValueLine.render(missing, address, in: name))
            return nil
        }
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
